"""How much arithmetic the model's matrix products are, and how fast this machine does such products."""

import time
from typing import NamedTuple

import numpy as np
import tensorflow as tf

_SQUARE = 2048
_OPERATIONS_A_MEASUREMENT, _MOST_TIMES = 5e8, 2000  # some milliseconds, many times what it takes to start one


class Product(NamedTuple):
    """A matrix product of the model's forward pass: `times` times, `batch` of (rows, inner) by (inner, columns)."""

    name: str
    times: int
    batch: int
    rows: int
    inner: int
    columns: int

    @property
    def operations(self):
        """Multiplications and additions, of all times together."""
        return 2 * self.times * self.batch * self.rows * self.inner * self.columns


def matrix_products(config, rows, source_length, target_length):
    """Lists the matrix products of one forward pass, each done as few times as the recurrence lets it.

    Args:
        config: `ModelConfig` of the default shape: a GRU of one layer, read in both directions, Bahdanau's attention
            and decoder. Its H state, E embedding and V target vocabulary count.
        rows: int. B.
        source_length, target_length: int. S and T, the end marker included.

    Returns:
        List of `Product`.

    Raises:
        ValueError: the model is of another shape.
    """
    for name, value in _COUNTED.items():
        if getattr(config, name) != value:
            raise ValueError(f"{name}: operations are counted for {value!r}, not for {getattr(config, name)!r}")
    h, e, v = config.units, config.embedding_units, config.target_vocabulary_size
    b, s, t = rows, source_length, target_length
    return [
        Product("encoder, inputs of the gates", 2, 1, b * s, e, 3 * h // 2),
        Product("encoder, state to gates", 2 * s, 1, b, h // 2, 3 * h // 2),
        Product("first state", 1, 1, b, h, h),
        Product("attention, keys", 1, 1, b * s, h, h),
        Product("attention, query", t, 1, b, h, h),
        Product("attention, scores", t, 1, b * s, h, 1),
        Product("attention, context", t, b, 1, s, h),
        Product("decoder, token to gates", 1, 1, b * t, e, 3 * h),
        Product("decoder, context to gates", t, 1, b, h, 3 * h),
        Product("decoder, state to gates", t, 1, b, h, 3 * h),
        Product("readout", 1, 1, b * t, 2 * h + e, e),
        Product("logits", 1, 1, b * t, e, v),
    ]


_COUNTED = {
    "attention": "bahdanau",
    "decoder": "bahdanau",
    "cell": "gru",
    "encoder_layers": 1,
    "decoder_layers": 1,
    "bidirectional": True,
}


def training_operations(config, source_lengths, target_lengths):
    """Counts the operations of training on sentences of these lengths, padding not counted.

    Forward and backward: each product Y = X W has two more in the gradient, dX = dY Wᵀ and dW = Xᵀ dY, of as many
    operations.

    Args:
        config: as in `matrix_products`.
        source_lengths, target_lengths: iterables of int, the target's with the end marker.
    """
    lengths = zip(source_lengths, target_lengths, strict=True)
    return 3 * sum(p.operations for s, t in lengths for p in matrix_products(config, 1, int(s), int(t)))


def make_rate_measurement(products, dtype="float32"):
    """Returns a function that measures how fast this machine multiplies matrices of a dtype, in operations per second.

    It returns two rates: that of the products and of their gradients' products, each at its own shape and done as
    often as one step of training does it; and that of large square matrices, the most that can be hoped for.
    """
    timers = [(product, _step_timers(product, dtype)) for product in products]
    operations = 3 * sum(product.operations for product in products)
    (square,) = _step_timers(Product("square", 1, 1, _SQUARE, _SQUARE, _SQUARE), dtype)[:1]

    def measure():
        seconds = sum(product.times * timer() for product, three in timers for timer in three)
        return operations / seconds, 2 * _SQUARE**3 / square()

    measure()  # warms up
    return measure


def _step_timers(product, dtype):
    """Returns the timers of Y = X W, dX = dY Wᵀ and dW = Xᵀ dY."""
    random = np.random.default_rng(1)
    sides = (product.rows, product.inner), (product.inner, product.columns), (product.rows, product.columns)
    batch = (product.batch,) if product.batch > 1 else ()
    x, w, y = (tf.cast(random.random((*batch, *side), np.float32), dtype) for side in sides)
    times = round(_OPERATIONS_A_MEASUREMENT * product.times / product.operations)
    times = max(1, min(_MOST_TIMES, times))
    return [_timer(times, *factors) for factors in ((x, w, False, False), (y, w, False, True), (x, y, True, False))]


def _timer(times, a, b, transpose_a, transpose_b):
    """Returns a function that does a product some times, one after another, and returns the seconds of one."""

    def multiply(a, b):
        def again(i, _):
            return i + 1, tf.matmul(a, b, transpose_a, transpose_b)

        once = tf.matmul(a, b, transpose_a, transpose_b)
        return tf.while_loop(lambda i, _: i < times, again, (1, once), parallel_iterations=1)[1]

    specs = (tf.TensorSpec(factor.shape, factor.dtype) for factor in (a, b))
    compiled = tf.function(multiply).get_concrete_function(*specs)

    def seconds():
        started = time.perf_counter()
        compiled(a, b).numpy()
        return (time.perf_counter() - started) / times

    return seconds
