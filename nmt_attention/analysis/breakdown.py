"""Scores of parts of a test set: by length of the source, by words new to it, by number of references."""

import bisect
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..metrics import References, make_bleu, normalize_all, score
from ..spelling import as_texts, normalize
from ..text import WordTokenizer
from .significance import interval, resampled_scores


class Row(NamedTuple):
    """Scores of the sentences whose counts are in one range.

    name: str. The range: a number, or the first and the last number.
    sentences: int. Number of sentences.
    bleu, chrf, exact: float, 0 to 100. As in `Scores`.
    low, high: float. The 95 % bootstrap interval of `bleu`, wide if the sentences are few.
    four_grams: int. As in `Scores`: without any, `bleu` says nothing.
    """

    name: str
    sentences: int
    bleu: float
    chrf: float
    exact: float
    low: float
    high: float
    four_grams: int


def breakdown(
    hypotheses: Iterable[str], references: References, counts: Iterable[int], starts: Sequence[int]
) -> list[Row]:
    """Scores translations in groups of sentences that have a count in the same range.

    Args:
        hypotheses: list of str. One translation of each source.
        references: list of lists of str. All references of each source.
        counts: list of int, one per sentence. Every sentence is in exactly one group.
        starts: increasing tuple of int. First number of each range; the last range has no end.

    Returns:
        List of `Row`, one for each range that holds a sentence.

    Raises:
        ValueError: the lists differ in length, or a count is below the first range.
    """
    hypotheses, references = normalize_all(hypotheses, references)
    counts = list(counts)
    least = min(counts, default=starts[0])
    if len(counts) != len(hypotheses) or least < starts[0]:
        got = f"got {len(counts)} from {least} on"
        raise ValueError(f"counts: expected {len(hypotheses)} of at least {starts[0]}, {got}")
    groups: dict[int, list[int]] = {i: [] for i in range(len(starts))}
    for position, count in enumerate(counts):
        groups[bisect.bisect_right(starts, count) - 1].append(position)
    rows = []
    for i, positions in groups.items():
        if positions:
            texts, targets = [hypotheses[p] for p in positions], [references[p] for p in positions]
            scores = score(texts, targets)
            low, high = interval(resampled_scores(make_bleu(targets), texts, targets)[1])
            numbers = scores.sentences, scores.bleu, scores.chrf, scores.exact, low, high, scores.four_grams
            rows.append(Row(_range_name(starts, i), *numbers))
    return rows


def _range_name(starts: Sequence[int], i: int) -> str:
    """Returns the name of a range: 7+, 3 or 4–6."""
    if i + 1 == len(starts):
        return f"{starts[i]}+"
    last = starts[i + 1] - 1
    return f"{last}" if last == starts[i] else f"{starts[i]}–{last}"


def breakdowns(
    sources: Iterable[str], hypotheses: Iterable[str], references: References, trained_on: Iterable[str]
) -> dict[str, list[Row]]:
    """Scores translations by what makes sentences easy or hard.

    Args: as of `breakdown`, and `trained_on`, the source sentences of the training split, as the corpus has them.

    Returns:
        Dict of lists of `Row`, by what is counted: `length`, the words of the source without punctuation;
        `unseen_words`, those of them in no training sentence; `references`, whose number raises all scores.
    """
    hypotheses, references = normalize_all(hypotheses, references)
    sources = as_texts(sources, "sources")
    known = {word for text in as_texts(trained_on, "trained_on") for word in source_words(text)}
    words = [source_words(text) for text in sources]
    lengths = [max(1, len(sentence)) for sentence in words]  # a lone "?" is a word here
    unseen = [sum(word not in known for word in sentence) for sentence in words]
    return {
        "length": breakdown(hypotheses, references, lengths, (1, 4, 7, 10, 15, 20)),
        "unseen_words": breakdown(hypotheses, references, unseen, (0, 1)),
        "references": breakdown(hypotheses, references, [len(set(texts)) for texts in references], (1, 2, 3)),
    }


def source_words(text: str) -> list[str]:
    """Returns the words of a source sentence, case folded, without punctuation."""
    words = WordTokenizer.split(normalize(text, fold_case=True))
    return [word for word in words if any(c.isalnum() for c in word)]
