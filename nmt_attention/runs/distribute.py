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
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import keras
import tensorflow as tf
from tensorflow import errors

from ..alignment.guidance import guided
from ..config import TrainConfig
from ..model import Seq2Seq
from ..train import make_train_step
from ..vocabulary import PAD_ID

logger = logging.getLogger(__name__)
_TF_CONFIG = '{"cluster": {"worker": ["host1:2222", "host2:2222"]}, "task": {"type": "worker", "index": 0}}'


def make_strategy(name: str) -> tf.distribute.Strategy:
    """Returns the strategy of that name: one device, all of this machine, or all of the workers in TF_CONFIG.

    "multiworker" waits until all workers have connected, and must be made before TensorFlow has done anything else.

    Raises:
        ValueError: "multiworker", and TF_CONFIG does not name the workers and this worker's number.
        ConnectionError: this worker's address is in use or not its machine's.
    """
    if name == "single":
        return tf.distribute.get_strategy()
    if name == "mirrored":
        return tf.distribute.MirroredStrategy()
    task, addresses = _read_tf_config(os.environ.get("TF_CONFIG", ""))
    logger.info("%s: waiting for all of %s", task, ", ".join(addresses))
    try:
        return tf.distribute.MultiWorkerMirroredStrategy()
    except errors.UnknownError as error:
        reason = f"{task}: {error.message}; is its address in TF_CONFIG free and this machine's?"
        raise ConnectionError(reason) from None


def _read_tf_config(text: str) -> tuple[str, list[str]]:
    """Returns this worker's name and all workers' addresses."""
    try:
        config = json.loads(text)
        workers, kind, index = config["cluster"], config["task"]["type"], config["task"]["index"]
        if kind in ("chief", "worker") and index in range(len(workers[kind])):
            return f"{kind} {index}", [*workers.get("chief", []), *workers.get("worker", [])]
    except (ValueError, LookupError, TypeError):
        pass
    raise ValueError(f"TF_CONFIG: strategy multiworker expects something like {_TF_CONFIG}, got {text!r}")


@contextlib.contextmanager
def explain_lost_workers() -> Iterator[None]:
    """Turns TensorFlow's errors about workers that do not answer into one that explains what to do."""
    try:
        yield
    except (errors.UnavailableError, errors.AbortedError, errors.CancelledError, errors.DeadlineExceededError) as error:
        what = "another worker has stopped, see its message, or cannot be reached"
        raise ConnectionError(f"{what}; start all workers again to resume from the last epoch") from error


def is_chief(strategy: tf.distribute.Strategy) -> bool:
    """Returns whether this process writes the files: the chief, else the first worker; a single process always does."""
    return strategy.extended.should_checkpoint


def deal_rows(
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


def make_run_step(
    model: Seq2Seq, optimizer: keras.optimizers.Optimizer, config: TrainConfig
) -> Callable[..., tuple[tf.Tensor, tf.Tensor, tf.Tensor]]:
    """Returns the step of a run: `train.make_train_step` on every device of the model's strategy, each with its rows.

    With guided alignment it takes a `GuidedBatch`. The norm is 0 for a step that float16 training skips.
    """
    strategy = model.distribute_strategy

    def total(parts: Any) -> Any:
        return tf.distribute.get_replica_context().all_reduce("SUM", parts)

    shared: Any = SimpleNamespace(  # Keras adds the replicas' gradients, so each has its share of the batch's
        iterations=optimizer.iterations,
        apply_gradients=optimizer.apply_gradients,
        scale_loss=lambda loss: optimizer.scale_loss(loss) / strategy.num_replicas_in_sync,
    )
    step: Any = make_train_step(model, shared, config, **guided(config), total=total)

    def step_of_replica(*batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        return step.python_function(*deal_rows(*batch))

    @tf.function(input_signature=step.input_signature, autograph=False)
    def run_step(*batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        may_skip = optimizer.scale_loss(1.0) > 1
        nll, tokens, norm = (
            strategy.experimental_local_results(result)[0] for result in strategy.run(step_of_replica, batch)
        )
        return nll, tokens, tf.where(may_skip & ~tf.math.is_finite(norm), 0.0, norm)

    return run_step


def with_loss_scale(optimizer: keras.optimizers.Optimizer, model: keras.Model) -> keras.optimizers.Optimizer:
    """Returns the optimiser; for a model that computes in float16, one that scales the loss up.

    Small gradients would underflow otherwise. It skips a step whose scaled gradient is not finite.
    """
    if model.compute_dtype != "float16":
        return optimizer
    optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
    optimizer.build(model.trainable_variables)
    return optimizer


def gather(strategy: tf.distribute.Strategy, number: float) -> list[float]:
    """Returns every replica's number, a list with the chief's first; all workers wait here for the last one."""
    return _gather(strategy, tf.constant([number], tf.float64)).numpy().tolist()


@tf.function(autograph=False)
def _gather(strategy: tf.distribute.Strategy, number: tf.Tensor) -> tf.Tensor:
    return strategy.gather(strategy.run(lambda: tf.identity(number)), axis=0)


def check_same(strategy: tf.distribute.Strategy, text: str, what: str) -> None:
    """Raises a ValueError on every worker if they do not all have the same text."""
    if len(set(gather(strategy, zlib.crc32(text.encode())))) > 1:
        raise ValueError(f"{what}: expected the same on every worker, but they differ")


def check_shared(strategy: tf.distribute.Strategy, path: Path, seconds: int = 60) -> None:
    """Raises a ValueError on every worker if one does not see a file of the chief's; some file systems take a while."""
    gather(strategy, 0)  # the chief is here, so it has written the file
    while not path.exists() and (seconds := seconds - 1) > 0:
        time.sleep(1)
    if not all(gather(strategy, path.exists())):
        raise ValueError(f"{path}: expected every worker to see this file; the run directory must be a shared one")
