"""BLEU, chrF and TER against all references, with bootstrap intervals.

Bootstrap: the test set is treated as a sample of all sentences, and new samples drawn from it, with replacement, show
how a score would vary from one test set to the next. sacreBLEU's per-sentence counts are kept, so that a thousand
drawings cost no more than a thousand sums.
"""

from typing import NamedTuple

import numpy as np
import sacrebleu

from .spelling import normalize

MAX_TER_WORD_PAIRS = 500_000  # word pairs to compare, at 0.3 ms each where all goes wrong; see `Scores`
RESAMPLES = 1000
_SEED = 12345  # the drawings are the same every time, and the same for two systems that are compared


class Scores(NamedTuple):
    """What a translator reached on a set of sentences.

    sentences: int. Source sentences translated.
    references: int. Distinct reference translations of them, all together.
    bleu, chrf: float, 0 to 100. Against all references of a source.
    bleu_first, chrf_first: float. Against each source's first reference alone, as most papers do.
    exact: float, 0 to 100. Share of translations that equal one of their references, in percent.
    bleu_signature, chrf_signature: str. sacreBLEU's account of how it counted.
    perplexity: float or None. exp of the nats per target token the model gives the references; None without a model.

    Only of a thorough scoring, else None:
    ter: float, 0 or more. Words to insert, delete, replace or shift on the way to the nearest reference, per 100 words
        of the references' mean length; 0 is best. None, like its signature, where sentences are so long or so many
        that it would take minutes to hours: words of a translation times words of a reference, summed over all pairs
        of the two, are more than `MAX_TER_WORD_PAIRS`.
    ter_signature: str or None. As the others.
    bleu_interval, chrf_interval: (low, high). 95 % bootstrap intervals of `bleu` and `chrf`.
    sentences_per_second: float or None. Translation's speed; None without a model.
    """

    sentences: int
    references: int
    bleu: float
    chrf: float
    bleu_first: float
    chrf_first: float
    exact: float
    bleu_signature: str
    chrf_signature: str
    perplexity: float | None = None
    ter: float | None = None
    ter_signature: str | None = None
    bleu_interval: tuple | None = None
    chrf_interval: tuple | None = None
    sentences_per_second: float | None = None


def group_references(pairs):
    """Groups pairs by source sentence.

    Sources that differ in spelling only as `normalize` unifies them (case, apostrophes) are one source.

    Args:
        pairs: iterable of (source, target) or `Pair`.

    Returns:
        sources: list of str, in the order of their first occurrence.
        references: list of lists of str. The distinct targets of each source, normalised.
    """
    groups = {}
    for source, target, *_ in pairs:
        _, targets = groups.setdefault(normalize(source, fold_case=True), (source, {}))
        targets[normalize(target)] = None
    return [source for source, _ in groups.values()], [list(targets) for _, targets in groups.values()]


def score(hypotheses, references, thorough=False):
    """Scores translations against their references with sacreBLEU.

    Both sides are normalised (NFC, apostrophes, spaces) as the models' training text is.

    Args:
        hypotheses: list of str. One translation of each source.
        references: list of lists of str. All references of each source, at least one.
        thorough: bool. Whether to compute TER and the intervals as well, which takes longer than all the others.

    Returns:
        `Scores` without perplexity and speed.

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


def _ter(hypotheses, references):
    """Returns TER and its signature, or None and None where it would take too long."""
    lengths = (
        len(hypothesis.split()) * len(text.split())
        for hypothesis, texts in zip(hypotheses, references, strict=True)
        for text in texts
    )
    if sum(lengths) > MAX_TER_WORD_PAIRS:
        return None, None
    ter = sacrebleu.TER()
    return ter.corpus_score(hypotheses, reference_streams(references)).score, str(ter.get_signature())


def normalize_all(hypotheses, references):
    """Returns translations and references normalised, having made sure that there are as many of both.

    Raises:
        ValueError: the lists differ in length, are empty, or a source has no reference.
    """
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"expected as many hypotheses as references, got {len(hypotheses)} and {len(references)}")
    if not all(references):
        raise ValueError(f"source {[bool(texts) for texts in references].index(False) + 1} has no reference")
    return [normalize(text) for text in hypotheses], [[normalize(text) for text in texts] for texts in references]


def reference_streams(references):
    """Returns references as sacreBLEU wants them: one list a reference number, None where a source has fewer."""
    most = max(len(texts) for texts in references)
    return [[texts[i] if i < len(texts) else None for texts in references] for i in range(most)]


def resampled_scores(metric, hypotheses, references, resamples=RESAMPLES):
    """Scores translations, and as many again drawn from them with replacement, `resamples` times.

    Args:
        metric: a sacreBLEU metric.
        hypotheses: list of str. One translation of each source.
        references: list of lists of str. All references of each source.
        resamples: int. How many drawings.

    Returns:
        score: float. Of the translations as they are.
        scores: `(resamples,)` float64. Of every drawing.
    """
    # what sacreBLEU's own bootstrap is made of, too
    counts = np.array(metric._extract_corpus_statistics(hypotheses, reference_streams(references)), np.float64)
    size = len(hypotheses)
    times = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), resamples)  # (resamples, sentences)
    sums = np.concatenate([counts.sum(axis=0, keepdims=True), times @ counts])
    score, *scores = (metric._compute_score_from_stats(row).score for row in sums)
    return float(score), np.array(scores)


def interval(scores):
    """Returns the 2.5th and the 97.5th percentile of resampled scores, between which 95 % of them are."""
    low, high = np.percentile(scores, [2.5, 97.5])
    return float(low), float(high)
