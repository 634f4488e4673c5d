"""Links between the words of a pair: which source word each target word translates."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..corpus import Pair, as_pairs
from ..spelling import normalize
from ..text import find_words

Words = tuple[list[str], list[str]]  # of both sentences of a pair

Link = tuple[int, int]  # (source word, target word)
_MANY = 10  # pairs with links, of which one should link a first word
_LINK = re.compile(r"(?:([SP]):)?([0-9]+)-([0-9]+)(?::(0|1|[01]?\.[0-9]+))?")
_STARTS_LIKE_LINKS = re.compile(r"\s*[SP]?:?[0-9]+-[0-9]")


def pair_words(pair: Sequence[str]) -> Words:
    """Returns the words of both sentences of a pair, whose positions alignments count; the source is in lower case."""
    source = [word.group() for word in find_words(normalize(pair[0], fold_case=True))]
    target = [word.group() for word in find_words(normalize(pair[1]))]
    return source, target


def read_links(text: str) -> tuple[frozenset[Link], frozenset[Link]]:
    """Returns the sure links, and the possible ones, which include them, from text such as `0-1 S:2-2 P:2-3`.

    A link may end in its probability, as aligners write it: `2-3:0.95` is sure, and below 0.5 possible.

    Raises:
        ValueError: something is not a link, or there is none.
    """
    sure: set[Link] = set()
    possible: set[Link] = set()
    for link in text.split():
        match = _LINK.fullmatch(link)
        if not match:
            raise ValueError(f"link {link!r}")
        kind, source, target, probability = match.groups()
        is_sure = kind != "P" and float(probability or 1) >= 0.5
        (sure if is_sure else possible).add((int(source), int(target)))
    if not sure | possible:
        raise ValueError("no links")
    return frozenset(sure), frozenset(sure | possible)


def given_links(pairs: Iterable[Sequence[str]]) -> list[set[Link]]:
    """Returns the links that a corpus such as the phrasebook gives in its third column.

    They are the sure links and, for target words without one, the possible links. A pair with an empty column has no
    links. The list is empty if fewer than half of the pairs have usable links there; `read_given_links` says why.

    Raises:
        ValueError: most pairs have links, and one has something else or a link outside its sentences; the message names
            its sentences.
    """
    return read_given_links(as_pairs(pairs))[0]


def read_given_links(pairs: Sequence[Pair]) -> tuple[list[set[Link]], str]:
    """Returns the links as `given_links`, and why those that are there cannot be used, else an empty text."""
    columns = [_read_column(pair) for pair in pairs]
    usable = [column.links for column in columns if not column.problem]
    outside = [(pair, column) for pair, column in zip(pairs, columns, strict=True) if column.is_outside]
    num_given, half = len(usable) + len(outside), max(1, len(pairs) / 2)
    if not num_given:
        return [], ""
    if num_given < half:
        return [], f"{num_given:,} of {len(pairs):,} pairs have some, fewer than half"
    if len(usable) < half:
        pair, column = outside[0]
        example = f"such as {pair.source!r}, {pair.target!r}: {column.problem}"
        return [], f"{len(outside):,} pairs have one that does not fit, {example}"
    if num_given >= _MANY and all(min(link) > 0 for links in usable for link in links):
        return [], "no word has the number 0; words are counted from 0"
    for pair, column in zip(pairs, columns, strict=True):
        if column.problem and pair.attribution.strip():
            raise ValueError(f"links of {pair.source!r}, {pair.target!r}: {column.problem}")
    return [column.links for column in columns], ""


class _Column(NamedTuple):
    """The third column of a pair: its links; or what is wrong, and whether that is a link to a word not there."""

    links: set[Link]
    problem: str = ""
    is_outside: bool = False


def _read_column(pair: Pair) -> _Column:
    if not _STARTS_LIKE_LINKS.match(pair.attribution):  # tens of thousands of attributions, and no error for each
        return _Column(set(), f"link {pair.attribution.partition(' ')[0]!r}")
    try:
        sure, possible = read_links(pair.attribution)
    except ValueError as error:
        return _Column(set(), str(error))
    source, target = pair_words(pair)
    if any(i >= len(source) or j >= len(target) for i, j in possible):
        words = f"which have {len(source)} and {len(target)} words, counted from 0"
        return _Column(set(), f"one is outside the sentences, {words}", is_outside=True)
    with_sure = {target for _, target in sure}
    return _Column({*sure, *(link for link in possible if link[1] not in with_sure)})
