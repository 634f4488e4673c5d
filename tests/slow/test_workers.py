"""Several devices and two processes train one model, and end with the weights of one device."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest

from nmt_attention.runs.run_files import read_history

TRAINING = """
import os
import signal
import sys
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from nmt_attention.batches import make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.runs.distribute import is_chief, make_strategy, explain_lost_workers
from nmt_attention.runs.run_files import read_history
from nmt_attention.model import Seq2Seq
from nmt_attention.vocabulary import RaggedIds
from nmt_attention.runs.training import seed_dropout, train_model

directory, name, output, *signalled = sys.argv[1:]  # signalled: name of a signal, epoch and batch it comes in
if name == "mirrored":
    (processor,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
rng = np.random.default_rng(0)
rows = [rng.integers(4, 14, rng.integers(1, 7)).tolist() for _ in range(41)]
source, target = RaggedIds.of(rows), RaggedIds.of(row[::-1] for row in rows)


def batches(epoch):
    for number, batch in enumerate(make_dataset(source, target, 10, 1, epoch)):  # the last one has one row
        if signalled[1:] == [f"{epoch + 1}.{number + 1}"]:
            os.kill(os.getpid(), signal.Signals[signalled[0]])
        yield batch


def dev_scores():  # rises on the chief; another worker, left to itself, would stop after two epochs
    return {"bleu": float(is_chief(strategy) and len(read_history(Path(directory, "history.csv"))))}


with explain_lost_workers():
    strategy = make_strategy(name)
    with strategy.scope():
        keras.utils.set_random_seed(1)
        model = Seq2Seq(ModelConfig(14, 14, units=16, embedding_units=16, dropout=0.0))
    config = TrainConfig(epochs=3, batch_size=10, learning_rate=0.03, warmup_steps=0, patience=1)
    train_model(model, batches, 5, dev_scores, config, directory)
    np.savez(output, *(np.asarray(weight) for weight in model.weights))

with strategy.scope():
    model = Seq2Seq(ModelConfig(9, 9, units=4, embedding_units=4, dropout=0.5))
seed_dropout(model, 1, 0)
states = [v.value for v in model.non_trainable_variables if "seed_generator_state" in v.path]
drawn = [tuple(copy.numpy()) for state in states for copy in strategy.experimental_local_results(state)]
assert len(states) > 1 and len(set(drawn)) == len(drawn)  # every layer of every replica draws its own dropout
"""


def run(script, *arguments, tf_config=None):
    environment = {**os.environ, "PYTHONPATH": os.getcwd(), "TF_CONFIG": json.dumps(tf_config or {})}
    command = [sys.executable, *(["-c", script] if script else []), *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run_workers(script, *arguments, extra=((), ())):
    """Starts two workers on free ports of this machine, each with its own extra arguments."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in extra]
    cluster = {"worker": [f"127.0.0.1:{free.getsockname()[1]}" for free in sockets]}
    for free in sockets:
        free.close()
    return [
        run(script, *arguments, *own, tf_config={"cluster": cluster, "task": {"type": "worker", "index": index}})
        for index, own in enumerate(extra)
    ]


def finish(*processes, seconds=900):
    """Waits for processes; returns their exit status, standard output and standard error."""
    try:
        texts = [process.communicate(timeout=seconds) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    return [(process.returncode, *text) for process, text in zip(processes, texts, strict=True)]


def assert_same_weights(first, second):
    first, second = np.load(first), np.load(second)
    assert set(first) == set(second)
    for name in first:
        np.testing.assert_allclose(first[name], second[name], atol=1e-5)


@pytest.fixture(scope="module")
def of_one_device(tmp_path_factory):
    directory = tmp_path_factory.mktemp("single")
    ((status, _, errors),) = finish(run(TRAINING, directory, "single", directory / "weights.npz"))
    assert status == 0, errors
    return directory / "weights.npz"


def test_two_devices_end_with_the_weights_of_one(tmp_path, of_one_device):
    ((status, _, errors),) = finish(run(TRAINING, tmp_path, "mirrored", tmp_path / "weights.npz"))
    assert status == 0, errors
    assert_same_weights(tmp_path / "weights.npz", of_one_device)


def test_two_workers_asked_to_stop_then_killed_end_with_the_weights_of_one_device(tmp_path, of_one_device):
    arguments = TRAINING, tmp_path, "multiworker"
    outputs = [tmp_path / "0.npz", tmp_path / "1.npz"]

    asked = [outputs[:1], [outputs[1], "SIGTERM", "1.2"]]
    for status, _, errors in finish(*run_workers(*arguments, extra=asked)):  # one is asked, and both stop
        assert status != 0 and "TrainingInterrupted: stopped and saved after epoch 1/3" in errors
    assert [row["epoch"] for row in read_history(tmp_path / "history.csv")] == [1]

    one_killed = [outputs[:1], [outputs[1], "SIGKILL", "2.3"]]
    (first, _, errors), (second, *_) = finish(*run_workers(*arguments, extra=one_killed))
    assert (first, second) == (1, -signal.SIGKILL), errors
    assert "ConnectionError: another worker has stopped, see its message, or cannot be reached" in errors
    assert [row["epoch"] for row in read_history(tmp_path / "history.csv")] == [1]

    killed = finish(*run_workers(*arguments, extra=[[output, "SIGKILL", "3.1"] for output in outputs]))
    assert -signal.SIGKILL in [status for status, *_ in killed]
    assert [row["epoch"] for row in read_history(tmp_path / "history.csv")] == [1, 2]
    assert not any(output.exists() for output in outputs)

    done = finish(*run_workers(*arguments, extra=[[output] for output in outputs]))
    for (status, _, errors), output in zip(done, outputs, strict=True):
        assert status == 0, errors
        assert_same_weights(output, of_one_device)
    assert [row["epoch"] for row in read_history(tmp_path / "history.csv")] == [1, 2, 3]


def test_the_command_line_trains_with_two_workers_as_with_one(tmp_path):
    corpus = tmp_path / "pairs.tsv"
    words = "abcdefg"
    corpus.write_text("".join(f"{x} {y} {z} .\t{z}{y} {x} ।\n" for x in words for y in words for z in words))
    arguments = (
        "-m nmt_attention train --epochs 1 --units 8 --embedding-units 8 --vocabulary-size 40 --dropout 0 "
        f"--precision float32 --corpus {corpus}"
    ).split()
    alone = run(None, *arguments, "--run", tmp_path / "single")
    workers = run_workers(None, *arguments, "--run", tmp_path / "workers", "--strategy", "multiworker")
    for status, output, errors in finish(alone, *workers):
        assert status == 0, errors
        assert re.search("^test  BLEU", output, re.M)
    assert_same_weights(*(tmp_path / name / "weights.npz" for name in ("single", "workers")))
    assert set(os.listdir(tmp_path / "single")) == set(os.listdir(tmp_path / "workers"))


def test_an_address_that_is_taken_is_named(tmp_path):
    arguments = f"-m nmt_attention train --run {tmp_path}/run --corpus phrasebook --strategy multiworker".split()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        addresses = [f"127.0.0.1:{taken.getsockname()[1]}", "127.0.0.1:1"]
        tf_config = {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": 0}}
        ((status, _, errors),) = finish(run(None, *arguments, tf_config=tf_config))
    assert status == 1 and "nmt-attention: worker 0: Could not start gRPC server; is its address" in errors
