"""Query and memory to context and weights: where to look in the source sentence for the next target token."""

from typing import Any, NamedTuple

import keras
import tensorflow as tf


class Memory(NamedTuple):
    """What attention looks at, made once per sentence by an attention layer's `memory`."""

    values: tf.Tensor  # `(B, S, H)`: the encoder's vectors, whose weighted means are the contexts
    keys: Any  # what the layer's `project` makes of the values, for example `(B, S, A)`: queries are compared with them
    mask: tf.Tensor  # `(B, S)` bool, True = a real source position; S is the padded width, the sum of a row its length
    state: Any = ()  # `(B, H)`: the encoder's final state, the sentence in one vector; `()` where it is not needed
    tokens: Any = ()  # `(B, S, E)`: the source tokens' vectors, for a `LexicalModel`; `()` where there is none


def masked_softmax(scores: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Turns scores into weights: positive, each row summing to 1, and exactly 0 where the mask is False.

    Computed in float32 whatever the precision of the model. A masked score has no effect, even if it is infinite; real
    scores must be above -1e9.

    Args:
        scores: `(B, S)` float, or with more dimensions before the last: `(B, T, S)`, `(B, N, T, S)`.
        mask: bool, of a shape that broadcasts to that of the scores: `(B, S)`, `(B, 1, S)`, `(B, 1, 1, S)`. At least
            one True in every row.

    Returns:
        weights: shaped as `scores` and in their dtype.
    """
    lowest = tf.fill(tf.shape(scores), tf.constant(-1e9, tf.float32))  # weight 0 unless real scores are as low
    weights = tf.nn.softmax(tf.where(mask, tf.cast(scores, tf.float32), lowest))
    return tf.cast(weights, scores.dtype)


def dot(queries: tf.Tensor, keys: tf.Tensor) -> tf.Tensor:
    """Returns the dot product `(..., T, S)` of every query `(..., T, A)` and every key `(..., S, A)`."""
    return tf.matmul(queries, keys, transpose_b=True)


def scaled_dot(queries: tf.Tensor, keys: tf.Tensor, width: int) -> tf.Tensor:
    """Returns `dot` divided by the root of the width of the vectors, `(..., T, S)` float32.

    In float32, because a bfloat16 factor makes NumPy warn.
    """
    return tf.cast(dot(queries, keys), tf.float32) * width**-0.5


class Attention(keras.layers.Layer):
    """What all score functions share: keys made once, one masked softmax, one weighted mean.

    A subclass says how well a query matches each source position (`score`) and, if part of that can be computed once
    per sentence, what the keys are (`project`). Swap the object and nothing else changes:

        e_j = score(q, h_j),    weights = softmax(e),    context = Σ_j weights_j h_j

    Layers that `score` applies to queries get their weights in `build`, those that `project` applies to values in their
    first call. If a subclass has no `build`, Keras traces `call` to create them.

    Args:
        units: width H of query and values, and A of keys where they are projected.

    Call arguments:
        query: `(B, H)` float. The decoder's state. Or `(B, T, H)`, the states of T steps at once, where they are known.
            Or `(B * K, H)`, the states of K hypotheses of each sentence, one sentence's after the other's.
        memory: the result of the method `memory`.

    Returns:
        context: shaped as `query`. Mean of the values under the weights.
        weights: `(B, S)`, `(B, T, S)` or `(B * K, S)` in [0, 1]; rows sum to 1; exactly 0 where the mask is False.
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units

    def project(self, values: tf.Tensor) -> Any:
        """Returns the keys, `(B, S, A)`: the part of the scores that does not depend on the query. Here the values."""
        return values

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor | None:
        """Returns the scores, which may be float32 whatever the precision: the higher, the better the match.

        Scores of padding have no effect, and scores of real positions must not depend on padding: a length is the sum
        of a row of the mask, never the width of a tensor, which changes with the batch.

        Args:
            queries: `(B, T, H)`.
            memory: the `Memory` of the sentences.

        Returns:
            `(B, T, S)`; with several heads `(B, N, T, S)`; None from a layer that scores nothing.
        """
        raise NotImplementedError

    def memory(self, values: tf.Tensor, mask: tf.Tensor, state: tf.Tensor) -> Memory:
        """Returns the `Memory` of a sentence from the encoder's values, mask and final state."""
        values = tf.where(mask[..., tf.newaxis], values, 0)  # so that nothing reads what is on padding
        return Memory(values, self.project(values), mask, state)

    def attend(self, queries: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns contexts and weights as `call` does, for queries `(B, T, H)` alone."""
        weights = masked_softmax(self.score(queries, memory), memory.mask[:, tf.newaxis])  # (B, T, S)
        weights = tf.cast(weights, queries.dtype)
        return tf.matmul(weights, memory.values), weights  # (B, T, H), (B, T, S)

    def call(self, query: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor]:
        if len(query.shape) == 3:
            return self.attend(query, memory)
        queries = tf.reshape(query, (tf.shape(memory.mask)[0], -1, query.shape[-1]))  # (B, K, H)
        context, weights = self.attend(queries, memory)  # (B, K, H), (B, K, S)
        return tf.reshape(context, (-1, context.shape[-1])), tf.reshape(weights, (-1, tf.shape(weights)[-1]))


class BahdanauAttention(Attention):
    """Additive attention: a one-layer network scores each source position for the decoder's state.

        e_j = v · tanh(W q + U h_j)

    U h_j does not depend on the step, so it is computed once per sentence (the keys). T steps at once compute
    T · S · A numbers per sentence; the dot products below compute T · S.

    Args, call arguments and returns: as `Attention`.

    Source: Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, eq. 5 and 6, and appendix A.1.2; W has a bias here.
    """

    query_bias = True

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        policy = {"dtype": self.dtype_policy}
        self.query_layer = keras.layers.Dense(units, use_bias=self.query_bias, name="query", **policy)  # W
        self.key_layer = keras.layers.Dense(units, use_bias=False, name="key", **policy)  # U
        self.score_vector = self.add_weight(shape=(units, 1), name="score_vector")  # v

    def build(self, query_shape: tuple[int | None, ...], memory_shape: Any) -> None:
        self.query_layer.build(query_shape)

    def project(self, values: tf.Tensor) -> tf.Tensor:
        return self.key_layer(values)

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        queries = tf.expand_dims(self.query_layer(queries), 2)  # (B, T, 1, A)
        keys = tf.expand_dims(memory.keys, 1)  # (B, 1, S, A)
        hidden = tf.tanh(queries + keys)  # (B, T, S, A)
        return tf.squeeze(tf.tensordot(hidden, self.score_vector, 1), 3)  # (B, T, S)


class DotAttention(Attention):
    """The dot product of query and value: nothing to learn, so the two must share one vector space.

        e_j = q · h_j

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.1, "dot".
    """

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        return dot(queries, memory.keys)


class ScaledDotAttention(Attention):
    """The dot product divided by the root of the width, so that wide vectors do not saturate the softmax.

        e_j = q · h_j / √H

    Source: Vaswani et al. 2017, arXiv:1706.03762, eq. 1, with one head and nothing projected.
    """

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        return scaled_dot(queries, memory.keys, self.units)


class GeneralAttention(ScaledDotAttention):
    """The dot product of the query and a learned projection of the value.

        e_j = q · W h_j / √units

    The paper does not divide, and W could learn the factor. But Adam changes each of the units² weights of W by about
    the learning rate, and all these changes add up in one score. Without the factor training is far worse.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.1, "general".
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        self.key_layer = keras.layers.Dense(units, use_bias=False, name="key", dtype=self.dtype_policy)

    def project(self, values: tf.Tensor) -> tf.Tensor:
        return self.key_layer(values)


class ConcatAttention(BahdanauAttention):
    """A one-layer network over the concatenation of query and value.

        e_j = v · tanh(W [q ; h_j])

    W [q ; h] is W_q q + W_h h with W cut in two, so this is `BahdanauAttention` without its bias. The two papers
    differ in the query, which the decoder chooses: there the state before the step, here the state after it.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.1, "concat".
    """

    query_bias = False


class UniformAttention(Attention):
    """The same score for every position, so that each context is the plain mean of the values.

        e_j = 0,    weights_j = 1 / S for the S real positions

    A control. The gain over no attention shows what an average of the words is worth; the gain of another attention
    over this one shows what it is worth to choose where to look.
    """

    def score(self, queries: tf.Tensor, memory: Memory) -> tf.Tensor:
        rows, steps, _ = tf.unstack(tf.shape(queries))
        return tf.zeros((rows, steps, tf.shape(memory.mask)[1]), queries.dtype)  # (B, T, S)


class NoAttention(Attention):
    """No attention: every step gets the encoder's final state, the thought vector. With it, the model is plain seq2seq.

    The context is the final state (both directions' ends if the encoder has two); the weight is 1 on the last real
    source position. Call arguments and returns are those of `Attention`; the query is ignored.

    Source: Cho et al. 2014, arXiv:1406.1078, section 2.2 (the decoder sees the summary c at every step).
    """

    def score(self, queries: tf.Tensor, memory: Memory) -> None:
        """Returns None, because nothing is compared."""

    def attend(self, queries: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor]:
        last = tf.reduce_sum(tf.cast(memory.mask, tf.int32), axis=1) - 1
        weights = tf.one_hot(last, tf.shape(memory.mask)[1], dtype=queries.dtype)  # (B, S)
        every_step = tf.ones((tf.shape(queries)[1], 1), queries.dtype)  # (T, 1): all steps get the same
        return every_step * memory.state[:, tf.newaxis], every_step * weights[:, tf.newaxis]
