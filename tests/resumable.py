"""A training that can be disturbed, for tests of its exact resume."""

import keras
import numpy as np

from nmt_attention import TrainConfig, make_dataset, train_model
from nmt_attention.vocabulary import RaggedIds


def train_for_three_epochs(model_kind, directory, disturb=lambda epoch, number: None):
    """Trains a model for three epochs of 25 steps; `disturb` is called before each batch.

    Returns the history and the weights.
    """
    keras.utils.set_random_seed(0)
    ids = RaggedIds.of([[4 + i % 9, 4 + i % 7] for i in range(250)])
    model = model_kind()

    def batches(epoch):
        for number, batch in enumerate(make_dataset(ids, ids, 10, 1, epoch)):
            disturb(epoch, number)
            yield batch

    config = TrainConfig(epochs=3, batch_size=10)
    history = train_model(model, batches, 25, lambda: {"bleu": 1.0}, config, directory)
    return history, [np.asarray(weight) for weight in model.weights]


def assert_same(training, other):
    """Compares two trainings: the losses of every epoch, and the weights at the end, bit by bit."""
    for row, expected in zip(training[0], other[0], strict=True):
        assert (row["epoch"], row["loss"]) == (expected["epoch"], expected["loss"])
    for weight, expected in zip(training[1], other[1], strict=True):
        np.testing.assert_array_equal(weight, expected)
