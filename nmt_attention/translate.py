"""Sentences to translations, each with its tokens and attention."""

import dataclasses
import functools
import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from .config import SearchConfig
from .corpus import as_pairs
from .parts import part_of
from .search import beam_search, forbid, greedy_search, max_target_length, repeat_rows, step_of
from .spelling import SPACE, as_texts
from .text import Tokenizer
from .vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID, RaggedIds

logger = logging.getLogger(__name__)
MAX_SOURCE_LENGTH = 250  # tokens; of a longer sentence only the first are translated


class Translation(NamedTuple):
    """A translation, with its tokens and attention."""

    source: str
    text: str  # the translation
    source_tokens: list[str]  # the model's own tokens
    target_tokens: list[str]  # ends with `<end>` unless the maximum length was reached
    attention: np.ndarray  # `(T, S)` float32; row t: where the model looked when it wrote target token t
    score: float  # log-probability that the model gives the target tokens, in nats, whatever search found them
    certainty: float = 1.0  # geometric mean of its tokens' probabilities; of several sentences, the lowest
    probabilities: Sequence[float] = ()  # of each target token, where they are asked for
    doubts: tuple[str, ...] = ()  # lines that the preprocessor has about it


class Piece(NamedTuple):
    """What is translated by itself, such as a sentence: how it is typed and read, and what its translation gets."""

    typed: str
    read: str  # by the model; where it is empty, the piece stays as it is typed
    before: str = ""  # what stands before and behind its translation
    after: str = ""
    lacks_mark: bool = False  # whether a final mark was added, which its translation does not have
    words: Mapping[str, str] = {}  # for each placeholder, the source's words
    spelled: Mapping[str, str] = {}  # for each placeholder, what the translation writes
    names: Mapping[str, Any] = {}  # that are not hidden, and a pattern of each in the translation


Pieces = list[list[Piece]]  # of each text
Found = list[list[Translation]]  # of each piece or text, the best first


class Preprocessor:
    """What stands before and behind a model: this one changes nothing; `preprocess` splits texts and hides names."""

    def prepare(self, texts: Sequence[str]) -> Pieces:
        """Returns the pieces of each text."""
        return [[piece] for piece in self.protect(texts)]

    def finish(self, prepared: Pieces, found: Found, search: Any = None, config: SearchConfig | None = None) -> Found:
        """Returns the translations of texts from those of all their pieces; `search` finds more, with a config."""
        return found

    def protect(self, sentences: Sequence[str]) -> list[Piece]:
        """Returns sentences whole, each as one piece."""
        return [Piece(sentence, sentence) for sentence in sentences]

    def protect_target(self, piece: Piece, target: str) -> tuple[Piece, str]:
        """Returns a piece and its given translation with the same words hidden on both sides."""
        return piece, target

    def make_never(self, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer) -> Callable[[tf.Tensor], tf.Tensor]:
        """Returns a function from source ids to what `forbid` adds to logits: no translation has padding or START."""
        return lambda source_ids: tf.fill([tf.shape(source_ids)[0], 1 + max(PAD_ID, START_ID)], -float("inf"))


class Translator:
    """Translates with a trained model.

    Args:
        model: `Seq2Seq` in float32 (rounding to fewer bits would let a row's batch mates decide near ties), or what has
            its `encode`, `step` and call: a `decoding.ensemble.Ensemble`.
        source_tokenizer, target_tokenizer: those that it was trained with.
        preprocessor: splits texts and hides the words that the model does not know; None for sentences as they are.

    Raises:
        ValueError: a tokeniser has more or fewer tokens than the model's vocabulary.
    """

    def __init__(
        self,
        model: Any,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        preprocessor: Preprocessor | None = None,
    ) -> None:
        for side, tokenizer in (("source", source_tokenizer), ("target", target_tokenizer)):
            expected = getattr(model.config, f"{side}_vocabulary_size")
            if len(tokenizer) != expected:
                raise ValueError(f"{side}_tokenizer: {len(tokenizer)} tokens, but the model has {expected}")
        self.model, self.preprocessor = model, preprocessor or Preprocessor()
        self.source_tokenizer, self.target_tokenizer = source_tokenizer, target_tokenizer
        self.never = self.preprocessor.make_never(source_tokenizer, target_tokenizer)
        self.search_with = functools.cache(functools.partial(_make_search, model, self.never))
        ids = tf.TensorSpec((None, None), tf.int32)
        self.teacher_force = tf.function(model, input_signature=[ids] * 2, autograph=False)

    @classmethod
    def load(cls, *directories: Path | str, terms: Mapping[str, str] | Path | str | None = None) -> "Translator":
        """Reads the model of a run directory or of `hf://owner/name`; of several, an ensemble; of none, the package's.

        `terms` is a file or a dict of your own words and their translations. Errors: see `runs.bundle.load_translator`.
        """
        from .runs.bundle import load_translator  # the core's one import of a folder, which imports this file

        return load_translator(*directories, terms=terms)

    def translate(
        self, sentences: Iterable[str], batch_size: int = 64, merge_subwords: bool = False, **search: Any
    ) -> list[Translation]:
        """Returns the first of each sentence's `n_best`, which does not depend on the other sentences.

        Args:
            sentences: an empty one has an empty translation. Of one with more than 250 tokens the first 250 are
                translated, as its `source_tokens` show.
            batch_size: sentences translated together, which are of similar length. Memory grows with it, and with
                `beam_size` or `samples`.
            merge_subwords: whether tokens and attention are of words; see `decoding.words`.
            **search: fields of `SearchConfig`, such as `beam_size=5`.

        Raises:
            TypeError: `sentences` is a single string, or `SearchConfig` has no such field.
            ValueError: `batch_size` is below 1, a search setting is out of range, or the model's numbers overflow.
        """
        return [hypotheses[0] for hypotheses in self.n_best(sentences, batch_size, merge_subwords, **search)]

    def n_best(
        self,
        sentences: Iterable[str],
        batch_size: int = 64,
        merge_subwords: bool = False,
        probabilities: bool = False,
        **search: Any,
    ) -> list[list[Translation]]:
        """Returns for each sentence all hypotheses of a search, the best first; see `translate`.

        Those of a beam are ranked by log-probability and length penalty, `samples` by log-probability. With
        `minimum_bayes_risk` both are ranked by `decoding.mbr`, and each text occurs once. An empty sentence has one.
        Each token has its probability if these are asked for, which takes a step for each token once more.
        """
        sentences = as_texts(sentences)
        if batch_size < 1:
            raise ValueError(f"batch_size: expected at least 1, got {batch_size}")
        config = SearchConfig(**search)
        wanted = [*(["probabilities"] if probabilities else []), *(["merge_subwords"] if merge_subwords else [])]
        find = functools.partial(self._search, batch_size=batch_size, wanted=wanted)
        prepared = self.preprocessor.prepare(sentences)
        hypotheses = find([piece for pieces in prepared for piece in pieces], config)
        found = self.preprocessor.finish(prepared, hypotheses, find, config)
        return [[t._replace(source=s) for t in of_text] for s, of_text in zip(sentences, found, strict=True)]

    def _search(self, pieces: list[Piece], config: SearchConfig, batch_size: int, wanted: Sequence[str]) -> Found:
        """Returns the hypotheses of each piece, in the order that the settings ask for: ids, search, text.

        What is `wanted` of them, in this order, is an extension's.
        """
        sources = [_cut(self.source_tokenizer.tokenize(piece.read)) for piece in pieces]
        filled = sorted((i for i, tokens in enumerate(sources) if tokens), key=lambda i: len(sources[i]))
        result = [[Translation(p.read, "", [], [], np.zeros((0, 0), np.float32), 0.0)] for p in pieces]
        for start in range(0, len(filled), batch_size):
            rows = filled[start : start + batch_size]
            found = self._search_batch([pieces[i].read for i in rows], [sources[i] for i in rows], config)
            for i, translations in zip(rows, found, strict=True):
                result[i] = _ranked(translations, config)
                for name in wanted:
                    result[i] = [part_of("extension", name)(self, translation) for translation in result[i]]
        return result

    def _search_batch(
        self, sentences: Sequence[str], sources: Sequence[list[str]], config: SearchConfig
    ) -> Iterator[list[Translation]]:
        """Yields the hypotheses of each sentence, in the order of the search."""
        max_lengths = np.array([max_target_length(len(tokens)) for tokens in sources], np.int32)
        source_ids = [self.source_tokenizer.ids(tokens) for tokens in sources]
        draws, choice = _random_numbers(source_ids, max_lengths, config.samples, config.seed), list[tf.Tensor]()
        traced = dataclasses.replace(config, seed=SearchConfig.seed, minimum_bayes_risk=False)  # what a graph needs
        if config.samples:
            temperature, top_p = tf.constant([config.temperature, config.top_p], tf.float32)
            choice = [temperature, top_p, tf.constant(config.top_k)]
            restricted = 0.5 if config.top_p < 1 else 1.0
            traced = dataclasses.replace(traced, temperature=1.0, top_k=min(1, config.top_k), top_p=restricted)
        results = self.search_with(traced)(RaggedIds.of(source_ids).padded(), max_lengths, draws, *choice)
        ids, attention, score = (tensor.numpy() for tensor in results)
        for i, (sentence, tokens) in enumerate(zip(sentences, sources, strict=True)):
            hypotheses = [row[row != PAD_ID] for row in ids[i]]
            translations = [
                Translation(
                    sentence,
                    self.target_tokenizer.decode(row),
                    tokens,
                    self.target_tokenizer.tokens(row),
                    attention[i, k, : len(row), : len(tokens)],
                    float(score[i, k]),
                    math.exp(score[i, k] / max(1, len(row))),
                )
                for k, row in enumerate(hypotheses)
                if np.isfinite(score[i, k])
            ]
            if not translations:
                raise ValueError(f"{sentence!r}: no translation has a probability; the model's weights are unusable")
            yield translations

    def attend(self, pairs: Iterable[Sequence[str]], merge_subwords: bool = False) -> list[Translation]:
        """Makes the model write given translations, to see where it looks when it writes the right word.

        Args:
            pairs: (source, target) or `Pair`s; no side may be empty.
            merge_subwords: as in `translate`.

        Returns:
            For each pair a `Translation` whose text and tokens are the given target's.

        Raises:
            TypeError: `pairs` is a single pair, or holds something else than pairs.
            ValueError: a side of a pair is empty.
        """
        pairs, result = as_pairs(pairs), []
        for pair, whole in zip(pairs, self.preprocessor.protect([pair[0] for pair in pairs]), strict=True):
            piece, target = self.preprocessor.protect_target(whole, pair[1])
            source_tokens = self.source_tokenizer.tokenize(piece.read)
            target_tokens = self.target_tokenizer.tokenize(target)
            if not source_tokens or not target_tokens:
                raise ValueError(f"pairs: expected words on both sides, got {pair[0]!r} and {pair[1]!r}")
            log_probs, weights = self.forced(source_tokens, [*target_tokens, SPECIAL_TOKENS[END_ID]])
            score, probabilities = float(np.sum(log_probs)), np.exp(log_probs).tolist()
            translation = Translation(
                piece.read,
                target,
                source_tokens,
                [*target_tokens, SPECIAL_TOKENS[END_ID]],
                weights,
                score,
                math.exp(score / len(log_probs)),
                probabilities,
            )
            if merge_subwords:
                translation = part_of("extension", "merge_subwords")(self, translation)
            ((revealed,),) = self.preprocessor.finish([[piece]], [[translation]])
            result.append(revealed._replace(source=pair[0], text=pair[1]))
        return result

    def forced(self, source_tokens: Sequence[str], target_tokens: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Makes the model write tokens; returns their log-probabilities `(T,)` and where it looked, `(T, S)`."""
        source_ids = np.array([self.source_tokenizer.ids(source_tokens)], np.int32)
        is_end = [token == SPECIAL_TOKENS[END_ID] for token in target_tokens]
        target_ids = np.where(is_end, END_ID, self.target_tokenizer.ids(target_tokens))
        logits, weights = self.teacher_force(source_ids, np.array([[START_ID, *target_ids[:-1]]], np.int32))
        log_probs = tf.nn.log_softmax(forbid(logits[0], self.never(source_ids)))  # (T, V)
        return tf.gather(log_probs, target_ids, axis=1, batch_dims=1).numpy(), weights[0].numpy()


def _ranked(translations: list[Translation], config: SearchConfig) -> list[Translation]:
    """Returns one sentence's hypotheses in the order that the settings ask for."""
    if config.minimum_bayes_risk:
        return part_of("extension", "minimum_bayes_risk")(translations, sampled=config.samples > 0)
    if config.samples:
        return sorted(translations, key=lambda t: -t.score)
    texts = [t.text for t in translations]  # a beam may hold a text in several segmentations
    return [t for i, t in enumerate(translations) if t.text not in texts[:i]]


def _make_search(model: Any, never: Callable[[tf.Tensor], tf.Tensor], config: SearchConfig) -> Callable[..., Any]:
    """Returns a traced function from ids, max_lengths and draws (of `_random_numbers`) to what the search finds.

    If it samples, it also takes temperature, top_p and top_k, so that one graph serves all values of these: of the
    configuration's it matters only whether top_k and top_p restrict.

    Its results are token ids `(B, K, T)`, weights `(B, K, T, S)` and log-probabilities `(B, K)` of K hypotheses.
    """
    hypotheses = config.samples or config.beam_size

    def search(
        source_ids: tf.Tensor, max_lengths: tf.Tensor, draws: tf.Tensor, *choice: tf.Tensor
    ) -> Sequence[tf.Tensor]:
        state, memory = model.encode(source_ids)
        state, per_sentence, step = repeat_rows(state, hypotheses), (memory, never(source_ids)), step_of(model)
        if config.beam_size > 1:
            return beam_search(step, state, max_lengths, config.beam_size, config.length_penalty, per_sentence)
        per_sentence, max_lengths = repeat_rows((per_sentence, max_lengths), hypotheses)
        if config.samples:
            temperature, top_p, top_k = choice
            how = temperature, top_k if config.top_k else None, top_p if config.top_p < 1 else None
            results = part_of("extension", "samples")(step, state, max_lengths, draws, *how, per_sentence)
        else:
            results = greedy_search(step, state, max_lengths, per_sentence)
        return [tf.reshape(t, tf.concat([[-1, hypotheses], tf.shape(t)[1:]], 0)) for t in results]

    shapes: list[Any] = [((None, None), tf.int32), ((None,), tf.int32), ((None, None), tf.float32)]
    shapes += [((), tf.float32), ((), tf.float32), ((), tf.int32)] if config.samples else []
    traced = tf.function(search, autograph=False)  # autograph takes most of a second to load
    return traced.get_concrete_function(*(tf.TensorSpec(*shape) for shape in shapes))


def _random_numbers(source_ids: list[list[int]], max_lengths: np.ndarray, samples: int, seed: int) -> np.ndarray:
    """Returns numbers in [0, 1), `(B * samples, T)` float32, a function of each sentence's ids, not of its batch."""
    numbers = np.zeros((len(source_ids), samples, max(max_lengths)), np.float32)
    for rows, ids, limit in zip(numbers, source_ids, max_lengths, strict=True):
        rows[:, :limit] = np.random.default_rng([seed, *ids]).random((samples, limit), np.float32)
    return numbers.reshape(-1, max(max_lengths))


def _cut(tokens: list[str]) -> list[str]:
    """Returns at most `MAX_SOURCE_LENGTH` tokens, and logs what is left out."""
    if len(tokens) > MAX_SOURCE_LENGTH:
        rest = "".join(tokens[MAX_SOURCE_LENGTH:]).replace(SPACE, " ")
        logger.warning("of %d tokens only %d are translated; left out: %.60s", len(tokens), MAX_SOURCE_LENGTH, rest)
    return tokens[:MAX_SOURCE_LENGTH]
