"""Training on disk: epochs, the best of them, and exact resume."""

import contextlib
import dataclasses
import itertools
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..config import TrainConfig
from ..disk.files import in_brief
from ..train import make_optimizer
from .checkpoint import EpochTotals, TrainingState, restore, save, seed_dropout
from .distribute import gather, is_chief, make_run_step, with_loss_scale
from .machine import TrainingInterrupted, catch_stop_signals
from .run_files import Row, check_path, write_history

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

    An epoch is a function of the weights before it, `config.seed`, its number and its batches. So if a killed run is
    started again with the same arguments, it repeats the epoch that was interrupted and ends with the same weights as
    an uninterrupted run. This is so on a CPU; a GPU may round sums differently each time, TensorFlow's own operations
    unless `tf.config.experimental.enable_op_determinism` was called. A run that is asked to stop, by Ctrl-C or SIGTERM,
    saves its progress within the epoch and resumes there; on several devices it stops after the epoch. The first
    weights are the model's own: two trainings are equal if these are, for example because
    `keras.utils.set_random_seed(config.seed)` was called before each model was made.

    The result is the weights of the best epoch: that with the highest first score of `dev_scores`, at a tie the one
    with the lower "perplexity" if that is among the scores, else the earlier one. If the first score was the same after
    every epoch, a warning is logged. With several workers, each calls this with the same arguments; only the chief
    writes, in a directory that all see, and its scores decide.

    Args:
        model: maps (source_ids, target_in, training) to (logits, weights), and has `features` and `logits` as in
            `Seq2Seq`; made in the scope of the strategy that trains it.
        batches: function of the epoch's number (from 0) that returns its `Batch`es, of at most `config.batch_size`
            rows each. It must return the same batches whenever it is called with the same number.
        steps_per_epoch: number of batches per epoch.
        dev_scores: function without arguments that scores the model as it is; returns a dict of numbers, always with
            the same names. The first rises as the model gets better: it chooses the best epoch and, with
            `config.patience`, ends the training. Called once before the first step, so that its errors show at once.
        config: the settings of the training.
        directory: holds `history.csv` and `checkpoints/`; made if necessary. An unfinished training there is resumed.
        after_epoch: called with the number of epochs done, before the first one (0) and after each, once `dev_scores`
            has been called.

    Returns:
        The rows of `history.csv`. The model has the best epoch's weights.

    Raises:
        TypeError: `batches` or `dev_scores` is not a function, or `config` not a `TrainConfig`.
        ValueError: an epoch does not have `steps_per_epoch` batches, or one of more than `config.batch_size` rows;
            `dev_scores` does not return what it should; the directory holds another training; `history.csv` is not of
            a training or lacks rows; a checkpoint is damaged; not all workers see it; or TensorFlow would read the
            directory's name as a pattern.
        FloatingPointError: a step's loss or gradient is not finite; the last checkpoint stays unchanged.
        OSError: a checkpoint cannot be written; the one before stays.
        TrainingInterrupted: it was asked to stop, and has saved.
    """
    directory = Path(directory)
    _check_arguments(batches, steps_per_epoch, dev_scores, config, directory)
    strategy = model.distribute_strategy
    with strategy.scope():
        optimizer = with_loss_scale(make_optimizer(model, steps_per_epoch, config), model)
    state = TrainingState(model, optimizer, directory)
    history = state.resume(_settings(model, steps_per_epoch, config))
    train_step = make_run_step(model, optimizer, config)
    progress = _Progress(config.epochs, steps_per_epoch, int(state.epochs))

    def score() -> Row:
        """Returns the chief's scores, the same on all workers, as columns of the history."""
        logger.info("scoring on dev …", extra={"transient": True})
        columns = _as_columns(dev_scores(), history)
        return {name: gather(strategy, value)[0] for name, value in columns.items()}

    if not state.is_over(config):
        score()  # its errors show before the first step
        after_epoch(int(state.epochs))
    with catch_stop_signals() as signals:
        while not state.is_over(config):
            totals = _train_epoch(state, train_step, batches, config, progress, signals)
            scoring_started = time.perf_counter()
            scores = score()
            scoring_seconds = time.perf_counter() - scoring_started
            history.append(_make_row(int(state.epochs) + 1, totals, scoring_seconds, scores))
            after_epoch(int(state.epochs) + 1)
            _save_epoch(state, history, next(iter(scores)), steps_per_epoch)
            stop_signal = max(gather(strategy, signals[0] if signals else 0))  # waits until the chief has saved
            progress.epoch_done(history[-1])
            if state.is_over(config) and is_chief(strategy):
                _warn_if_constant(history, next(iter(scores)), int(state.best_epoch))
            if stop_signal:
                where = f"epoch {int(state.epochs)}/{config.epochs}"
                raise TrainingInterrupted(f"stopped and saved after {where}", int(stop_signal))

    restore(state.checkpoint, state.best.directory)
    return history


def _train_epoch(
    state: TrainingState,
    train_step: Callable[..., Sequence[tf.Tensor]],
    batches: Callable[[int], Iterable[Any]],
    config: TrainConfig,
    progress: "_Progress",
    signals: Sequence[int],
) -> EpochTotals:
    """Trains to the end of the epoch, from the step at which it was interrupted.

    Raises:
        FloatingPointError: a step's loss or gradient is not finite.
        TrainingInterrupted: there is a signal; progress within the epoch is saved. Several devices finish the epoch.
    """
    started, epoch, stop = time.perf_counter(), int(state.epochs), signals if config.strategy == "single" else ()
    begun, nats, tokens, seconds = state.begun.numpy().tolist()
    steps = int(begun)
    if not steps:
        seed_dropout(state.model, config.seed, epoch)
    compiling = ", and compiling the step" if not progress.steps else ""
    logger.info("%s: making batches%s …", progress.where(steps), compiling, extra={"transient": True})
    checked = check_batches(batches(epoch), progress.steps_per_epoch, config.batch_size, epoch)
    for results in fetch_results(train_step(*batch) for batch in itertools.islice(checked, steps, None)):
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
    if stop and steps < progress.steps_per_epoch:
        state.begun.assign(list(totals))
        save(state.last, epoch * progress.steps_per_epoch + steps)
        raise TrainingInterrupted(f"stopped and saved at {progress.where(steps)}", stop[0])
    return totals


def fetch_results(results: Iterator[Sequence[tf.Tensor]]) -> Iterator[list[list[float]]]:
    """Yields the results of ten steps at a time, as lists of floats, so that a GPU need not wait for Python."""
    while ten := list(itertools.islice(results, 10)):
        yield tf.convert_to_tensor(ten).numpy().tolist()


def check_batches(batches: Iterable[Any], steps_per_epoch: int, batch_size: int, epoch: int) -> Iterator[Any]:
    """Yields an epoch's batches, and makes sure that there are as many, of as many rows, as expected.

    Raises:
        ValueError: there are more or fewer, said before the first one if they have a length, or one has too many rows.
    """
    name = f"batches: epoch {epoch + 1}"
    expected = f"but steps_per_epoch is {steps_per_epoch}"
    with contextlib.suppress(TypeError):  # it has no length
        if len(batches) != steps_per_epoch:  # type: ignore[arg-type]
            raise ValueError(f"{name} has {len(batches)} batches, {expected}")  # type: ignore[arg-type]
    number = 0
    for number, batch in enumerate(batches, 1):
        if number > steps_per_epoch:
            raise ValueError(f"{name} has {number} or more batches, {expected}")
        if len(batch[0]) > batch_size:
            raise ValueError(f"{name} has a batch of {len(batch[0])} rows, but config's batch_size is {batch_size}")
        yield batch
    if number < steps_per_epoch:
        raise ValueError(f"{name} has {number} batches, {expected}")


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
        if now - self.shown < _SECONDS_BETWEEN:
            return
        self.shown = now
        left = ((self.epochs - self.epoch) * self.steps_per_epoch - step) * (now - self.started) / self.steps
        minutes, seconds = divmod(round(left), 60)
        speed = f"{self.tokens / (now - self.started):,.0f} tokens/s"
        line = f"{self.where(step)}  loss {loss:.3f}  {speed}  {minutes}:{seconds:02} left"
        logger.info("%s", line, extra={"transient": True})

    def epoch_done(self, row: Row) -> None:
        """Logs a row of the history."""
        self.epoch += 1
        dev = "  ".join(f"{key.replace('_', ' ')} {value:.2f}" for key, value in row.items() if key[:4] == "dev_")
        speed = f"{row['tokens_per_second']:,.0f} tokens/s  {row['seconds']:.0f} s"
        logger.info("%s", f"epoch {row['epoch']}/{self.epochs}  loss {row['loss']:.3f}  {speed}  {dev}")


def _make_row(epoch: int, totals: EpochTotals, scoring_seconds: float, scores: Row) -> Row:
    """Returns the row of the history for an epoch, counted from 1."""
    return {
        "epoch": epoch,
        "loss": totals.nats / totals.tokens,
        "tokens_per_second": totals.tokens / totals.seconds,
        "seconds": totals.seconds,
        "scoring_seconds": scoring_seconds,
        **scores,
    }


def _save_epoch(state: TrainingState, history: Sequence[Row], score_name: str, steps_per_epoch: int) -> None:
    """Counts the epoch that the last row of the history describes, and has the chief save it.

    The history is written before the checkpoint that counts on its rows.
    """
    row, epoch, best_epoch = history[-1], int(state.epochs) + 1, int(state.best_epoch)
    # the history keeps scores in float64, so that an exact tie does not count as better, not even after a resume
    is_best = not best_epoch or _rank(row, score_name) > _rank(history[best_epoch - 1], score_name)
    state.epochs.assign(epoch)
    state.begun.assign(np.zeros(4))
    if is_best:
        state.best_epoch.assign(epoch)
    if is_chief(state.model.distribute_strategy):
        write_history(state.directory / "history.csv", history)
        for manager in (state.best, state.last) if is_best else (state.last,):
            save(manager, epoch * steps_per_epoch)


def _check_arguments(batches: Any, steps_per_epoch: int, dev_scores: Any, config: Any, directory: Path) -> None:
    for name, function in (("batches", batches), ("dev_scores", dev_scores)):
        if not callable(function):
            raise TypeError(f"{name}: expected a function, got {type(function).__name__}")
    if not isinstance(config, TrainConfig):
        raise TypeError(f"config: expected TrainConfig, got {type(config).__name__}")
    if steps_per_epoch < 1:
        raise ValueError(f"steps_per_epoch: expected at least 1, got {steps_per_epoch}")
    check_path(directory)


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
    """Returns the result of `dev_scores` as columns of the history, after checking it.

    Raises:
        ValueError: it is not a dict of numbers, the first falls as models get better, or the history has other columns.
    """
    try:
        columns = {f"dev_{name}": float(value) for name, value in scores.items()}
    except (AttributeError, TypeError, ValueError):
        columns = {}
    if next(iter(columns), "dev_loss") in ("dev_loss", "dev_perplexity"):
        expected = "a dict of numbers, the first of which rises as the model gets better"
        raise ValueError(f"dev_scores: expected {expected}, got {in_brief(repr(scores))}")
    before = [name for name in (history[0] if history else columns) if name.startswith("dev_")]
    if set(columns) != set(before):
        raise ValueError(f"dev_scores: expected {', '.join(before)}, as in history.csv, got {', '.join(columns)}")
    return columns


def _rank(row: Row, score_name: str) -> tuple[float, ...]:
    """Returns what is greater for a better epoch: its score and, for ties, its negated perplexity; NaN is the worst."""
    numbers = row[score_name], -row.get("dev_perplexity", 0.0)
    return tuple(-math.inf if math.isnan(number) else number for number in numbers)


def _warn_if_constant(history: Sequence[Row], score_name: str, best_epoch: int) -> None:
    """Logs a warning if all epochs had the same score, because it then cannot choose the best one."""
    if len(history) > 1 and len({_rank(row, score_name)[0] for row in history}) == 1:
        why = "which has the lowest dev_perplexity" if "dev_perplexity" in history[0] else "the first"
        constant = f"{score_name} was {history[0][score_name]:g} after each of {len(history)} epochs"
        logger.warning("%s; the weights kept are those of epoch %d, %s", constant, best_epoch, why)
