"""What all decoders share, and Bahdanau's: one target step, and the same step over a whole sentence."""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from .attention import Attention, Memory
from .encoder import TokenEmbedding
from .fast import cast_once, scan
from .recurrent import CellStack, StackState, top_state

StepResult = tuple[tf.Tensor, Any, tf.Tensor]  # features `(B, E)`, the next state and weights `(B, S)`


class Decoder(keras.layers.Layer):
    """What every decoder shares, recurrent or not: token vectors that are also the output weights.

    A subclass has an `embedding`, `dropout`, an `output_bias` and the `attention` that it looks with. It writes a step,
    which search runs, as `step`, and all steps of a sentence whose tokens are known (teacher forcing) as `features`. A
    test checks that the two are equal.

    Call arguments:
        target_in: `(B, T)` int32. START and the target tokens.
        state: nested tuple of tensors with B rows, from `initial_state`.
        memory: `Memory`, from the method `memory`.
        training: whether dropout is on.

    Returns:
        logits: `(B, T, V)` float32. Of the next token, unnormalised.
        weights: `(B, T, S)`. Attention of every step.

    Source: Press & Wolf 2017, arXiv:1608.05859 (output weights tied to the embedding).
    """

    reads_tokens = False  # whether steps need `Memory.tokens`
    embedding: TokenEmbedding
    dropout: keras.layers.Dropout
    output_bias: keras.Variable
    attention: Attention

    def build(self, *shapes: Any) -> None:
        """Leaves the making of weights to the first call; without this method Keras would trace a graph for it."""

    def initial_state(self, encoder_state: tf.Tensor) -> Any:
        """Returns the state before the first step, from the encoder's state."""
        raise NotImplementedError

    def memory(self, values: tf.Tensor, mask: tf.Tensor, state: tf.Tensor) -> Memory:
        """Returns the `Memory` of a sentence from the encoder's values, mask and state."""
        return self.attention.memory(values, mask, state)

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        """Does one step.

        Args:
            token_ids: `(B,)` int32. The token before this step: START first.
            state, memory, training: as in `call`.

        Returns:
            features: `(B, E)`. For `logits`.
            state: the state after the step.
            weights: `(B, S)`. Attention of this step.
        """
        raise NotImplementedError

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns features `(B, T, E)` and weights `(B, T, S)` of all steps; arguments as in `call`."""
        raise NotImplementedError

    def output_vectors(self) -> list[tf.Tensor]:
        """Returns the vectors of all tokens, `(V, E)`: the embedding's own; one more for each E more of features."""
        return [self.embedding.embeddings]

    def logits(self, features: tf.Tensor, words: tf.Tensor | None = None) -> tf.Tensor:
        """Returns the logits `(..., V)` float32 for features `(..., E)`; if given `words` `(W,)`, theirs `(..., W)`."""
        rows = tf.reshape(features, (-1, features.shape[-1]))  # (N, E): a product over 3-D is slow in older Keras
        vectors, bias = self.output_vectors(), self.output_bias
        if words is not None:
            *vectors, bias = (tf.gather(weight, words) for weight in (*vectors, bias))
        products = []  # one for each table of vectors: joined, the tables would be copied
        for part, table in zip(tf.split(rows, len(vectors), axis=1), vectors, strict=True):
            products.append(tf.matmul(part, tf.cast(table, rows.dtype), transpose_b=True))  # (N, V)
        logits = tf.nn.bias_add(tf.cast(tf.add_n(products), tf.float32), tf.cast(bias, tf.float32))
        return tf.reshape(logits, tf.concat([tf.shape(features)[:-1], tf.shape(bias)], 0))  # (..., V)

    def call(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        features, weights = self.features(target_in, state, memory, training)
        return self.logits(features), weights


class BaseDecoder(Decoder):
    """What the recurrent decoders share: a stack of recurrent cells, and a readout.

    A subclass writes one step of its paper as `step`; in `features`, everything that does not depend on the previous
    step is computed outside the loop.

    Args:
        vocabulary_size: V, entries of the target vocabulary.
        embedding_units: E, width of token vectors and of features; the logits are products of the two.
        units: H, width of the state.
        attention: layer with `memory` and the call signature of `Attention`.
        layers: number of recurrent layers; from the second on, each adds to its input (a residual).
        cell: "gru" or "lstm".
        dropout: fraction in [0, 1) of the token vectors, of the readout's inputs, of the features and of the upper
            layers' inputs that training zeroes.

    Call arguments and returns: as `Decoder`.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_units: int,
        units: int,
        attention: Attention,
        layers: int = 1,
        cell: str = "gru",
        dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.attention = attention
        self.embedding = TokenEmbedding(vocabulary_size, embedding_units, name="embedding", **policy)
        self.stack = CellStack(units, layers, cell, dropout, name="stack", **policy)
        self.token_layer = keras.layers.Dense(self.stack.gates * units, name="token", **policy)
        self.readout = keras.layers.Dense(embedding_units, activation="tanh", name="readout", **policy)
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)
        self.output_bias = self.add_weight(shape=(vocabulary_size,), initializer="zeros", name="output_bias")
        self.add_layers(vocabulary_size, embedding_units)

    def add_layers(self, vocabulary_size: int, embedding_units: int) -> None:
        """Makes no layers. Override it to make more, after `super().add_layers(…)`.

        Layers are made at this place, so that the same seed draws the same weights with a lexical model.
        """

    def initial_state(self, encoder_state: tf.Tensor) -> Any:
        """Returns the state before the first step, from the encoder's summary `(B, H)` of the sentence."""
        return self.stack.initial_state(encoder_state)

    def embed(self, token_ids: tf.Tensor, training: bool = False) -> tf.Tensor:
        """Returns token vectors `(..., E)` for ids `(...)`; dropout zeroes some of the numbers in training."""
        return self.dropout(self.embedding(token_ids), training=training)


class BahdanauDecoder(BaseDecoder):
    """Bahdanau's decoder: attends to the source first, and feeds the context into the recurrence.

    Step i, with the previous token y and the (top layer's) previous state s:

        context, weights = attention(s, memory)
        s' = cell([embed(y) ; context], s)
        features = tanh(W [s' ; embed(y) ; context])        (the readout)
        logits = features · Eᵀ + b                          (E: the embedding of the target tokens itself)

    Args, call arguments and returns: as `BaseDecoder`.

    Source: Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendix A.2; a tanh readout instead of maxout.
    """

    context_bias = False  # because the token's projection has a bias

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.context_layer = keras.layers.Dense(
            self.token_layer.units, use_bias=self.context_bias, name="context", dtype=self.dtype_policy
        )

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        tokens = self.embed(token_ids, training)  # (B, E)
        noise = self.stack.dropout_noise(state, training)  # (B, H) for each upper layer
        context, weights = self.attention(top_state(state), memory)  # (B, H), (B, S)
        inputs = self.token_layer(tokens) + self.context_layer(context)  # W [embed(y) ; context]
        output, state = self.stack(inputs, state, noise)  # (B, H)
        features = self.read_out(output, tokens, context, training)  # (B, E)
        return features, state, weights

    def hoisted_step(
        self, token_inputs: tf.Tensor, state: StackState, memory: Memory, noise: Sequence[tf.Tensor]
    ) -> tuple[tuple[tf.Tensor, ...], StackState]:
        """Does the part of a step that has to wait for the step before; returns (output, context, weights), state."""
        context, weights = self.attention(top_state(state), memory)
        output, state = self.stack(token_inputs + self.context_layer(context), state, noise)
        return (output, context, weights), state

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        tokens = self.embed(target_in, training)  # (B, T, E)
        noise = self.stack.dropout_noise(state, training)  # (B, H) for each upper layer

        def recur(token_inputs: tf.Tensor, state: StackState) -> tuple[tuple[tf.Tensor, ...], StackState]:
            return self.hoisted_step(token_inputs, state, memory, noise)

        with cast_once(self):
            output, context, weights = scan(recur, self.token_layer(tokens), state, num_outputs=3)  # (B, T, …)
        features = self.read_out(output, tokens, context, training)
        return features, weights

    def read_out(self, output: tf.Tensor, tokens: tf.Tensor, context: tf.Tensor, training: bool) -> tf.Tensor:
        """Returns the features `(..., E)` of one step or of all steps."""
        output = self.dropout(output, training=training)
        context = self.dropout(context, training=training)
        features = self.readout(tf.concat([output, tokens, context], axis=-1))
        return self.dropout(features, training=training)
