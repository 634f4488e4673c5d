"""One training step: loss, gradient, clipping, Adam. `runs.training` repeats it over epochs and saves them."""

from collections.abc import Callable, Sequence

import keras
import tensorflow as tf

from .config import TrainConfig
from .fast import FusedAdam
from .guidance import guidance_loss
from .loss import cross_entropy
from .vocabulary import PAD_ID

Step = Callable[..., tuple[tf.Tensor, tf.Tensor]]  # see `make_step`
IDS, LINKS = tf.TensorSpec((None, None), tf.int32), tf.TensorSpec((None, None, None), tf.float32)


def make_train_step(
    model: keras.Model, optimizer: keras.optimizers.Optimizer, config: TrainConfig, steps: int
) -> Callable[..., tuple[tf.Tensor, tf.Tensor, tf.Tensor]]:
    """Returns the compiled training step: (source_ids, target_in, target_out) to (nll, tokens, norm).

    With guided alignment (`config.guidance`) it also takes `links`, so that its arguments are a `GuidedBatch`.

    nll and tokens are sums over the batch; norm is the gradient's norm before clipping. The step is traced once,
    whatever the lengths of the batches. For several devices see `runs.distribute.make_replicated_step`.

    Args:
        model: has `features` and `logits`, as in `Seq2Seq`.
        optimizer: from `make_optimizer`.
        config: the settings of the training.
        steps: steps of the whole training, over which the probability of scheduled sampling rises from 0.
    """
    step = make_step(model, optimizer, config, steps)

    @tf.function(input_signature=batch_shapes(config))
    def train_step(
        source_ids: tf.Tensor, target_in: tf.Tensor, target_out: tf.Tensor, *links: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        tokens = tf.cast(tf.math.count_nonzero(target_out != PAD_ID), tf.float32)
        nll, norm = step(tokens, source_ids, target_in, target_out, *links)
        return nll, tokens, norm

    return train_step


def batch_shapes(config: TrainConfig) -> list[tf.TensorSpec]:
    """Returns the input signature of a step: that of a `Batch` or, with guided alignment, of a `GuidedBatch`."""
    return [IDS] * 3 + [LINKS] * (config.guidance > 0)


def make_step(model: keras.Model, optimizer: keras.optimizers.Optimizer, config: TrainConfig, steps: int) -> Step:
    """Returns the step as a plain function: (tokens, source_ids, target_in, target_out, links) to (nll, norm).

    tokens is the number of real target tokens of the whole batch; the other arguments may be only some of its rows.
    links are given only with guided alignment. Args: as in `make_train_step`.
    """
    select = all_positions if config.jit else real_positions

    def train_step(
        tokens: tf.Tensor,
        source_ids: tf.Tensor,
        target_in: tf.Tensor,
        target_out: tf.Tensor,
        links: tf.Tensor | None = None,
    ) -> tuple[tf.Tensor, tf.Tensor]:
        with tf.GradientTape() as tape:
            features, weights = model.features(source_ids, target_in, training=True)  # (B, T, E), (B, T, S)
            features, labels = select(features, target_out)  # (N, E), (N,)
            logits = model.logits(features)  # (N, V)
            loss, nll, _ = cross_entropy(logits, labels, config.label_smoothing)
            if links is not None:
                loss += config.guidance * guidance_loss(weights, links)
            loss = optimizer.scale_loss(loss / tokens)
        gradients = tape.gradient(loss, model.trainable_variables)
        return nll, apply_clipped(optimizer, gradients, model.trainable_variables, config.clip_norm)

    step: Step = train_step
    if config.jit:
        step = on_few_shapes(tf.function(step, jit_compile=True))
    if config.scheduled_sampling:
        step = with_scheduled_sampling(step, model, optimizer, config, steps)
    return step


def real_positions(features: tf.Tensor, target_out: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns features `(N, E)` and ids `(N,)` of the N real target tokens: no logits are computed for padding."""
    real = target_out != PAD_ID  # (B, T)
    return tf.boolean_mask(features, real), tf.boolean_mask(target_out, real)


def all_positions(features: tf.Tensor, target_out: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns both unchanged, for XLA, which needs shapes that do not depend on values."""
    return features, target_out


def on_few_shapes(function: Step) -> Step:
    """Returns the step with every width padded to a multiple of 8, because XLA compiles each shape separately."""

    def padded(tokens: tf.Tensor, *batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return function(tokens, *map(pad_to_eights, batch))

    return padded


def pad_to_eights(ids: tf.Tensor) -> tf.Tensor:
    """Returns ids `(B, T)`, or links `(B, T, S)`, with every dimension but the first padded to a multiple of 8."""
    return tf.pad(ids, [[0, 0], *([0, -tf.shape(ids)[axis] % 8] for axis in range(1, len(ids.shape)))])


def with_scheduled_sampling(
    step: Step, model: keras.Model, optimizer: keras.optimizers.Optimizer, config: TrainConfig, steps: int
) -> Step:
    """Returns the step with some input tokens replaced by the model's own, a fraction that rises from 0 over training.

    Args: as in `make_train_step`.
    """

    def sampled(
        tokens: tf.Tensor, source_ids: tf.Tensor, target_in: tf.Tensor, *targets: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        progress = tf.cast(optimizer.iterations, tf.float32) / steps
        logits, _ = model(source_ids, target_in)
        seed = draw_seed(config.seed, optimizer.iterations)
        target_in = scheduled_sampling(target_in, logits, config.scheduled_sampling * progress, seed)
        return step(tokens, source_ids, target_in, *targets)

    return sampled


def scheduled_sampling(target_in: tf.Tensor, logits: tf.Tensor, probability: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    """Replaces some input tokens with the model's own predictions for their positions.

    A model that is always given the right tokens never learns to continue after its own mistakes. All predictions of a
    sentence come from one pass with the right tokens, where Bengio et al. predict token by token.

    Args:
        target_in: `(B, T)` int32. START and the right tokens; START and padding stay.
        logits: `(B, T, V)`. The model's, for `target_in`.
        probability: the probability that a token is replaced.
        seed: `(2,)` int. The same seed draws the same positions.

    Returns:
        `(B, T)` int32.

    Source: Bengio et al. 2015, arXiv:1506.03099 (scheduled sampling); Mihaylova & Martins 2019, arXiv:1906.07651 (in
    two passes).
    """
    own = tf.argmax(logits[:, :-1], axis=-1, output_type=tf.int32)  # the token at t was predicted at t - 1
    right = target_in[:, 1:]
    replaced = (tf.random.stateless_uniform(tf.shape(right), seed) < probability) & (right != PAD_ID)
    return tf.concat([target_in[:, :1], tf.where(replaced, own, right)], axis=1)


def draw_seed(seed: int, iterations: tf.Tensor) -> tf.Tensor:
    """Returns a seed `(2,)` int32 for random draws of one training step, different on every replica."""
    context = tf.distribute.get_replica_context()
    draw = tf.cast(iterations, tf.int32) * context.num_replicas_in_sync + context.replica_id_in_sync_group
    return tf.stack([seed, draw])


def make_optimizer(model: keras.Model, steps_per_epoch: int, config: TrainConfig) -> keras.optimizers.Optimizer:
    """Returns Adam whose learning rate rises over the warm-up, then falls along half a cosine to 1/50.

    If the model computes in float16, the loss is scaled up so that small gradients do not underflow, and steps whose
    scaled gradient is not finite are skipped.
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


def apply_clipped(
    optimizer: keras.optimizers.Optimizer,
    gradients: Sequence[tf.Tensor],
    variables: Sequence[keras.Variable],
    clip_norm: float,
) -> tf.Tensor:
    """Sums the gradients over all replicas, clips them and applies them.

    Returns:
        float32 scalar. The norm before clipping; 0 for a step that float16 training skips.

    Source: Pascanu, Mikolov & Bengio 2013, arXiv:1211.5063 (clipping).
    """
    context = tf.distribute.get_replica_context()
    # dense, because the norm must be that of the sum of all rows of a token that occurs more than once
    gradients = context.all_reduce("SUM", [tf.convert_to_tensor(gradient) for gradient in gradients])
    scale = optimizer.scale_loss(1.0)  # 1, except in float16
    gradients, norm = tf.clip_by_global_norm(gradients, clip_norm * scale)
    shares = [gradient / context.num_replicas_in_sync for gradient in gradients]  # Keras sums over replicas once more
    optimizer.apply_gradients(zip(shares, variables, strict=True))
    skipped = (scale > 1) & ~tf.math.is_finite(norm)  # the optimizer has halved its scale instead
    return tf.where(skipped, 0.0, norm / scale)
