"""Statistical word alignment: which words of a pair translate each other, learned from pairs, without a network.

A hidden Markov model writes the target sentence word by word. Before each word it moves to a source position, more
often to a near one than to a far one, and writes a translation of the word there; a few words it writes from nowhere.
Expectation maximisation learns both tables, moves and translations, in both directions. The two directions make
different mistakes, so each learns only from what both believe.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from .spelling import normalize
from .text import WordTokenizer

MAX_JUMP = 12  # positions; longer moves count as this one
STEM = 3  # letters: घर, घरी and घराला are one word here, because most forms of a Marathi word are rare
EMPTY = 0.1  # share of words written from nowhere
ITERATIONS = 5  # of each model
LINK_WEIGHT = 0.3  # from which a link is made
BEST_LINK_WEIGHT = 0.1  # from which a target word is linked with its best source word
DIRECTIONS = {"both": 0.5, "forward": 1.0, "backward": 0.0}  # share of the forward direction
_ROWS = 4000  # pairs at a time
_FLOOR = 1e-9  # probability of a translation never seen


def pair_words(pair: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns the words of both sentences of a pair, as alignments count them: the source's case folded."""
    return WordTokenizer.split(normalize(pair[0], fold_case=True)), WordTokenizer.split(normalize(pair[1]))


class Aligner:
    """Aligns words with IBM model 1 and a hidden Markov model in both directions, trained to agree.

    Args:
        pairs: (source, target) or `Pair`s to learn from: training pairs alone, if held-out pairs are to be aligned
            as fairly as a model translates them.

    Source: Brown et al. 1993 (IBM model 1); Vogel, Ney & Tillmann 1996 (HMM); Och & Ney 2003, section 2.1 (the empty
    word); Liang, Taskar & Klein 2006, "Alignment by Agreement", eq. 6 (each direction's posteriors times the other's).
    """

    def __init__(self, pairs: Iterable[Sequence[str]]) -> None:
        words = [pair_words(pair) for pair in pairs]
        self.source_ids, self.target_ids = (_number(side) for side in zip(*words, strict=True)) if words else ({}, {})
        groups = [ids for _, ids in self._groups(words)]
        self.forward = _Direction(groups, len(self.target_ids) + 1)
        self.backward = _Direction([(target, source) for source, target in groups], len(self.source_ids) + 1)
        for _ in range(ITERATIONS):
            for direction in (self.forward, self.backward):
                direction.learn(direction.model1(places) for places in direction.places)
        for _ in range(ITERATIONS):
            self._learn_by_agreement()

    def _learn_by_agreement(self) -> None:
        both, moves = [], [np.zeros(2 * MAX_JUMP + 1) for _ in range(2)]
        for places, turned in zip(self.forward.places, self.backward.places, strict=True):
            forward = self.forward.posteriors(places, moves[0])  # (B, T, S)
            backward = self.backward.posteriors(turned, moves[1])  # (B, S, T)
            both.append(forward * np.swapaxes(backward, 1, 2))
        self.forward.learn(map(_with_empty, both), moves[0])
        self.backward.learn((_with_empty(np.swapaxes(posteriors, 1, 2)) for posteriors in both), moves[1])

    def _groups(self, words):
        """Yields numbers of pairs of equal lengths, and their ids, `(B, S)` and `(B, T)`; a word never seen is 0."""
        rows = defaultdict(list)
        for number, (source, target) in enumerate(words):
            if source and target:
                rows[len(source), len(target)].append(number)
        for numbers in rows.values():
            for start in range(0, len(numbers), _ROWS):
                some = numbers[start : start + _ROWS]
                source = [[self.source_ids.get(word[:STEM], 0) for word in words[i][0]] for i in some]
                target = [[self.target_ids.get(word[:STEM], 0) for word in words[i][1]] for i in some]
                yield some, (np.array(source), np.array(target))

    def posteriors(self, pairs: Iterable[Sequence[str]]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Returns both directions' beliefs for each pair, two arrays `(T, S)` in [0, 1].

        In the first, row t says where target word t comes from and sums to 1 or less, the rest being from nowhere. In
        the second, column s says what source word s becomes.
        """
        words = [pair_words(pair) for pair in pairs]
        found = [(np.zeros((len(target), len(source))),) * 2 for source, target in words]
        for numbers, (source, target) in self._groups(words):
            forward = self.forward.posteriors(self.forward.look_up(source, target))
            backward = self.backward.posteriors(self.backward.look_up(target, source))
            for row, number in enumerate(numbers):
                found[number] = forward[row], backward[row].T
        return found

    def weights(self, pairs: Iterable[Sequence[str]], direction: str = "both") -> list[np.ndarray]:
        """Returns a heatmap `(T, S)` in [0, 1] of each pair: the beliefs of one direction, or the mean of both.

        Args:
            pairs: (source, target) or `Pair`s.
            direction: "both", "forward" or "backward".

        Raises:
            ValueError: there is no such direction.
        """
        if direction not in DIRECTIONS:
            raise ValueError(f"direction: expected one of {', '.join(DIRECTIONS)}, got {direction!r}")
        share = DIRECTIONS[direction]
        return [share * forward + (1 - share) * backward for forward, backward in self.posteriors(pairs)]

    def align(self, pairs: Iterable[Sequence[str]], direction: str = "both") -> list[set[tuple[int, int]]]:
        """Returns the links (source word, target word) of each pair.

        A link has a weight of at least 0.3; the best one of a target word only needs 0.1. Args: as in `weights`.
        """
        return [_links(weights) for weights in self.weights(pairs, direction)]


class _Direction:
    """One direction: what each source word becomes, and how far the next word's position is from the last one's.

    A pair of a source and a target word that ever occurred together has a place in `keys` and a probability there.
    Source id 0 is the empty word in training and, like target id 0, any word never seen afterwards.
    """

    def __init__(self, groups, vocabulary_size: int) -> None:
        self.vocabulary_size = vocabulary_size
        keys = [self._keys(source, target) for source, target in groups]
        self.keys = np.unique(np.concatenate([np.zeros(1, int), *(key.ravel() for key in keys)]))
        self.places = [np.searchsorted(self.keys, key) for key in keys]
        self.probabilities = np.ones(len(self.keys))
        self.jumps = np.ones(2 * MAX_JUMP + 1)

    def _keys(self, source, target):
        source = np.pad(source, ((0, 0), (1, 0)))  # the empty word is position 0
        return source[:, np.newaxis] * self.vocabulary_size + target[:, :, np.newaxis]  # (B, T, 1 + S)

    def look_up(self, source, target):
        """Returns the places of all pairs of words `(B, T, 1 + S)`; that of one never seen is the last."""
        keys = self._keys(source, target)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places, len(self.keys))

    def learn(self, posteriors, moves=None) -> None:
        """Makes the tables from expected counts: posteriors `(B, T, 1 + S)` of every group, and of moves."""
        counts = np.zeros(len(self.keys))
        for places, expected in zip(self.places, posteriors, strict=True):
            counts += np.bincount(places.ravel(), expected.ravel(), len(counts))
        counts = counts**2 / (counts + 0.5)  # half of an occurrence is discounted: rare words meet many by chance
        totals = np.bincount(self.keys // self.vocabulary_size, counts)[self.keys // self.vocabulary_size]
        self.probabilities = np.maximum(counts / np.maximum(totals, _FLOOR), _FLOOR)
        if moves is not None:
            self.jumps = moves + 1e-3 * (moves.sum() + 1)

    def model1(self, places):
        """Returns the posteriors `(B, T, 1 + S)` where every position is as probable as every other: IBM model 1."""
        weights = self._emissions(places)  # (B, T, 1 + S)
        positions = weights.shape[2] - 1
        weights *= np.array([EMPTY] + [(1 - EMPTY) / positions] * positions)
        return weights / weights.sum(axis=2, keepdims=True)

    def _emissions(self, places):
        return np.append(self.probabilities, _FLOOR)[places]

    def posteriors(self, places, moves=None):
        """Returns the posteriors `(B, T, S)` of the hidden Markov model, by the forward and backward recursions.

        A word from nowhere leaves the position where it was. `moves`, if given, gains the expected count of each jump.
        """
        weights = self._emissions(places)
        nowhere, here = weights[:, :, :1] * EMPTY, weights[:, :, 1:] * (1 - EMPTY)  # (B, T, 1), (B, T, S)
        rows, steps, width = here.shape
        distances = np.clip(np.arange(width) - np.arange(width)[:, np.newaxis], -MAX_JUMP, MAX_JUMP) + MAX_JUMP
        transition = self.jumps[distances]
        transition /= transition.sum(axis=1, keepdims=True)  # (S, S)
        posteriors, reached, totals = np.empty_like(here), np.empty_like(here), np.empty_like(nowhere)
        position = np.full((rows, width), 1 / width)
        for t in range(steps):
            arrived = (position @ transition if t else position) * here[:, t]
            position = arrived + position * nowhere[:, t]
            totals[:, t] = position.sum(axis=1, keepdims=True)
            posteriors[:, t] = arrived / totals[:, t]
            reached[:, t] = position = position / totals[:, t]
        future = np.ones((rows, width))
        for t in reversed(range(steps)):
            posteriors[:, t] *= future
            after = here[:, t] * future / totals[:, t]
            if t and moves is not None:
                expected = transition * (reached[:, t - 1].T @ after)
                moves += np.bincount(distances.ravel(), expected.ravel(), len(moves))
            future = after @ transition.T + future * nowhere[:, t] / totals[:, t]
        return posteriors


def _number(sentences):
    """Returns an id from 1 on for each stem."""
    stems = sorted({word[:STEM] for sentence in sentences for word in sentence})
    return {stem: number for number, stem in enumerate(stems, start=1)}


def _with_empty(posteriors):
    """Returns posteriors `(B, T, S)` with what each row leaves for the empty word in front, `(B, T, 1 + S)`."""
    rest = np.maximum(1 - posteriors.sum(axis=2, keepdims=True), 0)
    return np.concatenate([rest, posteriors], axis=2)


def _links(weights: np.ndarray) -> set[tuple[int, int]]:
    best = weights == weights.max(axis=1, keepdims=True, initial=0)
    made = (weights >= LINK_WEIGHT) | best & (weights >= BEST_LINK_WEIGHT)
    return {(int(source), int(target)) for target, source in np.argwhere(made)}
