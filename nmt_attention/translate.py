"""Sentences to translations, each with the tokens and the attention it was made of."""

import functools
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from .model import load_bundle
from .search import beam_search, greedy_search, repeat_rows
from .text import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID

MOST_SOURCE_TOKENS = 250  # a longer sentence is translated as far as this


class Translation(NamedTuple):
    """A translation and what it was made of.

    source, text: str. What was given, what came out.
    source_tokens, target_tokens: list of str. The model's own tokens; the target ends with `<end>` unless it was cut.
    attention: `(T, S)` float32. Row t: where the model looked when it wrote target token t.
    score: float. Log-probability of the target tokens, in nats.
    """

    source: str
    text: str
    source_tokens: list
    target_tokens: list
    attention: np.ndarray
    score: float


class Translator:
    """Translates with a trained model.

    Args:
        model: `Seq2Seq` in float32: rounding to fewer bits would let a row's batch mates decide near ties.
        source_tokenizer, target_tokenizer: what it was trained with.
    """

    def __init__(self, model, source_tokenizer, target_tokenizer):
        self.model = model
        self.source_tokenizer, self.target_tokenizer = source_tokenizer, target_tokenizer
        never = tf.one_hot([PAD_ID, START_ID], len(target_tokenizer), on_value=-1e9, off_value=0.0)
        self._never = never = tf.reduce_sum(never, axis=0)  # (V,)

        @functools.cache
        def search_with(beam_size):
            @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32), tf.TensorSpec((None,), tf.int32)])
            def search(source_ids, limits):
                state, memory = repeat_rows(model.encode(source_ids), beam_size)

                def step(token_ids, state):
                    features, state, weights = model.decoder.step(token_ids, state, memory)
                    return tf.nn.log_softmax(model.decoder.logits(features) + never), state, weights

                if beam_size == 1:
                    return [tensor[:, tf.newaxis] for tensor in greedy_search(step, state, limits)]
                return beam_search(step, state, limits, beam_size)

            return search

        self._search_with = search_with
        self.teacher_force = tf.function(model, input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2)

    @classmethod
    def load(cls, directory):
        """Reads the model that training left in a run directory.

        Raises:
            FileNotFoundError, ValueError: as `load_bundle`.
        """
        return cls(*load_bundle(directory))

    def translate(self, sentences, batch_size=64, merge_subwords=False, beam_size=1):
        """Translates sentences; the order is kept, and a sentence's translation does not depend on the others.

        Args:
            sentences: list of str. An empty one has an empty translation. Of one with more than 250 tokens the
                first 250 are translated; its `source_tokens` tell.
            batch_size: int. Sentences at a time; those of like length go together.
            merge_subwords: bool. Whether tokens and attention are of words: a source word's column is the sum of
                its pieces' columns, a target word's row the mean of its pieces' rows.
            beam_size: int. Hypotheses kept at every step; 1 is greedy search.

        Returns:
            List of `Translation`.

        Raises:
            TypeError: `sentences` is a single string.
            ValueError: `batch_size` or `beam_size` is below 1.
        """
        return [found[0] for found in self.n_best(sentences, batch_size, merge_subwords, beam_size)]

    def n_best(self, sentences, batch_size=64, merge_subwords=False, beam_size=5):
        """Returns for each sentence the `beam_size` best translations found, the best first; see `translate`.

        Returns:
            List of lists of `Translation`, each with its own attention; an empty sentence has a single, empty one.
        """
        if isinstance(sentences, str):
            raise TypeError("sentences: expected a list of str, got a str; write translate([sentence])")
        for name, value in (("batch_size", batch_size), ("beam_size", beam_size)):
            if value < 1:
                raise ValueError(f"{name}: expected at least 1, got {value}")
        sources = [self.source_tokenizer.tokenize(s)[:MOST_SOURCE_TOKENS] for s in sentences]
        filled = sorted((i for i, tokens in enumerate(sources) if tokens), key=lambda i: len(sources[i]))
        result = [[Translation(s, "", [], [], np.zeros((0, 0), np.float32), 0.0)] for s in sentences]
        for start in range(0, len(filled), batch_size):
            rows = filled[start : start + batch_size]
            found = self._search_batch([sentences[i] for i in rows], [sources[i] for i in rows], beam_size)
            for i, translations in zip(rows, found, strict=True):
                result[i] = [self._merge(t) for t in translations] if merge_subwords else translations
        return result

    def _merge(self, translation):
        end = SPECIAL_TOKENS[END_ID] in translation.target_tokens[-1:]
        source_words, columns = _membership(self.source_tokenizer, translation.source_tokens)
        target_words, rows = _membership(self.target_tokenizer, translation.target_tokens, end)
        columns[-1, ~columns.any(axis=0)] = 1.0  # a space at the very end opens no word: the last one has it
        columns /= columns.sum(axis=0)  # a piece of two words gives half of its weight to each
        rows /= rows.sum(axis=1, keepdims=True)
        attention = (rows @ translation.attention @ columns.T).astype(np.float32)
        return translation._replace(source_tokens=source_words, target_tokens=target_words, attention=attention)

    def _search_batch(self, sentences, sources, beam_size):
        lengths = np.array([len(tokens) for tokens in sources], np.int32)
        source_ids = _padded(self.source_tokenizer.ids(tokens) for tokens in sources)
        search = self._search_with(beam_size)
        ids, attention, score = (tensor.numpy() for tensor in search(source_ids, 2 * lengths + 10))
        for i, (sentence, tokens) in enumerate(zip(sentences, sources, strict=True)):
            kept = [row[row != PAD_ID] for row in ids[i]]
            yield [
                Translation(
                    sentence,
                    self.target_tokenizer.decode(row),
                    tokens,
                    self.target_tokenizer.tokens(row),
                    attention[i, k, : len(row), : len(tokens)],
                    float(score[i, k]),
                )
                for k, row in enumerate(kept)
                if np.isfinite(score[i, k])
            ]

    def attend(self, pairs, merge_subwords=False):
        """Makes the model write given translations, to see where it looks when it writes the right word.

        Args:
            pairs: list of (source, target) or `Pair`; neither side empty.
            merge_subwords: as in `translate`.

        Returns:
            List of `Translation` whose text and tokens are the given target's.
        """
        result = []
        for source, target, *_ in pairs:
            source_tokens, target_tokens = (
                self.source_tokenizer.tokenize(source),
                self.target_tokenizer.tokenize(target),
            )
            source_ids = np.array([self.source_tokenizer.ids(source_tokens)], np.int32)
            target_ids = [START_ID, *self.target_tokenizer.ids(target_tokens), END_ID]
            logits, weights = self.teacher_force(source_ids, np.array([target_ids[:-1]], np.int32))
            log_probs = tf.nn.log_softmax(logits[0] + self._never)
            score = tf.reduce_sum(tf.gather(log_probs, target_ids[1:], axis=1, batch_dims=1))
            target_tokens = [*target_tokens, SPECIAL_TOKENS[END_ID]]
            found = Translation(source, target, source_tokens, target_tokens, weights[0].numpy(), float(score))
            result.append(self._merge(found) if merge_subwords else found)
        return result


def _padded(rows):
    """Returns rows of ids as one array `(B, S)` int32, padded on the right."""
    rows = list(rows)
    ids = np.full((len(rows), max(map(len, rows))), PAD_ID, np.int32)
    for padded, row in zip(ids, rows, strict=True):
        padded[: len(row)] = row
    return ids


def _membership(tokenizer, tokens, end=False):
    """Returns the words that tokens form and which token is part of which, `(words, tokens)` of 0 and 1."""
    words = tokenizer.words(tokens[: len(tokens) - end])
    if end:
        words.append((tokens[-1], [len(tokens) - 1]))
    member = np.zeros((len(words), len(tokens)))
    for row, (_, positions) in zip(member, words, strict=True):
        row[positions] = 1.0
    return [word for word, _ in words], member
