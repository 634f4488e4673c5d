"""Minimum Bayes risk: the one of several translations that most resembles all of them."""

import collections
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from sacrebleu.metrics import CHRF
from sacrebleu.metrics.helpers import extract_all_char_ngrams

_FEATURES_AT_A_TIME = 1024  # a matrix of all n-grams of thousands of texts would take gigabytes


def minimum_bayes_risk(translations: Sequence[Any], probabilities: Sequence[float] | np.ndarray) -> list[Any]:
    """Ranks translations by their expected similarity under the model's distribution.

    The most probable translation is often an odd one, because the many ways to say one thing share the probability
    between them. A translation that resembles many others is the safer choice:

        utility(h) = Σ_r p(r) chrF(h, r)

    Args:
        translations: each a `Translation` of the same sentence.
        probabilities: `(N,)`, summing to 1: the translations' own, or for samples all equal.

    Returns:
        The translations, highest expected utility first. Those with the same text are represented by the most probable.

    Source: Kumar & Byrne 2004 (NAACL); Eikema & Aziz 2020, arXiv:2005.10283 (over samples).
    """
    chosen: dict[str, Any] = {}
    mass: dict[str, float] = collections.defaultdict(float)
    for translation, probability in zip(translations, probabilities, strict=True):
        text = translation.text
        mass[text] += probability
        if text not in chosen or translation.score > chosen[text].score:
            chosen[text] = translation
    utilities = chrf_matrix(list(chosen)) @ np.array([mass[text] for text in chosen])
    ranked = np.argsort(-utilities, kind="stable")
    return [list(chosen.values())[i] for i in ranked]


def chrf_matrix(texts: Sequence[str]) -> np.ndarray:
    """Returns the chrF, 0 to 100, of every text (row) with every text as its reference (column).

    The values are those of `sacrebleu.sentence_chrf`, but all pairs take six matrix products: if the second occurrence
    of an n-gram in a text counts as another feature, then the n-grams that two texts share are the features they share.

    Source: Popović 2015 (WMT): F-score, beta 2, of the mean precision and recall of letters' 1- to 6-grams.
    """
    precision, recall, orders = (np.zeros((len(texts), len(texts))) for _ in range(3))
    of_texts = [extract_all_char_ngrams(text, CHRF.CHAR_ORDER) for text in texts]
    for counters in zip(*of_texts, strict=True):  # one order's n-grams of every text
        columns: dict[tuple[str, int], int] = {}
        rows = [
            [columns.setdefault((ngram, i), len(columns)) for ngram, count in counter.items() for i in range(count)]
            for counter in counters
        ]
        lengths = np.array([len(row) for row in rows])
        text, column = np.repeat(np.arange(len(texts)), lengths), np.array(list(itertools.chain(*rows)), int)
        shared = np.zeros((len(texts), len(texts)))
        for start in range(0, len(columns), _FEATURES_AT_A_TIME):
            has = np.zeros((len(texts), _FEATURES_AT_A_TIME))
            block = (column >= start) & (column < start + _FEATURES_AT_A_TIME)
            has[text[block], column[block] - start] = 1.0
            shared += has @ has.T
        both = np.minimum.outer(lengths, lengths) > 0  # n-grams longer than a text do not count
        precision += np.where(both, shared / np.maximum(lengths, 1)[:, np.newaxis], 0.0)
        recall += np.where(both, shared / np.maximum(lengths, 1), 0.0)
        orders += both
    precision, recall = precision / np.maximum(orders, 1), recall / np.maximum(orders, 1)
    factor = CHRF.BETA**2
    return 100 * (1 + factor) * precision * recall / np.maximum(factor * precision + recall, 1e-16)


def rank_by_risk(translations: Sequence[Any], sampled: bool) -> list[Any]:
    """Ranks the translations of a search; samples are equally probable, and repeated ones add up."""
    scores = [0.0 if sampled else t.score for t in translations]
    return minimum_bayes_risk(translations, tf.nn.softmax(scores).numpy())
