import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.fast import scan
from nmt_attention.recurrent import CellStack, GRUCell, LSTMCell

H = 8


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


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_an_upper_layer_adds_to_its_input(cell):
    keras.utils.set_random_seed(0)
    stack = CellStack(H, layers=2, cell=cell)
    state = stack.initial_state(tf.ones((3, 5)))
    inputs = tf.ones((3, stack.gates * H))
    output, new_state = stack(inputs, state, stack.dropout_masks(state))
    (lower, *_), (upper, *_) = new_state
    np.testing.assert_allclose(output, lower + upper, atol=1e-6)
    # and the upper cell has read the lower one's output
    expected = stack.cells[1](stack.input_layers[0](lower), state[1])
    np.testing.assert_allclose(upper, expected[0], atol=1e-6)


def test_one_layer_is_the_cell():
    stack = CellStack(H)
    state = stack.initial_state(tf.ones((2, 3)))
    inputs = tf.constant(np.random.default_rng(0).normal(size=(2, 3 * H)), tf.float32)
    output, new_state = stack(inputs, state, stack.dropout_masks(state))
    np.testing.assert_array_equal(output, stack.cells[0](inputs, state[0])[0])
    np.testing.assert_array_equal(output, new_state[0][0])


def test_dropout_between_layers_is_the_same_at_all_steps_and_absent_outside_training():
    stack = CellStack(H, layers=3, dropout=0.5)
    state = stack.initial_state(tf.ones((4, 5)))
    kept = stack.dropout_masks(state, training=True)
    assert len(kept) == 2 and set(np.unique(kept)) == {0.0, 2.0} and not np.allclose(kept[0], kept[1])
    np.testing.assert_array_equal(stack.dropout_masks(state), np.ones((2, 4, H)))


def test_scan_runs_a_step_along_time():
    # the state adds up the inputs; a step gives the sum and the input doubled
    def step(inputs, state):
        return (state + inputs, 2 * inputs), state + inputs

    inputs = tf.constant([[[1.0], [2.0], [3.0]], [[10.0], [20.0], [30.0]]])
    sums, doubled = scan(step, inputs, tf.zeros((2, 1)), 2)
    np.testing.assert_array_equal(sums[..., 0], [[1, 3, 6], [10, 30, 60]])
    np.testing.assert_array_equal(doubled, 2 * inputs)
