"""English glosses of Marathi word forms, for readers who know no Marathi: घेतला is *took*."""

import functools
from collections.abc import Sequence

from ..disk.pairs import DATA_DIRECTORY
from ..spelling import SPACE, has_devanagari, normalize
from .latin import to_latin

GLOSSES = "glosses.tsv"  # in the data directory; `tools/glosses.py` writes it


@functools.cache
def read_glosses() -> dict[str, str]:
    """Returns the gloss of every form that has one. A form has only one, whatever it means in a sentence."""
    lines = (DATA_DIRECTORY / GLOSSES).read_text(encoding="utf-8").splitlines()
    return {form: gloss for form, gloss in (line.split("\t") for line in lines)}


def gloss(word: str) -> str:
    """Returns an English word for a Marathi word form, or "" if there is none."""
    return read_glosses().get(normalize(word), "")


def annotate(words: Sequence[str], romanize: bool, glosses: bool, between: str = " ") -> list[str]:
    """Returns labels for words: those in Devanagari are followed by their Latin letters, their gloss, or both.

    Args:
        words: list of str. Subword pieces get no gloss, because half a word may look like another word.
        romanize: whether to add Latin letters, घेतला ghetlā; see `romanize`.
        glosses: whether to add glosses in brackets, घेतला ghetlā (took).
        between: str between the parts.
    """

    glosses = glosses and not any(SPACE in word for word in words)

    def label(word: str) -> str:
        if not has_devanagari(word):
            return word
        meaning = gloss(word) if glosses else ""
        parts = [word, to_latin(word) if romanize else "", f"({meaning})" if meaning else ""]
        return between.join(part for part in parts if part)

    return [label(word) for word in words]
