"""What the lesson on word reversal needs besides its models: jumbled words, and a model as Keras's `fit` wants it."""

from collections.abc import Container
from random import Random

import keras

from ..config import TrainConfig
from ..train import make_optimizer
from ..vocabulary import PAD_ID

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def jumble(word: str, real: Container[str], random: Random) -> str:
    """Returns the word's letters in random order, or other letters if that gives a word of `real`."""
    letters = random.sample(word, len(word))
    while "".join(letters) in real:
        letters = random.choices(LETTERS, k=len(word))
    return "".join(letters)


def some_words(text: str, most: int, real: Container[str], random: Random) -> str:
    """Returns a run of at most `most` words of a sentence, each jumbled; a word that occurs twice is jumbled once."""
    words = text.split(" ")
    count = min(random.randint(1, most), len(words))
    first = random.randint(0, len(words) - count)
    jumbled = {word: jumble(word, real, random) for word in words}
    return " ".join(jumbled[word] for word in words[first : first + count])


def ready_to_fit(model: keras.Model, config: TrainConfig) -> keras.Model:
    """Returns a model that maps (source_ids, target_in) to logits, compiled with the masked loss.

    Args:
        model: `Seq2Seq`, whose weights it shares.
        config: for `make_optimizer`, with one step per epoch.
    """
    inputs = [keras.Input((None,), dtype="int32") for _ in range(2)]  # source_ids (B, S), target_in (B, T)
    wrapped = keras.Model(inputs, model(*inputs)[0])  # logits (B, T, V)
    optimizer = make_optimizer(wrapped, 1, config)
    optimizer.global_clipnorm = config.clip_norm
    wrapped.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=PAD_ID))
    return wrapped
