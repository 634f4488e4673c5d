"""The commands fetch, train and plot, and what all commands have in common: help, options, errors in one line."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import call, content, output, refusal, write_lines

import nmt_attention
from nmt_attention.cli.main import main, make_parser
from nmt_attention.cli.options import COMMANDS
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.translate import Translator

ROOT = Path(nmt_attention.__file__).parent.parent  # other processes find the package from there
NAMES = list(COMMANDS)
SENTENCE = "Rahul goes to school."


def test_help_starts_with_an_example_of_each_command_without_tensorflow():
    program = f"""
import sys
from nmt_attention.cli.main import main
for command in {[[], *([name] for name in NAMES)]}:
    try:
        main([*command, "--help"])
    except SystemExit as stopped:
        assert stopped.code == 0, command
    assert "tensorflow" not in sys.modules and "keras" not in sys.modules, command
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    assert all(f"usage: nmt-attention {name} " in text for name in NAMES)
    assert not any(f"(default: {nothing})" in text for nothing in ("None", "[]", ""))


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["helpp"], "no command 'helpp' (did you mean help?); see"),
        (["translate", "--beem", "3", "hi"], "unrecognized arguments: --beem (did you mean --beam-size?); see"),
        (["transalte"], "no command 'transalte' (did you mean translate?); see"),
        (["plot", "--device", "cup", "I go."], "did you mean cpu?"),
        (["train", "--run", "r", "--attention", "multihead"], "did you mean multi-head?"),
        (["where", "is", "it", "--json"], 'to translate a sentence: nmt-attention translate "where is it"; see'),
        (["Where is it?"], 'nmt-attention translate "Where is it?"; see nmt-attention --help'),
        (["help", "me", "please"], 'nmt-attention translate "help me please"; see'),
        (["--run", "r", "plot", "I go."], "options stand after the command: nmt-attention plot --run r 'I go.'; see"),
        (
            ["train"],
            "--run; example: nmt-attention train --run runs/mine --preset quick; see nmt-attention train --help",
        ),
        (
            ["translate", "--bean-size", "3", "I go."],
            "--bean-size (did you mean --beam-size?); see nmt-attention translate",
        ),
        (["train", "runs/x"], "required: --run (did you mean --run runs/x?); see"),
        (["evaluate", "runs/x"], "unrecognized arguments: runs/x (did you mean --run runs/x?); see"),
        (["fetch", "mar"], "unrecognized arguments: mar; example: nmt-attention fetch --language mar; see"),
        (["serve", "--port", "abc"], "argument --port: expected a number, got 'abc'; see"),
        *(([name, "--run", ""], "argument --run: expected a path, got an empty one") for name in NAMES[:-1]),
        (["train", "--run", "r", "--corpus", ""], "argument --corpus: expected a path, got an empty one"),
        *(
            ([name, "--run", "one", "--run", "two"], "argument --run: expected one, got one and two")
            for name in ("train", "plot", "export", "serve")
        ),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(arguments, what, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    said = capsys.readouterr().err
    assert stopped.value.code == 2 and what in said and said.count("\n") == 1


@pytest.mark.parametrize("command", [[], ["train"]])
def test_the_word_help_shows_help(command, capsys):
    shown = []
    for words in (["help", *command], [*command, "--help"]):
        with pytest.raises(SystemExit):
            main(words)
        shown.append(capsys.readouterr())
    assert shown[0] == shown[1] and shown[0].out.startswith("usage: ")


def test_without_a_command_the_first_steps_are_shown_and_can_be_taken():
    lines = output()
    examples = [shlex.split(line.split("   ")[0]) for line in lines if line.startswith("  nmt-attention ")]
    assert len(lines) <= 15 and [example[1] for example in examples] == ["translate", "plot", "serve", "train"]
    for example in examples:
        make_parser().parse_args(example[1:])


def test_a_file_that_is_not_there_is_named_before_a_model_is_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(Translator, "load", None)
    monkeypatch.chdir(tmp_path)
    assert refusal("translate", "--file", "none.txt").endswith(f": none.txt: No such file or directory in {tmp_path}")
    evaluated = refusal("evaluate", "--source", tmp_path / "none.txt", "--reference", "b.txt")
    assert evaluated.endswith(f"{tmp_path / 'none.txt'}: No such file or directory")


def test_a_run_that_is_not_there_is_answered_with_those_that_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "`nmt-attention train` makes one" in refusal("translate", "--run", "none", "I go.")
    (tmp_path / "runs" / "mine").mkdir(parents=True)
    (tmp_path / "runs" / "mine" / "config.json").write_text("{}")
    line = refusal("evaluate", "--everyday", "--compare", "none")
    assert f"--compare none: no such directory; runs here: {Path('runs', 'mine')}" in line
    assert ".: not a run directory, which has a test.tsv" in refusal("evaluate", "--run", ".")


def test_a_page_is_not_written_as_a_directory(tmp_path):
    assert "page.html: a page needs --page" in refusal("export", tmp_path / "page.html")


def test_a_page_never_takes_the_place_of_a_text(tmp_path):
    text = write_lines(tmp_path / "in.txt", ["Where is my book?"])
    before = text.read_bytes()
    assert "a web page is written to a file that ends in .html" in refusal("export", "--page", text)
    assert text.read_bytes() == before


def test_fetch_prints_what_it_got(tmp_path, monkeypatch):
    path = write_lines(tmp_path / "fra-eng.tsv", ["Go.\tVa !", "No.\tNon."])
    monkeypatch.setattr("nmt_attention.disk.fetch.download_anki", {"fra": path}.__getitem__)
    assert output("fetch", "--language", "fra") == [f"{path}: 2 pairs"]


def test_fetch_of_a_bad_language_is_an_error():
    assert "--language: expected a three-letter code such as 'mar', got 'xx'" in refusal("fetch", "--language", "xx")


# --- train


def test_training_prints_what_it_read_and_its_scores(trained):
    assert f"corpus {trained.corpus}: {len(read_pairs(trained.corpus))} pairs" in trained.result.err.splitlines()
    assert "epoch 1/1" in trained.result.err
    first, dev, test = trained.result.out.splitlines()
    assert first.startswith(f"{trained.run}: ") and " parameters, " in first
    assert [line.split()[:2] for line in (dev, test)] == [["dev", "BLEU"], ["test", "BLEU"]]
    for line in trained.result.err.splitlines()[-2:]:
        command = shlex.split(line.removeprefix("next:"))
        assert command[0] == "nmt-attention" and make_parser().parse_args(command[1:]).run


def test_extra_pairs_are_read_from_files(tmp_path, monkeypatch):
    files = [write_lines(tmp_path / f"{name}.tsv", [f"{name}\t{name}"]) for name in ("one", "two")]
    scores = dict.fromkeys(("bleu", "chrf"), 0.0)
    result = {"parameters": 1, "training_minutes": 0.0, "wall_minutes": 0.0, "dev": scores, "test": scores}
    trained = []
    monkeypatch.setattr("nmt_attention.runs.run.run_training", lambda *given: trained.append(given) or result)
    options = ["train", "--run", tmp_path / "run", "--corpus", "phrasebook"]
    assert call(*options, "--extra", files[0], "--extra", files[1]).status == 0
    (given,) = trained
    assert {str(path): read_pairs(path) for path in files} in given
    assert "no such file" in refusal(*options, "--extra", tmp_path / "none.tsv")


@pytest.mark.parametrize(
    ("lines", "options", "what"),
    [
        (["I go.\tमी जातो.", "no tab"], [], "corpus.tsv, line 2"),
        (["I go.\tमी जातो."], [], "1 pairs are too few"),
        (None, [], "corpus.tsv"),
        (None, ["--units", "0"], "--units: expected"),  # before anything is read
        (None, ["--dropout", "1.5"], "--dropout: expected"),
        (None, ["--epochs", "-1"], "--epochs: expected"),
        (None, ["--learning-rate", "nan"], "--learning-rate: expected"),
        (None, ["--attention", "none", "--lexical"], "--lexical: it needs --attention, got --attention none"),
    ],
)
def test_a_training_that_cannot_begin_says_why_and_writes_nothing(tmp_path, lines, options, what):
    path = tmp_path / "corpus.tsv"
    if lines:
        write_lines(path, lines)
    assert what in refusal("train", "--run", tmp_path / "run", "--corpus", path, *options)
    assert not (tmp_path / "run").exists()


def test_a_corpus_that_the_environment_names_is_the_one_to_train_on(tmp_path, monkeypatch):
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "elsewhere.zip"))
    line = refusal("train", "--run", tmp_path / "run")
    assert "NMT_ATTENTION_CORPUS" in line and "elsewhere.zip" in line
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(write_lines(tmp_path / "mar.tsv", ["Go.\tजा."])))
    line = refusal("train", "--run", tmp_path / "run", "--language", "deu")
    assert f"NMT_ATTENTION_CORPUS names the corpus, {tmp_path / 'mar.tsv'}; unset it to train on deu" in line


def test_files_of_a_user_are_not_overwritten_and_no_corpus_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.setattr("nmt_attention.disk.fetch.find_corpus", None)
    (tmp_path / "train.tsv").write_text("mine")
    assert f"{tmp_path}: holds train.tsv but no run.json" in refusal("train", "--run", tmp_path)
    assert content(tmp_path) == {tmp_path / "train.tsv": b"mine"}


def test_another_corpus_is_refused_on_the_same_directory(trained, tmp_path):
    before = content(trained.run)
    lines = trained.corpus.read_text(encoding="utf-8").splitlines()
    line = trained.train(trained.run, corpus=write_lines(tmp_path / "other.tsv", lines[:-1])).err.splitlines()[-1]
    assert str(trained.run) in line and "corpus is " in line
    assert content(trained.run) == before


@pytest.mark.parametrize("name", ["scores.json", "run.json"])
@pytest.mark.parametrize("text", ['{"settings": ', "{}", "[]", '{"parameters": "x", "dev": {}, "test": null}'])
def test_a_damaged_account_of_a_run_is_named(copy, trained, name, text):
    (copy / name).write_text(text)
    assert f"{copy / name}: damaged" in trained.train(copy).err.splitlines()[-1]


def test_ctrl_c_ends_with_status_130(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("nmt_attention.disk.fetch.find_corpus", interrupt)
    result = call("train", "--run", tmp_path / "run")
    assert result.status == 130 and result.out == ""
    assert result.err.startswith("\nnmt-attention: stopped") and result.err.count("\n") == 2


@pytest.mark.parametrize("arguments", [["translate", "I go."], ["evaluate"], ["plot", "I go."], ["plot", "--history"]])
def test_a_missing_run_directory_is_named(tmp_path, arguments):
    assert str(tmp_path / "none") in refusal(arguments[0], "--run", tmp_path / "none", *arguments[1:])
    assert not (tmp_path / "none").exists()


# --- plot

BEGINNINGS = {".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_heatmap_and_history_are_drawn(run, tmp_path, suffix):
    heatmap, history = tmp_path / "figures" / f"heatmap{suffix}", tmp_path / f"history{suffix}"
    result = call("plot", "--run", run, *SENTENCE.split(), "--show-end", "--output", heatmap)
    assert [line[:12] for line in result.err.splitlines()] == ["Read as one ", "made the dir"]
    text, path = result.out.splitlines()
    assert [text] == output("translate", "--run", run, SENTENCE) and path == str(heatmap)
    assert output("plot", "--run", run, "--history", "-o", history) == [str(history)]
    assert all(path.read_bytes().startswith(BEGINNINGS[suffix]) for path in (heatmap, history))


def test_a_figure_without_a_name_goes_to_the_run_directory(copy):
    assert output("plot", "--run", copy, "--history") == [str(copy / "history.png")]
    assert (copy / "history.png").read_bytes().startswith(BEGINNINGS[".png"])


def test_a_heatmap_has_words_with_latin_letters_and_english_or_the_tokens_of_the_model(monkeypatch, tmp_path):
    drawn, ready = [], Translator.load()
    monkeypatch.setattr(Translator, "load", lambda *_: ready)
    monkeypatch.setattr("nmt_attention.figures.heatmap.save_figure", lambda figure, path: drawn.append(figure))
    for options in ([], ["--pieces"]):
        assert call("plot", "Where is my book?", *options, "-o", tmp_path / "figure.png").status == 0
    words, pieces = ([label.get_text() for label in figure.axes[0].get_yticklabels()] for figure in drawn)
    assert "पुस्तक pustak (book)" in words and "▁पुस्तक pustak" in pieces


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--history", "-o", "figure.gif"], "figure.gif"),
        ([SENTENCE, "--show-end", "-o", "figure.gif"], ".png, .svg, .pdf"),
        (["", "-o", "figure.png"], "nothing to draw"),
        ([], "give a sentence or --history"),
        (["I am here.", "I go."], "plot: expected one sentence, got 2"),
        ([SENTENCE, "--beam-size", "0"], "--beam-size: expected from 1"),
        ([SENTENCE, "--history"], "give a sentence or --history"),
    ],
)
def test_what_cannot_be_drawn_is_refused(run, tmp_path, monkeypatch, arguments, what):
    monkeypatch.chdir(tmp_path)
    assert what in refusal("plot", "--run", run, *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["epoch,loss\n", "epoch,loss\n1,2.0\n", "epoch,loss,dev_perplexity\n1,2.0\n", "hello\n"]
)
def test_a_damaged_history_is_not_drawn(tmp_path, text):
    (tmp_path / "history.csv").write_text(text)
    assert "history" in refusal("plot", "--run", tmp_path, "--history")


@pytest.mark.parametrize("run", ["none", "empty", "file"])
def test_the_history_of_what_is_no_run_is_not_asked_for(tmp_path, run):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    reason = "no such directory; " if run == "none" else "not a run directory"
    assert f"{tmp_path / run}: {reason}" in refusal("plot", "--run", tmp_path / run, "--history")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGPIPE")
def test_a_reader_that_has_seen_enough_ends_it_in_silence(trained, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    command = ["plot", "--run", trained.run, "--history", "-o", tmp_path / "history.png"]
    done = subprocess.run(
        [sys.executable, "-m", "nmt_attention", *command], stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")  # 128 + SIGPIPE, as of `yes | head`


def test_a_typing_error_is_named_beside_its_translation_and_a_right_sentence_is_not(monkeypatch, tmp_path):
    ready = Translator.load()
    monkeypatch.setattr(Translator, "load", lambda *_: ready)
    texts = "she is my freind", "i met sachin yesterday, dont worry", "Das ist ein guter Mann."
    wrong, right, german = (call("translate", text).err for text in texts)
    assert '"freind" is in no sentence that the model learned from; did you mean "friend"?' in wrong
    assert call("plot", "she is my freind", "-o", tmp_path / "heatmap.png").err == wrong
    assert "no sentence" not in right + german  # which is left as it is, and named
    assert 'unsure of "dog." (probability 0.' in call("translate", "dog.", "Sorry.").err
    file = write_lines(tmp_path / "in.txt", ["she is here.", *texts, "", "my dgo", "she zzrk", "foxglvoe", "Sorry."])
    first, second, third, more = call("translate", "--file", file).err.splitlines()[-4:]
    assert first == f"line 2: {wrong.strip()}" and more == "and 1 more such doubts"
    assert (second[:7], third[:7]) == ("line 6:", "line 7:")
    assert "has no word that the model learned" in call("plot", "Das ist ein guter Mann.").err
