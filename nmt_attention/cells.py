"""Recurrent cells, cells on top of each other, and a cell run over a whole sentence."""

import contextlib

import keras
import tensorflow as tf


class GRUCell(keras.layers.Layer):
    """Gated recurrent unit: the new state is a mix of the old one and a candidate, gate by gate.

        z, r = sigmoid(x_z + u_z), sigmoid(x_r + u_r),    c = tanh(x_c + r * u_c),    h' = z h + (1 - z) c

    with u = U h + b, for every gate its third of it.

    Args:
        units: int. Width H of the state.

    Call arguments:
        inputs: `(B, 3 H)`. The input's share x of update gate, reset gate and candidate, already projected.
        state: tuple of one tensor, h `(B, H)`.

    Returns:
        The new state, a tuple as `state`; its first tensor is the output.

    Source: Cho et al. 2014, arXiv:1406.1078; the reset gate acts after the product, as in cuDNN and Keras.
    """

    gates, states = 3, 1

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.recurrent = keras.layers.Dense(
            3 * units, kernel_initializer="orthogonal", name="recurrent", dtype=self.dtype_policy
        )

    def call(self, inputs, state):
        (h,) = state
        x_z, x_r, x_c = tf.split(inputs, 3, axis=-1)
        u_z, u_r, u_c = tf.split(self.recurrent(h), 3, axis=-1)
        update, reset = tf.sigmoid(x_z + u_z), tf.sigmoid(x_r + u_r)
        candidate = tf.tanh(x_c + reset * u_c)
        return (candidate + update * (h - candidate),)


class LSTMCell(keras.layers.Layer):
    """Long short-term memory: a cell c that gates may keep, fill and show.

        i, f, o = sigmoid of their shares of x + U h,    c' = f c + i tanh(x_c + U_c h),    h' = o tanh(c')

    Args, call arguments and returns: as `GRUCell`, with inputs `(B, 4 H)` and a state of two tensors, h and c.

    Source: Hochreiter & Schmidhuber 1997; forget gate of Gers et al. 2000 with bias 1.
    """

    gates, states = 4, 2

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.recurrent = keras.layers.Dense(
            4 * units, use_bias=False, kernel_initializer="orthogonal", name="recurrent", dtype=self.dtype_policy
        )

    def call(self, inputs, state):
        h, c = state
        i, f, candidate, o = tf.split(inputs + self.recurrent(h), 4, axis=-1)
        c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(i) * tf.tanh(candidate)
        return tf.sigmoid(o) * tf.tanh(c), c


CELLS = {"gru": GRUCell, "lstm": LSTMCell}


class CellStack(keras.layers.Layer):
    """Cells on top of each other: one step of a recurrent network of one or more layers.

    Each layer's output is the next one's input; from the second on a layer adds to its input (a residual), so that
    depth is learned as a correction. The input of these layers is dropped in training, the same units at all steps
    of a sentence (Gal & Ghahramani 2016).

    Args:
        units: int. Width H of every layer.
        layers: int. How many there are.
        cell: "gru" or "lstm".
        dropout: float in [0, 1).

    Call arguments:
        inputs: `(B, gates H)`. The bottom layer's input, already projected.
        state: tuple of the layers' states, from `initial_state`.
        keep: from `keep`: which units of the upper layers' inputs are kept.

    Returns:
        output: `(B, H)`. The top layer's.
        state: the layers' new states.

    Source: He et al. 2016 (residual); Gal & Ghahramani 2016, arXiv:1512.05287 (one mask for all steps).
    """

    def __init__(self, units, layers=1, cell="gru", dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.units = units
        self.cells = [CELLS[cell](units, name=f"cell_{i}", **policy) for i in range(layers)]
        self.gates = self.cells[0].gates
        self.input_layers = [
            keras.layers.Dense(self.gates * units, name=f"input_{i}", **policy) for i in range(1, layers)
        ]
        self.bridges = [
            [keras.layers.Dense(units, activation="tanh", name=f"bridge_{i}_{j}", **policy) for j in range(cell.states)]
            for i, cell in enumerate(self.cells)
        ]
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)

    def initial_state(self, summary):
        """Returns the layers' states before the first step, from a summary `(B, ·)` of what was read."""
        return tuple(tuple(bridge(summary) for bridge in bridges) for bridges in self.bridges)

    def keep(self, state, training=False):
        """Draws the dropout of a sentence: for each upper layer a factor `(B, H)`, 1 outside training."""
        return [self.dropout(tf.ones_like(layer_state[0]), training=training) for layer_state in state[1:]]

    def call(self, inputs, state, keep):
        new_state = [self.cells[0](inputs, state[0])]
        output = new_state[0][0]
        for cell, input_layer, below, factor in zip(self.cells[1:], self.input_layers, state[1:], keep, strict=True):
            dropped = output * factor
            new_state.append(cell(input_layer(dropped), below))
            output = new_state[-1][0] + dropped
        return output, tuple(new_state)


def cast_once(layer):
    """Context manager for a loop: the layer's weights are cast to its compute dtype before it, not at every step.

    It is for traced code and a layer that has its weights; elsewhere it does nothing, nor where the dtypes are equal.
    """
    if layer.compute_dtype == layer.variable_dtype or tf.executing_eagerly():
        return contextlib.nullcontext()
    scope = keras.StatelessScope()
    for weight in layer.trainable_weights:
        scope.add_update((weight, tf.cast(weight.value, layer.compute_dtype)))
    return scope


def scan(step, inputs, state, num_outputs):
    """Runs a step along the time axis, each from the state that the one before it left.

    Args:
        step: function of (an input `(B, ·)`, state) to (tuple of outputs `(B, ·)`, state).
        inputs: `(B, T, ·)`.
        state: nested structure of tensors.
        num_outputs: int. How many outputs a step has.

    Returns:
        outputs: list of `(B, T, ·)`, in `inputs`' dtype.
    """
    steps = tf.shape(inputs)[1]
    rows = tf.TensorArray(inputs.dtype, steps).unstack(tf.transpose(inputs, (1, 0, 2)))

    def body(t, state, arrays):
        outputs, state = step(rows.read(t), state)
        return t + 1, state, tuple(array.write(t, output) for array, output in zip(arrays, outputs, strict=True))

    empty = tuple(tf.TensorArray(inputs.dtype, steps) for _ in range(num_outputs))
    *_, arrays = tf.while_loop(lambda t, *_: t < steps, body, (0, state, empty), maximum_iterations=steps)
    return [tf.transpose(array.stack(), (1, 0, 2)) for array in arrays]
