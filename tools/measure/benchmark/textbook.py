"""The training loop of the popular lessons, kept to be measured against; no other part of the package uses it.

What those lessons have in common: every sentence padded to the corpus' longest, a Python loop over the target steps
inside `tf.function`, the whole memory handed to each step, which projects it again, and the whole vocabulary's scores
computed step by step. Attention and encoder see padding; the loss does not.

Source: TensorFlow's "Neural machine translation with attention" of 2019, and its English-Marathi follower in
"Intuitive Understanding of Attention Mechanism in Deep Learning" (Lamba 2019). One mistake of theirs is mended, at no
cost in time: their recurrent layer forgets its state between the steps. Nor are letters deleted here.
"""

import keras
import tensorflow as tf

from nmt_attention.vocabulary import END_ID, PAD_ID, START_ID


class TextbookEncoder(keras.Model):
    """Reads the source from left to right.

    Call arguments:
        source_ids: `(B, S)` int32.

    Returns:
        values: `(B, S, H)`.
        state: `(B, H)`. The last one.
    """

    def __init__(self, vocabulary_size, embedding_units, units):
        super().__init__()
        self.embedding = keras.layers.Embedding(vocabulary_size, embedding_units)
        self.gru = keras.layers.GRU(units, return_sequences=True, return_state=True)

    def call(self, source_ids):
        return self.gru(self.embedding(source_ids))


class TextbookAttention(keras.layers.Layer):
    """Additive attention that projects the encoder's values again at every call, and does not mask them.

    Call arguments:
        query: `(B, H)`.
        values: `(B, S, H)`.

    Returns:
        context: `(B, H)`.
    """

    def __init__(self, units):
        super().__init__()
        self.query_layer = keras.layers.Dense(units)
        self.value_layer = keras.layers.Dense(units)
        self.score_layer = keras.layers.Dense(1)

    def call(self, query, values):
        hidden = tf.tanh(self.query_layer(query[:, tf.newaxis]) + self.value_layer(values))  # (B, S, A)
        weights = tf.nn.softmax(self.score_layer(hidden), axis=1)  # (B, S, 1)
        return tf.reduce_sum(weights * values, axis=1)  # (B, H)


class TextbookDecoder(keras.Model):
    """Does one target step.

    Call arguments:
        token_ids: `(B, 1)` int32. The token before this step.
        state: `(B, H)`.
        values: `(B, S, H)`. The encoder's.

    Returns:
        logits: `(B, V)`.
        state: `(B, H)`. The new one.
    """

    def __init__(self, vocabulary_size, embedding_units, units):
        super().__init__()
        self.embedding = keras.layers.Embedding(vocabulary_size, embedding_units)
        self.gru = keras.layers.GRU(units, return_sequences=True, return_state=True)
        self.output_layer = keras.layers.Dense(vocabulary_size)
        self.attention = TextbookAttention(units)

    def call(self, token_ids, state, values):
        context = self.attention(state, values)
        inputs = tf.concat([context[:, tf.newaxis], self.embedding(token_ids)], axis=-1)  # (B, 1, H + E)
        output, state = self.gru(inputs, initial_state=state)
        return self.output_layer(tf.reshape(output, (-1, output.shape[2]))), state


def textbook_ids(sentences, width):
    """Returns id lists as one array `(B, width)` int32: start, ids, end, padding."""
    rows = [[START_ID, *ids, END_ID] for ids in sentences]
    return keras.utils.pad_sequences(rows, maxlen=width, padding="post", truncating="post", value=PAD_ID)


def make_textbook_step(encoder, decoder, optimizer):
    """Returns the compiled step, from source `(B, S)` and target `(B, T)` of `textbook_ids` to the loss.

    The loss is the mean over the batch of each step's cross-entropy, 0 where the target is padding, summed over the
    steps. There is a copy of the decoder in the graph for each of the T - 1 steps.
    """
    cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")

    @tf.function
    def train_step(source_ids, target_ids):
        loss = 0.0
        with tf.GradientTape() as tape:
            values, state = encoder(source_ids)
            for t in range(1, target_ids.shape[1]):
                logits, state = decoder(target_ids[:, t - 1 : t], state, values)
                real = tf.cast(target_ids[:, t] != PAD_ID, tf.float32)
                loss += tf.reduce_mean(cross_entropy(target_ids[:, t], logits) * real)
        variables = encoder.trainable_variables + decoder.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    return train_step
