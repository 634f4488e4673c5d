"""English glosses of Marathi word forms, for readers who know no Marathi: घेतला is *took*."""

import functools
import re
from collections.abc import Sequence

from ..disk.pairs import DATA_DIRECTORY
from ..spelling import normalize

GLOSSES = "glosses.tsv"  # in the data directory; `tools/data/glosses.py` writes it
_ENDING = re.compile("(?<=[a-z]{3})('s|ing|ed|es|s|e)$")  # of an English word


@functools.cache
def read_glosses() -> dict[str, str]:
    """Returns the gloss of every form that has one; senses have `|` between them, as in *eats|account*."""
    lines = (DATA_DIRECTORY / GLOSSES).read_text(encoding="utf-8").splitlines()
    return {form: gloss for form, gloss in (line.split("\t") for line in lines)}


def gloss(word: str, english: Sequence[str] = (), weights: Sequence[float] = ()) -> str:
    """Returns an English word for a Marathi word form, or "" if there is none.

    Of several senses it is the one with the stem of an English word, of that with the greatest weight; else the first.
    """
    senses = read_glosses().get(normalize(word), "").split("|")
    stems = [stem(sense.split(" ")[-1]) for sense in senses]
    seen = sorted(zip(weights, english, strict=True), key=lambda each: -each[0])
    return next((senses[stems.index(stem(one))] for _, one in seen if stem(one) in stems), senses[0])


def stem(english: str) -> str:
    """Returns an English word in small letters, without its ending: *friend* of *Friends*."""
    return _ENDING.sub("", english.lower())


@functools.lru_cache(2**16)
def meanings(word: str = "") -> frozenset[str]:
    """Returns the stems of all English words of a Marathi word's glosses; without a word, of all glosses."""
    glosses = [read_glosses().get(normalize(word), "")] if word else read_glosses().values()
    return frozenset(stem(each) for gloss in glosses for each in re.split("[| ]", gloss))
