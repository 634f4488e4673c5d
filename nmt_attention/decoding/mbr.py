"""Minimum Bayes risk: the one of several translations that most resembles all of them."""

import collections
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from sacrebleu.metrics import CHRF
from sacrebleu.metrics.helpers import extract_all_char_ngrams


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

    The values are those of `sacrebleu.sentence_chrf`; the n-grams of each text are counted once.

    Source: Popović 2015 (WMT): F-score, beta 2, of the mean precision and recall of letters' 1- to 6-grams.
    """
    chrf, counters = CHRF(), [extract_all_char_ngrams(text, CHRF.CHAR_ORDER) for text in texts]

    def score(text: Sequence[collections.Counter], reference: Sequence[collections.Counter]) -> float:
        counts = (chrf._get_match_statistics(*of_order) for of_order in zip(text, reference, strict=True))
        return chrf._compute_f_score([*itertools.chain.from_iterable(counts)])

    return np.array([[score(text, reference) for reference in counters] for text in counters])


def rank_by_risk(translations: Sequence[Any], sampled: bool) -> list[Any]:
    """Ranks the translations of a search; samples are equally probable, and repeated ones add up."""
    scores = [0.0 if sampled else t.score for t in translations]
    return minimum_bayes_risk(translations, tf.nn.softmax(scores).numpy())
