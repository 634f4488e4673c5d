"""Adam, its learning rate over a training, clipping, and the loss scaling that float16 needs."""

import keras
import tensorflow as tf

from .fast import FusedAdam


def make_optimizer(model, steps_per_epoch, config):
    """Returns Adam with the rate rising over the warm-up, then falling along half a cosine to a fiftieth.

    If the model computes in float16, the loss is scaled up so that small gradients do not underflow, and steps whose
    gradient is then not finite are skipped.
    """
    steps = steps_per_epoch * config.epochs
    warmup = min(config.warmup_steps, steps // 2)
    rate = keras.optimizers.schedules.CosineDecay(
        0.0, max(1, steps - warmup), alpha=0.02, warmup_target=config.learning_rate, warmup_steps=warmup
    )
    optimizer = FusedAdam(rate, beta_2=0.998)
    if model.compute_dtype == "float16":
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
    optimizer.build(model.trainable_variables)
    return optimizer


def apply_clipped(optimizer, gradients, variables, clip_norm):
    """Sums the gradients over all replicas, clips them and applies them.

    Returns:
        float32 scalar. The norm before clipping; 0 for a step that a float16 training skips.

    Source: Pascanu, Mikolov & Bengio 2013, arXiv:1211.5063 (clipping).
    """
    context = tf.distribute.get_replica_context()
    # dense, because the rows of a token that occurs twice are one gradient, whose norm is that of their sum
    gradients = context.all_reduce("SUM", [tf.convert_to_tensor(gradient) for gradient in gradients])
    scale = optimizer.scale_loss(1.0)  # 1, except in float16
    gradients, norm = tf.clip_by_global_norm(gradients, clip_norm * scale)
    shares = [gradient / context.num_replicas_in_sync for gradient in gradients]  # Keras sums over replicas once more
    optimizer.apply_gradients(zip(shares, variables, strict=True))
    skipped = (scale > 1) & ~tf.math.is_finite(norm)  # the optimizer has halved its scale instead
    return tf.where(skipped, 0.0, norm / scale)
