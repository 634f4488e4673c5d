"""How far a training has come: what is saved of it, and what dropout draws next."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..config import TrainConfig


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
