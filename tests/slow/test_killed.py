"""A training that is killed again and again ends with the weights of one that was not."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
from resumable import assert_same, train_for_three_epochs

from nmt_attention import ModelConfig, Seq2Seq, read_history
from nmt_attention.runs.machine import TrainingInterrupted

KILLS = int(os.environ.get("KILLS", "4"))
TRAINING = """
import sys
from pathlib import Path
from nmt_attention.corpus import Pair
from nmt_attention.runs.run import run_training
from nmt_attention.runs.settings import make_settings
from nmt_attention.runs.splits import make_corpus

words = "a b c d e f g h i j k l".split()
pairs = [Pair(f"{x} {y} {z} .", f"{z}{y} {x}.") for x in words for y in words for z in words if x != y and y != z]
settings = {"epochs": 8, "units": 16, "embedding_units": 16, "vocabulary_size": 60, "precision": "float32"}
run_training(Path(sys.argv[1]), make_corpus(pairs), make_settings("quick", settings))
"""


@pytest.mark.parametrize("settings", [{"lexical": True}, {"architecture": "transformer"}], ids=str)
def test_a_model_with_dropout_resumes_exactly_within_an_epoch(tmp_path, settings):
    def make():
        return Seq2Seq(ModelConfig(14, 14, units=8, embedding_units=8, dropout=0.3, **settings))

    unbroken = train_for_three_epochs(make, tmp_path / "unbroken")
    with pytest.raises(TrainingInterrupted, match="epoch 2/3, step 20/25"):
        train_for_three_epochs(
            make, tmp_path / "run", lambda *place: place == (1, 12) and os.kill(os.getpid(), signal.SIGINT)
        )
    assert_same(train_for_three_epochs(make, tmp_path / "run"), unbroken)


def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(tmp_path):
    whole, killed, training = tmp_path / "whole", tmp_path / "killed", [sys.executable, "-c", TRAINING]
    begun = time.monotonic()
    subprocess.run([*training, whole], check=True)
    usual, chance = time.monotonic() - begun, random.Random()
    for number in range(KILLS):
        process = subprocess.Popen([*training, killed])
        if number % 2:  # at any time
            time.sleep(chance.uniform(0, usual))
        else:  # while a file is being written
            limit = time.monotonic() + usual
            while process.poll() is None and time.monotonic() < limit:
                if any("temp" in path.name or ".part" in path.name for path in killed.rglob("*")):
                    break
        process.kill()
        process.wait()
        assert_whole(killed)
    subprocess.run([*training, killed], check=True)
    losses = ([row["loss"] for row in read_history(directory / "history.csv")] for directory in (whole, killed))
    assert next(losses) == next(losses)
    expected, weights = (np.load(directory / "weights.npz") for directory in (whole, killed))
    np.testing.assert_equal(dict(weights), dict(expected))


def assert_whole(directory):
    """Whatever is there under its own name is complete."""
    rows = read_history(directory / "history.csv")
    assert [row["epoch"] for row in rows] == list(range(1, len(rows) + 1))
    for name in ("last", "best"):
        if path := tf.train.latest_checkpoint(str(Path(directory / "checkpoints") / name)):
            reader = tf.train.load_checkpoint(path)
            for variable in reader.get_variable_to_shape_map():
                if not variable.startswith("_"):
                    reader.get_tensor(variable)
