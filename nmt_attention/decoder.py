"""One target step, and the same step over a whole sentence."""

import keras
import tensorflow as tf


class GRUCell(keras.layers.Layer):
    """Gated recurrent unit: the new state is a mix of the old one and a candidate, gate by gate.

        z, r = sigmoid(x_z + u_z), sigmoid(x_r + u_r),    c = tanh(x_c + r * u_c),    h' = z h + (1 - z) c

    with u = U h + b, for every gate its third of it.

    Args:
        units: int. Width H of the state.

    Call arguments:
        inputs: `(B, 3 H)`. The input's share x of update gate, reset gate and candidate, already projected.
        state: tuple of one tensor, h `(B, H)`.

    Returns:
        The new state, a tuple as `state`; its first tensor is the output.

    Source: Cho et al. 2014, arXiv:1406.1078; the reset gate acts after the product, as in cuDNN and Keras.
    """

    gates, states = 3, 1

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.recurrent = keras.layers.Dense(
            3 * units, kernel_initializer="orthogonal", name="recurrent", dtype=self.dtype_policy
        )

    def call(self, inputs, state):
        (h,) = state
        x_z, x_r, x_c = tf.split(inputs, 3, axis=-1)
        u_z, u_r, u_c = tf.split(self.recurrent(h), 3, axis=-1)
        update, reset = tf.sigmoid(x_z + u_z), tf.sigmoid(x_r + u_r)
        candidate = tf.tanh(x_c + reset * u_c)
        return (candidate + update * (h - candidate),)


class LSTMCell(keras.layers.Layer):
    """Long short-term memory: a cell c that gates may keep, fill and show.

        i, f, o = sigmoid of their shares of x + U h,    c' = f c + i tanh(x_c + U_c h),    h' = o tanh(c')

    Args, call arguments and returns: as `GRUCell`, with inputs `(B, 4 H)` and a state of two tensors, h and c.

    Source: Hochreiter & Schmidhuber 1997; forget gate of Gers et al. 2000 with bias 1.
    """

    gates, states = 4, 2

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.recurrent = keras.layers.Dense(
            4 * units, use_bias=False, kernel_initializer="orthogonal", name="recurrent", dtype=self.dtype_policy
        )

    def call(self, inputs, state):
        h, c = state
        i, f, candidate, o = tf.split(inputs + self.recurrent(h), 4, axis=-1)
        c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(i) * tf.tanh(candidate)
        return tf.sigmoid(o) * tf.tanh(c), c


CELLS = {"gru": GRUCell, "lstm": LSTMCell}


class Decoder(keras.layers.Layer):
    """Writes the target sentence token by token, looking at the source through `attention` before each step.

    Step i, with the token before it y, the state before it s and the sentence's memory:

        context, weights = attention(s, memory)
        s' = cell([embed(y) ; context], s)
        features = tanh(W [s' ; embed(y) ; context])        (the readout)
        logits = features · Eᵀ + b                          (E: the embedding of the target tokens itself)

    `call` does the same for a whole sentence whose tokens are known (teacher forcing): the recurrence in a loop,
    all that does not wait for the state once for all steps.

    Args:
        vocabulary_size: int. V, entries of the target vocabulary.
        embedding_units: int. E, width of token vectors and features, which meet in the logits.
        units: int. H, width of the state.
        attention: layer with `memory` and the call signature of `BahdanauAttention`.
        cell: "gru" or "lstm".
        dropout: float in [0, 1). Share of token vectors, of the readout's other inputs and of the features zeroed
            in training.

    Call arguments:
        target_in: `(B, T)` int32. START and the target tokens.
        state: tuple of `(B, H)`, from `initial_state`.
        memory: `Memory`, from `attention.memory`.
        training: bool.

    Returns:
        logits: `(B, T, V)` float32. Unnormalised scores of the next token.
        weights: `(B, T, S)`. Attention of every step.

    Source: Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, appendix A.2; a tanh readout instead of maxout, output
    weights tied to the embedding (Press & Wolf 2017, arXiv:1608.05859).
    """

    def __init__(self, vocabulary_size, embedding_units, units, attention, cell="gru", dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.attention = attention
        self.embedding = keras.layers.Embedding(vocabulary_size, embedding_units, name="embedding", **policy)
        self.cell = CELLS[cell](units, name="cell", **policy)
        self.bridges = [
            keras.layers.Dense(units, activation="tanh", name=f"bridge_{i}", **policy) for i in range(self.cell.states)
        ]
        self.token_layer = keras.layers.Dense(self.cell.gates * units, name="token", **policy)
        self.context_layer = keras.layers.Dense(self.cell.gates * units, use_bias=False, name="context", **policy)
        self.readout = keras.layers.Dense(embedding_units, activation="tanh", name="readout", **policy)
        self.dropout = keras.layers.Dropout(dropout, name="dropout", **policy)
        self.output_bias = self.add_weight(shape=(vocabulary_size,), initializer="zeros", name="output_bias")

    def initial_state(self, encoder_state):
        """Returns the state before the first step, from the encoder's summary `(B, H)` of the sentence."""
        return tuple(bridge(encoder_state) for bridge in self.bridges)

    def logits(self, features):
        """Returns the vocabulary's scores `(..., V)` float32 for features `(..., E)`, in one product over all rows."""
        rows = tf.reshape(features, (-1, features.shape[-1]))  # 2-D: a product over 3-D is slow in older Keras
        table = tf.cast(self.embedding.embeddings, rows.dtype)  # (V, E)
        scores = tf.cast(tf.matmul(rows, table, transpose_b=True), tf.float32) + tf.cast(self.output_bias, tf.float32)
        return tf.reshape(scores, tf.concat([tf.shape(features)[:-1], tf.shape(self.output_bias)], 0))

    def _advance(self, token_inputs, state, memory):
        """The recurrent part of a step: all that must wait for the step before it."""
        context, weights = self.attention(state[0], memory)
        return self.cell(token_inputs + self.context_layer(context), state), context, weights

    def _features(self, output, tokens, context, training):
        features = self.readout(
            tf.concat([self.dropout(output, training=training), tokens, self.dropout(context, training=training)], -1)
        )
        return self.dropout(features, training=training)

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
        state, context, weights = self._advance(self.token_layer(tokens), state, memory)
        return self._features(state[0], tokens, context, training), state, weights

    def call(self, target_in, state, memory, training=False):
        tokens = self.dropout(self.embedding(target_in), training=training)  # (B, T, E)
        inputs = tf.transpose(self.token_layer(tokens), (1, 0, 2))  # (T, B, gates H)
        steps = tf.shape(inputs)[0]
        inputs = tf.TensorArray(inputs.dtype, steps).unstack(inputs)

        def body(t, state, outputs, contexts, attention):
            state, context, weights = self._advance(inputs.read(t), state, memory)
            return t + 1, state, outputs.write(t, state[0]), contexts.write(t, context), attention.write(t, weights)

        empty = [tf.TensorArray(memory.values.dtype, steps) for _ in range(3)]
        loop = tf.while_loop(lambda t, *_: t < steps, body, (0, state, *empty), maximum_iterations=steps)
        outputs, contexts, weights = (tf.transpose(array.stack(), (1, 0, 2)) for array in loop[2:])  # (B, T, ·)
        return self.logits(self._features(outputs, tokens, contexts, training)), weights
