"""BLEU and chrF against all references; `analysis.significance` adds bootstrap intervals."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sacrebleu

from .spelling import normalize

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
    bleu_interval: tuple[float, float] | None = None  # 95% bootstrap interval of `bleu`, (low, high)
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


def score(hypotheses: Sequence[str], references: References) -> Scores:
    """Scores translations against their references with sacreBLEU, all but perplexity and speed.

    Both sides are normalised (NFC, apostrophes, spaces) as the models' training text is.

    Args:
        hypotheses: one translation of each source.
        references: at least one per source.

    Raises:
        ValueError: the lists differ in length, are empty, or a source has no reference.

    Source: Post 2018, arXiv:1804.08771 (sacreBLEU); Papineni et al. 2002 (BLEU); Popović 2015 (chrF).
    """
    hypotheses, references = normalize_all(hypotheses, references)
    streams = reference_streams(references)
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    return Scores(
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
