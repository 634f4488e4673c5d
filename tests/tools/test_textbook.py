import keras
import numpy as np
import pytest
import tensorflow as tf

from tools.benchmark.textbook import (
    TextbookAttention,
    TextbookDecoder,
    TextbookEncoder,
    make_textbook_step,
    textbook_ids,
)

SOURCE, TARGET = [[4, 5], [7]], [[5], [6, 7]]


@pytest.fixture
def parts():
    keras.utils.set_random_seed(0)
    return TextbookEncoder(10, 8, 8), TextbookDecoder(10, 8, 8)


@pytest.fixture
def eager():
    """Steps are run line by line: faster than to trace them for a single call."""
    tf.config.run_functions_eagerly(True)
    yield
    tf.config.run_functions_eagerly(False)


def test_ids_stand_between_start_and_end():
    np.testing.assert_array_equal(textbook_ids([[4, 5], [6]], 5), [[1, 4, 5, 2, 0], [1, 6, 2, 0, 0]])


def test_the_loop_learns_a_batch_by_heart(parts):
    step = make_textbook_step(*parts, keras.optimizers.Adam(0.02))
    batch = textbook_ids(SOURCE, 4), textbook_ids(TARGET, 4)
    losses = [float(step(*batch)) for _ in range(50)]
    assert abs(losses[0] - 2.5 * np.log(10)) < 0.4  # 2 and 3 tokens to predict, every word as likely as another
    assert losses[-1] < 0.2


def test_padding_of_the_target_has_no_share_in_the_loss(parts, eager):
    step = make_textbook_step(*parts, keras.optimizers.SGD(0.0))
    source = textbook_ids(SOURCE, 4)
    narrow, wide = (float(step(source, textbook_ids(TARGET, width))) for width in (4, 6))
    np.testing.assert_allclose(narrow, wide, rtol=1e-6)


def test_the_loss_is_the_cross_entropy_of_the_tokens(parts, eager):
    encoder, decoder = parts
    values, state = encoder(textbook_ids([[4, 5]], 4))
    expected = 0.0
    for before, token in ((1, 6), (6, 2)):
        logits, state = decoder(tf.constant([[before]]), state, values)
        expected -= float(tf.nn.log_softmax(logits)[0, token])
    step = make_textbook_step(encoder, decoder, keras.optimizers.SGD(0.0))
    np.testing.assert_allclose(float(step(textbook_ids([[4, 5]], 4), textbook_ids([[6]], 3))), expected, rtol=1e-5)


def test_a_step_knows_the_state_before_it(parts):
    encoder, decoder = parts
    values, state = encoder(textbook_ids([[4, 5]], 4))
    logits, _ = decoder(tf.constant([[6]]), state, values)
    other, _ = decoder(tf.constant([[6]]), state + 1.0, values)
    assert np.abs(logits - other).max() > 1e-3


def test_attention_is_the_mean_of_values_under_a_softmax():
    attention = TextbookAttention(2)
    query, values = tf.zeros((1, 2)), tf.constant([[[1.0, 0.0], [0.0, 3.0]]])
    attention(query, values)
    first = np.array([[1.0], [0.0]])  # the score is the first unit's
    attention.set_weights([np.zeros((2, 2)), np.zeros(2), np.eye(2), np.zeros(2), first, np.zeros(1)])
    # the scores are tanh(1) and tanh(0), the weights 1 / (1 + e^-0.7616) = 0.6817 and 0.3183
    np.testing.assert_allclose(attention(query, values), [[0.6817, 3 * 0.3183]], atol=1e-4)
