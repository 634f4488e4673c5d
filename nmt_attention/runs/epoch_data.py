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
    """Appends a pair drawn from all pairs to a fraction of them: its source to the source, its target to the target.

    A corpus of short sentences has few long ones to learn from. The number of pairs stays the same.

    Args:
        pairs: the training pairs.
        links: for each pair the words that translate each other, or empty.
        lengths: for each pair the number of tokens of its longer side.
        data: says which fraction, `concatenation`, and how long both together may be, `most_tokens`.
        seed: says which pairs.
        avoid: `sentence_key`s. A pair stays as it is if one of its sides would become such a sentence.

    Returns:
        The pairs and their links, those of an appended pair counted on from the words before it.

    Source: Kondo et al. 2021, arXiv:2104.08478; Nguyen et al. 2021, arXiv:2105.01691 (pairs drawn at random).
    """
    draw, longer, linked = random.Random(seed), list(pairs), list(links)
    for i, (source, target) in enumerate(pairs):
        if draw.random() < data.concatenation:
            j = draw.randrange(len(pairs))
            both = f"{source} {pairs[j][0]}", f"{target} {pairs[j][1]}"
            if lengths[i] + lengths[j] <= data.most_tokens and avoid.isdisjoint(map(sentence_key, both)):
                longer[i] = both
                if links:
                    source_words, target_words = map(len, pair_words(pairs[i]))
                    linked[i] = links[i] | {(s + source_words, t + target_words) for s, t in links[j]}
    return longer, linked
