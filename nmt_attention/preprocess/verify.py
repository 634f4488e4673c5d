"""Translations held against what was protected: each hidden word once, else the next hypothesis, else a line."""

import contextlib
import dataclasses
import functools
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from ..config import SearchConfig
from ..translate import MAX_SOURCE_LENGTH, Found, Piece, Translation

logger = logging.getLogger(__name__)
WIDER = 8  # beam of a second search


def verify(pieces: Sequence[Piece], found: Found, search: Any, config: SearchConfig) -> Found:
    """Returns the hypotheses of each piece, first the one that lacks and repeats the fewest of its hidden words.

    Args: as `Preprocessor.finish`.
    """
    result = list(found)
    whole = [i for i in range(len(pieces)) if len(result[i][0].source_tokens) < MAX_SOURCE_LENGTH]  # the rest is cut
    faulty = [i for i in whole if _faults(pieces[i], result[i][0])]
    more = [result[i] for i in faulty]
    if faulty and search and config.beam_size == 1:
        more = search([pieces[i] for i in faulty], dataclasses.replace(config, beam_size=WIDER))
    for i, others in zip(faulty, more, strict=True):
        best = min([result[i][0], *others], key=functools.partial(_faults, pieces[i]))
        result[i] = [best, *(t for t in result[i][1:] if t.text != best.text)]
        if lost := lost_words(pieces[i], best.text):
            logger.warning("the translation lacks %s: %.80s", ", ".join(lost), pieces[i].typed)
    return result


def lost_words(piece: Piece, text: str) -> list[str]:
    """Returns the hidden words of a piece that its translation lacks, as they were typed."""
    return [word for symbol, word in piece.words.items() if symbol not in text]


def _faults(piece: Piece, translation: Translation) -> int:
    """Returns how many hidden words a translation lacks, in thousands, and how many it has more often than once."""
    repeated = sum(translation.text.count(symbol) > piece.read.count(symbol) for symbol in piece.words)
    return 1000 * len(lost_words(piece, translation.text)) + repeated


@contextlib.contextmanager
def unwarned() -> Iterator[None]:
    """Keeps back the warnings about single sentences, where thousands are translated to be scored."""
    loggers = [logging.getLogger(f"{__package__}.{name}") for name in ("verify", "preprocessor")]
    before = [each.disabled for each in loggers]
    for each in loggers:
        each.disabled = True
    try:
        yield
    finally:
        for each, disabled in zip(loggers, before, strict=True):
            each.disabled = disabled
