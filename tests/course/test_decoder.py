"""Every decoder writes a sentence at once as it writes it step by step; some steps by hand."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import PARTS, BahdanauDecoder, DotAttention, part_of, with_lexical_model
from nmt_attention.variants.decoders import InputFeedingDecoder, LuongDecoder

V, E, H, S = 11, 6, 8, 4
VARIANTS = [  # decoder, attention, layers, cell, with lexical model
    (decoder, *variant)
    for decoder in PARTS["decoder"]
    for variant in (("bahdanau", 3, "gru", False), ("general", 2, "lstm", True))
]


@pytest.fixture(params=VARIANTS, ids=str)
def decoder(request):
    name, attention, layers, cell, lexical = request.param
    keras.utils.set_random_seed(0)
    kind = with_lexical_model(part_of("decoder", name)) if lexical else part_of("decoder", name)
    return kind(V, E, H, part_of("attention", attention)(H), layers=layers, cell=cell)


def start(decoder, rows=3):
    random = np.random.default_rng(0)
    values, state, tokens = (
        tf.constant(random.normal(size=shape), tf.float32) for shape in ((rows, S, H), (rows, H), (rows, S, E))
    )
    memory = decoder.attention.memory(values, tf.sequence_mask([S, 2, 1][:rows], S), state)
    return decoder.initial_state(state), memory._replace(tokens=tokens)


def target(rows=3, length=5):
    return tf.constant(np.random.default_rng(1).integers(4, V, (rows, length)), tf.int32)


def test_a_whole_sentence_is_its_steps_one_by_one(decoder):
    state, memory = start(decoder)
    logits, weights = decoder(target(), state, memory)
    assert logits.shape == (3, 5, V) and weights.shape == (3, 5, S)
    for t in range(5):
        features, state, step_weights = decoder.step(target()[:, t], state, memory)
        np.testing.assert_allclose(decoder.logits(features), logits[:, t], atol=1e-5)
        np.testing.assert_allclose(step_weights, weights[:, t], atol=1e-6)


def test_gradients_reach_every_weight(decoder):
    with tf.GradientTape() as tape:
        logits, _ = decoder(target(), *start(decoder))
        loss = tf.reduce_sum(logits**2)
    variables = decoder.trainable_variables
    for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
        assert gradient is not None and np.any(tf.convert_to_tensor(gradient)), variable.path


def test_input_feeding_tells_the_next_step_what_this_one_saw():
    decoder = InputFeedingDecoder(V, E, H, DotAttention(H))
    (layers, nothing), memory = start(decoder)
    assert not np.any(nothing)
    features, (_, attentional), _ = decoder.step(target()[:, 0], (layers, nothing), memory)
    np.testing.assert_array_equal(attentional, features)
    first, second = (decoder.step(target()[:, 1], (layers, fed), memory)[0] for fed in (attentional, nothing))
    assert not np.allclose(first, second)


@pytest.mark.parametrize(
    ("kind", "query"),
    [(BahdanauDecoder, 0.5), (LuongDecoder, 0.25)],  # the state before the step, the state after it
)
def test_a_step_by_hand(kind, query):
    # one unit each; the GRU has z = sigmoid(0) = 1/2 and candidate tanh(0) = 0, so s' = s / 2 = 0.25
    decoder = kind(V, 1, 1, DotAttention(1))
    memory = decoder.attention.memory(tf.constant([[[0.0], [4.0]]]), tf.ones((1, 2), bool), None)
    decoder(tf.constant([[4]]), decoder.initial_state(tf.ones((1, 1))), memory)  # makes the weights
    for weight in decoder.weights:
        if not weight.dtype.startswith("uint"):
            weight.assign(tf.zeros_like(weight))
    features, ((after,),), weights = decoder.step(tf.constant([4]), ((tf.constant([[0.5]]),),), memory)
    np.testing.assert_allclose(after, [[0.25]])
    # scores (0, 4 query): weights 1 / (1 + e), e / (1 + e) for Luong; the context is 4 times the second
    attended = np.exp(4 * query) / (1 + np.exp(4 * query))
    np.testing.assert_allclose(weights, [[1 - attended, attended]], rtol=1e-6)
    assert not np.any(features)
    # the readout's rows are those of [s' ; embed(y) ; context] and [context ; s']
    rows = {BahdanauDecoder: [[10.0], [0.0], [1.0]], LuongDecoder: [[1.0], [10.0]]}[kind]
    decoder.readout.kernel.assign(rows)
    features, *_ = decoder.step(tf.constant([4]), ((tf.constant([[0.5]]),),), memory)
    np.testing.assert_allclose(features, [[np.tanh(4 * attended + 10 * 0.25)]], rtol=1e-5)


@pytest.mark.parametrize("name", PARTS["decoder"])
def test_dropout_acts_in_training_alone_and_in_every_part_of_the_step(name):
    decoder = part_of("decoder", name)(V, E, H, DotAttention(H), layers=2, dropout=0.5)
    state, memory = start(decoder)
    once, _ = decoder(target(), state, memory)
    np.testing.assert_array_equal(once, decoder(target(), state, memory)[0])
    dropped, _ = decoder(target(), state, memory, training=True)
    assert not np.any(np.isclose(dropped[..., 4:], once[..., 4:], atol=1e-7))
