"""The ladder for a model that always says the same, on models and data that are broken on purpose."""

import itertools
import re
from functools import partial

import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import END_ID, PAD_ID, START_ID, Batch
from nmt_attention.lesson.ladder import MEANINGS, diagnose, overfit

WIDTH, SOURCES, TARGETS = 4, 10, 16  # source words are 4 to 9; the word w is translated as w + 6


class Small(keras.Model):
    """Predicts the next token from the token before it and from the whole source."""

    def __init__(self):
        super().__init__()
        self.source = keras.layers.Embedding(SOURCES, 16)
        self.target = keras.layers.Embedding(TARGETS, 16)
        self.hidden = keras.layers.Dense(64, activation="tanh")
        self.output_layer = keras.layers.Dense(TARGETS)

    def call(self, source_ids, target_in, training=False):
        words = tf.reshape(self.source(source_ids), (-1, 1, 16 * WIDTH))  # (B, 1, 16 S)
        words = tf.repeat(words, tf.shape(target_in)[1], axis=1)
        return self.output_layer(self.hidden(tf.concat([words, self.target(target_in)], axis=-1))), None


class IgnoresSource(Small):
    def call(self, source_ids, target_in, training=False):
        self.source(source_ids)  # creates weights that nothing uses
        words = tf.zeros((*target_in.shape, 16 * WIDTH))
        return self.output_layer(self.hidden(tf.concat([words, self.target(target_in)], axis=-1))), None


class SeesFuture(Small):
    def call(self, source_ids, target_in, training=False):
        return super().call(source_ids, tf.roll(target_in, -1, axis=1))


def padded(rows):
    return tf.constant(keras.utils.pad_sequences(rows, WIDTH, padding="post", value=PAD_ID))


def to_batch(sources, targets):
    return Batch(padded(sources), padded([[START_ID, *t] for t in targets]), padded([[*t, END_ID] for t in targets]))


def translated(sources):
    return [[word + 6 for word in row] for row in sources]


def step_by_step(model, source_ids, limit, start=START_ID, end=END_ID):
    """Greedy search with any model: reads again, at every step, all that is written."""
    ids = np.full((len(source_ids), limit + 1), PAD_ID, np.int32)
    ids[:, 0] = start
    for t in range(limit):
        best = np.argmax(model(source_ids, ids[:, :limit])[0][:, t], axis=-1)
        ids[:, t + 1] = np.where((ids[:, 1 : t + 1] == end).any(axis=1), PAD_ID, best)
    return ids[:, 1:]


without_end, without_start = partial(step_by_step, end=-1), partial(step_by_step, start=PAD_ID)

ROWS = [row for length in (2, 3) for row in itertools.permutations(range(4, SOURCES), length)]
ROWS = [ROWS[i] for i in np.random.default_rng(1).permutation(len(ROWS))]
SEEN, HELD_OUT = ROWS[:-32], ROWS[-32:]
BATCH, UNSEEN = (to_batch(rows, translated(rows)) for rows in (SEEN[:32], HELD_OUT))
SAME_LENGTH = to_batch(rows := [row for row in SEEN if len(row) == 3][:32], translated(rows))
SHUFFLED = [translated(SEEN)[i] for i in np.random.default_rng(2).permutation(len(SEEN))]


def make(kind=Small):
    keras.utils.set_random_seed(1)
    return kind()


@pytest.fixture(scope="module")
def trained():
    model = make()
    overfit(model, to_batch(SEEN, translated(SEEN)), 0.02)
    return model


def test_a_healthy_model_holds_on_every_rung(trained, capsys):
    assert diagnose(trained, make, BATCH, UNSEEN, 0.02, step_by_step) == ""
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"The model writes (29|3\d) different translations of 32 sentences\.", lines[0])
    assert [line.split(":")[0] for line in lines[1:]] == [f"holds   {rung}" for rung in MEANINGS]


@pytest.mark.parametrize(
    ("kind", "learning_rate", "rung"),
    [
        pytest.param(IgnoresSource, 0.02, "one batch", id="the decoder ignores the source"),
        pytest.param(Small, 30.0, "one batch", id="the learning rate is too large"),
        pytest.param(SeesFuture, 0.02, "teacher forcing", id="the decoder sees the future"),
    ],
)
def test_a_bug_in_the_model_breaks_a_low_rung(kind, learning_rate, rung, capsys):
    assert diagnose(make(kind), lambda: make(kind), BATCH, UNSEEN, learning_rate, step_by_step) == rung
    says, meaning = capsys.readouterr().out.splitlines()[-2:]
    assert says.startswith(f"BREAKS  {rung}: ") and meaning == MEANINGS[rung]


def without(ids, token):
    return tf.where(ids == token, PAD_ID, ids)


@pytest.mark.parametrize(
    "batch",
    [
        pytest.param(BATCH._replace(target_in=BATCH.target_out), id="targets are not shifted"),
        pytest.param(BATCH._replace(target_in=without(BATCH.target_in, START_ID)), id="no START"),
        pytest.param(BATCH._replace(target_out=without(BATCH.target_out, END_ID)), id="no END"),
        pytest.param(Batch(SAME_LENGTH[0], *(ids[:, :-1] for ids in SAME_LENGTH[1:])), id="no END, and no padding"),
        pytest.param(Batch(BATCH[0], *(tf.repeat(ids[:1], 32, axis=0) for ids in BATCH[1:])), id="one target for all"),
    ],
)
def test_a_bug_in_the_batch_breaks_teacher_forcing(batch):
    assert diagnose(make(), make, batch, UNSEEN, 0.02, step_by_step) == "teacher forcing"


def test_shuffled_targets_break_the_data_and_a_search_without_the_start_marker_the_search(trained):
    model, batch = make(), to_batch(SEEN[:32], SHUFFLED[:32])
    overfit(model, to_batch(SEEN, SHUFFLED), 0.02)
    assert diagnose(model, make, batch, UNSEEN, 0.02, step_by_step) == "data"
    assert diagnose(trained, make, BATCH, UNSEEN, 0.02, without_start) == "greedy search"
    assert diagnose(trained, make, SAME_LENGTH, UNSEEN, 0.02, without_end) == "greedy search"
