"""How far a training has come, saved and restored: completely or not at all, without losing the checkpoint before."""

import logging
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf
from tensorflow.python.framework.config import is_op_determinism_enabled

from ..config import TrainConfig
from ..disk.files import in_brief, read_json, write_json
from .distribute import check_same, is_chief
from .run_files import Row, differences, read_epochs

logger = logging.getLogger(__name__)


class EpochTotals(NamedTuple):
    """Sums over the steps of an epoch."""

    steps: int
    nats: float  # negative log-likelihood of the target tokens
    tokens: float  # real target tokens
    seconds: float


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

    def resume(self, settings: dict[str, Any]) -> list[Row]:
        """Restores the last checkpoint, if there is one, and returns the history up to it.

        Raises:
            ValueError: the directory holds another training, or what it holds is damaged or incomplete.
        """
        history, path = self.directory / "history.csv", self.directory / "checkpoints" / "settings.json"
        strategy, begun = self.model.distribute_strategy, self.last.latest_checkpoint
        if begun:
            _check_settings(path, settings)
            restore(self.checkpoint, self.last.directory)
            if tf.config.get_visible_devices("GPU") and not is_op_determinism_enabled():
                how = "its sums may round differently than without the stop; see --deterministic"
                logger.info("resumed on a GPU: %s", how)
        elif history.exists() and not path.is_file():
            why = f"not of a training, because there is no {path}"
            raise ValueError(f"{history}: {why}; move it away or use another directory")
        elif is_chief(strategy):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_json(path, settings)
        check_same(strategy, str(int(self.epochs)), f"{self.directory}: the last checkpoint")
        return read_epochs(history, int(self.epochs))


def _check_settings(path: Path, settings: dict[str, Any]) -> None:
    """Raises a ValueError that names the settings in which a training differs from the one that wrote `path`."""
    there = read_json(path) if path.is_file() else None
    if not isinstance(there, dict):
        raise ValueError(f"{path}: missing or damaged; delete the run directory")
    if other := differences(there, settings):
        raise ValueError(f"{path.parent.parent} holds another training ({other}); use another directory or delete it")


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
    """Writes a checkpoint of this number, which must increase, and then deletes the one before.

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
        what = f"{manager.directory}: could not write a checkpoint; the previous one is intact"
        raise OSError(f"{what} ({reason})") from None


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
        what = f"{path}: damaged, or of another model or version"
        raise ValueError(f"{what}; delete the run directory ({reason})") from None
