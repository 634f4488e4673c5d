"""Guided alignment: training teaches attention which source words each target word comes from.

Links between words, learned by an `Aligner` or given with the corpus, become links between the tokens of a model:
every piece of a linked target word should attend evenly to all pieces of the source words it is linked with. Target
words without a link, the end marker and padding have no links and no part in the loss.

Source: Chen et al. 2016, arXiv:1607.01628; Liu et al. 2016, arXiv:1609.04186 (supervised attention).
"""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from ..batches import Batch
from ..config import TrainConfig
from ..spelling import SPACE
from ..text import Tokenizer
from ..vocabulary import UNKNOWN_ID, RaggedIds
from .links import Link

WIDTH = 1 << 14  # a link is one number, target position · WIDTH + source position
LINKS = tf.TensorSpec((None, None, None), tf.float32)  # of a `GuidedBatch`


def guidance_loss(weights: tf.Tensor, links: tf.Tensor) -> tf.Tensor:
    """Returns the cross-entropy between links and attention, summed over the target tokens that have a link.

        -Σ_t Σ_s links_ts ln weights_ts

    Args:
        weights: `(B, T, S)`. Attention.
        links: `(B, T, S)` float32. Each row sums to 1 or, for a token without links, to 0.

    Returns:
        float32 scalar, in nats.
    """
    return -tf.reduce_sum(links * tf.math.log(tf.cast(weights, tf.float32) + 1e-6))


def token_links(
    links: Sequence[set[Link]],
    source_tokenizer: Tokenizer,
    source: RaggedIds,
    target_tokenizer: Tokenizer,
    target: RaggedIds,
) -> RaggedIds:
    """Turns links of words into links of tokens, for `make_dataset`.

    Args:
        links: for each pair, its (source word, target word) positions among the words of `aligner.pair_words`.
        source_tokenizer, target_tokenizer: those that made the ids.
        source, target: the ids of the same pairs.

    Returns:
        For each pair its links, each as one number: target position · WIDTH + source position.
    """
    sides = _word_positions(source_tokenizer, source), _word_positions(target_tokenizer, target)

    def of_pair(row: int, pair: set[Link]) -> list[int]:
        if not pair:
            return []
        source_words, target_words = (side(row) for side in sides)
        return [
            t * WIDTH + s
            for source_word, target_word in sorted(pair)
            if source_word < len(source_words) and target_word < len(target_words)
            for t in target_words[target_word]
            for s in source_words[source_word]
        ]

    return RaggedIds.of(of_pair(row, pair) for row, pair in enumerate(links))


def dense_links(links: tf.RaggedTensor, steps: tf.Tensor, positions: tf.Tensor) -> tf.Tensor:
    """Returns a batch's links as `guidance_loss` takes them, `(B, T, S)` float32, from numbers of `token_links`."""
    shape = tf.stack([tf.cast(links.nrows(), tf.int32), steps, positions])
    rows = tf.cast(links.value_rowids(), tf.int32)
    places = tf.stack([rows, links.values // WIDTH, links.values % WIDTH], axis=1)  # (links, 3)
    dense = tf.scatter_nd(places, tf.ones(tf.shape(rows)), shape)
    dense = tf.minimum(dense, 1.0)  # one token may hold two words with the same link
    return tf.math.divide_no_nan(dense, tf.reduce_sum(dense, axis=2, keepdims=True))


def _word_positions(tokenizer: Tokenizer, ids: RaggedIds) -> Callable[[int], list[list[int]]]:
    """Returns a function from a row to the positions of the tokens of each of its words.

    Words do not cross spaces, and the same few thousand make up most of a corpus, so each is looked at once.
    """
    vocabulary = list(tokenizer.vocabulary)
    vocabulary[UNKNOWN_ID] = "x"  # any letter, so that it counts as a word
    after_space = [token.startswith(SPACE) for token in vocabulary]

    @functools.cache
    def words(*of_piece: int) -> list[list[int]]:
        return [positions for _, positions in tokenizer.words([vocabulary[i] for i in of_piece])]

    def of_row(row: int) -> list[list[int]]:
        own = ids.values[ids.splits[row] : ids.splits[row + 1]].tolist()
        starts = [0, *(i for i in range(1, len(own)) if after_space[own[i]]), len(own)]
        return [[a + i for i in word] for a, b in itertools.pairwise(starts) for word in words(*own[a:b])]

    return of_row


class GuidedBatch(NamedTuple):
    """A `Batch` with its links `(B, T, S)` float32: where each target token comes from, see `guidance`."""

    source_ids: tf.Tensor
    target_in: tf.Tensor
    target_out: tf.Tensor
    links: tf.Tensor


def with_links(links: RaggedIds) -> Callable[[tf.Tensor, Batch], GuidedBatch]:
    """Returns what `make_dataset` takes as `more`, from `token_links`."""
    link_rows = tf.RaggedTensor.from_row_splits(links.values, links.splits)

    def guided(rows: tf.Tensor, batch: Batch) -> GuidedBatch:
        steps, positions = tf.shape(batch.target_out)[1], tf.shape(batch.source_ids)[1]
        return GuidedBatch(*batch, dense_links(tf.gather(link_rows, rows), steps, positions))

    return guided


def guided(config: TrainConfig) -> dict[str, Any]:
    """Returns what `make_train_step` takes beside a model so that it guides attention; its step takes a `GuidedBatch`.

    It is empty if the settings guide none.
    """

    def guide(weights: tf.Tensor, links: tf.Tensor) -> tf.Tensor:
        return config.guidance * guidance_loss(weights, links)

    return {"more_loss": guide, "more": [LINKS]} if config.guidance else {}
