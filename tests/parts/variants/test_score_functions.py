"""The scores of cosine and location attention by hand."""

import numpy as np
import tensorflow as tf

from nmt_attention.variants.attentions import CosineAttention, LocationAttention


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
