"""What a run trains on: texts, tokenisers, links and placeholders made once, then the batches of each epoch."""

import logging
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from ..alignment.aligner import Aligner
from ..alignment.guidance import token_links, with_links
from ..alignment.links import Link, pair_words
from ..batches import make_dataset
from ..config import TrainConfig
from ..corpus import sentence_keys
from ..disk.files import in_brief
from ..names.hiding import learn_placeholders
from ..parts import part_of
from ..preprocess.language import MARATHI
from ..preprocess.preprocessor import Preprocessor
from ..preprocess.protect import ALL_SYMBOLS
from ..preprocess.segment import share_with_final_mark
from ..text import Tokenizer
from .bundle import load_preprocessor
from .settings import VOCABULARY_SIZES, DataConfig, start_directory
from .splits import Corpus

logger = logging.getLogger(__name__)
# Of a larger corpus, these are evenly spaced, because a corpus is often sorted by length.
MOST_LEARNED = 100_000  # training pairs that tokenisers are learned from
MOST_ALIGNED = 50_000  # training pairs that an aligner learns from
MOST_LINKED = 200_000  # training pairs that it links then
MOST_APPENDED = 3  # pairs to one pair, so that chains of two to four sentences are learned
TOKENIZERS_SEED = "1 tokenizers"  # of the names hidden while they learn; the same in all runs, so that ensembles work

Texts = Sequence[tuple[str, str]]  # (source, target), some names hidden


class Prepared(NamedTuple):
    """The training pairs as training takes them, and what translates with the model."""

    corpus: Corpus
    data: DataConfig
    config: TrainConfig
    texts: Callable[[str], Texts]  # from a seed, which decides which names are hidden
    links: Sequence[set[Link]]  # for each pair the words that translate each other; empty without guided alignment
    lengths: np.ndarray  # for each pair the number of tokens of its longer side
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
        return -(-len(self.lengths) // self.config.batch_size)

    def batches(self, epoch: int) -> tf.data.Dataset:
        """Returns the batches of an epoch, counted from 0: the same whenever it is called with the same number."""
        data, config, seed = self.data, self.config, f"{self.config.seed} {epoch}"
        texts, links = self.texts(seed), self.links
        if data.concatenation:
            texts, links = append_pairs(texts, self, seed)
        alpha = data.sampling_alpha if epoch < config.epochs - data.plain_epochs else 0.0
        draw = (100_003 * config.seed + 2 * epoch) % 2**31
        source, target = (
            tokenizer.encode_all([pair[side] for pair in texts], alpha, draw + side)
            for side, tokenizer in enumerate(self.tokenizers)
        )
        guide = None
        if links:
            guide = with_links(token_links(links, self.tokenizers[0], source, self.tokenizers[1], target))
        return make_dataset(source, target, config.batch_size, config.seed, epoch, guide)


def prepare(corpus: Corpus, data: DataConfig, config: TrainConfig) -> Prepared:
    """Learns tokenisers, and links if attention is guided, from the training pairs alone.

    A ValueError says that no training pair is as short as `most_tokens`, or that the vocabulary is too small.
    """
    train, language = corpus.split.train, data.language or corpus.about["language"]
    logger.info("learning tokenisers and names from %s pairs …", f"{len(train):,}", extra={"transient": True})
    before = load_preprocessor(start_directory(data.start)) if data.start else None
    earlier = before.placeholders if before else None
    marathi = language == MARATHI and corpus.about["script"] == "Devanagari"
    share = data.placeholders if marathi and (earlier or not before) else 0.0
    texts, placeholders = learn_placeholders(corpus.split, share, earlier)
    sides = list(zip(*texts(TOKENIZERS_SEED), strict=True))
    symbols = ALL_SYMBOLS if placeholders else []
    if before:
        tokenizers = before.tokenizers
    else:
        learn, every = part_of("tokenizer", data.tokenizer).learn, spacing(sides[0], MOST_LEARNED)
        with ThreadPoolExecutor(2) as threads:  # sentencepiece releases Python's lock while it learns
            settings = [side[::every] for side in sides], [data.vocabulary_size] * 2, (True, False), [symbols] * 2
            try:
                tokenizers = tuple(threads.map(learn, *settings))
            except RuntimeError as error:
                how = "split long texts into sentences"
                raise ValueError(f"corpus: no subwords can be learned from it ({in_brief(error)}); {how}") from None
    source, target = (tokenizer.encode_all(side).lengths for tokenizer, side in zip(tokenizers, sides, strict=True))
    lengths = np.maximum(source, target)
    short = np.flatnonzero(lengths <= data.most_tokens)
    if not len(short):
        least = f"{lengths.min()}, the length of the shortest training pair"
        what = f"expected at least {least}, got {data.most_tokens}"
        raise ValueError(f"most_tokens: {what}; or split the texts into sentences")
    if left_out := len(lengths) - len(short):
        why = f"a side has more than {data.most_tokens:,} tokens (most_tokens)"
        logger.warning("%s of %s training pairs are left out: %s", f"{left_out:,}", f"{len(lengths):,}", why)

    def short_texts(seed: str) -> Texts:
        all_texts = texts(seed)
        return [all_texts[i] for i in short]

    links = _links(corpus, short.tolist()) if config.guidance else []
    marked = share_with_final_mark([pair.source for pair in train])
    preprocessor = Preprocessor(*tokenizers, placeholders, marked, language)
    return Prepared(corpus, data, config, short_texts, links, lengths[short], left_out, tokenizers, preprocessor)


def spacing(items: Sequence[Any], most: int) -> int:
    """Returns n so that every n-th item makes at most so many."""
    return max(1, -(-len(items) // most))


def _links(corpus: Corpus, rows: Sequence[int]) -> list[set[Link]]:
    """Returns the links that guide attention in these pairs: the corpus's own, else those an aligner learns."""
    if corpus.links:
        logger.info("attention is guided by the links in the corpus")
        return [corpus.links[i] for i in rows]
    pairs = [corpus.split.train[i] for i in rows]
    linked = slice(None, None, spacing(pairs, MOST_LINKED))
    logger.info("attention is guided by a statistical aligner, on %s pairs", f"{len(pairs[linked]):,}")
    aligner = Aligner(pairs[:: spacing(pairs, MOST_ALIGNED)])
    if not aligner.tells_from_shuffled(corpus.split.dev):
        what = "its sides do not seem to belong together: no more words have a translation than in shuffled pairs"
        logger.warning("corpus: %s (%.60s – %.60s)", what, *pairs[0][:2])
    links: list[set[Link]] = [set()] * len(pairs)
    links[linked] = aligner.align(pairs[linked])
    return links


def append_pairs(texts: Texts, prepared: Prepared, seed: str) -> tuple[Texts, Sequence[set[Link]]]:
    """Appends one to `MOST_APPENDED` pairs, drawn from all, to a fraction of them: source to source, target to target.

    A corpus of short sentences has too few long ones to learn from. The number of pairs stays the same. A pair stays as
    it is if it would get longer than `most_tokens`, or if one of its sides would become a held-out sentence.

    Returns the pairs, and their links, those of an appended pair counted on from the words before it.

    Source: Kondo et al. 2021, arXiv:2104.08478; Nguyen et al. 2021, arXiv:2105.01691 (pairs drawn at random).
    """
    data, held_out = prepared.data, prepared.corpus.held_out
    draw, longer, links = random.Random(seed), list(texts), list(prepared.links)
    for i in range(len(texts)):
        if draw.random() < data.concatenation:
            chain = [i, *(draw.randrange(len(texts)) for _ in range(draw.randint(1, MOST_APPENDED)))]
            source, target = (" ".join(texts[j][side] for j in chain) for side in (0, 1))
            fits = sum(prepared.lengths[j] for j in chain) <= data.most_tokens
            if fits and held_out.isdisjoint(sentence_keys(source) | sentence_keys(target)):
                longer[i] = source, target
                if links:
                    links[i] = _joined_links([(texts[j], prepared.links[j]) for j in chain])
    return longer, links


def _joined_links(chain: Sequence[tuple[tuple[str, str], set[Link]]]) -> set[Link]:
    joined, sources, targets = set(), 0, 0
    for pair, links in chain:
        joined |= {(s + sources, t + targets) for s, t in links}
        source_words, target_words = map(len, pair_words(pair))
        sources, targets = sources + source_words, targets + target_words
    return joined
