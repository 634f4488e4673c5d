"""The loss: cross-entropy with smoothed targets, and its gradient. Padding has no share in either."""

import tensorflow as tf

from .text import PAD_ID


def cross_entropy(logits, target_out, label_smoothing=0.0):
    """Sums the loss over the real target tokens; padding has no share in it.

    The smoothed target puts 1 - s on the right token and spreads s evenly over the vocabulary, so that the loss is
    nll + s (right token's logit - mean logit): no second pass over a target distribution.

    Args:
        logits: `(..., V)` float32.
        target_out: `(...)` int32, `PAD_ID` where padded.
        label_smoothing: s, float in [0, 1).

    Returns:
        loss: float32 scalar. What training minimises, in nats, summed.
        nll: float32 scalar. Negative log-likelihood of the real tokens in nats, summed: exp(nll / tokens) is the
            perplexity.
        tokens: float32 scalar. How many real tokens there are.

    Source: Szegedy et al. 2016, arXiv:1512.00567, section 7 (label smoothing).
    """
    real = tf.cast(target_out != PAD_ID, tf.float32)
    nll = tf.nn.sparse_softmax_cross_entropy_with_logits(target_out, logits) * real
    loss = nll
    if label_smoothing:
        right = tf.gather(logits, target_out, axis=-1, batch_dims=len(target_out.shape))
        loss = nll + label_smoothing * (right - tf.reduce_mean(logits, axis=-1)) * real
    return tf.reduce_sum(loss), tf.reduce_sum(nll), tf.reduce_sum(real)


def cross_entropy_gradient(logits, target_out, label_smoothing=0.0):
    """Returns (nll, gradient): `cross_entropy`'s nll, and the gradient of its loss by the logits, shaped as these.

    The gradient is softmax(logits) - smoothed target, 0 where padded. TensorFlow would derive the same from the loss,
    with a matrix as large as the logits for each of its terms; here there are as few passes over such as it takes.

    Args:
        logits, target_out, label_smoothing: as in `cross_entropy`.
    """
    labels = tf.reshape(target_out, [-1])  # (N,)
    rows = tf.reshape(logits, (-1, logits.shape[-1]))  # (N, V)
    real = tf.cast(labels != PAD_ID, tf.float32)
    highest = tf.reduce_max(rows, axis=1, keepdims=True)
    powers = tf.exp(rows - highest)
    total = tf.reduce_sum(powers, axis=1)
    right = tf.stack([tf.range(tf.shape(labels)[0]), labels], axis=1)
    nll = highest[:, 0] + tf.math.log(total) - tf.gather_nd(rows, right)
    gradient = powers * (real / total)[:, tf.newaxis]
    if label_smoothing:
        gradient -= (real * (label_smoothing / logits.shape[-1]))[:, tf.newaxis]
    gradient = tf.tensor_scatter_nd_sub(gradient, right, (1 - label_smoothing) * real)
    return tf.reduce_sum(nll * real), tf.reshape(gradient, tf.shape(logits))
