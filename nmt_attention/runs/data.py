"""What a run trains on: texts, tokenisers, links and placeholders made once, then the batches of each epoch."""

import functools
import logging
import random
from collections.abc import Callable, Iterator, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from ..alignment.aligner import Aligner
from ..alignment.guidance import token_links, with_links
from ..alignment.links import Link, pair_words
from ..batches import make_dataset
from ..config import TrainConfig
from ..corpus import Pair, sentence_keys
from ..disk.files import in_brief
from ..names.hiding import Hider, learn_placeholders
from ..parts import part_of
from ..preprocess.language import is_marathi
from ..preprocess.preprocessor import Preprocessor
from ..preprocess.protect import ALL_SYMBOLS
from ..preprocess.segment import share_with_final_mark
from ..spelling import normalize
from ..text import Tokenizer
from .bundle import load_preprocessor
from .settings import VOCABULARY_SIZES, DataConfig, start_directory
from .splits import Corpus

logger = logging.getLogger(__name__)
# Of a larger corpus, these are evenly spaced, because a corpus is often sorted by length.
MOST_LEARNED = 100_000  # training pairs that tokenisers are learned from
MOST_ALIGNED = 50_000  # training pairs that an aligner learns from
MOST_AT_ONCE = 1 << 17  # training pairs of which batches are made at a time; more of them come part by part
MOST_APPENDED = 3  # pairs to one pair, so that chains of two to four sentences are learned
TOKENIZERS_SEED = "1 tokenizers"  # of the names hidden while they learn; the same in all runs, so that ensembles work
_LETTER_OR_MORE = "subword", "word", "character"  # kinds of tokenisers whose tokens have a letter or more

Texts = Sequence[tuple[str, str]]  # (source, target), some names hidden


class Prepared(NamedTuple):
    """The training pairs as training takes them, part by part, and what translates with the model."""

    corpus: Corpus
    data: DataConfig
    config: TrainConfig
    texts: Hider  # from a seed, which decides which names are hidden, and numbers of training pairs
    parts: Sequence[np.ndarray]  # numbers of the training pairs that are short enough; batches are made of one part
    links: Callable[[int], Sequence[set[Link]]]  # of a part's pairs, which words translate each other; perhaps none
    bounds: np.ndarray  # for each training pair a number of tokens that its sides do not exceed
    lengths: Callable[[Sequence[int]], np.ndarray]  # of numbers of pairs: the number of tokens of the longer side
    left_out: int  # training pairs with too many tokens
    tokenizers: tuple[Tokenizer, Tokenizer]  # of the source and of the target
    preprocessor: Preprocessor

    @property
    def vocabulary_sizes(self) -> dict[str, int]:
        """The vocabulary sizes, as a `ModelConfig` has them."""
        return dict(zip(VOCABULARY_SIZES, map(len, self.tokenizers), strict=True))

    @property
    def steps_per_epoch(self) -> int:
        """The number of batches."""
        return sum(-(-len(part) // self.config.batch_size) for part in self.parts)

    def batches_of(self, turn: int) -> tf.data.Dataset:
        """Returns the batches of a turn: names are hidden, pairs appended and subwords drawn again.

        Each part has a turn in every epoch, and turns are counted on from epoch to epoch.
        """
        data, config, seed = self.data, self.config, f"{self.config.seed} {turn}"
        epoch, part = divmod(turn, len(self.parts))
        texts: Texts = self.texts(seed, self.parts[part].tolist())
        links = self.links(part)
        if data.concatenation:
            texts, links = append_pairs(texts, links, self.parts[part], self, seed)
        alpha = data.sampling_alpha if epoch < config.epochs - data.plain_epochs else 0.0
        draw = (100_003 * config.seed + 2 * turn) % 2**31
        source, target = (
            tokenizer.encode_all([pair[side] for pair in texts], alpha, draw + side)
            for side, tokenizer in enumerate(self.tokenizers)
        )
        guide = None
        if links:
            guide = with_links(token_links(links, self.tokenizers[0], source, self.tokenizers[1], target))
        return make_dataset(source, target, config.batch_size, config.seed, turn, guide)


class Ahead:
    """The batches of an epoch, counted from 0: the same whenever it is called with the same number.

    A thread makes those of the next turn beside the steps of this one.
    """

    def __init__(self, prepared: Prepared) -> None:
        self.prepared, self.thread, self.coming = prepared, ThreadPoolExecutor(1), dict[int, Future]()

    def __call__(self, epoch: int) -> Iterator[Any]:
        make, parts = self.prepared.batches_of, len(self.prepared.parts)
        for turn in range(epoch * parts, (epoch + 1) * parts):
            batches = (self.coming.pop(turn, None) or self.thread.submit(make, turn)).result()
            if turn + 1 < self.prepared.config.epochs * parts:
                self.coming[turn + 1] = self.thread.submit(make, turn + 1)
            yield from batches


def prepare(corpus: Corpus, data: DataConfig, config: TrainConfig) -> Prepared:
    """Learns tokenisers, and links if attention is guided, from the training pairs alone.

    A ValueError says that no training pair is as short as `most_tokens`, or that the vocabulary is too small.
    """
    train, language = corpus.split.train, data.language or corpus.about["language"]
    logger.info("learning names from %s pairs …", f"{len(train):,}", extra={"transient": True})
    before = load_preprocessor(start_directory(data.start)) if data.start else None
    earlier = before.placeholders if before else None
    hides = is_marathi(corpus.about["script"], language) and (earlier or not before)
    texts, placeholders = learn_placeholders(corpus.split, data.placeholders if hides else 0.0, earlier)
    symbols = ALL_SYMBOLS if placeholders else []
    if before:
        tokenizers = before.tokenizers
    else:
        learn, sample = part_of("tokenizer", data.tokenizer).learn, range(0, len(train), spacing(train, MOST_LEARNED))
        logger.info("learning tokenisers from %s pairs …", f"{len(sample):,}", extra={"transient": True})
        sides = map(list, zip(*texts(TOKENIZERS_SEED, sample), strict=True))
        with ThreadPoolExecutor(2) as threads:  # sentencepiece releases Python's lock while it learns
            try:
                tokenizers = tuple(threads.map(learn, sides, [data.vocabulary_size] * 2, (True, False), [symbols] * 2))
            except RuntimeError as error:
                how = "split long texts into sentences"
                raise ValueError(f"corpus: no subwords can be learned from it ({in_brief(error)}); {how}") from None

    def lengths(rows: Sequence[int]) -> np.ndarray:
        sides = zip(*texts(TOKENIZERS_SEED, rows), strict=True) if len(rows) else ([], [])
        counts = (tokenizer.encode_all(side).lengths for tokenizer, side in zip(tokenizers, sides, strict=True))
        return np.maximum(*counts)

    bounds = _bounds(train, tokenizers, data.most_tokens)
    unsure = np.flatnonzero(bounds > data.most_tokens)
    bounds[unsure] = lengths(unsure.tolist())
    short = np.flatnonzero(bounds <= data.most_tokens)
    if not len(short):
        least = f"{bounds.min()}, the length of the shortest training pair"
        what = f"expected at least {least}, got {data.most_tokens}"
        raise ValueError(f"most_tokens: {what}; or split the texts into sentences")
    if left_out := len(train) - len(short):
        why = f"a side has more than {data.most_tokens:,} tokens (most_tokens)"
        logger.warning("%s of %s training pairs are left out: %s", f"{left_out:,}", f"{len(train):,}", why)
    number = spacing(short, MOST_AT_ONCE)
    parts = [short[first::number] for first in range(number)]
    links = _links(corpus, parts) if config.guidance else lambda part: []
    marked = share_with_final_mark([pair.source for pair in train])
    preprocessor = Preprocessor(*tokenizers, placeholders, marked, language)
    return Prepared(corpus, data, config, texts, parts, links, bounds, lengths, left_out, tokenizers, preprocessor)


def _bounds(pairs: Sequence[Pair], tokenizers: Sequence[Tokenizer], most: int) -> np.ndarray:
    """Returns for each pair a number of tokens that its sides do not exceed, without looking for them.

    A token has a letter or more, or is the space before the first one; hidden, a name is a letter. Of tokenisers of
    your own nobody knows; their bounds are more than the most.
    """
    if any(tokenizer.kind not in _LETTER_OR_MORE for tokenizer in tokenizers):
        return np.full(len(pairs), most + 1)
    sides = ((normalize(pair[side], tokenizers[side].fold_case) for side in (0, 1)) for pair in pairs)
    return np.array([1 + max(map(len, texts)) for texts in sides])


def spacing(items: Sized, most: int) -> int:
    """Returns n so that every n-th item makes at most so many."""
    return max(1, -(-len(items) // most))


def _links(corpus: Corpus, parts: Sequence[np.ndarray]) -> Callable[[int], list[set[Link]]]:
    """Returns a function from the number of a part to the links that guide attention in its pairs.

    They are the corpus's own, else those of an aligner, which keeps those of the part that it was asked for last.
    """
    if corpus.links:
        logger.info("attention is guided by the links in the corpus")
        return lambda part: [corpus.links[i] for i in parts[part]]
    train, short = corpus.split.train, np.sort(np.concatenate(parts))
    pairs = [train[i] for i in short[:: spacing(short, MOST_ALIGNED)]]
    logger.info("attention is guided by a statistical aligner, which learns from %s pairs", f"{len(pairs):,}")
    aligner = Aligner(pairs)
    if not aligner.tells_from_shuffled(corpus.split.dev):
        what = "its sides do not seem to belong together: no more words have a translation than in shuffled pairs"
        logger.warning("corpus: %s (%.60s – %.60s)", what, *pairs[0][:2])
    return functools.lru_cache(1)(lambda part: aligner.align(train[i] for i in parts[part]))


def append_pairs(
    texts: Texts, links: Sequence[set[Link]], rows: np.ndarray, prepared: Prepared, seed: str
) -> tuple[Texts, Sequence[set[Link]]]:
    """Appends one to `MOST_APPENDED` pairs, drawn from all, to a fraction of them: source to source, target to target.

    A corpus of short sentences has too few long ones to learn from. The number of pairs stays the same. A pair stays as
    it is if it would get longer than `most_tokens`, or if one of its sides would become a held-out sentence.

    Args:
        texts, links: those of a part.
        rows: numbers of its pairs.
        prepared: what they are of.
        seed: decides what is appended.

    Returns the pairs, and their links, those of an appended pair counted on from the words before it.

    Source: Kondo et al. 2021, arXiv:2104.08478; Nguyen et al. 2021, arXiv:2105.01691 (pairs drawn at random).
    """
    draw, most, held_out = random.Random(seed), prepared.data.most_tokens, prepared.corpus.held_out
    chains = [
        [i, *(draw.randrange(len(texts)) for _ in range(draw.randint(1, MOST_APPENDED)))]
        for i in range(len(texts))
        if draw.random() < prepared.data.concatenation
    ]
    lengths = prepared.bounds[rows]
    unsure = sorted({i for chain in chains if lengths[chain].sum() > most for i in chain})
    lengths[unsure] = prepared.lengths(rows[unsure].tolist())
    longer, longer_links = list(texts), list(links)
    for chain in chains:
        source, target = (" ".join(texts[i][side] for i in chain) for side in (0, 1))
        if lengths[chain].sum() <= most and held_out.isdisjoint(sentence_keys(source) | sentence_keys(target)):
            longer[chain[0]] = source, target
            if links:
                longer_links[chain[0]] = _joined_links([(texts[i], links[i]) for i in chain])
    return longer, longer_links


def _joined_links(chain: Sequence[tuple[tuple[str, str], set[Link]]]) -> set[Link]:
    joined, sources, targets = set(), 0, 0
    for pair, links in chain:
        joined |= {(s + sources, t + targets) for s, t in links}
        source_words, target_words = map(len, pair_words(pair))
        sources, targets = sources + source_words, targets + target_words
    return joined
