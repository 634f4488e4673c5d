"""One law for every attention and every decoder: padding and batch mates change nothing."""

import re
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import PARTS, BahdanauDecoder, part_of, with_lexical_model

V, E, H = 11, 6, 8
SENTENCE = 3  # real source positions of the sentence that all batches contain


def run_in_batch(decoder, row, mate_length, width, seed, on_padding=None):
    """Decodes the same sentence as one row of two; its mate and all numbers on padding come from the seed.

    Returns:
        The weights of the padding, and a list of arrays, all of the one row: contexts, weights of the real positions,
        logits and weights of the whole sentence at once, logits and weights step by step.
    """
    lengths = np.full(2, mate_length)
    lengths[row] = SENTENCE
    random, fixed = np.random.default_rng(seed), np.random.default_rng(0)
    values, states = 3.0 * random.normal(size=(2, width, H)), random.normal(size=(2, H))
    queries, target_in = random.normal(size=(2, 4, H)), random.integers(4, V, (2, 4))
    tokens = random.normal(size=(2, width, E))
    values[row, :SENTENCE], states[row] = fixed.normal(size=(SENTENCE, H)), fixed.normal(size=H)
    queries[row], target_in[row] = fixed.normal(size=(4, H)), fixed.integers(4, V, 4)
    tokens[row, :SENTENCE] = fixed.normal(size=(SENTENCE, E))
    if on_padding is not None:
        values[row, SENTENCE:], tokens[row, SENTENCE:] = on_padding, 1e6  # all of padding's tokens are one weight
    values, states, queries, tokens = (tf.constant(array, tf.float32) for array in (values, states, queries, tokens))
    target_in = tf.constant(target_in, tf.int32)

    memory = decoder.attention.memory(values, tf.sequence_mask(lengths, width), states)._replace(tokens=tokens)
    contexts, weights = decoder.attention(queries, memory)
    state = decoder.initial_state(states)
    logits, sentence_weights = decoder(target_in, state, memory)
    found = [contexts, weights[..., :SENTENCE], logits, sentence_weights[..., :SENTENCE]]
    for t in range(2):
        features, state, step_weights = decoder.step(target_in[:, t], state, memory)
        found += [decoder.logits(features), step_weights[:, :SENTENCE]]
    return weights[row, :, SENTENCE:], [np.asarray(tensor[row]) for tensor in found]


def assert_padding_and_batch_mates_change_nothing(decoder):
    on_padding, expected = run_in_batch(decoder, row=0, mate_length=4, width=4, seed=1)
    assert not np.any(on_padding)
    for number in (1e6, np.nan):  # what is on padding is not even read
        on_padding, found = run_in_batch(decoder, row=1, mate_length=7, width=9, seed=2, on_padding=number)
        assert not np.any(on_padding)
        for before, after in zip(expected, found, strict=True):
            np.testing.assert_allclose(before, after, atol=1e-5)


@pytest.mark.parametrize("attention", PARTS["attention"])
def test_of_no_attention_padding_and_batch_mates_change_anything(attention):
    keras.utils.set_random_seed(0)
    assert_padding_and_batch_mates_change_nothing(BahdanauDecoder(V, E, H, part_of("attention", attention)(H)))


@pytest.mark.parametrize("lexical", [False, True])
@pytest.mark.parametrize("decoder", PARTS["decoder"])
def test_of_no_decoder_padding_and_batch_mates_change_anything(decoder, lexical):
    keras.utils.set_random_seed(0)
    kind = with_lexical_model(part_of("decoder", decoder)) if lexical else part_of("decoder", decoder)
    assert_padding_and_batch_mates_change_nothing(kind(V, E, H, part_of("attention", "general")(H)))


@pytest.mark.parametrize("left", [1e6, np.nan])
@pytest.mark.parametrize("name", PARTS["attention"])
def test_neither_values_nor_scores_of_padding_have_an_effect_and_gradients_reach_all_else(name, left):
    attention, random = part_of("attention", name)(H), np.random.default_rng(0)
    values, state, queries = (tf.constant(random.normal(size=(2, n, H)), tf.float32) for n in (5, 1, 3))
    mask, score = tf.sequence_mask([2, 5], 5), attention.score
    expected = attention(queries, attention.memory(values, mask, state[:, 0]))

    def score_with_rubbish(queries, memory):
        scores = score(queries, memory)
        return tf.where(tf.reshape(mask, (2, *[1] * (len(scores.shape) - 2), 5)), scores, left)

    if name != "none":  # which scores nothing
        attention.score = score_with_rubbish
    values = tf.where(mask[..., tf.newaxis], values, left)
    with tf.GradientTape() as tape:
        tape.watch(values)
        contexts, weights = attention(queries, attention.memory(values, mask, state[:, 0]))
        result = tf.reduce_sum(contexts**2) + tf.reduce_sum(weights**2)
    np.testing.assert_array_equal(contexts, expected[0])
    np.testing.assert_array_equal(weights, expected[1])
    of_values, *of_weights = map(
        np.asarray, tape.gradient(result, [values, *attention.trainable_weights], unconnected_gradients="zero")
    )
    assert not of_values[0, 2:].any() and of_values[1].any() == (name != "none")
    assert all(gradient.any() and np.isfinite(gradient).all() for gradient in of_weights)


def test_the_attention_that_the_guide_writes_keeps_the_law():
    guide = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parents[2].glob("notebooks/**/*.md"))
    (code,) = re.findall(r"^```python\n([^`]*^class PointerAttention[^`]*)^```", guide, re.MULTILINE)
    names = {}
    exec(code, names)
    attention = names["PointerAttention"](H)
    assert_padding_and_batch_mates_change_nothing(BahdanauDecoder(V, E, H, attention))
    # w and b = 0: the share is 1/2 of 3 real positions, and -(j - 3/2)² of j = 0, 1, 2 is -9/4, -1/4, -1/4
    for weight in attention.share_layer.weights:
        weight.assign(tf.zeros_like(weight))
    memory = attention.memory(tf.ones((1, 5, H)), tf.sequence_mask([3], 5), None)
    np.testing.assert_allclose(attention.score(tf.ones((1, 1, H)), memory)[0, 0, :3], [-9 / 4, -1 / 4, -1 / 4])
