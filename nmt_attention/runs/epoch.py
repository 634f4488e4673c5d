"""The steps of one epoch."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from ..fast import fetch_results
from .progress import Progress


def train_epoch(
    train_step: Callable[..., Sequence[tf.Tensor]],
    batches: Iterable[Any],
    progress: Progress,
    begun: Sequence[float] = (0, 0.0, 0.0),
    stop: Sequence[Any] = (),
) -> tuple[int, float, float]:
    """Runs the step over batches until they end or `stop` is no longer empty.

    Args:
        train_step: from `make_replicated_step` or `train.make_train_step`.
        batches: the epoch's remaining `Batch`es.
        progress: is told of every step.
        begun: (steps, nats, tokens) of the epoch so far.
        stop: a list that is not empty once training should stop after the current step.

    Returns:
        (steps, nats, tokens) of the epoch, those of `begun` included.

    Raises:
        FloatingPointError: a step's loss or gradient is not finite.
    """
    step, nats, tokens = int(begun[0]), begun[1], begun[2]
    for results in fetch_results(train_step(*batch) for batch in batches):
        before = tokens
        for nll, count, norm in results:
            step += 1
            if not (math.isfinite(nll) and math.isfinite(norm)):
                what = f"the loss is {nll / count}, the norm of its gradient {norm}"
                raise FloatingPointError(f"{progress.where(step)}: {what}; lower learning_rate or clip_norm")
            nats, tokens = nats + nll, tokens + count
        if stop:
            break
        progress.steps_done(step, nats / tokens, len(results), tokens - before)
    return step, nats, tokens
