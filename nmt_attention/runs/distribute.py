"""More than one device or machine, with `tf.distribute`: the strategies, and what replicas and workers must agree on.

Every worker, a process on one machine, runs the same program. Every replica, one per device, has a copy of the weights.
A step is given the same batch everywhere; each replica takes its own rows, and the results are summed.
"""

import contextlib
import json
import logging
import os
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import keras
import tensorflow as tf

from ..alignment.guidance import guidance_loss
from ..config import TrainConfig
from ..model import Seq2Seq
from ..train import IDS, make_step
from ..vocabulary import PAD_ID

logger = logging.getLogger(__name__)
_LINKS = tf.TensorSpec((None, None, None), tf.float32)  # of a `GuidedBatch`
_TF_CONFIG = '{"cluster": {"worker": ["host1:2222", "host2:2222"]}, "task": {"type": "worker", "index": 0}}'
_LOST = (
    tf.errors.UnavailableError,
    tf.errors.AbortedError,
    tf.errors.CancelledError,
    tf.errors.DeadlineExceededError,
)


def make_strategy(name: str) -> tf.distribute.Strategy:
    """Returns the strategy of that name. Models are made in its `scope()`.

    Args:
        name: "single": one device, TensorFlow's default. "mirrored": every GPU of this machine, or else its CPUs.
            "multiworker": every device of every worker that the environment variable TF_CONFIG names; waits until
            all have connected, and must be made before TensorFlow has done anything else.

    Raises:
        ValueError: "multiworker", and TF_CONFIG does not name the workers and this worker's number.
        ConnectionError: this worker's address is in use or not its machine's.
    """
    if name == "single":
        return tf.distribute.get_strategy()
    if name == "mirrored":
        return tf.distribute.MirroredStrategy()
    task, addresses = _read_tf_config(os.environ.get("TF_CONFIG"))
    logger.info("%s: waiting for all of %s", task, ", ".join(addresses))
    try:
        return tf.distribute.MultiWorkerMirroredStrategy()
    except tf.errors.UnknownError as error:
        reason = f"{task}: {error.message}; is its address in TF_CONFIG free and this machine's?"
        raise ConnectionError(reason) from None


def _read_tf_config(text: str | None) -> tuple[str, list[str]]:
    try:
        config = json.loads(text or "")
        cluster, kind, index = config["cluster"], config["task"]["type"], config["task"]["index"]
        right = kind in ("chief", "worker") and 0 <= index < len(cluster[kind])
    except (ValueError, LookupError, TypeError):
        right = False
    if not right:
        raise ValueError(f"TF_CONFIG: strategy multiworker expects something like {_TF_CONFIG}, got {text!r}")
    return f"{kind} {index}", [*cluster.get("chief", []), *cluster.get("worker", [])]


@contextlib.contextmanager
def explain_lost_workers() -> Iterator[None]:
    """Turns TensorFlow's errors about workers that do not answer into one that explains what to do."""
    try:
        yield
    except _LOST as error:
        what = "another worker has stopped, see its message, or cannot be reached"
        raise ConnectionError(f"{what}; start all workers again to resume from the last epoch") from error


def is_chief(strategy: tf.distribute.Strategy) -> bool:
    """Returns whether this process writes the files: the chief, else the first worker; a single process always does."""
    return strategy.extended.should_checkpoint


def shard_batch(
    source_ids: tf.Tensor, target_in: tf.Tensor, target_out: tf.Tensor, *links: tf.Tensor
) -> tuple[tf.Tensor, ...]:
    """Returns this replica's rows of a batch that all replicas see: of n replicas, number i has rows i, i + n, …

    A replica for which no row is left gets one without targets, which adds nothing to loss and gradient, because cuDNN
    accepts neither a batch without rows nor a source that is all padding.
    """
    context = tf.distribute.get_replica_context()
    first, rows = context.replica_id_in_sync_group, tf.shape(source_ids)[0]
    mine = tf.range(first, tf.maximum(rows, first + 1), context.num_replicas_in_sync)
    own = mine[:, tf.newaxis] < rows  # (B, 1)
    source_ids, target_in, target_out = (tf.gather(ids, mine % rows) for ids in (source_ids, target_in, target_out))
    links = tuple(tf.where(own[:, tf.newaxis], tf.gather(dense, mine % rows), 0.0) for dense in links)
    return source_ids, target_in, tf.where(own, target_out, PAD_ID), *links


def make_replicated_step(
    model: Seq2Seq, optimizer: keras.optimizers.Optimizer, config: TrainConfig
) -> Callable[..., list[tf.Tensor]]:
    """Returns `train.make_train_step` for the model's strategy: each replica computes its own rows of the batch.

    The gradients are summed, so that all replicas apply the gradient of the whole batch. With guided alignment the step
    takes a `GuidedBatch`. Args: as there.
    """

    def guide(weights: tf.Tensor, links: tf.Tensor) -> tf.Tensor:
        return config.guidance * guidance_loss(weights, links)

    step = make_step(model, optimizer, config, guide if config.guidance else None, descend_together)

    @tf.function(input_signature=[IDS] * 3 + [_LINKS] * (config.guidance > 0))
    def train_step(*batch: tf.Tensor) -> list[tf.Tensor]:
        return run_replicas(model.distribute_strategy, step, batch)

    return train_step


def with_loss_scale(optimizer: keras.optimizers.Optimizer, model: keras.Model) -> keras.optimizers.Optimizer:
    """Returns the optimiser; for a model that computes in float16, one that scales the loss up.

    Small gradients would underflow otherwise. It skips a step whose scaled gradient is not finite.
    """
    if model.compute_dtype != "float16":
        return optimizer
    optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
    optimizer.build(model.trainable_variables)
    return optimizer


def descend_together(
    tape: tf.GradientTape,
    loss: tf.Tensor,
    variables: Sequence[keras.Variable],
    optimizer: keras.optimizers.Optimizer,
    clip_norm: float,
) -> tf.Tensor:
    """Does what `train.descend` does with the gradients summed over all replicas, in any precision.

    Returns:
        float32 scalar. The norm before clipping; 0 for a step that float16 training skips.
    """
    context = tf.distribute.get_replica_context()
    scale = tf.convert_to_tensor(optimizer.scale_loss(1.0))  # 1, except in float16
    gradients = tape.gradient(loss, variables, output_gradients=scale)
    gradients = context.all_reduce("SUM", [tf.convert_to_tensor(gradient) for gradient in gradients])
    gradients, norm = tf.clip_by_global_norm(gradients, clip_norm * scale)
    shares = [gradient / context.num_replicas_in_sync for gradient in gradients]  # Keras sums over replicas once more
    optimizer.apply_gradients(zip(shares, variables, strict=True))
    skipped = (scale > 1) & ~tf.math.is_finite(norm)  # the optimizer has halved its scale instead
    return tf.where(skipped, 0.0, norm / scale)


def run_replicas(
    strategy: tf.distribute.Strategy,
    step: Callable[..., tuple[tf.Tensor, tf.Tensor]],
    batch: tuple[tf.Tensor, ...],
) -> list[tf.Tensor]:
    """Runs a training step on every replica, each with its own rows of the batch.

    Args:
        strategy: the model's.
        step: function of (tokens, source_ids, target_in, target_out, …) to (nll, norm): of the replica's rows, and of
            the gradient summed over all replicas. tokens is the number of real target tokens of the whole batch.
        batch: `Batch` or `GuidedBatch` that all replicas see.

    Returns:
        (nll, tokens, norm) of the whole batch, float32.
    """

    def replica_step(*batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        tokens = tf.cast(tf.math.count_nonzero(batch[2] != PAD_ID), tf.float32)
        nll, norm = step(tokens, *shard_batch(*batch))
        return tf.distribute.get_replica_context().all_reduce("SUM", nll), tokens, norm

    return [strategy.experimental_local_results(result)[0] for result in strategy.run(replica_step, batch)]


def gather(strategy: tf.distribute.Strategy, number: float) -> list[float]:
    """Returns every replica's number, a list with the chief's first; all workers wait here for the last one."""
    return _gather(strategy, tf.constant(number, tf.float64)).numpy().tolist()


@tf.function
def _gather(strategy: tf.distribute.Strategy, number: tf.Tensor) -> tf.Tensor:
    def place() -> tf.Tensor:
        context = tf.distribute.get_replica_context()
        own = tf.one_hot(context.replica_id_in_sync_group, context.num_replicas_in_sync, dtype=tf.float64)
        return context.all_reduce("SUM", own * number)

    return strategy.experimental_local_results(strategy.run(place))[0]


def check_same(strategy: tf.distribute.Strategy, text: str, what: str) -> None:
    """Checks that all workers have the same text.

    Raises:
        ValueError: it differs; raised on every worker.
    """
    if len(set(gather(strategy, zlib.crc32(text.encode())))) > 1:
        raise ValueError(f"{what}: expected the same on every worker, but they differ")


def check_shared(strategy: tf.distribute.Strategy, path: Path, seconds: float = 60) -> None:
    """Makes sure that every worker sees a file that the chief has written; some file systems take a while.

    Raises:
        ValueError: a worker does not see it; raised on every worker.
    """
    gather(strategy, 0)  # the chief is here, so it has written the file
    limit = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < limit:
        time.sleep(1)
    if not all(gather(strategy, path.exists())):
        raise ValueError(f"{path}: expected every worker to see this file; the run directory must be a shared one")
