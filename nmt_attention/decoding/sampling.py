"""Sampling: every token is drawn at random, with the probability that the model gives it."""

from typing import Any

import tensorflow as tf

from ..fast import groups
from ..search import Decoded, Step, decode


def sample(
    step: Step,
    state: Any,
    max_lengths: tf.Tensor,
    draws: tf.Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    memory: tuple[Any, ...] = (),
) -> Decoded:
    """Draws every token at random with the probability that the model gives it, until every row has ended.

    The random numbers are given, one per step, so that a row's sample is a function of its own numbers: a draw u takes
    the token in whose interval u falls when the probabilities are laid end to end from 0 to 1.

    Args:
        step, state, max_lengths, memory: as in `greedy_search`.
        draws: `(B, T)` float32 in [0, 1), with T at least the largest of `max_lengths`.
        temperature: above 0. Log-probabilities are divided by it: below 1 favours probable tokens, near 0 is greedy
            search, above 1 favours rare tokens.
        top_k: draws only among the k most probable tokens; None is all. See `keep_top_k`.
        top_p: then only among the most probable tokens that together reach p; None is all. See `keep_top_p`.

    Returns:
        As `greedy_search`. The log-probability is the model's own, before temperature, `top_k` and `top_p`.
    """

    def choose(t: tf.Tensor, rows: tf.Tensor, log_probs: tf.Tensor) -> tf.Tensor:
        log_probs /= temperature
        if top_k is not None:
            log_probs = keep_top_k(log_probs, top_k)
        if top_p is not None:
            log_probs = keep_top_p(log_probs, top_p)
        return draw(tf.nn.softmax(log_probs), tf.gather(draws[:, t], rows))

    return decode(step, state, max_lengths, memory, choose)


def draw(probs: tf.Tensor, numbers: tf.Tensor) -> tf.Tensor:
    """Returns the place `(B,)` int32 in whose interval a number `(B,)` in [0, 1) falls, and where probability is not 0.

    The probabilities `(B, V)` of a row are laid end to end; their sum need not be exactly 1. The plain lines:
    `ends = tf.cumsum(probs, axis=-1)`, and the first of them above the number times the last one. A running sum over
    groups of words, and then over the words of one group, takes a tenth of the time, and rounds less.
    """
    grouped = groups(probs)  # (B, G, W)
    sums = tf.reduce_sum(grouped, axis=-1)  # (B, G)
    falls = numbers * tf.reduce_sum(sums, axis=-1)  # (B,)
    group = _first_end_above(falls, sums)
    before = tf.where(tf.range(tf.shape(sums)[1]) < group[:, tf.newaxis], sums, 0.0)
    place = _first_end_above(falls - tf.reduce_sum(before, axis=-1), tf.gather(grouped, group, batch_dims=1))
    return group * tf.shape(grouped)[2] + place


def _first_end_above(falls: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """Returns the first of the intervals `(B, N)`, laid end to end, that ends above `falls` `(B,)`."""
    ends = tf.where(lengths > 0, tf.cumsum(lengths, axis=-1), 0.0)
    falls = tf.minimum(falls, tf.reduce_max(ends, axis=-1) * (1 - 2**-23))  # rounding may have taken it past the last
    above = tf.cast(ends > falls[:, tf.newaxis], tf.float32)  # of int32 no GPU finds the maximum
    return tf.argmax(above, axis=-1, output_type=tf.int32)


def keep_top_k(log_probs: tf.Tensor, k: int) -> tf.Tensor:
    """Returns log-probabilities `(B, V)` with all but each row's k highest at -inf; ties with the kth stay.

    Source: Fan, Lewis & Dauphin 2018, arXiv:1805.04833.
    """
    highest, _ = tf.math.top_k(log_probs, tf.minimum(k, tf.shape(log_probs)[1]))
    return tf.where(log_probs < highest[:, -1:], -float("inf"), log_probs)


def keep_top_p(log_probs: tf.Tensor, p: float) -> tf.Tensor:
    """Returns log-probabilities `(B, V)` with -inf outside the nucleus; ties with its last token stay.

    The nucleus is the smallest set of tokens whose probabilities sum to at least p: few if the model is certain, many
    if it is not.

    Source: Holtzman et al. 2020, arXiv:1904.09751.
    """
    ordered = tf.sort(log_probs, direction="DESCENDING")
    before = tf.cumsum(tf.nn.softmax(ordered), axis=-1, exclusive=True)  # the sum of all more probable tokens
    last = tf.reduce_min(tf.where(before < p, ordered, float("inf")), axis=-1, keepdims=True)
    return tf.where(log_probs < last, -float("inf"), log_probs)
