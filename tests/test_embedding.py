import keras
import numpy as np
import tensorflow as tf

from nmt_attention.config import ModelConfig
from nmt_attention.encoder import TokenEmbedding
from nmt_attention.model import Seq2Seq


def test_a_vector_is_its_row_times_the_factor():
    embedding = TokenEmbedding(3, 2)
    embedding.build()
    embedding.embeddings.assign(np.arange(6).reshape(3, 2))
    np.testing.assert_array_equal(embedding(np.array([[2, 0]])), [[[16, 20], [0, 4]]])


def test_word_dropout_zeroes_whole_tokens_in_training_but_never_start_end_or_padding():
    keras.utils.set_random_seed(1)
    embedding = TokenEmbedding(10, 3, word_dropout=0.25)
    ids = np.tile(np.arange(10), (1000, 1))  # 7,000 ordinary tokens
    vectors, dropped = np.asarray(embedding(ids)), np.asarray(embedding(ids, training=True))
    kept = np.any(dropped != 0, axis=-1)
    np.testing.assert_array_equal(dropped[:, :3], vectors[:, :3])
    np.testing.assert_allclose(dropped[kept & (ids > 2)], vectors[kept & (ids > 2)] / 0.75, rtol=1e-6)
    # of 7,000 tokens 1,750 with a standard deviation of 36
    assert abs(np.sum(~kept) - 1750) < 180


def test_a_model_drops_words_of_both_sides_in_training_alone():
    ids, start = tf.constant([[4, 5, 6, 7]]), tf.ones((1, 4), tf.int32)
    plain, dropping = (
        Seq2Seq(ModelConfig(9, 9, units=8, embedding_units=8, dropout=0.0, word_dropout=rate)) for rate in (0.0, 0.9)
    )
    dropping.set_weights(plain.get_weights())
    np.testing.assert_array_equal(dropping(ids, ids)[0], plain(ids, ids)[0])
    for batch in ((ids, start), (start, ids)):  # words on one side only: the other has nothing to drop
        keras.utils.set_random_seed(1)
        assert np.any(dropping(*batch, training=True)[0] != plain(*batch, training=True)[0])
    np.testing.assert_array_equal(dropping(start, start, training=True)[0], plain(start, start)[0])
