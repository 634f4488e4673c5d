"""A model and its tokenisers on disk: four self-contained files."""

import dataclasses
import math
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from .config import ModelConfig
from .files import atomic_write, in_brief, read_json, write_json
from .model import Seq2Seq
from .text import Tokenizer, load_tokenizer

_MAGIC = b"\x93NUMPY\x01\x00"
# What NumPy writes before the numbers. Its own reader accepts any Python literal, of up to 4 GB.
_HEADER = re.compile(rb"\{'descr': '([<>]f[248])', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \}\s*")
_MAX_HEADER_BYTES = 4096
_MAX_CONFIG_BYTES = 100_000
_BAD_WEIGHTS = (ValueError, KeyError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def save_bundle(
    directory: Path | str,
    model: Seq2Seq,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    dtype: str = "float32",
) -> None:
    """Writes a model and its tokenisers so that `load_bundle` needs nothing else.

    `config.json`, `weights.npz`, `source.json` and `target.json`; each is complete before it gets its name.

    Args:
        directory: made if necessary.
        model, source_tokenizer, target_tokenizer: what `load_bundle` returns.
        dtype: of the weights in the file; "float16" halves it and rounds them to three digits.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / "config.json", dataclasses.asdict(model.config))
    source_tokenizer.save(directory / "source.json")
    target_tokenizer.save(directory / "target.json")
    weights: dict[str, Any] = {weight.path: np.asarray(weight).astype(dtype) for weight in model.weights}
    with atomic_write(directory / "weights.npz") as partial, open(partial, "wb") as file:
        np.savez(file, **weights)


def load_bundle(directory: Path | str, dtype: str = "float32") -> tuple[Seq2Seq, Tokenizer, Tokenizer]:
    """Reads what `save_bundle` wrote; executes nothing in it, and takes memory only in proportion to the files' sizes.

    Returns:
        model: ready to use.
        source_tokenizer, target_tokenizer: those it was trained with.

    Raises:
        FileNotFoundError: the directory or one of its files is missing.
        OSError: a file cannot be opened.
        ValueError: a file is damaged or does not fit the others; the message names it.
    """
    directory = Path(directory)
    for name in ("config.json", "source.json", "target.json", "weights.npz"):
        if not (directory / name).is_file():
            raise FileNotFoundError(f"{directory}: not a trained model ({name} is missing)")
    settings = read_json(directory / "config.json", _MAX_CONFIG_BYTES)
    try:
        config = ModelConfig(**settings)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{directory / 'config.json'}: not a model configuration ({in_brief(error)})") from None
    source, target = load_tokenizer(directory / "source.json"), load_tokenizer(directory / "target.json")
    for side, found, expected in wrong_sizes(config, source, target):
        raise ValueError(f"{directory / side}.json: {found} tokens, but config.json says {expected}")
    path = directory / "weights.npz"
    with open(path, "rb") as file:  # outside `try`: a file that cannot be opened need not be damaged
        try:
            size, minimum = path.stat().st_size, _min_weights(config)
            if size < 2 * minimum:
                raise ValueError(f"{size:,} bytes, too few for the {minimum:,} weights and more of config.json")
            with zipfile.ZipFile(file) as archive:
                layers, arrays = config.encoder_layers + config.decoder_layers, len(archive.namelist())
                if arrays < 3 * layers:  # making a hundred layers takes half a minute
                    raise ValueError(f"{arrays} arrays, too few for {layers} layers")
                model = Seq2Seq(config, dtype)
                for weight in model.weights:
                    weight.assign(_read_weight(archive, weight.path, tuple(weight.shape)))
        except _BAD_WEIGHTS as error:
            raise ValueError(f"{path}: damaged or of another model ({in_brief(error)})") from None
    return model, source, target


def wrong_sizes(
    config: ModelConfig, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer
) -> list[tuple[str, int, int]]:
    """Returns (side, tokens, vocabulary size) for each tokeniser whose size differs from the model's vocabulary."""
    sizes = (
        ("source", len(source_tokenizer), config.source_vocabulary_size),
        ("target", len(target_tokenizer), config.target_vocabulary_size),
    )
    return [size for size in sizes if size[1] != size[2]]


def _min_weights(config: ModelConfig) -> int:
    """Returns a lower bound, at least a thirtieth, of the number of weights, before memory is taken for them."""
    tokens = config.source_vocabulary_size + config.target_vocabulary_size
    layers = config.encoder_layers + config.decoder_layers
    return tokens * config.embedding_units + (config.embedding_units + layers * config.units) * config.units


def _read_weight(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Reads an array from an .npz; its size, type and shape are checked before its numbers are unpacked."""
    member = archive.getinfo(f"{name}.npy")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is packed in an unusual way")
    if member.file_size > 8 * math.prod(shape) + _MAX_HEADER_BYTES:
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
        numbers = np.frombuffer(file.read(member.file_size), dtype.decode())
        numbers = numbers.reshape(shape, order="F" if in_columns == b"True" else "C")
        with np.errstate(over="ignore"):
            numbers = numbers.astype(np.float32, copy=False)
        if not np.isfinite(numbers).all():
            raise ValueError(f"{name} holds a number that is not finite")
        return numbers
