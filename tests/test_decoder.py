import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.attention import ATTENTIONS, BahdanauAttention
from nmt_attention.decoder import Decoder, GRUCell, LSTMCell

V, E, H, S = 11, 6, 8, 4


@pytest.fixture(params=[("gru", name) for name in ATTENTIONS] + [("lstm", "bahdanau")], ids=str)
def decoder(request):
    cell, name = request.param
    keras.utils.set_random_seed(0)
    return Decoder(V, E, H, ATTENTIONS[name](H), cell=cell)


def start(decoder, rows=3):
    rng = np.random.default_rng(0)
    values = tf.constant(rng.normal(size=(rows, S, H)), tf.float32)
    mask = tf.sequence_mask([S, 2, 1][:rows], S)
    state = tf.constant(rng.normal(size=(rows, H)), tf.float32)
    return decoder.initial_state(state), decoder.attention.memory(values, mask, state)


def target(rows=3, length=5):
    return tf.constant(np.random.default_rng(1).integers(4, V, (rows, length)), tf.int32)


def test_the_whole_sequence_is_the_step_repeated(decoder):
    state, memory = start(decoder)
    logits, weights = decoder(target(), state, memory)
    assert logits.shape == (3, 5, V) and weights.shape == (3, 5, S)
    for t in range(5):
        features, state, step_weights = decoder.step(target()[:, t], state, memory)
        np.testing.assert_allclose(decoder.logits(features), logits[:, t], atol=1e-5)
        np.testing.assert_allclose(step_weights, weights[:, t], atol=1e-6)


def test_one_step_is_enough(decoder):
    state, memory = start(decoder)
    logits, weights = decoder(target(length=1), state, memory)
    assert logits.shape == (3, 1, V) and weights.shape == (3, 1, S)


def test_a_row_does_not_depend_on_its_batch_mates(decoder):
    state, memory = start(decoder)
    together, _ = decoder(target(), state, memory)
    alone, _ = decoder(target()[1:2], tuple(h[1:2] for h in state), type(memory)(*(tensor[1:2] for tensor in memory)))
    np.testing.assert_allclose(together[1:2], alone, atol=1e-5)


def test_later_tokens_change_nothing_before_them(decoder):
    state, memory = start(decoder)
    first, _ = decoder(target(), state, memory)
    changed = tf.concat([target()[:, :3], 14 - target()[:, 3:]], axis=1)
    second, _ = decoder(changed, state, memory)
    np.testing.assert_allclose(first[:, :3], second[:, :3], atol=1e-6)
    assert not np.allclose(first[:, 3:], second[:, 3:])


def test_the_state_before_a_step_matters():
    decoder = Decoder(V, E, H, BahdanauAttention(H))
    state, memory = start(decoder)
    features, *_ = decoder.step(target()[:, 0], state, memory)
    other, *_ = decoder.step(target()[:, 0], tuple(-h for h in state), memory)
    assert not np.allclose(features, other)


def test_gradients_reach_every_weight(decoder):
    with tf.GradientTape() as tape:
        state, memory = start(decoder)
        logits, _ = decoder(target(), state, memory)
        loss = tf.reduce_sum(logits**2)
    for variable, gradient in zip(
        decoder.trainable_variables, tape.gradient(loss, decoder.trainable_variables), strict=True
    ):
        assert gradient is not None and np.any(tf.convert_to_tensor(gradient)), variable.path


def test_gru_cell_equals_keras_gru_cell():
    ours, theirs = GRUCell(H), keras.layers.GRUCell(H, reset_after=True)
    x, h = (tf.constant(np.random.default_rng(i).normal(size=(2, H)), tf.float32) for i in (0, 1))
    theirs(x, [h])
    theirs.bias.assign(np.random.default_rng(2).normal(size=(2, 3 * H)))
    projected = tf.matmul(x, theirs.kernel) + theirs.bias[0]
    ours(projected, (h,))
    ours.recurrent.kernel.assign(theirs.recurrent_kernel)
    ours.recurrent.bias.assign(theirs.bias[1])
    np.testing.assert_allclose(ours(projected, (h,))[0], theirs(x, [h])[0], atol=1e-6)


def test_lstm_cell_equals_keras_lstm_cell_with_unit_forget_bias():
    ours, theirs = LSTMCell(H), keras.layers.LSTMCell(H, unit_forget_bias=True)
    x, h, c = (tf.constant(np.random.default_rng(i).normal(size=(2, H)), tf.float32) for i in range(3))
    expected = theirs(x, [h, c])[1]
    projected = tf.matmul(x, theirs.kernel)  # the forget gate's bias of 1 is part of our cell
    ours(projected, (h, c))
    ours.recurrent.kernel.assign(theirs.recurrent_kernel)
    for result, wanted in zip(ours(projected, (h, c)), expected, strict=True):
        np.testing.assert_allclose(result, wanted, atol=1e-6)


def test_output_weights_are_the_target_embedding():
    decoder = Decoder(V, E, H, BahdanauAttention(H))
    decoder(target(), *start(decoder))
    features = np.random.default_rng(0).normal(size=(2, 3, E)).astype(np.float32)
    expected = features @ np.asarray(decoder.embedding.embeddings).T + np.asarray(decoder.output_bias)
    np.testing.assert_allclose(decoder.logits(tf.constant(features)), expected, atol=1e-5)
