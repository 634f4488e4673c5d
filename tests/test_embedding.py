import keras
import numpy as np

from nmt_attention.embedding import TokenEmbedding


def test_a_vector_is_its_row_times_the_root_of_its_width():
    embedding = TokenEmbedding(3, 4)
    embedding.build()
    embedding.embeddings.assign(np.arange(12).reshape(3, 4))
    np.testing.assert_array_equal(embedding(np.array([[2, 0]])), [[[16, 18, 20, 22], [0, 2, 4, 6]]])


def test_what_a_cell_reads_at_first_is_neither_tiny_nor_large_whatever_the_width():
    keras.utils.set_random_seed(0)
    for units in (64, 1024):
        vectors = TokenEmbedding(100, units)(np.arange(100))
        assert 0.1 < np.linalg.norm(vectors, axis=1).mean() / units**0.5 < 1.0
