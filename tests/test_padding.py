"""One law for every attention in every decoder: more padding and other batch mates change nothing."""

import re
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.attention import Attention
from nmt_attention.decoder import BahdanauDecoder
from nmt_attention.variants.attentions import ATTENTIONS
from nmt_attention.variants.decoders import DECODERS

V, E, H = 11, 6, 8
SENTENCE = 3  # real source positions of the sentence that both batches contain


def run_in_batch(decoder, row, mate_length, width, seed):
    """Decodes the same sentence as one row of two; its mate and all numbers on padding come from the seed.

    Returns:
        List of arrays, all of the one row: contexts, weights of the real positions, weights of the padding, logits and
        weights of the whole sentence at once, logits and weights step by step.
    """
    lengths = np.full(2, mate_length)
    lengths[row] = SENTENCE
    random, fixed = np.random.default_rng(seed), np.random.default_rng(0)
    values, states = 3.0 * random.normal(size=(2, width, H)), random.normal(size=(2, H))
    queries, target_in = random.normal(size=(2, 4, H)), random.integers(4, V, (2, 4))
    values[row, :SENTENCE], states[row] = fixed.normal(size=(SENTENCE, H)), fixed.normal(size=H)
    queries[row], target_in[row] = fixed.normal(size=(4, H)), fixed.integers(4, V, 4)
    values, states, queries = (tf.constant(array, tf.float32) for array in (values, states, queries))
    target_in = tf.constant(target_in, tf.int32)

    tokens = random.normal(size=(2, width, E))
    tokens[row, :SENTENCE] = fixed.normal(size=(SENTENCE, E))
    memory = decoder.attention.memory(values, tf.sequence_mask(lengths, width), states)
    memory = memory._replace(tokens=tf.constant(tokens, tf.float32))
    contexts, weights = decoder.attention(queries, memory)
    state = decoder.initial_state(states)
    logits, sentence_weights = decoder(target_in, state, memory)
    found = [contexts, weights[..., :SENTENCE], weights[..., SENTENCE:], logits, sentence_weights[..., :SENTENCE]]
    for t in range(2):
        features, state, step_weights = decoder.step(target_in[:, t], state, memory)
        found += [decoder.logits(features), step_weights[:, :SENTENCE]]
    return [np.asarray(tensor[row]) for tensor in found]


def assert_padding_and_batch_mates_change_nothing(decoder):
    first = run_in_batch(decoder, row=0, mate_length=4, width=4, seed=1)
    second = run_in_batch(decoder, row=1, mate_length=7, width=9, seed=2)
    for i, (before, after) in enumerate(zip(first, second, strict=True)):
        if i == 2:  # padding, of which there is more
            assert not before.any() and not after.any()
        else:
            np.testing.assert_allclose(before, after, atol=1e-5)


@pytest.mark.parametrize("lexical", [False, True])
@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_more_padding_and_other_batch_mates_change_nothing(decoder, attention, lexical):
    keras.utils.set_random_seed(0)
    assert_padding_and_batch_mates_change_nothing(DECODERS[decoder](V, E, H, ATTENTIONS[attention](H), lexical=lexical))


def test_the_attention_that_the_guide_writes_works_and_obeys():
    guide = Path(__file__).parent.parent / "notebooks" / "README.md"
    (code,) = re.findall(r"^```python\n([^`]*^class [^`]*)^```", guide.read_text(encoding="utf-8"), re.MULTILINE)
    names = {}
    exec(code, names)
    attention = names["PointerAttention"](H)
    assert_padding_and_batch_mates_change_nothing(BahdanauDecoder(V, E, H, attention))
    # w and b = 0: the share is 1/2 of 3 real positions, and -(j - 3/2)² of j = 0, 1, 2 is -9/4, -1/4, -1/4
    for weight in attention.share_layer.weights:
        weight.assign(tf.zeros_like(weight))
    memory = attention.memory(tf.ones((1, 5, H)), tf.sequence_mask([3], 5), None)
    np.testing.assert_allclose(attention.score(tf.ones((1, 1, H)), memory)[0, 0, :3], [-9 / 4, -1 / 4, -1 / 4])
    half = names["PointerAttention"](H, dtype="mixed_bfloat16")
    decoder, ones = BahdanauDecoder(V, E, H, half, dtype="mixed_bfloat16"), tf.ones((1, 5, H), tf.bfloat16)
    memory, state = half.memory(ones, tf.sequence_mask([3], 5), ones[:, 0]), decoder.initial_state(ones[:, 0])
    _, weights = tf.function(decoder)(tf.ones((1, 2), tf.int32), state, memory)
    assert weights.dtype == tf.bfloat16 and weights.shape == (1, 2, 5)


class Middle(Attention):
    """Prefers the middle of a sentence; it is wrong or right with the function that tells the lengths."""

    def __init__(self, units, lengths):
        super().__init__(units)
        self.lengths = lengths

    def score(self, queries, memory):
        positions = tf.range(tf.shape(memory.keys)[1], dtype=tf.float32)
        distances = positions - self.lengths(memory)[:, tf.newaxis] / 2.0  # (B, S)
        return -tf.repeat(tf.square(distances)[:, tf.newaxis], tf.shape(queries)[1], axis=1)  # (B, T, S)


def real_lengths(memory):
    return tf.reduce_sum(tf.cast(memory.mask, tf.float32), axis=1)


def padded_width(memory):
    return tf.fill(tf.shape(memory.keys)[:1], tf.cast(tf.shape(memory.keys)[1], tf.float32))


def length_of_the_longest(memory):
    return tf.fill(tf.shape(memory.keys)[:1], tf.reduce_max(real_lengths(memory)))


@pytest.mark.parametrize("wrong", [padded_width, length_of_the_longest])
def test_a_layer_that_uses_the_padded_width_or_a_batch_mate_is_caught(wrong):
    assert_padding_and_batch_mates_change_nothing(BahdanauDecoder(V, E, H, Middle(H, real_lengths)))
    with pytest.raises(AssertionError, match="Mismatched elements"):
        assert_padding_and_batch_mates_change_nothing(BahdanauDecoder(V, E, H, Middle(H, wrong)))
