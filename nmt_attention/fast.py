"""What makes training and search fast, and nothing else. Each entry replaces a plain line and changes no result.

| here | the plain line | what it avoids |
| --- | --- | --- |
| `scan` | a Python loop over the target steps | an unrolled graph, traced again for every length |
| `cast_once` | weights cast to bfloat16 inside the loop | a cast per token; one per step of training remains |
| `read_both_ways` | Keras' recurrent layers | a loop per direction, and half of the tracing |
| `smoothed_nll` | the gradient TensorFlow derives | passes over a matrix as large as the logits |
| `FusedAdam` | `keras.optimizers.Adam` | more than ten operations per variable |
| `top_k` | `tf.math.top_k` | sorting all words, in the search of a beam |

A test in `tests/course/test_fast.py` holds each against its plain line.
"""

import contextlib
from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from .recurrent import gru_step, lstm_step


def scan(
    step: Callable[[tf.Tensor, Any], tuple[tuple[tf.Tensor, ...], Any]], inputs: tf.Tensor, state: Any, num_outputs: int
) -> list[tf.Tensor]:
    """Runs a step along the time axis; each step starts from the state that the previous one returned.

    The plain line: `for t in range(T): outputs[t], state = step(inputs[:, t], state)`.

    Args:
        step: maps an input `(B, ·)` and a state to a tuple of outputs `(B, ·)` and the next state.
        inputs: `(B, T, ·)`.
        state: nested structure of tensors.
        num_outputs: number of outputs per step.

    Returns:
        outputs: `(B, T, ·)` each, in the dtype of the inputs.
    """
    steps = tf.shape(inputs)[1]
    rows = tf.TensorArray(inputs.dtype, steps).unstack(tf.transpose(inputs, (1, 0, 2)))

    def body(t: tf.Tensor, state: Any, arrays: Any) -> tuple[tf.Tensor, Any, Any]:
        outputs, state = step(rows.read(t), state)
        return t + 1, state, tuple(array.write(t, output) for array, output in zip(arrays, outputs, strict=True))

    empty = tuple(tf.TensorArray(inputs.dtype, steps) for _ in range(num_outputs))
    *_, arrays = tf.while_loop(lambda t, *_: t < steps, body, (0, state, empty), maximum_iterations=steps)
    return [tf.transpose(array.stack(), (1, 0, 2)) for array in arrays]


def cast_once(layer: keras.layers.Layer) -> contextlib.AbstractContextManager[Any]:
    """Context manager around a loop: casts the layer's weights to its compute dtype once, not at every step.

    It has an effect only inside tf.function, on a built layer whose compute dtype differs from its variable dtype.

    `StatelessScope` substitutes tensors for variables. Its constructor would cast them back to the variable's dtype;
    `add_update` does not.
    """
    if layer.compute_dtype == layer.variable_dtype or tf.executing_eagerly():
        return contextlib.nullcontext()
    scope = keras.StatelessScope()
    for weight in layer.trainable_weights:
        scope.add_update((weight, tf.cast(weight.value, layer.compute_dtype)))
    return scope


def top_k(scores: tf.Tensor, k: int) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the k highest scores of each row `(B, V)`, the highest first, and their places, `(B, k)` each.

    The plain line: `tf.math.top_k(scores, k)`, which takes three times as long for a beam of 5 and 4,000 words. The k
    highest scores are in the k groups with the highest maxima, and maxima are fast.
    """
    grouped = groups(scores)  # (B, G, W)
    size, width = grouped.shape[1:]
    if size is None or size < 4 * k:
        return tf.math.top_k(scores, k)
    _, best = tf.math.top_k(tf.reduce_max(grouped, axis=-1), k)
    best = tf.sort(best, axis=-1)  # so that of equal scores the first is taken, as in the plain line
    few = tf.reshape(tf.gather(grouped, best, batch_dims=1), (-1, k * width))
    highest, places = tf.math.top_k(few, k)
    return highest, tf.gather(best, places // width, batch_dims=1) * width + places % width


def groups(rows: tf.Tensor) -> tf.Tensor:
    """Returns rows `(B, V)` cut into G groups of equal width, `(B, G, W)`; a single group if none of 32 to 128 fits."""
    size = rows.shape[-1] or 1
    width = next((width for width in range(32, 129) if size % width == 0), None)
    return tf.reshape(rows, (-1, size // width, width)) if width else rows[:, tf.newaxis]


def smoothed_nll(logits: tf.Tensor, labels: tf.Tensor, smoothing: float) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the smoothed loss and the negative log-likelihood of every label, in nats.

    The plain lines: `nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)` and
    `loss = nll + smoothing * (right_logit - mean_logit)`. TensorFlow would derive the gradient with a matrix as large
    as the logits for each of these terms; the one written here, softmax(logits) - smoothed target, takes fewer passes.

    Args:
        logits: `(N, V)` float32.
        labels: `(N,)` int32.
        smoothing: in [0, 1).

    Returns:
        loss, nll: `(N,)` float32 each.
    """

    @tf.custom_gradient
    def with_gradient(logits: tf.Tensor) -> tuple[tuple[tf.Tensor, tf.Tensor], Callable[..., tf.Tensor]]:
        highest = tf.reduce_max(logits, axis=1, keepdims=True)  # (N, 1)
        powers = tf.exp(logits - highest)  # (N, V)
        total = tf.reduce_sum(powers, axis=1)  # (N,)
        places = tf.stack([tf.range(tf.shape(labels)[0]), labels], axis=1)  # (N, 2)
        right = tf.gather_nd(logits, places)  # (N,)
        nll = highest[:, 0] + tf.math.log(total) - right
        loss = nll + smoothing * (right - tf.reduce_mean(logits, axis=1)) if smoothing else nll

        def gradient(of_loss: tf.Tensor, of_nll: tf.Tensor) -> tf.Tensor:  # of (N,) each
            rows = powers * ((of_loss + of_nll) / total)[:, tf.newaxis]
            if smoothing:
                rows -= (of_loss * (smoothing / logits.shape[-1]))[:, tf.newaxis]
            return tf.tensor_scatter_nd_sub(rows, places, (1 - smoothing) * of_loss + of_nll)

        return (loss, nll), gradient

    return with_gradient(logits)


class FusedAdam(keras.optimizers.Adam):
    """Keras' Adam with one operation per variable, in one pass over its memory; Keras uses more than ten."""

    def update_step(self, gradient: tf.Tensor, variable: keras.Variable, learning_rate: tf.Tensor) -> None:
        i, step = self._get_variable_index(variable), tf.cast(self.iterations + 1, tf.float32)
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=self._momentums[i].value.handle,
            v=self._velocities[i].value.handle,
            beta1_power=self.beta_1**step,
            beta2_power=self.beta_2**step,
            lr=tf.cast(learning_rate, tf.float32),
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=gradient,
        )


def read_both_ways(
    layer: keras.layers.Layer, cells: list[Any], inputs: tf.Tensor, mask: tf.Tensor
) -> tuple[tf.Tensor, list[tf.Tensor]]:
    """Runs Keras' recurrent cells over sentences, the second one from right to left, in one loop over the positions.

    The plain version is the Keras layer itself, which has one loop per direction.

    Args:
        layer: holds the cells.
        cells: one or two of `keras.layers.GRUCell` or `keras.layers.LSTMCell`.
        inputs: `(B, S, ·)`.
        mask: `(B, S)` bool, True = a real token. A state does not change at padding.

    Returns:
        values: `(B, S, H)`. Both directions side by side.
        states: the last h of each cell.
    """
    units, (gates, states) = cells[0].units, (3, 1) if isinstance(cells[0], keras.layers.GRUCell) else (4, 2)
    ways = [slice(None), slice(None, None, -1)][: len(cells)]  # from right to left, padding comes first
    columns = [
        tensor[:, way]
        for cell, way in zip(cells, ways, strict=True)
        for tensor in (input_gates(cell, inputs), tf.cast(mask[..., tf.newaxis], inputs.dtype))
    ]

    def step(row: tf.Tensor, before: Any) -> tuple[tuple[tf.Tensor, ...], Any]:
        parts, after = tf.split(row, [gates * units, 1] * len(cells), axis=-1), []
        for cell, state, x, real in zip(cells, before, parts[::2], parts[1::2], strict=True):
            new = next_state(cell, x, state)
            after.append(tuple(tf.where(real > 0, one, other) for one, other in zip(new, state, strict=True)))
        return tuple(state[0] for state in after), tuple(after)

    zeros = tf.zeros_like(columns[0][:, 0, :units])  # (B, H of one direction)
    start = tuple((zeros,) * states for _ in cells)
    with cast_once(layer):
        outputs = scan(step, tf.concat(columns, axis=-1), start, num_outputs=len(cells))
    values = tf.concat([output[:, way] for output, way in zip(outputs, ways, strict=True)], axis=-1)
    return values, [output[:, -1] for output in outputs]


def input_gates(cell: Any, inputs: tf.Tensor) -> tf.Tensor:
    """Returns the part of a Keras cell's gates that does not depend on its state, for all positions at once."""
    bias = cell.bias[0] if isinstance(cell, keras.layers.GRUCell) else cell.bias
    return tf.tensordot(inputs, tf.cast(cell.kernel, inputs.dtype), 1) + tf.cast(bias, inputs.dtype)


def next_state(cell: Any, gates: tf.Tensor, state: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
    """Returns the next state of a Keras cell."""
    recurrent = tf.matmul(state[0], cell.recurrent_kernel)
    if isinstance(cell, keras.layers.GRUCell):
        return gru_step(gates, recurrent + tf.convert_to_tensor(cell.bias)[1], state[0])
    return lstm_step(gates + recurrent, state[1])
