"""Attentions that are more than a score of query and key: local, multi-head, cosine and by location."""

from typing import Any

import keras
import tensorflow as tf

from ..attention import Attention, GeneralAttention, Memory, dot, masked_softmax, scaled_dot


class LocalAttention(GeneralAttention):
    """Predicts a position from the decoder's state and prefers words near it: Luong's local-p.

        p = S sigmoid(v · tanh(W_p q))
        weights_j ∝ softmax(q · W h / √units)_j exp(-(j - p)² / 2σ²),    σ = D / 2

    S is the real length of the sentence, j counts from 0, and D is `window`. A factor on a weight is a term of its
    score, so `score` returns q · W h_j / √units - (j - p)² / 2σ². Positions are computed in float32, because bfloat16,
    with 8 significant bits, cannot tell neighbouring positions apart in a long sentence.

    Three things differ from the paper. The score is divided by √units, as in `GeneralAttention`. The weights sum to 1
    again after the factor. And they fade out instead of being cut off at p ± D, where the factor is e⁻² = 0.14. D is 4
    here and 10 there, for longer sentences.

    Args, call arguments and returns: as `Attention`.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.2, eq. 9 and 10, with the score "general".
    """

    window = 4

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        policy = {"use_bias": False, "dtype": self.dtype_policy}
        self.hidden_layer = keras.layers.Dense(units, activation="tanh", name="hidden", **policy)  # W_p
        self.position_layer = keras.layers.Dense(1, name="position", **policy)  # v

    def build(self, query_shape: tuple[int | None, ...], memory_shape: Any) -> None:
        self.hidden_layer.build(query_shape)
        self.position_layer.build((None, self.units))

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        lengths = tf.reduce_sum(tf.cast(memory.mask, tf.float32), axis=1)  # (B,)
        fraction = tf.sigmoid(tf.cast(self.position_layer(self.hidden_layer(queries)), tf.float32))
        predicted = lengths[:, tf.newaxis, tf.newaxis] * fraction  # (B, T, 1)
        distances = tf.range(tf.shape(memory.mask)[1], dtype=tf.float32) - predicted  # (B, T, S)
        scores = tf.cast(super().score(queries, memory), tf.float32)
        return scores - tf.square(distances) / (2 * (self.window / 2) ** 2)


class MultiHeadAttention(Attention):
    """Several small scaled dot products in parallel, each of which can look at other words.

        head_n = Σ_j softmax_j(W_n^Q q · W_n^K h_j / √d) W_n^V h_j
        context = W^O [head_1 ; … ; head_N]

    N is `heads` and d = H / N, rounded up. In a recurrent decoder only this layer is taken from the Transformer: the
    query is the decoder's state, and there is no encoding of positions. No dropout on weights, no bias.

    Args:
        units: H.
        heads: N; by default the class's own.

    Call arguments: as `Attention`.

    Returns:
        context: shaped as `query`. Not a mean of the values, but a projection of the heads' means.
        weights: `(B, S)` or `(B, T, S)`. Mean of the heads' weights, for heatmaps and other uses of a single matrix;
            `score` and a softmax give those of each head, `trace_steps` keeps them and `plot_heads` draws them.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2.
    """

    heads = 4

    def __init__(self, units: int, heads: int | None = None, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        self.heads = heads or self.heads
        self.width = -(-units // self.heads)  # d
        policy = {"use_bias": False, "dtype": self.dtype_policy}
        self.query_layer, self.key_layer, self.value_layer = (
            keras.layers.Dense(self.heads * self.width, name=name, **policy) for name in ("query", "key", "value")
        )
        self.output_layer = keras.layers.Dense(units, name="output", **policy)

    def build(self, query_shape: tuple[int | None, ...], memory_shape: Any) -> None:
        for layer in (self.query_layer, self.key_layer, self.value_layer):
            if not layer.built:  # `project` may have built two of them
                layer.build(query_shape)
        self.output_layer.build((None, self.heads * self.width))

    def project(self, values: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns a pair, keys and values of every head, each `(B, N, S, d)`."""
        return self._split(self.key_layer(values)), self._split(self.value_layer(values))

    def _split(self, vectors: tf.Tensor) -> tf.Tensor:
        """Returns vectors `(B, L, N d)` split by head, `(B, N, L, d)`."""
        shape = tf.concat([tf.shape(vectors)[:2], [self.heads, self.width]], 0)
        return tf.transpose(tf.reshape(vectors, shape), (0, 2, 1, 3))

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        """Returns the scores of every head, `(B, N, T, S)`."""
        keys, _ = memory.keys
        return scaled_dot(self._split(self.query_layer(queries)), keys, self.width)

    def attend(self, queries: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor]:
        _, values = memory.keys
        weights = masked_softmax(self.score(queries, memory), memory.mask[:, tf.newaxis, tf.newaxis])  # (B, N, T, S)
        weights = tf.cast(weights, queries.dtype)
        heads = tf.transpose(tf.matmul(weights, values), (0, 2, 1, 3))  # (B, T, N, d)
        joined = tf.reshape(heads, tf.concat([tf.shape(heads)[:2], [self.heads * self.width]], 0))  # (B, T, N d)
        return self.output_layer(joined), tf.reduce_mean(weights, axis=1)


def l2_normalize(vectors: tf.Tensor) -> tf.Tensor:
    """Returns vectors of length 1 with the same direction, computed in float32; zero vectors stay zero."""
    return tf.cast(tf.math.l2_normalize(tf.cast(vectors, tf.float32), axis=-1), vectors.dtype)


class CosineAttention(Attention):
    """The cosine of the angle between query and value, times a learned sharpness: lengths do not matter.

        e_j = β cos(q, h_j),    β = softplus(b)

    Source: Graves, Wayne & Danihelka 2014, arXiv:1410.5401, eq. 5 and 6 (content-based addressing); β is one learned
    number here and does not depend on the state.
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        self.sharpness = self.add_weight(shape=(), initializer=keras.initializers.Constant(5.0), name="sharpness")

    def project(self, values: tf.Tensor) -> tf.Tensor:
        return l2_normalize(values)

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        return tf.math.softplus(self.sharpness) * dot(l2_normalize(queries), memory.keys)


class LocationAttention(Attention):
    """Scores positions by the decoder's state alone, whatever word stands there.

        e = W q,    one row of W for each of the first `positions` positions

    Later positions have the score 0. It learns that the third target word comes from about the third source word, and
    cannot learn more: a lesson in what the values are for.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, eq. 8.
    """

    positions = 50

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        self.position_layer = keras.layers.Dense(
            self.positions, use_bias=False, name="position", dtype=self.dtype_policy
        )

    def build(self, query_shape: tuple[int | None, ...], memory_shape: Any) -> None:
        self.position_layer.build(query_shape)

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        scores, width = self.position_layer(queries), tf.shape(memory.mask)[1]  # (B, T, positions)
        return tf.pad(scores, [[0, 0], [0, 0], [0, tf.maximum(width - self.positions, 0)]])[..., :width]
