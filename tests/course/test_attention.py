"""Scores, weights and contexts worked out by hand, against Keras' layers, and the laws that every attention keeps."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from precision import DTYPE, HALF
from tiny import random

from nmt_attention import BahdanauAttention, ConcatAttention, DotAttention, GeneralAttention, ScaledDotAttention
from nmt_attention.attention import NoAttention, UniformAttention
from nmt_attention.parts import PARTS, part_of

MASK = np.array([[True] * 4, [True, True, False, False], [True, False, False, False]])


def look(attention, query, values, mask=None, state=None):
    """Returns context and weights of each query `(B, H)`."""
    mask = np.ones(np.shape(values)[:2], bool) if mask is None else mask
    memory = attention.memory(tf.constant(values, tf.float32), tf.constant(mask), state)
    return attention(tf.constant(query, tf.float32), memory)


def scores_of(attention, query, values, **weights):
    """Returns the score of each of one sentence's values for one query, with these matrices in the layers."""
    look(attention, [query], [values])  # makes the weights
    for name, matrix in weights.items():
        layer = getattr(attention, name)
        getattr(layer, "kernel", layer).assign(matrix)
    memory = attention.memory(tf.constant([values], tf.float32), tf.ones((1, len(values)), bool), None)
    return attention.score(tf.constant([[query]], tf.float32), memory)[0, 0]


def test_scores_by_hand():
    weights = {"query_layer": np.eye(2), "key_layer": np.eye(2), "score_vector": [[1.0], [2.0]]}
    # q = (1, 0): e_1 = 1 tanh(1 + 0) + 2 tanh(0 + 1) = 3 tanh 1;  e_2 = 1 tanh(1 + 1) + 2 tanh(0) = tanh 2
    found = scores_of(BahdanauAttention(2), [1, 0], [[0, 1], [1, 0]], **weights)
    np.testing.assert_allclose(found, [3 * np.tanh(1.0), np.tanh(2.0)], rtol=1e-6)
    # state [10, 5, 10] against [0,1,1] [5,0,1] [1,1,0] [0,5,1]: 5 + 10, 50 + 10, 10 + 5, 25 + 10
    products = [10, 5, 10], [[0, 1, 1], [5, 0, 1], [1, 1, 0], [0, 5, 1]]
    np.testing.assert_allclose(scores_of(DotAttention(3), *products), [15, 60, 15, 35])
    scaled = np.array([15, 60, 15, 35]) / np.sqrt(3)
    np.testing.assert_allclose(scores_of(ScaledDotAttention(3), *products), scaled, rtol=1e-6)
    # (1, 0) W = (0, 1) and (0, 1) W = (2, 0); with q = (3, 5): 5 and 6, divided by √2
    found = scores_of(GeneralAttention(2), [3, 5], np.eye(2), key_layer=[[0.0, 1.0], [2.0, 0.0]])
    np.testing.assert_allclose(found, np.array([5, 6]) / np.sqrt(2), rtol=1e-6)


@pytest.mark.parametrize(
    ("kind", "scale"),
    [
        *((kind, None) for kind in (BahdanauAttention, ConcatAttention)),
        *((DotAttention, 1.0), (ScaledDotAttention, 6**-0.5), (GeneralAttention, 6**-0.5)),
    ],
)
def test_weights_and_context_equal_those_of_keras_for_the_same_keys(kind, scale):
    attention, values, query = kind(6), random(3, 4, 6), random(3, 6, seed=1)
    oracle = (keras.layers.Attention if scale else keras.layers.AdditiveAttention)(use_scale=True)
    context, weights = look(attention, query, values, MASK)
    mapped = attention.query_layer(query) if hasattr(attention, "query_layer") else tf.constant(query)
    inputs = [mapped[:, None], tf.constant(values), attention.project(tf.constant(values))]
    oracle.build([tuple(tensor.shape) for tensor in inputs])
    oracle.scale.assign(scale or attention.score_vector[:, 0])
    expected, expected_weights = oracle(inputs, mask=[None, MASK, MASK], return_attention_scores=True)
    np.testing.assert_allclose(weights, expected_weights[:, 0], atol=1e-6)
    np.testing.assert_allclose(context, expected[:, 0], atol=1e-6)


def test_uniform_attention_is_the_mean_of_the_real_values_and_no_attention_the_final_state():
    values, state = random(3, 4, 6), tf.constant(random(3, 6))
    context, weights = look(UniformAttention(6), random(3, 6), values, MASK)
    np.testing.assert_allclose(weights, MASK / MASK.sum(axis=1, keepdims=True), atol=1e-6)
    np.testing.assert_allclose(context, [v[real].mean(axis=0) for v, real in zip(values, MASK, strict=True)], atol=1e-5)
    context, weights = look(NoAttention(6), random(3, 7), values, MASK, state)
    np.testing.assert_array_equal(context, state)
    np.testing.assert_array_equal(weights, np.eye(4)[[3, 1, 0]])  # the last real positions


@pytest.mark.parametrize("name", PARTS["attention"])
def test_one_query_many_queries_and_many_hypotheses_are_looked_at_alike(name):
    attention, state = part_of("attention", name)(6), tf.constant(random(3, 6))
    values, queries = random(3, 4, 6) * 5, random(3, 5, 6, seed=1)
    contexts, weights = look(attention, queries, values, MASK, state)
    np.testing.assert_allclose(np.sum(weights, axis=-1), 1.0, atol=1e-6)
    assert np.all(weights >= 0) and not np.any(np.asarray(weights)[~np.repeat(MASK[:, None], 5, axis=1)])
    hypotheses, their_weights = look(attention, queries.reshape(15, 6), values, MASK, state)  # five of each sentence
    np.testing.assert_allclose(tf.reshape(contexts, (15, 6)), hypotheses, atol=1e-5)
    np.testing.assert_allclose(tf.reshape(weights, (15, 4)), their_weights, atol=1e-6)
    context, one = look(attention, queries[:, 2], values, MASK, state)
    np.testing.assert_allclose(contexts[:, 2], context, atol=1e-5)
    np.testing.assert_allclose(weights[:, 2], one, atol=1e-6)


def test_in_half_the_bits_weights_have_its_precision_and_variables_are_float32():
    attention = BahdanauAttention(6, dtype=HALF)
    values, mask = tf.cast(random(3, 4, 6), DTYPE), tf.constant(MASK)
    context, weights = attention(tf.cast(random(3, 6), DTYPE), attention.memory(values, mask, None))
    assert context.dtype == weights.dtype == DTYPE
    assert {variable.dtype for variable in attention.weights} == {"float32"}
    np.testing.assert_allclose(np.sum(tf.cast(weights, tf.float32), axis=1), 1.0, atol=0.02)
