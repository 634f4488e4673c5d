"""Translations held against what was protected: each hidden word once, else the next hypothesis."""

import contextlib
import dataclasses
import functools
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from ..config import SearchConfig
from ..translate import Found, Piece, Translation
from .rules import PATTERNS

WIDER = 8  # beam of a second search
_ASCII = str.maketrans("०१२३४५६७८९", "0123456789")


def verify(pieces: Sequence[Piece], found: Found, search: Any, config: SearchConfig) -> Found:
    """Returns the hypotheses of each piece, first the one that lacks and repeats the fewest of its hidden words.

    Args: as `Preprocessor.finish`.
    """
    result = list(found)
    faulty = [i for i, piece in enumerate(pieces) if _faults(piece, result[i][0])]
    more = [result[i] for i in faulty]
    if faulty and search and config.beam_size == 1:
        more = search([pieces[i] for i in faulty], dataclasses.replace(config, beam_size=WIDER))
    for i, others in zip(faulty, more, strict=True):
        best = min([result[i][0], *others], key=functools.partial(_faults, pieces[i]))
        kept = result[i] if config.beam_size > 1 else []  # of a greedy search the better one alone
        result[i] = [best, *(t for t in kept if t.text != best.text)]
    return result


def lost_words(piece: Piece, translation: Translation) -> list[str]:
    """Returns the hidden words of a piece that its translation lacks, as they were typed; what was cut is not lost."""
    seen = _seen(piece, translation)
    return [word for symbol, word in piece.words.items() if symbol in seen and symbol not in translation.text]


def _seen(piece: Piece, translation: Translation) -> str:
    return "".join(translation.source_tokens) or piece.read  # a SavedModel says no tokens


def _faults(piece: Piece, translation: Translation) -> int:
    """Returns how many hidden words and numbers a translation lacks, in thousands, and how many it has too often."""
    repeated = sum(translation.text.count(symbol) > piece.read.count(symbol) for symbol in piece.words)
    digits, seen = translation.text.translate(_ASCII), _seen(piece, translation)
    numbers = [each for each in PATTERNS["number"].findall(piece.read) if each in seen and not _has(digits, each)]
    loops = bool(PATTERNS["loop"].search(translation.text)) > bool(PATTERNS["loop"].search(piece.read))
    return 1000 * len(lost_words(piece, translation) + numbers) + 100 * loops + repeated


def _has(digits: str, number: str) -> bool:
    """Returns whether a number stands in a text; a small one may be written as a word."""
    return len(number) == 1 or number in PATTERNS["number"].findall(digits)


def unlooped(text: str, source: str) -> str:
    """Returns a translation with what it says more than twice in a row said once, unless the source repeats itself."""
    if len(source.split()) == 1:
        text = PATTERNS["twice"].sub(r"\1\2", text)
    return text if PATTERNS["loop"].search(source) else PATTERNS["loop"].sub(r"\1", text)


@contextlib.contextmanager
def unwarned() -> Iterator[None]:
    """Keeps back the warnings about single sentences, where thousands are translated to be scored."""
    logger = logging.getLogger(f"{__package__}.preprocessor")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before
