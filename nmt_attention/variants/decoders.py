"""The other decoders: attention between two recurrences, after the recurrence, and fed back into the next step."""

import functools
from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from ..attention import Memory
from ..decoder import BahdanauDecoder, BaseDecoder, StepResult
from ..fast import cast_once, scan
from ..recurrent import StackState, top_state


class ConditionalDecoder(BahdanauDecoder):
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

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        tokens, noise = self.embed(token_ids, training), self.stack.dropout_noise(state, training)  # (B, E)
        (output, context, weights), state = self.hoisted_step(self.token_layer(tokens), state, memory, noise)
        return self.read_out(output, tokens, context, training), state, weights

    def hoisted_step(
        self, token_inputs: tf.Tensor, state: StackState, memory: Memory, noise: Sequence[tf.Tensor]
    ) -> tuple[tuple[tf.Tensor, ...], StackState]:
        read = self.reading(token_inputs, state[0])  # r, (B, H)
        context, weights = self.attention(read[0], memory)  # (B, H), (B, S)
        output, state = self.stack(self.context_layer(context), (read, *state[1:]), noise)  # (B, H)
        return (output, context, weights), state


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
        tokens, noise = self.embed(token_ids, training), self.stack.dropout_noise(state, training)  # (B, E)
        output, state = self.stack(self.token_layer(tokens), state, noise)  # (B, H)
        context, weights = self.attention(output, memory)  # (B, H), (B, S)
        return self.read_out(output, context, training), state, weights

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        tokens, noise = self.embed(target_in, training), self.stack.dropout_noise(state, training)  # (B, T, E)

        def recur(token_inputs: tf.Tensor, state: StackState) -> tuple[tuple[tf.Tensor, ...], StackState]:
            output, state = self.stack(token_inputs, state, noise)
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

    def dropout_noise(self, state: Any, training: bool) -> tuple[list[tf.Tensor], tf.Tensor, tf.Tensor]:
        """Returns a sentence's dropout factors, the same at every step: for the layers, [context ; s'] and a."""
        layers, attentional = state
        output = tf.ones_like(top_state(layers))
        seen = self.dropout(tf.concat([output, output], axis=-1), training=training)
        fed = self.dropout(tf.ones_like(attentional), training=training)
        return self.stack.dropout_noise(layers, training), seen, fed

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        tokens, noise = self.embed(token_ids, training), self.dropout_noise(state, training)  # (B, E)
        (attentional, weights), state = self._recur(self.token_layer(tokens), state, memory, noise)
        return self.dropout(attentional, training=training), state, weights

    def _recur(self, token_inputs: tf.Tensor, state: Any, memory: Memory, noise: Any) -> tuple[Any, Any]:
        (layers, attentional), (layer_noise, seen, fed) = state, noise
        inputs = token_inputs + self.fed_layer(attentional * fed)  # W [embed(y) ; a]
        output, layers = self.stack(inputs, layers, layer_noise)  # (B, H)
        context, weights = self.attention(output, memory)  # (B, H), (B, S)
        attentional = self.readout(tf.concat([context, output], axis=-1) * seen)  # a', (B, E)
        return (attentional, weights), (layers, attentional)

    def features(
        self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        tokens, noise = self.embed(target_in, training), self.dropout_noise(state, training)  # (B, T, E)
        recur = functools.partial(
            self._recur, memory=memory, noise=noise
        )  # with the readout, which the next step reads
        with cast_once(self):
            attentional, weights = scan(recur, self.token_layer(tokens), state, num_outputs=2)
        return self.dropout(attentional, training=training), weights
