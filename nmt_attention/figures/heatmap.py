"""Heatmaps of attention, with every letter of every script drawn as its readers write it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
import unicodedata2
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from ..disk.files import atomic_write
from .fonts import check_shaping, find_fonts, text_style
from .labels import ROWS, Labels, Table, attention_table, looked_most
from .palette import DECODER, ENCODER, GOLD, WEIGHTS

if TYPE_CHECKING:
    from ..alignment.scores import GoldAlignment
    from ..translate import Translation
    from .trace import DecodingSteps

# in inches
_LETTER, _LINE = 0.08, 0.3  # width of a letter, and height of a line of text
_PAGE = 11.0  # widest figure: a notebook of 900 pixels shows its texts in 11 pixels
_BAR = 0.7  # width of the colour bar and its numbers
_WIDEST_CELL, _WIDEST_OF_MANY = 0.62, 0.44
_CELL_HEIGHT = 0.75  # of a cell's width
_FORMATS = (".png", ".svg", ".pdf")


def plot_attention(
    translation: "Translation",
    *,
    title: str | None = None,
    gold: "GoldAlignment | None" = None,
    **labels: Any,
) -> Figure:
    """Draws where the model looked: one row per target token, one column per source token, and says so on both axes.

    The labels are the translation's own tokens, with the capitals of the sentence. The darker a cell, the more weight
    the source token had when the target token was written; a row sums to 1.

    Args:
        translation: `Translation`, of `Translator.translate` (there `merge_subwords=True` gives words for pieces).
        title: str or None.
        gold: `GoldAlignment` of these words, or None. Its links are framed: sure ones by a line, others by dots.
        labels: `show_end`, `romanize` and `glosses`, each True or False: whether the end marker has a row, and whether
            Marathi is followed by Latin letters and by an English word. See `Labels`.

    Returns:
        matplotlib `Figure`, not yet shown or saved. Its label says in words where each token looked most.

    Raises:
        TypeError: `translation` is a list of them, or there is no such label.
        ValueError: the translation is empty, a link is outside it, or no installed font has the glyphs of a label.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    return plot_attentions({title or "": translation}, gold=gold, **labels)


def plot_attentions(
    translations: "Mapping[str, Translation]",
    *,
    gold: "GoldAlignment | None" = None,
    columns: int = 3,
    **labels: Any,
) -> Figure:
    """Draws several heatmaps side by side, to be compared: of different models, or of one at different times.

    Args:
        translations: dict from a heatmap's title to its `Translation`.
        gold, labels: as in `plot_attention`, the same for all.
        columns: int. Maximum number of heatmaps per line.

    Raises:
        TypeError, ValueError, RuntimeError: as `plot_attention`; and if there is nothing to draw.
    """
    check_translations(translations)
    shown = Labels(**labels)
    tables = [shown.table(translation) for translation in translations.values()]
    num_rows, num_columns = (max(len(table[axis]) for table in tables) for axis in (0, 1))

    beside = _LINE + _LETTER * max(_longest(rows) for rows, *_ in tables)  # width of the texts beside a heatmap
    room = _PAGE - _LINE - _BAR
    cell = min(_WIDEST_CELL if len(tables) == 1 else _WIDEST_OF_MANY, (room - beside) / num_columns)
    columns = min(columns, len(tables), max(1, int(room / (beside + cell * num_columns))))
    lines = -(-len(tables) // columns)
    longest = max(_longest(words) for _, words, _ in tables)  # of those above a heatmap
    turned = _LETTER * longest > cell - 0.06  # to stand upright in their columns
    above = (_LINE if any(translations) else 0.0) + (0.06 * longest if turned else 0.0)
    full = _CELL_HEIGHT * cell * num_rows
    width = columns * (beside + cell * num_columns) + _LINE + _BAR
    figure = Figure(figsize=(width, lines * (_LINE + above + full) + _LINE), layout="constrained")
    kind, most = ("Heatmap", ROWS) if len(tables) == 1 else ("Heatmaps", 3)  # of several the first rows
    bare = {name: attention_table(one, shown.show_end) for name, one in translations.items()}
    looked = [f"{name}: {looked_most(*table, most)}".removeprefix(": ") for name, table in bare.items()]
    figure.set_label(f"{kind}: {'; '.join(looked)}.")

    panels = figure.subplots(lines, columns, squeeze=False).ravel()
    for i, (axes, name, table) in enumerate(zip(panels, translations, tables, strict=False)):
        image = _draw_attention(axes, table, turned, name, gold, above=i < columns, beside=i % columns == 0)
    for axes in panels[len(tables) :]:
        axes.set_axis_off()
    family = find_fonts("weight")
    ticks = [0, 0.5, 1] if full > 0.8 else [0, 1]
    bar = figure.colorbar(image, ax=panels[columns - 1], pad=0.02, aspect=full / 0.13, ticks=ticks)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelfontfamily=family)
    for label in bar.ax.get_yticklabels():
        label.set_verticalalignment("center")
    bar.set_label("attention weight" if full > 1.4 else "weight", family=family)
    return figure


def check_translations(translations: "Mapping[str, Translation]") -> None:
    """Raises a TypeError if these are no translations by their titles, and a ValueError if there are none."""
    if not isinstance(translations, Mapping):
        raise TypeError(f"translations: expected a dict, {{title: translation}}, got {type(translations).__name__}")
    if not translations:
        raise ValueError("translations: expected at least one")


def _longest(words: Sequence[str]) -> int:
    """Returns how many letters of the longest word have a width: signs stand above and below others."""
    return max(sum(unicodedata2.category(letter) != "Mn" for letter in word) for word in words)


def plot_heads(steps: "DecodingSteps", columns: int = 2, **labels: Any) -> Figure:
    """Draws a heatmap for each head of multi-head attention, of the steps that `trace_steps` returns.

    Args, errors: as `plot_attentions`.
    """
    from ..translate import Translation

    words = steps.source_tokens, steps.target_tokens
    heads = {f"head {n}": Translation("", "", *words, head, 0.0) for n, head in enumerate(steps.head_weights, 1)}
    return plot_attentions(heads, columns=columns, **labels)


def _draw_attention(
    axes: Axes, table: Table, turned: bool, title: str, gold: "GoldAlignment | None", above: bool, beside: bool
) -> AxesImage:
    """Draws one heatmap; names the source above it, and the target beside it, if these are true."""
    rows, columns, weights = table
    image = axes.imshow(weights, cmap=WEIGHTS, vmin=0.0, vmax=1.0, aspect="auto")
    axes.xaxis.tick_top()
    fonts = text_style("".join([*rows, *columns, title]))
    turn: dict[str, Any] = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if turned else {}
    axes.set_xticks(range(len(columns)), columns, **turn, **fonts)
    axes.set_yticks(range(len(rows)), rows, **fonts)
    axes.set_xticks(np.arange(len(columns) - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) - 1) + 0.5, minor=True)
    axes.tick_params(which="both", length=0)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.spines[:].set_visible(False)
    if title:
        axes.set_title(title, size="large", **fonts)
    possible, sure = (sorted(gold.possible), gold.sure) if gold else ([], frozenset())
    for source, target in possible:
        if source >= len(columns) or target >= len(rows):
            raise ValueError(f"gold: link {(source, target)} is outside {len(columns)} and {len(rows)} words")
        frame = Rectangle((source - 0.44, target - 0.42), 0.88, 0.84, fill=False, zorder=3, edgecolor=GOLD, linewidth=2)
        axes.add_patch(frame).set_linestyle("-" if (source, target) in sure else ":")
    if above:
        axes.set_xlabel("source", labelpad=6, color=ENCODER, **text_style("source"))
        axes.xaxis.set_label_position("top")
    if beside:
        axes.set_ylabel("target", color=DECODER, **text_style("target"))
    return image


def save_figure(figure: Figure, path: Path | str) -> None:
    """Writes a figure to a .png (of 300 dots per inch), .svg or .pdf file, and makes its directory.

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
    with atomic_write(path) as partial:
        kind = path.suffix[1:].lower()
        written_by = {"Software" if kind == "png" else "Creator": "nmt_attention"}  # the commands replace no other's
        figure.savefig(partial, dpi=300, format=kind, metadata=written_by)
