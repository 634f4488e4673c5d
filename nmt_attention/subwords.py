"""From a model's own tokens to words: tokens and attention merged, unknown words copied from the source."""

from typing import Any

import numpy as np

from .spelling import normalize
from .text import Tokenizer
from .vocabulary import END_ID, SPECIAL_TOKENS, UNKNOWN_ID


def merge_subwords(translation: Any, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer) -> Any:
    """Returns a `Translation` with its tokens merged into words.

    A source word's column is the sum of its pieces' columns, because the model looks at a word piece by piece; a target
    word's row is the mean of its pieces' rows, so that it still sums to 1.
    """
    end = SPECIAL_TOKENS[END_ID] in translation.target_tokens[-1:]
    source_words, columns = _membership(source_tokenizer, translation.source_tokens)
    target_words, rows = _membership(target_tokenizer, translation.target_tokens, end)
    columns[-1, ~columns.any(axis=0)] = 1.0  # a space at the very end belongs to the last word
    columns /= columns.sum(axis=0)  # a piece of two words gives half of its weight to each
    rows /= rows.sum(axis=1, keepdims=True)
    attention = (rows @ translation.attention @ columns.T).astype(np.float32)
    return translation._replace(source_tokens=source_words, target_tokens=target_words, attention=attention)


def _membership(tokenizer: Tokenizer, tokens: list[str], end: bool = False) -> tuple[list[str], np.ndarray]:
    """Returns the words that tokens form, and `(words, tokens)` of 0 and 1: which token is part of which word."""
    words = tokenizer.words(tokens[: len(tokens) - end])
    if end:
        words.append((tokens[-1], [len(tokens) - 1]))
    member = np.zeros((len(words), len(tokens)))
    for row, (_, positions) in zip(member, words, strict=True):
        row[positions] = 1.0
    return [word for word, _ in words], member


def replace_unknown(translation: Any, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer) -> Any:
    """Returns a word model's `Translation` with every `<unknown>` replaced by the most attended source word.

    A word without an id is often a name or a number, which is the same in the translation. It is copied as the source
    spells it.

    Source: Luong et al. 2015, arXiv:1410.8206, where the model is taught to point at the word; Jean et al. 2015,
    arXiv:1412.2007, where attention points at it, as here.
    """
    unknown, end = SPECIAL_TOKENS[UNKNOWN_ID], SPECIAL_TOKENS[END_ID]
    if unknown not in translation.target_tokens:
        return translation
    ended = translation.target_tokens[-1:] == [end]  # a source word may be spelled like the marker
    spelled = source_tokenizer.split(normalize(translation.source))  # in its original case
    words = [
        spelled[weights.argmax()] if token == unknown else token
        for token, weights in zip(translation.target_tokens, translation.attention, strict=True)
    ]
    text = target_tokenizer.detokenize(words[:-1] if ended else words)
    return translation._replace(text=text, target_tokens=words)
