"""Which device TensorFlow uses and what is said of it, which precision, and a process that is asked to stop."""

import importlib
import json
import os
import signal
import sys
import threading

import pytest
import tensorflow as tf

from nmt_attention import ModelConfig, Seq2Seq
from nmt_attention.cli.main import main
from nmt_attention.runs import machine
from nmt_attention.runs.machine import TrainingInterrupted, catch_stop_signals, gpus_used, resolve_precision

A100 = {"device_name": "NVIDIA A100-SXM4-40GB", "compute_capability": (8, 0)}


@pytest.fixture
def computer(tmp_path, monkeypatch):
    """Makes a computer with NVIDIA's driver or its program and GPUs that TensorFlow sees.

    Returns the devices that TensorFlow is told to use.
    """
    told = []

    def make(driver=False, program=False, gpus=(), **environment):
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        for name, value in {machine.DEVICE: "", **environment}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(machine, "_DRIVER", tmp_path if driver else tmp_path / "none")
        monkeypatch.setattr(machine.shutil, "which", lambda name: name if program else None)
        monkeypatch.setattr(tf.config, "set_visible_devices", lambda devices, kind: told.append((devices, kind)))
        for listed in ("list_physical_devices", "get_visible_devices"):
            monkeypatch.setattr(tf.config, listed, lambda kind: list(range(len(gpus))))
        monkeypatch.setattr(tf.config.experimental, "get_device_details", lambda gpu: gpus[gpu])
        return told

    return make


@pytest.mark.parametrize(
    ("there", "advice"),
    [
        ({"driver": True}, "pip install 'tensorflow[and-cuda]'"),
        ({"program": True}, "pip install 'tensorflow[and-cuda]'"),  # of Windows and WSL
        ({}, None),
        ({"driver": True, "CUDA_VISIBLE_DEVICES": "-1"}, None),
        ({"driver": True, machine.DEVICE: "cpu"}, None),
        ({"driver": True, "gpus": [A100]}, None),
    ],
)
def test_a_gpu_that_is_missed_is_told_in_one_line(computer, capfd, there, advice):
    computer(**there, TF_FORCE_GPU_ALLOW_GROWTH="false")
    machine.import_tensorflow()
    assert os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] == "false"  # memory is taken as it was told
    lines = capfd.readouterr().err.splitlines()  # standard error itself, which the import diverts
    assert len(lines) == bool(advice) and all(advice in line and "--device cpu" in line for line in lines)


def test_a_module_is_hidden_for_a_while(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with machine._hidden("colorsys"), pytest.raises(ImportError):
        importlib.import_module("colorsys")
    loaded = importlib.import_module("colorsys")
    with machine._hidden("colorsys"):
        assert importlib.import_module("colorsys") is loaded


def test_gpus_are_left_alone_if_the_cpu_is_chosen(computer, tmp_path, capsys, caplog):
    told = computer(gpus=[A100])
    assert main(["translate", "--run", str(tmp_path), "--device", "cpu"]) == 1  # not a run, found out after the import
    assert told == [([], "GPU")] and caplog.text == ""


@pytest.mark.parametrize(
    ("settings", "gpus", "built", "expected"),
    [({}, [A100], True, True), ({"architecture": "transformer"}, [{}], True, False)],
)
def test_gpus_are_named_and_whether_cudnn_reads_with_them(computer, monkeypatch, settings, gpus, built, expected):
    computer(gpus=gpus)
    monkeypatch.setattr(tf.test, "is_built_with_cuda", lambda: built)
    found = json.loads(json.dumps(gpus_used(Seq2Seq(ModelConfig(9, 9, units=8, embedding_units=8, **settings)))))
    a100 = {"name": A100["device_name"], "compute_capability": "8.0"}
    assert found["gpus"] == [a100 if gpu else dict.fromkeys(a100) for gpu in gpus] and found["cudnn"] == expected


@pytest.mark.parametrize(
    ("capabilities", "expected"), [([(8, 0)], "mixed_bfloat16"), ([(9, 0), (7, 5)], "float32"), ([()], "float32")]
)
def test_auto_is_bfloat16_where_all_gpus_compute_in_it(computer, capabilities, expected):
    computer(gpus=[{"compute_capability": capability} for capability in capabilities])
    assert resolve_precision("auto") == expected
    assert resolve_precision("mixed_float16") == "mixed_float16"


@pytest.mark.parametrize(("limit", "expected"), [("AVX512_CORE_BF16", "mixed_bfloat16"), ("avx2", "float32")])
def test_auto_obeys_the_limit_of_instructions(computer, monkeypatch, limit, expected):
    computer(ONEDNN_MAX_CPU_ISA=limit)
    monkeypatch.setattr(machine, "_processor", lambda key: "avx2 avx512_bf16")
    assert resolve_precision("auto") == expected


# --- signals


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
