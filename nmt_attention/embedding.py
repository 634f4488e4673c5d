"""Token ids to vectors."""

import keras


class TokenEmbedding(keras.layers.Embedding):
    """Looks up each token's vector, and multiplies it by the root of its width.

    The vectors start small, so that the decoder's logits, products with the same vectors, start near 0. What a
    recurrent cell reads should start about as large as the state it meets, or the cell hears itself alone and learns
    slowly. The factor √E is both.

    Args:
        input_dim: int. V, entries of the vocabulary.
        output_dim: int. E, width of a vector.

    Call arguments:
        ids: `(...)` int32.

    Returns:
        `(..., E)`.

    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.4.
    """

    def call(self, ids):
        return super().call(ids) * self.output_dim**0.5
