import keras
import numpy as np
import tensorflow as tf

from nmt_attention import BahdanauDecoder, DotAttention
from nmt_attention.variants.lexical import LexicalModel, with_lexical_model


def test_a_word_by_hand():
    lexical = LexicalModel(5, 1)
    tokens = tf.constant([[[2.0], [-1.0]]])  # (B, S, E)
    lexical(tf.constant([[0.5, 0.5]]), tokens)  # creates the weights
    lexical.hidden.kernel.assign([[3.0]])
    lexical.hidden.bias.assign([0.25])
    f = np.tanh(0.75 * 2 - 0.25)
    expected = np.tanh(3 * f + 0.25) + f
    np.testing.assert_allclose(lexical(tf.constant([[0.75, 0.25]]), tokens), [[expected]], rtol=1e-6)


def test_it_wraps_a_decoder_of_ones_own_that_makes_layers_of_its_own():
    class Deeper(BahdanauDecoder):
        def add_layers(self, vocabulary_size, embedding_units):
            super().add_layers(vocabulary_size, embedding_units)
            self.second = keras.layers.Dense(embedding_units, name="second")

        def read_out(self, *arguments):
            return self.second(super().read_out(*arguments))

    decoder = with_lexical_model(Deeper)(11, 6, 8, DotAttention(8))
    assert decoder.second.units == 6 and isinstance(decoder.lexical, LexicalModel)


def test_a_decoder_adds_its_products_to_the_logits():
    decoder = with_lexical_model(BahdanauDecoder)(11, 6, 8, DotAttention(8))
    random = np.random.default_rng(0)
    values, tokens = (tf.constant(random.normal(size=(2, 4, width)), tf.float32) for width in (8, 6))
    memory = decoder.attention.memory(values, tf.ones((2, 4), bool), None)._replace(tokens=tokens)
    features, _, weights = decoder.step(tf.constant([4, 5]), decoder.initial_state(values[:, 0]), memory)
    assert features.shape == (2, 12)
    without = features[:, :6] @ tf.transpose(decoder.embedding.embeddings)
    added = decoder.lexical(weights, tokens) @ tf.transpose(decoder.lexical.words.embeddings)
    np.testing.assert_allclose(decoder.logits(features), without + added, atol=1e-5)
