"""What several commands do with their options before they load a model."""

import argparse
import contextlib
import dataclasses
import os
import re
import shlex
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from ..config import SearchConfig
from ..disk.files import PRETRAINED
from .console import note
from .options import flag

PAGE = "a web page", ".html", ".htm"  # for `check_output`
FIGURE = "a figure", ".png", ".svg", ".pdf"
_MARK, _HEAD = b"nmt_attention", 4096  # stands near the start or the end of what this program writes


def models(options: argparse.Namespace) -> list[Path]:
    """Returns the directories of --run, or the model that comes with the package; where there are runs, it says so."""
    if options.run:
        return options.run if isinstance(options.run, list) else [options.run]
    for config in sorted(Path("runs").glob("*/config.json"))[:1]:
        note(f"using the model that comes with the package; for your own: --run {config.parent}")
    return [PRETRAINED]


def exclude(options: argparse.Namespace, one: str, *others: str) -> None:
    """Raises a ValueError if an option is given together with one of others."""
    for other in others:
        if getattr(options, one) and getattr(options, other):
            raise ValueError(f"{flag(one)} and {flag(other)} cannot be combined")


def as_sentences(words: list[str]) -> list[str]:
    """Returns the sentences that a command's arguments are: bare words without final marks are one, and it says so.

    Raises:
        ValueError: one is the name of a file or of a run directory; the message says what to type.
    """
    for word in words:
        typed = shlex.quote(word)
        if os.path.isfile(os.path.join(word, "config.json")):
            raise ValueError(f"{word} is a run directory; write --run {typed}")
        if os.path.isfile(word) or re.fullmatch(r"\S+\.(?:txt|tsv|csv)", word):
            raise ValueError(f"{word} is the name of a file; to translate its lines: translate --file {typed}")
    if len(words) < 2 or any(len(word.split()) != 1 for word in words) or all(word[-1] in ".?!" for word in words):
        return words
    sentence = " ".join(words)
    note(f'Read as one sentence: "{sentence}". Several sentences: each in quotation marks, with its final mark.')
    return [sentence]


def search_settings(options: argparse.Namespace, beam_size: int = 1) -> dict[str, Any]:
    """Returns the search settings that were given, having made sure that they are valid.

    `beam_size` is that of a search without `--beam-size` and `--samples`, if it is not greedy.
    """
    names = [field.name for field in dataclasses.fields(SearchConfig)]
    search = settings_in(options, names)
    if beam_size > 1 and not search.get("samples"):
        search = {"beam_size": beam_size, **search}
    with named_as_options(names):
        SearchConfig(**search)
    return search


def settings_in(options: argparse.Namespace, names: Collection[str]) -> dict[str, Any]:
    """Returns the settings of these names that were given, by name."""
    return {name: value for name in names if (value := getattr(options, name, None)) is not None}


@contextlib.contextmanager
def named_as_options(names: Collection[str]) -> Iterator[None]:
    """Lets the message of a ValueError name settings as the command line does: --top-k for top_k."""
    try:
        yield
    except ValueError as error:
        pattern = rf"\b(?:{'|'.join(names)})\b"
        raise ValueError(re.sub(pattern, lambda name: flag(name[0]), str(error))) from None


def check_output(file: Path, what: str, *endings: str) -> None:
    """Raises a ValueError if a file's name has another ending, or if it is there and not written by this program."""
    if file.suffix.lower() not in endings:
        raise ValueError(f"{file}: {what} is written to a file that ends in {', '.join(endings)}")
    if file.is_file() and (data := file.read_bytes()) and _MARK not in data[:_HEAD] + data[-_HEAD:]:  # at a PDF's end
        raise ValueError(f"{file}: another program's file; choose another name, or move it away")
