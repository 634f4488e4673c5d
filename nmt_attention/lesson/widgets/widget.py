"""A table that becomes a machine where scripts run."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape as escape
from typing import Any, NamedTuple

import numpy as np

from ...figures.language import language as language
from ...figures.palette import STYLE, read
from ...marathi.gloss import gloss
from ...marathi.romanize import to_latin
from ...spelling import SPACE, has_devanagari


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


Row = tuple[str, str] | tuple[str, str, str]  # a name, its cells as HTML, and perhaps HTML behind the name


def make_widget(
    name: str,
    text: str,
    columns: Iterable[str | tuple[str, str]],
    rows: Iterable[Row],
    foot: Iterable[Row] = (),
    controls: str = '<p class="readout" role="status"></p>{buttons}',
    buttons: Sequence[str] = (),
    corner: str = "",
    attributes: str = "",
    shared: str = "",
) -> Widget:
    """Returns the `Widget` of a table that says everything without a script.

    Args:
        name: str. The widget's class is `nmt-NAME`, its style is widgets.css and NAME.css, and its script widgets.js
            and NAME.js, in a block of their own, which begins every element of that class that is not ready.
        text: str. See `Widget`.
        columns: the names of the columns, each perhaps with attributes of its head.
        rows, foot: see `Row`; a row without a name is of cells alone.
        controls: str. HTML that is hidden until the script shows it; `buttons` are the texts on its buttons.
        corner, attributes: str. What stands above the rows' names, and attributes of the table.
        shared: str. Name of a style and a script among the figures that stand before its own.
    """
    heads = [column if isinstance(column, tuple) else (column, "") for column in columns]
    head = "".join(f'<th scope="col"{more}{language(word)}>{escape(word)}</th>' for word, more in heads)
    head = f"<thead><tr><td>{corner}</td>{head}</tr></thead>"
    end = f"<tfoot>{''.join(map(_row, foot))}</tfoot>" if foot else ""
    table = f"<table{attributes}>{head}<tbody>{''.join(map(_row, rows))}</tbody>{end}</table>"
    shown = "".join(f'<button type="button">{label}</button>' for label in buttons)
    parts = [f"lesson/widgets/{part}" for part in ("widgets", name)]
    parts[1:1] = [f"figures/{shared}"] if shared else []
    style, script = (read(*(f"{part}.{kind}" for part in parts)) for kind in ("css", "js"))
    lines = [
        f'<div class="nmt-widget nmt-{name}">',
        f"<style>\n{STYLE}{style}</style>",
        '<p class="until-run">Run this cell: then it moves, and you can change it.</p>',
        f'<div class="table" role="region" aria-label="{escape(text)}" tabindex="0">{table}</div>',
        f'<div class="controls" hidden>{controls.replace("{buttons}", shown)}</div>',
        f"<script>\n{{\n{script}}}\n</script>",
        "</div>",
    ]
    return Widget("\n".join(lines), text)


def _row(row: Row) -> str:
    name, cells, *small = row
    head = f'<th scope="row"{language(name)}>{escape(name)}{"".join(small)}</th>' if name else ""
    return f"<tr>{head}{cells}</tr>"


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
