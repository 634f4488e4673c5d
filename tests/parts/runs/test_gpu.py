"""A GPU that TensorFlow does not see is missed, and one that it uses is named; both faked, so that no GPU is needed."""

import json
import os
import platform
import subprocess
import sys
from types import SimpleNamespace

import pytest
import tensorflow as tf

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs import gpu, machine

CARD = {"device_name": "NVIDIA A100-SXM4-40GB", "compute_capability": (8, 0)}
INSTALL = "pip install 'tensorflow[and-cuda]'"


@pytest.fixture
def computer(tmp_path, monkeypatch):
    """Makes a computer with files, Python packages, commands and a system of its own; TensorFlow sees no GPU."""

    def make(files=(), packages=(), commands=(), system="Linux", **environment):
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        for name, value in {machine.DEVICE: "", **environment}.items():
            monkeypatch.setenv(name, value)
        for file in files:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).touch()
        monkeypatch.setattr(gpu, "_ROOT", tmp_path)
        monkeypatch.setattr(gpu.importlib.util, "find_spec", lambda name: name if name in packages else None)
        monkeypatch.setattr(gpu.shutil, "which", lambda name: name if name in commands else None)
        monkeypatch.setattr(platform, "system", lambda: system)
        monkeypatch.setattr(tf.config, "set_visible_devices", lambda *_: None)

    return make


@pytest.mark.parametrize(
    ("there", "advice"),
    [
        ({"files": ["dev/nvidia0", "proc/driver/nvidia/version"]}, INSTALL),
        ({"files": ["dev/nvidia3"], "CUDA_VISIBLE_DEVICES": "3"}, INSTALL),
        ({"files": ["usr/lib/wsl/lib/nvidia-smi"]}, INSTALL),
        ({"files": ["dev/nvidia0"], "packages": ["nvidia"]}, "an old driver, or another CUDA in LD_LIBRARY_PATH"),
        ({"files": ["proc/driver/nvidia/version"]}, "docker run --gpus all"),
        ({"commands": ["nvidia-smi"], "system": "Windows"}, "WSL 2"),
    ],
)
def test_a_gpu_that_tensorflow_does_not_see_is_missed_in_one_line(computer, capfd, there, advice):
    computer(**there)
    machine.import_tensorflow()
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("NVIDIA's driver is here, but TensorFlow sees no GPU") and advice in line


@pytest.mark.parametrize(
    "there",
    [
        {},
        {"commands": ["nvidia-smi"]},  # in an image for GPUs, on a machine without one
        {"system": "Windows"},
        {"files": ["dev/nvidia0"], "CUDA_VISIBLE_DEVICES": ""},
        {"files": ["dev/nvidia0"], "CUDA_VISIBLE_DEVICES": "-1"},
        {"files": ["dev/nvidia0"], machine.DEVICE: "cpu"},
    ],
)
def test_nothing_is_said_where_there_is_no_gpu_or_none_is_wanted(computer, capfd, there):
    computer(**there)
    machine.import_tensorflow()
    assert capfd.readouterr().err == ""


def test_nothing_is_said_of_a_gpu_that_tensorflow_sees(computer, capfd, monkeypatch):
    computer(files=["dev/nvidia0"])
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind: [kind])
    machine.import_tensorflow()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("before", "expected"), [({}, "true"), ({"TF_FORCE_GPU_ALLOW_GROWTH": "false"}, "false")])
def test_memory_is_taken_as_it_is_needed_unless_told_otherwise(before, expected):
    code = "from nmt_attention.runs.machine import import_tensorflow as f; f(False); import os; print(os.environ[{!r}])"
    environment = {name: value for name, value in os.environ.items() if name != "TF_FORCE_GPU_ALLOW_GROWTH"} | before
    command = [sys.executable, "-c", code.format("TF_FORCE_GPU_ALLOW_GROWTH")]
    assert (
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout == f"{expected}\n"
    )


@pytest.fixture
def cards(monkeypatch):
    """Makes TensorFlow use faked GPUs; `nvidia-smi` answers, or is missing if there is no answer."""

    def use(details, answer=None):
        def run(command, **options):
            if answer is None:
                raise FileNotFoundError(command[0])
            return SimpleNamespace(stdout=answer)

        monkeypatch.setattr(tf.config, "get_visible_devices", lambda kind: list(range(len(details))))
        monkeypatch.setattr(tf.config.experimental, "get_device_details", lambda device: details[device])
        monkeypatch.setattr(gpu.subprocess, "run", run)

    return use


@pytest.mark.parametrize(
    ("details", "answer", "expected", "lines"),
    [
        ([], None, [], []),
        (
            [CARD, CARD],
            "NVIDIA A100-SXM4-40GB, 40960\nNVIDIA A100-SXM4-40GB, 40960\n",
            [{"name": "NVIDIA A100-SXM4-40GB", "memory_mib": 40960, "compute_capability": "8.0"}] * 2,
            ["NVIDIA A100-SXM4-40GB, 40,960 MiB, compute capability 8.0, cuDNN's recurrent layers"] * 2,
        ),
        (
            [CARD],
            "Tesla T4, 15360\nNVIDIA A100-SXM4-40GB, [N/A]\n",
            [{"name": "NVIDIA A100-SXM4-40GB", "memory_mib": None, "compute_capability": "8.0"}],
            ["NVIDIA A100-SXM4-40GB, compute capability 8.0, cuDNN's recurrent layers"],
        ),
        (
            [{}],
            None,
            [{"name": None, "memory_mib": None, "compute_capability": None}],
            ["a GPU, cuDNN's recurrent layers"],
        ),
    ],
)
def test_gpus_are_named_with_their_memory_and_capability(cards, details, answer, expected, lines):
    cards(details, answer)
    used = gpu.gpus_used(SimpleNamespace(encoder=SimpleNamespace(cudnn=True)))
    assert json.loads(json.dumps(used))["gpus"] == expected and gpu.lines_of(used) == lines


@pytest.mark.parametrize(
    ("settings", "gpus", "built", "expected"),
    [
        ({}, 1, True, True),
        ({}, 1, False, False),
        ({}, 0, True, False),
        ({"architecture": "transformer"}, 1, True, False),
    ],
)
def test_cudnn_is_used_by_recurrent_models_on_an_nvidia_gpu(cards, monkeypatch, settings, gpus, built, expected):
    cards([CARD] * gpus)
    monkeypatch.setattr(tf.test, "is_built_with_cuda", lambda: built)
    assert gpu.gpus_used(Seq2Seq(ModelConfig(9, 9, units=8, embedding_units=8, **settings)))["cudnn"] == expected
