"""Wrong calls and their answers: one line that says what to type; no model is loaded and no file is touched."""

import shlex

import pytest
from command_line import call, content

from nmt_attention.translate import Translator

USAGE = [  # status 2
    ("transalte", "no command 'transalte' (did you mean translate?); example: "),
    ("TRANSLATE hi", "no command 'TRANSLATE' (did you mean translate?)"),
    ("'Where is it?'", 'nmt-attention translate "Where is it?"; example:'),
    ("help me please", 'to translate a sentence: nmt-attention translate "help me please"; '),
    ("--versoin", "did you mean --version?"),
    ("translate --temprature 2 hi", "(did you mean --temperature?)"),  # one that --help leaves out
    ("translate --bean-size=3 hi", "(did you mean --beam-size?)"),
    ("translate --beem 3 hi", "(did you mean --beam-size?)"),
    ("plot --run e --run begun hi", "argument --run: expected one, got e and begun"),
    ("--device cpu translate hi", "options stand after the command: nmt-attention translate --device …"),
    ("plot --device cup hi", "did you mean cpu?"),
    ("train --run r --attention multihead", "did you mean multi-head?"),
    ("evaluate --split train", "invalid choice: 'train' (choose from"),
    ("train", "--run; example: nmt-attention train --run runs/mine --preset quick; see nmt-attention train --help"),
    ("fetch mar", "unrecognized arguments: mar; example: nmt-attention fetch --language mar; see"),
    ("serve --port abc", "argument --port: invalid int value: 'abc'"),
    ("train --run ''", "argument --run: expected a path, got an empty one"),
    ("translate --run none hi", "argument --run: none: no such directory; `nmt-attention train` makes one"),
    ("evaluate --everyday --compare ./greedy", "argument --compare: ./greedy: no such directory"),
]
SEARCHES = [
    ("--beam-size 0", "--beam-size: expected from 1 to below 10,000, got 0"),
    ("--samples 2 --beam-size 2", "--samples: use either --samples or --beam-size above 1"),
    ("--top-p 0.5", "--top-p: no effect unless --samples is above 0"),
]
REFUSED = [  # status 1
    *((f"{command} {typed}", answer) for command in ("translate hi", "evaluate --run e") for typed, answer in SEARCHES),
    ("translate --file none.txt", "none.txt: No such file or directory"),
    ("translate --paragraphs hi", "--paragraphs: no effect on sentences; it joins lines of"),
    ("translate --file in.txt hi", "give sentences or --file, not both"),
    ("translate in.txt", "in.txt is the name of a file; to translate its lines: translate --file in.txt"),
    ("translate nnotes.txt", "to translate its lines: translate --file nnotes.txt"),
    ("translate mine", "mine is a run directory; write --run mine"),
    ("plot", "give a sentence or --history"),
    ("plot hi --history", "give a sentence or --history"),
    ("plot 'I am here.' 'I go.'", "expected one sentence, got 2"),
    ("plot --history", "--history: expected --run; the model that comes with the package has no history"),
    *((f"plot --history --run {name}", "history.csv: ") for name in ("begun", "without-scores", "no-history")),
    ("plot --history --run e", "no epoch has been finished yet, or this is not a run directory"),
    ("plot hi -o figure.gif", "figure.gif: a figure is written to a file that ends in .png, .svg, .pdf"),
    ("plot hi -o photo.png", "photo.png: another program's file; choose another name"),
    ("plot hi --terminal --open", "--terminal and --open cannot be combined"),
    ("serve --port 65536", "--port: expected from 0 to 65,535"),
    ("export page.html", "page.html: a page needs --page"),
    ("export --page theirs.html", "theirs.html: another program's file"),
    ("export --page --quantized out", "--page and --quantized cannot be combined"),
    ("export --beside e out", "--beside: only a page (--page) has several models"),
    *((f"export {typed}", "expected a new or an empty directory, got ") for typed in ("in.txt", "begun")),
    *((f"export {form} begun", "begun: expected a new or an empty directory") for form in ("--quantized", "--upload")),
    ("train --run r --units 0", "--units: expected from 1"),
    ("train --run r --attention none --lexical", "--lexical: it needs --attention, got --attention none"),
    ("train --run r --language english", "--language: expected a three-letter code such as 'deu'"),
    ("train --run r --corpus none.tsv", "no such file: none.tsv"),
    ("train --run r --corpus in.txt", "in.txt, line 1: expected 2 or 3 tab-separated columns"),
    ("train --run r --corpus pairs.tsv", "1 pairs are too few, or share too many sentences"),
    ("train --run r --corpus pairs.tsv --extra none.tsv", "no such file: none.tsv"),
    ("train --run r --corpus pairs.tsv --dev none.tsv", "none.tsv: no such file"),
    ("train --run in.txt", "in.txt: expected a run directory, got a file"),
    ("train --run theirs", "theirs: holds train.tsv but no run.json"),
    ("evaluate", "expected --run, whose held-out pairs are scored, --everyday, or --source and --reference"),
    ("evaluate --run e", "test.tsv: no such file of sentence pairs"),
    ("evaluate --alignments pairs.tsv", "--alignments: expected --run, whose training pairs it needs"),
    ("evaluate --everyday --source in.txt --reference in.txt", "--everyday and --source cannot be combined"),
    ("evaluate --source in.txt", "--source and --reference must be given together"),
    ("evaluate --run e --compare greedy --compare e", "expected greedy alone or run directories"),
    ("evaluate --run e --alignments pairs.tsv --errors", "--alignments and --errors cannot be combined"),
    ("evaluate --run e --alignments pairs.tsv --split dev", "--alignments and --split cannot be combined"),
    ("align none.tsv", "none.tsv: no such file"),
    ("align pairs.tsv --html theirs.html", "theirs.html: another program's file"),
    ("align pairs.tsv --run e", "train.tsv: no such file of sentence pairs"),
    ("align pairs.tsv --by attention --direction forward", "attention has one direction"),
    ("fetch --language xx", "--language: expected a three-letter code such as 'mar', got 'xx'"),
]
FILES = {
    "in.txt": "I go.\n",
    "pairs.tsv": "I go.\tमी जातो.\n",
    "photo.png": "a photograph",
    "theirs.html": "<p>mine",
    "theirs/train.tsv": "mine",
    "mine/config.json": "{}",
    "begun/history.csv": "epoch,loss\n",
    "without-scores/history.csv": "epoch,loss,dev_perplexity\n1,2.0\n",
    "no-history/history.csv": "hello\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working directory, with files of a user."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(Translator, "load", None)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "pairs.tsv"))
    return tmp_path


@pytest.mark.parametrize(("typed", "answer", "status"), [(*row, 2) for row in USAGE] + [(*row, 1) for row in REFUSED])
def test_a_wrong_call_is_answered_in_one_line(here, typed, answer, status):
    before = content(here)
    result = call(*shlex.split(typed))
    *notes, line = result.err.splitlines()
    assert (result.status, result.out) == (status, "") and line.startswith("nmt-attention") and answer in line
    assert all(note.startswith(("corpus ", "pairs.tsv: ", "using the model")) for note in notes)
    assert content(here) == before and not (here / "r").exists()
