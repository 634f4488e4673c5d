"""Checkpoints: saved whole or not at all, and never at the price of the one before; restored whole or refused."""

import re
import shutil
from pathlib import Path

import tensorflow as tf


def save(manager, number):
    """Writes a checkpoint, and then deletes the one before.

    Args:
        manager: `tf.train.CheckpointManager`.
        number: int. Of the checkpoint; rises.

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
            return  # one of that number is whole and noted, and the one before may be deleted already
        reason = re.sub(r"^\{\{.*?\}\} | \[Op:.*", "", error.message.partition("\n")[0])
        raise OSError(f"{manager.directory}: a checkpoint cannot be written, the last one stays ({reason})") from None


def restore(checkpoint, path):
    """Gives the checkpoint's objects the values saved at `path`.

    Raises:
        ValueError: what is saved there is damaged, or of other objects; the message names it.
    """
    try:
        checkpoint.restore(path).assert_consumed()
    except (tf.errors.OpError, IndexError, AssertionError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"{path}: damaged or of another version; delete the run directory ({reason})") from None
