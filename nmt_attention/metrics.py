"""BLEU and chrF against all references; `analysis.significance` adds bootstrap intervals."""

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sacrebleu

from .corpus import as_pairs
from .spelling import as_texts, normalize
from .text import UNSPACED

References = Iterable[Iterable[str]]  # all references of each source


class Scores(NamedTuple):
    """A translator's scores on a set of sentences."""

    sentences: int  # source sentences translated
    references: int  # their distinct reference translations, all together
    bleu: float  # 0 to 100, against all references of a source
    chrf: float
    bleu_first: float  # against each source's first reference alone, as in most papers
    chrf_first: float
    exact: float  # percentage of translations that equal one of their references
    four_grams: int  # in the translations; without any, BLEU is 0 and says nothing
    bleu_signature: str  # sacreBLEU's account of how it counted
    chrf_signature: str
    perplexity: float | None = None  # exp of the nats per target token of the references; None without a model
    bleu_interval: tuple[float, float] | None = None  # of a thorough scoring: 95% bootstrap interval, (low, high)
    chrf_interval: tuple[float, float] | None = None
    sentences_per_second: float | None = None  # of a thorough scoring with a model


def group_references(pairs: Iterable[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Returns the sources of (source, target) pairs in their order, and for each its distinct targets, normalised.

    Sources that `normalize` makes equal (case, apostrophes) are one source.
    """
    groups: dict[str, tuple[str, dict[str, None]]] = {}
    for source, target, _ in as_pairs(pairs):
        _, targets = groups.setdefault(normalize(source, fold_case=True), (source, {}))
        targets[normalize(target)] = None
    return [source for source, _ in groups.values()], [list(targets) for _, targets in groups.values()]


def score(hypotheses: Iterable[str], references: References) -> Scores:
    """Scores translations against their references with sacreBLEU, all but perplexity and speed.

    Both sides are normalised (NFC, apostrophes, spaces) as the models' training text is.

    Args:
        hypotheses: one translation of each source.
        references: at least one per source.

    Raises:
        TypeError: `references` is a flat list, or something is not a string.
        ValueError: the lists differ in length, are empty, or a source has no reference or an empty one.

    Source: Post 2018, arXiv:1804.08771 (sacreBLEU); Papineni et al. 2002 (BLEU); Popović 2015 (chrF).
    """
    hypotheses, references = normalize_all(hypotheses, references)
    streams = reference_streams(references)
    bleu, first, chrf = make_bleu(references), make_bleu(references), sacrebleu.CHRF()
    against_all = bleu.corpus_score(hypotheses, streams)
    return Scores(
        sentences=len(hypotheses),
        references=sum(len(set(texts)) for texts in references),
        bleu=against_all.score,
        chrf=chrf.corpus_score(hypotheses, streams).score,
        bleu_first=first.corpus_score(hypotheses, streams[:1]).score,
        chrf_first=sacrebleu.CHRF().corpus_score(hypotheses, streams[:1]).score,
        exact=100.0 * sum(h in r for h, r in zip(hypotheses, references, strict=True)) / len(hypotheses),
        four_grams=against_all.totals[-1],
        bleu_signature=str(bleu.get_signature()),
        chrf_signature=str(chrf.get_signature()),
    )


def make_bleu(references: References) -> sacrebleu.BLEU:
    """Returns BLEU of words, or of letters if these references have no spaces between words; its signature says so."""
    text = "".join(itertools.chain.from_iterable(references))
    unspaced = len(re.findall(f"[{UNSPACED}]", text))
    return sacrebleu.BLEU(tokenize="char" if 2 * unspaced > len(text) else "13a")


def normalize_all(hypotheses: Iterable[str], references: References) -> tuple[list[str], list[list[str]]]:
    """Returns translations and references normalised, and makes sure that `score` can take them; raises as it does."""
    hypotheses = as_texts(hypotheses, "hypotheses")
    references = [as_texts(texts, f"references of source {number}") for number, texts in enumerate(references, 1)]
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"expected hypotheses and as many references, got {len(hypotheses)} and {len(references)}")
    normalized = [[normalize(text) for text in texts] for texts in references]
    for number, texts in enumerate(normalized, 1):
        if not texts or not all(texts):
            raise ValueError(f"source {number} has {'an empty' if texts else 'no'} reference")
    return [normalize(text) for text in hypotheses], normalized


def reference_streams(references: References) -> list[list[Any]]:  # sacreBLEU's types forget None
    """Returns references as sacreBLEU expects them: one list per reference number, None where a source has fewer."""
    return [list(stream) for stream in itertools.zip_longest(*references)]
