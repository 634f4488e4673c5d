"""Minimum Bayes risk: of several translations, the one that most resembles all of them."""

import collections
import itertools

import numpy as np
from sacrebleu.metrics import CHRF
from sacrebleu.metrics.helpers import extract_all_char_ngrams

_FEATURES_AT_A_TIME = 1024  # a matrix of all n-grams of thousands of texts would take gigabytes


def minimum_bayes_risk(translations, probabilities):
    """Ranks translations by their expected likeness to a translation that the model may mean.

    The most probable translation is often an odd one: what is true of a sentence can be said in many ways, which share
    the probability between them. What resembles many of them is the safer choice:

        utility(h) = Σ_r p(r) chrF(h, r)

    Args:
        translations: list of `Translation` of one sentence.
        probabilities: `(N,)`, summing to 1. Of each translation; for samples all alike.

    Returns:
        List of `Translation`, of highest expected utility first. Of those with the same text, the most probable one
        stands for all.

    Source: Kumar & Byrne 2004 (NAACL); Eikema & Aziz 2020, arXiv:2005.10283 (over samples).
    """
    chosen, mass = {}, collections.defaultdict(float)
    for translation, probability in zip(translations, probabilities, strict=True):
        text = translation.text
        mass[text] += probability
        if text not in chosen or translation.score > chosen[text].score:
            chosen[text] = translation
    utilities = chrf_matrix(list(chosen)) @ np.array([mass[text] for text in chosen])
    ranked = np.argsort(-utilities, kind="stable")
    return [list(chosen.values())[i] for i in ranked]


def chrf_matrix(texts):
    """Returns the chrF, 0 to 100, of every text (row) with every text as its reference (column).

    As `sacrebleu.sentence_chrf` gives it, but for all pairs in six matrix products: if the second occurrence of an
    n-gram in a text is another feature than its first, then the n-grams two texts share are the features they share.

    Source: Popović 2015 (WMT): F-score, beta 2, of the mean precision and recall of letters' 1- to 6-grams.
    """
    precision, recall, orders = (np.zeros((len(texts), len(texts))) for _ in range(3))
    of_texts = [extract_all_char_ngrams(text, CHRF.CHAR_ORDER) for text in texts]
    for counters in zip(*of_texts, strict=True):  # one order's n-grams of every text
        columns = {}
        rows = [
            [columns.setdefault((ngram, i), len(columns)) for ngram, count in counter.items() for i in range(count)]
            for counter in counters
        ]
        lengths = np.array([len(row) for row in rows])
        text, column = np.repeat(np.arange(len(texts)), lengths), np.array(list(itertools.chain(*rows)), int)
        shared = np.zeros((len(texts), len(texts)))
        for start in range(0, len(columns), _FEATURES_AT_A_TIME):
            has = np.zeros((len(texts), _FEATURES_AT_A_TIME))
            some = (column >= start) & (column < start + _FEATURES_AT_A_TIME)
            has[text[some], column[some] - start] = 1.0
            shared += has @ has.T
        both = np.minimum.outer(lengths, lengths) > 0  # an order that is longer than a text does not count
        precision += np.where(both, shared / np.maximum(lengths, 1)[:, np.newaxis], 0.0)
        recall += np.where(both, shared / np.maximum(lengths, 1), 0.0)
        orders += both
    precision, recall = precision / np.maximum(orders, 1), recall / np.maximum(orders, 1)
    factor = CHRF.BETA**2
    return 100 * (1 + factor) * precision * recall / np.maximum(factor * precision + recall, 1e-16)
