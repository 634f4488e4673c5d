"""Attention as a piece of a web page: the browser shapes the letters, and pointing at a word lights what it looked at.

Nothing here needs matplotlib. A piece stands for itself: it loads nothing, its text colour is the page's own, light or
dark, and its colours let the page shine through.
"""

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..spelling import has_devanagari

if TYPE_CHECKING:
    from ..translate import Translation

_STYLE = """
.nmt-attention { font: 16px/1.6 system-ui, sans-serif; max-width: 100%; }
.nmt-attention [lang=mr] {
  font-family: Mukta, "Noto Sans Devanagari", "Kohinoor Devanagari", "Nirmala UI", Mangal, system-ui, sans-serif;
}
.nmt-attention .words { display: flex; flex-wrap: wrap; gap: 18px 6px; margin: 0 0 24px; padding: 0; }
.nmt-attention button, .nmt-attention.nmt-attention table :is(th, td) {
  border: 0; margin: 0; color: inherit; background: rgb(30 130 220 / calc(var(--w, 0) * .8)); print-color-adjust: exact;
}
.nmt-attention button {
  font: inherit; line-height: 1.5; padding: 2px 9px; border-radius: 6px; cursor: pointer; position: relative;
  box-shadow: inset 0 0 0 1px rgb(128 128 128 / .5);
}
.nmt-attention button::after {
  content: attr(data-weight); position: absolute; top: 100%; left: 0; right: 0; text-align: center;
  font: 11px/18px system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
.nmt-attention.nmt-attention .on { box-shadow: inset 0 0 0 2px currentColor; }
.nmt-attention button:focus-visible { outline: 2px solid rgb(30 130 220); outline-offset: 2px; }
.nmt-attention .readout { min-height: 3.2em; margin: 0; font-size: 14px; }
.nmt-attention .table { overflow-x: auto; }
.nmt-attention.nmt-attention table { border-collapse: separate; border-spacing: 2px; border: 0; margin: 0; }
.nmt-attention.nmt-attention tbody tr:nth-child(n) { background: none; }
.nmt-attention.nmt-attention table :is(th, td) {
  padding: 2px 6px; border-radius: 3px; font-size: 15px; font-weight: 400; text-align: center; white-space: nowrap;
  min-width: 2em; max-width: none; vertical-align: middle;
}
.nmt-attention.nmt-attention table td { font-size: 12px; font-variant-numeric: tabular-nums; }
.nmt-attention .small { opacity: .6; }
.nmt-attention.nmt-attention tbody th {
  text-align: right; position: sticky; left: 0; z-index: 1; backdrop-filter: blur(12px);
}
.nmt-attention .caption { margin: 4px 0 0; font-size: 13px; opacity: .8; }
"""

# Every piece on the page that no script has seen yet is given its listeners; its words and cells carry their places.
_SCRIPT = """
for (const piece of document.querySelectorAll('.nmt-attention:not([data-ready])')) {
  piece.dataset.ready = '';
  const find = (selector) => [...piece.querySelectorAll(selector)];
  const buttons = find('button'), readout = piece.querySelector('.readout');
  const weights = find('tbody tr').map((row) => [...row.querySelectorAll('td')].map((cell) => +cell.dataset.weight));
  const hint = 'Point at a word, tap it or go to it with Tab: the words it looked at, or was looked at by, light up.';
  for (const button of buttons) {  // what was a tooltip is shown below the sentences from now on
    button.dataset.text = button.title;
    button.removeAttribute('title');
  }
  const light = (place) => {
    const {t, s} = place ? place.dataset : {};
    for (const word of find('button, th[data-t], th[data-s]')) {
      const isTarget = word.dataset.t !== undefined, own = isTarget ? t : s, other = isTarget ? s : t;
      const on = own !== undefined && own === (isTarget ? word.dataset.t : word.dataset.s);
      const lit = !on && own === undefined && other !== undefined;
      const weight = lit ? (isTarget ? weights[word.dataset.t][other] : weights[other][word.dataset.s]) : 0;
      word.classList.toggle('on', on);
      word.style.setProperty('--w', weight);
      if (word.tagName === 'BUTTON') word.dataset.weight = lit ? weight.toFixed(2) : '';
    }
    for (const cell of find('td')) cell.classList.toggle('on', cell === place);
    const same = buttons.find((b) => place && b.dataset.t === t && b.dataset.s === s);
    readout.textContent = same ? same.dataset.text : place ? place.title : hint;
  };
  const placeOf = (event) => event.target.closest('[data-t], [data-s]');
  const focused = () => (buttons.includes(document.activeElement) ? document.activeElement : null);
  piece.addEventListener('pointerover', (event) => light(placeOf(event) || focused()));
  piece.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && light(focused()));
  piece.addEventListener('focusin', (event) => light(placeOf(event)));
  piece.addEventListener('focusout', () => light(null));
  piece.addEventListener('keydown', (event) => {
    const i = buttons.indexOf(event.target), {t, s} = event.target.dataset;
    const line = buttons.filter((b) => (b.dataset.t === undefined) === (t === undefined));
    const across = buttons.filter((b) => !line.includes(b)), at = line.indexOf(event.target);
    const best = () => {  // the other line's word with the most weight
      const row = t === undefined ? weights.map((row) => row[s]) : weights[t];
      return across[row.indexOf(Math.max(...row))];
    };
    const next = i < 0 ? null : {
      ArrowLeft: () => line[at - 1], ArrowRight: () => line[at + 1], ArrowUp: best, ArrowDown: best,
    }[event.key]?.();
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });
  light(null);
}
"""


_MOST_IN_READOUT = 8
_CAPTION = "Attention weights: a row says where the model looked when it wrote the row's word, and sums to 1."


def attention_table(translation, show_end=False):
    """Returns what a picture of attention shows: target tokens, source tokens and the weights `(T, S)`.

    Raises:
        ValueError: there is nothing to show, or the weights do not fit the tokens.
    """
    rows, attention = list(translation.target_tokens), np.asarray(translation.attention)
    if rows[-1:] == ["<end>"] and not show_end:
        rows, attention = rows[:-1], attention[:-1]
    columns = list(translation.source_tokens)
    if not rows or not columns:
        raise ValueError(f"nothing to draw: {translation.source!r} has an empty translation")
    if attention.shape != (len(rows), len(columns)):
        raise ValueError(f"attention: expected shape {(len(rows), len(columns))}, got {attention.shape}")
    return rows, columns, attention


def attention_html(translation, show_end=False):
    """Writes attention as HTML: both sentences, word by word, and the table of all weights.

    Pointing at a word, tapping it or reaching it with the keyboard lights the words of the other sentence by their
    weight: for a target word, where the model looked when it wrote it; for a source word, which target words looked at
    it. Without JavaScript the table remains. In a notebook: `IPython.display.HTML(attention_html(translation))`.

    Args:
        translation: `Translation`, of `Translator.translate` (there `merge_subwords=True` gives words for pieces).
        show_end: bool. Whether to show the row of the end marker, where there is one.

    Returns:
        str. A piece of HTML that loads nothing from elsewhere, for a notebook or any page, several times if wanted.

    Raises:
        ValueError: the translation is empty, or its attention does not fit its tokens.
    """
    rows, columns, attention = attention_table(translation, show_end)
    target, source = _language(rows, ""), _language(columns, ' lang="en"')
    lines = ['<div class="nmt-attention">', f"<style>{_STYLE}</style>"]
    for axis, language, words, others, verb, table in (
        ("s", source, columns, rows, "was looked at by", attention.T),
        ("t", target, rows, columns, "looked at", attention),
    ):
        lines.append(f'<p class="words"{language}>')
        for i, (word, weights) in enumerate(zip(words, table, strict=True)):
            text = _escape(f"{word} {verb}: {_in_words(others, weights)}")
            lines.append(f'<button type="button" data-{axis}="{i}" title="{text}">{_escape(word)}</button>')
        lines.append("</p>")
    lines.append('<p class="readout" role="status"></p>')
    lines.append('<div class="table" role="region" aria-label="attention weights" tabindex="0"><table>')
    heads = "".join(f'<th scope="col"{source} data-s="{j}">{_escape(column)}</th>' for j, column in enumerate(columns))
    lines.append(f"<thead><tr><td></td>{heads}</tr></thead>")
    lines.append("<tbody>")
    for i, (row, weights) in enumerate(zip(rows, attention, strict=True)):
        cells = []
        for j, (column, weight) in enumerate(zip(columns, weights, strict=True)):
            # the colour stands in the cell: JupyterLab drops style sheets until it trusts a notebook, but not this
            colour = f"background-color: rgba(30, 130, 220, {0.8 * weight:.3f})"
            place = f'data-t="{i}" data-s="{j}" data-weight="{weight:.4f}" style="{colour}"'
            small = ' class="small"' if weight < 0.05 else ""
            title = _escape(f"{row} looked at {column}: {weight:.2f}")
            cells.append(f'<td {place}{small} title="{title}">{weight:.2f}</td>')
        lines.append(f'<tr><th scope="row"{target} data-t="{i}">{_escape(row)}</th>{"".join(cells)}</tr>')
    lines += ["</tbody>", "</table></div>", f'<p class="caption">{_CAPTION}</p>']
    lines += [f"<script>{_SCRIPT}</script>", "</div>"]
    return "\n".join(lines)


def _escape(text):
    return html.escape(str(text), quote=True)


def _language(words, otherwise):
    """Returns the attribute that tells browsers and screen readers how to shape and to speak these words."""
    devanagari = has_devanagari("".join(words))
    return ' lang="mr"' if devanagari else otherwise


def _in_words(words, weights):
    """Returns the words of the greatest weights, and these, as text; what rounds to 0 is left out."""
    order = np.argsort(-weights, kind="stable")[:_MOST_IN_READOUT]
    return " · ".join(f"{words[i]} {weights[i]:.2f}" for i in order if weights[i] >= 0.005) or "nothing"


def attention_page(translations: "Sequence[Translation]") -> str:
    """Returns a whole web page with the attention of each translation, one below the other; see `attention_html`."""
    parts = "\n".join(attention_html(translation) for translation in translations)
    style = "body { max-width: 60em; margin: 2em auto; padding: 0 1em; }"
    head = f'<meta charset="utf-8"><title>Alignments</title><style>{style}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{parts}\n</body></html>\n'
