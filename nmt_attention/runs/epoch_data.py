"""What each epoch trains on: the training pairs with names swapped, subwords sampled and words linked."""

from collections.abc import Callable, Sequence

import tensorflow as tf

from ..batches import make_dataset
from ..config import DataConfig, TrainConfig
from ..guidance import token_links
from ..marathi.names import read_names, swap_names
from ..text import Tokenizer
from ..word_links import Link


def make_epochs(
    texts: Sequence[tuple[str, str]],
    links: Sequence[set[Link]],
    tokenizers: tuple[Tokenizer, Tokenizer],
    held_out: set[str],
    data: DataConfig,
    config: TrainConfig,
) -> Callable[[int], tf.data.Dataset]:
    """Returns a function that makes the batches of an epoch, the same whenever it is called with the same number.

    Args:
        texts: the training pairs.
        links: for each pair the words that translate each other, for guided alignment; else empty.
        tokenizers: of the source and of the target.
        held_out: keys of sentences that a name swap must not make, because they are scored.
        data: says which names are swapped and which subwords sampled.
        config: its seed, number of epochs and batch size.
    """
    names = read_names() if data.name_swaps else []

    def make_epoch(epoch: int) -> tf.data.Dataset:
        swapped = swap_names(texts, names, data.name_swaps, f"{config.seed} {epoch}", held_out) if names else texts
        alpha = data.sampling_alpha if epoch < config.epochs - data.plain_epochs else 0.0
        draw = (100_003 * config.seed + 2 * epoch) % 2**31
        source, target = (
            tokenizer.encode_all([pair[side] for pair in swapped], alpha, draw + side)
            for side, tokenizer in enumerate(tokenizers)
        )
        guide = token_links(links, tokenizers[0], source, tokenizers[1], target) if links else None
        return make_dataset(source, target, config.batch_size, config.seed, epoch, guide)

    return make_epoch
