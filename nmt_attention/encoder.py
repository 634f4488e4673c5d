"""Source ids to one vector per source position, and a summary of the whole sentence."""

from typing import Any

import keras
import tensorflow as tf

from .fast import read_both_ways

RNN_LAYERS = {"gru": keras.layers.GRU, "lstm": keras.layers.LSTM}


class TokenEmbedding(keras.layers.Embedding):
    """Looks up each token's vector, and multiplies it by 4.

    The vectors themselves start small, about 0.03 per unit, so that the decoder's logits, products with the same
    vectors, start near 0. The state in a recurrent cell is many times larger and would dominate them, which slows
    learning, so cells get a larger copy. The factor was found by trial, on dev: 1 is slow, 16 (the √E of Vaswani et
    al.) learns fast at first and ends lower.

    Args:
        input_dim: V, entries of the vocabulary.
        output_dim: E, width of a vector.

    Call arguments:
        ids: `(...)` int32.

    Returns:
        `(..., E)`.

    Source: after Vaswani et al. 2017, arXiv:1706.03762, section 3.4.
    """

    factor = 4.0

    def call(self, ids: tf.Tensor) -> tf.Tensor:
        return super().call(ids) * self.factor


class Encoder(keras.layers.Layer):
    """Reads the source sentence with a recurrent network, by default in both directions.

    Position j's vector h_j = [forward h_j ; backward h_j] sums up the sentence with the focus on word j: the words
    before it in one half, the words after it in the other. These vectors are what attention looks at.

    Args:
        vocabulary_size: entries of the source vocabulary.
        embedding_units: width E of the token vectors.
        units: width H of the result; each of two directions has H / 2.
        layers: recurrent layers; from the second on, each adds to its input (a residual).
        cell: "gru" or "lstm".
        bidirectional: False reads from left to right only.
        dropout: fraction in [0, 1) of the inputs of each layer, and of the result, that training zeroes.
        use_cudnn: "auto": NVIDIA's recurrent layers if there is a GPU; False: never, so that any machine can run it.

    Call arguments:
        source_ids: `(B, S)` int32, padded on the right.
        source_mask: `(B, S)` bool, True = a real token. Padding changes no real position's vector.
        training: whether dropout is on.

    Returns:
        values: `(B, S, H)`. One vector per source position.
        state: `(B, H)`. The top layer's last state of each direction: the whole sentence in one vector.

    Raises:
        ValueError: `units` is odd and there are two directions.

    Source: Bahdanau, Cho & Bengio 2015, arXiv:1409.0473, section 3.2; reset-after GRU as in cuDNN.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_units: int,
        units: int,
        layers: int = 1,
        cell: str = "gru",
        bidirectional: bool = True,
        dropout: float = 0.0,
        use_cudnn: bool | str = "auto",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if bidirectional and units % 2:
            raise ValueError(f"units: two directions share them, so they must be even, got {units}")
        self.embedding = TokenEmbedding(vocabulary_size, embedding_units, name="embedding", dtype=self.dtype_policy)
        self.dropout = keras.layers.Dropout(dropout, name="dropout", dtype=self.dtype_policy)
        self.cudnn = bool(use_cudnn) and bool(tf.config.get_visible_devices("GPU"))
        self.layers = [self._layer(cell, units, bidirectional, use_cudnn, i) for i in range(layers)]

    def _layer(self, cell: str, units: int, bidirectional: bool, use_cudnn: bool | str, i: int) -> keras.layers.Layer:
        layer = RNN_LAYERS[cell](
            units // 2 if bidirectional else units,
            return_sequences=True,
            return_state=True,
            use_cudnn=use_cudnn,
            name=f"{cell}_{i}",
            dtype=self.dtype_policy,
        )
        if bidirectional:
            return keras.layers.Bidirectional(layer, name=f"layer_{i}", dtype=self.dtype_policy)
        return layer

    def build(self, *shapes: Any) -> None:
        """As `Seq2Seq.build`."""

    def embed(self, source_ids: tf.Tensor, training: bool = False) -> tf.Tensor:
        """Returns the tokens' vectors `(B, S, E)`; dropout zeroes some of the numbers in training."""
        return self.dropout(self.embedding(source_ids), training=training)

    def call(
        self, source_ids: tf.Tensor, source_mask: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        values = self.embedding(source_ids)  # (B, S, E)
        for i, layer in enumerate(self.layers):
            inputs = self.dropout(values, training=training)
            values, states = self._run(layer, inputs, source_mask)  # (B, S, H)
            values = values + inputs if i else values
        return self.dropout(values, training=training), tf.concat(states, axis=-1)

    def _run(self, layer: keras.layers.Layer, inputs: tf.Tensor, mask: tf.Tensor) -> tuple[tf.Tensor, list[tf.Tensor]]:
        """Runs a recurrent layer over inputs `(B, S, ·)`; returns its values and the last h of each direction."""
        ways = [layer]
        if isinstance(layer, keras.layers.Bidirectional):
            ways = [layer.forward_layer, layer.backward_layer]
        if self.cudnn:
            for part in (layer, *ways):
                part.supports_masking = True  # as before Keras 3.16, which else warns that no mask is passed on
            values, *states = layer(inputs, mask=mask)
            states_of_each = len(states) // len(ways)  # an LSTM has h and c
            return values, states[::states_of_each]
        if not layer.built:
            layer.build(inputs.shape)
        return read_both_ways(layer, [way.cell for way in ways], inputs, mask)
