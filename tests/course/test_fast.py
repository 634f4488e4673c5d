"""Each entry of `fast` against the plain line that it replaces."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from precision import HALF

from nmt_attention import Encoder, ModelConfig, Seq2Seq, cross_entropy
from nmt_attention.decoding.sampling import draw
from nmt_attention.fast import FusedAdam, scan, top_k


def test_a_scan_is_a_loop_over_the_steps_with_the_same_gradient():
    inputs = tf.random.stateless_normal((3, 5, 4), [1, 1])

    def step(row, state):
        state = tf.tanh(row + 2 * state)
        return (state, state**2), state

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(inputs)
        found = scan(step, inputs, tf.ones((3, 4)), num_outputs=2)
        rows, state = [], tf.ones((3, 4))
        for t in range(5):
            outputs, state = step(inputs[:, t], state)
            rows.append(outputs)
        expected = [tf.stack(column, axis=1) for column in zip(*rows, strict=True)]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
        np.testing.assert_allclose(tape.gradient(one, inputs), tape.gradient(other, inputs), atol=1e-5)


def test_weights_cast_once_before_a_loop_give_the_same_logits_and_gradients():
    keras.utils.set_random_seed(0)
    model = Seq2Seq(ModelConfig(9, 7, units=8, embedding_units=6, decoder_layers=2), HALF)

    def gradients(source_ids, target_in):
        with tf.GradientTape() as tape:
            logits, _ = model(source_ids, target_in)
            loss = tf.reduce_sum(logits * tf.cos(tf.range(7.0)))
        return logits, [tf.convert_to_tensor(gradient) for gradient in tape.gradient(loss, model.trainable_variables)]

    batch = tf.constant([[4, 5, 6], [7, 0, 0]]), tf.constant([[1, 4, 6, 5], [1, 5, 0, 0]])
    (logits, found), (eager_logits, expected) = tf.function(gradients)(*batch), gradients(*batch)  # casts at every step
    np.testing.assert_allclose(logits, eager_logits, atol=2e-2)
    for one, other, weight in zip(found, expected, model.trainable_variables, strict=True):
        assert one.dtype == other.dtype == tf.float32
        np.testing.assert_allclose(one, other, atol=2e-2 * np.abs(other).max() + 1e-3, err_msg=weight.path)


@pytest.mark.parametrize(
    ("cell", "bidirectional", "layers", "dtype"),
    [("gru", True, 2, "float32"), ("lstm", False, 2, "float32"), ("lstm", True, 1, HALF)],
)
def test_the_encoder_reads_as_the_layers_of_keras(cell, bidirectional, layers, dtype):
    keras.utils.set_random_seed(1)
    encoder = Encoder(50, 12, 16, layers=layers, cell=cell, bidirectional=bidirectional, use_cudnn=False, dtype=dtype)
    ids = tf.constant([[5, 6, 7, 8, 9], [7, 8, 9, 0, 0], [9, 0, 0, 0, 0]])
    encoder(ids, ids != 0)
    for weight in encoder.trainable_weights:
        weight.assign(weight + 0.1 * tf.random.stateless_normal(weight.shape, [1, len(weight.path)]))
    real = tf.cast(ids != 0, tf.float32)[..., tf.newaxis]

    def run():
        with tf.GradientTape() as tape:
            values, state = (tf.cast(tensor, tf.float32) for tensor in encoder(ids, ids != 0))
            loss = tf.reduce_sum(real * values**2) + tf.reduce_sum(state**3)
        gradients = tape.gradient(loss, encoder.trainable_variables)
        return [real * values, state, *map(tf.convert_to_tensor, gradients)]

    found = []
    for encoder.cudnn in (False, True):  # True: Keras' layers, which run without a GPU, too
        found.append(tf.function(run)())  # a graph of its own
    for one, other in zip(*found, strict=True):
        tolerance = 1e-4 if dtype == "float32" else 0.02
        np.testing.assert_allclose(one, other, atol=tolerance * max(1.0, np.abs(other).max()))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_and_gradient_are_those_that_tensorflow_derives(smoothing):
    random = np.random.default_rng(0)
    target = tf.constant([[3, 4, 0], [1, 0, 0]])
    logits = tf.Variable(random.normal(size=(2, 3, 5)) * 40, dtype=tf.float32)  # far from each other: no overflow
    with tf.GradientTape(persistent=True) as tape:
        loss, nll, _ = cross_entropy(logits, target, smoothing)
        both = loss + 3 * nll  # each has a gradient of its own
        real = tf.cast(target != 0, tf.float32)
        expected_nll = tf.reduce_sum(real * tf.nn.sparse_softmax_cross_entropy_with_logits(target, logits))
        smooth = (1 - smoothing) * tf.one_hot(target, 5) + smoothing / 5
        expected = -tf.reduce_sum(real[..., tf.newaxis] * smooth * tf.nn.log_softmax(logits))
        expected_both = expected + 3 * expected_nll
    np.testing.assert_allclose([loss, nll], [expected, expected_nll], rtol=1e-6)
    for found, wanted in ((loss, expected), (nll, expected_nll), (both, expected_both)):
        np.testing.assert_allclose(tape.gradient(found, logits), tape.gradient(wanted, logits), atol=1e-6)


def test_the_fused_optimizer_is_adam():
    random = np.random.default_rng(0)
    gradients = random.normal(size=(5, 3, 4)).astype(np.float32)
    found = []
    for kind in (FusedAdam, keras.optimizers.Adam):
        variable = keras.Variable(np.ones((3, 4), np.float32))
        optimizer = kind(keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5), beta_2=0.998)
        for gradient in gradients:
            optimizer.apply_gradients([(tf.constant(gradient), variable)])
        found.append(np.asarray(variable))
    np.testing.assert_allclose(*found, rtol=1e-5)


@pytest.mark.parametrize(("size", "k"), [(4000, 5), (4000, 1), (320, 2), (320, 5), (37, 3), (7, 7)])
def test_the_highest_scores_are_those_of_a_sort_even_if_some_are_equal(size, k):
    scores = tf.round(tf.random.stateless_normal((6, size), [size, k]) * 2)  # whole numbers: many are equal
    scores = tf.concat([scores, tf.fill((1, size), -float("inf"))], axis=0)
    for one, other in zip(top_k(scores, k), tf.math.top_k(scores, k), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("size", [4000, 320, 37])
def test_a_draw_falls_where_the_running_sum_of_all_words_passes_it_and_on_no_word_without_probability(size):
    rng = np.random.default_rng(size)
    probs = rng.integers(0, 3, (200, size)) / 8  # sums without rounding, many of them of nothing
    probs[:, -5:] = 0
    numbers = np.concatenate([np.zeros(20), np.full(20, 1 - 2**-24), rng.integers(0, 64, 160) / 64])
    ends = np.cumsum(probs, axis=1)
    expected = np.argmax(ends > (numbers.astype(np.float32) * ends[:, -1])[:, np.newaxis], axis=1)
    np.testing.assert_array_equal(draw(tf.constant(probs, tf.float32), tf.constant(numbers, tf.float32)), expected)
    probs = rng.dirichlet(np.full(size, 0.01), 500).astype(np.float32)  # a few words have it all
    probs[probs < 1e-6] = 0
    for number in (0.0, 1e-30, 0.5, 1 - 2**-24):
        found = draw(tf.constant(probs), tf.fill([500], tf.constant(number, tf.float32)))
        assert (tf.gather(probs, found, axis=1, batch_dims=1).numpy() > 0).all()
