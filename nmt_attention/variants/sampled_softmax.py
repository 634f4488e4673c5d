"""A loss that needs the logits of some words only: importance-sampled softmax. Half of a training step are logits."""

from typing import Any

import tensorflow as tf

from ..config import TrainConfig
from ..fast import smoothed_nll


def sampled_loss(
    model: Any, rows: tf.Tensor, words: tf.Tensor, config: TrainConfig, step: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor]:
    """Sums loss and negative log-likelihood as `cross_entropy` does, with the logits of some words in place of all.

    The batch's own words are always among them; each other word is drawn with probability q = `config.sampled`, and
    then counts 1 / q times in the sum of the exponentials and in the mean logit of label smoothing. Both are right in
    expectation. The nll is too low by a little on average, because the logarithm of a mean is not the mean of
    logarithms. If all are drawn, both results equal those of `cross_entropy`.

    Args:
        model: has `logits` of some words, as `Seq2Seq`.
        rows: `(N, E)`. The features of the real tokens.
        words: `(N,)` int32. The real tokens.
        config: gives q, the label smoothing, and the seed.
        step: int. The number of the training step: with the seed it decides what is drawn.

    Returns:
        loss, nll: float32 scalars, in nats.

    Source: Jean et al. 2015, arXiv:1412.2007, section 3.2 (the batch's words, with a drawn share of the others).
    """
    size = model.config.target_vocabulary_size
    own = tf.scatter_nd(words[:, tf.newaxis], tf.ones_like(words), [size]) > 0  # (V,)
    draw = tf.random.stateless_uniform([size], tf.stack([tf.cast(config.seed, tf.int64), tf.cast(step, tf.int64)]))
    chosen = own | (draw < config.sampled)  # (V,)
    candidates = tf.boolean_mask(tf.range(size), chosen)  # (W,)
    counts = tf.where(tf.gather(own, candidates), 1.0, 1 / config.sampled)  # (W,)
    places = tf.gather(tf.cumsum(tf.cast(chosen, tf.int32)) - 1, words)  # (N,) of the words among the candidates
    logits = model.logits(rows, candidates)  # (N, W)
    _, nll = smoothed_nll(logits + tf.math.log(counts), places, 0.0)  # (N,)
    if not config.label_smoothing:
        return tf.reduce_sum(nll), tf.reduce_sum(nll)
    right = tf.gather(logits, places, batch_dims=1)  # (N,)
    mean = tf.linalg.matvec(logits, counts) / size  # (N,)
    return tf.reduce_sum(nll + config.label_smoothing * (right - mean)), tf.reduce_sum(nll)
