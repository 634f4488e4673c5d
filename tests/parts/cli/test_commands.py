"""The commands fetch, train and plot, and what all commands have in common: help, options, errors in one line."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from command_line import call, output, write_lines

import nmt_attention
from nmt_attention import Translation, Translator, read_pairs
from nmt_attention.cli.main import make_parser
from nmt_attention.cli.options import COMMANDS, path
from nmt_attention.cli.plot import heatmap_lines
from nmt_attention.figures.labels import Labels
from nmt_attention.runs.machine import TrainingInterrupted

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
    assert output() == call("--help").out.splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_help_shows_the_usual_options_and_help_all_every_one(name):
    usual, whole = call(name, "--help").out, call(name, "--help-all").out
    rare = [option.names for option in COMMANDS[name][2] if option.rare]
    assert all(row.names.split()[0] in whole for row in COMMANDS[name][2] if "-" in row.names)
    assert not any(f"  {one}" in usual for one in rare)
    assert bool(rare) == (whole != usual) == (f"show {len(rare)} rarer options too" in " ".join(usual.split()))
    assert call("help", name).out == usual


def test_a_tilde_that_the_shell_left_is_the_home_directory(monkeypatch, tmp_path):
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert path("~/runs/mine") == tmp_path / "runs" / "mine" and str(path("a~b")) == "a~b"


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


@pytest.mark.parametrize(
    ("stop", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "\nnmt-attention: stopped; run the same command to resume"),
        (TrainingInterrupted("stopped, and saved", signal.SIGTERM), 143, "nmt-attention: stopped, and saved; run the"),
    ],
)
def test_a_stop_has_a_status_and_a_line_that_says_how_to_resume(tmp_path, monkeypatch, stop, status, said):
    monkeypatch.setattr("nmt_attention.cli.train.find_corpus", Mock(side_effect=stop))
    result = call("train", "--run", tmp_path / "run")
    assert (result.status, result.out) == (status, "") and result.err.startswith(said)


# --- plot

PNG = b"\x89PNG\r\n"


def test_heatmap_and_history_are_drawn(run, tmp_path):
    heatmap, history = tmp_path / "figures" / "heatmap.png", tmp_path / "history.png"
    result = call("plot", "--run", run, *SENTENCE.split(), "--show-end", "--output", heatmap)
    assert [line[:12] for line in result.err.splitlines()] == ["Read as one ", "made the dir"]
    text, path = result.out.splitlines()
    assert [text] == output("translate", "--run", run, SENTENCE) and path == str(heatmap)
    assert output("plot", "--run", run, "--history", "-o", history) == [str(history)]
    assert all(path.read_bytes().startswith(PNG) for path in (heatmap, history))


def test_a_heatmap_has_words_with_letters_and_english_or_the_tokens_of_the_model(pretrained, monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setattr(Translator, "load", lambda *_, **more: pretrained)
    monkeypatch.setattr("nmt_attention.figures.heatmap.save_figure", lambda figure, path: drawn.append(figure))
    for options in ([], ["--pieces"]):
        assert call("plot", "Where is my book?", *options, "-o", tmp_path / "figure.png").status == 0
    words, pieces = ([label.get_text() for label in figure.axes[0].get_yticklabels()] for figure in drawn)
    assert "पुस्तक pustak (book)" in words and "▁पुस्तक pustak" in pieces


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


def test_a_typing_error_is_named_beside_its_translation_and_a_right_sentence_is_not(pretrained, monkeypatch, tmp_path):
    monkeypatch.setattr(Translator, "load", lambda *_, **more: pretrained)
    texts = "she is my frined", "i met sachin yesterday, dont worry", "Das ist ein guter Mann."
    wrong, right, german = (call("translate", text).err for text in texts)
    assert '"frined" is in no sentence that the model learned from; did you mean "friend"?' in wrong
    assert call("plot", "she is my frined", "-o", tmp_path / "heatmap.png").err == wrong
    assert "no sentence" not in right + german and german.startswith("left as it is")
    lines = write_lines(tmp_path / "in.txt", ["she is here.", *texts, "", "my dgo", "she zzrk"])
    *shown, more = call("translate", "--file", lines).err.splitlines()[-4:]
    assert {f"line 2: {wrong.splitlines()[0]}", f"line 4: {german.splitlines()[0]}"} <= {*shown}
    assert more.startswith("and ") and "--doubts FILE" in more
    assert "has no word that the model learned" in call("plot", texts[2]).err


def test_a_heatmap_in_a_terminal_has_a_row_of_percentages_for_each_word(run):
    header, *rows, blank, text = output("plot", "--run", run, "--terminal", "--show-end", SENTENCE)
    assert header.lower().split() == ["rahul", "goes", "to", "school", "."] and not blank
    assert rows[-1].endswith("  <end>")
    assert [text] == output("translate", "--run", run, SENTENCE)
    for row in rows:
        cells = row[: len(header)].split()
        assert all(0 <= int(cell) <= 100 for cell in cells) and abs(sum(map(int, cells)) - 100) <= 4


@pytest.mark.parametrize("no_color", ["", "1"])
def test_its_cells_are_coloured_unless_the_user_wants_no_colour(monkeypatch, no_color):
    monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setenv("NO_COLOR", no_color)
    translation = Translation("go", "जा", ["go", "\x1b[2J"], ["जा"], np.array([[1.0, 0.0]]), 0.0)
    header, row = heatmap_lines(translation, Labels())
    assert "\x1b" not in header and row.endswith("  जा")
    assert ("\x1b[48;5;20;38;5;231m100 \x1b[0m" in row) == (not no_color) and "100" in row


def test_a_figure_without_a_name_goes_to_the_run_directory_and_can_be_opened(copy, monkeypatch):
    opened, figure = [], copy / "history.png"
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or len(opened) == 1)
    for said in ("", f"--open: this machine has no program that shows {figure}\n"):
        assert call("plot", "--run", copy, "--history", "--open") == (0, f"{figure}\n", said)
    assert opened == [figure.resolve().as_uri()] * 2 and figure.read_bytes().startswith(PNG)


def test_a_folder_to_upload_has_the_model_its_card_and_whose_sentences_it_learned_and_no_corpus(copy, tmp_path):
    pairs = read_pairs(copy / "train.tsv")
    credit = "CC-BY 2.0 (France) Attribution: tatoeba.org #1 (CM) & #2 (sabretou)"
    write_lines(copy / "train.tsv", [f"{source}\t{target}\t{credit}" for source, target, _ in pairs])
    assert output("export", "--run", copy, "--upload", tmp_path / "up") == [str(tmp_path / "up")]
    assert {"README.md", "NOTICE", "config.json", "weights.npz"} <= {path.name for path in (tmp_path / "up").iterdir()}
    assert not [path for path in (tmp_path / "up").rglob("*") if path.suffix == ".tsv" or path.name == "checkpoints"]
    assert "CM, sabretou" in (tmp_path / "up" / "NOTICE").read_text(encoding="utf-8")
    card = (tmp_path / "up" / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlicense: cc-by-2.0\n") and f"on {len(pairs):,} sentence pairs" in card
    assert output("translate", "--run", tmp_path / "up", SENTENCE) == output("translate", "--run", copy, SENTENCE)
    (copy / "train.tsv").unlink()
    output("export", "--run", copy, "--upload", tmp_path / "unknown")
    assert "license: other" in (tmp_path / "unknown" / "README.md").read_text(encoding="utf-8")


def test_completion_asks_for_the_package_that_writes_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    result = call("--print-completion", "bash")
    assert result.status == 2 and "this needs shtab: pip install shtab" in result.err
    made = SimpleNamespace(complete=lambda parser, shell: f"{shell}: {parser.prog}")
    monkeypatch.setitem(sys.modules, "shtab", made)
    assert call("--print-completion", "zsh").out == "zsh: nmt-attention\n"
