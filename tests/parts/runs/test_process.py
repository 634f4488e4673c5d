"""One process at a time in a run directory, and a process that is asked to stop."""

import errno
import os
import signal
import subprocess
import sys
import threading

import portalocker
import pytest
from command_line import refusal, write_lines

from nmt_attention.cli.main import main
from nmt_attention.runs.process import TrainingInterrupted, catch_stop_signals, exclusive_lock


def test_the_second_ctrl_c_is_obeyed_at_once():
    with catch_stop_signals() as noted:
        signal.raise_signal(signal.SIGINT)
        assert noted == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_signal_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with catch_stop_signals() as noted:
        signal.raise_signal(signal.SIGINT)
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


def test_a_stop_is_a_stop_though_nobody_reads_of_it(monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)

    def train(options):
        raise TrainingInterrupted("stopped, and saved", signal.SIGTERM)

    monkeypatch.setattr("nmt_attention.cli.train.run", train)
    with os.fdopen(writer, "w") as nobody:
        monkeypatch.setattr(sys, "stderr", nobody)
        assert main(["train", "--run", "run"]) == 143


def test_a_command_whose_messages_nobody_reads_has_not_succeeded(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "nmt_attention", "train", "--run", tmp_path / "run", "--corpus", "phrasebook"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    assert (done.returncode, done.stdout) == (141, b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such places")
@pytest.mark.parametrize("place", ["/proc/run", "/dev/null/run"])
def test_where_nothing_may_be_written_the_place_is_named(place, tmp_path):
    corpus = write_lines(tmp_path / "pairs.tsv", [f"Tom {i} .\tटॉम {i} ." for i in range(80)])
    line = refusal("train", "--run", place, "--corpus", corpus, "--guidance", "0", "--placeholders", "0")
    assert place.rpartition("/")[0] in line


# --- locks

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
            refused = pytest.raises(BlockingIOError, match=f"process {first.pid} of ")
            with refused, exclusive_lock(tmp_path / "run"):
                pass
            first.kill()
        with exclusive_lock(tmp_path / "run"):  # free again, though the first could not say so
            assert str(os.getpid()) in (tmp_path / "run/lock").read_text()


@pytest.fixture
def fail_to_lock(monkeypatch):
    def fail(error, cause=None):
        def lock(file, flags):
            raise error from cause

        monkeypatch.setattr("portalocker.lock", lock)

    return fail


def test_where_a_lock_fails_for_another_reason_nothing_is_begun(tmp_path, fail_to_lock):
    cause = OSError(errno.EIO, "Input/output error")
    fail_to_lock(portalocker.LockException(cause), cause)
    with pytest.raises(OSError, match=r"\(\[Errno 5\] Input/output error\)"), exclusive_lock(tmp_path):
        raise AssertionError("begun")


def test_where_there_are_no_locks_a_warning_is_given_and_work_begins(tmp_path, fail_to_lock, capsys):
    cause = OSError(errno.ENOLCK, "No locks available")
    fail_to_lock(portalocker.LockException(cause), cause)
    with exclusive_lock(tmp_path):
        assert str(os.getpid()) in (tmp_path / "lock").read_text()
    warning = capsys.readouterr().err
    assert warning.startswith(f"{tmp_path}: ") and "No locks available" in warning
