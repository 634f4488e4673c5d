"""English glosses of Marathi word forms, for readers who know no Marathi: घेतला is *took*."""

import functools
import re

from ..disk.pairs import DATA_DIRECTORY
from ..spelling import normalize

GLOSSES = "glosses.tsv"  # in the data directory; `tools/data/glosses.py` writes it
# Endings that agree with another word, and mean the same: of genitives, past, present and participles.
AGREEING = "चा ची चं चे च्या", "ला ली लं ले ल्या", "तो ते तं तात", "णार णारा णारी णारं णारे णाऱ्या", "लेला लेली लेलं लेले लेल्या"
_TWO_LETTERS = re.compile("[अ-ह].*[अ-ह].*(?<!्)")  # of a stem: a shorter one may be another word's


@functools.cache
def read_glosses() -> dict[str, str]:
    """Returns the gloss of every form that has one. A form has only one, whatever it means in a sentence.

    A form that the file lacks has the gloss of another that differs in agreement alone: बाबांचं as बाबांचा is *Dad's*.
    """
    lines = (DATA_DIRECTORY / GLOSSES).read_text(encoding="utf-8").splitlines()
    written = {form: gloss for form, gloss in (line.split("\t") for line in lines)}
    agreeing: dict[str, str] = {}
    for endings in map(str.split, AGREEING):
        for form, meaning in written.items():
            stems = {form.removesuffix(ending) for ending in endings if form.endswith(ending)}
            for stem in filter(_TWO_LETTERS.fullmatch, stems):
                for ending in endings:
                    agreeing.setdefault(stem + ending, meaning)
    return dict(sorted((agreeing | written).items()))


def gloss(word: str) -> str:
    """Returns an English word for a Marathi word form, or "" if there is none."""
    return read_glosses().get(normalize(word), "")
