"""Recurrent cells: one step of a GRU or an LSTM, and of several layers of them."""

from typing import Any

import keras
import tensorflow as tf

from .parts import part_of

StackState = tuple[tuple[tf.Tensor, ...], ...]  # the state of each layer


def gru_step(inputs: tf.Tensor, recurrent: tf.Tensor, h: tf.Tensor) -> tuple[tf.Tensor]:
    """Returns the next state of a `GRUCell`, from the input's gates x and the state's u, `(B, 3 H)` each."""
    x, x_c = tf.split(inputs, [2 * h.shape[-1], h.shape[-1]], axis=-1)  # x_z and x_r are computed together
    u, u_c = tf.split(recurrent, [2 * h.shape[-1], h.shape[-1]], axis=-1)
    update, reset = tf.split(tf.sigmoid(x + u), 2, axis=-1)  # (B, H) each
    candidate = tf.tanh(x_c + reset * u_c)
    return (candidate + update * (h - candidate),)  # z h + (1 - z) c with one multiplication fewer


def lstm_step(gates: tf.Tensor, c: tf.Tensor, forget_bias: float = 0.0) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the next state of an `LSTMCell`, from x + U h `(B, 4 H)`; Keras' cells keep the 1 in their bias."""
    i, f, candidate, o = tf.split(gates, 4, axis=-1)  # (B, H) each
    c = tf.sigmoid(f + forget_bias) * c + tf.sigmoid(i) * tf.tanh(candidate)
    return tf.sigmoid(o) * tf.tanh(c), c


class GRUCell(keras.layers.Layer):
    """Gated recurrent unit: gates mix the old state and a candidate into the new state.

        z, r = sigmoid(x_z + u_z), sigmoid(x_r + u_r),    c = tanh(x_c + r * u_c),    h' = z h + (1 - z) c

    with u = U h + b split into three parts, u_z, u_r and u_c.

    Args:
        units: width H of the state.

    Call arguments:
        inputs: `(B, 3 H)`. The projected input: x of the update gate, the reset gate and the candidate side by side.
            The projection does not depend on the state, so decoders compute it for all steps at once.
        state: one tensor, h `(B, H)`.

    Returns:
        The new state, like `state`; its first tensor is the output.

    Source: Cho et al. 2014, arXiv:1406.1078; the reset gate acts after the product, as in cuDNN and Keras.
    """

    gates, states = 3, 1

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.recurrent = keras.layers.Dense(
            3 * units, kernel_initializer="orthogonal", name="recurrent", dtype=self.dtype_policy
        )

    def call(self, inputs: tf.Tensor, state: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
        (h,) = state  # (B, H)
        return gru_step(inputs, self.recurrent(h), h)


class LSTMCell(keras.layers.Layer):
    """Long short-term memory: a memory cell c that gates keep, fill and read out.

        i, f, o = sigmoid(x_i + U_i h), sigmoid(x_f + U_f h + 1), sigmoid(x_o + U_o h)
        c' = f c + i tanh(x_c + U_c h),    h' = o tanh(c')

    Args:
        units: width H of the state.

    Call arguments:
        inputs: `(B, 4 H)`. The projected input: x of input gate, forget gate, candidate and output gate.
        state: two tensors, h and c, each `(B, H)`.

    Returns:
        The new state, like `state`; its first tensor is the output.

    Source: Hochreiter & Schmidhuber 1997; forget gate of Gers et al. 2000 with bias 1.
    """

    gates, states = 4, 2

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.recurrent = keras.layers.Dense(
            4 * units, use_bias=False, kernel_initializer="orthogonal", name="recurrent", dtype=self.dtype_policy
        )

    def call(self, inputs: tf.Tensor, state: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
        h, c = state  # (B, H) each
        return lstm_step(inputs + self.recurrent(h), c, forget_bias=1.0)


class CellStack(keras.layers.Layer):
    """Stacked cells: one step of a recurrent network of one or more layers.

    Each layer's output is the next layer's input. From the second layer on, the output is added to the input (a
    residual), so that a layer learns a correction. In training, the inputs of these layers are dropped out, the same
    units at every step of a sentence.

    Args:
        units: width H of every layer.
        layers: number of layers.
        cell: "gru" or "lstm".
        dropout: fraction in [0, 1) of the upper layers' inputs that training zeroes.

    Call arguments:
        inputs: `(B, gates H)`. The bottom layer's projected input; a GRU has 3 gates, an LSTM 4.
        state: the layers' states, from `initial_state` or the previous step.
        noise: `(B, H)` for each upper layer, from `dropout_noise`.

    Returns:
        output: `(B, H)`. The top layer's output.
        state: the layers' new states.

    Source: He et al. 2016 (residual); Gal & Ghahramani 2016, arXiv:1512.05287 (the same units dropped at all steps).
    """

    def __init__(self, units: int, layers: int = 1, cell: str = "gru", dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.cells = [part_of("cell", cell)(units, name=f"cell_{i}", **policy) for i in range(layers)]
        self.gates = self.cells[0].gates
        self.input_layers = [
            keras.layers.Dense(self.gates * units, name=f"input_{i}", **policy) for i in range(1, layers)
        ]
        self.bridges = [  # for each layer one for each tensor of its state
            [keras.layers.Dense(units, "tanh", name=f"bridge_{i}_{j}", **policy) for j in range(layer.states)]
            for i, layer in enumerate(self.cells)
        ]
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)

    def initial_state(self, summary: tf.Tensor) -> StackState:
        """Returns the layers' states before the first step, from a summary `(B, ·)` of the source sentence."""
        return tuple(tuple(bridge(summary) for bridge in bridges) for bridges in self.bridges)

    def dropout_noise(self, state: StackState, training: bool = False) -> list[tf.Tensor]:
        """Returns the factors of a sentence's dropout, `(B, H)` for each upper layer; all 1 outside training."""
        return [self.dropout(tf.ones_like(layer_state[0]), training=training) for layer_state in state[1:]]

    def output(self, state: StackState) -> tf.Tensor:
        """Returns the output `(B, H)` of the step that made this state: outside training, the sum of the layers' h."""
        return tf.add_n([layer_state[0] for layer_state in state])

    def call(self, inputs: tf.Tensor, state: StackState, noise: list[tf.Tensor]) -> tuple[tf.Tensor, StackState]:
        states = [self.cells[0](inputs, state[0])]
        output = states[0][0]  # (B, H)
        upper = zip(self.cells[1:], self.input_layers, state[1:], noise, strict=True)
        for cell, input_layer, layer_state, factors in upper:
            dropped = output * factors  # (B, H)
            states.append(cell(input_layer(dropped), layer_state))
            output = states[-1][0] + dropped  # (B, H)
        return output, tuple(states)


def top_state(state: StackState) -> tf.Tensor:
    """Returns the top layer's h `(B, H)` of a stack's state: what attention takes as its query."""
    return state[-1][0]
