"""A table that becomes a machine where scripts run."""

import html
from collections.abc import Iterable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np

from ...figures.language import language as language
from ...figures.palette import STYLE as PALETTE
from ...marathi.gloss import gloss
from ...marathi.romanize import to_latin
from ...spelling import SPACE, has_devanagari

_FOLDER, _FIGURES = resources.files("nmt_attention.lesson.widgets"), resources.files("nmt_attention.figures")


class Widget(NamedTuple):
    """What a notebook shows as HTML.

    html: str. A piece of a page that loads nothing, has no ids and leaves no global names, so that several fit on one
        page. It is the same whenever it is made of the same numbers.
    text: str. What is shown where there is no HTML.
    """

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def make_widget(name: str, table: str, controls: str, text: str, shared: str = "") -> Widget:
    """Returns the `Widget` of a table.

    Args:
        name: str. The widget's class is `nmt-NAME`, its style is widgets.css and NAME.css, and its script NAME.js finds
            every element of that class that is not ready. The script stands in a block of its own.
        table: str. HTML that says everything without a script.
        controls: str. HTML that is hidden until the script shows it.
        text: str. See `Widget`.
        shared: str. Name of a style and a script among the figures that stand before its own.
    """
    parts = [(_FIGURES, shared)] if shared else []
    parts.append((_FOLDER, name))
    own_style, script = ("".join(_read(folder, f"{part}.{kind}") for folder, part in parts) for kind in ("css", "js"))
    style = PALETTE + _read(_FOLDER, "widgets.css") + own_style
    lines = [
        f'<div class="nmt-widget nmt-{name}">',
        f"<style>\n{style}</style>",
        '<p class="until-run">Run this cell: then it moves, and you can change it.</p>',
        f'<div class="table" role="region" aria-label="{escape(text)}" tabindex="0">{table}</div>',
        f'<div class="controls" hidden>{controls}</div>',
        f"<script>\n{{\n{script}}}\n</script>",
        "</div>",
    ]
    return Widget("\n".join(lines), text)


def _read(folder: Traversable, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def escape(text: str) -> str:
    """Returns a text as HTML, in an element or an attribute."""
    return html.escape(str(text), quote=True)


def reading_help(token: str, whole: bool) -> dict[str, str]:
    """Returns what helps to read a token: "latin", its Latin letters, and "gloss", an English word, if it has them.

    Args:
        token: str. Only Devanagari has any, and no piece that begins with a sign of the letter before it.
        whole: bool. Whether it is a word. A piece gets no gloss, because half a word may look like another word.
    """
    word = token.removeprefix(SPACE)
    texts = {"latin": to_latin(word), "gloss": gloss(word) if whole and has_devanagari(word) else ""}
    return {kind: text for kind, text in texts.items() if text}


def are_words(tokens: Iterable[str]) -> bool:
    """Returns whether tokens are words; else some of them are subword pieces."""
    return not any(SPACE in token for token in tokens)


def small_help(texts: Mapping[str, Any]) -> str:
    """Returns `reading_help` as HTML in small type, to stand after the token; empty if there is none."""
    latin = f' <small lang="mr-Latn">{escape(texts["latin"])}</small>' if "latin" in texts else ""
    return latin + (f' <small lang="en">({escape(texts["gloss"])})</small>' if "gloss" in texts else "")


def softmax(scores: np.ndarray) -> np.ndarray:
    """Returns weights `(..., S)` of scores `(..., S)`: positive, and each row sums to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
