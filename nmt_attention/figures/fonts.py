"""Which fonts draw a text correctly. By itself, matplotlib draws boxes for the glyphs that its font lacks."""

import contextlib
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import matplotlib
import unicodedata2
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

from ..spelling import has_devanagari
from .web_font import mukta_file

# Consonants joined by a virama, a vowel sign that goes before its consonant, candra e, ळ, a digit.
_DEVANAGARI_PROBE = "क्षिंॅळ१"


def text_style(text: str) -> dict[str, Any]:
    """Returns the keywords that make matplotlib draw this text correctly: font families and, from 3.11 on, language.

    Dollar signs stay dollar signs: otherwise matplotlib would draw the text between two of them as a formula.

    Raises:
        ValueError: no installed font has the glyphs; the message names the characters.
        RuntimeError: the text holds Devanagari and this matplotlib cannot shape it; see `lesson.set_up_figures`.
    """
    style: dict[str, Any] = {"family": find_fonts(text), "parse_math": False}
    if matplotlib.rcParams["svg.fonttype"] == "none":
        style["family"].append("sans-serif")  # a reader's browser may have none of these
    if has_devanagari(text):
        if "text.language" in matplotlib.rcParams:
            style["language"] = "mr"  # the Marathi forms of ल and श
        elif matplotlib.rcParams["svg.fonttype"] != "none":  # else letters stay letters, for a browser to shape
            check_shaping(text)
    return style


def check_shaping(text: str) -> None:
    """Makes sure that this matplotlib can draw the text correctly.

    Raises:
        RuntimeError: the text holds Devanagari, and matplotlib is older than 3.11.
    """
    if not can_shape(text):
        raise RuntimeError(
            f"matplotlib {matplotlib.__version__} cannot shape Devanagari; install matplotlib 3.11 or newer"
        )


def can_shape(text: str) -> bool:
    """Returns whether this matplotlib draws the text correctly: before 3.11 it cannot draw Devanagari."""
    return "text.language" in matplotlib.rcParams or not has_devanagari(text)


def find_fonts(text: str) -> list[str]:
    """Returns names of font families that together have every glyph of the text, the preferred ones first.

    Mukta, which is one of the requirements, comes first so that a figure is the same on every machine; then
    matplotlib's DejaVu Sans, then whatever else is installed. A font counts for Devanagari only if it can shape it.

    Raises:
        ValueError: characters that no installed font has; the message names them.
    """
    # spaces, and format characters such as the zero-width joiners, have no glyph of their own
    missing = {character for character in text if unicodedata2.category(character) not in ("Zs", "Cf", "Cc")}
    families = []
    listed_and_new = (fonts() for fonts in (_candidate_fonts, _new_fonts))  # the new ones only if they are needed
    for path, family in chain.from_iterable(listed_and_new):
        covered = {c for c in missing if ord(c) in _glyphs(path)}
        if covered:
            families.append(family)
            missing -= covered
        if not missing:
            return families or ["DejaVu Sans"]
    names = ", ".join(f"{c} (U+{ord(c):04X})" for c in sorted(missing))
    remedy = "pip install fontpkg-mukta" if has_devanagari("".join(missing)) else "on Debian fonts-noto-core or -cjk"
    raise ValueError(f"no font on this machine has {names}; install one that has them ({remedy})")


@cache
def _new_fonts() -> list[tuple[str, str]]:
    """Adds the fonts that were installed after matplotlib made its list, and returns those of them that are regular."""
    manager = font_manager.fontManager
    before = len(manager.ttflist)
    for path in sorted({*font_manager.findSystemFonts()} - {entry.fname for entry in manager.ttflist}):
        with contextlib.suppress(OSError, RuntimeError, ValueError):  # a damaged one, or one without outlines
            manager.addfont(path)
    return [(entry.fname, entry.name) for entry in manager.ttflist[before:] if _is_regular(entry)]


def _is_regular(entry: font_manager.FontEntry) -> bool:
    return entry.style == "normal" and entry.weight == 400 and not entry.name.startswith("Last Resort")


@lru_cache(maxsize=1)
def _candidate_fonts() -> list[tuple[str, str]]:
    """Returns (path, family) of every usable font: one regular file per family."""
    files = {}
    if mukta := mukta_file():
        font_manager.fontManager.addfont(mukta)
        files["Mukta"] = str(mukta)
    files["DejaVu Sans"] = font_manager.findfont("DejaVu Sans", fallback_to_default=False)
    for entry in sorted(font_manager.fontManager.ttflist, key=lambda font: (font.name, font.fname)):
        if _is_regular(entry):
            files.setdefault(entry.name, entry.fname)
    return [(path, family) for family, path in files.items()]


@cache
def _glyphs(path: str) -> frozenset[int]:
    """Returns the code points that a font draws; of Devanagari none if it joins no letters."""
    from fontTools.ttLib import TTFont

    glyphs = frozenset(FT2Font(path).get_charmap())
    if all(ord(letter) in glyphs for letter in _DEVANAGARI_PROBE):
        with TTFont(path, lazy=True, fontNumber=0) as font:
            scripts = font["GSUB"].table.ScriptList if "GSUB" in font else None
            if scripts and {"dev2", "deva"} & {record.ScriptTag for record in scripts.ScriptRecord}:
                return glyphs
    return frozenset(code for code in glyphs if not has_devanagari(chr(code)))
