import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.framework import op_callbacks

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from tools.benchmark.operations import Product, make_rate_measurement, matrix_products, training_operations

CONFIG = ModelConfig(11, 13, units=4, embedding_units=6, dropout=0.0)


def multiplied(call):
    """Returns how many multiplications and additions the matrix products took that were done during a call."""
    found = []

    def note(op_type, inputs, attributes, outputs, op_name=None, graph=None):
        if "MatMul" in tf.compat.as_str(op_type):
            named = dict(zip(attributes[::2], attributes[1::2], strict=True))
            transposed = named.get("transpose_a") or named.get("adj_x")
            found.append(2 * int(np.prod(outputs[0].shape)) * inputs[0].shape[-2 if transposed else -1])

    op_callbacks.add_op_callback(note)
    try:
        call()
    finally:
        op_callbacks.remove_op_callback(note)
    return sum(found)


def test_operations_of_a_product_by_hand():
    # (2, 3) by (3, 4) is 8 numbers of 3 multiplications and 3 additions each; 5 of them, 7 times
    assert Product("", 7, 5, 2, 3, 4).operations == 7 * 5 * 8 * 6


def test_operations_of_a_model_by_hand():
    # H 4, E 6, V 13; one sentence of 3 tokens, its translation of 2: multiplications alone
    encoder = 3 * 2 * (6 * 6 + 2 * 6)  # two directions of 2 units, 3 gates each
    once = 4 * 4 + 3 * 4 * 4  # first state, keys
    attention = 4 * 4 + 3 * 4 + 3 * 4  # query, scores, context
    decoder = 6 * 12 + 4 * 12 + 4 * 12 + (4 + 6 + 4) * 6 + 6 * 13  # gates from token, context, state; readout; logits
    products = matrix_products(CONFIG, 1, 3, 2)
    assert sum(p.operations for p in products) == 2 * (encoder + once + 2 * (attention + decoder))
    assert len({p.name for p in products}) == len(products)


def test_the_model_does_as_many_operations_as_are_counted():
    model = Seq2Seq(CONFIG)
    source, target = tf.ones((2, 5), tf.int32), tf.ones((2, 3), tf.int32)
    products = matrix_products(CONFIG, 2, 5, 3)
    assert multiplied(lambda: model(source, target)) == sum(p.operations for p in products)


def test_a_gradient_takes_twice_the_operations_of_the_product():
    x, w = tf.Variable(tf.ones((2, 3))), tf.Variable(tf.ones((3, 4)))

    def forward_and_backward():
        with tf.GradientTape() as tape:
            y = tf.matmul(x, w)
        tape.gradient(y, [x, w])

    assert multiplied(forward_and_backward) == 3 * Product("", 1, 1, 2, 3, 4).operations


def test_training_counts_each_sentence_at_its_own_length():
    each = [sum(p.operations for p in matrix_products(CONFIG, 1, s, t)) for s, t in ((3, 2), (5, 7))]
    assert training_operations(CONFIG, [3, 5], [2, 7]) == 3 * sum(each)
    assert sum(p.operations for p in matrix_products(CONFIG, 4, 3, 2)) == 4 * each[0]


@pytest.mark.parametrize(("name", "value"), [("cell", "lstm"), ("decoder_layers", 2), ("attention", "dot")])
def test_a_model_of_another_shape_is_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}: .*{value!r}"):
        matrix_products(ModelConfig(11, 13, units=4, **{name: value}), 1, 3, 2)


def test_rates_are_measured():
    measure = make_rate_measurement(matrix_products(CONFIG, 2, 3, 2)[:2])
    at_shapes, square = measure()
    assert 0 < at_shapes < square  # products as tiny as these are nowhere done as fast as large ones
