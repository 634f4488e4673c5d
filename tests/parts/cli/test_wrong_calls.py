"""Wrong calls and their answers: one line that says what to type; no model is loaded and no file is touched."""

import shlex

import pytest
from command_line import call, content

from nmt_attention.cli.options import COMMANDS
from nmt_attention.translate import Translator

WITH_RUN = [name for name, command in COMMANDS.items() if any(option.names == "--run" for option in command.options)]
USAGE = [  # status 2
    ("transalte", "no command 'transalte' (did you mean translate?); see nmt-attention --help"),
    ("helpp", "no command 'helpp' (did you mean help?)"),
    ("TRANSLATE hi", "no command 'TRANSLATE' (did you mean translate?)"),
    ("where is it --json", 'to translate a sentence: nmt-attention translate "where is it"; see'),
    ("'Where is it?'", 'nmt-attention translate "Where is it?"; see nmt-attention --help'),
    ("Help me please", 'nmt-attention translate "Help me please"; see'),
    ("help me please", 'nmt-attention translate "help me please"; see'),
    ("--run r plot 'I go.'", "options stand after the command: nmt-attention plot --run r 'I go.'; see"),
    ("--versoin", "did you mean --version?"),
    ("translate --beem 3 hi", "--beem (did you mean --beam-size?); see nmt-attention translate --help"),
    ("translate --bean-size=3 hi", "(did you mean --beam-size?)"),
    ("translate --temprature 2 hi", "(did you mean --temperature?)"),  # one that --help leaves out
    ("plot --device cup hi", "did you mean cpu?"),
    ("train --run r --attention multihead", "did you mean multi-head?"),
    ("evaluate --split train", "invalid choice: 'train' (choose from"),
    ("train", "--run; example: nmt-attention train --run runs/mine --preset quick; see nmt-attention train --help"),
    ("train runs/x", "required: --run (did you mean --run runs/x?); see"),
    ("evaluate runs/x", "unrecognized arguments: runs/x (did you mean --run runs/x?); see"),
    ("fetch mar", "unrecognized arguments: mar; example: nmt-attention fetch --language mar; see"),
    ("export", "required: OUT; example: nmt-attention export --page page.html; see"),
    ("serve --port", "argument --port: expected a value; see"),
    ("translate --json=yes hi", "argument --json: it takes no value, got 'yes'; see"),
    ("serve --port abc", "argument --port: expected a number, got 'abc'; see"),
    ("translate --beam-size 1.5 hi", "argument --beam-size: expected a number, got '1.5'; see"),
    *((f"{name} --run ''", "argument --run: expected a path, got an empty one") for name in WITH_RUN),
    ("train --run r --corpus ''", "argument --corpus: expected a path, got an empty one"),
    ("train --run r --corpus a --corpus b", "argument --corpus: expected one, got a and b"),
    ("plot --run a --run b hi", "argument --run: expected one, got a and b"),
]
SEARCHES = [
    ("--beam-size 0", "--beam-size: expected from 1 to below 10,000, got 0"),
    ("--samples 2 --beam-size 2", "--samples: use either --samples or --beam-size above 1"),
    ("--top-p 0.5", "--top-p: no effect unless --samples is above 0"),
    ("--top-p 2 --samples 2", "--top-p: expected from 1e-09 to 1, got 2"),
    ("--length-penalty 0.5 --beam-size 1", "--length-penalty: no effect unless --beam-size is above 1"),
    ("--minimum-bayes-risk --beam-size 1", "--minimum-bayes-risk: no effect unless --beam-size or --samples is above"),
]
REFUSED = [  # status 1
    *(
        (f"{command} {typed}", answer)
        for command in ("translate hi", "evaluate --run empty")
        for typed, answer in SEARCHES
    ),
    ("translate --run none hi", "--run none: no such directory; `nmt-attention train` makes one"),
    ("evaluate --everyday --compare none", "--compare none: no such directory"),
    ("translate --file none.txt", "none.txt: No such file or directory in "),
    ("translate --file empty", "empty: Is a directory"),
    ("translate --file in.txt hi", "give sentences or --file, not both"),
    ("translate in.txt", "in.txt is the name of a file; to translate its lines: translate --file in.txt"),
    ("translate none.txt", "none.txt is the name of a file; to translate its lines: translate --file none.txt"),
    ("translate bundle", "bundle is a run directory; write --run bundle"),
    ("plot", "give a sentence or --history"),
    ("plot hi --history", "give a sentence or --history"),
    ("plot 'I am here.' 'I go.'", "expected one sentence, got 2"),
    ("plot --history", "--history: expected --run; the model that comes with the package has no history"),
    ("plot --history --run none", "--run none: no such directory"),
    ("plot --history --run empty", "empty: not a run directory"),
    ("plot --history --run in.txt", "in.txt: not a run directory"),
    *((f"plot --history --run {name}", "history.csv: ") for name in ("begun", "without-scores", "no-history")),
    ("plot hi -o figure.gif", "figure.gif: a figure is written to a file that ends in .png, .svg, .pdf"),
    ("plot hi -o photo.png", "photo.png: another program's file; choose another name"),
    ("plot hi --terminal --open", "--terminal: no effect with --history, --output or --open"),
    ("serve --port 65536", "--port: expected from 0 to 65,535"),
    ("serve --port -1", "--port: expected from 0 to 65,535"),
    ("export page.html", "page.html: a page needs --page"),
    ("export --page in.txt", "in.txt: a web page is written to a file that ends in .html"),
    ("export --page theirs.html", "theirs.html: another program's file"),
    ("export --page --quantized out", "choose one of --quantized, --page and --upload"),
    ("export --beside empty out", "--beside: only a page (--page) has several models"),
    *(
        (f"export {form} begun", "begun: expected a new or an empty directory")
        for form in ("", "--quantized", "--upload")
    ),
    ("train --run r --units 0", "--units: expected from 1"),
    ("train --run r --learning-rate nan", "--learning-rate: expected from"),
    ("train --run r --attention none --lexical", "--lexical: it needs --attention, got --attention none"),
    ("train --run r --attention uniform --guidance 5", "--guidance: no effect if --attention is uniform"),
    ("train --run r --tokenizer word --sampling-alpha 0.5", "--sampling-alpha: no effect if --tokenizer is word"),
    ("train --run r --language english", "--language: expected a three-letter code such as 'deu'"),
    ("train --run r --corpus none.tsv", "no such file: none.tsv"),
    ("train --run r --corpus in.txt", "in.txt, line 1: expected 2 or 3 tab-separated columns"),
    ("train --run r --corpus pairs.tsv", "1 pairs, in 1 groups that share no sentence, are too few"),
    ("train --run r --corpus pairs.tsv --extra none.tsv", "no such file: none.tsv"),
    ("train --run r --corpus pairs.tsv --dev none.tsv", "--dev: no such file: none.tsv"),
    ("train --run in.txt", "in.txt: expected a run directory, got a file"),
    ("train --run theirs", "theirs: holds train.tsv but no run.json"),
    ("train --run notes", "notes: holds sentences.json but no run.json"),
    ("evaluate", "expected --run, whose held-out pairs are scored, --everyday, or --source and --reference"),
    ("evaluate --split dev", "expected --run, whose held-out pairs are scored"),
    ("evaluate --run empty", "empty: not a run directory, which has a test.tsv"),
    ("evaluate --alignments pairs.tsv", "--alignments: expected --run, whose training pairs it needs"),
    ("evaluate --everyday --errors", "--errors: expected --run, whose training pairs it needs"),
    ("evaluate --everyday --source in.txt --reference in.txt", "--everyday and --source cannot be combined"),
    ("evaluate --source in.txt", "--source and --reference must be given together"),
    ("evaluate --run empty --reference in.txt", "--source and --reference must be given together"),
    ("evaluate --source none.txt --reference in.txt", "none.txt: No such file or directory"),
    ("evaluate --run empty --compare greedy --compare empty", "expected greedy alone or run directories"),
    ("evaluate --run empty --compare ./greedy", "--compare greedy: no such directory"),
    *(
        (
            f"evaluate --run empty --alignments pairs.tsv {more}",
            f"--alignments and {more.split()[0]} cannot be combined",
        )
        for more in ("--errors", "--breakdown", "--everyday", "--compare empty", "--split dev", "--beam-size 5")
    ),
    ("align none.tsv", "none.tsv: no such file"),
    ("align pairs.tsv --html pairs.tsv", "pairs.tsv: a web page is written to a file that ends in .html"),
    ("align pairs.tsv --html theirs.html", "theirs.html: another program's file"),
    ("align pairs.tsv --run empty", "empty: not a run directory, which has a train.tsv"),
    ("align pairs.tsv --by attention --direction forward", "attention has one direction"),
    ("fetch --language xx", "--language: expected a three-letter code such as 'mar', got 'xx'"),
]
FILES = {
    "in.txt": "I go.\n",
    "pairs.tsv": "I go.\tमी जातो.\n",
    "photo.png": "a photograph",
    "theirs.html": "<p>mine",
    "theirs/train.tsv": "mine",
    "notes/sentences.json": "[]",
    "bundle/config.json": "{}",
    "begun/history.csv": "epoch,loss\n",
    "without-scores/history.csv": "epoch,loss,dev_perplexity\n1,2.0\n",
    "no-history/history.csv": "hello\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working directory, with files of a user."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
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
    assert all(note.startswith(("corpus ", "using the model")) for note in notes)
    assert content(here) == before and not (here / "r").exists()


def test_a_run_that_is_not_there_is_answered_with_those_that_are(here):
    (here / "runs" / "mine").mkdir(parents=True)
    (here / "runs" / "mine" / "config.json").write_text("{}")
    assert "--run none: no such directory; runs here: runs" in call("plot", "--run", "none", "I go.").err


def test_a_corpus_that_the_environment_names_is_the_one_to_train_on(here, monkeypatch):
    for name, language, answer in (
        ("pairs.tsv", "deu", "names the corpus, pairs.tsv; unset it to train on deu"),
        ("none.zip", "mar", ": no such file: none.zip"),
    ):
        monkeypatch.setenv("NMT_ATTENTION_CORPUS", name)
        line = call("train", "--run", "r", "--language", language).err
        assert "NMT_ATTENTION_CORPUS" in line and answer in line
