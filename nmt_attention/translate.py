"""Sentences to translations, each with its tokens and attention."""

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import tensorflow as tf

from . import subwords
from .bundle import READY, load_bundle, wrong_sizes
from .config import SearchConfig
from .ensemble import Ensemble
from .mbr import minimum_bayes_risk
from .model import Seq2Seq
from .placeholders import FILE, Masked, Placeholders, forbid, make_never, mask_target, unmask
from .search import Step, beam_search, greedy_search, max_target_length, repeat_rows, sample, without_repeats
from .text import Tokenizer
from .vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID

MAX_SOURCE_LENGTH = 250  # tokens; of a longer sentence only the first are translated


class Translation(NamedTuple):
    """A translation, with its tokens and attention."""

    source: str
    text: str  # the translation
    source_tokens: list[str]  # the model's own tokens
    target_tokens: list[str]  # ends with `<end>` unless the maximum length was reached
    attention: np.ndarray  # `(T, S)` float32; row t: where the model looked when it wrote target token t
    score: float  # log-probability that the model gives the target tokens, in nats, whatever search found them


class Translator:
    """Translates with a trained model, or with the mean of several.

    Args:
        models: `Seq2Seq` in float32 (rounding to fewer bits would let a row's batch mates decide near ties), or a list
            of them: an `Ensemble`.
        source_tokenizer, target_tokenizer: those that all models were trained with.
        placeholders: masks the words that the models do not know, and writes them out in translations, n-best lists
            and heatmaps; None if they were trained without.

    Raises:
        ValueError: a tokeniser has more or fewer tokens than the model's vocabulary.
    """

    def __init__(
        self,
        models: Seq2Seq | list[Seq2Seq] | tuple[Seq2Seq, ...],
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        placeholders: Placeholders | None = None,
    ) -> None:
        self.models = list(models) if isinstance(models, list | tuple) else [models]
        ensemble = Ensemble(self.models)
        for model in self.models:
            for side, found, expected in wrong_sizes(model.config, source_tokenizer, target_tokenizer):
                setting = f"{side}_vocabulary_size of its ModelConfig"
                raise ValueError(f"{side}_tokenizer: {found} tokens, but the model has {expected}, the {setting}")
        self.source_tokenizer, self.target_tokenizer = source_tokenizer, target_tokenizer
        self.placeholders = placeholders
        self._never = never = make_never(source_tokenizer, target_tokenizer, placeholders is not None)
        self._search_with = functools.cache(functools.partial(_make_search, ensemble, never))
        self.teacher_force = tf.function(
            ensemble.teacher_force, input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2, autograph=False
        )

    @classmethod
    def load(cls, *directories: Path | str) -> Self:
        """Reads the trained model of a run directory; of several, an ensemble; of none, the one in the package.

        Raises:
            FileNotFoundError, ValueError: as `load_bundle`; also if the models' tokenisers are not the same.
        """
        directory, *others = map(Path, directories or [READY])
        model, source, target = load_bundle(directory)
        models = [model]
        for other in others:
            model, *tokenizers = load_bundle(other)
            for side, ours, theirs in zip(("source", "target"), (source, target), tokenizers, strict=True):
                if ours.to_config() != theirs.to_config():
                    raise ValueError(f"{directory} and {other}: an ensemble's {side} tokenisers must be the same")
            models.append(model)
        placeholders = Placeholders.load(directory, cls.load) if (directory / FILE).is_file() else None
        return cls(models, source, target, placeholders)

    def translate(
        self, sentences: Sequence[str], batch_size: int = 64, merge_subwords: bool = False, **search: Any
    ) -> list[Translation]:
        """Translates sentences; the order is kept, and a sentence's translation does not depend on the others.

        Args:
            sentences: an empty one has an empty translation. Of one with more than 250 tokens the first 250 are
                translated, as its `source_tokens` show.
            batch_size: sentences translated together, which are of similar length. Memory grows with it, and with
                `beam_size` or `samples`.
            merge_subwords: whether tokens and attention are of words; see `subwords.merge_subwords`.
            **search: fields of `SearchConfig`, such as `beam_size=5`.

        Returns:
            The first of each sentence's `n_best`.

        Raises:
            TypeError: `sentences` is a single string, or `SearchConfig` has no such field.
            ValueError: `batch_size` is below 1, a search setting is out of range, unknown tokens should be replaced
                but tokens are not words, or the model's numbers overflow.
        """
        return [found[0] for found in self.n_best(sentences, batch_size, merge_subwords, **search)]

    def n_best(
        self, sentences: Sequence[str], batch_size: int = 64, merge_subwords: bool = False, **search: Any
    ) -> list[list[Translation]]:
        """Returns for each sentence all hypotheses of a search, the best first; see `translate`.

        Those of a beam are ranked by log-probability and length penalty, `samples` by log-probability. With
        `minimum_bayes_risk` both are ranked by `mbr.minimum_bayes_risk`, and each text occurs once.

        Returns:
            For each sentence its translations, each with its own attention; for an empty one a single, empty one.
        """
        if isinstance(sentences, str):
            raise TypeError("sentences: expected a list of str, got a str; write translate([sentence])")
        if batch_size < 1:
            raise ValueError(f"batch_size: expected at least 1, got {batch_size}")
        config = SearchConfig(**search)
        for tokenizer in (self.source_tokenizer, self.target_tokenizer):
            if config.replace_unknown and tokenizer.kind != "word":
                raise ValueError(f"replace_unknown: expected a word model, got a {tokenizer.kind} model")
        masked = self._mask(sentences)
        sources = [self.source_tokenizer.tokenize(m.text)[:MAX_SOURCE_LENGTH] for m in masked]
        filled = sorted((i for i, tokens in enumerate(sources) if tokens), key=lambda i: len(sources[i]))
        result = [[Translation(s, "", [], [], np.zeros((0, 0), np.float32), 0.0)] for s in sentences]
        for start in range(0, len(filled), batch_size):
            rows = filled[start : start + batch_size]
            found = self._search_batch([masked[i].text for i in rows], [sources[i] for i in rows], config)
            for i, translations in zip(rows, found, strict=True):
                result[i] = self._finish(translations, config, merge_subwords)
                if self.placeholders:
                    result[i] = [unmask(translation, sentences[i], masked[i]) for translation in result[i]]
        return result

    def _mask(self, sentences: Sequence[str]) -> list[Masked]:
        if self.placeholders:
            return self.placeholders.mask(sentences)
        return [Masked(sentence, {}, {}) for sentence in sentences]

    def _search_batch(
        self, sentences: Sequence[str], sources: Sequence[list[str]], config: SearchConfig
    ) -> Iterator[list[Translation]]:
        """Yields the hypotheses of each sentence, in the order of the search."""
        max_lengths = np.array([max_target_length(len(tokens)) for tokens in sources], np.int32)
        source_ids = [self.source_tokenizer.ids(tokens) for tokens in sources]
        draws = _random_numbers(source_ids, max_lengths, config.samples, config.seed)
        traced = dataclasses.replace(config, seed=SearchConfig.seed, minimum_bayes_risk=False, replace_unknown=False)
        search = self._search_with(traced)
        found = search(_padded(source_ids), max_lengths, draws)
        ids, attention, score = (tensor.numpy() for tensor in found)
        for i, (sentence, tokens) in enumerate(zip(sentences, sources, strict=True)):
            kept = [row[row != PAD_ID] for row in ids[i]]
            translations = [
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
            if not translations:
                raise ValueError(f"{sentence!r}: no translation has a probability; the model's weights are unusable")
            yield translations

    def _finish(self, translations: list[Translation], config: SearchConfig, merge_subwords: bool) -> list[Translation]:
        """Applies what the settings ask for after the search to one sentence's hypotheses."""
        tokenizers = self.source_tokenizer, self.target_tokenizer
        if config.replace_unknown:
            translations = [subwords.replace_unknown(t, *tokenizers) for t in translations]
        if config.minimum_bayes_risk:
            scores = [
                0.0 if config.samples else t.score for t in translations
            ]  # samples are equally probable; repeated ones add up
            translations = minimum_bayes_risk(translations, tf.nn.softmax(scores).numpy())
        elif config.samples:
            translations = sorted(translations, key=lambda t: -t.score)
        return [subwords.merge_subwords(t, *tokenizers) for t in translations] if merge_subwords else translations

    def attend(self, pairs: Iterable[Sequence[str]], merge_subwords: bool = False) -> list[Translation]:
        """Makes the model write given translations, to see where it looks when it writes the right word.

        Args:
            pairs: (source, target) or `Pair`s; no side may be empty.
            merge_subwords: as in `translate`.

        Returns:
            For each pair a `Translation` whose text and tokens are the given target's.

        Raises:
            TypeError: `pairs` is a single pair, or a list of strings.
            ValueError: a side of a pair is empty.
        """
        pairs = list(pairs)
        if any(isinstance(pair, str) for pair in pairs):
            raise TypeError("pairs: expected (source, target) pairs, got a str; write attend([(source, target)])")
        result = []
        for pair, of_source in zip(pairs, self._mask([pair[0] for pair in pairs]), strict=True):
            masked, target = mask_target(of_source, pair[1]) if self.placeholders else (of_source, pair[1])
            source_tokens = self.source_tokenizer.tokenize(masked.text)
            target_tokens = self.target_tokenizer.tokenize(target)
            if not source_tokens or not target_tokens:
                raise ValueError(f"pairs: expected words on both sides, got {pair[0]!r} and {pair[1]!r}")
            source_ids = np.array([self.source_tokenizer.ids(source_tokens)], np.int32)
            target_ids = [START_ID, *self.target_tokenizer.ids(target_tokens), END_ID]
            logits, weights = self.teacher_force(source_ids, np.array([target_ids[:-1]], np.int32))
            log_probs = tf.nn.log_softmax(forbid(logits[0], self._never(source_ids)))
            score = tf.reduce_sum(tf.gather(log_probs, target_ids[1:], axis=1, batch_dims=1))
            target_tokens = [*target_tokens, SPECIAL_TOKENS[END_ID]]
            found = Translation(masked.text, target, source_tokens, target_tokens, weights[0].numpy(), float(score))
            if merge_subwords:
                found = subwords.merge_subwords(found, self.source_tokenizer, self.target_tokenizer)
            found = unmask(found, pair[0], masked) if self.placeholders else found
            result.append(found._replace(text=pair[1]))
        return result


def _make_search(
    ensemble: Ensemble, never: Callable[[tf.Tensor], tf.Tensor], config: SearchConfig
) -> Callable[..., Any]:
    """Returns a traced function from ids, max_lengths and draws to what `config`'s search finds.

    Its results are token ids `(B, K, T)`, weights `(B, K, T, S)` and log-probabilities `(B, K)` of K hypotheses.
    """
    hypotheses = config.samples or config.beam_size

    def search(source_ids: tf.Tensor, max_lengths: tf.Tensor, draws: tf.Tensor) -> Sequence[tf.Tensor]:
        state, memory = ensemble.encode(source_ids)
        state, given = repeat_rows(state, hypotheses), (memory, never(source_ids))

        def plain_step(
            token_ids: tf.Tensor, state: Any, memory: Any, never: tf.Tensor
        ) -> tuple[tf.Tensor, Any, tf.Tensor]:
            logits, state, weights = ensemble.step(token_ids, state, memory)
            return tf.nn.log_softmax(forbid(logits, never)), state, weights

        step: Step = plain_step
        if config.no_repeat_ngrams:
            step, state = without_repeats(step, state, max_lengths, config.no_repeat_ngrams)
        if config.beam_size > 1:
            return beam_search(step, state, max_lengths, config.beam_size, config.length_penalty, given)
        given, max_lengths = repeat_rows((given, max_lengths), hypotheses)
        if config.samples:
            choice = config.temperature, config.top_k, config.top_p
            found = sample(step, state, max_lengths, draws, *choice, given)
        else:
            found = greedy_search(step, state, max_lengths, given)
        return [tf.reshape(t, tf.concat([[-1, hypotheses], tf.shape(t)[1:]], 0)) for t in found]

    shapes = ((None, None), tf.int32), ((None,), tf.int32), ((None, None), tf.float32)
    traced = tf.function(search, autograph=False)  # which takes most of a second to load
    return traced.get_concrete_function(*(tf.TensorSpec(*shape) for shape in shapes))


def _random_numbers(source_ids: list[list[int]], max_lengths: np.ndarray, samples: int, seed: int) -> np.ndarray:
    """Returns numbers in [0, 1), `(B * samples, T)` float32, a function of each sentence's tokens, not of its batch."""
    numbers = np.zeros((len(source_ids), samples, max(max_lengths)), np.float32)
    if samples:
        for rows, ids, limit in zip(numbers, source_ids, max_lengths, strict=True):
            rows[:, :limit] = np.random.default_rng([seed, *ids]).random((samples, limit), np.float32)
    return numbers.reshape(-1, max(max_lengths))


def _padded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Returns rows of ids as one array `(B, S)` int32, padded on the right."""
    ids = np.full((len(rows), max(map(len, rows))), PAD_ID, np.int32)
    for padded, row in zip(ids, rows, strict=True):
        padded[: len(row)] = row
    return ids
