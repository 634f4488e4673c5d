"""A lexical model: the words that attention looks at, translated one by one, help to choose the next token."""

from typing import Any

import keras
import tensorflow as tf

from ..attention import Memory
from ..decoder import BaseDecoder, StepResult


class LexicalModel(keras.layers.Layer):
    """Translates the source tokens under attention, whatever the rest of the sentence says.

        f = tanh(Σ_j weights_j embed(x_j)),    h = tanh(W f + b) + f

    The encoder's vectors, and with them the context, say much about a token's neighbours and its place; f has the
    token alone, so a word that is rare in training is not taken for another one that occurs in its place. The decoder
    adds the products of h and output vectors of its own to the logits.

    Args:
        vocabulary_size: V, entries of the target vocabulary.
        embedding_units: E, width of the source tokens' vectors.

    Call arguments:
        weights: attention, `(B, S)`, `(B, T, S)` or `(B * K, S)`, as `Attention` returns it.
        tokens: `(B, S, E)`. The source tokens' vectors.

    Returns:
        h, `(B, E)`, `(B, T, E)` or `(B * K, E)`.

    Source: Nguyen & Chiang 2018, arXiv:1710.01329, lexical model.
    """

    def __init__(self, vocabulary_size: int, embedding_units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        policy = {"dtype": self.dtype_policy}
        self.hidden = keras.layers.Dense(embedding_units, activation="tanh", name="hidden", **policy)
        self.words = keras.layers.Embedding(vocabulary_size, embedding_units, name="words", **policy)

    def build(self, *shapes: Any) -> None:
        self.words.build(())  # nothing calls it

    def call(self, weights: tf.Tensor, tokens: tf.Tensor) -> tf.Tensor:
        sentences, positions = tf.unstack(tf.shape(tokens)[:2])
        by_sentence = tf.reshape(weights, (sentences, -1, positions))  # (B, T, S); one of hypotheses: (B, K, S)
        seen = tf.reshape(tf.tanh(tf.matmul(by_sentence, tokens)), (-1, tokens.shape[-1]))  # f, a row for each step
        return tf.reshape(self.hidden(seen) + seen, tf.concat([tf.shape(weights)[:-1], [tokens.shape[-1]]], 0))


class LexicalDecoder(BaseDecoder):
    """What a lexical model adds to a decoder: its output follows the features, `(..., 2 E)`, and has output vectors."""

    reads_tokens = True

    def add_layers(self, vocabulary_size: int, embedding_units: int) -> None:
        super().add_layers(vocabulary_size, embedding_units)
        self.lexical = LexicalModel(vocabulary_size, embedding_units, name="lexical", dtype=self.dtype_policy)

    def output_vectors(self) -> list[tf.Tensor]:
        return [*super().output_vectors(), self.lexical.words.embeddings]

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> StepResult:
        features, state, weights = super().step(token_ids, state, memory, training)
        return self._with_lexical(features, weights, memory, training), state, weights

    def features(self, target_in: tf.Tensor, state: Any, memory: Memory, training: bool = False) -> Any:
        features, weights = super().features(target_in, state, memory, training)
        return self._with_lexical(features, weights, memory, training), weights

    def _with_lexical(self, features: tf.Tensor, weights: tf.Tensor, memory: Memory, training: bool) -> tf.Tensor:
        lexical = self.dropout(self.lexical(weights, memory.tokens), training=training)
        return tf.concat([features, lexical], axis=-1)  # (..., 2 E)


def with_lexical_model(decoder: type[BaseDecoder]) -> type[BaseDecoder]:
    """Returns the kind of decoder with a lexical model."""
    return type(f"Lexical{decoder.__name__}", (LexicalDecoder, decoder), {})
