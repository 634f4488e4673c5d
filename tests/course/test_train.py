"""The loss and its gradient by hand, one step, the learning rate. What steps learn is in lesson 6, which is run."""

import keras
import numpy as np
import tensorflow as tf
from toys import Toy

from nmt_attention import ModelConfig, Seq2Seq, TrainConfig, make_optimizer, make_train_step

BATCH = [tf.constant([ids]) for ids in ([5, 5], [1, 1], [3, 3])]


def test_the_norm_is_of_the_summed_gradient_and_a_large_gradient_is_clipped():
    model, optimizer = Toy(6), keras.optimizers.SGD(1.0)
    optimizer.build(model.trainable_variables)
    nll, tokens, norm = make_train_step(model, optimizer, TrainConfig(label_smoothing=0.0, clip_norm=0.1))(*BATCH)
    # both positions put (softmax - onehot) / 2 on row 5, together (1/6, 1/6, 1/6, -5/6, 1/6, 1/6)
    np.testing.assert_allclose([nll, tokens, norm], [2 * np.log(6), 2, np.sqrt(5 / 36 + 25 / 36)], rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(model.table), 0.1, rtol=1e-5)


def test_more_loss_is_added_to_the_sum_of_the_tokens_losses():
    norms, settings = [], TrainConfig(label_smoothing=0.0, clip_norm=1e8)
    for factor in (0.0, 3.0):
        model, optimizer = Toy(6), keras.optimizers.SGD(1.0)
        optimizer.build(model.trainable_variables)

        def more_loss(weights, factor, table=model.table):
            return factor * tf.reduce_sum(weights) * table[0, 0]  # the gradient: 4 of the factor, by 2 tokens

        step = make_train_step(model, optimizer, settings, more_loss, [tf.TensorSpec((), tf.float32)])
        norms.append(float(step(*BATCH, tf.constant(factor))[2]))
    np.testing.assert_allclose(np.square(norms), [30 / 36, 30 / 36 + (3 * 4 / 2) ** 2], rtol=1e-5)


def test_the_learning_rate_rises_to_its_height_and_falls_to_a_fiftieth():
    config = TrainConfig(epochs=2, learning_rate=0.5, warmup_steps=10)
    rate = make_optimizer(Toy(6), 55, config)._learning_rate
    # 110 steps, 10 of them warm-up; halfway down the cosine the rate is the mean of 0.5 and 0.01
    found = [rate(step) for step in (0, 5, 10, 60, 110)]
    np.testing.assert_allclose(found, [0, 0.25, 0.5, 0.255, 0.01], rtol=1e-5)


def test_the_step_is_traced_once_for_batches_of_any_shape():
    model, config = Seq2Seq(ModelConfig(20, 20, units=8, embedding_units=8)), TrainConfig()
    step = make_train_step(model, make_optimizer(model, 3, config), config)
    for rows, length in ((4, 3), (2, 7), (1, 1)):
        step(*(tf.fill((rows, length), 5) for _ in range(3)))
    assert step.experimental_get_tracing_count() == 1
