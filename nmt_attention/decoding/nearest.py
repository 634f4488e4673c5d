"""The word that a typing error was perhaps meant to be: known to the model, and one letter or two swapped ones away."""

import re
from collections.abc import Collection, Iterator, Mapping

from ..spelling import SPACE
from .typed import WORDS

_WORD = re.compile(r"(?<![\w'’.@#/-])[a-z]{3,}(?![\w'’@/-])")  # in small letters; with a capital it may be a name
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def unknown_words(text: str, known: Collection[str]) -> Iterator[str]:
    """Yields the words of a text, in small letters alone, that training had not."""
    return (word for word in _WORD.findall(text) if word not in known and word not in WORDS)


def nearest_word(typed: str, known: Collection[str], ids: Mapping[str, int]) -> str:
    """Returns the known word that differs in one letter, or has two neighbours swapped; "" if there is none.

    Args:
        typed: in small letters.
        known: the words of training, in small letters.
        ids: of the source's pieces, the frequent ones first: of several words, the frequent one wins.
    """
    splits = [(typed[:i], typed[i:]) for i in range(len(typed) + 1)]
    ways = (  # swapped letters first, then one too few, then one too many or another one
        {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1},
        {a + letter + b for a, b in splits for letter in _LETTERS},
        {a + letter + b[1:] for a, b in splits if b for letter in (*_LETTERS, "")},
    )
    found = next(filter(None, ([word for word in way if word in known] for way in ways)), [])
    return min(found, key=lambda word: (ids.get(SPACE + word, len(ids)), word), default="")
