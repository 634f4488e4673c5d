import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.attention import BahdanauAttention
from nmt_attention.decoder import BahdanauDecoder
from nmt_attention.variants.attentions import ATTENTIONS
from nmt_attention.variants.decoders import DECODERS, InputFeedingDecoder, LuongDecoder

V, E, H, S = 11, 6, 8, 4


VARIANTS = [
    *[("bahdanau", name, 1, "gru", False) for name in ATTENTIONS],
    *[(decoder, name, 1, "gru", False) for decoder in ("luong", "luong-input-feeding") for name in ("general", "none")],
    *[(decoder, "bahdanau", 3, "gru", False) for decoder in DECODERS],
    *[(decoder, "dot", layers, "lstm", False) for decoder in DECODERS for layers in (1, 2)],
    *[(decoder, "general", 1, "gru", True) for decoder in DECODERS],
]


@pytest.fixture(params=VARIANTS, ids=str)
def decoder(request):
    order, name, layers, cell, lexical = request.param
    keras.utils.set_random_seed(0)
    return DECODERS[order](V, E, H, ATTENTIONS[name](H), layers=layers, cell=cell, lexical=lexical)


def start(decoder, rows=3):
    rng = np.random.default_rng(0)
    values = tf.constant(rng.normal(size=(rows, S, H)), tf.float32)
    mask = tf.sequence_mask([S, 2, 1][:rows], S)
    state = tf.constant(rng.normal(size=(rows, H)), tf.float32)
    tokens = tf.constant(rng.normal(size=(rows, S, E)), tf.float32)
    return decoder.initial_state(state), decoder.attention.memory(values, mask, state)._replace(tokens=tokens)


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
    alone, _ = decoder(target()[1:2], *tf.nest.map_structure(lambda tensor: tensor[1:2], (state, memory)))
    np.testing.assert_allclose(together[1:2], alone, atol=1e-5)


def test_later_tokens_change_nothing_before_them(decoder):
    state, memory = start(decoder)
    first, _ = decoder(target(), state, memory)
    changed = tf.concat([target()[:, :3], 14 - target()[:, 3:]], axis=1)
    second, _ = decoder(changed, state, memory)
    np.testing.assert_allclose(first[:, :3], second[:, :3], atol=1e-6)
    assert not np.allclose(first[:, 3:], second[:, 3:])


def test_the_state_before_a_step_matters():
    decoder = BahdanauDecoder(V, E, H, BahdanauAttention(H))
    state, memory = start(decoder)
    features, *_ = decoder.step(target()[:, 0], state, memory)
    other, *_ = decoder.step(target()[:, 0], tf.nest.map_structure(tf.negative, state), memory)
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


def test_output_weights_are_the_target_embedding():
    decoder = BahdanauDecoder(V, E, H, BahdanauAttention(H))
    decoder(target(), *start(decoder))
    features = np.random.default_rng(0).normal(size=(2, 3, E)).astype(np.float32)
    expected = features @ np.asarray(decoder.embedding.embeddings).T + np.asarray(decoder.output_bias)
    np.testing.assert_allclose(decoder.logits(tf.constant(features)), expected, atol=1e-5)


def test_luong_looks_with_the_new_state_and_bahdanau_with_the_old():
    for kind, after in ((BahdanauDecoder, False), (LuongDecoder, True), (InputFeedingDecoder, True)):
        decoder = kind(V, E, H, ATTENTIONS["dot"](H))
        state, memory = start(decoder)
        _, _, weights = decoder.step(target()[:, 0], state, memory)
        _, _, other = decoder.step(14 - target()[:, 0], state, memory)
        assert np.allclose(weights, other) != after  # the old state does not know the token yet


def test_input_feeding_tells_the_next_step_what_this_one_saw():
    decoder = InputFeedingDecoder(V, E, H, ATTENTIONS["dot"](H))
    (layers, nothing), memory = start(decoder)
    assert not np.any(nothing)
    features, (_, attentional), _ = decoder.step(target()[:, 0], (layers, nothing), memory)
    np.testing.assert_array_equal(attentional, features)
    same_layers = (layers, attentional), (layers, nothing)
    first, second = (decoder.step(target()[:, 1], state, memory)[0] for state in same_layers)
    assert not np.allclose(first, second)


def test_luong_by_hand():
    # one unit each; the GRU has z = sigmoid(0) = 1/2 and candidate tanh(0) = 0, so s' = s / 2
    decoder = LuongDecoder(V, 1, 1, ATTENTIONS["dot"](1))
    memory = memory_of_0_and_4(decoder)
    for weight in (*decoder.stack.cells[0].weights, *decoder.token_layer.weights):
        weight.assign(tf.zeros_like(weight))
    decoder.readout.kernel.assign([[1.0], [10.0]])
    features, ((after,),), weights = decoder.step(tf.constant([4]), ((tf.constant([[0.5]]),),), memory)
    np.testing.assert_allclose(after, [[0.25]])
    # scores 0.25 · (0, 4) = (0, 1): weights 1 / (1 + e), e / (1 + e); context 4 e / (1 + e)
    attended = np.e / (1 + np.e)
    np.testing.assert_allclose(weights, [[1 - attended, attended]], rtol=1e-6)
    np.testing.assert_allclose(features, [[np.tanh(4 * attended + 10 * 0.25)]], rtol=1e-5)


def memory_of_0_and_4(decoder):
    memory = decoder.attention.memory(tf.constant([[[0.0], [4.0]]]), tf.ones((1, 2), bool), None)
    decoder(tf.constant([[4]]), decoder.initial_state(tf.ones((1, 1))), memory)  # makes the weights
    return memory


@pytest.mark.parametrize("kind", DECODERS.values())
def test_dropout_acts_in_training_alone_and_in_every_part_of_the_step(kind):
    decoder = kind(V, E, H, ATTENTIONS["dot"](H), layers=2, dropout=0.5)
    state, memory = start(decoder)
    once, _ = decoder(target(), state, memory)
    again, _ = decoder(target(), state, memory)
    np.testing.assert_array_equal(once, again)
    dropped, _ = decoder(target(), state, memory, training=True)
    assert not np.any(np.isclose(dropped[..., 4:], once[..., 4:], atol=1e-7))
