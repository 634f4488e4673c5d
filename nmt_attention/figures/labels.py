"""What a picture of attention shows: tokens and weights, what explains a token, and the picture in words.

A figure's `get_label()` returns it in words, for readers who do not see it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..marathi.gloss import gloss
from ..marathi.romanize import to_latin
from ..spelling import SPACE, has_devanagari

if TYPE_CHECKING:
    from ..translate import Translation

Table = tuple[list[str], list[str], np.ndarray]  # target tokens, source tokens, weights `(T, S)`

ROWS = 10  # of a figure that are described
_NEAR = 12  # letters after a token within which the next one is looked for


class Labels(NamedTuple):
    """Which labels a picture has. The functions that draw attention take each of these as a keyword.

    show_end: bool. Whether to show the end marker, if there is one.
    romanize: bool. Whether Marathi is followed by Latin letters, घेतला ghetlā; see `marathi.romanize`.
    glosses: bool. Whether Marathi is followed by an English word, घेतला (took), if `marathi.gloss` has one.
    """

    show_end: bool = False
    romanize: bool = False
    glosses: bool = False

    def write(self, words: Sequence[str], between: str = " ", columns: Any = (), weights: Any = None) -> list[str]:
        """Returns labels for words, their parts with `between` between them, and glosses by the weights of `columns`.

        Subword pieces get no gloss, because half a word may look like another word.
        """
        pieces = any(SPACE in word for word in words)

        def label(word: str, row: Any) -> str:
            parts = [word]
            if self.romanize:
                parts.append(to_latin(word))
            if self.glosses and not pieces and (meaning := gloss(word, columns, row)):
                parts.append(f"({meaning})")
            return between.join(filter(None, parts))

        rows = [()] * len(words) if weights is None else weights
        return [label(word, row) if has_devanagari(word) else word for word, row in zip(words, rows, strict=True)]

    def table(self, translation: "Translation") -> Table:
        """Returns `attention_table` with its tokens labelled."""
        rows, columns, weights = attention_table(translation, self.show_end)
        return self.write(rows, columns=columns, weights=weights), self.write(columns), weights


def attention_table(translation: "Translation", show_end: bool = False) -> Table:
    """Returns what a picture of attention shows: target tokens, source tokens and the weights `(T, S)`.

    Source tokens have the capitals of the sentence, although models read small letters.

    Raises:
        TypeError: this is no translation, but for example a list of them.
        ValueError: there is nothing to show, or the weights do not fit the tokens.
    """
    if not hasattr(translation, "target_tokens"):
        got = f"expected a Translation, got {type(translation).__name__}"
        raise TypeError(f"translation: {got}; `translate` returns a list of them, so take one: translations[0]")
    rows, attention = list(translation.target_tokens), np.asarray(translation.attention)
    if rows[-1:] == ["<end>"] and not show_end:
        rows, attention = rows[:-1], attention[:-1]
    columns = _as_typed(translation.source_tokens, translation.source)
    if not rows or not columns:
        raise ValueError(f"nothing to draw: {translation.source!r} has an empty translation")
    if attention.shape != (len(rows), len(columns)):
        raise ValueError(f"attention: expected shape {(len(rows), len(columns))}, got {attention.shape}")
    return rows, columns, attention


def _as_typed(tokens: Sequence[str], text: str) -> list[str]:
    """Returns tokens with the capitals of their text; one that the text spells otherwise stays as it is."""
    small = text.lower()
    if len(small) != len(text):  # İ becomes two letters
        return list(tokens)
    typed, end = [], 0
    for token in tokens:
        word = token.removeprefix(SPACE)
        start = small.find(word, end, end + len(word) + _NEAR)
        if word and start >= 0:
            end = start + len(word)
            token = token.removesuffix(word) + text[start:end]
        typed.append(token)
    return typed


def looked_most(rows: Sequence[str], columns: Sequence[str], weights: np.ndarray, most: int = ROWS) -> str:
    """Returns where the first rows of a `Table` looked most: *ती looked most at she 0.81, गाते at sings 0.90*."""
    parts: list[str] = []
    for row, row_weights in zip(rows, weights, strict=True):
        best = int(np.argmax(row_weights))
        parts.append(f"{row} {'at' if parts else 'looked most at'} {columns[best]} {row_weights[best]:.2f}")
    return capped(parts, most)


def capped(parts: Sequence[str], most: int = ROWS, between: str = ", ") -> str:
    """Returns the first parts as a list in a sentence, and how many more there are."""
    more = [f"and {len(parts) - most} more"] if len(parts) > most else []
    return between.join([*parts[:most], *more])
