"""The loss: cross-entropy with smoothed targets, without padding."""

import tensorflow as tf

from .fast import smoothed_nll
from .vocabulary import PAD_ID


def cross_entropy(
    logits: tf.Tensor, target_out: tf.Tensor, label_smoothing: float = 0.0
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Sums the loss over the real target tokens; padding contributes nothing to it or to its gradient.

    The smoothed target puts 1 - s on the right token and spreads s evenly over the vocabulary, so that the loss of a
    token is nll + s (right token's logit - mean logit).

    Args:
        logits: `(..., V)` float32.
        target_out: `(...)` int, `PAD_ID` where padded.
        label_smoothing: s in [0, 1).

    Returns:
        loss: float32 scalar. What training minimises: the sum over the real tokens, in nats.
        nll: float32 scalar. Negative log-likelihood of the real tokens, summed, in nats: exp(nll / tokens) is the
            perplexity.
        tokens: float32 scalar. Number of real tokens.

    Source: Szegedy et al. 2016, arXiv:1512.00567, section 7 (label smoothing).
    """
    labels = tf.cast(tf.reshape(target_out, [-1]), tf.int32)  # (N,); NumPy's integers are int64
    real = tf.cast(labels != PAD_ID, tf.float32)  # (N,)
    loss, nll = smoothed_nll(tf.reshape(logits, (-1, logits.shape[-1])), labels, label_smoothing)  # (N,) each
    return tf.reduce_sum(loss * real), tf.reduce_sum(nll * real), tf.reduce_sum(real)
