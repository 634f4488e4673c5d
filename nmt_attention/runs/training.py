"""A training on disk: epochs, the best of them, and exact resume."""

import dataclasses
import importlib.util
import itertools
import logging
import math
import time
from pathlib import Path

import numpy as np
import tensorflow as tf

from ..batches import check_batches
from ..config import TrainConfig
from ..files import in_brief, write_json
from ..train import make_optimizer, train_epoch
from .checkpoint import check_settings, restore, save
from .distribute import check_same, gather, is_chief, make_replicated_step
from .history import read_epochs, write_history
from .progress import Progress, log_row
from .run_files import check_path
from .signals import TrainingInterrupted, catch_stop_signals

logger = logging.getLogger(__name__)


def train(model, batches, steps_per_epoch, dev_scores, config, directory, tensorboard=False):
    """Trains a model, saving enough after every epoch to go on exactly there.

    An epoch is a function of the weights before it, `config.seed`, its number and its batches. So a run that was killed
    and is started again with the same arguments repeats the epoch it was in and ends with the same weights as one that
    was never stopped. One that is asked to stop, by Ctrl-C or SIGTERM, saves what it has of the epoch and goes on in
    the middle of it. The first weights are the model's own: two trainings are equal if theirs are, for example because
    `keras.utils.set_random_seed(config.seed)` was called before each model was made.

    The result is the weights of the best epoch: that with the highest first score of `dev_scores`, at a tie the one
    with the lower "perplexity" if that is among the scores, else the earlier. A line on standard error says if the
    first score was the same after every epoch.

    Of several workers each calls this with the same arguments; the chief alone writes, in a directory that all see,
    and its scores decide. One that is asked to stop has all stop, after the epoch; so do several replicas.

    Args:
        model: Keras model, (source_ids, target_in, training) to (logits, weights), with `features` and `logits` as in
            `Seq2Seq`; made in the scope of the strategy to train it with.
        batches: function of the epoch's number (from 0) that returns its `Batch`es, of `config.batch_size` rows each;
            one of them may have fewer. They must be the same whenever it is called with the same number.
        steps_per_epoch: int. How many batches an epoch has.
        dev_scores: function without arguments that scores the model as it is; returns a dict of numbers, always with
            the same names. The first rises as the model gets better: it chooses the best epoch and, with
            `config.patience`, ends the training. Called once before the first step, so that its mistakes show at once.
        config: `TrainConfig`.
        directory: where `history.csv` and `checkpoints/` live, made if need be; an unfinished run there is continued.
        tensorboard: bool. Whether to write event files for TensorBoard to `directory/logs`.

    Returns:
        List of dicts, a row of `history.csv` each. The model has the best epoch's weights.

    Raises:
        TypeError: `batches` or `dev_scores` is no function, or `config` no `TrainConfig`.
        ValueError: an epoch's batches are not `steps_per_epoch` or not of `config.batch_size` rows, `dev_scores` does
            not return what it should, the directory holds another training, a `history.csv` that is of none or not all
            rows of this one's history, a checkpoint is damaged, not all workers see it, the directory's name is one
            that TensorFlow takes for a pattern, or TensorBoard is asked for and not installed.
        FloatingPointError: a step's loss or gradient is not finite; the last checkpoint stays as it was.
        OSError: a checkpoint cannot be written; the one before stays.
        TrainingInterrupted: it was asked to stop, and has saved.
    """
    directory = Path(directory)
    _check_arguments(batches, steps_per_epoch, dev_scores, config, directory, tensorboard)
    strategy = model.distribute_strategy
    with strategy.scope():
        optimizer = make_optimizer(model, steps_per_epoch, config)
    start = {"epochs": 0, "best_epoch": 0, "begun": np.zeros(4)}
    done = {name: tf.Variable(value) for name, value in start.items()}  # begun: an epoch's steps, nats, tokens, seconds
    drawn = [state.value for state in _dropout_states(model)]
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, drawn=drawn, **done)
    last, best = (
        tf.train.CheckpointManager(checkpoint, str(directory / "checkpoints" / name), max_to_keep=1)
        for name in ("last", "best")
    )
    settings, settings_path = _settings(model, steps_per_epoch, config), directory / "checkpoints" / "settings.json"
    history_path = directory / "history.csv"
    if last.latest_checkpoint:
        check_settings(settings_path, settings)
        restore(checkpoint, last.directory)
    elif history_path.exists() and not settings_path.is_file():
        raise ValueError(
            f"{history_path}: not of a training, because there is no {settings_path}; move it away or use another "
            "directory"
        )
    if is_chief(strategy) and not (last.latest_checkpoint and settings_path.is_file()):
        settings_path.parent.mkdir(parents=True, exist_ok=True)
        write_json(settings_path, settings)
    check_same(strategy, str(int(done["epochs"])), f"{directory}: the last checkpoint")
    history = read_epochs(history_path, int(done["epochs"]))
    train_step = make_replicated_step(model, optimizer, config, steps_per_epoch * config.epochs)
    progress = Progress(config.epochs, steps_per_epoch, int(done["epochs"]))

    def is_over():
        epochs = int(done["epochs"])
        return epochs >= config.epochs or (epochs and epochs - int(done["best_epoch"]) >= config.patience)

    def score_columns():
        columns = _as_columns(dev_scores(), history)
        return {name: gather(strategy, value)[0] for name, value in columns.items()}  # the chief's, on all workers

    if not is_over():
        score_columns()
    with catch_stop_signals() as noted:
        while not is_over():
            epoch = int(done["epochs"])
            started = time.perf_counter()
            *sums, seconds = done["begun"].numpy().tolist()
            if not sums[0]:
                seed_dropout(model, config.seed, epoch)
            checked = check_batches(batches(epoch), steps_per_epoch, config.batch_size, epoch)
            rest = itertools.islice(checked, int(sums[0]), None)
            stop = noted if config.strategy == "single" else ()
            steps, nats, tokens = train_epoch(train_step, rest, progress, sums, stop)
            trained = time.perf_counter()
            seconds += trained - started
            if stop and steps < steps_per_epoch:
                done["begun"].assign([steps, nats, tokens, seconds])
                save(last, epoch * steps_per_epoch + steps)
                raise TrainingInterrupted(f"stopped at {progress.where(steps)}, which is saved", noted[0])
            columns = score_columns()
            row = {
                "epoch": epoch + 1,
                "loss": nats / tokens,
                "tokens_per_second": tokens / seconds,
                "seconds": seconds,
                "scoring_seconds": time.perf_counter() - trained,
                **columns,
            }
            history.append(row)
            done["epochs"].assign(epoch + 1)
            done["begun"].assign(np.zeros(4))
            score_name, best_epoch = next(iter(columns)), int(done["best_epoch"])
            best_so_far = not best_epoch or _rank(row, score_name) > _rank(history[best_epoch - 1], score_name)
            if best_so_far:
                done["best_epoch"].assign(epoch + 1)
            if is_chief(strategy):
                write_history(history_path, history)
                if tensorboard:
                    log_row(directory / "logs", row)
                for manager in (best, last) if best_so_far else (last,):
                    save(manager, (epoch + 1) * steps_per_epoch)
            asked = max(gather(strategy, noted[0] if noted else 0))  # waits for the chief, which has saved then
            progress.epoch_done(row)
            if is_over() and is_chief(strategy):
                _warn_if_constant(history, score_name, int(done["best_epoch"]))
            if asked:
                raise TrainingInterrupted(
                    f"stopped after epoch {epoch + 1}/{config.epochs}, which is saved", int(asked)
                )

    restore(checkpoint, best.directory)
    return history


def _check_arguments(batches, steps_per_epoch, dev_scores, config, directory, tensorboard):
    for name, function in (("batches", batches), ("dev_scores", dev_scores)):
        if not callable(function):
            raise TypeError(f"{name}: expected a function, got {type(function).__name__}")
    if not isinstance(config, TrainConfig):
        raise TypeError(f"config: expected TrainConfig, got {type(config).__name__}")
    if steps_per_epoch < 1:
        raise ValueError(f"steps_per_epoch: expected at least 1, got {steps_per_epoch}")
    check_path(directory)
    if tensorboard and importlib.util.find_spec("tensorboard") is None:
        raise ValueError("tensorboard: not installed; pip install tensorboard")


def _settings(model, steps_per_epoch, config):
    """Returns what must be the same whenever a training goes on, a dict of what JSON can hold."""
    model_config = getattr(model, "config", None)  # any model may be trained; those of this package have one
    return {
        **(dataclasses.asdict(model_config) if dataclasses.is_dataclass(model_config) else {}),
        **dataclasses.asdict(config),
        "steps_per_epoch": steps_per_epoch,
        "dtype": model.dtype_policy.name,
        "parameters": sum(math.prod(weight.shape) for weight in model.weights),
    }


def _as_columns(scores, history):
    """Returns what `dev_scores` returned as columns of the history, having made sure that it can be used.

    Raises:
        ValueError: it is no dict of numbers, the first falls as models get better, or the history has other columns.
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


def _rank(row, score_name):
    """Returns what is greater for a better epoch: its score and, for ties, its negated perplexity; NaN is the worst."""
    score = row[score_name]
    perplexity = row.get("dev_perplexity", 0.0)
    return tuple(-math.inf if math.isnan(number) else number for number in (score, -perplexity))


def _warn_if_constant(history, score_name, best_epoch):
    """Says on standard error if all epochs had the same score, because it then tells nothing about the best one."""
    if len(history) > 1 and len({_rank(row, score_name)[0] for row in history}) == 1:
        why = "which has the lowest dev_perplexity" if "dev_perplexity" in history[0] else "the first"
        constant = f"{score_name} was {history[0][score_name]:g} after each of {len(history)} epochs"
        logger.warning("%s; the weights kept are those of epoch %d, %s", constant, best_epoch, why)


def _dropout_states(model):
    return [variable for variable in model.non_trainable_variables if "seed_generator_state" in variable.path]


def seed_dropout(model, seed, epoch):
    """Sets what dropout draws in an epoch; every dropout layer of every replica draws from a stream of its own."""
    states = _dropout_states(model)
    draws = [np.random.default_rng([seed, epoch, i]).integers(0, 2**31, 2) for i in range(len(states))]
    _assign(model.distribute_strategy, [state.value for state in states], tf.constant(draws, tf.int32))


@tf.function
def _assign(strategy, states, draws):
    def assign(states):
        replica = tf.distribute.get_replica_context().replica_id_in_sync_group
        for state, draw in zip(states, tf.unstack(draws), strict=True):
            state.assign(tf.cast(tf.add(draw, [replica, 0]), state.dtype))

    strategy.run(assign, [states])
