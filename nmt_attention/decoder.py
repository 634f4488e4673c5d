"""One target step, and the same step over a whole sentence: attention before the recurrence or after it."""

from typing import Any

import keras
import tensorflow as tf

from .attention import Attention, Memory
from .encoder import TokenEmbedding
from .fast import cast_once, scan
from .recurrent import CellStack, StackState, top_state

StepResult = tuple[tf.Tensor, Any, tf.Tensor]  # features `(B, E)`, the next state and weights `(B, S)`


class BaseDecoder(keras.layers.Layer):
    """What all decoders share: token vectors, a stack of recurrent cells, a readout, and logits.

    A subclass writes one step of its paper as `step`, which search runs, and the same step for a sentence whose tokens
    are known (teacher forcing) as `features`, where everything that does not depend on the previous step is
    computed outside the loop. A test checks that the two are equal.

    Args:
        vocabulary_size: V, entries of the target vocabulary.
        embedding_units: E, width of token vectors and features, whose products are the logits.
        units: H, width of the state.
        attention: layer with `memory` and the call signature of `Attention`.
        layers: number of recurrent layers; from the second on, each adds to its input (a residual).
        cell: "gru" or "lstm".
        dropout: fraction in [0, 1) of the token vectors, of the readout's inputs, of the features and of the upper
            layers' inputs that training zeroes.

    Call arguments:
        target_in: `(B, T)` int32. START and the target tokens.
        state: nested tuple of `(B, ·)`, from `initial_state`.
        memory: `Memory`, from `attention.memory`.
        training: whether dropout is on.

    Returns:
        logits: `(B, T, V)` float32. Of the next token, unnormalised.
        weights: `(B, T, S)`. Attention of every step.

    Source: Press & Wolf 2017, arXiv:1608.05859 (output weights tied to the embedding).
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

    def initial_state(self, encoder_state: tf.Tensor) -> Any:
        """Returns the state before the first step, from the encoder's summary `(B, H)` of the sentence."""
        return self.stack.initial_state(encoder_state)

    def layer_states(self, state: Any) -> StackState:
        """Returns the layers' states: the whole state, unless a decoder keeps more in it."""
        return state

    def query(self, token_ids: tf.Tensor, before: Any, after: Any) -> tf.Tensor:
        """Returns the query `(B, H)` of a step, from the token and the states before and after the step."""
        return self.stack.output(self.layer_states(after))

    def embed(self, token_ids: tf.Tensor, training: bool = False) -> tf.Tensor:
        """Returns token vectors `(..., E)` for ids `(...)`; training drops some of their numbers."""
        return self.dropout(self.embedding(token_ids), training=training)

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

    def logits(self, features: tf.Tensor) -> tf.Tensor:
        """Returns the logits `(..., V)` float32 for features `(..., E)`, in one product over all rows."""
        rows = tf.reshape(features, (-1, features.shape[-1]))  # 2-D: a product over 3-D is slow in older Keras
        table = tf.cast(self.embedding.embeddings, rows.dtype)  # (V, E)
        logits = tf.cast(tf.matmul(rows, table, transpose_b=True), tf.float32)
        logits = tf.nn.bias_add(logits, tf.cast(self.output_bias, tf.float32))
        return tf.reshape(logits, tf.concat([tf.shape(features)[:-1], tf.shape(self.output_bias)], 0))

    def call(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        features, weights = self.features(target_in, state, memory, training)
        return self.logits(features), weights


class Decoder(BaseDecoder):
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

    def query(self, token_ids: tf.Tensor, before: StackState, after: StackState) -> tf.Tensor:
        return top_state(before)

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        tokens, masks = self.embed(token_ids, training), self.stack.dropout_masks(state, training)  # (B, E)
        context, weights = self.attention(top_state(state), memory)  # (B, H), (B, S)
        inputs = self.token_layer(tokens) + self.context_layer(context)  # W [embed(y) ; context]
        output, state = self.stack(inputs, state, masks)  # (B, H)
        return self.read_out(output, tokens, context, training), state, weights

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        tokens, masks = self.embed(target_in, training), self.stack.dropout_masks(state, training)  # (B, T, E)

        # the query is the previous state, so attention is part of the loop
        def recur(token_inputs: tf.Tensor, state: StackState) -> tuple[tuple[tf.Tensor, ...], StackState]:
            context, weights = self.attention(top_state(state), memory)
            output, state = self.stack(token_inputs + self.context_layer(context), state, masks)
            return (output, context, weights), state

        with cast_once(self):
            output, context, weights = scan(recur, self.token_layer(tokens), state, num_outputs=3)
        return self.read_out(output, tokens, context, training), weights

    def read_out(self, output: tf.Tensor, tokens: tf.Tensor, context: tf.Tensor, training: bool) -> tf.Tensor:
        """Returns the features `(..., E)` of one step or of all steps."""
        output, context = self.dropout(output, training=training), self.dropout(context, training=training)
        return self.dropout(self.readout(tf.concat([output, tokens, context], axis=-1)), training=training)


class ConditionalDecoder(Decoder):
    """Nematus' decoder, the conditional GRU: reads the previous token, then attends, then updates the state.

        r = cell₁(embed(y), s)
        context, weights = attention(r, memory)
        s' = cell₂(context, r)
        features = tanh(W [s' ; embed(y) ; context])

    Here the query depends on y; in Bahdanau's decoder it does not. Upper layers follow cell₂.

    Args, call arguments and returns: as `BaseDecoder`.

    Source: Sennrich et al. 2017, arXiv:1703.04357, section 2 (Nematus).
    """

    context_bias = True  # because cell₂ gets no other bias

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        units = self.token_layer.units
        self.reading = type(self.stack.cells[0])(units // self.stack.gates, name="reading", dtype=self.dtype_policy)

    def query(self, token_ids: tf.Tensor, before: StackState, after: StackState) -> tf.Tensor:
        return self.reading(self.token_layer(self.embed(token_ids)), before[0])[0]

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        tokens, masks = self.embed(token_ids, training), self.stack.dropout_masks(state, training)  # (B, E)
        read = self.reading(self.token_layer(tokens), state[0])  # r, (B, H)
        context, weights = self.attention(read[0], memory)  # (B, H), (B, S)
        output, state = self.stack(self.context_layer(context), (read, *state[1:]), masks)  # (B, H)
        return self.read_out(output, tokens, context, training), state, weights

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        tokens, masks = self.embed(target_in, training), self.stack.dropout_masks(state, training)  # (B, T, E)

        def recur(token_inputs: tf.Tensor, state: StackState) -> tuple[tuple[tf.Tensor, ...], StackState]:
            read = self.reading(token_inputs, state[0])
            context, weights = self.attention(read[0], memory)
            output, state = self.stack(self.context_layer(context), (read, *state[1:]), masks)
            return (output, context, weights), state

        with cast_once(self):
            output, context, weights = scan(recur, self.token_layer(tokens), state, num_outputs=3)
        return self.read_out(output, tokens, context, training), weights


class LuongDecoder(BaseDecoder):
    """Luong's decoder: runs the recurrence first, and attends to the source with the new state.

        s' = cell(embed(y), s)
        context, weights = attention(s', memory)
        features = tanh(W [context ; s'])                   (the attentional vector)
        logits = features · Eᵀ + b

    The recurrence does not depend on attention, so all steps of a sentence attend at once. The drawback: no step can
    use where the previous steps attended; see `InputFeedingDecoder`.

    Args, call arguments and returns: as `BaseDecoder`.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.1, eq. 5 and 6.
    """

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        tokens, masks = self.embed(token_ids, training), self.stack.dropout_masks(state, training)  # (B, E)
        output, state = self.stack(self.token_layer(tokens), state, masks)  # (B, H)
        context, weights = self.attention(output, memory)  # (B, H), (B, S)
        return self.read_out(output, context, training), state, weights

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        tokens, masks = self.embed(target_in, training), self.stack.dropout_masks(state, training)  # (B, T, E)

        def recur(token_inputs: tf.Tensor, state: StackState) -> tuple[tuple[tf.Tensor, ...], StackState]:
            output, state = self.stack(token_inputs, state, masks)
            return (output,), state

        with cast_once(self):
            (output,) = scan(recur, self.token_layer(tokens), state, num_outputs=1)  # (B, T, H)
        context, weights = self.attention(output, memory)  # all queries at once: (B, T, H), (B, T, S)
        return self.read_out(output, context, training), weights

    def read_out(self, output: tf.Tensor, context: tf.Tensor, training: bool) -> tf.Tensor:
        """Returns the features `(..., E)` of one step or of all steps."""
        seen = self.dropout(tf.concat([context, output], axis=-1), training=training)
        return self.dropout(self.readout(seen), training=training)


class InputFeedingDecoder(BaseDecoder):
    """Luong's decoder whose every step also reads the previous attentional vector.

        s' = cell([embed(y) ; a], s)
        context, weights = attention(s', memory)
        a' = tanh(W [context ; s'])
        logits = a' · Eᵀ + b

    Args, call arguments and returns: as `BaseDecoder`; the state is (the layers' states, a), where a starts at 0.

    Source: Luong, Pham & Manning 2015, arXiv:1508.04025, section 3.3.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fed_layer = keras.layers.Dense(self.token_layer.units, use_bias=False, name="fed", dtype=self.dtype_policy)

    def initial_state(self, encoder_state: tf.Tensor) -> tuple[StackState, tf.Tensor]:
        layers = self.stack.initial_state(encoder_state)
        return layers, tf.zeros((tf.shape(encoder_state)[0], self.readout.units), encoder_state.dtype)

    def layer_states(self, state: tuple[StackState, tf.Tensor]) -> StackState:
        return state[0]

    def dropout_masks(self, state: Any, training: bool) -> tuple[list[tf.Tensor], tf.Tensor, tf.Tensor]:
        """Returns a sentence's dropout factors, the same at every step: for the layers, [context ; s'] and a."""
        layers, attentional = state
        output = tf.ones_like(top_state(layers))
        seen = self.dropout(tf.concat([output, output], axis=-1), training=training)
        fed = self.dropout(tf.ones_like(attentional), training=training)
        return self.stack.dropout_masks(layers, training), seen, fed

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        tokens = self.embed(token_ids, training)  # (B, E)
        (layers, attentional), (layer_masks, seen, fed) = state, self.dropout_masks(state, training)
        inputs = self.token_layer(tokens) + self.fed_layer(attentional * fed)  # W [embed(y) ; a]
        output, layers = self.stack(inputs, layers, layer_masks)  # (B, H)
        context, weights = self.attention(output, memory)  # (B, H), (B, S)
        attentional = self.readout(tf.concat([context, output], axis=-1) * seen)  # a', (B, E)
        return self.dropout(attentional, training=training), (layers, attentional), weights

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        tokens = self.embed(target_in, training)  # (B, T, E)
        layer_masks, seen, fed = self.dropout_masks(state, training)

        def recur(
            token_inputs: tf.Tensor, state: Any
        ) -> tuple[tuple[tf.Tensor, ...], Any]:  # a step waits for the last
            layers, attentional = state
            output, layers = self.stack(token_inputs + self.fed_layer(attentional * fed), layers, layer_masks)
            context, weights = self.attention(output, memory)
            attentional = self.readout(tf.concat([context, output], axis=-1) * seen)
            return (attentional, weights), (layers, attentional)

        with cast_once(self):
            attentional, weights = scan(recur, self.token_layer(tokens), state, num_outputs=2)
        return self.dropout(attentional, training=training), weights


DECODERS: dict[str, type[BaseDecoder]] = {
    "bahdanau": Decoder,
    "conditional": ConditionalDecoder,
    "luong": LuongDecoder,
    "luong-input-feeding": InputFeedingDecoder,
}
