"""Pairs of sentences, and how to split them without a leak. `load_corpus` finds, downloads and reads them.

The corpus is the Anki collection of www.manythings.org/anki, made from Tatoeba (CC-BY 2.0 France). One English
sentence has several Marathi ones, so a split by pair would leak most test sentences into training; the split here
keeps every sentence, of either language, on one side.
"""

import functools
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import regex
import unicodedata2

from .spelling import normalize

_WORD = re.compile("[^ .?!…,:;।॥\"“”„«»‘’–—()[\\]{}'-]+")  # never to change: the split depends on it
_WITHIN = " \u00a0,'’-"  # a sentence
_NOT_IN_KEY, _BETWEEN_SENTENCES = (regex.compile(rf"[^\p{{L}}\p{{M}}\p{{Nd}}{more}]+") for more in ("", _WITHIN))
_NUMBER = re.compile(r"^\d+(?=\D)")
_MOST_PIECES = 4
_folded = functools.lru_cache(1000)(functools.partial(normalize, fold_case=True))


class Pair(NamedTuple):
    """An English sentence, its translation, and where the two come from (in the phrasebook, their links)."""

    source: str
    target: str
    attribution: str = ""


def as_pairs(pairs: Iterable[Sequence[str]], name: str = "pairs") -> list[Pair]:
    """Returns the rows of any iterable, or of a DataFrame, as `Pair`s; a TypeError says which one is no pair."""
    result = []
    rows = pairs.itertuples(index=False) if hasattr(pairs, "itertuples") else pairs
    for n, row in enumerate(rows, 1):
        texts = () if isinstance(row, str | dict) or not hasattr(row, "__getitem__") else tuple(row)
        if len(texts) not in (2, 3) or not all(isinstance(text, str) for text in texts):
            kind = type(row).__name__
            raise TypeError(f"{name}: expected (source, target) pairs, got a {kind} as no. {n}: {row!r:.60}")
        result.append(Pair(*texts))
    return result


class Split(NamedTuple):
    """About 90 %, 5 % and 5 % of the pairs."""

    train: list[Pair]
    dev: list[Pair]
    test: list[Pair]

    def held_out(self) -> set[str]:
        """Returns the `sentence_key`s of dev and test, in both languages: what training may not hold."""
        return {sentence_key(text) for pair in (*self.dev, *self.test) for text in pair[:2]}


def sentence_words(text: str) -> str:
    """Returns the words of a sentence, in small letters, with single spaces: what the split hashes."""
    return " ".join(_WORD.findall(_folded(text))) or _folded(text)


def sentence_key(text: str) -> str:
    """Returns what all spellings of a sentence have in common: its letters and digits, in small letters."""
    folded = _folded(text)
    key = _NOT_IN_KEY.sub("", folded)
    return (key if key.isascii() else unicodedata2.normalize("NFKC", key)) or folded


def sentence_keys(text: str, key: str = "") -> set[str]:
    """Returns the key of a text and those of the sentences in it, so that a sentence is found among others.

    The `sentence_key` of the text may be given, if it is there already.

    A sentence may begin and end at any mark but a comma, an apostrophe and a hyphen, and a number may stand before it.
    Up to four pieces in a row are a sentence as well, because a point need not end one: "Mr. A. B. Patil came."
    """
    keys = {key or sentence_key(text)}
    texts = [piece for piece in _BETWEEN_SENTENCES.split(text) if piece.strip(_WITHIN)]
    if len(texts) > 1:
        pieces = list(map(sentence_key, texts))
        keys.update("".join(pieces[i : i + n]) for i in range(len(pieces)) for n in range(1, _MOST_PIECES + 1))
    return keys | {_NUMBER.sub("", key) for key in keys if key[:1].isdecimal()}


def split_pairs(pairs: Iterable[Sequence[str]]) -> Split:
    """Splits pairs into train, dev and test so that no sentence of either language is on two sides.

    The hash of a group's key decides its part. Training pairs that contain a dev or test sentence are left out.
    """
    pairs = as_pairs(pairs)
    keys = [(sentence_key(pair.source), sentence_key(pair.target)) for pair in pairs]  # for all that follows
    parts = [_part(group) for group in group_keys(pairs, keys)]
    held_out = {key for part, both in zip(parts, keys, strict=True) if part for key in both}
    split = Split([], [], [])
    for pair, part, both in zip(pairs, parts, keys, strict=True):
        if part or _is_unseen(pair, held_out, both):
            split[part].append(pair)
    return split


def group_keys(pairs: Sequence[Pair], keys: Sequence[Sequence[str]] = ()) -> list[str]:
    """Returns for each pair the key of its group.

    Pairs that share an English or a translated sentence (by `sentence_key`) are in one group, also if other pairs
    connect them. A group's key is the first, in order of code points, of its English sentences' `sentence_words`.
    The `sentence_key`s of both sides of the pairs may be given, if they are there already.
    """
    sources: list[str] = []  # the `sentence_words` of each pair
    parent: dict[str, str] = {}  # of a source: another of its group, nearer to the leader
    first_source: tuple[dict[str, str], ...] = {}, {}  # of an English and of a translated sentence's key

    def leader(source: str) -> str:
        while parent.setdefault(source, source) != source:
            parent[source] = source = parent[parent[source]]
        return source

    for pair, both in zip(pairs, keys or (map(sentence_key, pair[:2]) for pair in pairs), strict=True):
        sources.append(source := sentence_words(pair.source))
        for sources_of, key in zip(first_source, both, strict=True):
            if (first := sources_of.setdefault(key, source)) != source:
                one, other = leader(source), leader(first)
                parent[max(one, other)] = min(one, other)  # the leader depends on the group's content alone
    return [leader(source) for source in sources]


def split_by_pair(pairs: Iterable[Sequence[str]]) -> Split:
    """Splits pair by pair, to measure how that inflates scores: most test sentences then occur in training too."""
    split = Split([], [], [])
    for pair in as_pairs(pairs):
        split[_part(f"{pair.source}\t{pair.target}")].append(pair)
    return split


def _part(key: str) -> int:
    """Returns the number of the part of a `Split` that the hash of a key decides; 0 is training."""
    percentile = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % 100
    return 0 if percentile < 90 else 1 if percentile < 95 else 2


def add_training_pairs(split: Split, extra: Iterable[Pair]) -> Split:
    """Returns the split with more training pairs: those of `extra` that training lacks.

    A pair that has a sentence of dev or test on either side, alone or among others, is left out (`sentence_keys`).
    """
    held_out, present = split.held_out(), {pair[:2] for pair in split.train}
    new = [pair for pair in extra if pair[:2] not in present]
    return split._replace(train=[*split.train, *(pair for pair in new if _is_unseen(pair, held_out))])


def _is_unseen(pair: Pair, held_out: set[str], keys: Sequence[str] = ("", "")) -> bool:
    """Returns whether neither side of a pair is or has a sentence with one of these keys."""
    return all(held_out.isdisjoint(sentence_keys(text, key)) for text, key in zip(pair[:2], keys, strict=True))
