"""Heatmaps of attention, with every letter of every script drawn as its readers write it."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
import unicodedata2
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from ..disk.files import atomic_write, make_parent
from ..marathi.gloss import annotate
from .describe import ROWS, looked_most
from .fonts import check_shaping, text_style
from .html import attention_table
from .palette import DECODER, ENCODER, GOLD, WEIGHTS

if TYPE_CHECKING:
    from ..alignment.links import Link
    from ..alignment.scores import GoldAlignment
    from ..translate import Translation
    from .trace import DecodingSteps

_LETTER, _LINE = 0.08, 0.3  # width of a letter and height of a line of text, in inches
_PAGE = 11.0  # widest figure, in inches: a notebook of 900 pixels shows its texts in 11 pixels

_CELL_HEIGHT = 0.75  # of a cell's width

_FORMATS = (".png", ".svg", ".pdf")


def plot_attention(
    translation: "Translation",
    show_end: bool = False,
    title: str | None = None,
    gold: "GoldAlignment | None" = None,
    romanize: bool = False,
    glosses: bool = False,
) -> Figure:
    """Draws where the model looked: one row per target token, one column per source token, and says so on both axes.

    The labels are the translation's own tokens. The darker a cell, the more weight the source token had when the
    target token was written; a row sums to 1.

    Args:
        translation: `Translation`, of `Translator.translate` (there `merge_subwords=True` gives words for pieces).
        show_end: bool. Whether to show the row of the end marker, if there is one.
        title: str or None.
        gold: `GoldAlignment` of these words, or None. Its links are framed: sure ones by a line, others by dots.
        romanize: bool. Whether Marathi labels also show the word in Latin letters; see `marathi.romanize`.
        glosses: bool. Whether they also show an English word for it, if `marathi.gloss` has one.

    Returns:
        matplotlib `Figure`, not yet shown or saved. Its label says in words where each token looked most.

    Raises:
        ValueError: the translation is empty, a link is outside it, or no installed font has the glyphs of a label.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    return plot_attentions({title or "": translation}, show_end, gold, romanize=romanize, glosses=glosses)


def plot_attentions(
    translations: Mapping[str, "Translation"],
    show_end: bool = False,
    gold: "GoldAlignment | None" = None,
    columns: int = 3,
    romanize: bool = False,
    glosses: bool = False,
) -> Figure:
    """Draws several heatmaps side by side, to be compared: of different models, or of one at different times.

    Args:
        translations: dict from a heatmap's title to its `Translation`.
        show_end, gold: as in `plot_attention`, the same for all.
        columns: int. Maximum number of heatmaps per line.
        romanize, glosses: as in `plot_attention`.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError, RuntimeError: as `plot_attention`; and if there is nothing to draw.
    """
    if not isinstance(translations, Mapping):
        raise TypeError(f"translations: expected a dict, {{title: translation}}, got {type(translations).__name__}")
    if not translations:
        raise ValueError("translations: expected at least one")
    tables = [attention_table(translation, show_end) for translation in translations.values()]
    described = _describe(dict(zip(translations, tables, strict=True)))
    write = functools.partial(annotate, romanize=romanize, glosses=glosses)
    tables = [(write(rows), write(words), weights) for rows, words, weights in tables]
    rows, sources = max(len(table[0]) for table in tables), max(len(table[1]) for table in tables)
    longest_row, longest = (max(_letters(word) for table in tables for word in table[axis]) for axis in (0, 1))
    beside = _LINE + _LETTER * longest_row  # width of the texts beside a heatmap
    # width of a cell, in inches
    cell = min(0.62 if len(tables) == 1 else 0.44, (_PAGE - _LINE - 0.7 - beside) / sources)
    columns = min(columns, len(tables), max(1, int((_PAGE - _LINE - 0.7) / (beside + cell * sources))))
    lines = -(-len(tables) // columns)
    turned = _LETTER * longest > cell - 0.06  # words too long to stand upright in their columns
    title = _LINE * any(translations)
    full = _CELL_HEIGHT * cell * rows
    width = columns * (beside + cell * sources) + _LINE + 0.7
    height = lines * (_LINE + 0.06 * turned * longest + title + full) + _LINE
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.set_label(described)
    panels = figure.subplots(lines, columns, squeeze=False).ravel()
    for axes, name, table in zip(panels, translations, tables, strict=False):
        image, fonts = _draw_attention(axes, *table, turned, name, gold)
    for axes in panels[len(tables) :]:
        axes.set_axis_off()
    side = text_style("source target")
    for axes in panels[:columns]:
        axes.set_xlabel("source", labelpad=6, color=ENCODER, **side)
        axes.xaxis.set_label_position("top")
    for axes in panels[::columns]:
        axes.set_ylabel("target", color=DECODER, **side)
    where = {"ax": panels[columns - 1], "pad": 0.02, "aspect": full / 0.13}
    bar = figure.colorbar(image, ticks=[0, 0.5, 1] if full > 0.8 else [0, 1], **where)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelfontfamily=fonts["family"])
    for label in bar.ax.get_yticklabels():
        label.set_verticalalignment("center")
    bar.set_label("attention weight" if full > 1.4 else "weight", family=fonts["family"])
    return figure


def _letters(word: str) -> int:
    """Returns how many letters have a width: signs stand above and below others."""
    return sum(unicodedata2.category(letter) != "Mn" for letter in word)


def _describe(tables: "Mapping[str, tuple[Sequence[str], Sequence[str], np.ndarray]]") -> str:
    """Returns heatmaps in words: a single one in full, of several the first rows."""
    most = ROWS if len(tables) == 1 else 3
    parts = [f"{name}: " * bool(name) + looked_most(*table, most) for name, table in tables.items()]
    return f"{'Heatmap' if len(tables) == 1 else 'Heatmaps'}: {'; '.join(parts)}."


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
        axes.set_title(title, size="large", **fonts)
    for (source, target), style in gold_styles(gold, len(columns), len(rows)).items():
        axes.add_patch(Rectangle((source - 0.44, target - 0.42), 0.88, 0.84, fill=False, zorder=3, **style))
    return image, fonts


def gold_styles(gold: "GoldAlignment | None", sources: int, targets: int) -> "dict[Link, dict[str, Any]]":
    """Returns how each gold link is drawn: sure ones by a line, others by dots.

    Raises:
        ValueError: a link is outside so many source and target words.
    """
    styles: dict[Link, dict[str, Any]] = {}
    for source, target in sorted(gold.possible) if gold else ():
        if source >= sources or target >= targets:
            raise ValueError(f"gold: link {(source, target)} is outside {sources} and {targets} words")
        dots = "-" if gold and (source, target) in gold.sure else ":"
        styles[source, target] = {"edgecolor": GOLD, "linewidth": 2, "linestyle": dots}
    return styles


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
    make_parent(path)
    with atomic_write(path) as partial:
        figure.savefig(partial, dpi=150, format=path.suffix[1:].lower())
