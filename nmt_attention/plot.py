"""Arrays and labels to figures, with every letter of every script drawn as its readers write it."""

import importlib.util
from functools import cache, lru_cache
from pathlib import Path

import matplotlib
import numpy as np
import unicodedata2
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font

from .files import replacing

_FORMATS = (".png", ".svg", ".pdf")
# Consonants joined by a virama, a vowel sign that goes before its consonant, candra e, ळ, a digit.
_DEVANAGARI_PROBE = "क्षिंॅळ१"


def plot_attention(translation, show_end=False, title=None):
    """Draws where the model looked: a row for each target token, a column for each source token.

    The labels are the translation's own tokens. The darker a cell, the more weight the source token had when the
    target token was written; a row sums to 1.

    Args:
        translation: `Translation`, of `Translator.translate` (there `merge_subwords=True` gives words for pieces).
        show_end: bool. Whether to show the row of the end marker, where there is one.
        title: str or None.

    Returns:
        matplotlib `Figure`, not yet shown or saved.

    Raises:
        ValueError: the translation is empty, or no font here has the glyphs of a label.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    rows, attention = list(translation.target_tokens), np.asarray(translation.attention)
    if rows[-1:] == ["<end>"] and not show_end:
        rows, attention = rows[:-1], attention[:-1]
    columns = list(translation.source_tokens)
    if not rows or not columns:
        raise ValueError(f"nothing to draw: {translation.source!r} has an empty translation")
    if attention.shape != (len(rows), len(columns)):
        raise ValueError(f"attention: expected shape {(len(rows), len(columns))}, got {attention.shape}")

    figure = Figure(figsize=(1.6 + 0.62 * len(columns), 1.3 + 0.46 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(attention, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    axes.xaxis.tick_top()
    fonts = text_style("".join([*rows, *columns, title or ""]))
    axes.set_xticks(range(len(columns)), columns, rotation=45, ha="left", rotation_mode="anchor", **fonts)
    axes.set_yticks(range(len(rows)), rows, **fonts)
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(len(columns) - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) - 1) + 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    if title:
        axes.set_title(title, **fonts)
    bar = figure.colorbar(image, ax=axes, ticks=[0, 0.5, 1], pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label("attention weight")
    return figure


def plot_history(history):
    """Draws a training run: the loss of every epoch on the left, the dev scores on the right.

    Args:
        history: list of dicts, the rows of `history.csv`.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError: there is no row yet.
    """
    if not history:
        raise ValueError("history: no epoch has been finished yet")
    epochs = [row["epoch"] for row in history]
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(epochs, [row["loss"] for row in history], marker="o", markersize=3, label="training")
    left.plot(epochs, [np.log(row["dev_perplexity"]) for row in history], marker="o", markersize=3, label="dev")
    left.set(xlabel="epoch", ylabel="nats per target token", title="loss")
    for name, label in (("dev_bleu", "BLEU"), ("dev_chrf", "chrF")):
        right.plot(epochs, [row[name] for row in history], marker="o", markersize=3, label=label)
    right.set(xlabel="epoch", ylabel="score", ylim=(0, None), title="dev scores")
    for axes in (left, right):
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
    return figure


def save_figure(figure, path):
    """Writes a figure to a .png, .svg or .pdf file, and makes its directory.

    Raises:
        ValueError: another ending.
    """
    path = Path(path)
    if path.suffix.lower() not in _FORMATS:
        raise ValueError(f"{path}: expected a file name that ends in {', '.join(_FORMATS)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as partial:
        figure.savefig(partial, dpi=150, format=path.suffix[1:].lower())


def text_style(text):
    """Returns the keywords that make matplotlib draw this text right: font families and, from 3.11 on, language.

    Raises:
        ValueError: no font here has the glyphs; the message names the characters.
        RuntimeError: the text holds Devanagari and this matplotlib cannot shape it.
    """
    style = {"family": find_fonts(text)}
    if any("\u0900" <= character <= "\u097f" for character in text):
        if "text.language" not in matplotlib.rcParams:
            raise RuntimeError(
                f"matplotlib {matplotlib.__version__} cannot shape Devanagari; install matplotlib 3.11 or newer"
            )
        style["language"] = "mr"  # the Marathi forms of ल and श
    return style


def find_fonts(text):
    """Returns names of font families that together have every glyph of the text, the preferred ones first.

    Mukta, which the requirements bring, is looked at first so that a figure is the same on every machine; then
    matplotlib's DejaVu Sans, then whatever else is installed. A font counts for Devanagari only if it can shape it.

    Raises:
        ValueError: characters that no font here has; the message names them.
    """
    # spaces, and format characters such as the zero-width joiners, have no glyph of their own
    missing = {character for character in text if unicodedata2.category(character) not in ("Zs", "Cf", "Cc")}
    families = []
    for path, family in _candidate_fonts():
        covered = {c for c in missing if _has_glyph(path, c)}
        if covered:
            families.append(family)
            missing -= covered
        if not missing:
            return families or ["DejaVu Sans"]
    names = ", ".join(f"{c} (U+{ord(c):04X})" for c in sorted(missing))
    raise ValueError(f"no font on this machine has {names}; install one, for Devanagari: pip install fontpkg-mukta")


@lru_cache(maxsize=1)
def _candidate_fonts():
    """Returns (path, family) of every usable font: one regular file a family."""
    found = {}
    package = importlib.util.find_spec("fontpkg_mukta")
    if package:
        mukta = Path(package.origin).parent / "files" / "Mukta-Regular.ttf"
        font_manager.fontManager.addfont(mukta)
        found["Mukta"] = str(mukta)
    found["DejaVu Sans"] = font_manager.findfont("DejaVu Sans", fallback_to_default=False)
    for entry in sorted(font_manager.fontManager.ttflist, key=lambda font: (font.name, font.fname)):
        if entry.style == "normal" and entry.weight == 400 and not entry.name.startswith("Last Resort"):
            found.setdefault(entry.name, entry.fname)
    return [(path, family) for family, path in found.items()]


@cache
def _open_font(path):
    return FT2Font(path)


def _has_glyph(path, character):
    font = _open_font(path)
    if not font.get_char_index(ord(character)):
        return False
    return not "\u0900" <= character <= "\u097f" or _shapes_devanagari(path)


@cache
def _shapes_devanagari(path):
    """Whether the font has the letters and the substitution tables: some have all letters and join none."""
    from fontTools.ttLib import TTFont

    if not all(_open_font(path).get_char_index(ord(character)) for character in _DEVANAGARI_PROBE):
        return False
    with TTFont(path, lazy=True, fontNumber=0) as font:
        if "GSUB" not in font or font["GSUB"].table.ScriptList is None:
            return False
        return bool({"dev2", "deva"} & {record.ScriptTag for record in font["GSUB"].table.ScriptList.ScriptRecord})
