"""Pairs of sentences: read them, and split them without a leak. `fetch` finds or downloads them.

The corpus is the Anki collection of www.manythings.org/anki, made from Tatoeba (CC-BY 2.0 France). One English
sentence has several Marathi ones, so a split by pair would leak most test sentences into training; the split here
keeps every sentence, of either language, on one side.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .spelling import PUNCTUATION, normalize

_WORD = re.compile(f"[^ {re.escape(PUNCTUATION)}'-]+")


class Pair(NamedTuple):
    """An English sentence, its translation, and where the two come from (in the phrasebook, their links)."""

    source: str
    target: str
    attribution: str = ""


class Split(NamedTuple):
    """About 90 %, 5 % and 5 % of the pairs."""

    train: list[Pair]
    dev: list[Pair]
    test: list[Pair]


def sentence_key(text: str) -> str:
    """Returns what all spellings of a sentence have in common: its words, without case, punctuation and spacing."""
    text = normalize(text, fold_case=True)
    return " ".join(_WORD.findall(text)) or text


def split_pairs(pairs: Iterable[Pair]) -> Split:
    """Splits pairs into train, dev and test so that no sentence of either language is on two sides.

    The hash of its key decides where a group of `group_keys` goes, so that the order and size of the file and repeated
    pairs change nothing, and no seed is involved. The given order is kept.
    """
    pairs = list(pairs)
    return _split_by_hash(pairs, group_keys(pairs))


def group_keys(pairs: Sequence[Pair]) -> list[str]:
    """Returns for each pair the key of its group.

    Pairs that share an English or a translated sentence (by `sentence_key`) are in one group, also if other pairs
    connect them. A group's key is the first, in order of code points, of its English sentences' keys.
    """
    sources = [sentence_key(pair.source) for pair in pairs]
    parent: dict[str, str] = {}  # of a source: another of its group, nearer to the leader
    first_source: dict[str, str] = {}  # of a target

    def leader(source: str) -> str:
        while parent.setdefault(source, source) != source:
            parent[source] = source = parent[parent[source]]
        return source

    for source, pair in zip(sources, pairs, strict=True):
        one, other = leader(source), leader(first_source.setdefault(sentence_key(pair.target), source))
        parent[max(one, other)] = min(one, other)  # the leader depends on the group's content alone
    return [leader(source) for source in sources]


def split_by_pair(pairs: Iterable[Pair]) -> Split:
    """Splits pair by pair, as is usual and wrong: most test sentences then occur in training too.

    Provided only to measure how much such a split inflates scores.
    """
    pairs = list(pairs)
    return _split_by_hash(pairs, [f"{pair.source}\t{pair.target}" for pair in pairs])


def _split_by_hash(pairs: Iterable[Pair], keys: Iterable[str]) -> Split:
    split = Split([], [], [])
    for pair, key in zip(pairs, keys, strict=True):
        percentile = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % 100
        (split.train if percentile < 90 else split.dev if percentile < 95 else split.test).append(pair)
    return split


def add_training_pairs(split: Split, extra: Iterable[Pair]) -> Split:
    """Returns the split with more training pairs: those of `extra` that training lacks.

    A pair with a sentence of dev or test on either side, by its `sentence_key`, is left out.
    """
    held_out = {sentence_key(pair[side]) for pair in (*split.dev, *split.test) for side in (0, 1)}
    present = {pair[:2] for pair in split.train}
    new = [pair for pair in extra if pair[:2] not in present]
    return split._replace(train=[*split.train, *(p for p in new if held_out.isdisjoint(map(sentence_key, p[:2])))])


def corpus_hash(pairs: Iterable[Pair]) -> str:
    """Returns the sha256, in hexadecimal, of the pairs' sentences in their order."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(f"{pair.source}\t{pair.target}\n".encode())
    return digest.hexdigest()
