"""A training that is asked to stop, or has no room for a checkpoint, goes on as if nothing had happened."""

import functools
import os
import signal

import pytest
import tensorflow as tf
from resumable import assert_same, train_for_three_epochs
from tensorflow.python.checkpoint import checkpoint_management
from tensorflow.python.framework.config import disable_op_determinism
from toys import Toy

from nmt_attention.runs.machine import TrainingInterrupted
from nmt_attention.runs.run_files import read_history

toy = functools.partial(Toy, size=14, initializer="glorot_uniform", dropout=0.3)
run = functools.partial(train_for_three_epochs, toy)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    return run(tmp_path_factory.mktemp("unbroken"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_it_saves_the_begun_epoch_and_goes_on_in_it(tmp_path, unbroken, number):
    def ask(epoch, batch):
        if (epoch, batch) == (1, 12):
            signal.raise_signal(number)

    before = signal.signal(number, signal.default_int_handler)
    handler = signal.getsignal(number)
    with pytest.raises(TrainingInterrupted, match="stopped and saved at epoch 2/3, step 20/25") as stop:
        run(tmp_path, ask)
    assert stop.value.number == number and signal.signal(number, before) == handler
    seen = []
    assert_same(run(tmp_path, lambda epoch, batch: seen.append(epoch)), unbroken)
    assert set(seen) == {1, 2}


def test_asked_to_stop_in_the_last_steps_of_an_epoch_it_finishes_it(tmp_path, unbroken):
    with pytest.raises(TrainingInterrupted, match="stopped and saved after epoch 2/3"):
        run(tmp_path, lambda *place: place == (1, 24) and signal.raise_signal(signal.SIGINT))
    assert len(read_history(tmp_path / "history.csv")) == 2
    assert_same(run(tmp_path), unbroken)


def test_without_room_for_a_checkpoint_the_last_one_stays(tmp_path, unbroken):
    resource = pytest.importorskip("resource")  # Windows has none
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def no_more_room(epoch, batch):
        if (epoch, batch) == (1, 0):
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))

    try:
        with pytest.raises(OSError, match=r"checkpoints/last: .*checkpoint"):
            run(tmp_path, no_more_room)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    left = sorted(path.name for path in (tmp_path / "checkpoints/last").iterdir())
    assert left == ["checkpoint", "ckpt-25.data-00000-of-00001", "ckpt-25.index"]
    assert_same(run(tmp_path), unbroken)


def test_a_checkpoint_that_is_whole_stays_though_the_note_about_it_fails(tmp_path, unbroken, monkeypatch):
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


@pytest.mark.parametrize(("gpus", "deterministic", "lines"), [(["gpu"], False, 1), (["gpu"], True, 0)])
def test_resumed_on_a_gpu_it_says_that_sums_may_round_differently(
    tmp_path, unbroken, monkeypatch, caplog, gpus, deterministic, lines
):
    visible = tf.config.get_visible_devices
    monkeypatch.setattr(tf.config, "get_visible_devices", lambda kind=None: gpus if kind == "GPU" else visible(kind))
    caplog.set_level("INFO", "nmt_attention")
    if deterministic:
        tf.config.experimental.enable_op_determinism()
    try:
        with pytest.raises(ZeroDivisionError):
            run(tmp_path, lambda epoch, batch: epoch == 1 and 1 / 0)
        assert "GPU" not in caplog.text
        assert_same(run(tmp_path), unbroken)
    finally:
        disable_op_determinism()
    assert caplog.text.count("sums may round differently than without the stop") == lines
