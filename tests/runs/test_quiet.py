"""Which device TensorFlow uses, and what is said of it."""

import logging
import platform

import pytest
import tensorflow as tf

from nmt_attention.cli.main import main
from nmt_attention.runs import quiet


@pytest.fixture
def hidden(monkeypatch):
    """The lists of devices that TensorFlow is told to use; there is a GPU."""
    found = []
    monkeypatch.setattr(tf.config, "set_visible_devices", lambda devices, kind: found.append((devices, kind)))
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind: [kind])
    monkeypatch.setenv(quiet.DEVICE, "")  # restored afterwards
    return found


def test_gpus_are_left_alone_if_the_cpu_is_chosen(hidden, tmp_path, capsys, caplog):
    assert main(["translate", "--run", str(tmp_path), "--device", "cpu"]) == 1  # not a run, found out after the import
    assert hidden == [([], "GPU")] and caplog.text == ""


def test_otherwise_they_are_used(hidden, caplog):
    quiet.import_tensorflow()
    assert hidden == [] and caplog.text == ""


def test_apples_gpu_is_said_to_be_slow_in_one_line(hidden, monkeypatch, caplog):
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    with caplog.at_level(logging.WARNING):
        quiet.import_tensorflow(look_for_devices=False)  # of several workers: nothing is looked for
        assert caplog.text == ""
        quiet.import_tensorflow()
    (record,) = caplog.records
    assert "--device cpu" in record.getMessage() and hidden == []
