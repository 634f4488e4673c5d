"""The steps of one epoch."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from .history import Progress


def train_epoch(
    train_step: Callable[..., Sequence[tf.Tensor]],
    batches: Iterable[Any],
    progress: Progress,
    begun: Sequence[float] = (0, 0.0, 0.0),
    stop: Sequence[Any] = (),
) -> tuple[int, float, float]:
    """Runs the step over batches until they end or `stop` is no longer empty.

    Args:
        train_step: from `make_run_step` or `train.make_train_step`.
        batches: the epoch's remaining `Batch`es.
        progress: notified after every step.
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


def fetch_results(results: Iterator[Sequence[tf.Tensor]]) -> Iterator[list[list[float]]]:
    """Yields the results of ten steps at a time, as lists of floats, so that a GPU need not wait for Python.

    The plain line: `for result in results: yield [float(value) for value in result]`.
    """
    while ten := list(itertools.islice(results, 10)):
        yield tf.convert_to_tensor(ten).numpy().tolist()


def check_batches(batches: Iterable[Any], steps_per_epoch: int, batch_size: int, epoch: int) -> Iterator[Any]:
    """Yields an epoch's batches and checks that their number and size are as expected.

    Args:
        batches: the `Batch`es. If they have a length, it is compared before the first batch is yielded.
        steps_per_epoch: expected number of batches.
        batch_size: expected rows of each batch; one of them may have fewer.
        epoch: counted from 0, for the message.

    Raises:
        ValueError: there are more or fewer batches, or larger or smaller ones.
    """
    smaller, more = 0, ""
    try:
        number = len(batches)  # type: ignore[arg-type]
    except TypeError:  # it has no length, so they are counted
        number = steps_per_epoch
    if number == steps_per_epoch:
        number = 0
        for number, batch in enumerate(batches, 1):
            if number > steps_per_epoch:
                more = " or more"
                break
            rows = len(batch[0])
            smaller += rows < batch_size
            if rows > batch_size or smaller > 1:
                where = f"batch {number} of epoch {epoch + 1}"
                raise ValueError(
                    f"batches: expected {batch_size} rows, the batch_size of config, got {rows} in {where}"
                )
            yield batch
    if number != steps_per_epoch:
        count = f"{number}{more} batches"
        raise ValueError(f"batches: epoch {epoch + 1} has {count}, but steps_per_epoch is {steps_per_epoch}")
