"""Translations held against what was protected: each hidden word once, else the next hypothesis."""

import collections
import contextlib
import dataclasses
import functools
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..config import SearchConfig
from ..spelling import SPACE
from ..translate import Found, Piece, Translation
from .rules import NUMERALS, PATTERNS

WIDER = 8  # beam of a second search
LOSS = 1000  # of `_faults`, which is worse than a hundred loops
_ASCII = str.maketrans("०१२३४५६७८९", "0123456789")


def verify(
    pieces: Sequence[Piece],
    found: Found,
    search: Any,
    config: SearchConfig,
    hide_all: Callable[[Sequence[Piece]], Sequence[Piece]] = list,
) -> tuple[list[Piece], Found]:
    """Returns the pieces and their hypotheses, first the one that lacks and repeats the least.

    If a name or number is still lost or another one written, the piece is read again with all of them hidden, as
    `hide_all` returns it. The other arguments are those of `Preprocessor.finish`.
    """
    pieces, result = list(pieces), list(found)
    faulty = [i for i, piece in enumerate(pieces) if _faults(piece, result[i][0])]
    wider = dataclasses.replace(config, beam_size=max(WIDER, config.beam_size)) if search else config
    if faulty and search and config.beam_size == 1:
        more = search([pieces[i] for i in faulty], wider)
        for i, others in zip(faulty, more, strict=True):  # of a greedy search the better one alone
            result[i] = [min([*result[i], *others], key=functools.partial(_faults, pieces[i]))]
    for i in faulty:
        best = min(result[i], key=functools.partial(_faults, pieces[i]))
        result[i] = [best, *(t for t in result[i] if t.text != best.text)]
    lost = [i for i in faulty if _faults(pieces[i], result[i][0]) >= LOSS]
    hidden = hide_all([pieces[i] for i in lost])
    changed = {i: piece for i, piece in zip(lost, hidden, strict=True) if piece.read != pieces[i].read}
    again = search([*changed.values()], wider) if changed and search else []
    for (i, piece), others in zip(changed.items(), again, strict=bool(again)):
        best = min(others, key=functools.partial(_faults, piece))
        if _faults(piece, best) < _faults(pieces[i], result[i][0]):
            pieces[i], result[i] = piece, [best]
    return pieces, result


def _seen(piece: Piece, translation: Translation) -> str:
    """Returns what was read of a piece, from its tokens; a SavedModel says none."""
    joint = "" if any(SPACE in token for token in translation.source_tokens) else " "
    return joint.join(translation.source_tokens).replace(SPACE, " ") or piece.read


def lost_and_added(piece: Piece, translation: Translation) -> tuple[list[str], list[str]]:
    """Returns what is hidden of a piece, names and numbers that its translation lacks, and numbers that it adds.

    What was cut is not lost. A small number may be written as a word. Numbers are added that stand too often or alone;
    of a piece that has some as words, none are.
    """
    seen, text = _seen(piece, translation), translation.text
    lost = [word for symbol, word in piece.words.items() if symbol in seen and symbol not in text]
    lost += [name for name, at in piece.names.items() if name.lower() in seen.lower() and not at.search(text)]
    whole, read = ([n.replace(",", "") for n in PATTERNS["number"].findall(each)] for each in (piece.read, seen))
    source = collections.Counter(number for number in read if number in whole)  # none is cut in two
    digits = PATTERNS["digits"].findall(text.translate(_ASCII))
    target = collections.Counter(number.replace(",", "") for number in digits)
    lost += [n for n in (source - target).elements() if n not in NUMERALS or not NUMERALS[n].search(text)]
    has_numbers = source or any(map(PATTERNS["digits"].search, piece.words.values()))
    is_exact = has_numbers and not PATTERNS["numberWord"].search(seen.lower())
    again = [word for symbol, word in piece.words.items() if text.count(symbol) > piece.read.count(symbol)]
    again = [word for word in again if PATTERNS["digits"].search(word)]
    return lost, again + ([*(target - source).elements()] if is_exact else [])


def _faults(piece: Piece, translation: Translation) -> int:
    """Returns how many words and numbers a translation lacks or adds, as a `LOSS` each, and what it repeats."""
    repeated = sum(translation.text.count(symbol) > piece.read.count(symbol) for symbol in piece.words)
    lost, added = lost_and_added(piece, translation)
    loops = bool(PATTERNS["loop"].search(translation.text)) > bool(PATTERNS["loop"].search(piece.read))
    loops |= bool(PATTERNS["signs"].search(translation.text))
    return LOSS * len(lost + added) + 100 * loops + repeated


def unlooped(text: str, source: str) -> str:
    """Returns a translation with what it says more than twice in a row said once, unless the source repeats itself.

    Of several vowel signs in a row the last one stays, and of a word said twice, one. A day has its ending.
    """
    text = PATTERNS["dated"].sub(r"\1ला", PATTERNS["signs"].sub("", text))
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
