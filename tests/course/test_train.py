"""The loss and its gradient by hand, one step, and what steps learn."""

import keras
import numpy as np
import tensorflow as tf

from nmt_attention.batches import make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.train import make_optimizer, make_train_step
from nmt_attention.vocabulary import RaggedIds


def model_of(size, **settings):
    keras.utils.set_random_seed(0)
    return Seq2Seq(ModelConfig(size, size, **{"units": 8, "embedding_units": 8, "dropout": 0.0, **settings}))


class Table(keras.Model):
    """Logits of the target are the source token's row: the gradient can be worked out by hand."""

    def __init__(self):
        super().__init__()
        self.table = self.add_weight(shape=(6, 6), initializer="zeros", name="table")

    def features(self, source_ids, target_in, training=False):
        return tf.gather(self.table + 0.0, source_ids), tf.ones((1, 2, 2))

    def logits(self, features):
        return features


BATCH = [tf.constant([ids]) for ids in ([5, 5], [1, 1], [3, 3])]


def test_the_norm_is_of_the_summed_gradient_and_a_large_gradient_is_clipped():
    model, optimizer = Table(), keras.optimizers.SGD(1.0)
    optimizer.build(model.trainable_variables)
    nll, tokens, norm = make_train_step(model, optimizer, TrainConfig(label_smoothing=0.0, clip_norm=0.1))(*BATCH)
    # both positions put (softmax - onehot) / 2 on row 5, together (1/6, 1/6, 1/6, -5/6, 1/6, 1/6)
    np.testing.assert_allclose([nll, tokens, norm], [2 * np.log(6), 2, np.sqrt(5 / 36 + 25 / 36)], rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(model.table), 0.1, rtol=1e-5)


def test_more_loss_is_added_to_the_sum_of_the_tokens_losses():
    norms, settings = [], TrainConfig(label_smoothing=0.0, clip_norm=1e8)
    for factor in (0.0, 3.0):
        model, optimizer = Table(), keras.optimizers.SGD(1.0)
        optimizer.build(model.trainable_variables)

        def more_loss(weights, factor, table=model.table):
            return factor * tf.reduce_sum(weights) * table[0, 0]  # the gradient: 4 of the factor, by 2 tokens

        step = make_train_step(model, optimizer, settings, more_loss, [tf.TensorSpec((), tf.float32)])
        norms.append(float(step(*BATCH, tf.constant(factor))[2]))
    np.testing.assert_allclose(np.square(norms), [30 / 36, 30 / 36 + (3 * 4 / 2) ** 2], rtol=1e-5)


def test_the_learning_rate_rises_to_its_height_and_falls_to_a_fiftieth():
    config = TrainConfig(epochs=2, learning_rate=0.5, warmup_steps=10)
    rate = make_optimizer(Table(), 55, config)._learning_rate
    # 110 steps, 10 of them warm-up; halfway down the cosine the rate is the mean of 0.5 and 0.01
    found = [rate(step) for step in (0, 5, 10, 60, 110)]
    np.testing.assert_allclose(found, [0, 0.25, 0.5, 0.255, 0.01], rtol=1e-5)


def test_the_step_is_traced_once_for_batches_of_any_shape():
    model, config = model_of(20), TrainConfig()
    step = make_train_step(model, make_optimizer(model, 3, config), config)
    for rows, length in ((4, 3), (2, 7), (1, 1)):
        step(*(tf.fill((rows, length), 5) for _ in range(3)))
    assert step.experimental_get_tracing_count() == 1


def reversals(number, seed):
    """Strings of ten digits and their reversals, as ids from 4 on."""
    random = np.random.default_rng(seed)
    rows = [random.integers(4, 14, random.integers(3, 9)).tolist() for _ in range(number)]
    return RaggedIds.of(rows), RaggedIds.of(row[::-1] for row in rows)


def test_attention_learns_to_reverse_and_looks_where_the_token_comes_from():
    model = model_of(14, units=32, embedding_units=16)
    config = TrainConfig(epochs=6, batch_size=64, learning_rate=0.02, warmup_steps=20, label_smoothing=0.0)
    step = make_train_step(model, make_optimizer(model, 47, config), config)
    for epoch in range(config.epochs):
        for batch in make_dataset(*reversals(3000, seed=1), config.batch_size, 1, epoch):
            step(*batch)
    (held_out,) = make_dataset(*reversals(300, seed=2), 300)
    logits, weights = model(held_out.source_ids, held_out.target_in)
    right = np.equal(tf.argmax(logits, -1, tf.int32), held_out.target_out)
    assert np.mean(right[held_out.target_out != 0]) > 0.98
    lengths, steps = np.sum(held_out.source_ids != 0, axis=1, keepdims=True), np.arange(weights.shape[1])
    from_anti_diagonal = np.abs(np.argmax(weights, axis=2) - (lengths - 1 - steps))
    # the vectors of neighbouring positions contain it too, so attention may look there as well; chance finds half
    assert np.mean(from_anti_diagonal[steps < lengths] <= 1) > 0.9
