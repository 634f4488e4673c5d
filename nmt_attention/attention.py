"""Query and memory to context and weights: where to look in the source sentence for the next target token."""

from typing import Any, NamedTuple

import keras
import tensorflow as tf


class Memory(NamedTuple):
    """What attention looks at, made once per sentence by an attention layer's `memory`.

    values: `(B, S, H)`. The encoder's vectors, of which contexts are mixed.
    keys: What the score function compares the query with: for `BahdanauAttention` the projected values `(B, S, A)`.
    mask: `(B, S)` bool, True = a real source position.
    """

    values: Any
    keys: Any
    mask: Any


def masked_softmax(scores, mask):
    """Turns scores into weights: positive, each row summing to 1, and exactly 0 where the mask is False.

    Computed in float32 whatever the precision of the model; a masked score does not matter, not even if infinite.

    Args:
        scores: `(B, S)` float.
        mask: `(B, S)` bool. At least one True in every row.

    Returns:
        weights: `(B, S)` in the dtype of `scores`.
    """
    lowest = tf.fill(tf.shape(scores), tf.constant(-1e9, tf.float32))  # exp of it is 0, whatever the other scores
    return tf.cast(tf.nn.softmax(tf.where(mask, tf.cast(scores, tf.float32), lowest)), scores.dtype)


def mix(weights, values):
    """Returns the context `(B, H)`: the mean of `values` `(B, S, H)` under `weights` `(B, S)`."""
    return tf.squeeze(tf.matmul(weights[:, tf.newaxis], values), axis=1)


class BahdanauAttention(keras.layers.Layer):
    """Additive attention: a one-layer network scores each source position for the decoder's state.

    The decoder's state before the step is the query q. Position j with value h_j gets the score

        e_j = v · tanh(W q + U h_j),    weights = softmax(e),    context = Σ_j weights_j h_j

    U h_j does not depend on the step, so `memory` computes it once per sentence (the keys).

    Args:
        units: int. Width A of the scoring network.

    Call arguments:
        query: `(B, H)` float. Decoder state before this step.
        memory: `Memory` as `memory` returns it.

    Returns:
        context: `(B, H)`. Mean of the values under the weights.
        weights: `(B, S)` in [0, 1]; rows sum to 1; exactly 0 where the mask is False.

    Source: Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, eq. 5 and 6, and appendix A.1.2; W has a bias here.
    """

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.query_layer = keras.layers.Dense(units, name="query", dtype=self.dtype_policy)
        self.key_layer = keras.layers.Dense(units, use_bias=False, name="key", dtype=self.dtype_policy)
        self.score_vector = self.add_weight(shape=(units, 1), name="score_vector")

    def build(self, query_shape, memory_shape):
        self.query_layer.build(query_shape)

    def project(self, values):
        """Returns the keys U h_j, `(B, S, A)`: what of the scores does not depend on the query."""
        return self.key_layer(values)

    def memory(self, values, mask, state):
        """Returns the `Memory` of a sentence from the encoder's values, mask and final state (not used here)."""
        return Memory(values, self.project(values), mask)

    def score(self, query, keys):
        """Returns the scores `(B, S)` of the positions with these keys."""
        hidden = tf.tanh(self.query_layer(query)[:, tf.newaxis] + keys)  # (B, S, A)
        shape = tf.shape(hidden)
        return tf.reshape(tf.matmul(tf.reshape(hidden, (-1, hidden.shape[-1])), self.score_vector), shape[:2])  # (B, S)

    def call(self, query, memory):
        weights = masked_softmax(self.score(query, memory.keys), memory.mask)
        return mix(weights, memory.values), weights


class LastState(keras.layers.Layer):
    """No attention: every step gets the encoder's final state, the thought vector. Plain seq2seq is this object.

    It has the signature of `BahdanauAttention`, so that the two differ in nothing else: the context is the final
    state (both directions' ends where the encoder has two), the weight is 1 on the last real source position.

    Call arguments, returns: as `BahdanauAttention`; the query is ignored.

    Source: Cho et al. 2014, arXiv:1406.1078, section 2.2 (the decoder sees the summary c at every step).
    """

    def memory(self, values, mask, state):
        """Returns the `Memory` of a sentence; its keys are the final state `(B, H)`."""
        return Memory(values, state, mask)

    def call(self, query, memory):
        last = tf.reduce_sum(tf.cast(memory.mask, tf.int32), axis=1) - 1
        return memory.keys, tf.one_hot(last, tf.shape(memory.mask)[1], dtype=memory.keys.dtype)


ATTENTIONS = {"bahdanau": BahdanauAttention, "none": LastState}
