import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.attention import (
    BahdanauAttention,
    ConcatAttention,
    DotAttention,
    GeneralAttention,
    Memory,
    NoAttention,
    ScaledDotAttention,
    UniformAttention,
    masked_softmax,
)
from nmt_attention.variants.attentions import ATTENTIONS, CosineAttention, LocationAttention


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def memory_of(attention, values, mask, state=None):
    return attention.memory(tf.constant(values), tf.constant(mask), state)


def test_masked_softmax_by_hand():
    # exp(0) = 1 and exp(ln 3) = 3, so 1/4 and 3/4; the third position does not exist, whatever its score
    scores = tf.constant([[0.0, np.log(3.0), 1e9], [5.0, np.inf, np.nan]], tf.float32)
    weights = masked_softmax(scores, tf.constant([[True, True, False], [True, False, False]]))
    np.testing.assert_allclose(weights, [[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]], atol=1e-6)
    assert weights[0, 2] == 0.0 and weights[1, 1] == 0.0 and weights[1, 2] == 0.0


def test_the_context_is_the_mean_of_the_values_under_the_weights():
    # the query (1, 0) scores ln 3 and 0: weights 3/4 and 1/4, so 3/4 · (ln 3, 4) + 1/4 · (0, 8) = (3/4 ln 3, 5)
    values = np.array([[[np.log(3.0), 4.0], [0.0, 8.0]]], np.float32)
    context, weights = DotAttention(2)(
        tf.constant([[1.0, 0.0]]), memory_of(DotAttention(2), values, np.array([[True, True]]))
    )
    np.testing.assert_allclose(weights, [[0.75, 0.25]], rtol=1e-6)
    np.testing.assert_allclose(context, [[0.75 * np.log(3.0), 5.0]], rtol=1e-6)


def test_bahdanau_scores_by_hand():
    attention = BahdanauAttention(2)
    attention.key_layer.build((1, 1, 2))
    attention.query_layer.build((1, 2))
    attention.query_layer.kernel.assign(np.eye(2))
    attention.key_layer.kernel.assign(np.eye(2))
    attention.score_vector.assign([[1.0], [2.0]])
    memory = memory_of(attention, np.array([[[0.0, 1.0], [1.0, 0.0]]], np.float32), np.array([[True, True]]))
    # q = (1, 0): e_1 = 1 tanh(1 + 0) + 2 tanh(0 + 1) = 3 tanh 1;  e_2 = 1 tanh(1 + 1) + 2 tanh(0) = tanh 2
    scores = attention.score(tf.constant([[[1.0, 0.0]]]), memory)
    np.testing.assert_allclose(scores, [[[3 * np.tanh(1.0), np.tanh(2.0)]]], rtol=1e-6)


MASK = np.array([[True] * 4, [True, True, False, False], [True, False, False, False]])


def assert_equals_keras(attention, oracle, scale, map_query=lambda query: query):
    """Our attention and a Keras layer with this scale give the same weights and context for the same keys."""
    values, query = random(3, 4, 6), random(3, 6, seed=1)
    memory = memory_of(attention, values, MASK)
    context, weights = attention(tf.constant(query), memory)

    inputs = [map_query(tf.constant(query))[:, None], tf.constant(values), memory.keys]
    oracle.build([tuple(tensor.shape) for tensor in inputs])
    oracle.scale.assign(scale())
    masks = [None, tf.constant(MASK), tf.constant(MASK)]
    expected, expected_weights = oracle(inputs, mask=masks, return_attention_scores=True)
    np.testing.assert_allclose(weights, expected_weights[:, 0], atol=1e-6)
    np.testing.assert_allclose(context, expected[:, 0], atol=1e-6)


@pytest.mark.parametrize("kind", [BahdanauAttention, ConcatAttention])
def test_additive_scores_equal_keras_additive_attention_of_projected_query_and_keys(kind):
    attention = kind(5)
    oracle = keras.layers.AdditiveAttention(use_scale=True)
    assert_equals_keras(attention, oracle, lambda: attention.score_vector[:, 0], attention.query_layer)


@pytest.mark.parametrize(
    ("kind", "scale"), [(DotAttention, 1.0), (GeneralAttention, 6**-0.5), (ScaledDotAttention, 6**-0.5)]
)
def test_products_equal_keras_attention_of_the_same_keys(kind, scale):
    assert_equals_keras(kind(6), keras.layers.Attention(use_scale=True), lambda: scale)


def scores_of(attention, query, values):
    memory = memory_of(attention, np.array([values], np.float32), np.ones((1, len(values)), bool))
    query = tf.constant([query], tf.float32)
    attention(query, memory)
    return attention.score(query[:, tf.newaxis], memory)[0, 0]


def test_products_by_hand():
    # state [10, 5, 10] against [0,1,1] [5,0,1] [1,1,0] [0,5,1]: 5 + 10, 50 + 10, 10 + 5, 25 + 10
    query, values = [10, 5, 10], [[0, 1, 1], [5, 0, 1], [1, 1, 0], [0, 5, 1]]
    np.testing.assert_allclose(scores_of(DotAttention(3), query, values), [15, 60, 15, 35])
    np.testing.assert_allclose(
        scores_of(ScaledDotAttention(3), query, values), np.array([15, 60, 15, 35]) / np.sqrt(3), rtol=1e-6
    )
    context, weights = DotAttention(3)(
        tf.constant([query], tf.float32),
        memory_of(DotAttention(3), np.array([values], np.float32), np.ones((1, 4), bool)),
    )
    np.testing.assert_allclose(weights, [[0, 1, 0, 0]], atol=1e-10)
    np.testing.assert_allclose(context, [[5, 0, 1]], atol=1e-9)


def test_general_maps_the_values_first():
    attention = GeneralAttention(2)
    attention.key_layer.build((None, 2))
    attention.key_layer.kernel.assign([[0.0, 1.0], [2.0, 0.0]])
    # (1, 0) W = (0, 1) and (0, 1) W = (2, 0); with q = (3, 5): 5 and 6, divided by √2
    scores = scores_of(attention, [3, 5], [[1, 0], [0, 1]])
    np.testing.assert_allclose(scores, np.array([5, 6]) / np.sqrt(2), rtol=1e-6)


def test_cosine_does_not_see_lengths():
    attention = CosineAttention(2)
    beta = np.log1p(np.exp(5.0))
    # angles of 0, 90 and 180 degrees; then the zero vector, which has no direction
    scores = scores_of(attention, [3, 0], [[0.5, 0], [0, 70], [-9, 0], [0, 0]])
    np.testing.assert_allclose(scores, [beta, 0, -beta, 0], atol=1e-5)


def test_location_sees_the_state_alone():
    attention = LocationAttention(2)
    first = scores_of(attention, [1, 2], [[1, 0], [0, 1], [3, 3]])
    np.testing.assert_array_equal(first, scores_of(attention, [1, 2], [[7, 7], [8, 8], [9, 9]]))
    np.testing.assert_allclose(
        first, (np.array([[1, 2]]) @ np.asarray(attention.position_layer.kernel))[0, :3], rtol=1e-5
    )
    long = scores_of(attention, [1, 2], np.zeros((60, 2)))
    assert long.shape == (60,) and not np.any(long[LocationAttention.positions :])


def test_uniform_attention_is_the_mean_of_the_real_values():
    values = random(3, 4, 6)
    attention = UniformAttention(6)
    context, weights = attention(tf.constant(random(3, 6)), memory_of(attention, values, MASK))
    np.testing.assert_allclose(weights, MASK / MASK.sum(axis=1, keepdims=True), atol=1e-6)
    for found, vectors, real in zip(context, values, MASK, strict=True):
        np.testing.assert_allclose(found, vectors[real].mean(axis=0), atol=1e-5)


@pytest.fixture(params=ATTENTIONS)
def attention(request):
    return ATTENTIONS[request.param](6)


def test_many_steps_at_once_are_the_steps_one_by_one(attention):
    memory = memory_of(attention, random(3, 4, 6), MASK, tf.constant(random(3, 6)))
    queries = tf.constant(random(3, 5, 6, seed=1))
    contexts, weights = attention(queries, memory)
    assert contexts.shape == (3, 5, 6) and weights.shape == (3, 5, 4)
    for t in range(5):
        context, step_weights = attention(queries[:, t], memory)
        np.testing.assert_allclose(contexts[:, t], context, atol=1e-5)
        np.testing.assert_allclose(weights[:, t], step_weights, atol=1e-6)


def test_the_hypotheses_of_a_sentence_share_its_memory(attention):
    values, state, queries = random(3, 4, 6), random(3, 6), tf.constant(random(15, 6, seed=1))
    shared = attention(queries, memory_of(attention, values, MASK, tf.constant(state)))
    repeated = [np.repeat(array, 5, axis=0) for array in (values, MASK, state)]
    alone = attention(queries, memory_of(attention, *repeated[:2], tf.constant(repeated[2])))
    for one, other in zip(shared, alone, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_weights_sum_to_1_and_are_exactly_0_on_padding(attention):
    memory = memory_of(attention, random(3, 4, 6) * 50, MASK, tf.constant(random(3, 6)))
    _, weights = attention(tf.constant(random(3, 6) * 50), memory)
    np.testing.assert_allclose(np.sum(weights, axis=1), 1.0, atol=1e-6)
    assert np.all(np.asarray(weights)[~MASK] == 0.0)
    assert np.all(np.asarray(weights) >= 0.0)


def test_what_stands_on_padding_cannot_change_the_context(attention):
    values, mask = random(2, 4, 6), np.array([[True, True, True, False], [True, False, False, False]])
    other = np.where(mask[..., None], values, 1e6).astype(np.float32)
    query, state = tf.constant(random(2, 6)), tf.constant(random(2, 6))
    before, _ = attention(query, memory_of(attention, values, mask, state))
    after, _ = attention(query, memory_of(attention, other, mask, state))
    np.testing.assert_array_equal(before, after)


def test_last_state_hands_on_the_final_state_with_its_weight_on_the_last_real_position():
    state = tf.constant(random(2, 6))
    memory = memory_of(NoAttention(6), random(2, 3, 6), np.array([[True, True, False], [True, True, True]]), state)
    context, weights = NoAttention(6)(tf.constant(random(2, 7)), memory)
    np.testing.assert_array_equal(context, state)
    np.testing.assert_array_equal(weights, [[0, 1, 0], [0, 0, 1]])


def test_bahdanau_in_bfloat16_has_weights_of_its_precision_and_float32_variables():
    attention = BahdanauAttention(5, dtype="mixed_bfloat16")
    values = tf.cast(random(2, 3, 6), tf.bfloat16)
    memory = attention.memory(values, tf.ones((2, 3), bool), None)
    context, weights = attention(tf.cast(random(2, 7), tf.bfloat16), memory)
    assert isinstance(memory, Memory) and context.dtype == weights.dtype == tf.bfloat16
    assert {variable.dtype for variable in attention.weights} == {"float32"}
    np.testing.assert_allclose(np.sum(tf.cast(weights, tf.float32), axis=1), 1.0, atol=0.02)
