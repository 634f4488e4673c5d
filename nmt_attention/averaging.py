"""A moving average of the weights, which is scored and saved in place of the weights that the last step left.

Every step moves the weights towards its own batch. The average of many steps is closer to what suits all batches.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import keras
import tensorflow as tf

from .fast import FusedAdam


class AveragingAdam(FusedAdam):
    """Adam that keeps an exponential moving average of every weight.

        average' = d average + (1 - d) weight',    d = min(decay, (1 + t) / (10 + t))

    where t counts the steps from 0. Because d rises slowly, the average soon forgets the first weights: until d reaches
    the decay, which takes 9,000 steps for 0.999, it is mostly of the last tenth of the steps so far.

    Args:
        decay: in (0, 1). The others are Adam's.

    Source: Polyak & Juditsky 1992 (averaging); `tf.train.ExponentialMovingAverage` (the rising d), as in Marian.
    """

    def __init__(self, *args: Any, decay: float, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.decay = decay

    def build(self, variables: Sequence[keras.Variable]) -> None:
        super().build(variables)
        self.averages = [self.add_variable_from_reference(variable, "average") for variable in variables]
        for average, variable in zip(self.averages, variables, strict=True):
            average.assign(variable)

    def update_step(self, gradient: tf.Tensor, variable: keras.Variable, learning_rate: tf.Tensor) -> None:
        super().update_step(gradient, variable, learning_rate)
        t = tf.cast(self.iterations, tf.float32)
        decay = tf.minimum(self.decay, (1 + t) / (10 + t))
        average = self.averages[self._get_variable_index(variable)].value
        average.assign_sub((1 - decay) * (average - variable))


def load_averages(model: keras.Model, optimizer: keras.optimizers.Optimizer) -> None:
    """Gives the model the averages of its weights, if the optimizer from `make_optimizer` keeps them."""
    for weight, average in _pairs(model, optimizer):
        weight.assign(average)


@contextlib.contextmanager
def averaged(model: keras.Model, optimizer: keras.optimizers.Optimizer) -> Iterator[None]:
    """Gives the model the averages of its weights, as `load_averages`, and afterwards its own weights again."""
    own = [(weight, weight.numpy()) for weight, _ in _pairs(model, optimizer)]
    load_averages(model, optimizer)
    try:
        yield
    finally:
        for weight, value in own:
            weight.assign(value)


def _pairs(model: keras.Model, optimizer: keras.optimizers.Optimizer) -> list[tuple[keras.Variable, keras.Variable]]:
    """Returns every trainable weight with its average, or nothing."""
    adam = getattr(optimizer, "inner_optimizer", optimizer)  # of float16's, which scales the loss
    if not isinstance(adam, AveragingAdam):
        return []
    return list(zip(model.trainable_variables, adam.averages, strict=True))
