"""A training that is asked to stop, or has no room for a checkpoint, goes on as if nothing had happened."""

import functools
import signal

import pytest
from resumable import assert_same, train_for_three_epochs
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
    assert_same(run(tmp_path), unbroken)
