"""One training step: features, logits, cross-entropy, gradient, clipping, Adam. `runs.training` repeats it."""

from collections.abc import Callable, Sequence
from typing import Any

import keras
import tensorflow as tf

from .config import TrainConfig
from .fast import FusedAdam, smoothed_nll
from .parts import part_of
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


def full_loss(
    model: Any, rows: tf.Tensor, words: tf.Tensor, config: TrainConfig, _: Any
) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the summed loss and nll of the real tokens `words` `(N,)` from their features `(N, E)`."""
    return cross_entropy(model.logits(rows), words, config.label_smoothing)[:2]


IDS = tf.TensorSpec((None, None), tf.int32)


def make_train_step(
    model: keras.Model,
    optimizer: keras.optimizers.Optimizer,
    config: TrainConfig,
    more_loss: Callable[..., tf.Tensor] | None = None,
    more: Sequence[tf.TensorSpec] = (),
    total: Callable[[Any], Any] = lambda of_one_device: of_one_device,
) -> Callable[..., tuple[tf.Tensor, tf.Tensor, tf.Tensor]]:
    """Returns the compiled training step: (source_ids, target_in, target_out, …) to (nll, tokens, norm).

    nll and tokens are sums over the batch; norm is the gradient's norm before clipping. The step is traced once,
    whatever the lengths of the batches, and without autograph: a model's `if` on a tensor must be `tf.cond`.

    Args:
        model: has `features` and `logits`, as in `Seq2Seq`.
        optimizer: from `make_optimizer`, or another of Keras'; in float16 in a `keras.optimizers.LossScaleOptimizer`.
        config: the settings of the training.
        more_loss: adds to the summed loss, from the weights `(B, T, S)` and what follows target_out in a batch.
        more: what follows target_out.
        total: sums over all devices, where each of several takes this step with its own rows of the batch.

    Source: Pascanu, Mikolov & Bengio 2013, arXiv:1211.5063 (clipping).
    """
    token_loss = part_of("extension", "sampled") if config.sampled < 1 else full_loss

    @tf.function(input_signature=[IDS, IDS, IDS, *more], autograph=False)
    def train_step(
        source_ids: tf.Tensor, target_in: tf.Tensor, target_out: tf.Tensor, *more: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        real = target_out != PAD_ID  # (B, T)
        words = tf.boolean_mask(target_out, real)  # (N,)
        tokens = total(tf.cast(tf.size(words), tf.float32))
        scale = optimizer.scale_loss(1.0)  # 1, unless the optimiser divides what it is given by it
        with tf.GradientTape() as tape:
            features, weights = model.features(source_ids, target_in, training=True)  # (B, T, E), (B, T, S)
            rows = tf.boolean_mask(features, real)  # (N, E): logits of padding are not needed
            loss, nll = token_loss(model, rows, words, config, optimizer.iterations)
            if more_loss:
                loss += more_loss(weights, *more)
            loss *= scale / tokens
        gradients = tape.gradient(loss, model.trainable_variables)
        # dense, because a sparse gradient lists the rows of a repeated token apart, and the norm is that of their sum
        gradients = total([tf.convert_to_tensor(gradient) for gradient in gradients])
        gradients, norm = tf.clip_by_global_norm(gradients, scale * config.clip_norm)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return total(nll), tokens, norm / scale

    return train_step


def make_optimizer(model: keras.Model, steps_per_epoch: int, config: TrainConfig) -> keras.optimizers.Optimizer:
    """Returns Adam whose learning rate rises over the warm-up, then falls along half a cosine to 1/50."""
    steps = steps_per_epoch * config.epochs
    warmup = min(config.warmup_steps, steps // 2)
    rate = keras.optimizers.schedules.CosineDecay(
        0.0, max(1, steps - warmup), alpha=0.02, warmup_target=config.learning_rate, warmup_steps=warmup
    )
    optimizer = FusedAdam(rate, beta_2=0.998)
    optimizer.build(model.trainable_variables)
    return optimizer
