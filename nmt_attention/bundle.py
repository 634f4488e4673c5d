"""A model and its tokenisers on disk: four self-contained files."""

import dataclasses
import logging
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

logger = logging.getLogger(__name__)

READY = Path(__file__).parent / "ready"  # the trained model that comes with the package; `tools/model.py` writes it
NOTICE = "NOTICE"  # file of a bundle's directory that goes with every copy of the model: whose work it was learned from
_MAGIC = b"\x93NUMPY\x01\x00"
# What NumPy writes before the numbers. Its own reader accepts any Python literal, of up to 4 GB.
_HEADER = re.compile(rb"\{'descr': '([<>]f[248]|\|i1)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \}\s*")
_MAX_HEADER_BYTES = 4096
_MAX_CONFIG_BYTES = 100_000
_SCALE = "/scale"  # after the name of an 8-bit matrix
_BAD_WEIGHTS = (ValueError, KeyError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def save_bundle(
    directory: Path | str,
    model: Seq2Seq,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    quantized: bool = False,
) -> None:
    """Writes a model and its tokenisers so that `load_bundle` needs nothing else.

    `config.json`, `weights.npz`, `source.json` and `target.json`; each is complete before it gets its name. A
    `quantized` model has 8-bit matrices (see `quantize`), deflated: less than a quarter of the space.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / "config.json", dataclasses.asdict(model.config))
    source_tokenizer.save(directory / "source.json")
    target_tokenizer.save(directory / "target.json")
    weights: dict[str, Any] = {weight.path: np.asarray(weight) for weight in model.weights}
    for name in filter(is_matrix, list(weights) if quantized else []):
        weights[name], weights[name + _SCALE] = quantize(name, weights[name])
    with atomic_write(directory / "weights.npz") as partial, open(partial, "wb") as file:
        (np.savez_compressed if quantized else np.savez)(file, **weights)


def is_matrix(name: str) -> bool:
    """Returns whether the weight of this path is a matrix: the vectors are few, and 8 bits would harm them."""
    return name.endswith(("kernel", "embeddings"))


def quantize(name: str, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounds a matrix to whole numbers from -127 to 127, with one factor for each output of its layer.

    Args:
        name: path of the weight. An output is a row of a table of embeddings, which is one token's vector and its
            output weights in one, and a column of any other matrix.
        matrix: `(rows, columns)` float.

    Returns:
        numbers: `(rows, columns)` int8.
        scale: `(rows, 1)` or `(1, columns)` float32, such that numbers · scale is close to the matrix.
    """
    scale = np.abs(matrix).max(axis=_summed(name), keepdims=True).astype(np.float32) / np.float32(127)
    scale[scale == 0] = 1.0
    return np.rint(matrix / scale).astype(np.int8), scale


def _summed(name: str) -> int:
    return 1 if name.endswith("embeddings") else 0


def load_bundle(directory: Path | str, dtype: str = "float32") -> tuple[Seq2Seq, Tokenizer, Tokenizer]:
    """Reads what `save_bundle` wrote; executes nothing in it, and takes memory only in proportion to the files' sizes.

    Of `READY` it logs where its scores and its licence are.

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
    if directory == READY:
        logger.info("using the model that comes with the package (CC-BY 2.0 FR); see %s", READY / "README.md")
    path = directory / "weights.npz"
    with open(path, "rb") as file:  # outside `try`: a file that cannot be opened need not be damaged
        try:
            size, minimum = path.stat().st_size, _min_weights(config)
            if size < minimum:  # of one byte each
                raise ValueError(f"{size:,} bytes, too few for the {minimum:,} weights and more of config.json")
            with zipfile.ZipFile(file) as archive:
                layers, arrays = config.encoder_layers + config.decoder_layers, len(archive.namelist())
                if arrays < 3 * layers:  # making a hundred layers takes half a minute
                    raise ValueError(f"{arrays} arrays, too few for {layers} layers")
                model = Seq2Seq(config, dtype)
                names = set(archive.namelist())
                for weight in model.weights:
                    quantized = f"{weight.path}{_SCALE}.npy" in names
                    weight.assign(_read_weight(archive, weight.path, tuple(weight.shape), quantized))
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


def _read_weight(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...], quantized: bool) -> np.ndarray:
    """Reads a weight, float32, from an .npz: floats, or 8-bit numbers and their scale."""
    if not quantized:
        return _read_array(archive, name, shape)
    if len(shape) != 2:
        raise ValueError(f"{name} is no matrix and has a scale")
    summed = _summed(name)
    numbers = _read_array(archive, name, shape, whole=True)
    scale = _read_array(archive, name + _SCALE, (*shape[:summed], 1, *shape[summed + 1 :]))
    with np.errstate(over="ignore"):
        return _finite(name, numbers * scale)


def _read_array(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...], whole: bool = False) -> np.ndarray:
    """Reads float32, or int8 if `whole`; size, type and shape of an array are checked before it is unpacked."""
    member = archive.getinfo(f"{name}.npy")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is packed in an unusual way")
    if member.file_size > 8 * math.prod(shape) + _MAX_HEADER_BYTES:
        raise ValueError(f"{name} has {member.file_size:,} bytes, too many for {shape}")
    with archive.open(member) as file:
        start = file.read(len(_MAGIC) + 2)
        header = file.read(int.from_bytes(start[len(_MAGIC) :], "little"))
        match = _HEADER.fullmatch(header)
        if not (start.startswith(_MAGIC) and match and (match[1] == b"|i1") == whole):
            raise ValueError(f"{name} is no array of {'8-bit numbers' if whole else 'floats'}: {header[:60]!r}")
        dtype, in_columns, found = match.groups()
        if tuple(map(int, re.findall(rb"\d+", found))) != shape:
            raise ValueError(f"{name} is ({found.decode()}), not {shape}")
        numbers = np.frombuffer(file.read(member.file_size), dtype.decode())
        numbers = numbers.reshape(shape, order="F" if in_columns == b"True" else "C")
    if whole:
        return numbers
    with np.errstate(over="ignore"):
        return _finite(name, numbers.astype(np.float32, copy=False))


def _finite(name: str, numbers: np.ndarray) -> np.ndarray:
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds a number that is not finite")
    return numbers
