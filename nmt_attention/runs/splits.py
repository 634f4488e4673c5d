"""Training, dev and test pairs: drawn from the corpus, or given by the user in part or as a whole."""

import logging
from collections.abc import Mapping, Sequence

from ..corpus import Pair, Split, add_training_pairs, group_keys, sentence_key, split_pairs
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
        return _checked(part_of("split", kind)(pairs), pairs, kind), {}
    _check_given(given, kind)
    test = list(given.get("test", []))
    rest = remaining(pairs, given)
    if "dev" not in given:
        logger.info(
            "test: %s pairs are given; %s pairs of the corpus have a sentence of theirs and are left out",
            f"{len(test):,}",
            f"{len(pairs) - len(rest):,}",
        )
        drawn = split_pairs(rest)
        split = Split([*drawn.train, *drawn.test], drawn.dev, test)
        return _checked(split, rest, kind), {"test": {"left_out_of_corpus": len(pairs) - len(rest)}}
    split, about = Split(list(pairs), list(given["dev"]), test), {}
    known = {sentence_key(pair[side]) for pair in pairs for side in (0, 1)}
    for name, part in given.items():
        shared = sum(not known.isdisjoint(map(sentence_key, pair[:2])) for pair in part)
        logger.info("%s: %s of %s given pairs share a sentence with training", name, f"{shared:,}", f"{len(part):,}")
        about[name] = {"shared_with_training": shared}
    if not test:
        logger.info("test: none is given, so only dev is scored, on which the best epoch is chosen")
    return split, about


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
    if len(given) > 1 and [pair[:2] for pair in given["dev"]] == [pair[:2] for pair in given["test"]]:
        raise ValueError("test: these are the pairs of dev, on which the best epoch is chosen; give others or none")


def _checked(split: Split, pairs: Sequence[Pair], kind: str) -> Split:
    """Returns a split, having made sure that no part is empty."""
    for name, part in split._asdict().items():
        if not part:
            groups = len(set(group_keys(pairs)))
            if kind == "group" and groups < len(pairs):
                why = f"{len(pairs):,} pairs share so many sentences that they form too few groups ({groups:,})"
                raise ValueError(f"corpus: {why}; the {name} split is empty")
            raise ValueError(f"corpus: {len(pairs):,} pairs are too few; the {name} split is empty")
    return split
