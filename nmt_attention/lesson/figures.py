"""Figures of the lessons, and how every notebook viewer shows them."""

import base64
import functools
import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image, ImageChops, ImageDraw

from ..disk.pairs import DOWNLOAD_DIRECTORY
from ..figures.animation import Animation, read_animation
from ..figures.fonts import find_fonts, text_style
from ..figures.heatmap import plot_attentions
from ..figures.labels import ROWS, Labels
from ..figures.palette import ATTENTION, DECODER, OTHERS, PALE, PAPER
from ..runs.machine import import_tensorflow
from ..vocabulary import END_ID, PAD_ID, START_ID

if TYPE_CHECKING:
    from ..text import Tokenizer

PICTURES = DOWNLOAD_DIRECTORY.parent / "notebooks" / "pictures"


def set_up_figures() -> None:
    """Makes a notebook show each cell's figure sharp, on paper, and every letter as its readers write it.

    If matplotlib cannot shape Devanagari, before 3.11 as in Colab, figures are SVG and the browser shapes the text.
    `NMT_FIGURES=svg` in the environment makes them SVG, too, whose letters are curves if matplotlib can shape them.
    A figure's label, if it has one, becomes the picture's alternative text; those of this package describe themselves.
    TensorFlow is imported here too, without its log lines, which would look like errors in a lesson.
    """
    import_tensorflow()
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    matplotlib.rc("font", family=[*find_fonts("a"), "sans-serif"])
    matplotlib.rc("axes", prop_cycle=cycler(color=OTHERS))
    matplotlib.rc("axes.spines", top=False, right=False)
    matplotlib.rc("ytick", alignment="center")  # of this font a number's base line is no good middle
    shapes = "text.language" in matplotlib.rcParams
    if not shapes:
        matplotlib.rcParams["svg.fonttype"] = "none"
    set_matplotlib_formats("retina" if shapes and os.environ.get("NMT_FIGURES") != "svg" else "svg")
    _describe_figures()


def _describe_figures() -> None:
    """Makes a notebook put figures on paper, and store their labels as alternative texts; elsewhere does nothing."""
    from IPython import get_ipython

    shell = get_ipython()
    for kind in ("image/png", "image/svg+xml") if shell else ():
        formatter = shell.display_formatter.formatters[kind]
        draw = formatter.type_printers.get(Figure)
        if draw:
            formatter.for_type(Figure, functools.partial(_on_paper, draw))


def _on_paper(draw: Callable[[Figure], Any], figure: Figure) -> Any:
    """Returns what IPython's formatter `draw` returns, on paper, with the figure's label as "alt" in the metadata."""
    drawn, label = draw(figure), str(figure.get_label())
    if drawn is None:
        return drawn
    data, metadata = drawn if isinstance(drawn, tuple) else (drawn, {})
    if "<svg" in data:  # a program that cannot multiply colours shows it in white
        sheet = f'<rect width="100%" height="100%" rx="13" fill="{PAPER}"/><g style="mix-blend-mode: multiply" '
        data = data.replace('<g id="figure_1"', f'{sheet}id="figure_1"', 1)
    else:
        data = base64.b64encode(_png_on_paper(base64.b64decode(data))).decode()
    return data, metadata | ({"alt": label} if label else {})


def _png_on_paper(png: bytes) -> bytes:
    """Returns a white PNG in the colour of paper, with round corners, for dark pages, too."""
    drawn = Image.open(io.BytesIO(png)).convert("RGB")
    paper, inside = ImageChops.multiply(drawn, Image.new("RGB", drawn.size, PAPER)), Image.new("L", drawn.size)
    ImageDraw.Draw(inside).rounded_rectangle((0, 0, drawn.width - 1, drawn.height - 1), radius=36, fill=255)
    paper.putalpha(inside)
    paper.save(written := io.BytesIO(), "PNG", optimize=True)
    return written.getvalue()


def plot_empty_heatmap(
    source_words: Sequence[str],
    target_words: Sequence[str],
    titles: Sequence[str] = ("",),
    columns: int = 3,
    **labels: Any,
) -> Figure:
    """Draws a table for learners to darken: what `plot_attention` will draw, without its weights.

    Args:
        source_words, target_words: lists of str, the columns and the rows.
        titles: one for each table; tables are drawn side by side.
        columns: maximum number of tables per line.
        labels: `romanize` and `glosses`, as in `plot_attention`.
    """
    from ..translate import Translation

    weights = np.zeros((len(target_words), len(source_words)))  # (T, S)
    empty = Translation("", "", list(source_words), list(target_words), weights, 0.0)
    figure = plot_attentions(dict.fromkeys(titles, empty), columns=columns, show_end=True, **labels)
    tables = "Empty table" if len(titles) == 1 else "Empty tables"
    named = " ".join([tables, ", ".join(title for title in titles if title)]).strip()
    figure.set_label(f"{named}: columns {', '.join(source_words)}; rows {', '.join(target_words)}.")
    *panels, _ = figure.axes
    # If only its axes were removed, matplotlib 3.10 would still look for the bar.
    next(bar for axes in panels for image in axes.images if (bar := image.colorbar)).remove()
    line: dict[str, Any] = {"color": PALE, "linewidth": 0.8}
    for axes in panels:
        axes.grid(which="minor", **line)
        axes.spines[:].set(visible=True, **line)
    return figure


def plot_losses(losses: Sequence[float], ignorance: float) -> Figure:
    """Draws the loss of every step, its mean over fifty, and dotted what a network that knows nothing has, ln V."""
    figure = Figure(figsize=(6, 2.8), layout="constrained")
    axes = figure.add_subplot(xlabel="step", ylabel="nats for a token")
    axes.plot(losses, color=PALE, alpha=0.5, linewidth=0.5, label="one step")
    means = np.convolve(losses, np.full(50, 1 / 50), "valid")
    axes.plot(np.arange(len(means)) + 25, means, color=ATTENTION, label="mean of fifty")
    axes.axhline(ignorance, color=PALE, linestyle=":", label=f"ln V = {ignorance:.1f}")
    axes.set_ylim(0, None)
    axes.legend(frameon=False)
    figure.set_label(f"Loss by step: from {losses[0]:.1f}, where nothing is known, to {means[-1]:.1f}, ever slower.")
    return figure


def step_through(name: str) -> Animation:
    """Returns a moving picture, `pictures/NAME.gif` beside the lesson, or the repository's, to be stepped through."""
    beside = Path("pictures", f"{name}.gif")  # a learner's copy has no repository
    moving = read_animation(beside if beside.is_file() else PICTURES / beside.name)
    frames, captions = moving.frames[1:], moving.captions[1:]  # the file begins with its last picture
    return Animation(frames, captions, moving.seconds)


def plot_batch(ids: np.ndarray, tokenizer: "Tokenizer") -> Figure:
    """Draws a batch of ids: one row per sentence, one cell per position with its token and its id.

    Args:
        ids: `(B, T)` int. Padding is drawn grey, start and end orange, words in the colour of the decoder.
        tokenizer: whose ids these are.
    """
    colours = {PAD_ID: (PALE, 0.15), START_ID: (OTHERS[1], 0.4), END_ID: (OTHERS[1], 0.4)}
    rows, columns = ids.shape
    texts = Labels(romanize=True, glosses=True).write(tokenizer.tokens(ids.flatten()), "\n")
    figure = Figure(figsize=(1.15 * columns, (0.45 + 0.2 * max(text.count("\n") for text in texts)) * rows))
    lines = [" ".join(f"{tokenizer.vocabulary[i]} {i}" for i in row) for row in ids[:ROWS]]
    figure.set_label(f"Table of tokens and their ids, {rows} by {columns}: {'; '.join(lines)}.")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, columns), ylim=(rows, 0))
    axes.set_axis_off()
    style = text_style("".join(texts).replace("\n", ""))
    for ((row, column), i), text in zip(np.ndenumerate(ids), texts, strict=True):
        color = colours.get(int(i), (DECODER, 0.2))
        axes.add_patch(Rectangle((column + 0.03, row + 0.05), 0.94, 0.9, color=color, linewidth=0))
        axes.text(column + 0.5, row + 0.5, f"{text}\n{i}", ha="center", va="center", linespacing=0.75, **style)
    return figure
