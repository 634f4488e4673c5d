"""Attention as a piece of a web page: the browser shapes the letters, and pointing at words lights up others.

Nothing here needs matplotlib. A piece is self-contained: it loads nothing, its text has the page's own colour, light or
dark, and its colours are transparent.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import palette
from .labels import Labels
from .language import is_right_to_left, isolated, language
from .web_font import font_face

if TYPE_CHECKING:
    from ..translate import Translation


class Wording(NamedTuple):
    """What a piece says of its weights: to a target word, to a source word, and below the table."""

    target: str
    source: str
    caption: str


ATTENTION = Wording(
    "looked at",
    "was looked at by",
    "Attention weights: a row says where the model looked when it wrote the row's word, and sums to 1.",
)
LINKS = Wording(
    "is linked with",
    "is linked with",
    "Weights of links: how probable it is that the two words translate each other. Rows need not sum to 1.",
)


def attention_html(translation: "Translation", *, wording: Wording = ATTENTION, **labels: Any) -> str:
    """Writes attention as HTML: both sentences, word by word, and the table of all weights.

    Pointing at a word, tapping it or reaching it with the keyboard lights up the words of the other sentence by
    their weight: for a target word, where the model looked when it wrote it; for a source word, which target words
    looked at it. Without JavaScript the table remains.

    In a notebook: `IPython.display.HTML(attention_html(translation))`.

    Args:
        translation: `Translation`, of `Translator.translate` (there `merge_subwords=True` gives words for pieces).
        wording: `ATTENTION`, or `LINKS` for weights of a statistical aligner.
        labels: as in `plot_attention`.

    Returns:
        str. A piece of HTML that loads nothing from elsewhere, for a notebook or any page, which may hold several.

    Raises:
        TypeError, ValueError: as `plot_attention`; or the attention does not fit the tokens.
    """
    rows, columns, attention = Labels(**labels).table(translation)
    target, source = language(" ".join(rows)), language(" ".join(columns), ' lang="en"')
    lines = ['<div class="nmt-attention">', f"<style>\n{palette.STYLE}{palette.read('figures/attention.css')}</style>"]
    for axis, attributes, words, others, verb, table in (
        ("s", source, columns, rows, wording.source, attention.T),
        ("t", target, rows, columns, wording.target, attention),
    ):
        lines.append(f'<p class="words"{attributes}>')
        own = ' dir="auto"' if is_right_to_left(" ".join(words)) else ""
        for i, (word, weights) in enumerate(zip(words, table, strict=True)):
            text = escape(f"{isolated(word)} {verb}: {_in_words(others, weights)}")
            lines.append(f'<button type="button"{own} data-{axis}="{i}" title="{text}">{escape(word)}</button>')
        lines.append("</p>")
    lines.append('<p class="readout" role="status"></p>')
    lines.append('<div class="table" role="region" aria-label="attention weights" tabindex="0"><table>')
    heads = "".join(f'<th scope="col"{source} data-s="{j}">{escape(column)}</th>' for j, column in enumerate(columns))
    lines += [f"<thead><tr><td></td>{heads}</tr></thead>", "<tbody>"]
    for i, (row, weights) in enumerate(zip(rows, attention, strict=True)):
        cells = []
        for j, (column, weight) in enumerate(zip(columns, weights, strict=True)):
            # colours are in the cells, because JupyterLab drops style sheets until it trusts a notebook
            colour = f"background-color: {palette.ATTENTION}{round(0.6 * 255 * weight):02x}"
            place = f'data-t="{i}" data-s="{j}" data-weight="{weight:.4f}" style="{colour}"'
            small = ' class="small"' if weight < palette.LEAST_WEIGHT else ""
            title = escape(f"{isolated(row)} {wording.target} {isolated(column)}: {weight:.2f}")
            cells.append(f'<td {place}{small} title="{title}">{weight:.2f}</td>')
        lines.append(f'<tr><th scope="row"{target} data-t="{i}">{escape(row)}</th>{"".join(cells)}</tr>')
    lines += ["</tbody>", "</table></div>", f'<p class="caption">{wording.caption}</p>']
    lines += [f"<script>\n{palette.read('figures/attention.js')}</script>", "</div>"]
    return "\n".join(lines)


def _in_words(words: Sequence[str], weights: np.ndarray) -> str:
    """Returns the words with the greatest weights, and these weights, as text; what rounds to 0 is left out."""
    order = np.argsort(-weights, kind="stable")[:8]
    return " · ".join(f"{isolated(words[i])} {weights[i]:.2f}" for i in order if weights[i] >= 0.005) or "nothing"


def attention_page(translations: "Sequence[Translation]", wording: Wording = ATTENTION) -> str:
    """Returns a whole web page with the weights of each translation, one below the other; see `attention_html`.

    The page brings its Devanagari letters, if the package of the font Mukta is installed.
    """
    parts = "\n".join(attention_html(translation, wording=wording) for translation in translations)
    style = f"{font_face()}body {{ max-width: 60em; margin: 2em auto; padding: 0 1em; }}"
    generator = '<meta name="generator" content="nmt_attention">'
    head = f'<meta charset="utf-8">{generator}<title>Alignments</title><style>{style}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{parts}\n</body></html>\n'
