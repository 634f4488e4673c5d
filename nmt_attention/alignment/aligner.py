"""Statistical word alignment: which words of a pair translate each other, learned from pairs, without a network.

A hidden Markov model generates the target sentence word by word. Before each word it moves to a source position, more
often to a near one than to a far one, and generates a translation of the word there; a few words have no source word.
Expectation maximisation learns both tables, moves and translations, in both directions. The two directions make
different mistakes, so the product of both directions' posteriors says which links both find probable, and each
direction learns its translations from it. What the product of a word's row lacks to 1 counts for the empty word.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ..corpus import Pair, as_pairs
from .links import Link, Words, pair_words

logger = logging.getLogger(__name__)

MAX_JUMP = 12  # positions; all longer moves share a probability
STEM = 3  # characters: घरात, घराला and घराचं are one word here, because most forms of a Marathi word are rare
LEARN_WORDS, MOST_WORDS = 100, 1_000  # longest side of a pair to learn from, and of one to align
EMPTY = 0.1  # fraction of words without a source word
ITERATIONS = 5  # for each of the two models
LINK_WEIGHT = 0.3  # minimum weight of a link
BEST_LINK_WEIGHT = 0.1  # minimum weight of a link between a target word and its best source word
SURER = 1.2  # in good corpora of 300 pairs and more it is 2 to 8 times as sure as in shuffled ones
DIRECTIONS = {"both": 0.5, "forward": 1.0, "backward": 0.0}  # weight of the forward direction
_ROWS = 4000  # pairs at a time
_FLOOR = 1e-9  # probability of a translation never seen


def _tell(number: int, what: str) -> None:
    logger.info("aligner: %s, pass %d of %d", what, number, ITERATIONS, extra={"transient": True})


class Aligner:
    """Aligns words with IBM model 1 and a hidden Markov model in both directions, trained to agree.

    Args:
        pairs: (source, target) or `Pair`s to learn from. Use training pairs only, to compare with a model on held-out
            pairs. Those with a side of more than 100 words are left out, as training leaves them out.

    Raises:
        TypeError: `pairs` holds something else.

    Source: Brown et al. 1993 (IBM model 1); Vogel, Ney & Tillmann 1996 (HMM); Och & Ney 2003, section 2.1 (the empty
    word); Liang, Taskar & Klein 2006, "Alignment by Agreement", eq. 6 (each direction's posteriors times the other's).
    """

    def __init__(self, pairs: Iterable[Sequence[str]]) -> None:
        all_words = [pair_words(pair) for pair in as_pairs(pairs)]
        words = [words for words in all_words if max(map(len, words)) <= LEARN_WORDS]
        if left_out := len(all_words) - len(words):
            why = f"a side has more than {LEARN_WORDS} words"
            logger.info(f"{left_out:,} of {len(all_words):,} pairs teach the aligner nothing: {why}")
        self.source_ids = _number(source for source, _ in words)
        self.target_ids = _number(target for _, target in words)
        groups = [ids for _, ids in self._groups(words)]
        self.forward = _Direction(groups, len(self.target_ids) + 1)
        self.backward = _Direction([(target, source) for source, target in groups], len(self.source_ids) + 1)
        for number in range(1, ITERATIONS + 1):
            _tell(number, "words")
            for direction in (self.forward, self.backward):
                direction.learn(direction.model1(places) for places in direction.places)
        for number in range(1, ITERATIONS + 1):
            _tell(number, "words and places")
            self._learn_by_agreement()

    def _learn_by_agreement(self) -> None:
        """Does one iteration of the hidden Markov model, with the product of both directions' posteriors."""
        both, moves = [], [np.zeros(2 * MAX_JUMP + 1) for _ in range(2)]
        for places, turned in zip(self.forward.places, self.backward.places, strict=True):
            forward = self.forward.posteriors(places, moves[0])  # (B, T, S)
            backward = self.backward.posteriors(turned, moves[1])  # (B, S, T)
            both.append(forward * np.swapaxes(backward, 1, 2))
        self.forward.learn(map(_with_empty, both), moves[0])
        self.backward.learn((_with_empty(np.swapaxes(posteriors, 1, 2)) for posteriors in both), moves[1])

    def _groups(self, words: Sequence[Words]) -> Iterator[tuple[list[int], tuple[np.ndarray, np.ndarray]]]:
        """Yields numbers of pairs of equal lengths, and their ids, `(B, S)` and `(B, T)`; a word never seen is 0."""
        by_lengths = defaultdict(list)
        for number, (source, target) in enumerate(words):
            if source and target:
                by_lengths[len(source), len(target)].append(number)
        for numbers in by_lengths.values():
            for start in range(0, len(numbers), _ROWS):
                group = numbers[start : start + _ROWS]
                source_ids = [[self.source_ids.get(word[:STEM], 0) for word in words[i][0]] for i in group]
                target_ids = [[self.target_ids.get(word[:STEM], 0) for word in words[i][1]] for i in group]
                yield group, (np.array(source_ids), np.array(target_ids))

    def posteriors(self, pairs: Iterable[Sequence[str]]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Returns the posteriors of both directions for each pair, two arrays `(T, S)` in [0, 1].

        In the first, row t is the distribution of target word t over source words. It sums to 1 or less; the rest is
        the probability that there is no source word. In the second, column s is the distribution of source word s over
        target words.

        Raises:
            TypeError: `pairs` holds something else than pairs.
            ValueError: a pair has a side of more than 1,000 words; the message has its number.
        """
        pairs = as_pairs(pairs)
        words = [pair_words(pair) for pair in pairs]
        for number, sides in enumerate(words, start=1):
            if (longest := max(map(len, sides))) > MOST_WORDS:
                what = f"expected at most {MOST_WORDS:,} words a side, got {longest:,}"
                raise ValueError(f"pair {number}: {what}: {pairs[number - 1].source:.60}")
        weights = [(np.zeros((len(target), len(source))),) * 2 for source, target in words]
        for numbers, (source, target) in self._groups(words):
            forward = self.forward.posteriors(self.forward.look_up(source, target))
            backward = self.backward.posteriors(self.backward.look_up(target, source))
            for row, number in enumerate(numbers):
                weights[number] = forward[row], backward[row].T
        return weights

    def weights(self, pairs: Iterable[Sequence[str]], direction: str = "both") -> list[np.ndarray]:
        """Returns a heatmap `(T, S)` in [0, 1] for each pair: the posteriors of one direction, or the mean of both.

        Args:
            pairs: (source, target) or `Pair`s.
            direction: "both", "forward" or "backward".

        Raises:
            TypeError, ValueError: as `posteriors`; or there is no such direction.
        """
        if direction not in DIRECTIONS:
            raise ValueError(f"direction: expected one of {', '.join(DIRECTIONS)}, got {direction!r}")
        weight = DIRECTIONS[direction]
        return [weight * forward + (1 - weight) * backward for forward, backward in self.posteriors(pairs)]

    def align(self, pairs: Iterable[Sequence[str]], direction: str = "both") -> list[set[Link]]:
        """Returns the links (source word, target word) of each pair.

        See `links_by_weight`. Args, errors: as in `weights`.
        """
        return [links_by_weight(weights) for weights in self.weights(pairs, direction)]

    def tells_from_shuffled(self, pairs: Sequence[Pair]) -> bool:
        """Returns whether it is surer of the links in pairs than of those in the same sources with others' targets.

        If not, the sides of the corpus do not belong together: they are shifted, for example, or all targets are one.
        The pairs must be others than those it has learned from, which it knows by heart. Less than 30 say nothing.
        """
        some = [pair for pair in pairs[:: -(-len(pairs) // 400) or 1] if len(pair.source + pair.target) < MOST_WORDS]
        half = len(some) // 2
        others = some[half:] + some[:half]
        shuffled = [Pair(pair.source, other.target) for pair, other in zip(some, others, strict=True)]

        def certainty(pairs: Sequence[Pair]) -> float:
            both = [forward * backward for forward, backward in self.posteriors(pairs)]  # each (T, S)
            return sum(links.max(axis=1).mean() for links in both if links.size)

        return len(some) < 30 or certainty(some) > SURER * certainty(shuffled)


class _Direction:
    """One direction: probabilities of translations, and of the distance between the positions of successive words.

    A source and a target word that occur together in a pair have a place in `keys` and a probability at that place.
    Source id 0 is the empty word in training; afterwards ids 0 on both sides also stand for words never seen.
    """

    def __init__(self, groups: Sequence[tuple[np.ndarray, np.ndarray]], vocabulary_size: int) -> None:
        self.vocabulary_size = vocabulary_size
        keys = [self._keys(source, target) for source, target in groups]
        self.keys = np.unique(np.concatenate([np.zeros(1, int), *(key.ravel() for key in keys)]))
        self.places = [np.searchsorted(self.keys, key) for key in keys]
        self.probabilities = np.ones(len(self.keys))
        self.jumps = np.ones(2 * MAX_JUMP + 1)

    def _keys(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Returns the key of each pair of words, `(B, T, 1 + S)`, from ids `(B, S)` and `(B, T)`."""
        source = np.pad(source, ((0, 0), (1, 0)))  # the empty word is position 0
        return source[:, np.newaxis] * self.vocabulary_size + target[:, :, np.newaxis]  # (B, T, 1 + S)

    def look_up(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Returns the places of all pairs of words, `(B, T, 1 + S)`; a pair never seen has the last place."""
        keys = self._keys(source, target)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places, len(self.keys))

    def learn(self, posteriors: Iterable[np.ndarray], moves: np.ndarray | None = None) -> None:
        """Makes the tables from expected counts: from posteriors `(B, T, 1 + S)` of every group, and from moves."""
        counts = np.zeros(len(self.keys))
        for places, expected in zip(self.places, posteriors, strict=True):
            counts += np.bincount(places.ravel(), expected.ravel(), len(counts))
        # discounts half an occurrence, because rare words occur with many others by chance
        counts = counts**2 / (counts + 0.5)
        totals = np.bincount(self.keys // self.vocabulary_size, counts)[self.keys // self.vocabulary_size]
        self.probabilities = np.maximum(counts / np.maximum(totals, _FLOOR), _FLOOR)
        if moves is not None:
            self.jumps = moves + 1e-3 * (moves.sum() + 1)

    def model1(self, places: np.ndarray) -> np.ndarray:
        """Returns the posteriors `(B, T, 1 + S)` of IBM model 1, where all positions are equally probable."""
        weights = self._emissions(places)  # (B, T, 1 + S)
        positions = weights.shape[2] - 1
        weights *= np.array([EMPTY] + [(1 - EMPTY) / positions] * positions)
        return weights / weights.sum(axis=2, keepdims=True)

    def _emissions(self, places: np.ndarray) -> np.ndarray:
        """Returns the translation probabilities at places `(B, T, 1 + S)`."""
        return np.append(self.probabilities, _FLOOR)[places]

    def _transition(self, width: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns the index in `jumps` and the probability of moving from each position to each other, `(S, S)`."""
        places = np.arange(width)
        distances = np.clip(places - places[:, np.newaxis], -MAX_JUMP, MAX_JUMP) + MAX_JUMP
        sharing = np.array([np.bincount(row)[row] for row in distances])
        transition = self.jumps[distances] / sharing  # positions that are far away share the probability of being far
        return distances, transition / transition.sum(axis=1, keepdims=True)

    def posteriors(self, places: np.ndarray, moves: np.ndarray | None = None) -> np.ndarray:
        """Returns the posteriors `(B, T, S)` of the hidden Markov model, by the forward and backward recursions.

        A word without a source word leaves the position unchanged. If `moves` is given, the expected count of each jump
        is added to it.
        """
        weights = self._emissions(places)
        nowhere = weights[:, :, :1] * EMPTY  # (B, T, 1)
        here = weights[:, :, 1:] * (1 - EMPTY)  # (B, T, S)
        rows, steps, width = here.shape
        distances, transition = self._transition(width)  # (S, S) each
        posteriors, reached, totals = np.empty_like(here), np.empty_like(here), np.empty_like(nowhere)
        position = np.full((rows, width), 1 / width)  # (B, S): where the word before came from
        for t in range(steps):
            moved = position @ transition if t else position
            arrived = moved * here[:, t]
            position = arrived + position * nowhere[:, t]
            totals[:, t] = position.sum(axis=1, keepdims=True)
            posteriors[:, t] = arrived / totals[:, t]
            reached[:, t] = position = position / totals[:, t]
        future = np.ones((rows, width))  # (B, S): of the words after t
        for t in reversed(range(steps)):
            posteriors[:, t] *= future
            after = here[:, t] * future / totals[:, t]
            if t and moves is not None:
                expected = transition * (reached[:, t - 1].T @ after)  # (S, S)
                moves += np.bincount(distances.ravel(), expected.ravel(), len(moves))
            future = after @ transition.T + future * nowhere[:, t] / totals[:, t]
        return posteriors


def _number(sentences: Iterable[Sequence[str]]) -> dict[str, int]:
    """Returns the id of each stem, counted from 1."""
    stems = sorted({word[:STEM] for sentence in sentences for word in sentence})
    return {stem: number for number, stem in enumerate(stems, start=1)}


def _with_empty(posteriors: np.ndarray) -> np.ndarray:
    """Returns posteriors `(B, T, 1 + S)` from `(B, T, S)`: the empty word in front gets what each row lacks to 1."""
    empty = np.maximum(1 - posteriors.sum(axis=2, keepdims=True), 0)
    return np.concatenate([empty, posteriors], axis=2)


def links_by_weight(weights: np.ndarray) -> set[Link]:
    """Returns the links of a pair from its heatmap `(T, S)`.

    A link has a weight of at least 0.3; the best one of a target word only needs 0.1. Of several that are equally
    good, the best one is that nearest to the diagonal.
    """
    if not weights.size:
        return set()
    steps, width = weights.shape
    rows = np.arange(steps)
    best = weights == weights.max(axis=1, keepdims=True)
    from_diagonal = np.abs(np.arange(width) * steps - rows[:, np.newaxis] * width)
    nearest = np.where(best, from_diagonal, steps * width).argmin(axis=1)
    linked = (weights >= LINK_WEIGHT) & ~best
    linked[rows, nearest] = weights[rows, nearest] >= BEST_LINK_WEIGHT
    targets, sources = np.nonzero(linked)
    return set(zip(sources.tolist(), targets.tolist(), strict=True))
