"""Whether two systems differ by more than chance: paired bootstrap of BLEU and chrF.

Bootstrap: the test set is treated as a sample of all sentences, and new samples drawn from it, with replacement, show
how a score would vary from one test set to the next. sacreBLEU's per-sentence counts are kept, so that a thousand
samples cost no more than a thousand sums. Its own paired tests are not used, because they find a system significantly
different from itself.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import sacrebleu
from sacrebleu.metrics.base import Metric

from ..metrics import References, Scores, make_bleu, normalize_all, reference_streams
from ..spelling import as_texts

RESAMPLES = 1000
_SEED = 12345  # the samples are the same every time, and for two systems that are compared


class Comparison(NamedTuple):
    """Two systems' scores on the same sentences by one metric.

    metric: str. Its name.
    first, second: float. Their scores.
    difference: float. first - second.
    low, high: float. The difference's 95 % interval.
    p_value: float in (0, 1]. Probability that chance alone makes a difference as large as this, in either direction.
    """

    metric: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float


def compare(
    first: Iterable[str], second: Iterable[str], references: References, resamples: int = RESAMPLES
) -> list[Comparison]:
    """Tests by paired bootstrap whether two systems differ in BLEU and chrF: both are scored on the same samples.

    The p-value is the share of samples whose difference is at least as far from the observed difference as that is
    from 0. It is 1 for equal translations, and exchanging the systems does not change it.

    Args:
        first, second: lists of str. The systems' translations of the same sources.
        references: list of lists of str. All references of each source, at least one.
        resamples: int. Number of samples.

    Raises:
        TypeError, ValueError: as `score`.

    Source: Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation" (EMNLP); Efron & Tibshirani
    1993, "An Introduction to the Bootstrap", chapter 16, for the two-sided p-value.
    """
    first, references = normalize_all(first, references)
    second = as_texts(second, "second")
    result = []
    for name, metric in (("BLEU", make_bleu(references)), ("chrF", sacrebleu.CHRF())):
        score, scores = resampled_scores(metric, first, references, resamples)
        other, others = resampled_scores(metric, second, references, resamples)
        difference, differences = score - other, scores - others
        extreme = np.count_nonzero(np.abs(differences - difference) >= abs(difference))
        low, high = interval(differences)
        p_value = (1 + int(extreme)) / (1 + resamples)
        result.append(Comparison(name, score, other, difference, low, high, p_value))
    return result


def resampled_scores(
    metric: Metric, hypotheses: Iterable[str], references: References, resamples: int = RESAMPLES
) -> tuple[float, np.ndarray]:
    """Returns the score of the translations, and `(resamples,)` float64 scores of as many drawn with replacement."""
    hypotheses, references = normalize_all(hypotheses, references)
    # sacreBLEU's own bootstrap calls the same two methods, and no public one gives what they do
    found = metric._extract_corpus_statistics(hypotheses, reference_streams(references))  # noqa: SLF001
    size, counts = len(hypotheses), np.array(found, np.float64)
    times = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), resamples)  # (resamples, sentences)
    sums = np.concatenate([counts.sum(axis=0, keepdims=True), times @ counts])
    score, *scores = (metric._compute_score_from_stats(row).score for row in sums)  # noqa: SLF001
    return float(score), np.array(scores)


def interval(scores: np.ndarray) -> tuple[float, float]:
    """Returns the 2.5th and the 97.5th percentile of resampled scores, between which 95 % of them are."""
    low, high = np.percentile(scores, [2.5, 97.5])
    return float(low), float(high)


def with_intervals(scores: Scores, hypotheses: Iterable[str], references: References) -> Scores:
    """Returns scores with the intervals of BLEU and chrF."""
    hypotheses, references = normalize_all(hypotheses, references)
    bleu, chrf = (
        interval(resampled_scores(metric, hypotheses, references)[1])
        for metric in (make_bleu(references), sacrebleu.CHRF())
    )
    return scores._replace(bleu_interval=bleu, chrf_interval=chrf)
