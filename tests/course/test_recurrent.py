"""The cells equal those of Keras; a stack adds what each layer writes to what it reads."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from tiny import random

from nmt_attention.recurrent import CellStack, GRUCell, LSTMCell

H = 8


@pytest.mark.parametrize(("ours", "theirs"), [(GRUCell, keras.layers.GRUCell), (LSTMCell, keras.layers.LSTMCell)])
def test_a_cell_equals_keras_s_whose_forget_bias_is_1(ours, theirs):
    ours, theirs = ours(H), theirs(H)
    x, *state = (random(2, H, seed=seed) for seed in range(1 + ours.states))
    theirs(x, state)
    projected = tf.matmul(x, theirs.kernel)  # the forget gate's bias of 1 is part of our cell
    ours(projected, state)
    ours.recurrent.kernel.assign(theirs.recurrent_kernel)
    if isinstance(ours, GRUCell):
        theirs.bias.assign(random(2, 3 * H, seed=2))
        ours.recurrent.bias.assign(theirs.bias[1])
        projected += theirs.bias[0]
    for result, wanted in zip(ours(projected, state), theirs(x, state)[1], strict=True):
        np.testing.assert_allclose(result, wanted, atol=1e-6)


def test_dropout_zeroes_units_of_the_upper_layers_inputs_in_training_alone():
    stack = CellStack(H, layers=3, dropout=0.5)
    state = stack.initial_state(tf.ones((4, 5)))
    noise = stack.dropout_noise(state, training=True)
    assert len(noise) == 2 and set(np.unique(noise)) == {0.0, 2.0} and not np.allclose(noise[0], noise[1])
    np.testing.assert_array_equal(stack.dropout_noise(state), np.ones((2, 4, H)))
    inputs = random(4, 3 * H)
    output, new_state = stack(inputs, state, noise)
    expected = (new_state[0][0] * noise[0] + new_state[1][0]) * noise[1] + new_state[2][0]
    np.testing.assert_allclose(output, expected, atol=1e-5)
