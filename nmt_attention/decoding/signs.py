"""Signs that stand around a text, or among its words, and belong to no sentence: emoji, bullets, arrows, markup.

A model of sentence pairs has never seen them, and writes words for them. So it gets the text without them.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import regex

from ..spelling import as_texts
from ..translate import Translation

_SIGN = "(?:</?[A-Za-z][^<>]*>|[\\p{So}\\p{Sm}\\p{Sk}_*#•‣·][\u200d\ufe0e\ufe0f\u20e3]*)"  # a tag or one character
_SMILEY = r"(?:[:;=]['’]?-?[()DPp]|<3)"
_BEFORE = regex.compile(rf"(?:\s*{_SIGN})+\s*")
_LAST = regex.compile(rf"(?r)\s+|{_SIGN}|(?<=\s){_SMILEY}")  # matches at the end
_PICTURE = "\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"  # blocks of arrows, shapes and emoji
_AMONG = regex.compile(f" ?[{_PICTURE}][{_PICTURE}\u200d\ufe0e\ufe0f\u20e3]* ?")
_LETTER = regex.compile(r"\p{L}")

NBest = Callable[..., list[list[Translation]]]


def split_signs(text: str) -> tuple[str, str, str]:
    """Returns the signs before a text, the text without pictures, and the signs after it; a text of signs stays."""
    before = match[0] if (match := _BEFORE.match(text)) else ""
    end = len(text)
    while match := _LAST.match(text, len(before), end):
        end = match.start()
    after = text[end:] if text[end:].strip() else ""
    body = text[len(before) : len(text) - len(after)]
    return (before, _AMONG.sub(" ", body), after) if _LETTER.search(body) else ("", text, "")


def keeping_signs(n_best: NBest) -> NBest:
    """Makes an `n_best` translate texts without signs; those around a text also stand around its translations."""

    @functools.wraps(n_best)
    def with_signs(self: Any, sentences: Iterable[str], *options: Any, **search: Any) -> list[list[Translation]]:
        texts = as_texts(sentences)
        parts = [split_signs(text) for text in texts]
        lists = n_best(self, [body for _, body, _ in parts], *options, **search)
        return [
            [t._replace(source=text, text=before + t.text + after) for t in hypotheses]
            for text, (before, _, after), hypotheses in zip(texts, parts, lists, strict=True)
        ]

    return with_signs
