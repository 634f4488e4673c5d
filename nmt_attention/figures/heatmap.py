"""Arrays and labels to figures, with every letter of every script drawn as its readers write it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from ..files import atomic_write
from .fonts import check_shaping, text_style
from .html import attention_table

if TYPE_CHECKING:
    from ..analysis.alignment import GoldAlignment
    from ..translate import Translation
    from .trace import DecodingSteps

WEIGHTS = "Blues"  # colour map of weights, 0 to 1
ACTIVATIONS = "RdBu"  # colour map of activations: red below 0, blue above
# Colours that the colour-blind tell apart (Okabe & Ito 2008), and shapes that print without colour.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
MARKERS = "osD^vP"
DARK, PALE = "#333333", "#767676"
_LETTER, _LINE = 0.08, 0.3  # width of a letter and height of a line of text, in inches
_CELL_HEIGHT = 0.75  # of a cell's width
_TWO_PLOTS = (9, 3.4)  # size of a figure of two plots, in inches
_FORMATS = (".png", ".svg", ".pdf")


def plot_attention(
    translation: "Translation",
    show_end: bool = False,
    title: str | None = None,
    gold: "GoldAlignment | None" = None,
) -> Figure:
    """Draws where the model looked: one row per target token, one column per source token.

    The labels are the translation's own tokens. The darker a cell, the more weight the source token had when the
    target token was written; a row sums to 1.

    Args:
        translation: `Translation`, of `Translator.translate` (there `merge_subwords=True` gives words for pieces).
        show_end: bool. Whether to show the row of the end marker, if there is one.
        title: str or None.
        gold: `GoldAlignment` of these words, or None. Its links are framed: sure ones by a line, others by dots.

    Returns:
        matplotlib `Figure`, not yet shown or saved.

    Raises:
        ValueError: the translation is empty, a link is outside it, or no installed font has the glyphs of a label.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    return plot_attentions({title or "": translation}, show_end, gold)


def plot_attentions(
    translations: Mapping[str, "Translation"],
    show_end: bool = False,
    gold: "GoldAlignment | None" = None,
    columns: int = 3,
) -> Figure:
    """Draws several heatmaps side by side, to be compared: of different models, or of one at different times.

    Args:
        translations: dict from a heatmap's title to its `Translation`.
        show_end, gold: as in `plot_attention`, the same for all.
        columns: int. Maximum number of heatmaps per line.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError, RuntimeError: as `plot_attention`; and if there is nothing to draw.
    """
    if not translations:
        raise ValueError("translations: expected at least one")
    tables = [attention_table(translation, show_end) for translation in translations.values()]
    columns = min(columns, len(tables))
    lines = -(-len(tables) // columns)
    cell = 0.62 if len(tables) == 1 else 0.44  # width in inches
    rows, sources = max(len(table[0]) for table in tables), max(len(table[1]) for table in tables)
    longest_row, longest = (max(len(word) for table in tables for word in table[axis]) for axis in (0, 1))
    turned = _LETTER * longest > cell - 0.06  # words too long to stand upright in their columns
    title = _LINE * any(translations)
    full = _CELL_HEIGHT * cell * rows
    width = columns * (_LINE + _LETTER * longest_row + cell * sources) + 0.7
    height = lines * (_LINE + 0.06 * turned * longest + title + full)
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False).ravel()
    for axes, name, table in zip(panels, translations, tables, strict=False):
        image, fonts = _draw_attention(axes, *table, turned, name, gold)
    for axes in panels[len(tables) :]:
        axes.set_axis_off()
    tall = min(full, 2.4)  # the same slender bar next to a small heatmap and a large one
    where = {"ax": panels[columns - 1], "pad": 0.02, "shrink": tall / full, "aspect": tall / 0.13, "anchor": (0, 1)}
    bar = figure.colorbar(image, ticks=[0, 0.5, 1] if tall > 0.8 else [0, 1], **where)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelfontfamily=fonts["family"])
    for label in bar.ax.get_yticklabels():
        label.set_verticalalignment("center")
    bar.set_label("attention weight" if tall > 1.2 else "weight", family=fonts["family"])
    return figure


def plot_heads(steps: "DecodingSteps", show_end: bool = False, columns: int = 2) -> Figure:
    """Draws a heatmap for each head of multi-head attention; attention with a single head has one.

    Args:
        steps: `DecodingSteps`, of `trace_steps`.
        show_end: as in `plot_attention`.
        columns: int. Maximum number of heatmaps per line.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError, RuntimeError: as `plot_attention`.
    """
    words = {name: getattr(steps, name) for name in ("source_tokens", "target_tokens")}
    words["source"] = " ".join(steps.source_tokens)
    heads: dict[str, Any] = {
        f"head {n}": SimpleNamespace(attention=w, **words) for n, w in enumerate(steps.head_weights, 1)
    }
    return plot_attentions(heads, show_end, columns=columns)


def _draw_attention(
    axes: Axes,
    rows: Sequence[str],
    columns: Sequence[str],
    attention: np.ndarray,
    turned: bool,
    title: str,
    gold: "GoldAlignment | None",
) -> tuple[AxesImage, dict[str, Any]]:
    """Draws one heatmap; returns its image and the style of its texts."""
    image = axes.imshow(attention, cmap=WEIGHTS, vmin=0.0, vmax=1.0, aspect="auto")
    axes.xaxis.tick_top()
    fonts = text_style("".join([*rows, *columns, title]))
    turn: dict[str, Any] = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if turned else {}
    axes.set_xticks(range(len(columns)), columns, **turn, **fonts)
    axes.set_yticks(range(len(rows)), rows, **fonts)
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(len(columns) - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) - 1) + 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    if title:
        axes.set_title(title, size=11, **fonts)
    possible, sure = (gold.possible, gold.sure) if gold else ((), ())
    for source, target in sorted(possible):
        if source >= len(columns) or target >= len(rows):
            raise ValueError(f"gold: link {(source, target)} is outside {len(columns)} and {len(rows)} words")
        dots = "-" if (source, target) in sure else ":"
        frame: dict[str, Any] = {"fill": False, "edgecolor": PALETTE[1], "linewidth": 2, "linestyle": dots, "zorder": 3}
        axes.add_patch(Rectangle((source - 0.44, target - 0.42), 0.88, 0.84, **frame))
    return image, fonts


def plot_history(history: Sequence[Mapping[str, float]]) -> Figure:
    """Draws a training run: the loss of every epoch on the left, the dev scores on the right.

    A value that is not finite, such as the loss of a run that diverged, leaves a gap.

    Args:
        history: list of dicts, the rows of `history.csv`: "epoch", "loss" and a column for each score that
            `dev_scores` of `train` returned. "dev_perplexity", if there is one, is drawn with the loss, as its
            logarithm; all others are drawn on the right.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError: there is no row yet, or no column of a score.
    """
    if not history:
        raise ValueError("history: no epoch has been finished yet")
    epochs = [row["epoch"] for row in history]
    figure = Figure(figsize=_TWO_PLOTS, layout="constrained")
    left, right = figure.subplots(1, 2)
    lines: list[tuple[Axes, str, Any]] = [(left, "training", [row["loss"] for row in history])]
    if "dev_perplexity" in history[0]:
        with np.errstate(divide="ignore", invalid="ignore"):  # what has no logarithm leaves a gap
            lines.append((left, "dev", np.log([row["dev_perplexity"] for row in history])))
    for name in history[0]:
        if name.startswith("dev_") and name != "dev_perplexity":
            title = {"dev_bleu": "BLEU", "dev_chrf": "chrF"}.get(name, name.removeprefix("dev_"))
            lines.append((right, title, [row[name] for row in history]))
    if not any(axes is right for axes, *_ in lines):
        raise ValueError("history: expected a column of a dev score besides the perplexity, such as dev_chrf")
    for axes, label, numbers in lines:
        values = np.array(numbers, float)
        values[~np.isfinite(values)] = np.nan
        i = len(axes.lines) % len(PALETTE)
        axes.plot(epochs, values, color=PALETTE[i], marker=MARKERS[i], markersize=4, label=label)
    right.set_ylim(0, None)
    for axes in (left, right):
        axes.xaxis.get_major_locator().set_params(integer=True)
    _finish(left, xlabel="epoch", ylabel="nats per target token", title="loss")
    _finish(right, xlabel="epoch", ylabel="score", title="dev scores")
    return figure


def plot_score_by_length(rows: Mapping[str, Sequence[Mapping[str, Any]]], measure: str = "bleu") -> Figure:
    """Draws the scores of systems on short and on long sentences: one line per system.

    Plain seq2seq squeezes every sentence into one vector, so its line falls where sentences get long; attention is
    meant to prevent that.

    Args:
        rows: dict from a system's name to its list of dicts, one for each bucket of source lengths, in order: "name"
            (str, such as "4–6" words), "bleu" or "chrf" or both, and, if they are known, "low" and "high" (the 95 %
            interval of "bleu") and "sentences" (how many are in the bucket); what `breakdown.Row._asdict` gives. All
            systems have the same buckets.
        measure: "bleu" or "chrf". Which score is drawn; the interval goes with "bleu" alone.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError: nothing to draw, another measure, systems of different buckets, or a bucket without the measure.
    """
    if measure not in ("bleu", "chrf"):
        raise ValueError(f"measure: expected 'bleu' or 'chrf', got {measure!r}")
    if not rows or not all(rows.values()):
        raise ValueError("rows: expected at least one system with at least one bucket")
    buckets = next(iter(rows.values()))
    names = [bucket["name"] for bucket in buckets]
    for system, found in rows.items():
        if [bucket["name"] for bucket in found] != names:
            raise ValueError(f"rows: {system!r} has the buckets {[b['name'] for b in found]}, others have {names}")
        if any(measure not in bucket for bucket in found):
            raise ValueError(f"rows: {system!r} has a bucket without {measure!r}")
    if len(rows) > len(PALETTE):
        raise ValueError(f"rows: expected at most {len(PALETTE)} systems, got {len(rows)}")

    figure = Figure(figsize=(2.4 + 0.9 * len(names), 3.6), layout="constrained")
    axes = figure.add_subplot()
    for i, (system, found) in enumerate(rows.items()):
        places = np.arange(len(names)) + 0.08 * (i - (len(rows) - 1) / 2)  # side by side, so that no bar hides another
        scores = np.array([bucket[measure] for bucket in found], float)
        axes.plot(places, scores, color=PALETTE[i], marker=MARKERS[i], markersize=5, label=system)
        if measure == "bleu":
            low, high = (np.array([bucket.get(key, np.nan) for bucket in found], float) for key in ("low", "high"))
            axes.vlines(places, low, high, color=PALETTE[i], linewidth=1)  # none where the interval is not known
    labels = [f"{b['name']}\n{b['sentences']:,}" if "sentences" in b else b["name"] for b in buckets]
    axes.set_xticks(range(len(names)), labels)
    counts = " (and how many sentences)" if "sentences" in buckets[0] else ""
    axes.set_ylim(0, None)
    _finish(axes, xlabel=f"words of the source{counts}", ylabel={"bleu": "BLEU", "chrf": "chrF"}[measure])
    return figure


def plot_scaling(points: Sequence[Mapping[str, float]]) -> Figure:
    """Draws the cost of starting to train by the size of the corpus: time on the left, memory on the right.

    The dashed line is the best straight fit: a linear cost stays on it.

    Args:
        points: list of dicts with "pairs", "seconds" and "peak_memory" (MiB), as `scaling.measure_scaling` returns.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError: fewer than two points.
    """
    if len(points) < 2:
        raise ValueError(f"points: expected at least 2, got {len(points)}")
    pairs = np.array([point["pairs"] for point in points]) / 1000
    figure = Figure(figsize=_TWO_PLOTS, layout="constrained")
    for i, (axes, key, unit, label) in enumerate(
        zip(
            figure.subplots(1, 2),
            ("seconds", "peak_memory"),
            (1, 1024),
            ("seconds to the first training step", "GiB of memory at most"),
            strict=True,
        )
    ):
        values = np.array([point[key] for point in points]) / unit
        axes.plot(pairs, values, MARKERS[i], color=PALETTE[i], label="measured")
        axes.plot(pairs, np.polyval(np.polyfit(pairs, values, 1), pairs), "--", color=PALE, label="straight line")
        axes.set_ylim(0, None)
        _finish(axes, xlabel="thousand sentence pairs", ylabel=label)
    return figure


def _finish(axes: Axes, **labels: str) -> None:
    """Labels the axes, removes superfluous lines, and uses the figure's own font everywhere."""
    axes.set(**labels)
    axes.spines[["top", "right"]].set_visible(False)
    legend = axes.legend(frameon=False, labelspacing=0.1)  # this font's lines are far apart by themselves
    axes.xaxis.labelpad = 1
    texts = [axes.title, axes.xaxis.label, axes.yaxis.label, *legend.get_texts()]
    fonts = text_style("".join(text.get_text() for text in [*texts, *axes.get_xticklabels()]))
    for text in texts:
        text.set(**fonts)
    axes.tick_params(labelfontfamily=fonts["family"])
    for label in axes.get_yticklabels():
        label.set_verticalalignment("center")  # of this font the middle of a line is not the middle of its digits


def save_figure(figure: Figure, path: Path | str) -> None:
    """Writes a figure to a .png, .svg or .pdf file, and makes its directory.

    Raises:
        ValueError: unsupported file extension.
        RuntimeError: there is Devanagari that this matplotlib cannot shape, and the file is not one that keeps texts as
            texts: an .svg after `lesson.set_up_figures`.
    """
    path = Path(path)
    if path.suffix.lower() not in _FORMATS:
        raise ValueError(f"{path}: expected a file name that ends in {', '.join(_FORMATS)}")
    if path.suffix.lower() != ".svg" or matplotlib.rcParams["svg.fonttype"] != "none":
        check_shaping("".join(text.get_text() for text in figure.findobj(Text)))
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as partial:
        figure.savefig(partial, dpi=150, format=path.suffix[1:].lower())
