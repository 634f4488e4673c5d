"""Pairs that were read but look wrong: numbers, mangled letters, quoted cells, swapped columns, one language twice."""

import re
from collections.abc import Callable, Iterator, Sequence

from ..corpus import Pair

_MOST = 2_000  # pairs that are looked at, evenly spaced
_ENGLISH = re.compile(r"(?i)\b(?:the|is|are|was|were|you|he|she|they|this|that|what|have|has|with|not|my|i'm|it's)\b")
_QUOTED = re.compile(r'".*"', re.DOTALL)
_LINKS = re.compile(r"(?:[SP]:)?\d+-\d+(?:\s+(?:[SP]:)?\d+-\d+)*\s*")
_SHOWN = " ({0.source:.60} – {0.target:.60})"
_SAME = 0.6  # fraction of the words on the right that also stand on the left, from which there is one language


def doubts_about(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yields a line for each thing that looks wrong with most pairs; others may follow from the first."""
    pairs = pairs[:: max(1, len(pairs) // _MOST)]
    for side, column in enumerate(("first", "second")):
        for looks, what in _LOOKS:
            shown = [pair for pair in pairs if looks(pair[side])]
            if 2 * len(shown) > len(pairs):
                yield f"the {column} column {what}{_SHOWN.format(shown[0])}"
                break
    left, right = (sum(bool(_ENGLISH.search(pair[side])) for pair in pairs) / max(1, len(pairs)) for side in (0, 1))
    if right > 0.4 and left < 0.1:
        yield f"English stands on the right, so the model will translate into English{_SHOWN.format(pairs[0])}"
    known = {word for pair in pairs for word in _small_words(pair.source)}
    words = [word for pair in pairs for word in _small_words(pair.target)]
    if sum(word in known for word in words) > _SAME * max(1, len(words)):
        yield f"both columns look like the same language{_SHOWN.format(pairs[0])}"


def _small_words(text: str) -> list[str]:
    """Returns the words of a text but names and numbers, which languages share."""
    return [word for word in text.split() if word == word.casefold() and any(map(str.isalpha, word))]


def _is_mangled(text: str) -> bool:
    """Returns whether a text is UTF-8 that a program has read as Latin-1 or Windows-1252 and saved again."""
    try:
        data = b"".join(c.encode("latin-1" if c <= "\xff" else "windows-1252") for c in text)
        return not text.isascii() and bool(data.decode("utf-8"))
    except UnicodeError:
        return False


_LOOKS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda text: "\ufffd" in text, "has lost letters (\ufffd); save it again as UTF-8"),
    (lambda text: bool(_LINKS.fullmatch(text)), "holds links of words, which belong in the third column"),
    (lambda text: not any(map(str.isalpha, text)), "has no letters"),
    (_is_mangled, "is UTF-8 that was read as another encoding; save it again as UTF-8"),
    (lambda text: bool(_QUOTED.fullmatch(text.strip())), "is in quotation marks, which stay part of each sentence"),
)
