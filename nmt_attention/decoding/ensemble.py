"""Several models that write one translation together."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from ..model import Seq2Seq


class Ensemble:
    """The mean prediction of several models, step by step; a single model's own prediction.

    Models trained with different seeds err in different places, so their mean errs less than each of them.
    Probabilities are averaged, not logits: p(y) = (p_1(y) + … + p_M(y)) / M; so is attention.

    Args:
        models: one or more with the same vocabularies; everything else about them may differ.

    Source: Sutskever, Vinyals & Le 2014, arXiv:1409.3215 (ensembles of five).
    """

    def __init__(self, models: Iterable[Seq2Seq]) -> None:
        self.models = list(models)
        if not self.models:
            raise ValueError("models: expected at least one")
        self.config = self.models[0].config

    def encode(self, source_ids: tf.Tensor) -> tuple[Any, Any]:
        """Returns every model's first decoder state, and every model's memory of the sentence."""
        states, memories = zip(*(model.encode(source_ids) for model in self.models), strict=True)
        return states, memories

    def step(self, token_ids: tf.Tensor, state: Any, memory: Any) -> tuple[tf.Tensor, Any, tf.Tensor]:
        """Does one step of every model, as `Seq2Seq.step`.

        Returns:
            logits: `(B, V)` float32. The model's, or the logarithm of the models' mean probability.
            state: the states after the step.
            weights: `(B, S)` float32. Mean of the models' attention.
        """
        logits, states, weights = [], [], []
        for model, model_state, model_memory in zip(self.models, state, memory, strict=True):
            model_logits, after, attention = model.step(token_ids, model_state, model_memory)
            logits.append(model_logits)
            states.append(after)
            weights.append(attention)
        return _log_of_mean(logits), tuple(states), _mean(weights)

    def __call__(self, source_ids: tf.Tensor, target_in: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Does all steps of given target sentences, as `Seq2Seq.call`: logits `(B, T, V)`, weights `(B, T, S)`."""
        logits, weights = zip(*(model(source_ids, target_in) for model in self.models), strict=True)
        return _log_of_mean(logits), _mean(weights)


def _log_of_mean(logits: Sequence[tf.Tensor]) -> tf.Tensor:
    """Returns the log of the models' mean probabilities from their logits `(..., V)`; of one model, its logits."""
    if len(logits) == 1:
        return logits[0]
    log_probs = tf.nn.log_softmax(tf.stack(logits))
    return tf.reduce_logsumexp(log_probs, axis=0) - math.log(len(logits))


def _mean(weights: Sequence[tf.Tensor]) -> tf.Tensor:
    return tf.add_n([tf.cast(w, tf.float32) for w in weights]) / len(weights)
