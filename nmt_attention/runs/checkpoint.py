"""Checkpoints: saved completely or not at all, without losing the one before; restored completely or with an error."""

import re
import shutil
from pathlib import Path
from typing import Any

import tensorflow as tf

from ..files import in_brief, read_json


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
        raise OSError(f"{manager.directory}: a checkpoint cannot be written, the last one stays ({reason})") from None


def check_settings(path: Path, settings: dict[str, Any]) -> None:
    """Makes sure that a resumed training has the settings that it wrote to `path`.

    Args:
        path: a JSON file; if it is missing (version 0.1 wrote none) or lacks a setting, nothing is compared.
        settings: dict. What the requested training would write.

    Raises:
        ValueError: the settings differ; the message names those that do.
    """
    if not path.is_file():
        return
    found = read_json(path)
    if not isinstance(found, dict):
        raise ValueError(f"{path}: damaged; delete the run directory")
    there, here = ({name: values[name] for name in found if name in settings} for values in (found, settings))
    other = [f"{name} is {there[name]}, asked for {here[name]}" for name in here if there[name] != here[name]]
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
        if tf.train.load_checkpoint(path).has_tensor("best_bleu/.ATTRIBUTES/VARIABLE_VALUE"):
            checkpoint.best_bleu = tf.Variable(0.0)  # of version 0.1: read so that nothing of the file is left over
        checkpoint.restore(path).assert_consumed()
    except (tf.errors.OpError, IndexError, AssertionError, ValueError, RuntimeError) as error:
        reason = in_brief(str(error).partition("\n")[0])
        raise ValueError(
            f"{path}: damaged, or of another model or version; delete the run directory ({reason})"
        ) from None
