"""Lesson 2c's task, to write letters backwards, and its networks, which differ in what leads from reader to writer."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import keras
import numpy as np

from .runs import preset

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LETTERS, LONGEST = 8, 12  # ids 1 to 8; 0 is padding, and the start of a target


def draw_letters(lengths: Sequence[int] | np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Returns random sequences of these lengths `(B,)`: source, target_in and target_out, ids `(B, 12)` each."""
    place, ends = np.arange(LONGEST), np.asarray(lengths)[:, np.newaxis]
    source = np.where(place < ends, random.integers(1, LETTERS + 1, size=(len(lengths), LONGEST)), 0)
    target = np.where(place < ends, np.take_along_axis(source, np.maximum(ends - 1 - place, 0), axis=1), 0)
    return source, np.pad(target[:, :-1], ((0, 0), (1, 0))), target


def train_backwards(H: int, look_back: bool = False, times: int = 1) -> keras.Model:
    """Returns a network that has learned to write letters backwards, with seed 1.

    Args:
        H: numbers in the one vector that leads from the GRU that reads to the one that writes, of 64 units.
        look_back: whether the writer also has dot product attention to all states of the reader, H numbers each.
        times: as often 700 batches (quick: 8) of 128 sequences, of every length from 1 to 12 equally many.
    """
    keras.utils.set_random_seed(1)
    layers, steps = keras.layers, times * (700 if preset() == "full" else 8)
    source, target_in = (keras.Input((LONGEST,), dtype="int32") for _ in range(2))
    letters = layers.Embedding(LETTERS + 1, 16, mask_zero=True)(source)  # (B, S, E)
    states, vector = layers.GRU(H, return_sequences=True, return_state=True)(letters)  # (B, S, H), (B, H)
    told = [layers.Embedding(LETTERS + 1, 16)(target_in), layers.RepeatVector(LONGEST)(vector)]
    first = layers.Dense(64, activation="tanh")(vector)
    written = layers.GRU(64, return_sequences=True)(layers.concatenate(told), initial_state=first)  # (B, T, 64)
    if look_back:
        found = layers.Attention()([layers.Dense(H)(written), states])  # (B, T, H)
        written = layers.Dense(64, activation="tanh")(layers.concatenate([written, found]))
    network = keras.Model([source, target_in], layers.Dense(LETTERS + 1)(written))  # logits (B, T, V)

    random = np.random.default_rng(1)
    *inputs, target = draw_letters(random.integers(1, LONGEST + 1, size=128 * steps), random)
    optimizer = keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(0.01, steps), global_clipnorm=1.0)
    network.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=0))
    network.fit(inputs, target, batch_size=128, verbose=0)
    return network


def plot_right(networks: Mapping[str, keras.Model]) -> "Figure":
    """Draws for each network and length the percentage of 256 sequences in which every letter is right.

    The networks are given the right letters so far. On the right stand their numbers of parameters.
    """
    from matplotlib.figure import Figure

    lengths = range(1, LONGEST + 1)
    shares = np.zeros((len(networks), LONGEST))
    for (row, network), length in ((one, length) for one in enumerate(networks.values()) for length in lengths):
        *inputs, target = draw_letters(np.full(256, length), np.random.default_rng(2))
        found = network.predict_on_batch(inputs).argmax(axis=-1) == target  # (256, 12)
        shares[row, length - 1] = 100 * found[:, :length].all(axis=1).mean()
    figure = Figure(figsize=(7.6, 0.4 * len(networks) + 1), layout="constrained")
    axes = figure.add_subplot(xlabel="letters in the sequence", xticks=range(LONGEST), xticklabels=lengths)
    axes.set(title="percentage of sequences in which every letter is right", yticks=range(len(networks)))
    axes.set_yticklabels(networks)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=100, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        axes.text(column, row, f"{share:.0f}", ha="center", va="center", color="white" if share > 60 else "black")
    sizes = axes.secondary_yaxis("right", ylabel="parameters")
    sizes.set_yticks(range(len(networks)), [f"{network.count_params():,}" for network in networks.values()])
    for side in (axes, sizes):
        side.tick_params(length=0)
        side.spines[:].set_visible(False)
    rows = (f"{name}: {', '.join(f'{share:.0f}' for share in row)}" for name, row in zip(networks, shares, strict=True))
    figure.set_label(f"Percentages of sequences of 1 to 12 letters in which every letter is right. {'; '.join(rows)}.")
    return figure
