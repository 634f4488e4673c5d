"""What may befall a training from outside: killed, asked to stop, no room, nowhere to write, a second of its kind."""

import errno
import functools
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import keras
import numpy as np
import portalocker
import pytest
import tensorflow as tf
from tensorflow.python.checkpoint import checkpoint_management
from toys import Toy

from nmt_attention.batches import make_dataset
from nmt_attention.cli.main import main
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.history import read_history
from nmt_attention.runs.process import TrainingInterrupted, catch_stop_signals, exclusive_lock
from nmt_attention.runs.training import train
from nmt_attention.vocabulary import RaggedIds

KILLS = int(os.environ.get("KILLS", "4"))  # `make faults` asks for more
STEPS = 25


def table():
    return Toy(size=14, initializer="glorot_uniform", dropout=0.3)


def seq2seq():
    return Seq2Seq(ModelConfig(14, 14, units=8, embedding_units=8, dropout=0.3))


def train_for_three_epochs(make_model, directory, disturb=lambda epoch, number: None):
    """Trains a model for three epochs of 25 steps; `disturb` is called before each batch."""
    keras.utils.set_random_seed(0)
    ids = RaggedIds.of([[4 + i % 9, 4 + i % 7] for i in range(250)])
    model = make_model()

    def batches(epoch):
        for number, batch in enumerate(make_dataset(ids, ids, 10, 1, epoch)):
            disturb(epoch, number)
            yield batch

    config = TrainConfig(epochs=3, batch_size=10, scheduled_sampling=0.3)
    history = train(model, batches, STEPS, lambda: {"bleu": 1.0}, config, directory)
    return history, [np.asarray(weight) for weight in model.weights]


@pytest.fixture(scope="module", params=[table, pytest.param(seq2seq, marks=pytest.mark.marathon)])
def run(request):
    """Trains a table, in a moment, or with `make test-all` a small model as well, whose step takes seconds to trace."""
    return functools.partial(train_for_three_epochs, request.param)


@pytest.fixture(scope="module")
def unbroken(run, tmp_path_factory):
    return run(tmp_path_factory.mktemp("unbroken"))


def assert_same(found, expected):
    for row, other in zip(found[0], expected[0], strict=True):
        assert (row["epoch"], row["loss"]) == (other["epoch"], other["loss"])
    for value, other in zip(found[1], expected[1], strict=True):
        np.testing.assert_array_equal(value, other)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_it_saves_the_begun_epoch_and_goes_on_in_it(tmp_path, run, unbroken, number):
    def ask(epoch, batch):
        if (epoch, batch) == (1, 12):
            os.kill(os.getpid(), number)

    before = signal.signal(number, signal.default_int_handler)
    handler = signal.getsignal(number)
    with pytest.raises(TrainingInterrupted, match="stopped and saved at epoch 2/3, step 20/25") as stop:
        run(tmp_path, ask)
    assert stop.value.number == number and signal.signal(number, before) == handler
    seen = []
    assert_same(run(tmp_path, lambda epoch, batch: seen.append((epoch, batch))), unbroken)
    assert {epoch for epoch, _ in seen} == {1, 2}


def test_asked_to_stop_in_the_last_steps_of_an_epoch_it_finishes_it(tmp_path, run, unbroken):
    with pytest.raises(TrainingInterrupted, match="stopped and saved after epoch 2/3"):
        run(tmp_path, lambda *place: place == (1, 24) and os.kill(os.getpid(), signal.SIGINT))
    assert len(read_history(tmp_path / "history.csv")) == 2
    assert_same(run(tmp_path), unbroken)


def test_the_second_ctrl_c_is_obeyed_at_once():
    with catch_stop_signals() as noted:
        os.kill(os.getpid(), signal.SIGINT)
        assert noted == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_a_signal_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with catch_stop_signals() as noted:
        os.kill(os.getpid(), signal.SIGINT)
    assert noted == [] and signal.signal(signal.SIGINT, before) == signal.SIG_IGN


def test_in_a_thread_signals_are_left_alone():
    before, inside = signal.getsignal(signal.SIGINT), []

    def work():
        with catch_stop_signals() as noted:
            inside.append((noted, signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert inside == [([], before)]


def test_without_room_for_a_checkpoint_it_says_so_and_keeps_the_last_one(tmp_path, run, unbroken):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def no_more_room(epoch, batch):
        if (epoch, batch) == (1, 0):
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))

    try:
        with pytest.raises(OSError, match=r"checkpoints/last: a checkpoint cannot be written, the last one stays"):
            run(tmp_path, no_more_room)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    left = sorted(path.name for path in (tmp_path / "checkpoints/last").iterdir())
    assert left == ["checkpoint", "ckpt-25.data-00000-of-00001", "ckpt-25.index"]
    assert_same(run(tmp_path), unbroken)


def test_a_checkpoint_that_is_whole_stays_though_the_note_about_it_fails(tmp_path, run, unbroken, monkeypatch):
    note, notes = checkpoint_management.update_checkpoint_state_internal, []

    def note_or_fail(directory, *arguments, **options):
        notes.append(os.path.basename(directory))
        if notes.count("last") == 4:  # two for the first epoch, two for the second: before and after it deletes the old
            raise tf.errors.ResourceExhaustedError(None, None, "No space left on device")
        note(directory, *arguments, **options)

    monkeypatch.setattr(checkpoint_management, "update_checkpoint_state_internal", note_or_fail)
    with pytest.raises(ZeroDivisionError):
        run(tmp_path, lambda epoch, batch: epoch == 2 and batch == 3 and 1 / 0)
    assert len(read_history(tmp_path / "history.csv")) == 2
    seen = []
    assert_same(run(tmp_path, lambda epoch, batch: seen.append(epoch)), unbroken)
    assert set(seen) == {2}


@pytest.mark.parametrize("place", ["/proc/run", "/dev/null/run"])
def test_where_nothing_may_be_written_it_says_so(place, tmp_path, capsys):
    corpus = tmp_path / "pairs.tsv"
    corpus.write_text("".join(f"Tom {i} .\tटॉम {i} .\n" for i in range(80)), encoding="utf-8")
    assert main(["train", "--run", place, "--corpus", str(corpus)]) == 1
    assert place.rpartition("/")[0] in capsys.readouterr().err


HOLD = """
import sys
from nmt_attention.runs.process import exclusive_lock
with exclusive_lock(sys.argv[1]):
    print("has it", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_refused_and_told_who_is_there(tmp_path):
    with exclusive_lock(tmp_path / "other"):
        with subprocess.Popen(
            [sys.executable, "-c", HOLD, tmp_path / "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as first:
            assert first.stdout.readline() == "has it\n"
            refused = pytest.raises(BlockingIOError, match=f"process {first.pid} of .* is at work here")
            with refused, exclusive_lock(tmp_path / "run"):
                pass
            first.kill()
        with exclusive_lock(tmp_path / "run"):  # free again, though the first could not say so
            assert str(os.getpid()) in (tmp_path / "run/lock").read_text()


def fail_to_lock(monkeypatch, error, cause=None):
    def lock(file, flags):
        raise error from cause

    monkeypatch.setattr("portalocker.lock", lock)


class Unreadable(io.StringIO):
    def read(self):
        raise PermissionError("locked")


def test_who_cannot_read_the_name_of_the_other_is_refused_all_the_same(tmp_path, monkeypatch):
    fail_to_lock(monkeypatch, portalocker.AlreadyLocked("taken"))
    monkeypatch.setattr("nmt_attention.disk.files.open", lambda *_, **__: Unreadable(), raising=False)
    with pytest.raises(BlockingIOError, match="run: another process is at work here"), exclusive_lock(tmp_path / "run"):
        pass


def test_where_a_lock_fails_for_another_reason_nothing_is_begun(tmp_path, monkeypatch):
    cause = OSError(errno.EIO, "Input/output error")
    fail_to_lock(monkeypatch, portalocker.LockException(cause), cause)
    with pytest.raises(OSError, match=r"cannot be locked \(\[Errno 5\] Input/output error\)"), exclusive_lock(tmp_path):
        raise AssertionError("begun")


def test_where_there_are_no_locks_it_says_so_and_works(tmp_path, monkeypatch, capsys):
    cause = OSError(errno.ENOLCK, "No locks available")
    fail_to_lock(monkeypatch, portalocker.LockException(cause), cause)
    with exclusive_lock(tmp_path):
        assert str(os.getpid()) in (tmp_path / "lock").read_text()
    assert f"{tmp_path}: no locks here (No locks available); make sure that no other" in capsys.readouterr().err


def test_a_stop_is_a_stop_though_nobody_reads_of_it(monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)

    def train(options):
        raise TrainingInterrupted("stopped, and saved", signal.SIGTERM)

    monkeypatch.setattr("nmt_attention.cli.train.run", train)
    with os.fdopen(writer, "w") as nobody:
        monkeypatch.setattr(sys, "stderr", nobody)
        assert main(["train", "--run", "run"]) == 143


def test_where_tensorflow_would_lose_its_checkpoints_nothing_is_begun(run, tmp_path):
    with pytest.raises(ValueError, match=r"run\[1\]: TensorFlow finds no checkpoints again"):
        run(tmp_path / "run[1]")
    assert not any(tmp_path.iterdir())


def test_a_command_whose_messages_nobody_reads_has_not_succeeded(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "nmt_attention", "train", "--run", tmp_path / "run", "--corpus", "phrasebook"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    assert (done.returncode, done.stdout) == (141, b"")


TRAINING = """
import sys
from pathlib import Path
from nmt_attention.config import make_settings
from nmt_attention.corpus import Pair
from nmt_attention.runs.run import run_training

words = "a b c d e f g h i j k l".split()
pairs = [Pair(f"{x} {y} {z} .", f"{z}{y} {x}.") for x in words for y in words for z in words if x != y and y != z]
settings = {"epochs": 8, "units": 16, "embedding_units": 16, "vocabulary_size": 60, "precision": "float32"}
run_training(Path(sys.argv[1]), pairs, make_settings("quick", settings))
"""


def start(directory):
    return subprocess.Popen([sys.executable, "-c", TRAINING, directory], stderr=subprocess.PIPE, text=True)


@pytest.mark.marathon
def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    begun = time.monotonic()
    _, errors = (process := start(whole)).communicate()
    assert process.returncode == 0, errors
    usual, chance = time.monotonic() - begun, random.Random()
    for number in range(KILLS):
        process = start(killed)
        if number % 2:  # at any time
            time.sleep(chance.uniform(0, usual))
        else:  # while a file is being written
            limit = time.monotonic() + usual
            while process.poll() is None and time.monotonic() < limit:
                if any("temp" in path.name or ".part" in path.name for path in killed.rglob("*")):
                    break
        process.kill()
        process.communicate()
        assert_whole(killed)
    _, errors = (process := start(killed)).communicate()
    assert process.returncode == 0, errors
    assert [row["loss"] for row in read_history(killed / "history.csv")] == [
        row["loss"] for row in read_history(whole / "history.csv")
    ]
    expected, found = (np.load(directory / "weights.npz") for directory in (whole, killed))
    assert list(found) == list(expected)
    for name in expected:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)


def assert_whole(directory):
    """Whatever is there under its own name is complete."""
    if (directory / "run.json").exists():
        assert "settings" in json.loads((directory / "run.json").read_text())
    rows = read_history(directory / "history.csv")
    assert [row["epoch"] for row in rows] == list(range(1, len(rows) + 1))
    for name in ("last", "best"):
        path = tf.train.latest_checkpoint(str(Path(directory / "checkpoints") / name))
        if path:
            reader = tf.train.load_checkpoint(path)
            for variable in reader.get_variable_to_shape_map():
                if not variable.startswith("_"):
                    reader.get_tensor(variable)
