"""The Transformer: keep the attention, drop the recurrence.

A recurrent layer carries word 1 to word 9 in eight steps, one after the other. A Transformer's layer lets word 9 look
at word 1 itself. The multi-head attention that a recurrent decoder uses (`attentions.MultiHeadAttention`) does
three jobs here:

    where                     queries             keys and values       a position may look at
    encoder, self-attention   source positions    source positions      every real source position
    decoder, self-attention   target positions    target positions      itself and those before it
    decoder, cross-attention  target positions    encoder's values      every real source position

Each layer ends with a small network that treats every position by itself. Nothing waits for the position before it, so
training computes all positions at once. In search, the keys and values of the tokens written so far are the state.
Every part adds to its input what it makes of the normalised input, x + f(norm(x)): "pre-norm", which needs no such long
warm-up as the paper's norm(x + f(x)).

Source: Vaswani et al. 2017, arXiv:1706.03762; Xiong et al. 2020, arXiv:2002.04745, figure 1b (pre-norm).
"""

from typing import Any

import keras
import tensorflow as tf

from ..attention import Memory
from ..config import ModelConfig
from ..decoder import Decoder, StepResult
from ..encoder import TokenEmbedding
from .attentions import MultiHeadAttention

Cache = tuple[tf.Tensor, tf.Tensor]  # keys and values of the tokens so far in one layer, `(B, N, t, H / N)` each


def sinusoids(start: tf.Tensor | int, length: tf.Tensor | int, units: int) -> tf.Tensor:
    """Returns the vectors `(T, H)` float32 of T = `length` positions from `start` on; H = `units` is even.

        PE(p) = [sin(p r_0), …, sin(p r_{H/2-1}), cos(p r_0), …, cos(p r_{H/2-1})],    r_i = 10000^(-2i / H)

    Attention by itself sees no order. Learned vectors would do as well, but only up to the longest training sentence:
    those of later positions would be noise. Sines have no last position.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.5; sines and cosines side by side instead of in turn.
    """
    positions = tf.cast(start + tf.range(length), tf.float32)[:, tf.newaxis]  # (T, 1)
    angles = positions * 10_000.0 ** (-2.0 * tf.range(units // 2, dtype=tf.float32) / units)  # (T, H / 2)
    return tf.concat([tf.sin(angles), tf.cos(angles)], axis=-1)


class PositionalEmbedding(TokenEmbedding):
    """Each token's vector times √H, plus that of its position: ids `(B, T)` from position `start` on to `(B, T, H)`.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.4.
    """

    def __init__(self, vocabulary_size: int, units: int, **kwargs: Any) -> None:
        super().__init__(vocabulary_size, units, **kwargs)
        self.factor = units**0.5

    def call(self, ids: tf.Tensor, start: tf.Tensor | int = 0) -> tf.Tensor:
        vectors = super().call(ids)
        return vectors + tf.cast(sinusoids(start, tf.shape(ids)[1], self.output_dim), vectors.dtype)


class CausalAttention(MultiHeadAttention):
    """Multi-head attention that never looks ahead.

    The T queries are the last T of the S positions: all of them in training, the newest alone in a step of search.
    Query t may look at the S - T + t + 1 positions up to its own.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3.
    """

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        scores = super().score(queries, memory)  # (B, N, T, S) float32
        steps, positions = tf.shape(scores)[2], tf.shape(scores)[3]
        own = tf.range(positions - steps, positions)[:, tf.newaxis]  # (T, 1): where each query stands
        return tf.where(tf.range(positions) <= own, scores, -1e9)


class FeedForward(keras.layers.Layer):
    """What each position makes of what it has collected: x + W₂ relu(W₁ norm(x) + b₁) + b₂, for x `(B, T, H)`.

    Source: Vaswani et al. 2017, arXiv:1706.03762, eq. 2, 4 H wide inside; Araabi & Monz 2020, arXiv:2011.02266, take
    2 H for 20,000 pairs, as here.
    """

    def __init__(self, units: int, dropout: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.norm = keras.layers.LayerNormalization(name="norm", **policy)
        self.hidden_layer = keras.layers.Dense(2 * units, activation="relu", name="hidden", **policy)
        self.output_layer = keras.layers.Dense(units, name="output", **policy)
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)

    def call(self, values: tf.Tensor, training: bool = False) -> tf.Tensor:
        return values + self.dropout(self.output_layer(self.hidden_layer(self.norm(values))), training=training)


class EncoderLayer(keras.layers.Layer):
    """One layer of the encoder: every source position looks at all of them, then goes through its own network.

    Args: units, H; heads, N, which divides H; dropout, the fraction of what each part adds that training zeroes.

    Call arguments and returns: values `(B, S, H)`; mask `(B, S)` bool, True = a real token.
    """

    def __init__(self, units: int, heads: int, dropout: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.norm = keras.layers.LayerNormalization(name="norm", **policy)
        self.self_attention = MultiHeadAttention(units, heads, name="self_attention", **policy)
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)
        self.feed_forward = FeedForward(units, dropout, name="feed_forward", **policy)

    def build(self, values_shape: tuple[int | None, ...]) -> None:
        self.self_attention.build(values_shape, None)

    def call(self, values: tf.Tensor, mask: tf.Tensor, training: bool = False) -> tf.Tensor:
        normal = self.norm(values)
        seen, _ = self.self_attention(normal, self.self_attention.memory(normal, mask, ()))
        return self.feed_forward(values + self.dropout(seen, training=training), training=training)


class DecoderLayer(keras.layers.Layer):
    """One layer of the decoder: target positions look back, then at the source, then go through the network.

    Args: as `EncoderLayer`.

    Call arguments:
        values: `(B, T, H)`. The next T target positions.
        before: `Cache` of those before them.
        memory: `Memory` of the source, whose keys are those of this layer's cross-attention.

    Returns: values `(B, T, H)`; the `Cache` of all target positions so far; weights `(B, T, S)`, mean of the heads'.
    """

    def __init__(self, units: int, heads: int, dropout: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.self_norm = keras.layers.LayerNormalization(name="self_norm", **policy)
        self.self_attention = CausalAttention(units, heads, name="self_attention", **policy)
        self.cross_norm = keras.layers.LayerNormalization(name="cross_norm", **policy)
        self.cross_attention = MultiHeadAttention(units, heads, name="cross_attention", **policy)
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)
        self.feed_forward = FeedForward(units, dropout, name="feed_forward", **policy)

    def build(self, values_shape: tuple[int | None, ...]) -> None:
        self.self_attention.build(values_shape, None)
        self.cross_attention.build(values_shape, None)

    def call(self, values: tf.Tensor, before: Cache, memory: Memory, training: bool = False) -> StepResult:
        normal = self.self_norm(values)
        new = self.self_attention.project(normal)
        keys, contents = (tf.concat([old, more], axis=2) for old, more in zip(before, new, strict=True))
        everywhere = tf.ones((1, tf.shape(keys)[2]), bool)  # padding comes last, so no real token looks back at it
        seen, _ = self.self_attention(normal, Memory((), (keys, contents), everywhere))
        values += self.dropout(seen, training=training)
        shape = tf.shape(values)  # (B * K, T, H): in search the K hypotheses of a sentence share its memory
        queries = tf.reshape(self.cross_norm(values), (tf.shape(memory.mask)[0], -1, values.shape[-1]))
        context, weights = self.cross_attention(queries, memory)  # (B, K * T, H), (B, K * T, S)
        context, weights = tf.reshape(context, shape), tf.reshape(weights, (*tf.unstack(shape[:2]), -1))
        values += self.dropout(context, training=training)
        return self.feed_forward(values, training=training), (keys, contents), weights


def _add_parts(part: Any, kind: Any, vocabulary_size: int, units: int, layers: int, heads: int, dropout: float) -> None:
    """Gives encoder or decoder its embedding, dropout, layers of this kind and last normalisation."""
    policy = {"dtype": part.dtype_policy}
    part.embedding = PositionalEmbedding(vocabulary_size, units, name="embedding", **policy)
    part.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)
    part.layers = [kind(units, heads, dropout, name=f"layer_{i}", **policy) for i in range(layers)]
    part.norm = keras.layers.LayerNormalization(name="norm", **policy)


class TransformerEncoder(keras.layers.Layer):
    """Source ids to one vector per position, each of which has looked at all the others in every layer.

    Args: vocabulary_size, V; units, H, even; layers, their number; heads and dropout, as in `EncoderLayer`. Training
    drops out the token vectors too.

    Call arguments: as `Encoder`. Returns: values `(B, S, H)`, and the same as the state: no one vector sums them up.
    """

    def __init__(
        self, vocabulary_size: int, units: int, layers: int, heads: int, dropout: float, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        _add_parts(self, EncoderLayer, vocabulary_size, units, layers, heads, dropout)

    def call(
        self, source_ids: tf.Tensor, source_mask: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        values = self.dropout(self.embedding(source_ids), training=training)
        for layer in self.layers:
            values = layer(values, source_mask, training=training)
        values = self.norm(values)
        return values, values


class TransformerDecoder(Decoder):
    """Target ids to features, for a whole sentence or step by step with the same code.

    The attention it returns, for heatmaps and guidance, is the cross-attention of the layer before the last, the mean
    of its heads (of a single layer, its own): Garg et al. found that this one agrees best with alignments.

    Args: as `TransformerEncoder`. Call arguments and returns: as `Decoder`; the state is a `Cache` per layer.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.1; Garg et al. 2019, arXiv:1909.02074, section 4.1.
    """

    def __init__(
        self, vocabulary_size: int, units: int, layers: int, heads: int, dropout: float, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        _add_parts(self, DecoderLayer, vocabulary_size, units, layers, heads, dropout)
        self.output_bias = self.add_weight(shape=(vocabulary_size,), initializer="zeros", name="output_bias")
        self.build((None, None, units))

    def build(self, values_shape: tuple[int | None, ...]) -> None:
        for layer in self.layers:  # before `memory`, so that each weight is named after its layer
            layer.build(values_shape)

    def initial_state(self, values: tf.Tensor) -> tuple[Cache, ...]:
        """Returns an empty cache per layer, with a row for each of the encoder's values `(B, S, H)`."""
        attention = self.layers[0].self_attention
        nothing = tf.zeros((tf.shape(values)[0], attention.heads, 0, attention.width), values.dtype)
        # hides the length 0 from TensorFlow's shapes, which would otherwise not let it grow in a loop
        nothing = tf.raw_ops.PlaceholderWithDefault(input=nothing, shape=(None, attention.heads, None, attention.width))
        return ((nothing, nothing),) * len(self.layers)

    def memory(self, values: tf.Tensor, mask: tf.Tensor, state: tf.Tensor) -> Memory:
        """Returns the `Memory` of a sentence; its keys are those of every layer's cross-attention."""
        values = tf.where(mask[..., tf.newaxis], values, 0)  # as in `Attention.memory`
        return Memory(values, tuple(layer.cross_attention.project(values) for layer in self.layers), mask)

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        features, _, weights = self.continue_with(target_in, state, memory, training)
        return features, weights

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        features, state, weights = self.continue_with(token_ids[:, tf.newaxis], state, memory, training)
        return features[:, 0], state, weights[:, 0]

    def continue_with(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool) -> StepResult:
        """Reads T more tokens `(B, T)`; returns features `(B, T, H)`, the state after them and weights `(B, T, S)`."""
        start = tf.shape(state[0][0])[2]
        values = self.dropout(self.embedding(token_ids, start), training=training)
        results = []
        for layer, before, keys in zip(self.layers, state, memory.keys, strict=True):
            values, *more = layer(values, before, memory._replace(keys=keys), training=training)
            results.append(more)
        caches, weights = zip(*results, strict=True)
        return self.norm(values), caches, weights[max(0, len(self.layers) - 2)]


def transformer_parts(
    config: ModelConfig, dtype: str, use_cudnn: bool | str = "auto"
) -> tuple[TransformerEncoder, TransformerDecoder]:
    """Returns encoder and decoder of a Transformer."""
    more: dict[str, Any] = {"heads": config.heads, "dropout": config.dropout, "dtype": dtype}
    sizes = config.source_vocabulary_size, config.target_vocabulary_size
    encoder = TransformerEncoder(sizes[0], config.units, config.encoder_layers, name="encoder", **more)
    decoder = TransformerDecoder(sizes[1], config.units, config.decoder_layers, name="decoder", **more)
    return encoder, decoder
