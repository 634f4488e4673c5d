"""Several models translate as one: the mean of their probabilities and of their attention."""

import dataclasses

import numpy as np
import pytest
import tensorflow as tf
from tiny import ENGLISH, MARATHI, parts

from nmt_attention import Seq2Seq, Translator, WordTokenizer, save_bundle
from nmt_attention.decoding.ensemble import Ensemble


class Model:
    """Says the same at every step, and counts the steps in its state."""

    def __init__(self, probs, attention):
        self.log_probs, self.attention = np.log(np.array(probs, np.float32)), np.array(attention, np.float32)
        self.config = None

    def encode(self, source_ids):
        return (tf.zeros([1], tf.int32),), source_ids

    def step(self, token_ids, state, memory):
        logits = self.log_probs[np.newaxis] + 5.0  # any constant is as good
        return logits, (state[0] + 1,), tf.constant([self.attention])

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
    one = Ensemble([SECOND])
    alone, _, _ = one.step(tf.constant([1]), *one.encode(tf.ones([1, 2], tf.int32)))
    np.testing.assert_array_equal(alone[0], SECOND.log_probs + np.float32(5.0))  # as it is
    _, state, _ = ensemble.step(tf.constant([1]), state, memory)
    assert [int(count[0]) for (count,) in state] == [2, 2]
    logits, weights = ensemble(tf.ones([1, 2], tf.int32), tf.ones([1, 3], tf.int32))  # of given sentences
    np.testing.assert_allclose(np.exp(logits), [[[0.3125, 0.1875, 0.5]] * 3], rtol=1e-6)
    np.testing.assert_allclose(weights, [[[0.75, 0.25]] * 3])


def test_a_token_that_one_model_excludes_keeps_the_others_share():
    with np.errstate(divide="ignore"):
        ensemble = Ensemble([Model([1.0, 0.0, 0.0], [1.0, 0.0]), SECOND])
    logits, _, _ = ensemble.step(tf.constant([1]), *ensemble.encode(tf.ones([1, 2], tf.int32)))
    np.testing.assert_allclose(np.exp(logits), [[0.5625, 0.0625, 0.375]], rtol=1e-6)


@pytest.fixture(scope="module")
def two():
    """Two models of different sizes, and the tokenisers of both."""
    (first, *tokenizers), (second, *_) = parts(), parts(units=8)
    return [first, second], tokenizers


@pytest.mark.parametrize("search", [{}, {"beam_size": 3}, {"samples": 3}])
def test_a_model_twice_translates_like_the_model(two, search):
    models, tokenizers = two
    once, twice = Translator(models[0], *tokenizers), Translator(Ensemble([models[0]] * 2), *tokenizers)
    for alone, both in zip(once.n_best(ENGLISH, **search), twice.n_best(ENGLISH, **search), strict=True):
        assert [t.target_tokens for t in alone] == [t.target_tokens for t in both]
        for one, two in zip(alone, both, strict=True):
            np.testing.assert_allclose(one.score, two.score, rtol=1e-4)
            np.testing.assert_allclose(one.attention, two.attention, atol=1e-5)


def test_models_are_loaded_together_if_their_tokenisers_are_the_same(two, tmp_path):
    models, tokenizers = two
    for name, model in zip("ab", models, strict=True):
        save_bundle(tmp_path / name, model, *tokenizers)
    loaded = Translator.load(tmp_path / "a", tmp_path / "b").translate(ENGLISH)
    expected = Translator(Ensemble(models), *tokenizers).translate(ENGLISH)
    assert [t.text for t in loaded] == [t.text for t in expected]
    assert [t.text for t in loaded] != [t.text for t in Translator(models[0], *tokenizers).translate(ENGLISH)]

    other = WordTokenizer.learn([*MARATHI, "ती घरी जाते."], 60)
    config = dataclasses.replace(models[0].config, target_vocabulary_size=len(other))
    save_bundle(tmp_path / "c", Seq2Seq(config), tokenizers[0], other)
    with pytest.raises(ValueError, match="a and .*c: an ensemble's target tokenisers must be the same"):
        Translator.load(tmp_path / "a", tmp_path / "c")
