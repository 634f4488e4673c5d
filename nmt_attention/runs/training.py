"""Training on disk: epochs, the best of them, and exact resume."""

import dataclasses
import itertools
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from ..config import TrainConfig
from ..train import make_optimizer
from .checkpoint import EpochTotals, TrainingState, seed_dropout
from .distribute import gather, make_run_step, with_loss_scale
from .machine import TrainingInterrupted, catch_stop_signals
from .run_files import Row, check_path

logger = logging.getLogger(__name__)
_SECONDS_BETWEEN = 0.5  # lines of progress


def train_model(
    model: keras.Model,
    batches: Callable[[int], Iterable[Any]],
    steps_per_epoch: int,
    dev_scores: Callable[[], Mapping[str, float]],
    config: TrainConfig,
    directory: Path | str,
    after_epoch: Callable[[int], None] = lambda epoch: None,
) -> list[Row]:
    """Trains a model, and saves enough after every epoch to resume exactly there.

    An epoch is a function of the weights before it, `config.seed`, its number and its batches. So a killed run that is
    started again with the same arguments ends with the same weights as an uninterrupted one; on a GPU only if
    `tf.config.experimental.enable_op_determinism` was called. A run that is asked to stop, by Ctrl-C or SIGTERM, saves
    its progress within the epoch and resumes there; on several devices it stops after the epoch. The first weights are
    the model's own: call `keras.utils.set_random_seed(config.seed)` before it is made.

    The result is the weights of the best epoch: that with the highest first score of `dev_scores`, at a tie the one
    with the lower "perplexity" if that is among the scores, else the earlier one. With several workers, each calls this
    with the same arguments; only the chief writes, in a directory that all see, and its scores decide.

    Args:
        model: maps (source_ids, target_in, training) to (logits, weights), and has `features` and `logits` as in
            `Seq2Seq`; made in the scope of the strategy that trains it.
        batches: function of the epoch's number (from 0) that returns its `Batch`es, the same for the same number.
        steps_per_epoch: number of batches per epoch.
        dev_scores: scores the model as it is; returns numbers by name, always the same names. The first rises as the
            model gets better: it chooses the best epoch and, with `config.patience`, ends the training. Called once
            before the first step, so that its errors show at once.
        config: the settings of the training.
        directory: holds `history.csv` and `checkpoints/`; made if necessary. An unfinished training there is resumed.
        after_epoch: called with the number of epochs done, before the first one (0) and after each, once `dev_scores`
            has been called.

    Returns:
        The rows of `history.csv`. The model has the best epoch's weights.

    Raises:
        ValueError: an epoch does not have `steps_per_epoch` batches; `dev_scores` does not return what it should; the
            directory holds another training; a file in it is damaged or missing, or not all workers see it.
        FloatingPointError: a step's loss or gradient is not finite; the last checkpoint stays unchanged.
        OSError: a checkpoint cannot be written; the one before stays.
        TrainingInterrupted: it was asked to stop, and has saved.
    """
    check_path(directory := Path(directory))
    strategy = model.distribute_strategy
    with strategy.scope():
        optimizer = with_loss_scale(make_optimizer(model, steps_per_epoch, config), model)
    state = TrainingState(model, optimizer, directory, steps_per_epoch)
    state.resume(_settings(model, steps_per_epoch, config))
    train_step = make_run_step(model, optimizer, config)
    progress = _Progress(config.epochs, steps_per_epoch, int(state.epochs))

    def score() -> Row:
        """Returns the chief's scores, the same on all workers, as columns of the history."""
        logger.info("scoring on dev …", extra={"transient": True})
        columns = _as_columns(dev_scores(), state.history)
        return {name: gather(strategy, value)[0] for name, value in columns.items()}

    if not state.is_over(config):
        score()  # its errors show before the first step
        after_epoch(int(state.epochs))
    with catch_stop_signals() as signals:
        while not state.is_over(config):
            totals = _train_epoch(state, train_step, batches, config, progress, signals)
            scoring_started = time.perf_counter()
            scores = score()
            row = {
                "epoch": (epoch := int(state.epochs) + 1),
                "loss": totals.nats / totals.tokens,
                "tokens_per_second": totals.tokens / totals.seconds,
                "seconds": totals.seconds,
                "scoring_seconds": time.perf_counter() - scoring_started,
                **scores,
            }
            after_epoch(epoch)
            state.end_epoch(row)
            stop_signal = max(gather(strategy, signals[0] if signals else 0))  # waits until the chief has saved
            progress.epoch_done(row)
            if stop_signal:
                raise TrainingInterrupted(f"stopped and saved after epoch {epoch}/{config.epochs}", int(stop_signal))
    state.restore(state.best)
    return state.history


def _train_epoch(
    state: TrainingState,
    train_step: Callable[..., Sequence[tf.Tensor]],
    batches: Callable[[int], Iterable[Any]],
    config: TrainConfig,
    progress: "_Progress",
    signals: Sequence[int],
) -> EpochTotals:
    """Trains to the end of the epoch, from the step at which it was interrupted.

    If there is a signal, it saves its progress and raises a TrainingInterrupted; several devices finish the epoch.
    """
    started, epoch, stop = time.perf_counter(), int(state.epochs), signals if config.strategy == "single" else ()
    begun, nats, tokens, seconds = state.begun.numpy().tolist()
    steps, most = int(begun), state.steps_per_epoch
    if not steps:
        seed_dropout(state.model, config.seed, epoch)
    compiling = ", and compiling the step" if not progress.steps else ""
    logger.info("%s: making batches%s …", progress.where(steps), compiling, extra={"transient": True})
    left = itertools.islice(batches(epoch), steps, most + 1)
    for results in _fetched(train_step(*batch) for batch in left):
        before = tokens
        for nll, count, norm in results:
            steps += 1
            if not (math.isfinite(nll) and math.isfinite(norm)):
                what = f"the loss is {nll / count}, the norm of its gradient {norm}"
                raise FloatingPointError(f"{progress.where(steps)}: {what}; lower learning_rate or clip_norm")
            nats, tokens = nats + nll, tokens + count
        if stop:
            break
        progress.steps_done(steps, nats / tokens, len(results), tokens - before)
    totals = EpochTotals(steps, nats, tokens, seconds + time.perf_counter() - started)
    if stop and steps < most:
        state.pause(totals)
        raise TrainingInterrupted(f"stopped and saved at {progress.where(steps)}", stop[0])
    if steps != most:
        found = f"{steps} or more" if steps > most else steps
        raise ValueError(f"batches: epoch {epoch + 1} has {found} batches, but steps_per_epoch is {most}")
    return totals


def _fetched(results: Iterator[Sequence[tf.Tensor]]) -> Iterator[list[list[float]]]:
    """Yields the results of ten steps at a time, as lists of floats, so that a GPU need not wait for Python."""
    while ten := list(itertools.islice(results, 10)):
        yield tf.convert_to_tensor(ten).numpy().tolist()


class _Progress:
    """Logs epoch, step, loss, target tokens per second and the time left, at most twice per second."""

    def __init__(self, epochs: int, steps_per_epoch: int, epoch: int) -> None:
        self.epochs, self.steps_per_epoch, self.epoch = epochs, steps_per_epoch, epoch
        self.started = self.shown = time.perf_counter()
        self.steps, self.tokens = 0, 0.0

    def where(self, step: int) -> str:
        """Returns the place in the run: `epoch 3/10, step 17/314`."""
        return f"epoch {self.epoch + 1}/{self.epochs}, step {step}/{self.steps_per_epoch}"

    def steps_done(self, step: int, loss: float, steps: int, tokens: float) -> None:
        """Counts steps and their tokens, and logs the last step if the last message is old enough."""
        self.steps, self.tokens = self.steps + steps, self.tokens + tokens
        now = time.perf_counter()
        if now - self.shown >= _SECONDS_BETWEEN:
            self.shown = now
            left = ((self.epochs - self.epoch) * self.steps_per_epoch - step) * (now - self.started) / self.steps
            speed = f"{self.tokens / (now - self.started):,.0f} tokens/s"
            line = f"{self.where(step)}  loss {loss:.3f}  {speed}  {left // 60:.0f}:{left % 60:02.0f} left"
            logger.info("%s", line, extra={"transient": True})

    def epoch_done(self, row: Row) -> None:
        """Logs a row of the history."""
        self.epoch += 1
        dev = "  ".join(f"{key.replace('_', ' ')} {value:.2f}" for key, value in row.items() if key[:4] == "dev_")
        speed = f"{row['tokens_per_second']:,.0f} tokens/s  {row['seconds']:.0f} s"
        logger.info("%s", f"epoch {row['epoch']}/{self.epochs}  loss {row['loss']:.3f}  {speed}  {dev}")


def _settings(model: keras.Model, steps_per_epoch: int, config: TrainConfig) -> dict[str, Any]:
    """Returns what must be the same whenever a training is resumed, as a JSON-ready dict."""
    model_config: Any = getattr(model, "config", None)  # any model can be trained; those of this package have one
    return {
        **(dataclasses.asdict(model_config) if dataclasses.is_dataclass(type(model_config)) else {}),
        **dataclasses.asdict(config),
        "steps_per_epoch": steps_per_epoch,
        "dtype": model.dtype_policy.name,
        "parameters": sum(math.prod(weight.shape) for weight in model.weights),
    }


def _as_columns(scores: Mapping[str, float], history: Sequence[Row]) -> Row:
    """Returns the result of `dev_scores` as columns of the history, or raises a ValueError if they are not."""
    columns = {f"dev_{name}": float(value) for name, value in scores.items()}
    if next(iter(columns), "dev_loss") in ("dev_loss", "dev_perplexity"):
        raise ValueError(f"dev_scores: expected numbers, the first of which rises as models get better, got {scores}")
    before = [name for name in (history[0] if history else columns) if name.startswith("dev_")]
    if set(columns) != set(before):
        raise ValueError(f"dev_scores: expected {', '.join(before)}, as in history.csv, got {', '.join(columns)}")
    return columns
