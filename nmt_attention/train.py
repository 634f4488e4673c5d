"""Training: one compiled step, epochs, and exact resume. Knows nothing of the model."""

import dataclasses
import importlib.util
import itertools
import math
import sys
import time
from pathlib import Path

import numpy as np
import tensorflow as tf

from .batches import check_batches
from .checkpoint import check_settings, restore, save
from .config import TrainConfig
from .distribute import check_same, draw_seed, gather, is_chief, run_replicas
from .fast import read_late
from .files import in_brief, read_epochs, write_history, write_json
from .interrupt import Stopped, noting_signals
from .loss import cross_entropy
from .optimizer import apply_clipped, make_optimizer
from .progress import Progress, log_row
from .run_files import check_path
from .text import PAD_ID


def make_train_step(model, optimizer, config, steps):
    """Returns the compiled training step: (source_ids, target_in, target_out) to (nll, tokens, norm).

    nll and tokens are sums over the batch; norm is the gradient's norm before clipping. The step is traced once,
    whatever the lengths of the batches. With several replicas, each computes the loss and gradient of its own rows;
    the gradients are summed, so that all apply the gradient of the whole batch.

    Args:
        model: Keras model with `features` and `logits`, as in `Seq2Seq`.
        optimizer: from `make_optimizer`.
        config: `TrainConfig`.
        steps: int. Steps of the whole training, over which the probability of scheduled sampling rises from 0.
    """

    def loss_and_gradients(source_ids, target_in, target_out, tokens):
        with tf.GradientTape() as tape:
            features, _ = model.features(source_ids, target_in, training=True)  # (B, T, E)
            if not config.jit:  # XLA needs shapes that do not depend on values
                features, target_out = real_positions(features, target_out)  # (N, E), (N,)
            logits = model.logits(features)  # (N, V)
            loss, nll, _ = cross_entropy(logits, target_out, config.label_smoothing)
            loss = optimizer.scale_loss(loss / tokens)
        return nll, tape.gradient(loss, model.trainable_variables)

    if config.jit:
        loss_and_gradients = on_few_shapes(tf.function(loss_and_gradients, jit_compile=True))

    def step(source_ids, target_in, target_out, tokens):
        if config.scheduled_sampling:
            progress = tf.cast(optimizer.iterations, tf.float32) / steps
            logits, _ = model(source_ids, target_in)
            target_in = scheduled_sampling(
                target_in, logits, config.scheduled_sampling * progress, draw_seed(config.seed, optimizer.iterations)
            )
        nll, gradients = loss_and_gradients(source_ids, target_in, target_out, tokens)
        return nll, apply_clipped(optimizer, gradients, model.trainable_variables, config.clip_norm)

    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32)] * 3)
    def train_step(*batch):
        return run_replicas(model.distribute_strategy, step, batch)

    return train_step


def real_positions(features, target_out):
    """Returns features `(N, E)` and ids `(N,)` of the N real target tokens: padding gets no product with V."""
    real = target_out != PAD_ID  # (B, T)
    return tf.boolean_mask(features, real), tf.boolean_mask(target_out, real)


def on_few_shapes(function):
    """Returns a function of ids `(B, T)` and a number that pads each T to a multiple of 8: XLA compiles every shape."""

    def padded(*arguments):
        *batch, tokens = arguments
        return function(*(pad_to_eights(ids) for ids in batch), tokens)

    return padded


def pad_to_eights(ids):
    """Returns ids `(B, T)` padded to the next multiple of 8 of T."""
    return tf.pad(ids, [[0, 0], [0, -tf.shape(ids)[1] % 8]], constant_values=PAD_ID)


def scheduled_sampling(target_in, logits, probability, seed):
    """Replaces some input tokens with what the model itself would have written in their place.

    A model that is always fed the right tokens never learns to go on after a mistake of its own. The whole sentence is
    replaced at once, from logits computed with the right tokens, where Bengio et al. go token by token.

    Args:
        target_in: `(B, T)` int32. START and the right tokens; START and padding stay.
        logits: `(B, T, V)`. The model's, for `target_in`.
        probability: float. Of replacing a token.
        seed: `(2,)` int. The same seed draws the same positions.

    Returns:
        `(B, T)` int32.

    Source: Bengio et al. 2015, arXiv:1506.03099 (scheduled sampling); Mihaylova & Martins 2019, arXiv:1906.07651 (in
    two passes).
    """
    own = tf.argmax(logits[:, :-1], axis=-1, output_type=tf.int32)  # what stands at t was predicted at t - 1
    right = target_in[:, 1:]
    drawn = tf.random.stateless_uniform(tf.shape(right), seed) < probability
    return tf.concat([target_in[:, :1], tf.where(drawn & (right != PAD_ID), own, right)], axis=1)


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
        Stopped: it was asked to stop, and has saved.
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
    train_step = make_train_step(model, optimizer, config, steps_per_epoch * config.epochs)
    progress = Progress(config.epochs, steps_per_epoch, int(done["epochs"]))

    def is_over():
        epochs = int(done["epochs"])
        return epochs >= config.epochs or (epochs and epochs - int(done["best_epoch"]) >= config.patience)

    def score_columns():
        columns = _as_columns(dev_scores(), history)
        return {name: gather(strategy, value)[0] for name, value in columns.items()}  # the chief's, on all workers

    if not is_over():
        score_columns()
    with noting_signals() as noted:
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
                raise Stopped(f"stopped at {progress.where(steps)}, which is saved", noted[0])
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
                raise Stopped(f"stopped after epoch {epoch + 1}/{config.epochs}, which is saved", int(asked))

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
        print(f"{constant}; the weights kept are those of epoch {best_epoch}, {why}", file=sys.stderr, flush=True)


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


def train_epoch(train_step, batches, progress, begun=(0, 0.0, 0.0), stop=()):
    """Runs the step over batches until they end or `stop`, a list, is no longer empty.

    Args:
        train_step: of `make_train_step`.
        batches: iterable of `Batch`; those of the epoch that have not been done yet.
        progress: `Progress`.
        begun: (steps, nats, tokens) of the epoch that have been done.
        stop: see above.

    Returns:
        (steps, nats, tokens), with what had been done.

    Raises:
        FloatingPointError: a step's loss or gradient is not finite.
    """
    step, nats, tokens = int(begun[0]), *begun[1:]
    for results in read_late(train_step(*batch) for batch in batches):
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
