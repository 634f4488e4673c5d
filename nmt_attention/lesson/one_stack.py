"""What lesson 10c needs besides the Transformer that learners write: its texts, its training, its figures."""

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from ..corpus import Pair, split_pairs
from ..disk.fetch import load_corpus
from ..figures.fonts import text_style
from ..figures.labels import Labels, looked_most
from ..figures.palette import ATTENTION, DARK, PALE, WEIGHTS
from ..marathi.romanize import romanize
from ..text import WordTokenizer
from ..vocabulary import END_ID, PAD_ID, START_ID
from .runs import preset

Step = Callable[..., Any]  # a learner's: model, optimizer, ids (B, T), targets (B, T) to the loss
PARTS = "nothing", "positions", "residual", "norm", "small network", "three heads"
Batches = Sequence[tuple[Any, np.ndarray]]  # what a model reads, such as ids (B, T), and targets (B, T)


def train_stack(model: Any, batches: Batches, train_step: Step, rate: float = 3e-3, rising: float = 0.1) -> list[float]:
    """Trains with Adam, the rate rising over this share of the batches, then falling; returns the loss of each batch.

    Quick lessons take 30 batches.
    """
    batches = batches if preset() == "full" else batches[:30]
    steps = len(batches)
    rates = keras.optimizers.schedules.CosineDecay(0.0, steps, warmup_target=rate, warmup_steps=int(rising * steps))
    optimizer = keras.optimizers.Adam(rates, global_clipnorm=1.0)
    step = tf.function(train_step, reduce_retracing=True) if steps > 20 else train_step  # else the graph costs more
    return [float(step(model, optimizer, *tf.nest.map_structure(tf.constant, batch))) for batch in batches]


def letter_batches(count: int, size: int, seed: int) -> Batches:
    """Returns `count` batches of `size` sequences of twelve letters, ids 1 to 10, and the same turned around."""
    ids = np.random.default_rng(seed).integers(1, 11, size=(count, size, 12)).astype("int32")
    return [(each, each[:, ::-1].copy()) for each in ids]


def train_without(part: str, make_model: Callable[..., Any], train_step: Step, steps: int = 200) -> Any:
    """Returns a model that lacks a part and was trained, with seed 1, to turn letters around; prints its losses.

    Args:
        part: one of `PARTS`, or a ValueError follows; "nothing" leaves the model as it was made.
        make_model: takes the number of ids, and that of `heads`, as a learner's `Transformer` does.
        steps: of training; quick lessons take ten.
    """
    if part not in PARTS:
        raise ValueError(f"part: expected one of {', '.join(PARTS)}, got {part!r}")
    keras.utils.set_random_seed(1)
    model = make_model(11, heads=1 if part == "three heads" else 4)
    if part == "positions":
        model.positions = lambda T, H: tf.zeros((T, H))
    for block in model.blocks:
        if part == "residual":
            block.add = lambda x, found: found
        if part == "norm":
            block.norms = [tf.identity, tf.identity]
        if part == "small network":
            block.network = lambda x: 0 * x
    losses = train_stack(model, letter_batches(steps if preset() == "full" else 10, 64, seed=1), train_step)
    ((ids, wanted),) = letter_batches(1, 500, seed=9)
    exact = (model(ids)[0].numpy().argmax(axis=-1) == wanted).all(axis=1).mean()
    loss = f"{losses[0]:.2f} → {np.mean(losses[-20:]):.2f}"
    print(f"without {part:13}  {len(losses)} steps: loss {loss}, exact {exact:4.0%}")
    return model


class PhrasebookTexts:
    """The phrasebook's pairs of at most six English words, each one text: START, English, =, Marathi, END.

    Attributes:
        tokenizer: `WordTokenizer` of both languages.
        train, test: ids (B, T), padded.
    """

    def __init__(self) -> None:
        self._split = split_pairs([pair for pair in load_corpus("phrasebook") if len(pair.source.split()) <= 6])
        written = [f"{pair.source} = {pair.target}" for pair in self._split.train]
        self.tokenizer = WordTokenizer.learn(written, 4000, fold_case=True)
        self.train, self.test = self._ids(self._split.train), self._ids(self._split.test)

    def _ids(self, pairs: Sequence[Pair]) -> np.ndarray:
        rows = [[*self.begin(pair.source), *self.tokenizer.encode(pair.target), END_ID] for pair in pairs]
        return keras.utils.pad_sequences(rows, padding="post")

    def begin(self, sentence: str) -> list[int]:
        """Returns the ids of START, an English sentence and =."""
        return [START_ID, *self.tokenizer.encode(f"{sentence} =")]

    def batches(self, count: int) -> list[np.ndarray]:
        """Returns batches of 64 texts, ids (64, T) each."""
        random = np.random.default_rng(1)
        return [self.train[random.integers(len(self.train), size=64)] for _ in range(count)]

    def write(self, model: Any, sentence: str, limit: int = 15) -> str:
        """Returns the Marathi that a model writes for an English sentence, by greedy search."""
        ids = self.begin(sentence)
        start = len(ids)
        while ids[-1] != END_ID and len(ids) < start + limit:
            ids.append(int(tf.argmax(model(tf.constant([ids]))[0][0, -1])))
        return self.tokenizer.decode(ids[start:])

    def exact(self, model: Any) -> float:
        """Returns the percentage of test texts of which a model predicts every Marathi token, given those before it."""
        (equals,) = self.tokenizer.encode("=")
        read, wanted = self.test[:, :-1], self.test[:, 1:]
        counts = (np.cumsum(read == equals, axis=1) > 0) & (wanted != PAD_ID)  # from = on
        return float(100 * ((model(read)[0].numpy().argmax(axis=-1) == wanted) | ~counts).all(axis=1).mean())

    def plot_looks(self, model: Any, sentence: str) -> Figure:
        """Draws where each head looks while a model writes: heatmaps, a line of them for each block.

        A row is a token from = on, which asks, to predict the next one; a column one to look at; a dot the darkest.
        """
        ids = [*self.begin(sentence), *self.tokenizer.encode(self.write(model, sentence))]
        words, looked = self.tokenizer.tokens(ids), [block[0].numpy() for block in model(tf.constant([ids]))[1]]
        above, beside = [romanize(word) for word in words], Labels(romanize=True, glosses=True).write(words)
        start, small = words.index("="), text_style("".join(beside)) | {"fontsize": "small"}
        figure = Figure(figsize=(11.5, 1.3 + 1.7 * len(looked)), layout="constrained")
        panels, said = figure.subplots(len(looked), len(looked[0]), squeeze=False, sharex=True, sharey=True), []
        for (b, n), axes in np.ndenumerate(panels):
            image = axes.imshow(rows := looked[b][n, start:], cmap=WEIGHTS, vmin=0, vmax=1, aspect="auto")
            axes.plot(rows.argmax(axis=1), range(len(rows)), "o", color=ATTENTION, mec="white", ms=5)
            axes.set_title(f"block {b + 1}, head {n + 1}", fontsize="medium")
            axes.set_xticks(range(len(ids)), above, rotation=90, **small)
            axes.set_yticks(range(len(ids) - start), beside[start:], **small)
            axes.tick_params(length=0, top=b == 0, labeltop=b == 0, bottom=False, labelbottom=False)
            axes.spines[:].set_visible(False)
            said.append(f"block {b + 1}, head {n + 1}: {looked_most(words[start:], words, rows, 2)}")
        figure.colorbar(image, ax=panels, label="attention weight", fraction=0.02, pad=0.01).outline.set_visible(False)
        figure.suptitle("token that is looked at", fontsize="large")
        figure.supylabel("token that asks", fontsize="large")
        figure.set_label(f"Heatmaps of all heads: {'; '.join(said)}.")
        return figure

    def plot_block(self, model: Any, sentence: str) -> Figure:
        """Draws what a model's last block computes at the position of =, from below: shapes, and some of the numbers.

        Args:
            model: a learner's `Transformer`, whose blocks have `norms`, `look`, `network` and `add`.
            sentence: English; the position of = predicts the first Marathi token.
        """
        ids = tf.constant([self.begin(sentence)])
        T, (*below, block) = ids.shape[1], model.blocks
        x, allowed = model.embedding(ids) + model.positions(T, model.units), np.tril(np.ones((T, T))) > 0
        for each in below:
            x, _ = each(x, allowed)
        normed = block.norms[0](x)
        found, weights = block.look(normed, normed, allowed)  # (1, T, H), (1, N, T, T)
        line = block.add(x, found)
        again = block.norms[1](line)
        more = block.network(again)
        out = block.add(line, more)
        shares = tf.nn.softmax(model.to_logits(model.norm(out)))[0, -1].numpy()
        (best,) = Labels(romanize=True, glosses=True).write([self.tokenizer.vocabulary[shares.argmax()]])
        rows, words = weights[0, :, -1].numpy(), self.tokenizer.tokens(ids[0].numpy())  # (N, T)

        figure = Figure(figsize=(7.6, 6.6))
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 7.6), ylim=(-0.3, 6.3))
        axes.set_axis_off()
        style: dict[str, Any] = {"va": "center", "color": DARK}
        parts = [(0.0, "x", x), (0.7, "norm", normed), (2.9, "look", found), (3.6, "x", line), (4.3, "norm", again)]
        parts += [(4.8, "network", more), (5.5, "x", out)]
        for y, name, vector in parts:
            axes.text(1.2, y, name, **style)
            axes.text(2.4, y, str(tuple(vector.shape)), **style | {"color": PALE})
            for column, number in enumerate([*vector[0, -1, :4].numpy(), np.nan]):
                written = "…" if np.isnan(number) else f"{number:.2f}".replace("-", "\N{MINUS SIGN}")
                axes.text(4.2 + 0.7 * column, y, written, ha="right", **style)
        arrow = {"arrowstyle": "-|>", "color": DARK}
        for low, high in ((0.0, 3.6), (3.6, 5.5)):
            box = FancyBboxPatch((1, low + 0.45), 6.4, high - low - 0.9, "round,pad=0,rounding_size=0.08")
            axes.add_patch(box).set(facecolor=(ATTENTION, 0.08), edgecolor=ATTENTION)
            axes.plot([1.25, 0.5, 0.5], [low + 0.28, low + 0.28, high], color=DARK, linewidth=1)  # the residual
            axes.annotate("", (0.85, high), (0.49, high), arrowprops=arrow)
            for start, end in ((low + 0.15, low + 0.45), (high - 0.45, high - 0.15), (5.65, 5.95)):
                axes.annotate("", (1.25, end), (1.25, start), arrowprops=arrow)
            axes.text(1.0, high, "+", ha="center", size="x-large", **style)
        text = f"last norm, to_logits, softmax:  {best}  {shares.max():.2f}"
        axes.text(1.2, 6.1, text, **style, **text_style(text))
        heads = axes.inset_axes((2.1, 1.0, 5.2, 1.2), transform=axes.transData)
        heads.imshow(rows, cmap=WEIGHTS, vmin=0, vmax=1, aspect="auto")
        heads.set_xticks(range(T), words, rotation=25, ha="left", rotation_mode="anchor", fontsize="small")
        heads.set_yticks(range(len(rows)), [f"head {n}" for n, _ in enumerate(rows, 1)])
        heads.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        heads.spines[:].set_visible(False)
        for (n, s), weight in np.ndenumerate(rows):
            heads.text(s, n, f"{weight:.2f}", ha="center", va="center", color="white" if weight > 0.6 else DARK)
        numbers = (f"{name} {' '.join(f'{x:.2f}' for x in vector[0, -1, :4].numpy())}" for _, name, vector in parts)
        most = ", ".join(f"head {n} {max(row):.2f} on {words[row.argmax()]}" for n, row in enumerate(rows, 1))
        said = f"from below, the first four of {model.units} numbers: {'; '.join(numbers)}; largest weights: {most}"
        figure.set_label(f"A block at the position of =, {said}; then {text}.")
        return figure
