"""What each epoch trains on: pairs with words masked, other pairs appended, subwords sampled and words linked."""

import random
from collections.abc import Callable, Sequence

import tensorflow as tf

from ..batches import make_dataset
from ..config import DataConfig, TrainConfig
from ..corpus import sentence_key
from ..guidance import token_links
from ..text import Tokenizer
from ..word_links import Link, pair_words

MOST_APPENDED = 3  # pairs to one pair, so that chains of two to four sentences are learned


def make_epochs(
    mask: Callable[[str], Sequence[tuple[str, str]]],
    links: Sequence[set[Link]],
    lengths: Sequence[int],
    tokenizers: tuple[Tokenizer, Tokenizer],
    held_out: set[str],
    data: DataConfig,
    config: TrainConfig,
) -> Callable[[int], tf.data.Dataset]:
    """Returns a function that makes the batches of an epoch, the same whenever it is called with the same number.

    Args:
        mask: function from a seed to the training pairs, some of their words masked; see `marathi.masks.make_masker`.
        links: for each pair the words that translate each other, for guided alignment; else empty.
        lengths: for each pair the number of tokens of its longer side.
        tokenizers: of the source and of the target.
        held_out: keys of sentences that no pair may become, because they are scored.
        data: says how many pairs are appended and which subwords sampled.
        config: its seed, number of epochs and batch size.
    """

    def make_epoch(epoch: int) -> tf.data.Dataset:
        seed = f"{config.seed} {epoch}"
        pairs, linked = mask(seed), links
        if data.concatenation:
            pairs, linked = append_pairs(pairs, links, lengths, data, seed, held_out)
        alpha = data.sampling_alpha if epoch < config.epochs - data.plain_epochs else 0.0
        draw = (100_003 * config.seed + 2 * epoch) % 2**31
        source, target = (
            tokenizer.encode_all([pair[side] for pair in pairs], alpha, draw + side)
            for side, tokenizer in enumerate(tokenizers)
        )
        guide = token_links(linked, tokenizers[0], source, tokenizers[1], target) if linked else None
        return make_dataset(source, target, config.batch_size, config.seed, epoch, guide)

    return make_epoch


def append_pairs(
    pairs: Sequence[tuple[str, str]],
    links: Sequence[set[Link]],
    lengths: Sequence[int],
    data: DataConfig,
    seed: str,
    avoid: set[str],
) -> tuple[list[tuple[str, str]], list[set[Link]]]:
    """Appends one to `MOST_APPENDED` pairs, drawn from all, to a fraction of them: source to source, target to target.

    A corpus of short sentences has too few long ones to learn from. The number of pairs stays the same.

    Args:
        pairs: the training pairs.
        links: for each pair the words that translate each other, or empty.
        lengths: for each pair the number of tokens of its longer side.
        data: says which fraction, `concatenation`, and how long a chain may be, `most_tokens`.
        seed: says which pairs.
        avoid: `sentence_key`s. A pair stays as it is if one of its sides would become such a sentence.

    Returns:
        The pairs and their links, those of an appended pair counted on from the words before it.

    Source: Kondo et al. 2021, arXiv:2104.08478; Nguyen et al. 2021, arXiv:2105.01691 (pairs drawn at random).
    """
    draw, longer, linked = random.Random(seed), list(pairs), list(links)
    for i in range(len(pairs)):
        if draw.random() < data.concatenation:
            chain = [i, *(draw.randrange(len(pairs)) for _ in range(draw.randint(1, MOST_APPENDED)))]
            source, target = (" ".join(pairs[j][side] for j in chain) for side in (0, 1))
            few = sum(lengths[j] for j in chain) <= data.most_tokens
            if few and avoid.isdisjoint((sentence_key(source), sentence_key(target))):
                longer[i] = source, target
                if links:
                    linked[i] = _joined_links([(pairs[j], links[j]) for j in chain])
    return longer, linked


def _joined_links(chain: Sequence[tuple[tuple[str, str], set[Link]]]) -> set[Link]:
    joined, sources, targets = set(), 0, 0
    for pair, links in chain:
        joined |= {(s + sources, t + targets) for s, t in links}
        source_words, target_words = map(len, pair_words(pair))
        sources, targets = sources + source_words, targets + target_words
    return joined
