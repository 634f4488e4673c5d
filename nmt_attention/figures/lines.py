"""Attention as lines between two sentences: where the order of words changes, lines cross."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import ConnectionPatch

from .describe import looked_most
from .fonts import text_style
from .heatmap import gold_styles
from .labels import Labels, attention_table
from .palette import ATTENTION, DARK, LEAST_WEIGHT

if TYPE_CHECKING:
    from ..alignment.scores import GoldAlignment
    from ..translate import Translation

_BETWEEN, _HIGH = 0.25, 1.4  # between two words, and between the sentences, in inches

_EDGE, _GAP = 0.2, 0.06  # around the figure, and between a word and its lines, in inches


def plot_attention_lines(
    translation: "Translation",
    *,
    title: str | None = None,
    gold: "GoldAlignment | None" = None,
    **labels: Any,
) -> Figure:
    """Draws attention as lines from the source sentence, above, to the target sentence, below: a bipartite graph.

    The thicker a line, the more weight the source word had when the target word was written; weights below 0.05 are
    not drawn. Two lines cross where the words stand in another order. `plot_attention` draws the same as a heatmap.

    Args:
        translation: `Translation`, of `Translator.translate` (there `merge_subwords=True` gives words for pieces).
        title: str or None.
        gold: `GoldAlignment` of these words, or None. Its links are drawn over the weights: sure ones by a thin line,
            others by dots.
        labels: as in `plot_attention`; they stand below the words.

    Returns:
        matplotlib `Figure`, not yet shown or saved.

    Raises:
        TypeError, ValueError, RuntimeError: as `plot_attention`.
    """
    shown = Labels(**labels)
    target, source, weights = attention_table(translation, shown.show_end)
    described = f"Lines between two sentences, source above target: {looked_most(target, source, weights)}."
    styles = gold_styles(gold, len(source), len(target))
    source, target = shown.write(source, "\n"), shown.write(target, "\n")
    figure = Figure(dpi=100)
    figure.set_label(described)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    style = {"color": DARK, **text_style("".join([*source, *target, title or ""]).replace("\n", ""))}
    from_x, above, width_above = _write(axes, source, _HIGH + _GAP, "bottom", style)
    to_x, below, width_below = _write(axes, target, -_GAP, "top", style)
    top, width = _HIGH + _GAP + above, max(width_above, width_below)
    if title:
        width = max(width, 0.1 * len(title))
        axes.text(0, top + 0.1, title, ha="center", va="bottom", size=11, **style)
        top += 0.35

    def draw(j: int, t: int, **line: Any) -> None:
        axes.add_patch(ConnectionPatch((from_x[j], _HIGH), (to_x[t], 0), "data", arrowstyle="-", **line))

    for t, j in np.argwhere(weights >= LEAST_WEIGHT):
        draw(j, t, color=ATTENTION, linewidth=6 * float(weights[t, j]), alpha=0.8)
    for (j, t), line in styles.items():
        draw(j, t, zorder=3, **line)
    low = -_GAP - below
    figure.set_size_inches(width + 2 * _EDGE, top - low + 2 * _EDGE)
    axes.set(xlim=(-width / 2 - _EDGE, width / 2 + _EDGE), ylim=(low - _EDGE, top + _EDGE))
    return figure


def _write(
    axes: Axes, words: Sequence[str], y: float, va: Any, style: dict[str, Any]
) -> tuple[np.ndarray, float, float]:
    """Writes words in a row, around 0; returns their middles, and the height and the width of the row, in inches."""
    texts = [axes.text(0, y, word, ha="center", va=va, **style) for word in words]
    sizes = np.array([text.get_window_extent().size for text in texts]) / axes.figure.dpi  # (N, 2)
    width = float(sizes[:, 0].sum() + _BETWEEN * (len(words) - 1))
    ends = np.cumsum(sizes[:, 0] + _BETWEEN) - _BETWEEN
    middles = ends - sizes[:, 0] / 2 - width / 2
    for text, x in zip(texts, middles, strict=True):
        text.set_x(x)
    return middles, float(sizes[:, 1].max()), width
