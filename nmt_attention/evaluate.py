"""Scores of a translator: BLEU, chrF and TER against all references, perplexity, speed, alignment error rate."""

import math
import time
from typing import NamedTuple

import numpy as np
import sacrebleu

from .alignment import LINK_THRESHOLD, attention_entropy, links_by_argmax, links_by_threshold, score_alignments
from .batches import make_dataset
from .loss import cross_entropy
from .significance import interval, normalize_all, reference_streams, resampled_scores
from .text import normalize
from .translate import MOST_SOURCE_TOKENS

MOST_TER_WORDS = 500_000  # word pairs to compare, at 0.3 ms each where all goes wrong; see `Scores`
_WARM_UP = 64  # sentences: the batch that `Translator.translate` makes


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
        of the two, are more than `MOST_TER_WORDS`.
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
    if sum(lengths) > MOST_TER_WORDS:
        return None, None
    ter = sacrebleu.TER()
    return ter.corpus_score(hypotheses, reference_streams(references)).score, str(ter.get_signature())


def perplexity(translator, pairs, batch_size=128):
    """Returns exp of the mean nats per target token, END included, that the model gives the pairs' targets.

    Comparable between models with the same target tokeniser only. Of a side with more than 250 tokens the first 250
    count, as in translation.
    """
    source = translator.source_tokenizer.encode_all([pair[0] for pair in pairs]).cut(MOST_SOURCE_TOKENS)
    target = translator.target_tokenizer.encode_all([pair[1] for pair in pairs]).cut(MOST_SOURCE_TOKENS)
    nats, tokens = 0.0, 0.0
    for batch in make_dataset(source, target, batch_size):
        logits, _ = translator.teacher_force(batch.source_ids, batch.target_in)
        _, nll, count = cross_entropy(logits, batch.target_out)
        nats, tokens = nats + float(nll), tokens + float(count)
    return math.exp(min(nats / tokens, 700.0))


def evaluate(translator, sources, references, thorough=False, **search):
    """Translates sources and scores the translations.

    Args:
        translator: `Translator`.
        sources: list of str.
        references: list of lists of str. All references of each source; `group_references` makes both of pairs.
        thorough: bool. Whether to work out TER, intervals and speed as well. Speed is that of translating all sources
            in batches, by the clock, after a first batch whose time does not count: TensorFlow traces its graph then.
        **search: as in `Translator.translate`.

    Returns:
        scores: `Scores`.
        translations: list of `Translation`, one for each source.
    """
    if thorough:
        translator.translate(sources[:_WARM_UP], **search)
    started = time.perf_counter()
    translations = translator.translate(sources, **search)
    seconds = time.perf_counter() - started
    scores = score([t.text for t in translations], references, thorough)
    pairs = [(source, text) for source, texts in zip(sources, references, strict=True) for text in texts]
    return (
        scores._replace(
            perplexity=perplexity(translator, pairs),
            sentences_per_second=len(sources) / seconds if thorough else None,
        ),
        translations,
    )


def evaluate_alignments(translator, gold, threshold=LINK_THRESHOLD):
    """Compares where a model looks, when it writes the given translations, with gold word alignments.

    Attention is merged from pieces to words first; the row of the end marker is left out.

    Args:
        translator: `Translator`.
        gold: list of `GoldAlignment`.
        threshold: float. Least weight of a link in the second of the two ways to read links off a heatmap.

    Returns:
        argmax: `AlignmentScores` of the links to each target word's most attended source word.
        above: `AlignmentScores` of all links with at least the threshold's weight.
        entropy: float. Mean over sentences of their rows' mean entropy, in nats.
    """
    attention = [t.attention[:-1] for t in translator.attend([g.pair for g in gold], merge_subwords=True)]
    return (
        score_alignments([links_by_argmax(weights) for weights in attention], gold),
        score_alignments([links_by_threshold(weights, threshold) for weights in attention], gold),
        float(np.mean([attention_entropy(weights) for weights in attention])),
    )
