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
import numpy as np
import tensorflow as tf

from ..config import TrainConfig
from ..disk.files import in_brief, read_json, write_json
from ..train import make_optimizer
from .distribute import check_same, gather, is_chief, make_run_step, with_loss_scale
from .machine import TrainingInterrupted, catch_stop_signals
from .run_files import Row, check_path, differences, read_history, write_history

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
    """Trains a model, saves enough to resume exactly, and leaves it with the weights of the best epoch.

    An epoch is a function of the weights before it, `config.seed`, its number and its batches. So a killed run that is
    started again with the same arguments ends with the same weights as an uninterrupted one; on a GPU only if
    `tf.config.experimental.enable_op_determinism` was called. A run that is asked to stop, by Ctrl-C or SIGTERM, saves
    its progress within the epoch and resumes there; on several devices it stops after the epoch.

    The best epoch is that with the highest first score of `dev_scores`, at a tie the one with the lower "perplexity" if
    that is among the scores, else the earlier one. With several workers, each calls this with the same arguments; only
    the chief writes, in a directory that all see, and its scores decide.

    Args:
        model: has `features` and `logits` as in `Seq2Seq`; made in the scope of the strategy that trains it.
        batches: function of the epoch's number (from 0) that returns its `Batch`es, the same for the same number.
        steps_per_epoch: number of batches per epoch.
        dev_scores: scores the model as it is; returns numbers by name, always the same names. The first rises as the
            model gets better: it chooses the best epoch and, with `config.patience`, ends the training. Called once
            before the first step, so that its errors show at once.
        config: the settings of the training.
        directory: holds `history.csv` and `checkpoints/`; made if necessary. An unfinished training there is resumed.
        after_epoch: called with the number of epochs done whenever `dev_scores` has been called.

    Returns:
        The rows of `history.csv`.

    Raises:
        ValueError: an epoch has more or fewer batches; the directory holds another training, or a damaged one.
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

    def score() -> Row:  # the chief's, the same on all workers
        logger.info("scoring on dev …", extra={"transient": True})
        scores = dev_scores()
        if next(iter(scores), "loss") in ("loss", "perplexity"):
            what = "expected numbers, the first of which rises as models get better"
            raise ValueError(f"dev_scores: {what}, got {scores}")
        return {f"dev_{name}": gather(strategy, float(value))[0] for name, value in scores.items()}

    if not state.is_over(config):
        score()  # its errors show before the first step
        after_epoch(int(state.epochs))
    with catch_stop_signals() as signals:
        while not state.is_over(config):
            epoch = int(state.epochs) + 1
            # Several devices, which must agree, look for a signal only once the epoch is over.
            stop = signals if config.strategy == "single" else ()
            _, nats, tokens, seconds = _train_epoch(state, train_step, batches, config, stop)
            scoring_started = time.perf_counter()
            scores = score()
            row = {
                "epoch": epoch,
                "loss": nats / tokens,
                "tokens_per_second": tokens / seconds,
                "seconds": seconds,
                "scoring_seconds": time.perf_counter() - scoring_started,
                **scores,
            }
            after_epoch(epoch)
            state.end_epoch(row)
            stop_signal = max(gather(strategy, signals[0] if signals else 0))  # waits until the chief has saved
            dev = "  ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in scores.items())
            speed = f"{tokens / seconds:,.0f} tokens/s  {seconds:.0f} s"
            logger.info("%s", f"epoch {epoch}/{config.epochs}  loss {nats / tokens:.3f}  {speed}  {dev}")
            if stop_signal:
                raise TrainingInterrupted(f"stopped and saved after epoch {epoch}/{config.epochs}", int(stop_signal))
    state.restore(state.best)
    return state.history


def _train_epoch(
    state: "TrainingState",
    train_step: Callable[..., Sequence[tf.Tensor]],
    batches: Callable[[int], Iterable[Any]],
    config: TrainConfig,
    stop: Sequence[int],
) -> list[float]:
    """Trains to the end of an epoch; returns its steps, nats, target tokens and seconds. A signal ends it early."""
    epoch, most, done = int(state.epochs), state.steps_per_epoch, state.begun.numpy()
    started = shown = ten_ago = time.perf_counter()
    begun, of_tokens, seconds = done[0], done[2], done[3]
    if not begun:
        seed_dropout(state.model, config.seed, epoch)

    def where() -> str:
        return f"epoch {epoch + 1}/{config.epochs}, step {done[0]:.0f}/{most}"

    logger.info("%s: making batches …", where(), extra={"transient": True})
    left = itertools.islice(batches(epoch), int(begun), most + 1)
    for results in _fetched(train_step(*batch) for batch in left):
        for nll, tokens, norm in results:
            done += (1, nll, tokens, 0)
            if not (math.isfinite(nll) and math.isfinite(norm)):
                what = f"the loss is {nll / tokens}, the norm of its gradient {norm}"
                raise FloatingPointError(f"{where()}: {what}; lower learning_rate or clip_norm")
        now = time.perf_counter()
        done[3] = seconds + now - started
        if stop:
            break
        left_steps = (config.epochs - epoch) * most - done[0]
        if state.says_minutes and len(results) == 10 and done[0] - begun == 20:  # the first ten have traced the graph
            of_step, state.says_minutes = (now - ten_ago) / 10, False
            minutes = max(1, round(left_steps * of_step / 60))
            how = f"{left_steps:,.0f} steps of {of_step:.2g} s; the scores of dev come on top"
            logger.info("%s", f"about {minutes:,} minute{'s' * (minutes > 1)} of training: {how}")
        ten_ago = now
        if now - shown >= _SECONDS_BETWEEN:
            shown = now
            rest = left_steps * (now - started) / (done[0] - begun)
            speed = f"{(done[2] - of_tokens) / (now - started):,.0f} tokens/s"
            line = f"{where()}  loss {done[1] / done[2]:.3f}  {speed}  {rest // 60:.0f}:{rest % 60:02.0f} left"
            logger.info("%s", line, extra={"transient": True})
    if stop and done[0] < most:
        state.begun.assign(done)
        state.save(state.last)
        raise TrainingInterrupted(f"stopped and saved at {where()}", stop[0])
    if done[0] != most:
        found = f"{most + 1} or more" if done[0] > most else f"{done[0]:.0f}"
        raise ValueError(f"batches: epoch {epoch + 1} has {found} batches, but steps_per_epoch is {most}")
    return done.tolist()


def _fetched(results: Iterator[Sequence[tf.Tensor]]) -> Iterator[list[list[float]]]:
    """Yields the results of ten steps at a time, as lists of floats, so that a GPU need not wait for Python."""
    while ten := list(itertools.islice(results, 10)):
        yield tf.convert_to_tensor(ten).numpy().tolist()


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


class TrainingState:
    """How far a training has come, with the checkpoints `last` and `best` in its directory."""

    def __init__(
        self, model: keras.Model, optimizer: keras.optimizers.Optimizer, directory: Path, steps_per_epoch: int
    ) -> None:
        self.model, self.directory, self.steps_per_epoch = model, directory, steps_per_epoch
        self.history: list[Row] = []
        self.says_minutes = True  # once, as soon as steps have been timed
        self.epochs = tf.Variable(0)  # finished epochs
        self.best_epoch = tf.Variable(0)  # counted from 1; 0 before the first epoch ends
        self.begun = tf.Variable(np.zeros(4))  # an interrupted epoch's steps, nats, target tokens and seconds
        self.checkpoint = tf.train.Checkpoint(  # these names are those in the files
            model=model,
            optimizer=optimizer,
            drawn=_dropout_states(model),
            epochs=self.epochs,
            best_epoch=self.best_epoch,
            begun=self.begun,
        )
        self.last, self.best = (
            tf.train.CheckpointManager(self.checkpoint, str(directory / "checkpoints" / name), max_to_keep=1)
            for name in ("last", "best")
        )

    def is_over(self, config: TrainConfig) -> bool:
        """Returns whether all epochs are finished, or none was better than the best one for `patience` epochs."""
        epochs = int(self.epochs)
        return epochs >= config.epochs or (epochs > 0 and epochs - int(self.best_epoch) >= config.patience)

    def resume(self, settings: dict[str, Any]) -> None:
        """Restores the last checkpoint, if there is one, and the history up to it; a ValueError if it is another's."""
        history, path = self.directory / "history.csv", self.directory / "checkpoints" / "settings.json"
        strategy = self.model.distribute_strategy
        if self.last.latest_checkpoint:
            there = read_json(path) if path.is_file() else None
            if not isinstance(there, dict):
                raise ValueError(f"{path}: missing or damaged; delete the run directory")
            if other := differences(there, settings):
                what = f"{self.directory} holds another training ({other})"
                raise ValueError(f"{what}; use another directory or delete it")
            self.restore(self.last)
        elif history.exists() and not path.is_file():
            why = f"not of a training, because there is no {path}"
            raise ValueError(f"{history}: {why}; move it away or use another directory")
        elif is_chief(strategy):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_json(path, settings)
        epochs = int(self.epochs)
        check_same(strategy, str(epochs), f"{self.directory}: the last checkpoint")
        self.history = read_history(history)[:epochs]
        if [row.get("epoch") for row in self.history] != [*range(1, epochs + 1)]:
            what = f"expected the rows of {epochs} epochs; put them back or delete the run directory"
            raise ValueError(f"{history}: {what}")

    def end_epoch(self, row: Row) -> None:
        """Counts the epoch that a row of the history describes, and has the chief save it.

        The history is written before the checkpoint that counts on its rows.
        """
        best_epoch = int(self.best_epoch)
        is_best = not best_epoch or _rank(row) > _rank(self.history[best_epoch - 1])
        self.history.append(row)
        self.epochs.assign_add(1)
        self.begun.assign(np.zeros(4))
        if is_best:
            self.best_epoch.assign(self.epochs)
        if is_chief(self.model.distribute_strategy):
            write_history(self.directory / "history.csv", self.history)
            for manager in (self.best, self.last) if is_best else (self.last,):
                self.save(manager)

    def save(self, manager: tf.train.CheckpointManager) -> None:
        """Writes a checkpoint, numbered by the steps done, and then deletes the one before."""
        try:
            manager.save(int(self.epochs) * self.steps_per_epoch + int(self.begun[0]))
        except tf.errors.OpError as error:
            what = f"{manager.directory}: could not write a checkpoint; the previous one is intact"
            raise OSError(f"{what} ({in_brief(error.message)})") from None

    def restore(self, manager: tf.train.CheckpointManager) -> None:
        """Returns to the checkpoint of `last` or `best`; a ValueError if it is missing, damaged or another's."""
        path = tf.train.latest_checkpoint(manager.directory)  # which the chief may have written only now
        try:
            self.checkpoint.restore(path or manager.directory).assert_consumed()
        except (tf.errors.OpError, IndexError, AssertionError, ValueError, RuntimeError) as error:
            what = f"{path or manager.directory}: missing, damaged, or of another model or version"
            raise ValueError(f"{what}; delete the run directory ({in_brief(error)})") from None


def _rank(row: Row) -> tuple[float, ...]:
    """Returns what is greater for a better epoch: its first score and, at a tie, less perplexity; NaN is the worst."""
    score = next(value for name, value in row.items() if name.startswith("dev_"))
    return tuple(-math.inf if math.isnan(n) else n for n in (score, -row.get("dev_perplexity", 0.0)))


def _dropout_states(model: keras.Model) -> list[tf.Variable]:
    """Returns the variables that dropout draws its seeds from, one per dropout layer."""
    return [variable.value for variable in model.non_trainable_variables if "seed_generator_state" in variable.path]


def seed_dropout(model: keras.Model, seed: int, epoch: int) -> None:
    """Sets what dropout draws in an epoch; every dropout layer of every replica has its own random stream."""
    states, strategy = _dropout_states(model), model.distribute_strategy
    draws = [np.random.default_rng([seed, epoch, i]).integers(0, 2**31, 2) for i in range(len(states))]

    def assign() -> None:
        replica = tf.distribute.get_replica_context().replica_id_in_sync_group
        for state, draw in zip(states, draws, strict=True):
            state.assign(tf.cast(draw + tf.stack([replica, 0]), state.dtype))

    tf.function(lambda: strategy.run(assign), autograph=False).get_concrete_function()()  # a new graph, not a retrace
