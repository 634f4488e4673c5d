"""Lesson 2c's task, to write letters backwards, and its networks, which differ in what leads from reader to writer."""

import itertools
from collections.abc import Mapping, Sequence

import keras
import numpy as np
from matplotlib.figure import Figure

from .runs import preset

LETTERS, LONGEST = 8, 40  # ids 1 to 8; 0 is padding, and the start of a target


def draw_letters(lengths: Sequence[int] | np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Returns random sequences of these lengths `(B,)`: source, target_in and target_out, ids `(B, 40)` each."""
    place, ends = np.arange(LONGEST), np.asarray(lengths)[:, np.newaxis]
    source = np.where(place < ends, random.integers(1, LETTERS + 1, size=(len(lengths), LONGEST)), 0)
    target = np.where(place < ends, np.take_along_axis(source, np.maximum(ends - 1 - place, 0), axis=1), 0)
    return source, np.pad(target[:, :-1], ((0, 0), (1, 0))), target


def train_backwards(H: int, look_back: bool = False, times: int = 1, seed: int = 1) -> keras.Model:
    """Returns a network that has learned to write letters backwards.

    Args:
        H: numbers in the one vector that leads from the GRU that reads to the one that writes, of 64 units.
        look_back: whether the writer also has dot product attention to all states of the reader, H numbers each.
        times: as often 400 batches (quick: 4) of 128 sequences, of every length from 1 to 40 equally many.
        seed: of the first weights and of the sequences.
    """
    keras.utils.set_random_seed(seed)
    layers, steps = keras.layers, times * (400 if preset() == "full" else 4)
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

    random = np.random.default_rng(seed)
    *inputs, target = draw_letters(random.integers(1, LONGEST + 1, size=128 * steps), random)
    optimizer = keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(0.01, steps), global_clipnorm=1.0)
    network.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=0))
    network.fit(inputs, target, batch_size=128, verbose=0)
    return network


def plot_right(networks: Mapping[str, keras.Model]) -> Figure:
    """Draws for each network and length the percentage of letters that are right, of 256 sequences.

    The networks are given the right letters so far. A cell is white at the one letter in eight that a guess gets.
    """
    lengths = range(5, LONGEST + 1, 5)
    shares = np.zeros((len(networks), len(lengths)))
    for (row, network), (column, length) in itertools.product(enumerate(networks.values()), enumerate(lengths)):
        *inputs, target = draw_letters(np.full(256, length), np.random.default_rng(2))
        found = network.predict_on_batch(inputs).argmax(axis=-1) == target  # (256, 40)
        shares[row, column] = 100 * found[:, :length].mean()
    figure = Figure(figsize=(7.6, 0.5 * len(networks) + 1), layout="constrained")
    axes = figure.add_subplot(xlabel="letters in the sequence", xticks=range(len(lengths)), xticklabels=lengths)
    axes.set(title="percentage of letters that are right", yticks=range(len(networks)), yticklabels=[*networks])
    axes.imshow(shares, cmap="Blues", vmin=100 / LETTERS, vmax=100, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        axes.text(column, row, f"{share:.0f}", ha="center", va="center", color="white" if share > 65 else "black")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    rows = (f"{name}: {', '.join(f'{share:.0f}' for share in row)}" for name, row in zip(networks, shares, strict=True))
    figure.set_label(f"Percentages of right letters in sequences of 5, 10, … 40 letters. {'; '.join(rows)}.")
    return figure
