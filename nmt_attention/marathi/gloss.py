"""English glosses of Marathi word forms, for readers who know no Marathi: घेतला is *took*."""

import functools

from ..disk.pairs import DATA_DIRECTORY
from ..spelling import normalize

GLOSSES = "glosses.tsv"  # in the data directory; `tools/data/glosses.py` writes it


@functools.cache
def read_glosses() -> dict[str, str]:
    """Returns the gloss of every form that has one. A form has only one, whatever it means in a sentence."""
    lines = (DATA_DIRECTORY / GLOSSES).read_text(encoding="utf-8").splitlines()
    return {form: gloss for form, gloss in (line.split("\t") for line in lines)}


def gloss(word: str) -> str:
    """Returns an English word for a Marathi word form, or "" if there is none."""
    return read_glosses().get(normalize(word), "")
