"""What a model wrote, in words: pieces merged, and how probable each one was."""

from typing import Any

import numpy as np

from ..text import Tokenizer
from ..vocabulary import END_ID, SPECIAL_TOKENS


def with_probabilities(translator: Any, translation: Any) -> Any:
    """Returns a `Translation` with the probability of each of its tokens, given those before it."""
    log_probs, _ = translator.forced(translation.source_tokens, translation.target_tokens)
    return translation._replace(probabilities=np.exp(log_probs).tolist())


def in_words(translator: Any, translation: Any) -> Any:
    """Returns a `Translation` with its tokens merged into words.

    A source word's column is the sum of its pieces' columns, because the model looks at a word piece by piece; a target
    word's row is the mean of its pieces' rows, so that it still sums to 1. A word is as probable as its pieces are on
    average, so that long words are not less probable. The translation has the tokens of the translator's tokenisers.
    """
    source_tokenizer, target_tokenizer = translator.source_tokenizer, translator.target_tokenizer
    end = SPECIAL_TOKENS[END_ID] in translation.target_tokens[-1:]
    source_words, columns = _membership(source_tokenizer, translation.source_tokens)
    target_words, rows = _membership(target_tokenizer, translation.target_tokens, end)
    columns[-1, ~columns.any(axis=0)] = 1.0  # a space at the very end belongs to the last word
    columns /= columns.sum(axis=0)  # a piece of two words gives half of its weight to each
    rows /= rows.sum(axis=1, keepdims=True)
    attention = (rows @ translation.attention @ columns.T).astype(np.float32)
    probabilities = np.exp(rows @ np.log(translation.probabilities)).tolist() if translation.probabilities else ()
    return translation._replace(
        source_tokens=source_words, target_tokens=target_words, attention=attention, probabilities=probabilities
    )


def _membership(tokenizer: Tokenizer, tokens: list[str], end: bool = False) -> tuple[list[str], np.ndarray]:
    """Returns the words that tokens form, and `(words, tokens)` of 0 and 1: which token is part of which word."""
    words = tokenizer.words(tokens[: len(tokens) - end])
    if end:
        words.append((tokens[-1], [len(tokens) - 1]))
    member = np.zeros((len(words), len(tokens)))
    for row, (_, positions) in zip(member, words, strict=True):
        row[positions] = 1.0
    return [word for word, _ in words], member
