"""Signs that stand around a text, or among its words, and belong to no sentence: emoji, bullets, arrows, markup.

A model of sentence pairs has never seen them, and writes words for them. So it gets the text without them.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import regex

from ..spelling import as_texts
from ..translate import Translation
from .typed import Table, rewrite

# Classes stand in brackets, so that `deploy` can replace them by lists of letters.
SIGN = "(?:</?[A-Za-z][^<>]*>|[\\p{So}\\p{Sm}\\p{Sk}_*#•‣·][\u200d\ufe0e\ufe0f\u20e3]*)"  # a tag or one character
SMILEY = r"(?:[:;=]['’]?-?[()DPp]|<3)"
NOTE = r"\[[0-9]{1,3}\]"
_PICTURE = "\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"  # blocks of arrows, shapes and emoji
_PICTURES = f"[{_PICTURE}][{_PICTURE}\u200d\ufe0e\ufe0f\u20e3]*"
_OPENERS = (  # with a capital behind a picture, they open a sentence
    "I|You|He|She|It|We|They|This|That|These|There|My|Your|His|Her|Our|Their|The|Please|Thanks"
    "|Who|What|When|Where|Why|How|Is|Are|Do|Does|Did|Can|Will|Let|Don"
)
_OPEN, _MARKED, _CLOSE = "(?:[*]{1,2}|`|<[A-Za-z]+>)", r"([^\s*`<][^*`<]*)", "(?:[*]{1,2}|`|</[A-Za-z]+>)"
_QUOTES = ('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’")
MARKUP: Table = (  # of a whole text in quotation marks, then of a part of a text
    *((rf"^([\s]*){first}([^{first}{last}]*){last}([\s]*)$", r"\1\2\3") for first, last in _QUOTES),
    (r"^([\s]*)'([^']+(?:'[a-z]+[^']*)*)'([\s]*)$", r"\1\2\3"),
    (rf"^([\s]*){_OPEN}{_MARKED}{_CLOSE}([^*`<]*[A-Za-z])", r"\1\2\3"),
    *[(rf"""([A-Za-z0-9.,;:!?)"'”’][\s]+){_OPEN}{_MARKED}{_CLOSE}""", r"\1\2")] * 2,  # one match may begin the next
)
AMONG: Table = (  # what becomes of signs among words, in this order
    ("</?(?:a|b|i|u|s|em|strong|span|code|small|mark|su[bp]|font|A|B|I|U|EM|STRONG)(?: [^<>]*)?>", ""),
    ("</?[A-Za-z][A-Za-z0-9]*(?: [^<>]*)?/?>", " "),
    (rf"([^\s]) ?{NOTE}", r"\1"),
    (f"([A-Za-z0-9'’)]) ?{_PICTURES} ?((?:{_OPENERS})[ '’])", r"\1. \2"),
    (f" ?{_PICTURES} ?", " "),
)
BEFORE, LAST = rf"(?:[\s]*{SIGN})+[\s]*", rf"[\s]+|{SIGN}|[\s]{SMILEY}|{NOTE}"
LETTER = r"[\p{L}]"
_BEFORE, _LAST, _LETTER = regex.compile(BEFORE), regex.compile(f"(?r){LAST}"), regex.compile(LETTER)  # at both ends

NBest = Callable[..., list[list[Translation]]]


def split_signs(text: str) -> tuple[str, str, str]:
    """Returns the signs before a text, the text without signs among its words, and the signs after it.

    A text of signs alone stays as it is. A picture before a word such as I or What is the end of a sentence.
    """
    whole, text = text, rewrite(text, MARKUP)
    before = match[0] if (match := _BEFORE.match(text)) else ""
    end = len(text)
    while match := _LAST.match(text, len(before), end):
        end = match.start()
    after = text[end:] if text[end:].strip() else ""
    body = text[len(before) : len(text) - len(after)]
    if not _LETTER.search(body):
        return "", whole, ""
    return before, rewrite(body, AMONG), after


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
