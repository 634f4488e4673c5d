"""What a run directory may take from its user, and what is said of it."""

import contextlib
import io
import json
import os
from pathlib import Path

import pytest

from nmt_attention import commands, corpus
from nmt_attention.__main__ import main
from nmt_attention.config import make_settings
from nmt_attention.corpus import Pair, find_corpus, split_pairs, write_pairs
from nmt_attention.run import _find_run, _read_scores, run_training
from nmt_attention.run_files import check_directory

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


# --- a user's own files


@pytest.mark.parametrize("name", [*WRITTEN, "lock"])
def test_files_that_are_not_of_a_run_are_refused_before_a_corpus_is_looked_for(tmp_path, monkeypatch, name):
    forbid(monkeypatch, corpus, "find_corpus")
    forbid(monkeypatch, commands, "import_tensorflow")
    (tmp_path / name).write_text("mine")
    line = refusal("train", "--run", tmp_path)
    assert f"{tmp_path}: holds {name} but no run.json, so not of a run; use another --run" in line
    assert content(tmp_path) == {tmp_path / name: b"mine"}
    with pytest.raises(ValueError, match="not of a run"):  # as the lessons call it
        run_training(tmp_path, PAIRS, make_settings("quick", SMALL))
    assert content(tmp_path) == {tmp_path / name: b"mine"}


def test_a_link_that_leads_nowhere_is_a_users_file_too(tmp_path):
    (tmp_path / "train.tsv").symlink_to(tmp_path / "not mounted")
    (tmp_path / "lock").symlink_to(tmp_path / "not mounted either")
    with pytest.raises(ValueError, match=r"holds train\.tsv, lock but no"):
        check_directory(tmp_path)


def test_the_corpus_is_not_replaced_by_its_own_training_split(tmp_path):
    path = tmp_path / "train.tsv"
    write_pairs(path, PAIRS)
    before = content(tmp_path)
    assert f"{tmp_path}: holds train.tsv but no run.json" in refusal("train", "--run", tmp_path, "--corpus", path)
    assert content(tmp_path) == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("name", ["train.tsv", "lock", "history.csv"])
def test_a_corpus_that_is_a_file_of_the_run_is_refused_under_any_name(tmp_path, monkeypatch, link, name):
    forbid(monkeypatch, corpus, "read_pairs")
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text("{}")
    write_pairs(run / name, PAIRS)
    link(run / name, tmp_path / "pairs.tsv")
    before = content(tmp_path)
    line = refusal("train", "--run", run, "--corpus", tmp_path / "pairs.tsv")
    assert f"{tmp_path / 'pairs.tsv'}: training writes {run / name}, the same file; use another --run" in line
    assert content(tmp_path) == before


@pytest.mark.parametrize("lock", ["", "process 12 of laptop"])
def test_a_training_killed_before_its_first_file_is_started_again(tmp_path, lock):
    (tmp_path / "lock").write_text(lock)
    check_directory(tmp_path)


def test_directories_that_may_be_trained_in(tmp_path, monkeypatch):
    write_pairs(tmp_path / "pairs.tsv", PAIRS)
    check_directory(tmp_path / "new", tmp_path / "pairs.tsv")
    check_directory(tmp_path, tmp_path / "pairs.tsv")  # other files may stand there
    monkeypatch.chdir(tmp_path)
    check_directory(".")
    Path("train.tsv").write_text("mine")
    with pytest.raises(ValueError, match=r"^\.: holds train\.tsv"):
        check_directory(".")
    Path("run.json").write_text("{}")
    check_directory(".")


def test_a_file_is_no_run_directory(tmp_path):
    (tmp_path / "notes").write_text("mine")
    assert f"{tmp_path / 'notes'}: expected a run directory, got a file" in refusal(
        "train", "--run", tmp_path / "notes"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_name_is_not_the_current_directory(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--run", ""])
    assert stopped.value.code == 2
    assert "argument --run: expected a path, got an empty one" in capsys.readouterr().err


def test_a_path_in_which_checkpoints_are_lost_is_refused_first(tmp_path, monkeypatch):
    forbid(monkeypatch, corpus, "find_corpus")
    run = tmp_path / "b[1]"
    assert "b[1]: TensorFlow finds no checkpoints again" in refusal("train", "--run", run)
    with pytest.raises(ValueError, match="finds no checkpoints again"):
        run_training(run, PAIRS, make_settings("quick", SMALL))
    assert not run.exists()
    run.mkdir()
    (run / "run.json").write_text("{}")
    (run / "scores.json").write_text("{}")
    check_directory(run)  # a run that is finished needs no checkpoints


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


class Begun(Exception):
    """Training has begun."""


def begin(directory, monkeypatch, pairs, **settings):
    """Runs a training up to its first step; returns what `run.json` says."""

    def train(*_, **__):
        raise Begun

    monkeypatch.setattr("nmt_attention.run.train", train)
    for name in ("Seq2Seq", "Translator"):  # costly, and not used before
        monkeypatch.setattr(f"nmt_attention.run.{name}", lambda *_, **__: None)
    with pytest.raises(Begun):
        run_training(directory, pairs, make_settings("quick", SMALL | settings))
    return json.loads((directory / "run.json").read_text())


def test_pairs_that_are_too_long_are_counted(tmp_path, monkeypatch, capsys):
    train = split_pairs(PAIRS).train
    long = [Pair(pair.source, pair.target + " आणि मांजर") for pair in train[:3]]
    pairs = long + [pair for pair in PAIRS if pair not in train[:3]]
    about = begin(tmp_path / "run", monkeypatch, pairs, most_tokens=8)
    line = f"3 of {len(train)} training pairs are left out: a side has more than 8 tokens (most_tokens)\n"
    assert about["left_out"] == 3 and capsys.readouterr().err == line
    assert begin(tmp_path / "other", monkeypatch, pairs)["left_out"] == 0
    assert capsys.readouterr().err == ""


def test_a_limit_that_leaves_no_pair_is_named(tmp_path):
    with pytest.raises(ValueError, match="most_tokens: expected at least 8, .* got 7"):
        run_training(tmp_path, PAIRS, make_settings("quick", SMALL | {"most_tokens": 7}))
    assert not (tmp_path / "run.json").exists()


# --- damage


@pytest.mark.parametrize(
    "change",
    [{"dev": None}, {"dev": {}}, {"test": {"bleu": "1", "chrf": 2.0}}, {"parameters": "x"}, {"wall_minutes": None}],
)
def test_scores_that_are_damaged_are_named(tmp_path, change):
    scores = {"bleu": 1.0, "chrf": 2.0}
    whole = {"parameters": 10, "training_minutes": 0.5, "wall_minutes": 1, "dev": scores, "test": scores}
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(whole))
    assert _read_scores(path) == whole
    path.write_text(json.dumps(whole | change))
    with pytest.raises(ValueError, match=r"scores\.json: damaged; delete it"):
        _read_scores(path)


@pytest.mark.parametrize("precision", [["a"], "half", "auto", None])
def test_a_precision_there_is_not_is_damage_of_the_account(tmp_path, precision):
    about = {"settings": make_settings("quick", {}), "corpus_sha256": "abc", "precision": "float32"}
    (tmp_path / "run.json").write_text(json.dumps(about | {"precision": precision}))
    with pytest.raises(ValueError, match=r"run\.json: damaged or not of a run; use another --run"):
        _find_run(tmp_path, about)
