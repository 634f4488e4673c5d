"""Training on disk: epochs, the best of them, and exact resume."""

import dataclasses
import itertools
import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf
from tensorflow.python.framework.config import is_op_determinism_enabled

from ..config import TrainConfig
from ..disk.files import in_brief, write_json
from ..train import make_optimizer
from .checkpoint import TrainingState, check_settings, restore, save, seed_dropout
from .distribute import check_same, gather, is_chief, make_run_step, with_loss_scale
from .epoch import check_batches, train_epoch
from .history import Progress, read_epochs, write_history
from .process import TrainingInterrupted, catch_stop_signals
from .run_files import check_path

logger = logging.getLogger(__name__)
Row = dict[str, float]  # of `history.csv`: one epoch


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
    saves its progress within the epoch and resumes there. The first weights are the model's own: two trainings are
    equal if these are, for example because `keras.utils.set_random_seed(config.seed)` was called before each model was
    made.

    The result is the weights of the best epoch: that with the highest first score of `dev_scores`, at a tie the one
    with the lower "perplexity" if that is among the scores, else the earlier one. If the first score was the same after
    every epoch, a warning is logged.

    With several workers, each calls this with the same arguments; only the chief writes, in a directory that all see,
    and its scores decide. If one of them is asked to stop, all stop after the epoch; so do several replicas.

    Args:
        model: maps (source_ids, target_in, training) to (logits, weights), and has `features` and `logits` as in
            `Seq2Seq`; made in the scope of the strategy that trains it.
        batches: function of the epoch's number (from 0) that returns its `Batch`es, of `config.batch_size` rows each;
            one of them may have fewer. It must return the same batches whenever it is called with the same number.
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
        ValueError: an epoch does not have `steps_per_epoch` batches of `config.batch_size` rows, `dev_scores` does not
            return what it should, the directory holds another training, `history.csv` is not of a training or lacks
            rows, a checkpoint is damaged, not all workers see it, or TensorFlow would read the directory's name as a
            pattern.
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
    history = _resume(state, _settings(model, steps_per_epoch, config))
    train_step = make_run_step(model, optimizer, config)
    progress = Progress(config.epochs, steps_per_epoch, int(state.epochs))

    if not state.is_over(config):
        _score(dev_scores, history, strategy)  # its errors show before the first step
        after_epoch(int(state.epochs))
    with catch_stop_signals() as signals:
        while not state.is_over(config):
            totals = _train_one_epoch(state, train_step, batches, config, progress, signals)
            scoring_started = time.perf_counter()
            scores = _score(dev_scores, history, strategy)
            history.append(_make_row(int(state.epochs) + 1, totals, time.perf_counter() - scoring_started, scores))
            score_name = next(iter(scores))
            after_epoch(int(state.epochs) + 1)
            _save_epoch(state, history, score_name, steps_per_epoch)
            stop_signal = max(gather(strategy, signals[0] if signals else 0))  # waits until the chief has saved
            progress.epoch_done(history[-1])
            if state.is_over(config) and is_chief(strategy):
                _warn_if_constant(history, score_name, int(state.best_epoch))
            if stop_signal:
                where = f"epoch {int(state.epochs)}/{config.epochs}"
                raise TrainingInterrupted(f"stopped and saved after {where}", int(stop_signal))

    restore(state.checkpoint, state.best.directory)
    return history


class EpochTotals(NamedTuple):
    """Sums over the steps of an epoch."""

    steps: int
    nats: float  # negative log-likelihood of the target tokens
    tokens: float  # real target tokens
    seconds: float


def _resume(state: TrainingState, settings: dict[str, Any]) -> list[Row]:
    """Restores the last checkpoint, if there is one, and returns the history up to it.

    Raises:
        ValueError: the directory holds another training, or what it holds is damaged or incomplete.
    """
    strategy = state.model.distribute_strategy
    settings_path, history_path = state.directory / "checkpoints" / "settings.json", state.directory / "history.csv"
    if state.last.latest_checkpoint:
        check_settings(settings_path, settings)
        restore(state.checkpoint, state.last.directory)
        if tf.config.get_visible_devices("GPU") and not is_op_determinism_enabled():
            logger.info("resumed on a GPU: its sums may round differently than without the stop; see --deterministic")
    elif history_path.exists() and not settings_path.is_file():
        raise ValueError(
            f"{history_path}: not of a training, because there is no {settings_path}; move it away or use another "
            "directory"
        )
    if is_chief(strategy) and not (state.last.latest_checkpoint and settings_path.is_file()):
        settings_path.parent.mkdir(parents=True, exist_ok=True)
        write_json(settings_path, settings)
    check_same(strategy, str(int(state.epochs)), f"{state.directory}: the last checkpoint")
    return read_epochs(history_path, int(state.epochs))


def _train_one_epoch(
    state: TrainingState,
    train_step: Callable[..., Sequence[tf.Tensor]],
    batches: Callable[[int], Iterable[Any]],
    config: TrainConfig,
    progress: Progress,
    signals: Sequence[int],
) -> EpochTotals:
    """Trains to the end of the epoch, from the step at which it was interrupted.

    Raises:
        TrainingInterrupted: there is a signal; progress within the epoch is saved. Several devices finish the epoch.
    """
    started = time.perf_counter()
    epoch, steps_per_epoch = int(state.epochs), progress.steps_per_epoch
    steps, nats, tokens, seconds = state.begun.numpy().tolist()
    if not steps:
        seed_dropout(state.model, config.seed, epoch)
    compiling = ", and compiling the step" if not progress.steps else ""
    logger.info("%s: making batches%s …", progress.where(int(steps)), compiling, extra={"transient": True})
    checked = check_batches(batches(epoch), steps_per_epoch, config.batch_size, epoch)
    remaining = itertools.islice(checked, int(steps), None)
    stop = signals if config.strategy == "single" else ()
    steps, nats, tokens = train_epoch(train_step, remaining, progress, (steps, nats, tokens), stop)
    totals = EpochTotals(steps, nats, tokens, seconds + time.perf_counter() - started)
    if stop and steps < steps_per_epoch:
        state.begun.assign(list(totals))
        save(state.last, epoch * steps_per_epoch + steps)
        raise TrainingInterrupted(f"stopped and saved at {progress.where(steps)}", stop[0])
    return totals


def _score(
    dev_scores: Callable[[], Mapping[str, float]], history: Sequence[Row], strategy: tf.distribute.Strategy
) -> Row:
    """Returns the chief's scores, the same on all workers, as columns of the history."""
    logger.info("scoring on dev …", extra={"transient": True})
    columns = _as_columns(dev_scores(), history)
    return {name: gather(strategy, value)[0] for name, value in columns.items()}


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
    score = row[score_name]
    perplexity = row.get("dev_perplexity", 0.0)
    return tuple(-math.inf if math.isnan(number) else number for number in (score, -perplexity))


def _warn_if_constant(history: Sequence[Row], score_name: str, best_epoch: int) -> None:
    """Logs a warning if all epochs had the same score, because it then cannot choose the best one."""
    if len(history) > 1 and len({_rank(row, score_name)[0] for row in history}) == 1:
        why = "which has the lowest dev_perplexity" if "dev_perplexity" in history[0] else "the first"
        constant = f"{score_name} was {history[0][score_name]:g} after each of {len(history)} epochs"
        logger.warning("%s; the weights kept are those of epoch %d, %s", constant, best_epoch, why)
