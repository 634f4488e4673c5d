"""Encoder and decoder as one model."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from .attention import Memory
from .config import ModelConfig
from .decoder import BaseDecoder
from .encoder import Encoder
from .parts import part_of
from .vocabulary import PAD_ID


@keras.saving.register_keras_serializable("from nmt_attention import")  # so that Keras' error says it
class Seq2Seq(keras.Model):
    """The whole model: an encoder reads the source sentence, a decoder writes the target one.

    Its initial weights are drawn when it is made; after `keras.utils.set_random_seed(1)` they are the same each time.

    Args:
        config: sizes and parts of the model.
        dtype: Keras dtype policy; "mixed_bfloat16" computes in half the bits and keeps the weights in float32.
        use_cudnn: as in `Encoder`.

    Call arguments:
        source_ids: `(B, S)` int32, padded on the right with `PAD_ID`; at least one real token per row.
        target_in: `(B, T)` int32. START and the target tokens.
        training: whether dropout is on.

    Returns:
        logits: `(B, T, V)` float32.
        weights: `(B, T, S)`. Attention.
    """

    def __init__(self, config: ModelConfig, dtype: str = "float32", use_cudnn: bool | str = "auto") -> None:
        super().__init__(name="seq2seq", dtype=dtype)
        self.config = config
        self.encoder, self.decoder = part_of("architecture", config.architecture)(config, dtype, use_cudnn)
        self(tf.ones((1, 1), tf.int32), tf.ones((1, 1), tf.int32))  # makes the weights, in one fixed order

    def build(self, *shapes: Any) -> None:
        """Leaves the making of weights to the first call; without this method Keras would trace a graph for it."""

    def summary(self, print_fn: Callable[[str], Any] = print) -> None:
        """Prints every weight with its shape and its number of parameters, from the encoder to the decoder."""
        rows = [
            (w.path, " × ".join(map(str, w.shape)) or "1", f"{math.prod(w.shape):,}") for w in self.trainable_weights
        ]
        rows.append(("total", "", f"{self.count_params():,}"))
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        for path, shape, count in rows:
            print_fn(f"{path:{widths[0]}}  {shape:>{widths[1]}}  {count:>{widths[2]}}")

    def get_config(self) -> dict[str, Any]:
        """Returns what `from_config` makes an equal model of, for Keras' own files (`model.save("model.keras")`)."""
        return {"config": dataclasses.asdict(self.config), "dtype": self.dtype_policy.name}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> "Seq2Seq":
        return cls(ModelConfig(**config["config"]), config["dtype"])

    def fit(self, *arguments: Any, **options: Any) -> Any:
        """Names what trains this model: Keras' `fit` calls a model with one argument, and this one takes two."""
        raise NotImplementedError("Seq2Seq.fit: use train_model, or fit keras.Model(inputs, logits): docs/python.md")

    def export(self, *arguments: Any, **options: Any) -> None:
        """Exports the call, if there is an `input_signature`; a search and the tokenisers are no part of it."""
        if "input_signature" not in options:
            raise NotImplementedError("Seq2Seq.export: the command `nmt-attention export` writes what translates")
        super().export(*arguments, **options)

    def encode(self, source_ids: tf.Tensor, training: bool = False) -> tuple[Any, Memory]:
        """Reads the source; returns the decoder's first state and the `Memory` that attention looks at."""
        source_mask = source_ids != PAD_ID
        values, state = self.encoder(source_ids, source_mask, training=training)
        memory = self.decoder.memory(values, source_mask, state)
        if self.decoder.reads_tokens:  # for a `LexicalModel`; the encoder keeps its last layer alone
            memory = memory._replace(tokens=self.encoder.embed(source_ids, training))
        return self.decoder.initial_state(state), memory

    def step(self, token_ids: tf.Tensor, state: Any, memory: Memory) -> tuple[tf.Tensor, Any, tf.Tensor]:
        """Writes one token: returns the next one's logits `(B, V)`, the state and the weights `(B, S)` after it."""
        features, state, weights = self.decoder.step(token_ids, state, memory)
        return self.logits(features), state, weights

    def features(
        self, source_ids: tf.Tensor, target_in: tf.Tensor, training: bool = False
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns the decoder's features `(B, T, E)`, which `logits` turns into logits, and weights `(B, T, S)`."""
        state, memory = self.encode(source_ids, training=training)
        return self.decoder.features(target_in, state, memory, training=training)

    def logits(self, features: tf.Tensor, words: tf.Tensor | None = None) -> tf.Tensor:
        """Returns the logits `(..., V)` float32 of the next token for features `(..., E)`; or of some words alone."""
        return self.decoder.logits(features, words)

    def call(self, source_ids: tf.Tensor, target_in: tf.Tensor, training: bool = False) -> tuple[tf.Tensor, tf.Tensor]:
        state, memory = self.encode(source_ids, training=training)
        return self.decoder(target_in, state, memory, training=training)


for _earlier in ("import nmt_attention", "nmt_attention"):  # how files of earlier versions name it
    keras.saving.get_custom_objects()[f"{_earlier}>Seq2Seq"] = Seq2Seq


def recurrent_parts(config: ModelConfig, dtype: str, use_cudnn: bool | str) -> tuple[Encoder, BaseDecoder]:
    """Returns encoder and decoder of a recurrent model."""
    widths = config.embedding_units, config.units
    common: dict[str, Any] = {"cell": config.cell, "dropout": config.dropout, "dtype": dtype}
    encoder = Encoder(
        config.source_vocabulary_size,
        *widths,
        layers=config.encoder_layers,
        bidirectional=config.bidirectional,
        use_cudnn=use_cudnn,
        name="encoder",
        **common,
    )
    decoder_type = part_of("decoder", config.decoder)
    if config.lexical:
        decoder_type = part_of("extension", "lexical")(decoder_type)
    attention = part_of("attention", config.attention)(config.units, name="attention", dtype=dtype)
    decoder = decoder_type(
        config.target_vocabulary_size, *widths, attention, layers=config.decoder_layers, name="decoder", **common
    )
    return encoder, decoder
