"""What `rules.tsv` says of Marathi: rows of patterns, and what each of them says or puts in its place."""

import re
from collections.abc import Iterator
from pathlib import Path

from ..preprocess.rules import expand, fill, read_sections
from ..spelling import is_mark, normalize
from ..text import WordTokenizer

_sections, _templates = read_sections(Path(__file__).parent / "rules.tsv")
_fragments = dict(_sections.pop("fragments"))
LETTERS = " ".join(row[0] for row in _sections.pop("letters")).split()  # each before its Latin ones


def _rows(name: str) -> list[tuple[str, str]]:
    (template,) = _templates.get(name, ["{1}"])
    return [(expand(fill(template, [pattern]), _fragments), "".join(said)) for pattern, *said in _sections[name]]


TABLES = {name: _rows(name) for name in _sections}


def what_is_said(table: str, text: str) -> Iterator[set[str]]:
    """Yields the words that a table's rows say, in their order, where their pattern is found in a text."""
    return (set(said.split()) for pattern, said in TABLES[table] if re.search(pattern, text))


def split_words(text: str) -> list[str]:
    """Returns the words of a text, punctuation included."""
    return WordTokenizer.split(normalize(text))


def words_of(text: str) -> list[str]:
    """Returns the words of a text without punctuation."""
    return [word for word in split_words(text) if not is_mark(word)]
