"""Everyday sentences as people type them, of twenty kinds, and how a model translates them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import sacrebleu

from ..disk.pairs import DATA_DIRECTORY
from ..spelling import normalize
from .breakdown import Row, breakdown

EVERYDAY = DATA_DIRECTORY / "everyday.tsv"


class EverydaySentence(NamedTuple):
    """An English sentence, its kind, and right translations, the usual one first; more may be right."""

    english: str
    kind: str
    references: list[str]


class Poor(NamedTuple):
    """A translation that resembles none of its references, and the sentence's first reference."""

    english: str
    text: str
    reference: str
    chrf: float


def read_everyday(path: Path = EVERYDAY) -> list[EverydaySentence]:
    """Reads sentences, one per line: English, kind and references, separated by tabs.

    Raises:
        ValueError: a line lacks a column; the message names it.
    """
    sentences = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        english, *columns = line.split("\t")
        if len(columns) < 2 or not all([english, *columns]):
            raise ValueError(f"{path}, line {number}: expected English, kind and references, separated by tabs")
        sentences.append(EverydaySentence(english, columns[0], columns[1:]))
    return sentences


def by_kind(sentences: Sequence[EverydaySentence], texts: Sequence[str]) -> list[Row]:
    """Returns the scores of the translations of each kind of sentence, in the order of the kinds."""
    kinds = list(dict.fromkeys(sentence.kind for sentence in sentences))
    numbers = [kinds.index(sentence.kind) for sentence in sentences]
    rows = breakdown(texts, [sentence.references for sentence in sentences], numbers, range(len(kinds)))
    return [row._replace(name=kind) for kind, row in zip(kinds, rows, strict=True)]


def worst(sentences: Sequence[EverydaySentence], texts: Sequence[str]) -> list[Poor]:
    """Returns the ten translations with the lowest chrF, the lowest first."""
    chrf = sacrebleu.CHRF()
    found = []
    for (english, _, references), text in zip(sentences, texts, strict=True):
        score = chrf.sentence_score(normalize(text), [normalize(reference) for reference in references]).score
        found.append(Poor(english, text, references[0], score))
    return sorted(found, key=lambda poor: poor.chrf)[:10]
