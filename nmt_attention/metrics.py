"""BLEU, chrF and TER against all references, with bootstrap intervals.

Bootstrap: the test set is treated as a sample of all sentences, and new samples drawn from it, with replacement, show
how a score would vary from one test set to the next. sacreBLEU's per-sentence counts are kept, so that a thousand
samples cost no more than a thousand sums.
"""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import sacrebleu
from sacrebleu.metrics.base import Metric

from .spelling import normalize

# Words of a translation times words of a reference, summed over all pairs of the two. At up to 0.3 ms for each, longer
# or more sentences would take minutes to hours, so they get no TER.
MAX_TER_WORD_PAIRS = 500_000
RESAMPLES = 1000
_SEED = 12345  # the samples are the same every time, and for two systems that are compared

References = Sequence[Sequence[str]]  # all references of each source


class Scores(NamedTuple):
    """A translator's scores on a set of sentences."""

    sentences: int  # source sentences translated
    references: int  # their distinct reference translations, all together
    bleu: float  # 0 to 100, against all references of a source
    chrf: float
    bleu_first: float  # against each source's first reference alone, as in most papers
    chrf_first: float
    exact: float  # percentage of translations that equal one of their references
    bleu_signature: str  # sacreBLEU's account of how it counted
    chrf_signature: str
    perplexity: float | None = None  # exp of the nats per target token of the references; None without a model
    # Only of a thorough scoring, else None:
    # Words to insert, delete, replace or shift to reach the nearest reference, per 100 words of the references' mean
    # length; 0 is best. None, like its signature, for more word pairs than `MAX_TER_WORD_PAIRS`.
    ter: float | None = None
    ter_signature: str | None = None
    bleu_interval: tuple[float, float] | None = None  # 95 % bootstrap interval of `bleu`, (low, high)
    chrf_interval: tuple[float, float] | None = None
    sentences_per_second: float | None = None  # speed of translation; None without a model


def group_references(pairs: Iterable[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Groups (source, target) pairs or `Pair`s by source sentence.

    Sources that `normalize` makes equal (case, apostrophes) are one source.

    Returns:
        sources: in the order of their first occurrence.
        references: the distinct targets of each source, normalised.
    """
    groups: dict[str, tuple[str, dict[str, None]]] = {}
    for source, target, *_ in pairs:
        _, targets = groups.setdefault(normalize(source, fold_case=True), (source, {}))
        targets[normalize(target)] = None
    return [source for source, _ in groups.values()], [list(targets) for _, targets in groups.values()]


def score(hypotheses: Sequence[str], references: References, thorough: bool = False) -> Scores:
    """Scores translations against their references with sacreBLEU, all but perplexity and speed.

    Both sides are normalised (NFC, apostrophes, spaces) as the models' training text is.

    Args:
        hypotheses: one translation of each source.
        references: at least one per source.
        thorough: whether to compute TER and the intervals as well, which takes longer than everything else.

    Raises:
        ValueError: the lists differ in length, are empty, or a source has no reference.

    Source: Post 2018, arXiv:1804.08771 (sacreBLEU); Papineni et al. 2002 (BLEU); Popović 2015 (chrF); Snover et al.
    2006 (TER).
    """
    hypotheses, references = normalize_all(hypotheses, references)
    streams = reference_streams(references)
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    scores = Scores(
        sentences=len(hypotheses),
        references=sum(len(set(texts)) for texts in references),
        bleu=bleu.corpus_score(hypotheses, streams).score,
        chrf=chrf.corpus_score(hypotheses, streams).score,
        bleu_first=sacrebleu.BLEU().corpus_score(hypotheses, streams[:1]).score,
        chrf_first=sacrebleu.CHRF().corpus_score(hypotheses, streams[:1]).score,
        exact=100.0 * sum(h in r for h, r in zip(hypotheses, references, strict=True)) / len(hypotheses),
        bleu_signature=str(bleu.get_signature()),
        chrf_signature=str(chrf.get_signature()),
    )
    if not thorough:
        return scores
    ter, ter_signature = _ter(hypotheses, references)
    return scores._replace(
        ter=ter,
        ter_signature=ter_signature,
        bleu_interval=interval(resampled_scores(bleu, hypotheses, references)[1]),
        chrf_interval=interval(resampled_scores(chrf, hypotheses, references)[1]),
    )


def _ter(hypotheses: Sequence[str], references: References) -> tuple[float | None, str | None]:
    """Returns TER and its signature, or None and None if it would take too long."""
    lengths = (
        len(hypothesis.split()) * len(text.split())
        for hypothesis, texts in zip(hypotheses, references, strict=True)
        for text in texts
    )
    if sum(lengths) > MAX_TER_WORD_PAIRS:
        return None, None
    ter = sacrebleu.TER()
    return ter.corpus_score(hypotheses, reference_streams(references)).score, str(ter.get_signature())


def normalize_all(hypotheses: Sequence[str], references: References) -> tuple[list[str], list[list[str]]]:
    """Returns translations and references normalised, and makes sure that there are as many of both.

    Raises:
        ValueError: the lists differ in length, are empty, or a source has no reference.
    """
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"expected as many hypotheses as references, got {len(hypotheses)} and {len(references)}")
    if not all(references):
        raise ValueError(f"source {[bool(texts) for texts in references].index(False) + 1} has no reference")
    return [normalize(text) for text in hypotheses], [[normalize(text) for text in texts] for texts in references]


def reference_streams(references: References) -> list[list[Any]]:  # sacreBLEU's types forget None
    """Returns references as sacreBLEU expects them: one list per reference number, None where a source has fewer."""
    return [list(stream) for stream in itertools.zip_longest(*references)]


def resampled_scores(
    metric: Metric, hypotheses: Sequence[str], references: References, resamples: int = RESAMPLES
) -> tuple[float, np.ndarray]:
    """Returns the score of the translations, and `(resamples,)` float64 scores of as many drawn with replacement."""
    # sacreBLEU's own bootstrap calls the same two methods
    counts = np.array(metric._extract_corpus_statistics(hypotheses, reference_streams(references)), np.float64)
    size = len(hypotheses)
    times = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), resamples)  # (resamples, sentences)
    sums = np.concatenate([counts.sum(axis=0, keepdims=True), times @ counts])
    score, *scores = (metric._compute_score_from_stats(row).score for row in sums)
    return float(score), np.array(scores)


def interval(scores: np.ndarray) -> tuple[float, float]:
    """Returns the 2.5th and the 97.5th percentile of resampled scores, between which 95 % of them are."""
    low, high = np.percentile(scores, [2.5, 97.5])
    return float(low), float(high)
