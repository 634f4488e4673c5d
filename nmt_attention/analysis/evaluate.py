"""Scores of a translator: BLEU and chrF against all references, perplexity, speed, alignment error rate."""

import math
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..corpus import as_pairs
from ..metrics import References, Scores, normalize_all, score
from ..preprocess.verify import unwarned
from ..spelling import as_texts, is_blank
from ..train import cross_entropy
from ..translate import MAX_SOURCE_LENGTH, Translation, Translator
from ..vocabulary import END_ID, START_ID
from .significance import with_intervals

_WARM_UP = 64  # sentences: the default batch of `Translator.translate`


def perplexity(translator: Translator, pairs: Iterable[Sequence[str]], batch_size: int = 128) -> float:
    """Returns exp of the mean nats per target token, END included, that the model gives the pairs' targets.

    It is comparable only between models with the same target tokeniser. As in translation, only the first 250 tokens of
    a side count, and no model reads a source without tokens: its pair does not count. NaN if none does.
    """
    pairs = [pair for pair in as_pairs(pairs) if not is_blank(pair.source)]
    if not pairs:
        return math.nan
    source = translator.source_tokenizer.encode_all([pair[0] for pair in pairs]).truncate(MAX_SOURCE_LENGTH)
    target = translator.target_tokenizer.encode_all([pair[1] for pair in pairs]).truncate(MAX_SOURCE_LENGTH)
    nats, tokens = 0.0, 0.0
    order = np.lexsort((source.lengths, target.lengths))  # so that there is little padding
    for rows in np.split(order, range(batch_size, len(order), batch_size)):
        target_in, target_out = target.padded(rows, before=[START_ID]), target.padded(rows, after=[END_ID])
        logits, _ = translator.teacher_force(source.padded(rows), target_in)
        _, nll, count = cross_entropy(logits, target_out)
        nats, tokens = nats + float(nll), tokens + float(count)
    return math.exp(min(nats / tokens, 700.0))


def evaluate(
    translator: Translator, sources: Iterable[str], references: References, thorough: bool = False, **search: Any
) -> tuple[Scores, list[Translation]]:
    """Translates sources and scores the translations; returns the scores and the translation of each source.

    Args:
        translator: the model and its tokenisers.
        sources: raw sentences.
        references: all references of each source; `group_references` makes sources and references from pairs.
        thorough: whether to compute intervals and speed as well. Speed is measured by the clock over all sources,
            translated in batches, after a first batch that does not count, because TensorFlow traces its graph then.
        **search: as in `Translator.translate`.

    Raises:
        TypeError, ValueError: as `score`.
    """
    sources = as_texts(sources, "sources")
    _, references = normalize_all(sources, references)  # raises before the translation, which may take long
    with unwarned():
        if thorough:
            translator.translate(sources[:_WARM_UP], **search)
        started = time.perf_counter()
        translations = translator.translate(sources, **search)
        seconds = time.perf_counter() - started
    texts = [t.text for t in translations]
    scores = score(texts, references)
    if thorough:
        scores = with_intervals(scores, texts, references)
    pairs = [(source, text) for source, texts in zip(sources, references, strict=True) for text in texts]
    speed = len(sources) / seconds if thorough else None
    return scores._replace(perplexity=perplexity(translator, pairs), sentences_per_second=speed), translations
