import keras
import numpy as np
import tensorflow as tf
from precision import DTYPE, HALF
from tiny import random

from nmt_attention.variants.attentions import CosineAttention, LocalAttention, LocationAttention, MultiHeadAttention

MASK = np.array([[True] * 5, [True, True, False, False, False]])


def scores_of(attention, query, values):
    memory = attention.memory(tf.constant([values], tf.float32), tf.ones((1, len(values)), bool), None)
    query = tf.constant([query], tf.float32)
    attention(query, memory)  # makes the weights
    return attention.score(query[:, tf.newaxis], memory)[0, 0]


def test_cosine_does_not_see_lengths():
    beta = np.log1p(np.exp(5.0))
    # angles of 0, 90 and 180 degrees; then the zero vector, which has no direction
    scores = scores_of(CosineAttention(2), [3, 0], [[0.5, 0], [0, 70], [-9, 0], [0, 0]])
    np.testing.assert_allclose(scores, [beta, 0, -beta, 0], atol=1e-5)


def test_location_sees_the_state_alone():
    attention = LocationAttention(2)
    first = scores_of(attention, [1, 2], [[1, 0], [0, 1], [3, 3]])
    np.testing.assert_array_equal(first, scores_of(attention, [1, 2], [[7, 7], [8, 8], [9, 9]]))
    kernel = np.asarray(attention.position_layer.kernel)
    np.testing.assert_allclose(first, (np.array([[1, 2]]) @ kernel)[0, :3], rtol=1e-5)
    long = scores_of(attention, [1, 2], np.zeros((60, 2)))
    assert long.shape == (60,) and not np.any(long[LocationAttention.positions :])


def test_local_attention_of_many_units_and_sentences_is_the_papers_equation():
    attention, values, queries = LocalAttention(6), random(2, 5, 6), random(2, 3, 6, seed=1)
    memory = attention.memory(tf.constant(values), tf.constant(MASK), None)
    contexts, weights = attention(tf.constant(queries), memory)
    layers = attention.key_layer, attention.hidden_layer, attention.position_layer
    key, hidden, position = (np.asarray(layer.kernel) for layer in layers)
    for b, length in enumerate((5, 2)):
        for t, query in enumerate(queries[b]):
            align = np.exp([query @ (key.T @ values[b, j]) / np.sqrt(6) for j in range(length)])
            predicted = length / (1 + np.exp(-np.tanh(query @ hidden) @ position[:, 0]))
            shares = align * [np.exp(-((j - predicted) ** 2) / (2 * 2.0**2)) for j in range(length)]  # sigma = 4 / 2
            np.testing.assert_allclose(weights[b, t, :length], shares / shares.sum(), rtol=1e-4)
            np.testing.assert_allclose(contexts[b, t], shares / shares.sum() @ values[b, :length], atol=1e-5)


def test_positions_of_local_attention_are_exact_in_half_the_bits():
    attention = LocalAttention(2, dtype=HALF)
    attention.build((1, 2), None)
    attention.position_layer.kernel.assign(tf.zeros((2, 1)))
    memory = attention.memory(tf.zeros((1, 606, 2), DTYPE), tf.ones((1, 606), bool), None)
    queries = tf.ones((1, 1, 2), DTYPE)
    scores = attention.score(queries, memory)[0, 0]
    # all else is 0 and p = 606 / 2 = 303: at 302, 303 and 304, -1/8, 0 and -1/8; bfloat16 has none of these positions
    np.testing.assert_allclose(scores[302:305], [-1 / 8, 0, -1 / 8], atol=1e-6)
    context, weights = attention(queries, memory)
    assert context.dtype == weights.dtype == DTYPE and np.argmax(weights) == 303


def test_multi_head_equals_keras_multi_head_attention():
    attention, values, queries = MultiHeadAttention(8), random(2, 5, 8), random(2, 3, 8, seed=1)
    memory = attention.memory(tf.constant(values), tf.constant(MASK), None)
    contexts, weights = attention(tf.constant(queries), memory)
    oracle = keras.layers.MultiHeadAttention(num_heads=4, key_dim=2, use_bias=False)
    oracle.build(queries.shape, values.shape)
    layers = attention.query_layer, attention.key_layer, attention.value_layer, attention.output_layer
    oracle.set_weights([np.reshape(layer.kernel, (4, 2, 8) if i == 3 else (8, 4, 2)) for i, layer in enumerate(layers)])
    expected, of_heads = oracle(queries, values, attention_mask=MASK[:, np.newaxis], return_attention_scores=True)
    np.testing.assert_allclose(contexts, expected, atol=1e-5)
    np.testing.assert_allclose(weights, np.mean(of_heads, axis=1), atol=1e-6)


def test_a_width_that_the_heads_do_not_divide_is_rounded_up():
    attention = MultiHeadAttention(6)
    memory = attention.memory(tf.constant(random(2, 5, 6)), tf.constant(MASK), None)
    context, weights = attention(tf.constant(random(2, 6)), memory)
    assert [part.shape for part in memory.keys] == [(2, 4, 5, 2)] * 2
    assert context.shape == (2, 6) and weights.shape == (2, 5)
