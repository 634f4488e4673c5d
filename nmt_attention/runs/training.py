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
from .checkpoint import TrainingState, seed_dropout
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
    its progress within the epoch and resumes there; on several devices it stops after the epoch.

    The best epoch is that with the highest first score of `dev_scores`, at a tie the one with the lower "perplexity" if
    that is among the scores, else the earlier one. With several workers, each calls this with the same arguments; only
    the chief writes, in a directory that all see, and its scores decide.

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
        ValueError: an epoch does not have `steps_per_epoch` batches; the first of `dev_scores` does not rise; the
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

    def score() -> Row:
        """Returns the chief's scores, the same on all workers, as columns of the history."""
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
    state: TrainingState,
    train_step: Callable[..., Sequence[tf.Tensor]],
    batches: Callable[[int], Iterable[Any]],
    config: TrainConfig,
    stop: Sequence[int],
) -> list[float]:
    """Trains to the end of the epoch, from the step at which it was interrupted; logs progress twice a second.

    Returns the epoch's steps, nats, target tokens and seconds. If there is a signal to stop, it saves them and raises a
    TrainingInterrupted.
    """
    epoch, most, done = int(state.epochs), state.steps_per_epoch, state.begun.numpy()
    started = shown = time.perf_counter()
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
        if now - shown >= _SECONDS_BETWEEN:
            shown = now
            rest = ((config.epochs - epoch) * most - done[0]) * (now - started) / (done[0] - begun)
            speed = f"{(done[2] - of_tokens) / (now - started):,.0f} tokens/s"
            line = f"{where()}  loss {done[1] / done[2]:.3f}  {speed}  {rest // 60:.0f}:{rest % 60:02.0f} left"
            logger.info("%s", line, extra={"transient": True})
    if stop and done[0] < most:
        state.pause(done)
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
