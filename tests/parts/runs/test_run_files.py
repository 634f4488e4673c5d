"""The files of a run: what is not overwritten, one process at a time, the history, and what was trained on."""

import json
import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from unittest.mock import Mock

import portalocker
import pytest
from command_line import content

from nmt_attention import Pair, Split, read_history, run_training
from nmt_attention.disk.pairs import write_pairs
from nmt_attention.runs.run_files import check_directory, check_path, differences, doubts, exclusive_lock, write_history
from nmt_attention.runs.splits import corpus_hash, hash_split, seen_in_training

TRAIN = [Pair("Tom can swim.", "टॉम पोहू शकतो."), Pair("Don't go!", "जाऊ नको!")]
UNSEEN = [Pair("Where is it?", "ते कुठे आहे?"), Pair("She sings.", "ती गाते.")]


@pytest.mark.parametrize("name", ["checkpoints", "train.tsv", "weights.npz"])
def test_a_file_that_is_not_of_a_run_is_refused_and_kept(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(ValueError, match=rf"holds {name} but no run\.json, so not of a run; use another --run"):
        run_training(tmp_path, None, {})
    assert content(tmp_path) == {tmp_path / name: b"mine"}


def test_a_corpus_that_is_a_file_of_the_run_is_refused_under_any_name(tmp_path):
    run, corpus, name = tmp_path / "run", tmp_path / "pairs.tsv", "train.tsv"
    run.mkdir()
    (run / "run.json").write_text("{}")
    write_pairs(run / name, TRAIN)
    os.link(run / name, corpus)
    with pytest.raises(ValueError, match=f"{corpus}: training writes {run / name}, the same file; use another --run"):
        check_directory(run, Path(__file__), corpus)


def test_directories_that_may_be_trained_in(tmp_path):
    write_pairs(tmp_path / "pairs.tsv", TRAIN)
    (tmp_path / "lock").touch()  # of a training killed before its first file
    for run in (tmp_path / "new", tmp_path):  # other files may stand there
        check_directory(run, tmp_path / "pairs.tsv")
    (tmp_path / "train.tsv").symlink_to("not mounted")
    with pytest.raises(ValueError, match=r": holds train\.tsv"):
        check_directory(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    check_directory(tmp_path)


def test_a_path_in_which_tensorflow_loses_checkpoints_is_refused_unless_training_has_ended(tmp_path):
    run = tmp_path / "b[1]"
    with pytest.raises(ValueError, match="finds no checkpoints again"):
        run_training(run, None, {})
    assert not run.exists()
    run.mkdir()
    for name in ("run.json", "scores.json"):
        (run / name).write_text("{}")
    check_directory(run)
    with pytest.raises(ValueError, match="finds no checkpoints again"):
        check_path(PurePosixPath("b\\c"))  # on Windows a backslash stands between names, and is allowed
    check_path(PureWindowsPath("b\\c"))


# --- what was trained on


@pytest.fixture
def run(tmp_path):
    """What training leaves of its split."""
    split = Split(TRAIN, UNSEEN[:1], UNSEEN[1:])
    for name, pairs in split._asdict().items():
        write_pairs(tmp_path / f"{name}.tsv", pairs)
    (tmp_path / "run.json").write_text(json.dumps({"split_sha256": hash_split(split)}))
    return tmp_path


def as_scored(pairs):
    return [(pair.source, [pair.target]) for pair in pairs]


def test_a_sentence_is_seen_however_it_is_spelled_and_on_either_side():
    seen = [
        (" Don’t  go ", ["कोणीतरी"]),
        ("Look out", ["कोणीतरी"]),
        ("Somebody swims.", ["कोणीतरी", "टॉम पोहू शकतो"]),
        ("टॉम पोहू शकतो.", ["Somebody swims."]),  # in swapped columns
    ]
    unseen = [("Tom can", ["कोणीतरी"]), *as_scored(UNSEEN)]
    assert seen_in_training(seen + unseen, [*TRAIN, Pair("Tom! Look out! Tom!", "टॉम!")]) == [True] * 4 + [False] * 3


def test_a_split_as_training_left_it_raises_no_doubts_and_a_changed_one_does(run):
    assert doubts(run, ["train.tsv", "test.tsv"], as_scored(UNSEEN)) == []
    write_pairs(run / "test.tsv", UNSEEN)
    assert doubts(run, ["train.tsv", "dev.tsv"]) == []
    assert doubts(run, ["train.tsv", "test.tsv"]) == ["test.tsv is not what training wrote"]
    (run / "run.json").unlink()  # and where a run has no hashes, sentences are compared
    (doubt,) = doubts(run, ["train.tsv", "test.tsv"], as_scored(TRAIN + UNSEEN))
    assert doubt == "it was trained on 2 of 4 sentences or on translations of them"
    (run / "train.tsv").unlink()
    (doubt,) = doubts(run, ["train.tsv", "test.tsv"], as_scored(TRAIN))
    assert doubt == "train.tsv is missing, so what it was trained on is not known"


def test_the_hash_of_a_corpus_depends_on_its_sentences_and_their_order():
    pairs = [Pair("a", "क", "x"), Pair("b", "ख")]
    same, others = [pair[:2] for pair in pairs], [pairs[::-1], pairs[:1], pairs * 2, [Pair("a.", "क"), pairs[1]]]
    assert corpus_hash(pairs) == corpus_hash(map(lambda pair: Pair(*pair), same))
    assert len({corpus_hash(pairs), *map(corpus_hash, others)}) == 5


# --- one process at a time


@pytest.mark.parametrize("seconds", [0, 3])
def test_a_second_training_is_refused_at_once_or_after_a_while_unless_there_are_no_locks(
    tmp_path, monkeypatch, capsys, seconds
):
    (lock := tmp_path / "lock").write_text("mine")
    monkeypatch.setattr("time.sleep", (waits := []).append)
    with (
        exclusive_lock(lock),
        pytest.raises(BlockingIOError, match="another process is"),
        exclusive_lock(lock, seconds),
    ):
        pass
    with exclusive_lock(lock, seconds):
        assert lock.read_text() == "mine" and waits == [1] * seconds
    monkeypatch.setattr("portalocker.lock", Mock(side_effect=portalocker.LockException("no locks here")))
    with exclusive_lock(lock, seconds):
        assert capsys.readouterr().err.startswith("" if seconds else f"{tmp_path}: cannot be locked (no locks here)")
    assert waits == [1] * seconds


# --- the history


def test_history_is_read_back_as_it_was_written(tmp_path):
    path = tmp_path / "history.csv"
    rows = [{"epoch": 1, "loss": 3.125, "dev_bleu": 0.1 + 0.2}, {"epoch": 2, "loss": 1e-300, "dev_bleu": 12.0}]
    assert read_history(path) == []  # not written yet
    for history in (rows, rows[:1]):
        write_history(path, history)
        assert read_history(path) == history
    assert [type(value) for value in read_history(path)[0].values()] == [int, float, float]


@pytest.mark.parametrize("data", [b"1", b"1,high", b"\xff\xfe"])
def test_a_damaged_history_is_an_error_that_names_the_file(tmp_path, data):
    (tmp_path / "history.csv").write_bytes(b"epoch,loss\n" + data)
    with pytest.raises(ValueError, match=r"history\.csv: "):
        read_history(tmp_path / "history.csv")


def test_a_setting_that_there_was_not_yet_is_no_difference_unless_it_is_used():
    assert differences({"units": 8}, {"units": 8, "start": "", "share": 0.0}) == ""
    said = "units is 8, asked for 9; start is None, asked for pretrained"
    assert differences({"units": 8}, {"units": 9, "start": "pretrained"}) == said
