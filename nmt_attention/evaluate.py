"""Scores of a translator: BLEU, chrF and TER against all references, perplexity, speed, alignment error rate."""

import math
import time

from .batches import make_dataset
from .loss import cross_entropy
from .metrics import score
from .translate import MAX_SOURCE_LENGTH

MAX_TER_WORD_PAIRS = 500_000  # word pairs to compare, at 0.3 ms each where all goes wrong; see `Scores`
_WARM_UP = 64  # sentences: the batch that `Translator.translate` makes


def perplexity(translator, pairs, batch_size=128):
    """Returns exp of the mean nats per target token, END included, that the model gives the pairs' targets.

    Comparable between models with the same target tokeniser only. Of a side with more than 250 tokens the first 250
    count, as in translation.
    """
    source = translator.source_tokenizer.encode_all([pair[0] for pair in pairs]).truncate(MAX_SOURCE_LENGTH)
    target = translator.target_tokenizer.encode_all([pair[1] for pair in pairs]).truncate(MAX_SOURCE_LENGTH)
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
