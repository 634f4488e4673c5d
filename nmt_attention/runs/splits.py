"""Training, dev and test pairs: drawn from the corpus, or given by the user in part or as a whole."""

import logging
from collections.abc import Mapping, Sequence

from ..corpus import Pair, Split, add_training_pairs, group_keys, sentence_key, sentence_keys, split_pairs
from ..parts import part_of

logger = logging.getLogger(__name__)
GIVEN = "dev", "test"  # what may be given

Given = Mapping[str, Sequence[Pair]]  # by its name


def make_split(pairs: Sequence[Pair], kind: str, given: Given) -> tuple[Split, dict[str, dict[str, int]]]:
    """Returns the split of a corpus, and for each given part how many pairs share a sentence with the corpus.

    Given dev pairs make the whole corpus the training pairs, as in a public benchmark: what it shares with the given
    parts is counted and stays. Given test pairs alone are kept out of the corpus, and dev is drawn from the rest.

    Args:
        pairs: the corpus.
        kind: the setting `split`.
        given: "dev", "test" or both, or nothing.

    Raises:
        ValueError: a part would be empty; a part is unknown, or given twice; or `kind` would have no effect.
    """
    if not given:
        return _checked(part_of("split", kind)(pairs), pairs), {}
    _check_given(given, kind)
    dev, test = (list(given.get(name, [])) for name in GIVEN)
    if dev:
        return Split(list(pairs), dev, test), _counts(pairs, given)
    rest = remaining(pairs, given)
    left_out = len(pairs) - len(rest)
    what = "pairs of the corpus have a sentence of theirs and are left out"
    logger.info("test: %s pairs are given; %s %s", f"{len(test):,}", f"{left_out:,}", what)
    drawn = split_pairs(rest)
    split = Split([*drawn.train, *drawn.test], drawn.dev, test)
    return _checked(split, rest), {"test": {"left_out_of_corpus": left_out}}


def _counts(pairs: Sequence[Pair], given: Given) -> dict[str, dict[str, int]]:
    """Counts and logs the given pairs that share a sentence with training, and those of test that do with dev."""
    known = {
        name: {key for pair in others for text in pair[:2] for key in sentence_keys(text)}
        for name, others in {"training": pairs, "dev": given["dev"]}.items()
    }
    counts: dict[str, dict[str, int]] = {name: {} for name in given}
    for name, other in (("dev", "training"), ("test", "training"), ("test", "dev")):
        if part := given.get(name):
            shared = sum(not known[other].isdisjoint(map(sentence_key, pair[:2])) for pair in part)
            count = f"{shared:,} of {len(part):,}"
            logger.info("%s: %s given pairs share a sentence with %s", name, count, other)
            counts[name][f"shared_with_{other}"] = shared
    if "test" not in given:
        logger.info("test: none is given, so only dev is scored, on which the best epoch is chosen")
    return counts


def remaining(pairs: Sequence[Pair], given: Given) -> Sequence[Pair]:
    """Returns the pairs of a corpus that training, and the dev that it draws, may have beside the given parts."""
    if "dev" in given or "test" not in given:
        return pairs
    return add_training_pairs(Split([], [], list(given["test"])), pairs).train


def _check_given(given: Given, kind: str) -> None:
    for name, part in given.items():
        if name not in GIVEN:
            raise ValueError(f"given: expected {' or '.join(GIVEN)}, got {name!r}")
        if not part:
            raise ValueError(f"{name}: expected pairs, got none")
    if kind != "group":
        raise ValueError(f"split: {kind!r} has no effect if {' and '.join(given)} are given")
    dev, test = ({tuple(map(sentence_key, pair[:2])) for pair in given.get(name, [])} for name in GIVEN)
    if test and test <= dev:
        raise ValueError("test: these are pairs of dev, on which the best epoch is chosen; give others or none")


def _checked(split: Split, pairs: Sequence[Pair]) -> Split:
    """Returns a split, having made sure that no part is empty."""
    for name, part in split._asdict().items():
        if not part:
            groups = f"{len(set(group_keys(pairs))):,} groups that share no sentence"
            raise ValueError(f"corpus: {len(pairs):,} pairs, in {groups}, are too few; the {name} split is empty")
    return split
