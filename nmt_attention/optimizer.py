"""Adam, its learning rate over a training, and the scaling that float16 needs."""

import keras
import tensorflow as tf


class FusedAdam(keras.optimizers.Adam):
    """Keras' Adam, each variable updated by one operation in one pass over its memory; Keras makes more than ten."""

    def update_step(self, gradient, variable, learning_rate):
        i, step = self._get_variable_index(variable), tf.cast(self.iterations + 1, tf.float32)
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=self._momentums[i].value.handle,
            v=self._velocities[i].value.handle,
            beta1_power=self.beta_1**step,
            beta2_power=self.beta_2**step,
            lr=tf.cast(learning_rate, tf.float32),
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=gradient,
        )


def make_optimizer(model, steps_per_epoch, config):
    """Returns Adam with the rate rising over the warm-up, then falling along half a cosine to a fiftieth.

    Where the model computes in float16 the loss is scaled up, lest small gradients become 0, and steps whose gradient
    is then not finite are skipped.
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
