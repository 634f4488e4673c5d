"""Pairs of token ids to padded batches of similar length, as a `tf.data` pipeline."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from .vocabulary import END_ID, PAD_ID, START_ID, RaggedIds

_POOL = 64  # batches drawn at random and sorted together: enough for little padding, few enough to stay random


class Batch(NamedTuple):
    """Source `(B, S)` and target `(B, T)` ids, int32, 0 where padded. `target_in` starts with START, `target_out`
    ends with END: the same sentence, one position apart."""

    source_ids: tf.Tensor
    target_in: tf.Tensor
    target_out: tf.Tensor


def make_dataset(
    source: RaggedIds,
    target: RaggedIds,
    batch_size: int,
    seed: int | None = None,
    epoch: int = 0,
    more: Callable[[tf.Tensor, Batch], Any] | None = None,
) -> tf.data.Dataset:
    """Returns the batches of one epoch; every pair occurs in exactly one of them.

    Rows are shuffled, sorted by length within pools of 64 batches and cut into batches, whose order is shuffled
    again: little padding, and batches that differ from epoch to epoch.

    Args:
        source, target: equally many rows, without start and end, as `tokenizer.encode_all` returns them.
        batch_size: rows per batch; the last batch of an epoch may have fewer.
        seed: the order is a function of (seed, epoch). None keeps the rows sorted by length, for scoring.
        epoch: counted from 0.
        more: makes something else of the rows' numbers and their batch, for example a `GuidedBatch`.

    Returns:
        `tf.data.Dataset` of `Batch`, or of what `more` returns; its `len` is the number of batches. A function given to
        its `map` takes the batch as one argument.

    Raises:
        TypeError: `source` or `target` is not a `RaggedIds`.
        ValueError: `source` and `target` differ in length or are empty, a source row is, or `batch_size` is below 1.
    """
    for name, ids in (("source", source), ("target", target)):
        if not isinstance(ids, RaggedIds):
            raise TypeError(f"{name}: expected RaggedIds from tokenizer.encode_all, got {type(ids).__name__}")
    if batch_size < 1:
        raise ValueError(f"batch_size: expected at least 1, got {batch_size}")
    if len(source) != len(target) or not len(source):
        got = f"{len(source)} and {len(target)}"
        raise ValueError(f"source and target: expected the same, non-zero number of rows, got {got}")
    if not source.lengths.all():  # cuDNN would end the epoch at it
        raise ValueError(f"source: expected tokens in every row, but no. {source.lengths.argmin() + 1} has none")
    order = _order(source.lengths, target.lengths, batch_size, seed, epoch)
    batches = np.array_split(order, np.arange(batch_size, len(source), batch_size))
    if seed is not None:
        batches = [batches[i] for i in np.random.default_rng([seed, epoch, 1]).permutation(len(batches))]
    rows = tf.RaggedTensor.from_row_lengths(np.concatenate(batches), [len(rows) for rows in batches])
    source_rows = tf.RaggedTensor.from_row_splits(source.values, source.splits)
    target_rows = tf.RaggedTensor.from_row_splits(target.values, target.splits)

    def batch(rows: tf.Tensor) -> Any:
        target_ids = tf.gather(target_rows, rows)
        column = tf.ones([tf.shape(rows)[0], 1], tf.int32)  # (B, 1)
        plain = Batch(
            tf.gather(source_rows, rows).to_tensor(PAD_ID),  # (B, S)
            tf.concat([START_ID * column, target_ids], 1).to_tensor(PAD_ID),  # (B, T)
            tf.concat([target_ids, END_ID * column], 1).to_tensor(PAD_ID),  # (B, T)
        )
        return more(rows, plain) if more else plain

    plain_python = tf.autograph.experimental.do_not_convert(batch)
    return tf.data.Dataset.from_tensor_slices(rows).map(plain_python, num_parallel_calls=1).prefetch(8)


def _order(
    source_lengths: np.ndarray, target_lengths: np.ndarray, batch_size: int, seed: int | None, epoch: int
) -> np.ndarray:
    """Returns the numbers of all rows in the order in which they are cut into batches."""
    rows = len(target_lengths)
    if seed is None:
        return np.lexsort((source_lengths, target_lengths))
    shuffled = np.random.default_rng([seed, epoch, 0]).permutation(rows)
    pool = np.arange(rows) // (_POOL * batch_size)
    return shuffled[np.lexsort((source_lengths[shuffled], target_lengths[shuffled], pool))]
