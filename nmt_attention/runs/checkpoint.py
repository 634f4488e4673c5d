"""How far a training has come, saved and restored: completely or not at all, without losing the checkpoint before."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..config import TrainConfig
from ..disk.files import in_brief, read_json


class TrainingState:
    """How far a training has come, with the checkpoints `last` and `best` in its directory."""

    def __init__(self, model: keras.Model, optimizer: keras.optimizers.Optimizer, directory: Path) -> None:
        self.model = model
        self.directory = directory
        self.epochs = tf.Variable(0)  # finished epochs
        self.best_epoch = tf.Variable(0)  # counted from 1; 0 before the first epoch ends
        self.begun = tf.Variable(np.zeros(4))  # the `EpochTotals` of an interrupted epoch, or zeros
        self.checkpoint = tf.train.Checkpoint(  # these names are those in the files
            model=model,
            optimizer=optimizer,
            drawn=[state.value for state in _dropout_states(model)],
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


def _dropout_states(model: keras.Model) -> list[Any]:
    """Returns the variables that dropout draws its seeds from, one per dropout layer."""
    return [variable for variable in model.non_trainable_variables if "seed_generator_state" in variable.path]


def seed_dropout(model: keras.Model, seed: int, epoch: int) -> None:
    """Sets what dropout draws in an epoch; every dropout layer of every replica has its own random stream."""
    states = _dropout_states(model)
    draws = [np.random.default_rng([seed, epoch, i]).integers(0, 2**31, 2) for i in range(len(states))]
    _assign(model.distribute_strategy, [state.value for state in states], tf.constant(draws, tf.int32))


@tf.function
def _assign(strategy: tf.distribute.Strategy, states: Sequence[tf.Variable], draws: tf.Tensor) -> None:
    """Assigns draws `(number of states, 2)` to the states, the first number raised by the replica's number."""

    def assign(states: Sequence[tf.Variable]) -> None:
        replica = tf.distribute.get_replica_context().replica_id_in_sync_group
        for state, draw in zip(states, tf.unstack(draws), strict=True):
            state.assign(tf.cast(tf.add(draw, [replica, 0]), state.dtype))

    strategy.run(assign, [states])


def save(manager: tf.train.CheckpointManager, number: int) -> None:
    """Writes a checkpoint, and then deletes the one before.

    Args:
        manager: `tf.train.CheckpointManager`.
        number: int. Checkpoint number; must increase.

    Raises:
        OSError: it cannot be written; what was written of it is deleted.
    """
    try:
        manager.save(number)
    except tf.errors.OpError as error:
        state = tf.train.get_checkpoint_state(manager.directory)
        noted = state and Path(state.model_checkpoint_path) == Path(manager.directory, f"ckpt-{number}")
        for path in Path(manager.directory).glob(f"ckpt-{number}{'_temp' if noted else ''}*"):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        if noted:
            return  # this checkpoint is complete and registered, and the one before may be deleted already
        reason = re.sub(r"^\{\{.*?\}\} | \[Op:.*", "", error.message.partition("\n")[0])
        raise OSError(
            f"{manager.directory}: could not write a checkpoint; the previous one is intact ({reason})"
        ) from None


def check_settings(path: Path, settings: dict[str, Any]) -> None:
    """Makes sure that a resumed training has the settings that it wrote to `path`.

    Args:
        path: a JSON file.
        settings: dict. What the requested training would write.

    Raises:
        ValueError: the settings differ; the message names those that do.
    """
    there = read_json(path) if path.is_file() else None
    if not isinstance(there, dict):
        raise ValueError(f"{path}: missing or damaged; delete the run directory")
    other = [
        f"{name} is {there.get(name)}, asked for {value}"
        for name, value in settings.items()
        if there.get(name) != value
    ]
    if other:
        raise ValueError(
            f"{path.parent.parent} holds another training ({'; '.join(other)}); use another directory or delete it"
        )


def restore(checkpoint: tf.train.Checkpoint, directory: Path | str) -> None:
    """Gives the checkpoint's objects the values of the latest one saved in the directory.

    Raises:
        ValueError: there is none, it is damaged, or it is of other objects; the message names it.
    """
    path = tf.train.latest_checkpoint(directory)
    if path is None:
        raise ValueError(f"{directory}: the checkpoint is missing; delete the run directory")
    try:
        checkpoint.restore(path).assert_consumed()
    except (tf.errors.OpError, IndexError, AssertionError, ValueError, RuntimeError) as error:
        reason = in_brief(str(error).partition("\n")[0])
        raise ValueError(
            f"{path}: damaged, or of another model or version; delete the run directory ({reason})"
        ) from None
