"""The machine: its device, precision and signals, and several devices. Whole trainings of these are in tests/slow."""

import json
import os
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import ModelConfig, Seq2Seq
from nmt_attention.cli.main import main
from nmt_attention.runs import distribute, machine
from nmt_attention.runs.machine import catch_stop_signals, gpus_used, resolve_precision

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


def test_the_second_ctrl_c_is_obeyed_at_once_and_a_signal_that_is_ignored_stays_ignored():
    with catch_stop_signals() as noted:
        signal.raise_signal(signal.SIGINT)
        assert noted == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
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


@pytest.mark.parametrize(
    ("replicas", "rows", "dealt"),
    [(1, 3, [[0, 1, 2]]), (2, 3, [[0, 2], [1]]), (2, 1, [[0], [None]])],  # None: a row's ids without its targets
)
def test_replicas_share_the_rows_of_a_batch(monkeypatch, replicas, rows, dealt):
    ids = tf.reshape(tf.range(1, 2 * rows + 1), (rows, 2))
    batch = [ids, ids + 10, ids + 20, tf.ones((rows, 2, 2))]
    for number, mine in enumerate(dealt):
        context = SimpleNamespace(replica_id_in_sync_group=number, num_replicas_in_sync=replicas)
        monkeypatch.setattr(tf.distribute, "get_replica_context", lambda context=context: context)
        for place, (own, whole) in enumerate(zip(distribute.deal_rows(*batch), batch, strict=True)):
            expected = [0 * whole[0] if i is None and place > 1 else whole[i or 0] for i in mine]
            np.testing.assert_array_equal(own, expected)


def test_a_single_process_is_the_chief_and_workers_that_differ_or_share_no_directory_are_refused(tmp_path, monkeypatch):
    strategy = distribute.make_strategy("single")
    assert distribute.is_chief(strategy) and distribute.gather(strategy, 2.5) == [2.5]
    distribute.check_same(strategy, "text", "settings")
    alone = {"cluster": {"chief": ["127.0.0.1:1"]}, "task": {"type": "chief", "index": 0}}  # as a chief may be
    assert distribute._read_tf_config(json.dumps(alone)) == ("chief 0", ["127.0.0.1:1"])
    with pytest.raises(ValueError, match="run.json: expected every worker to see this file"):
        distribute.check_shared(strategy, tmp_path / "run.json", seconds=0)
    monkeypatch.setattr("nmt_attention.runs.distribute.gather", lambda strategy, number: [number, number + 1])
    with pytest.raises(ValueError, match="settings: expected the same on every worker"):
        distribute.check_same(strategy, "text", "settings")


WORKERS = {"worker": ["127.0.0.1:1", "127.0.0.1:2"]}


@pytest.mark.parametrize(
    "config",
    [
        None,
        {"cluster": WORKERS},
        {"cluster": WORKERS, "task": {"type": "worker", "index": 2}},
        {"cluster": WORKERS, "task": {"type": "worker", "index": -1}},
        {"cluster": WORKERS, "task": {"type": "chief", "index": 0}},
        {"cluster": WORKERS | {"ps": ["127.0.0.1:3"]}, "task": {"type": "ps", "index": 0}},
    ],
)
def test_a_missing_or_malformed_tf_config_is_named(monkeypatch, config):
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(ValueError, match=r"^TF_CONFIG: strategy multiworker expects something like .*, got "):
        distribute.make_strategy("multiworker")
