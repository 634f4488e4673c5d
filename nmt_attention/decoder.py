"""One target step, and the same step over a whole sentence: looking at the source before the recurrence or after it."""

import keras
import tensorflow as tf

from .cells import CellStack, cast_once, scan
from .embedding import TokenEmbedding


class TargetSide(keras.layers.Layer):
    """What all decoders share: tokens in, a stack of recurrent cells, a readout, scores of the vocabulary out.

    A subclass says what of a step must wait for the step before it (`advance`) and what need not (`finish`). `step`
    does both for one token, for search. `call` does them for a sentence whose tokens are known (teacher forcing): the
    first in a loop, the second once for all steps.

    Args:
        vocabulary_size: int. V, entries of the target vocabulary.
        embedding_units: int. E, width of token vectors and features, which meet in the logits.
        units: int. H, width of the state.
        attention: layer with `memory` and the call signature of `Attention`.
        layers: int. Recurrent layers; from the second on each adds to its input (a residual).
        cell: "gru" or "lstm".
        dropout: float in [0, 1). Share of token vectors, of the readout's inputs, of the features and of the upper
            layers' inputs zeroed in training.

    Call arguments:
        target_in: `(B, T)` int32. START and the target tokens.
        state: nested tuple of `(B, ·)`, from `initial_state`.
        memory: `Memory`, from `attention.memory`.
        training: bool.
        scored: `(B, T)` bool, or None for all. The positions whose logits are wanted.

    Returns:
        logits: `(B, T, V)` float32. Unnormalised scores of the next token. With `scored`: `(N, V)`, of these positions
            alone, row by row.
        weights: `(B, T, S)`. Attention of every step.

    Source: Press & Wolf 2017, arXiv:1608.05859 (output weights tied to the embedding).
    """

    def __init__(self, vocabulary_size, embedding_units, units, attention, layers=1, cell="gru", dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.attention = attention
        self.embedding = TokenEmbedding(vocabulary_size, embedding_units, name="embedding", **policy)
        self.stack = CellStack(units, layers, cell, dropout, name="stack", **policy)
        self.token_layer = keras.layers.Dense(self.stack.gates * units, name="token", **policy)
        self.readout = keras.layers.Dense(embedding_units, activation="tanh", name="readout", **policy)
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)
        self.output_bias = self.add_weight(shape=(vocabulary_size,), initializer="zeros", name="output_bias")

    def initial_state(self, encoder_state):
        """Returns the state before the first step, from the encoder's summary `(B, H)` of the sentence."""
        return self.stack.initial_state(encoder_state)

    def logits(self, features):
        """Returns the vocabulary's scores `(..., V)` float32 for features `(..., E)`, in one product over all rows."""
        rows = tf.reshape(features, (-1, features.shape[-1]))  # 2-D: a product over 3-D is slow in older Keras
        table = tf.cast(self.embedding.embeddings, rows.dtype)  # (V, E)
        scores = tf.cast(tf.matmul(rows, table, transpose_b=True), tf.float32)
        scores = tf.nn.bias_add(scores, tf.cast(self.output_bias, tf.float32))
        return tf.reshape(scores, tf.concat([tf.shape(features)[:-1], tf.shape(self.output_bias)], 0))

    def keep(self, state, training):
        """Draws the dropout inside the recurrence, the same for all steps of a sentence; see `CellStack`."""
        return self.stack.keep(state, training)

    def advance(self, token_inputs, state, memory, keep):
        """Returns a tuple of `num_parts` tensors `(B, ·)` that `finish` needs, and the new state."""
        raise NotImplementedError

    def finish(self, parts, tokens, memory, training):
        """Returns features `(B, E)` and weights `(B, S)`; or, for T steps at once, `(B, T, E)` and `(B, T, S)`."""
        raise NotImplementedError

    def step(self, token_ids, state, memory, training=False):
        """Does one step.

        Args:
            token_ids: `(B,)` int32. The token before this step: START first.
            state, memory, training: as in `call`.

        Returns:
            features: `(B, E)`. For `logits`.
            state: the state after the step.
            weights: `(B, S)`. Attention of this step.
        """
        tokens = self.dropout(self.embedding(token_ids), training=training)  # (B, E)
        parts, state = self.advance(self.token_layer(tokens), state, memory, self.keep(state, training))
        features, weights = self.finish(parts, tokens, memory, training)
        return features, state, weights

    def call(self, target_in, state, memory, training=False, scored=None):
        tokens = self.dropout(self.embedding(target_in), training=training)  # (B, T, E)
        keep = self.keep(state, training)
        token_inputs = self.token_layer(tokens)
        with cast_once(self):
            parts = scan(
                lambda inputs, state: self.advance(inputs, state, memory, keep), token_inputs, state, self.num_parts
            )
        features, weights = self.finish(parts, tokens, memory, training)
        if scored is not None:
            features = tf.boolean_mask(features, scored)  # (N, E)
        return self.logits(features), weights


class Decoder(TargetSide):
    """Looks at the source before each step, and lets what it saw change the state: Bahdanau's decoder.

    Step i, with the token before it y and the (top layer's) state before it s:

        context, weights = attention(s, memory)
        s' = cell([embed(y) ; context], s)
        features = tanh(W [s' ; embed(y) ; context])        (the readout)
        logits = features · Eᵀ + b                          (E: the embedding of the target tokens itself)

    Args, call arguments and returns: as `TargetSide`.

    Source: Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendix A.2; a tanh readout instead of maxout.
    """

    num_parts = 3

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.context_layer = keras.layers.Dense(
            self.token_layer.units, use_bias=False, name="context", dtype=self.dtype_policy
        )

    def advance(self, token_inputs, state, memory, keep):
        context, weights = self.attention(state[-1][0], memory)
        output, state = self.stack(token_inputs + self.context_layer(context), state, keep)
        return (output, context, weights), state

    def finish(self, parts, tokens, memory, training):
        output, context, weights = parts
        output, context = self.dropout(output, training=training), self.dropout(context, training=training)
        features = self.readout(tf.concat([output, tokens, context], axis=-1))
        return self.dropout(features, training=training), weights


class LuongDecoder(TargetSide):
    """Runs the recurrence first, and looks at the source with the new state: Luong's decoder.

        s' = cell(embed(y), s)
        context, weights = attention(s', memory)
        features = tanh(W [context ; s'])                   (the attentional vector)
        logits = features · Eᵀ + b

    The recurrence does not wait for attention, so a whole sentence is attended to at once. The price: no step knows
    where the ones before it looked; see `InputFeedingDecoder`.

    Args, call arguments and returns: as `TargetSide`.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.1, eq. 5 and 6.
    """

    num_parts = 1

    def advance(self, token_inputs, state, memory, keep):
        output, state = self.stack(token_inputs, state, keep)
        return (output,), state

    def finish(self, parts, tokens, memory, training):
        (output,) = parts
        context, weights = self.attention(output, memory)
        seen = self.dropout(tf.concat([context, output], axis=-1), training=training)
        return self.dropout(self.readout(seen), training=training), weights


class InputFeedingDecoder(TargetSide):
    """Luong's decoder whose every step also reads the attentional vector before it, and so knows where it looked.

        s' = cell([embed(y) ; a], s)
        context, weights = attention(s', memory)
        a' = tanh(W [context ; s'])
        logits = a' · Eᵀ + b

    Args, call arguments and returns: as `TargetSide`; the state is (the layers' states, a), a being 0 at first.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.3.
    """

    num_parts = 2

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fed_layer = keras.layers.Dense(self.token_layer.units, use_bias=False, name="fed", dtype=self.dtype_policy)

    def initial_state(self, encoder_state):
        layers = self.stack.initial_state(encoder_state)
        return layers, tf.zeros((tf.shape(encoder_state)[0], self.readout.units), encoder_state.dtype)

    def keep(self, state, training):
        layers, attentional = state
        output = tf.ones_like(layers[-1][0])
        seen = self.dropout(tf.concat([output, output], axis=-1), training=training)
        return self.stack.keep(layers, training), seen, self.dropout(tf.ones_like(attentional), training=training)

    def advance(self, token_inputs, state, memory, keep):
        (layers, attentional), (upper, seen, fed) = state, keep
        output, layers = self.stack(token_inputs + self.fed_layer(attentional * fed), layers, upper)
        context, weights = self.attention(output, memory)
        attentional = self.readout(tf.concat([context, output], axis=-1) * seen)
        return (attentional, weights), (layers, attentional)

    def finish(self, parts, tokens, memory, training):
        attentional, weights = parts
        return self.dropout(attentional, training=training), weights


DECODERS = {"bahdanau": Decoder, "luong": LuongDecoder, "luong-input-feeding": InputFeedingDecoder}
