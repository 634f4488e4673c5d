"""Which device TensorFlow uses, and what its import leaves to the garbage collector."""

import os
import platform
import subprocess
import sys

import pytest
import tensorflow as tf

from nmt_attention.cli.main import main
from nmt_attention.runs import machine


@pytest.fixture
def hidden(monkeypatch):
    """The lists of devices that TensorFlow is told to use; there is a GPU."""
    found = []
    monkeypatch.setattr(tf.config, "set_visible_devices", lambda devices, kind: found.append((devices, kind)))
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind: [kind])
    monkeypatch.setenv(machine.DEVICE, "")  # restored afterwards
    return found


def test_gpus_are_left_alone_if_the_cpu_is_chosen(hidden, tmp_path, capsys, caplog):
    assert main(["translate", "--run", str(tmp_path), "--device", "cpu"]) == 1  # not a run, found out after the import
    assert hidden == [([], "GPU")] and caplog.text == ""


def test_apples_gpu_is_said_to_be_slow_in_one_line(hidden, monkeypatch, capfd):
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    machine.import_tensorflow(look_for_devices=False)  # of several workers: nothing is looked for
    assert capfd.readouterr().err == ""
    machine.import_tensorflow()
    (line,) = capfd.readouterr().err.splitlines()  # standard error itself, which the import diverts
    assert "--device cpu" in line and hidden == []


def test_the_collector_leaves_alone_what_the_first_import_made_and_nothing_later():
    code = (
        "import gc\n"
        "from nmt_attention.runs.machine import import_tensorflow\n"
        "import_tensorflow()\n"
        "frozen = gc.get_freeze_count()\n"
        "kept = [[] for _ in range(1000)]\n"
        "import_tensorflow()\n"
        "print(frozen > 100_000, gc.get_freeze_count() <= frozen, gc.isenabled())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"] * 3


def test_ctrl_c_during_the_import_shows_no_line_of_tensorflow(monkeypatch, capfd):
    def stop(*_):
        os.write(2, b"a line of the C++ part")
        raise KeyboardInterrupt

    monkeypatch.setattr(machine, "_choose_device", stop)
    with pytest.raises(KeyboardInterrupt):
        machine.import_tensorflow()
    assert capfd.readouterr().err == ""
