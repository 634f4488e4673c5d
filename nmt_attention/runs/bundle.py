"""A model and its tokenisers on disk: four self-contained files."""

import contextlib
import dataclasses
import functools
import hashlib
import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..config import ModelConfig
from ..decoding.ensemble import Ensemble
from ..disk.files import PRETRAINED as PRETRAINED
from ..disk.files import atomic_write, in_brief, read_json, write_json
from ..disk.hub import local_directory
from ..model import Seq2Seq
from ..parts import part_of
from ..preprocess.doubts import BANDS
from ..preprocess.language import UNKNOWN
from ..preprocess.preprocessor import Preprocessor
from ..preprocess.protect import Placeholders
from ..preprocess.terms import read_terms
from ..preprocess.transliterator import Spelled, Transliterator
from ..text import Tokenizer
from ..translate import Translator

NOTICE = "NOTICE"  # file of a bundle's directory that goes with every copy of the model: whose work it was learned from

PLACEHOLDERS, SENTENCES, CERTAINTY = "placeholders.json", "sentences.json", "certainty.json"
LEARNING = "learning.json"  # how a training went, which a page shows; made by `tools.models.learning`
_SCALE = "/scale"  # after the name of an 8-bit matrix


def save_bundle(
    directory: Path | str,
    model: Seq2Seq,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    quantized: bool = False,
) -> None:
    """Writes a model and its tokenisers: `config.json`, `weights.npz`, `source.json` and `target.json`.

    A `quantized` model has 8-bit matrices (see `quantize`), deflated: less than a quarter of the space.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / "config.json", dataclasses.asdict(model.config))
    write_json(directory / "source.json", source_tokenizer.to_config())
    write_json(directory / "target.json", target_tokenizer.to_config())
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
        name: path of the weight. An output is a row of a table of embeddings, and a column of any other matrix.
        matrix: `(rows, columns)` float.

    Returns:
        numbers: `(rows, columns)` int8.
        scale: `(rows, 1)` or `(1, columns)` float32, such that numbers · scale is close to the matrix.
    """
    summed = 1 if name.endswith("embeddings") else 0
    scale = np.abs(matrix).max(axis=summed, keepdims=True).astype(np.float32) / np.float32(127)
    scale[scale == 0] = 1.0
    return np.rint(matrix / scale).astype(np.int8), scale


def load_bundle(directory: Path | str, dtype: str = "float32") -> tuple[Seq2Seq, Tokenizer, Tokenizer]:
    """Reads what `save_bundle` wrote; executes nothing in it. Returns the model and its two tokenisers.

    Raises:
        FileNotFoundError: the directory or one of its files is missing.
        OSError: a file cannot be opened.
        ValueError: a file is damaged or does not fit the others; the message names it.
    """
    directory = Path(directory)
    _check_there(directory)
    with read_as(directory / "config.json", "a model configuration") as settings:
        config = ModelConfig(**settings)
    source, target = load_tokenizer(directory / "source.json"), load_tokenizer(directory / "target.json")
    for side, tokenizer in (("source", source), ("target", target)):
        if len(tokenizer) != (expected := getattr(config, f"{side}_vocabulary_size")):
            raise ValueError(f"{directory / side}.json: {len(tokenizer)} tokens, but config.json says {expected}")
    path = directory / "weights.npz"
    with open(path, "rb") as file:  # outside `try`: a file that cannot be opened need not be damaged
        try:
            if file.peek(8).startswith(b"version "):
                raise ValueError("a pointer of Git LFS; run git lfs pull")
            arrays = np.load(file, allow_pickle=False)
            words = config.source_vocabulary_size + config.target_vocabulary_size
            least = config.encoder_layers * config.units**2 + words * config.embedding_units  # a byte or more for each
            if (size := sum(member.file_size for member in arrays.zip.infolist())) < least:
                raise ValueError(f"{size:,} bytes cannot hold the {least:,} weights or more that config.json asks for")
            model = Seq2Seq(config, dtype)
            for weight in model.weights:
                weight.assign(_read_weight(arrays, weight.path, tuple(weight.shape)))
        except Exception as error:  # of a damaged file numpy and zipfile raise nearly anything
            raise ValueError(f"{path}: damaged or of another model ({in_brief(error)})") from None
    return model, source, target


def _check_there(directory: Path) -> None:
    """Raises a FileNotFoundError if a directory lacks a file of a bundle."""
    for name in ("config.json", "source.json", "target.json", "weights.npz"):
        if not (directory / name).is_file():
            raise FileNotFoundError(f"{directory}: not a trained model ({name} is missing)")


def _read_weight(arrays: Mapping[str, np.ndarray], name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Returns a weight, float32: the array of this name, or an 8-bit matrix times its scale."""
    numbers = arrays[name]
    with np.errstate(over="ignore"):
        if numbers.dtype == np.int8:
            numbers = numbers * arrays[name + _SCALE]
        if numbers.shape != shape or numbers.dtype.kind != "f":
            raise ValueError(f"{name} holds {numbers.dtype} {numbers.shape}, not floats {shape}")
        numbers = numbers.astype(np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds a number that is not finite")
    return numbers


@contextlib.contextmanager
def read_as(path: Path, what: str) -> Iterator[Any]:
    """Gives a block the value of a JSON file; what the block finds wrong with it is a ValueError that names it."""
    value = read_json(path)
    try:
        yield value
    except (ValueError, LookupError, TypeError, AttributeError, RuntimeError) as error:
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        raise ValueError(f"{path}: not {what} ({kind}{in_brief(error)})") from None


def load_tokenizer(path: Path) -> Tokenizer:
    """Reads the tokeniser of a bundle; a ValueError names a file that has none."""
    with read_as(path, "a saved tokeniser") as config:
        return part_of("tokenizer", config["kind"]).from_config(config)


def load_translator(*directories: Path | str, terms: Mapping[str, str] | Path | str | None = None) -> Translator:
    """Reads the trained model of a run directory; of several, an ensemble; of none, the one in the package.

    Args:
        *directories: also `hf://owner/name`, a repository of the Hugging Face Hub.
        terms: for each of a user's own terms its translation, "" to leave it as it is; or a file of them.

    Raises:
        FileNotFoundError, ValueError: as `load_bundle`; also if the models' tokenisers are not the same.
        ModuleNotFoundError, OSError, ValueError: as `disk.hub.local_directory`.
    """
    directory, *others = map(local_directory, directories or [PRETRAINED])
    model, source, target = load_bundle(directory)
    models = [model]
    for other in others:
        more, *tokenizers = load_bundle(other)
        for side, ours, theirs in zip(("source", "target"), (source, target), tokenizers, strict=True):
            if ours.to_config() != theirs.to_config():
                raise ValueError(f"{directory} and {other}: an ensemble's {side} tokenisers must be the same")
        models.append(more)
    preprocessor = load_preprocessor(directory, terms)
    if others:
        return Translator(Ensemble(models), source, target, preprocessor.but(certainty=None))
    return Translator(model, source, target, preprocessor)


def load_preprocessor(directory: Path | str, terms: Mapping[str, str] | Path | str | None = None) -> Preprocessor:
    """Reads what stands before and behind a bundle's model, without the model; see `load_translator`.

    Raises:
        FileNotFoundError, ValueError: as `load_bundle`, `read_terms` and `Preprocessor`.
    """
    terms = read_terms(terms) if isinstance(terms, Path | str) else terms
    directory = Path(directory)
    source, target = (load_tokenizer(directory / f"{side}.json") for side in ("source", "target"))
    placeholders = load_placeholders(directory) if (directory / PLACEHOLDERS).is_file() else None
    return Preprocessor(source, target, placeholders, *_load_sentences(directory), terms, _load_certainty(directory))


def check_marathi(preprocessor: Any, directory: Path, option: str) -> None:
    """Raises a ValueError if an option that is for Marathi is used with the model in a directory, of another one."""
    if not preprocessor.marathi:
        into = f"{preprocessor.language or UNKNOWN}, in {preprocessor.script} letters"
        raise ValueError(f"{option}: only for Marathi, but the model in {directory} translates into {into}")


def save_preprocessor(preprocessor: Preprocessor, directory: Path) -> None:
    """Writes `sentences.json`, what is known of the training sentences, and the placeholders if there are any."""
    about = {"with_final_mark": round(preprocessor.marked, 4), "language": preprocessor.language}
    write_json(directory / SENTENCES, about)
    if preprocessor.placeholders:
        save_placeholders(preprocessor.placeholders, directory)


def save_placeholders(placeholders: Placeholders, directory: Path) -> None:
    """Writes `placeholders.json` and the transliterator's own bundle to a bundle's directory."""
    translator = placeholders.transliterator.translator
    tokenizers = translator.source_tokenizer, translator.target_tokenizer
    save_bundle(directory / "transliterator", translator.model, *tokenizers, quantized=True)
    words = {"known": sorted(placeholders.known), "unwritten": sorted(placeholders.unwritten)}
    write_json(directory / PLACEHOLDERS, words | {"listed": placeholders.transliterator.listed}, indent=0)


def _load_sentences(directory: Path) -> tuple[float, str]:
    """Returns which share of sentences ends in a mark, and the language; of what is not there, 0 and ""."""
    if not (directory / SENTENCES).is_file():
        return 0.0, ""
    with read_as(directory / SENTENCES, "a model's sentences") as about:
        marked, language = about["with_final_mark"], about.get("language", "")
        if not (0 <= marked <= 1 and isinstance(language, str)):
            raise ValueError("expected with_final_mark, from 0 to 1, and language, a code such as 'mar'")
        return marked, language


def weights_hash(directory: Path) -> str:
    """Returns the sha256 of the weights of a bundle."""
    return hashlib.sha256((directory / "weights.npz").read_bytes()).hexdigest()


def _load_certainty(directory: Path) -> dict[str, Any] | None:
    """Returns what `tools.measure.certainty` wrote to a bundle's directory; None if it is of other weights."""
    if not (directory / CERTAINTY).is_file():
        return None
    with read_as(directory / CERTAINTY, "a model's certainty") as about:
        if about["weights_sha256"] != weights_hash(directory):
            return None
        if len(about["bands"]) != len(BANDS):
            raise ValueError(f"expected {len(BANDS)} bands")
        return about


def load_placeholders(directory: Path) -> Placeholders:
    """Reads what `save_placeholders` wrote to a bundle's directory; errors as of `load_bundle`."""
    load = functools.partial(load_translator, (directory / "transliterator").resolve())
    with read_as(directory / PLACEHOLDERS, "a model's placeholders") as lists:
        known, unwritten = lists["known"], lists.get("unwritten", [])
        listed = {word: Spelled(*spelled) for word, spelled in lists["listed"].items()}
        if not all(isinstance(text, str) for text in (*known, *unwritten, *itertools.chain(*listed.values()))):
            raise TypeError("expected strings")
        _check_there(directory / "transliterator")
        return Placeholders(known, Transliterator(load, listed), unwritten)
