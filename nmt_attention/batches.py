"""Pairs of token ids to padded batches of similar length, as a `tf.data` pipeline."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from .guidance import dense_links
from .vocabulary import END_ID, PAD_ID, START_ID, RaggedIds

_POOL = 64  # batches drawn at random and sorted together: enough for little padding, few enough to stay random


class Batch(NamedTuple):
    """Source `(B, S)` and target `(B, T)` ids, int32, 0 where padded. `target_in` starts with START, `target_out`
    ends with END: the same sentence, one position apart."""

    source_ids: tf.Tensor
    target_in: tf.Tensor
    target_out: tf.Tensor


class GuidedBatch(NamedTuple):
    """A `Batch` with its links `(B, T, S)` float32: where each target token comes from, see `guidance`."""

    source_ids: tf.Tensor
    target_in: tf.Tensor
    target_out: tf.Tensor
    links: tf.Tensor


def make_dataset(
    source: RaggedIds,
    target: RaggedIds,
    batch_size: int,
    seed: int | None = None,
    epoch: int = 0,
    links: RaggedIds | None = None,
) -> tf.data.Dataset:
    """Returns the batches of one epoch; every pair occurs in exactly one of them.

    Rows are shuffled, sorted by length within pools of 64 batches and cut into batches, whose order is shuffled
    again: little padding, and batches that differ from epoch to epoch.

    Args:
        source, target: equally many rows, without start and end, as `tokenizer.encode_all` returns them.
        batch_size: rows per batch; the last batch of an epoch may have fewer.
        seed: the order is a function of (seed, epoch). None keeps the rows sorted by length, for scoring.
        epoch: counted from 0.
        links: from `guidance.token_links`, for guided alignment.

    Returns:
        `tf.data.Dataset` of `Batch`, or of `GuidedBatch` if there are links; its `len` is the number of batches. A
        function given to its `map` takes the batch as one argument.

    Raises:
        TypeError: `source` or `target` is not a `RaggedIds`.
        ValueError: `source` and `target` differ in length or are empty, or `batch_size` is below 1.
    """
    for name, ids in (("source", source), ("target", target)):
        if not isinstance(ids, RaggedIds):
            raise TypeError(f"{name}: expected RaggedIds from tokenizer.encode_all, got {type(ids).__name__}")
    if batch_size < 1:
        raise ValueError(f"batch_size: expected at least 1, got {batch_size}")
    if len(source) != len(target) or not len(source):
        raise ValueError(
            f"source and target: expected the same, non-zero number of rows, got {len(source)} and {len(target)}"
        )
    batches = np.array_split(
        _order(source.lengths, target.lengths, batch_size, seed, epoch),
        np.arange(batch_size, len(source), batch_size),
    )
    if seed is not None:
        batches = [batches[i] for i in np.random.default_rng([seed, epoch, 1]).permutation(len(batches))]
    rows = tf.RaggedTensor.from_row_lengths(np.concatenate(batches), [len(rows) for rows in batches])
    source_rows, target_rows = (tf.RaggedTensor.from_row_splits(f.values, f.splits) for f in (source, target))
    link_rows = None if links is None else tf.RaggedTensor.from_row_splits(links.values, links.splits)

    def batch(rows: tf.Tensor) -> Batch | GuidedBatch:
        target_ids = tf.gather(target_rows, rows)
        start, end = (tf.fill([tf.shape(rows)[0], 1], i) for i in (START_ID, END_ID))
        plain = Batch(
            tf.gather(source_rows, rows).to_tensor(PAD_ID),
            tf.concat([start, target_ids], 1).to_tensor(PAD_ID),
            tf.concat([target_ids, end], 1).to_tensor(PAD_ID),
        )
        if link_rows is None:
            return plain
        steps, positions = tf.shape(plain.target_out)[1], tf.shape(plain.source_ids)[1]
        return GuidedBatch(*plain, dense_links(tf.gather(link_rows, rows), steps, positions))

    return tf.data.Dataset.from_tensor_slices(rows).map(batch, num_parallel_calls=1).prefetch(8)


def check_batches(batches: Iterable[Any], steps_per_epoch: int, batch_size: int, epoch: int) -> Iterator[Any]:
    """Yields an epoch's batches and checks that their number and size are as expected.

    Args:
        batches: the `Batch`es. If they have a length, it is compared before the first batch is yielded.
        steps_per_epoch: expected number of batches.
        batch_size: expected rows of each batch; one of them may have fewer.
        epoch: counted from 0, for the message.

    Raises:
        ValueError: there are more or fewer batches, or larger or smaller ones.
    """
    smaller, more = 0, ""
    try:
        number = len(batches)  # type: ignore[arg-type]
    except TypeError:  # it has no length, so they are counted
        number = steps_per_epoch
    if number == steps_per_epoch:
        number = 0
        for number, batch in enumerate(batches, 1):
            if number > steps_per_epoch:
                more = " or more"
                break
            rows = len(batch[0])
            smaller += rows < batch_size
            if rows > batch_size or smaller > 1:
                where = f"batch {number} of epoch {epoch + 1}"
                raise ValueError(
                    f"batches: expected {batch_size} rows, the batch_size of config, got {rows} in {where}"
                )
            yield batch
    if number != steps_per_epoch:
        count = f"{number}{more} batches"
        raise ValueError(f"batches: epoch {epoch + 1} has {count}, but steps_per_epoch is {steps_per_epoch}")


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
