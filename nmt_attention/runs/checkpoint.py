"""How far a training has come: in `history.csv` and in two checkpoints, which resume it exactly."""

import math
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..config import TrainConfig
from ..disk.files import in_brief, read_json, write_json
from .distribute import check_same, is_chief
from .run_files import Row, differences, read_history, write_history


class TrainingState:
    """How far a training has come, with the checkpoints `last` and `best` in its directory."""

    def __init__(
        self, model: keras.Model, optimizer: keras.optimizers.Optimizer, directory: Path, steps_per_epoch: int
    ) -> None:
        self.model, self.directory, self.steps_per_epoch = model, directory, steps_per_epoch
        self.history: list[Row] = []
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
        """Restores the last checkpoint, if there is one, and the history up to it.

        Raises:
            ValueError: the directory holds another training, or what it holds is damaged or incomplete.
        """
        history, path = self.directory / "history.csv", self.directory / "checkpoints" / "settings.json"
        strategy = self.model.distribute_strategy
        if self.last.latest_checkpoint:
            if other := differences(read_json(path), settings):
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

    def pause(self, begun: np.ndarray) -> None:
        """Saves the progress within an epoch."""
        self.begun.assign(begun)
        self._save(self.last)

    def end_epoch(self, row: Row) -> None:
        """Counts the epoch that a row of the history describes, and has the chief save it.

        The history is written before the checkpoint that counts on its rows. It keeps scores in float64, so that an
        exact tie does not count as better, not even after a resume.
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
                self._save(manager)

    def _save(self, manager: tf.train.CheckpointManager) -> None:
        """Writes a checkpoint, numbered by the steps done, and then deletes the one before; else an OSError."""
        try:
            manager.save(int(self.epochs) * self.steps_per_epoch + int(self.begun[0]))
        except tf.errors.OpError as error:
            what = f"{manager.directory}: could not write a checkpoint; the previous one is intact"
            raise OSError(f"{what} ({in_brief(error.message)})") from None

    def restore(self, manager: tf.train.CheckpointManager) -> None:
        """Returns to the checkpoint of `last` or `best`; a ValueError names one that is missing, damaged or another's.

        It is looked for again, because the chief may have written it since this worker made its manager.
        """
        path = tf.train.latest_checkpoint(manager.directory)
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

    tf.function(lambda: strategy.run(assign))()
