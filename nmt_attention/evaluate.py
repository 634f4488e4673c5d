"""Scores of a translator: BLEU and chrF against all references, exact matches, perplexity, alignment error rate."""

import math
from typing import NamedTuple

import numpy as np
import sacrebleu

from .alignment import LINK_THRESHOLD, attention_entropy, links_by_argmax, links_by_threshold, score_alignments
from .batches import make_dataset
from .text import normalize
from .train import cross_entropy
from .translate import MOST_SOURCE_TOKENS


class Scores(NamedTuple):
    """What a translator reached on a set of sentences.

    sentences: int. Source sentences translated.
    references: int. Distinct reference translations of them, all together.
    bleu, chrf: float, 0 to 100. Against all references of a source.
    bleu_first, chrf_first: float. Against each source's first reference alone, as most papers do.
    exact: float, 0 to 100. Share of translations that equal one of their references, in percent.
    bleu_signature, chrf_signature: str. sacreBLEU's account of how it counted.
    perplexity: float or None. exp of the nats per target token the model gives the references; None without a model.
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


def score(hypotheses, references):
    """Scores translations against their references with sacreBLEU.

    Both sides are normalised (NFC, apostrophes, spaces) as the models' training text is.

    Args:
        hypotheses: list of str. One translation of each source.
        references: list of lists of str. All references of each source, at least one.

    Returns:
        `Scores` without perplexity.

    Raises:
        ValueError: the lists differ in length, are empty, or a source has no reference.

    Source: Post 2018, arXiv:1804.08771 (sacreBLEU); Papineni et al. 2002 (BLEU); Popović 2015 (chrF).
    """
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"expected as many hypotheses as references, got {len(hypotheses)} and {len(references)}")
    if not all(references):
        raise ValueError(f"source {[bool(r) for r in references].index(False) + 1} has no reference")
    hypotheses = [normalize(text) for text in hypotheses]
    references = [[normalize(text) for text in texts] for texts in references]
    most = max(len(texts) for texts in references)
    # sacreBLEU wants one list per reference number; a source with fewer references has None in the later lists
    streams = [[texts[i] if i < len(texts) else None for texts in references] for i in range(most)]
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    all_bleu, all_chrf = bleu.corpus_score(hypotheses, streams).score, chrf.corpus_score(hypotheses, streams).score
    signatures = str(bleu.get_signature()), str(chrf.get_signature())
    return Scores(
        len(hypotheses),
        sum(len(set(texts)) for texts in references),
        all_bleu,
        all_chrf,
        sacrebleu.BLEU().corpus_score(hypotheses, streams[:1]).score,
        sacrebleu.CHRF().corpus_score(hypotheses, streams[:1]).score,
        100.0 * sum(h in r for h, r in zip(hypotheses, references, strict=True)) / len(hypotheses),
        *signatures,
    )


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


def evaluate(translator, sources, references, beam_size=1):
    """Translates sources and scores the translations.

    Args:
        translator: `Translator`.
        sources: list of str.
        references: list of lists of str. All references of each source; `group_references` makes both of pairs.
        beam_size: int. As in `Translator.translate`.

    Returns:
        scores: `Scores`.
        translations: list of `Translation`, one for each source.
    """
    translations = translator.translate(sources, beam_size=beam_size)
    scores = score([t.text for t in translations], references)
    pairs = [(source, text) for source, texts in zip(sources, references, strict=True) for text in texts]
    return scores._replace(perplexity=perplexity(translator, pairs)), translations


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
