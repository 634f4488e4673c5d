"""Encoder and decoder wired together, and the bundle they are saved in."""

import dataclasses
import math
import re
import zipfile
import zlib
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from .attention_variants import ATTENTIONS
from .config import ModelConfig
from .decoder import DECODERS
from .encoder import Encoder
from .files import in_brief, read_json, replacing, write_json
from .text import PAD_ID, load_tokenizer


class Seq2Seq(keras.Model):
    """The whole model: an encoder reads the source sentence, a decoder writes the target one.

    Its first weights are drawn when it is made; after `keras.utils.set_random_seed(1)` they are the same each time.

    Args:
        config: `ModelConfig`.
        dtype: Keras dtype policy; "mixed_bfloat16" computes in half the bits and keeps the weights in float32.
        use_cudnn: as `Encoder`.

    Call arguments:
        source_ids: `(B, S)` int32, padded on the right with `PAD_ID`; at least one real token in a row.
        target_in: `(B, T)` int32. START and the target tokens.
        training: bool.

    Returns:
        logits: `(B, T, V)` float32.
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

    def features(self, source_ids, target_in, training=False):
        """Returns the decoder's features `(B, T, E)`, of which `logits` makes logits, and weights `(B, T, S)`."""
        state, memory = self.encode(source_ids, training=training)
        return self.decoder.features(target_in, state, memory, training=training)

    def logits(self, features):
        """Returns the logits `(..., V)` float32 of the next token for features `(..., E)`."""
        return self.decoder.logits(features)

    def call(self, source_ids, target_in, training=False):
        state, memory = self.encode(source_ids, training=training)
        return self.decoder(target_in, state, memory, training=training)


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


_MAGIC = b"\x93NUMPY\x01\x00"
# What NumPy writes before the numbers. Its own reader takes any Python literal, and 4 GB of it.
_HEADER = re.compile(rb"\{'descr': '([<>]f[248])', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \}\s*")
_LONGEST_HEADER = 4096
_MOST_CONFIG = 100_000  # bytes
_BAD_WEIGHTS = (ValueError, KeyError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def load_bundle(directory, dtype="float32"):
    """Reads what `save_bundle` wrote; nothing in it is executed, and memory is taken only as the files' sizes allow.

    Returns:
        model: `Seq2Seq`, ready to use.
        source_tokenizer, target_tokenizer: the tokenisers it was trained with.

    Raises:
        FileNotFoundError: the directory or one of its files is missing.
        OSError: a file cannot be opened.
        ValueError: a file is damaged or does not fit the others; the message names it.
    """
    directory = Path(directory)
    for name in ("config.json", "source.json", "target.json", "weights.npz"):
        if not (directory / name).is_file():
            raise FileNotFoundError(f"{directory}: not a trained model ({name} is missing)")
    config = read_json(directory / "config.json", _MOST_CONFIG)
    try:
        config = ModelConfig(**config)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{directory / 'config.json'}: not a model configuration ({in_brief(error)})") from None
    tokenizers = [load_tokenizer(directory / name) for name in ("source.json", "target.json")]
    for side, found, expected in wrong_sizes(config, *tokenizers):
        raise ValueError(f"{directory / side}.json: {found} tokens, but config.json says {expected}")
    path = directory / "weights.npz"
    with open(path, "rb") as file:  # a file that cannot be opened may be whole
        try:
            size, fewest = path.stat().st_size, _fewest_weights(config)
            if size < 2 * fewest:
                raise ValueError(f"{size:,} bytes, too few for the {fewest:,} weights and more of config.json")
            with zipfile.ZipFile(file) as archive:
                layers, arrays = config.encoder_layers + config.decoder_layers, len(archive.namelist())
                if arrays < 3 * layers:  # a hundred layers are made in half a minute
                    raise ValueError(f"{arrays} arrays, too few for {layers} layers")
                model = Seq2Seq(config, dtype)
                for weight in model.weights:
                    weight.assign(_read_weight(archive, weight.path, tuple(weight.shape)))
        except _BAD_WEIGHTS as error:
            raise ValueError(f"{path}: damaged or of another model ({in_brief(error)})") from None
    return model, *tokenizers


def wrong_sizes(config, source_tokenizer, target_tokenizer):
    """Returns (side, tokens, vocabulary size) for each tokeniser whose tokens are not as many as the model's."""
    sizes = (
        ("source", len(source_tokenizer), config.source_vocabulary_size),
        ("target", len(target_tokenizer), config.target_vocabulary_size),
    )
    return [size for size in sizes if size[1] != size[2]]


def _fewest_weights(config):
    """Returns less than a model has weights, but no less than a thirtieth; known before memory is taken for them."""
    tokens = config.source_vocabulary_size + config.target_vocabulary_size
    layers = config.encoder_layers + config.decoder_layers
    return tokens * config.embedding_units + (config.embedding_units + layers * config.units) * config.units


def _read_weight(archive, name, shape):
    """Reads an array of an .npz; its size, type and shape are those expected before any of it is unpacked."""
    member = archive.getinfo(f"{name}.npy")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is packed in an unusual way")
    if member.file_size > 8 * math.prod(shape) + _LONGEST_HEADER:
        raise ValueError(f"{name} has {member.file_size:,} bytes, too many for float {shape}")
    with archive.open(member) as file:
        start = file.read(len(_MAGIC) + 2)
        header = file.read(int.from_bytes(start[len(_MAGIC) :], "little"))
        match = _HEADER.fullmatch(header)
        if not (start.startswith(_MAGIC) and match):
            raise ValueError(f"{name} is no array of floats: {header[:60]!r}")
        dtype, in_columns, found = match.groups()
        if tuple(map(int, re.findall(rb"\d+", found))) != shape:
            raise ValueError(f"{name} is ({found.decode()}), not {shape}")
        order = "F" if in_columns == b"True" else "C"
        numbers = np.frombuffer(file.read(member.file_size), dtype.decode()).reshape(shape, order=order)
        with np.errstate(over="ignore"):
            numbers = numbers.astype(np.float32, copy=False)
        if not np.isfinite(numbers).all():
            raise ValueError(f"{name} holds a number that is not finite")
        return numbers
