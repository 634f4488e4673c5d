import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.decoding.ensemble import Ensemble


class Model:
    """Says the same at every step, and counts the steps in its state."""

    def __init__(self, probs, attention):
        self.log_probs, self.attention = np.log(np.array(probs, np.float32)), np.array(attention, np.float32)
        self.config = None

    def encode(self, source_ids):
        return (tf.zeros([1], tf.int32),), source_ids

    def step(self, token_ids, state, memory):
        return (
            self.log_probs[np.newaxis] + 5.0,
            (state[0] + 1,),
            tf.constant([self.attention]),
        )  # any constant is as good

    def __call__(self, source_ids, target_in):
        steps = target_in.shape[1]
        return tf.constant([[self.log_probs] * steps]) - 3.0, tf.constant([[self.attention] * steps])


FIRST, SECOND = Model([0.5, 0.25, 0.25], [1.0, 0.0]), Model([0.125, 0.125, 0.75], [0.5, 0.5])


def test_probabilities_and_attention_are_averaged():
    ensemble = Ensemble([FIRST, SECOND])
    state, memory = ensemble.encode(tf.ones([1, 2], tf.int32))
    logits, state, weights = ensemble.step(tf.constant([1]), state, memory)
    np.testing.assert_allclose(np.exp(logits), [[0.3125, 0.1875, 0.5]], rtol=1e-6)
    np.testing.assert_allclose(weights, [[0.75, 0.25]])
    _, state, _ = ensemble.step(tf.constant([1]), state, memory)
    assert [int(count[0]) for (count,) in state] == [2, 2]


def test_given_sentences_get_the_same_means():
    logits, weights = Ensemble([FIRST, SECOND])(tf.ones([1, 2], tf.int32), tf.ones([1, 3], tf.int32))
    np.testing.assert_allclose(np.exp(logits), [[[0.3125, 0.1875, 0.5]] * 3], rtol=1e-6)
    np.testing.assert_allclose(weights, [[[0.75, 0.25]] * 3])


def test_a_single_model_is_left_as_it_is_and_none_is_refused():
    ensemble = Ensemble([SECOND])
    logits, _, weights = ensemble.step(tf.constant([1]), *ensemble.encode(tf.ones([1, 2], tf.int32)))
    np.testing.assert_array_equal(logits[0], SECOND.log_probs + np.float32(5.0))
    np.testing.assert_array_equal(weights, [[0.5, 0.5]])
    with pytest.raises(ValueError, match="models: expected at least one"):
        Ensemble([])


def test_a_token_that_one_model_excludes_keeps_the_others_share():
    with np.errstate(divide="ignore"):
        ensemble = Ensemble([Model([1.0, 0.0, 0.0], [1.0, 0.0]), SECOND])
    logits, _, _ = ensemble.step(tf.constant([1]), *ensemble.encode(tf.ones([1, 2], tf.int32)))
    np.testing.assert_allclose(np.exp(logits), [[0.5625, 0.0625, 0.375]], rtol=1e-6)
