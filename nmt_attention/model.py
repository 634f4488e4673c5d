"""Encoder and decoder wired together, and the bundle they are saved in."""

import dataclasses
import json
import zipfile
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from .attention import ATTENTIONS
from .config import ModelConfig
from .decoder import DECODERS
from .encoder import Encoder
from .files import replacing, write_json
from .text import PAD_ID, load_tokenizer


class Seq2Seq(keras.Model):
    """The whole model: an encoder reads the source sentence, a decoder writes the target one.

    Args:
        config: `ModelConfig`.
        dtype: Keras dtype policy; "mixed_bfloat16" computes in half the bits and keeps the weights in float32.
        use_cudnn: as `Encoder`.

    Call arguments:
        source_ids: `(B, S)` int32, padded on the right with `PAD_ID`; at least one real token in a row.
        target_in: `(B, T)` int32. START and the target tokens.
        training: bool.
        scored: `(B, T)` bool, or None for all. The positions whose logits are wanted.

    Returns:
        logits: `(B, T, V)` float32; with `scored`, `(N, V)`.
        weights: `(B, T, S)`. Attention.
    """

    def __init__(self, config, dtype="float32", use_cudnn="auto"):
        super().__init__(name="seq2seq", dtype=dtype)
        self.config = config
        self.encoder = Encoder(
            config.source_vocabulary_size,
            config.embedding_units,
            config.units,
            layers=config.encoder_layers,
            cell=config.cell,
            bidirectional=config.bidirectional,
            dropout=config.dropout,
            use_cudnn=use_cudnn,
            name="encoder",
            dtype=dtype,
        )
        self.decoder = DECODERS[config.decoder](
            config.target_vocabulary_size,
            config.embedding_units,
            config.units,
            ATTENTIONS[config.attention](config.units, name="attention", dtype=dtype),
            layers=config.decoder_layers,
            cell=config.cell,
            dropout=config.dropout,
            name="decoder",
            dtype=dtype,
        )
        self(tf.ones((1, 1), tf.int32), tf.ones((1, 1), tf.int32))  # makes the weights, in one fixed order

    def encode(self, source_ids, training=False):
        """Reads the source; returns the decoder's first state and the `Memory` that attention looks at."""
        source_mask = source_ids != PAD_ID
        values, state = self.encoder(source_ids, source_mask, training=training)
        return self.decoder.initial_state(state), self.decoder.attention.memory(values, source_mask, state)

    def call(self, source_ids, target_in, training=False, scored=None):
        state, memory = self.encode(source_ids, training=training)
        return self.decoder(target_in, state, memory, training=training, scored=scored)


def save_bundle(directory, model, source_tokenizer, target_tokenizer):
    """Writes a model and its tokenisers so that `load_bundle` needs nothing else.

    `config.json`, `weights.npz`, `source.json` and `target.json`; each is complete before it gets its name.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / "config.json", dataclasses.asdict(model.config))
    source_tokenizer.save(directory / "source.json")
    target_tokenizer.save(directory / "target.json")
    with replacing(directory / "weights.npz") as partial, open(partial, "wb") as file:
        np.savez(file, **{weight.path: np.asarray(weight) for weight in model.weights})


def load_bundle(directory, dtype="float32"):
    """Reads what `save_bundle` wrote; nothing in it is executed.

    Returns:
        model: `Seq2Seq`, ready to use.
        source_tokenizer, target_tokenizer: the tokenisers it was trained with.

    Raises:
        FileNotFoundError: the directory or one of its files is missing.
        ValueError: a file is damaged or does not fit the others; the message names it.
    """
    directory = Path(directory)
    for name in ("config.json", "source.json", "target.json", "weights.npz"):
        if not (directory / name).is_file():
            raise FileNotFoundError(f"{directory}: not a trained model ({name} is missing)")
    try:
        config = ModelConfig(**json.loads((directory / "config.json").read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise ValueError(f"{directory / 'config.json'}: not a model configuration ({error})") from None
    tokenizers = [load_tokenizer(directory / name) for name in ("source.json", "target.json")]
    for side, tokenizer in zip(("source", "target"), tokenizers, strict=True):
        size = getattr(config, f"{side}_vocabulary_size")
        if len(tokenizer) != size:
            raise ValueError(f"{directory / side}.json: {len(tokenizer)} tokens, but config.json says {size}")
    model = Seq2Seq(config, dtype)
    try:
        with open(directory / "weights.npz", "rb") as file, np.lib.npyio.NpzFile(file, allow_pickle=False) as weights:
            for weight in model.weights:
                value = weights[weight.path]
                if value.shape != tuple(weight.shape) or not np.issubdtype(value.dtype, np.floating):
                    raise ValueError(f"{weight.path} is {value.dtype} {value.shape}, not float {tuple(weight.shape)}")
                weight.assign(value)
    except (ValueError, KeyError, OSError, EOFError, RuntimeError, zipfile.BadZipFile) as error:
        raise ValueError(f"{directory / 'weights.npz'}: damaged or of another model ({error})") from None
    return model, *tokenizers
