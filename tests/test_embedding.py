import numpy as np

from nmt_attention.encoder import TokenEmbedding


def test_a_vector_is_its_row_times_the_factor():
    embedding = TokenEmbedding(3, 2)
    embedding.build()
    embedding.embeddings.assign(np.arange(6).reshape(3, 2))
    np.testing.assert_array_equal(embedding(np.array([[2, 0]])), [[[16, 20], [0, 4]]])
