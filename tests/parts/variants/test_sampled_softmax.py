"""The loss with some words' logits: equal to that of all words if all are drawn, right in expectation if not."""

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import ModelConfig, Seq2Seq, TrainConfig, cross_entropy, make_optimizer, make_train_step
from nmt_attention.variants.sampled_softmax import sampled_loss

WORDS = tf.constant([5, 7, 5, 30])
SIZES = {"source_vocabulary_size": 20, "target_vocabulary_size": 40, "units": 8, "embedding_units": 6}


def make_model(**settings):
    return Seq2Seq(ModelConfig(**SIZES, **settings))


def features(model):
    return tf.random.stateless_normal((len(WORDS), 6 * len(model.decoder.output_vectors())), [1, 2]) * 2


@pytest.mark.parametrize(("settings", "smoothing"), [({}, 0.0), ({}, 0.1), ({"lexical": True}, 0.1)], ids=str)
def test_with_all_words_drawn_loss_and_gradient_are_those_of_cross_entropy(settings, smoothing):
    model, found = make_model(**settings), []
    rows, config = features(model), TrainConfig(sampled=1.0, label_smoothing=smoothing)
    model.decoder.output_bias.assign(tf.random.stateless_normal((40,), [3, 4]))
    for loss_of in (
        lambda: sampled_loss(model, rows, WORDS, config, tf.constant(0)),
        lambda: cross_entropy(model.logits(rows), WORDS, smoothing)[:2],
    ):
        with tf.GradientTape() as tape:
            tape.watch(rows)
            loss, nll = loss_of()
        weights = [rows, model.decoder.output_bias, *model.decoder.output_vectors()]
        found.append([loss, nll, *map(tf.convert_to_tensor, tape.gradient(loss, weights))])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_sums_over_the_vocabulary_are_right_in_expectation():
    model, draws = make_model(), 4000
    rows, config = features(model)[:1], TrainConfig(sampled=0.3, label_smoothing=0.1)
    logits, word = model.logits(rows)[0], WORDS[:1]

    @tf.function
    def estimate(step):
        loss, nll = sampled_loss(model, rows, word, config, step)
        return tf.exp(nll + logits[5]), logits[5] - (loss - nll) / 0.1  # the partition sum, and the mean logit

    found = np.array([estimate(tf.constant(step)) for step in range(draws)])
    error = found.std(axis=0) / np.sqrt(draws)
    expected = [tf.reduce_sum(tf.exp(logits)), tf.reduce_mean(logits)]
    assert (error > 0).all()  # it does draw
    assert (np.abs(found.mean(axis=0) - expected) < 4 * error).all()


def test_a_step_draws_the_same_words_again_and_another_step_or_seed_others():
    model = make_model()
    rows = features(model)

    def loss(step, seed=1):
        return float(sampled_loss(model, rows, WORDS, TrainConfig(sampled=0.3, seed=seed), tf.constant(step))[0])

    assert loss(3) == loss(3)
    assert len({loss(3), loss(4), loss(3, seed=2)}) == 3


def test_training_computes_the_logits_of_the_words_it_needs(monkeypatch):
    model, config, asked = make_model(), TrainConfig(sampled=0.1), []
    logits = model.logits
    monkeypatch.setattr(model, "logits", lambda rows, words=None: asked.append(words) or logits(rows, words))
    step = make_train_step(model, make_optimizer(model, 10, config), config)
    ids = tf.constant([[5, 6, 3]])
    before = model.decoder.output_bias.numpy()
    for _ in range(2):  # the first step's learning rate is 0
        step(ids, ids, ids)
    assert [words is not None for words in asked] == [True]
    changed = model.decoder.output_bias.numpy() != before
    assert changed[[5, 6, 3]].all() and changed.sum() < 20
