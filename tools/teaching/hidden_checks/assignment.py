"""The assignment's random inputs, and the points that its hidden checks bring.

A hole is tried with parts of ours where it calls other holes, so that a mistake costs its points once. The one
exception is attention, which calls the learner's own masked softmax.
"""

from typing import Any

import numpy as np
import tensorflow as tf
from numpy.random import Generator

from nmt_attention import Memory

from . import exercises
from .exercises import Attention, Check, Names, padded, padded_ids, query_values_mask, tensors, with_random_weights

UNITS, EMBEDDING_UNITS = 8, 6  # what `query_values_mask` has, and any other number
TARGET_WORDS = 12


def scores_and_mask(random: Generator) -> tuple:
    mask = tf.constant(padded(random) != 0)
    return tf.constant(random.choice([1, 1000]) * random.normal(size=mask.shape), tf.float32), mask


def soften(names: Names, scores: Any, mask: Any) -> tuple:
    """Returns the weights, and whether their gradient reaches the scores."""
    with tf.GradientTape() as tape:
        tape.watch(scores)
        weights = names["masked_softmax"](scores, mask)
        total = tf.reduce_sum(weights)
    return weights, int(tape.gradient(total, scores) is not None)


def attend(names: Names, query: Any, values: Any, mask: Any) -> Any:
    parts = ["query_layer", "key_layer", "score_layer"]

    def apply(layer: Any) -> tuple:  # the second memory's keys are not what the layer makes of values
        return layer(query, layer.memory(values, mask)), layer(query, Memory(values, values, mask))

    return with_random_weights(names["Attention"](UNITS), apply, *parts)


def first_state(names: Names, thought: Any) -> Any:
    return with_random_weights(names["FirstState"](UNITS), lambda layer: layer(thought), "h_layer", "c_layer")


def last_ids_state_and_values(random: Generator) -> tuple:
    query, values, mask = query_values_mask(random)
    (c,) = tensors(random, tuple(query.shape))
    return random.integers(TARGET_WORDS, size=len(query), dtype="int32"), query, c, values, mask


def decoder_step(names: Names, ids: Any, h: Any, c: Any, values: Any, mask: Any) -> tuple:
    """Returns logits, h, c and weights after one step."""
    attention = Attention()
    decoder = names["Decoder"](TARGET_WORDS, EMBEDDING_UNITS, UNITS, attention)
    parts = ["embedding", "cell", "readout", "output_layer"]
    memory = attention.memory(values, mask)
    logits, state, weights = with_random_weights(decoder, lambda layer: layer(ids, (h, c), memory), *parts)
    return logits, *state, weights


class Step:
    """A decoder's step whose state adds up what it reads, with weights that depend on the state."""

    def __init__(self) -> None:
        self.attention = Attention()

    def __call__(self, token_ids: Any, state: Any, memory: Any) -> tuple:
        context, weights = self.attention(state[0], memory)
        state = (state[0] / 2 + context, state[1] / 2 + tf.one_hot(token_ids, UNITS))
        return tf.concat(state, axis=-1), state, weights


def teacher_force(names: Names, ids: Any, target_in: Any) -> Any:
    model = names["Seq2Seq"](exercises.Model().encoder, lambda thought: (thought, -thought), Step())
    return model(ids, target_in)


def table_and_start(random: Generator) -> tuple:
    """Returns a table (V, V), the first state (B, V) and the most tokens; PAD and START have no chance."""
    table, start = tensors(random, (TARGET_WORDS, TARGET_WORDS), (random.integers(1, 6), TARGET_WORDS))
    return table - 99.0 * (np.arange(TARGET_WORDS) < 2), 2 * start, int(random.integers(1, 15))


def search(names: Names, table: Any, start: Any, limit: int) -> tuple:
    """Returns the ids, whether they are int32, and the weights of real tokens."""

    def step(token_ids: Any, state: Any) -> tuple:
        return tf.gather(table, token_ids) + state, tf.roll(state, 1, axis=1), tf.nn.softmax(state)

    ids, weights = names["greedy"](step, start, len(start), limit)
    ids = np.asarray(ids)
    return ids, int(ids.dtype == np.int32), np.asarray(weights)[ids != 0]


def looks(random: Generator) -> tuple:
    """Returns rows of weights (B, T, S), and which target tokens are real."""
    ids = padded(random)
    scores = random.normal(size=(*ids.shape, 5))
    return tf.nn.softmax(tf.constant(scores, tf.float32)), tf.constant(ids != 0)


def cover(names: Names, weights: Any, real: Any) -> tuple:
    """Returns the loss, and its gradient by all weights."""
    with tf.GradientTape() as tape:
        tape.watch(weights)
        loss = names["coverage_loss"](weights, real)
    gradient = tape.gradient(loss, weights)
    return loss, tf.zeros_like(weights) if gradient is None else gradient


def two_heads(names: Names, query: Any, values: Any, mask: Any) -> Any:
    second = Attention()
    second.memory = lambda values, mask: Attention().memory(-values, mask)
    heads = names["TwoHeads"](Attention(), second, UNITS)
    return with_random_weights(heads, lambda layer: layer(query, layer.memory(values, mask)), "join")


def words_and_rows(random: Generator) -> tuple:
    source = [f"word{i}" for i in range(random.integers(2, 6))]
    spelled = {word: word.upper() for word in source if random.random() < 0.5}
    words = [f"{i}{random.choice(['', 'ला', 'ने', 'चे'])}" for i in range(random.integers(1, 7))]
    rows = np.eye(len(source))[random.integers(len(source), size=len(words))]
    edge = (0.5 - 1 / len(source)) / (1 - 1 / len(source))  # a largest weight of 0.5
    sure = random.choice([edge, 0.9], size=(len(words), 1))
    return words, sure * rows + (1 - sure) / len(source), source, spelled


HOLES = {
    "softmax": Check(1, "masked_softmax", scores_and_mask, soften),
    "encoder": Check(2, "Encoder", padded_ids, lambda *given: exercises.read_both_ways(*given, "embedding", "reader")),
    "attention": Check(3, "Attention", query_values_mask, attend),
    "first-state": Check(1, "FirstState", lambda random: tensors(random, (random.integers(1, 6), UNITS)), first_state),
    "decoder-step": Check(3, "Decoder", last_ids_state_and_values, decoder_step),
    "teacher-forcing": Check(3, "Seq2Seq", exercises.source_and_target, teacher_force),
    "train-step": Check(3, "train_step", exercises.batch, exercises.train),
    "greedy": Check(3, "greedy", table_and_start, search),
    "coverage": Check(3, "coverage_loss", looks, cover),
    "second-head": Check(3, "TwoHeads", query_values_mask, two_heads),
    "names": Check(3, "with_names", words_and_rows, lambda names, *given: np.array(names["with_names"](*given))),
}
GIVEN = ("Memory", "TokenEmbedding")  # what the rules let learners use of the package
CHECKS = {name: hole._replace(uses=GIVEN) for name, hole in HOLES.items()}
CHECKS["attention"] = HOLES["attention"]._replace(uses=(*GIVEN, "masked_softmax"))  # a borrowed one costs A.1 alone
