"""Links between the words of a pair: which source word each target word translates."""

import re
from collections.abc import Iterable, Sequence

from ..corpus import Pair, as_pairs
from ..spelling import normalize
from ..text import find_words

Words = tuple[list[str], list[str]]  # of both sentences of a pair

Link = tuple[int, int]  # (source word, target word)
_MANY = 10  # pairs with links, of which one should link a first word
_NO_LINKS = ValueError("no links")
_STARTS_LIKE_LINKS = re.compile(r"\s*[SP]?:?[0-9]+-[0-9]")


def pair_words(pair: Sequence[str]) -> Words:
    """Returns the words of both sentences of a pair, whose positions alignments count; the source is in lower case."""
    source, target = ([word.group() for word in find_words(normalize(pair[side], side == 0))] for side in (0, 1))
    return source, target


def read_links(text: str) -> tuple[frozenset[Link], frozenset[Link]]:
    """Returns the sure links, and the possible ones, which include them, from text such as `0-1 S:2-2 P:2-3`.

    Raises:
        ValueError: something is not a link, or there is none.
    """
    sure: set[Link] = set()
    possible: set[Link] = set()
    for link in text.split():
        kind, _, positions = link.rpartition(":")
        if kind not in ("S", "P", ""):
            raise ValueError(f"link {link!r}")
        source, dash, target = positions.partition("-")
        if not (dash and positions.isascii() and source.isdecimal() and target.isdecimal()):
            raise ValueError(f"link {link!r}")
        (possible if kind == "P" else sure).add((int(source), int(target)))
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
    return read_given_links(pairs)[0]


def read_given_links(pairs: Iterable[Sequence[str]]) -> tuple[list[set[Link]], str]:
    """Returns the links as `given_links`, and why those that are there cannot be used, else an empty text."""
    pairs = as_pairs(pairs)
    half = max(1, len(pairs) / 2)
    alike = [_STARTS_LIKE_LINKS.match(pair.attribution) is not None for pair in pairs]
    all_alike = sum(alike) >= half  # else most are not read, because thousands of errors take a second
    read = [_read_given(p) if all_alike or like else _NO_LINKS for p, like in zip(pairs, alike, strict=True)]
    usable = [links for links in read if isinstance(links, set)]
    outside = [(pair, links) for pair, links in zip(pairs, read, strict=True) if isinstance(links, _OutsideError)]
    given = len(usable) + len(outside)
    if given < half:
        return [], f"{given:,} of {len(pairs):,} pairs have some, fewer than half" if given else ""
    if len(usable) < half:
        pair, error = outside[0]
        example = f"such as {pair.source!r}, {pair.target!r}: {error}"
        return [], f"{len(outside):,} pairs have one that does not fit, {example}"
    if given >= _MANY and all(min(link) > 0 for links in usable for link in links):
        return [], "no word has the number 0; words are counted from 0"
    for pair, links in zip(pairs, read, strict=True):
        if isinstance(links, ValueError) and pair.attribution.strip():
            raise ValueError(f"links of {pair.source!r}, {pair.target!r}: {links}") from links
    return [links if isinstance(links, set) else set() for links in read], ""


class _OutsideError(ValueError):
    """A link to a word that its sentence does not have."""


def _read_given(pair: Pair) -> set[Link] | ValueError:
    """Returns the links in a pair's third column, or why there are none."""
    try:
        sure, possible = read_links(pair.attribution)
    except ValueError as error:
        return error
    lengths = [len(words) for words in pair_words(pair)]
    if any(source >= lengths[0] or target >= lengths[1] for source, target in possible):
        words = f"which have {lengths[0]} and {lengths[1]} words, counted from 0"
        return _OutsideError(f"one is outside the sentences, {words}")
    linked = {target for _, target in sure}
    return {*sure, *(link for link in possible if link[1] not in linked)}
