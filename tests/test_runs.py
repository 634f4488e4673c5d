"""What a run directory may take from its user, and what is said of it."""

import contextlib
import io

import pytest

from nmt_attention.__main__ import main
from nmt_attention.config import make_settings
from nmt_attention.corpus import Pair, find_corpus, write_pairs
from nmt_attention.run import run_training

COMMANDS = ["train", "translate", "evaluate", "plot", "export", "serve", "benchmark"]
PAIRS = [Pair(f"Tom {i} sees {i % 7} dogs .", f"टॉम {i} ला {i % 7} कुत्रे {i} दिसतात .") for i in range(200)]
SMALL = {"tokenizer": "word", "units": 4, "embedding_units": 4, "epochs": 1, "name_swaps": 0.0}
WRITTEN = ["train.tsv", "dev.tsv", "test.tsv", "config.json", "source.json", "target.json", "weights.npz"]
WRITTEN += ["history.csv", "scores.json", "checkpoints", "logs"]


def call(*arguments):
    """Runs the command line; returns its status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return status, out.getvalue(), err.getvalue()


def refusal(*arguments):
    """Returns the only line that a command which fails prints."""
    status, out, err = call(*arguments)
    assert (status, out, err.count("\n")) == (1, "", 1), err
    return err


def content(directory):
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def forbid(monkeypatch, owner, name):
    """Makes it an error that `main` does not catch to call a function."""

    def called(*_, **__):
        raise AssertionError(f"{name} was called")

    monkeypatch.setattr(owner, name, called)


# --- the corpus and what is left out of it


def test_another_language_beside_a_named_corpus_is_refused(tmp_path, monkeypatch):
    write_pairs(tmp_path / "mar.tsv", PAIRS)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "mar.tsv"))
    line = refusal("train", "--run", tmp_path / "run", "--language", "deu")
    assert f"language: NMT_ATTENTION_CORPUS names the corpus, {tmp_path / 'mar.tsv'}; unset it to train on deu" in line
    assert find_corpus(tmp_path / "mar.tsv", "deu") == find_corpus() == tmp_path / "mar.tsv"


def test_pairs_that_form_one_group_are_said_to(tmp_path):
    pairs = [Pair("Go.", f"जा {i}") for i in range(2000)]
    with pytest.raises(ValueError, match=r"2,000 pairs share so many .* too few groups \(1\); none falls to the dev"):
        run_training(tmp_path / "run", pairs, make_settings("quick", SMALL))
    with pytest.raises(ValueError, match="2 pairs are too few; none falls to the"):
        run_training(tmp_path / "run", pairs[:2], make_settings("quick", {**SMALL, "split": "pair"}))
    assert not (tmp_path / "run").exists()
