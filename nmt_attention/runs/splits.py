"""The pairs of a run: checked once, split or given in parts by the user, hashed and linked; no TensorFlow."""

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..alignment.links import Link, read_given_links
from ..corpus import Pair, Split, add_training_pairs, sentence_key, sentence_keys, split_pairs
from ..disk.columns import doubts_about
from ..disk.pairs import writable_pairs, write_pairs
from ..metrics import group_references
from ..parts import part_of
from ..preprocess.language import language_of, script_of

logger = logging.getLogger(__name__)
GIVEN = "dev", "test"  # what may be given

Given = Mapping[str, Sequence[Pair]]  # by its name


class Corpus(NamedTuple):
    """A checked and split corpus, what a run asks of it again and again, and what `run.json` says of it."""

    kind: str  # the setting `split`
    split: Split
    size: int  # pairs, without extra and given ones
    links: list[set[Link]]  # that it gives for its training pairs; empty if it gives none
    held_out: set[str]  # `sentence_key`s of dev and test: no pair may become one of these sentences
    references: dict[str, tuple[list[str], list[list[str]]]]  # of dev and test: sources, and all references of each
    about: dict[str, Any]  # target language and its script, hashes and counts of pairs

    def write(self, directory: Path) -> None:
        """Writes `train.tsv`, `dev.tsv` and, if there is a test, `test.tsv`."""
        for name, pairs in self.split._asdict().items():
            if pairs:
                write_pairs(directory / f"{name}.tsv", pairs)


def make_corpus(
    pairs: Iterable[Sequence[str]],
    kind: str = "group",
    extra: Mapping[str, Iterable[Sequence[str]]] | None = None,
    given: Mapping[str, Iterable[Sequence[str]]] | None = None,
) -> Corpus:
    """Checks and splits pairs, and hashes what they are, once for a whole run.

    Args:
        pairs: all pairs, (source, target) or `Pair`s; split here, so that no test sentence is trained on.
        kind: the setting `split`.
        extra: more pairs to train on, by the name of the file that has them; see `add_training_pairs`.
        given: the user's own "dev" pairs, "test" pairs or both, in place of drawn ones. Given dev pairs make the whole
            corpus the training pairs, as in a public benchmark: what it shares with the given parts is counted and
            stays. Given test pairs alone are kept out of the corpus, and dev is drawn from the rest.

    Raises:
        TypeError: an element is no pair.
        ValueError: a sentence is empty; a part would be empty, is unknown, or is given twice; `kind` would have no
            effect; or most pairs have links, and one has something else.
    """
    whole = _looked_at(pairs, "corpus")
    parts = {name: _looked_at(part, name) for name, part in (given or {}).items()}
    more = {name: _looked_at(part, name) for name, part in (extra or {}).items()}
    script = script_of([pair.target for pair in whole])
    about: dict[str, Any] = {"language": language_of(script), "script": script, "corpus_sha256": corpus_hash(whole)}
    split, about["given"] = _split(whole, kind, parts)
    size, about["extra"] = sum(len(part) for name, part in split._asdict().items() if name not in parts), {}
    for name, part in more.items():
        before = len(split.train)
        split = add_training_pairs(split, part)
        about["extra"][name] = added = len(split.train) - before
        left_out = f"{len(part) - added:,} that are there already, or have a sentence of dev or test"
        logger.info("%s: %s more pairs to train on; left out: %s", name, f"{added:,}", left_out)
    about["pairs"] = {name: len(part) for name, part in split._asdict().items()}
    for name, count in about["pairs"].items():
        if not count and not (name == "test" and "dev" in parts):
            why = "are too few, or share too many sentences"
            raise ValueError(f"corpus: {size:,} pairs {why}; the {name} split is empty")
    about["split_sha256"] = hash_split(split)
    links, why_not = read_given_links(split.train)
    if why_not:
        logger.info("the links in the corpus are not used: %s", why_not)
    columns = "\n".join(pair.attribution for pair in split.train)
    about["links_sha256"] = hashlib.sha256(columns.encode()).hexdigest() if links else ""
    references = {name: group_references(pairs) for name, pairs in (("dev", split.dev), ("test", split.test)) if pairs}
    return Corpus(kind, split, size, links, split.held_out(), references, about)


def _looked_at(pairs: Iterable[Sequence[str]], name: str) -> list[Pair]:
    """Returns pairs as the run's files can hold them, and logs what looks wrong with their columns."""
    writable = writable_pairs(pairs, name)
    if doubt := next(doubts_about(writable), ""):
        logger.warning("%s: %s", name, doubt)
    return writable


def _split(pairs: Sequence[Pair], kind: str, given: Given) -> tuple[Split, dict[str, dict[str, int]]]:
    """Returns the split of a corpus, and for each given part how many pairs share a sentence with the corpus."""
    if not given:
        split = part_of("split", kind)(pairs)
        if left_out := len(pairs) - sum(map(len, split)):
            logger.info("train: %s pairs with a sentence of dev or test among others are left out", f"{left_out:,}")
        return split, {}
    for name, part in given.items():
        if name not in GIVEN:
            raise ValueError(f"given: expected {' or '.join(GIVEN)}, got {name!r}")
        if not part:
            raise ValueError(f"{name}: expected pairs, got none")
    if kind != "group":
        raise ValueError(f"split: {kind!r} has no effect if {' and '.join(given)} are given")
    dev, test = (list(given.get(name, [])) for name in GIVEN)
    keys_of_dev, keys_of_test = ({tuple(map(sentence_key, pair[:2])) for pair in part} for part in (dev, test))
    if test and keys_of_test <= keys_of_dev:
        raise ValueError("test: these are pairs of dev, on which the best epoch is chosen; give others or none")
    if dev:
        return Split(list(pairs), dev, test), _shared(pairs, given)
    rest = add_training_pairs(Split([], [], test), pairs).train
    left_out = len(pairs) - len(rest)
    what = "pairs of the corpus have a sentence of theirs and are left out"
    logger.info("test: %s pairs are given; %s %s", f"{len(test):,}", f"{left_out:,}", what)
    drawn = split_pairs(rest)
    split = add_training_pairs(Split([], drawn.dev, test), [*drawn.train, *drawn.test])
    return split, {"test": {"left_out_of_corpus": left_out}}


def _shared(pairs: Sequence[Pair], given: Given) -> dict[str, dict[str, int]]:
    """Counts and logs the given pairs that share a sentence with training, and those of test that do with dev."""
    counts: dict[str, dict[str, int]] = {name: {} for name in given}
    for other, others in (("training", pairs), ("dev", given["dev"])):
        names = [name for name in given if name != other]
        seen = iter(seen_in_training([(pair.source, [pair.target]) for name in names for pair in given[name]], others))
        for name in names:
            counts[name][f"shared_with_{other}"] = shared = sum(next(seen) for _ in given[name])
            count = f"{shared:,} of {len(given[name]):,}"
            logger.info("%s: %s given pairs share a sentence with %s", name, count, other)
    if "test" not in given:
        logger.info("test: none is given, so only dev is scored, on which the best epoch is chosen")
    return counts


def seen_in_training(sentences: Iterable[tuple[str, Sequence[str]]], pairs: Iterable[Pair]) -> list[bool]:
    """Returns for each (source, targets) whether one of its texts occurs in training pairs, alone or among others."""
    trained_on = {key for pair in pairs for text in pair[:2] for key in sentence_keys(text)}
    return [not trained_on.isdisjoint(map(sentence_key, (source, *texts))) for source, texts in sentences]


def corpus_hash(pairs: Iterable[Pair]) -> str:
    """Returns the sha256, in hexadecimal, of the pairs' sentences in their order."""
    return hashlib.sha256("".join(f"{pair[0]}\t{pair[1]}\n" for pair in pairs).encode()).hexdigest()


def hash_split(split: Split) -> dict[str, str]:
    """Returns the hashes of a `Split`'s files, as `run.json` keeps them: a dict of `corpus_hash` by file name."""
    return {f"{name}.tsv": corpus_hash(pairs) for name, pairs in split._asdict().items()}
