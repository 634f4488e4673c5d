"""Spellings of haste: marks and words as people type them, and what a model reads in their place.

A model of sentence pairs has seen "don't" and "How are you?", and neither "dont" nor "How are you ?". The patterns use
no lookaround, so that Python, JavaScript and RE2 agree on them, and `deploy` applies the same tables. Classes stand in
brackets, so that `deploy` can replace them by lists of letters.
"""

import re
from collections.abc import Iterable

from ..spelling import SPACE

Table = Iterable[tuple[str, str]]  # patterns and what replaces them
_ELLIPSIS = "(?:[.]{2,}|…)"
_EDGE, _END = r"""(^|[\s("'“‘’])""", r"""([.,;:!?…)"'”’]*(?:[\s]|$))"""
_LETTER_END = r"""([,;:!?…)"'”’]*(?:[\s]|$)|[.]+[\s]*$)"""  # an initial's point is no end of a sentence (r. k. Rao)
_WORDS = """
dont: don't, doesnt: doesn't, didnt: didn't, cant: can't, wont: won't, isnt: isn't, arent: aren't, wasnt: wasn't,
werent: weren't, havent: haven't, hasnt: hasn't, wouldnt: wouldn't, couldnt: couldn't, shouldnt: shouldn't,
im: i'm, ive: i've, youre: you're, theyre: they're, hes: he's, shes: she's, thats: that's, whats: what's,
u r: you are, r u: are you, u: you, ur: your, r: are, plz: please, pls: please, thx: thanks,
wanna: want to, gonna: going to, ve gotta: ve got to, s gotta: s got to, gotta: have to
"""  # "ve gotta" and "s gotta" stand behind an apostrophe
WORDS = dict(word.split(": ") for word in " ".join(_WORDS.split()).split(", "))
SPACING: Table = (  # of a whole text: a mark between two words is followed by a space
    (
        rf"{_EDGE}([A-Za-z'’]*[a-z](?:[.?!]+|…))([A-Z][A-Za-z'’]*(?:[\s,;:]|[.?!…]+[\s]|[.?!…]*$))",
        r"\1\2 \3",
    ),
) * 2  # because the end of one match may begin the next
ONE_WORD = rf"""[\s]*["'“‘]*[A-Za-z'’]+[\s]?{_ELLIPSIS}"""  # Well..., which is no sentence


def _spelling(typed: str, meant: str) -> tuple[str, str]:
    """Returns a pattern of a whole word and its replacement, which keeps the case of a first letter that stays."""
    if len(typed) < 3 and typed != "im":  # a capital may be a name's
        end = _END if len(typed) > 1 else _LETTER_END
        return rf"{_EDGE}{typed}{end}", rf"\1{meant}\2"
    letters = "".join(f"[{letter}{letter.upper()}]" if letter != " " else letter for letter in typed)
    if typed[0] == meant[0]:
        return rf"{_EDGE}({letters[:4]}){letters[4:]}{_END}", rf"\1\2{meant[1:]}\3"
    return rf"{_EDGE}{letters}{_END}", rf"\1{meant}\2"


MARKS: Table = (  # of a sentence; applied in this order
    *((rf"""([A-Za-z"'”’)])[\s]?{wide}""", rf"\1{mark}") for wide, mark in zip("？！。", "?!.", strict=True)),
    (rf"^[\s]*{_ELLIPSIS}[\s]*([\w])", r"\1"),
    (r"[!]+[?][?!]*|[?][?!]+", "?"),
    (r"[!]{2,}", "!"),
    (rf"([?!])[\s]*{_ELLIPSIS}", r"\1"),
    (rf"""([A-Za-z"'”’)])[\s]?{_ELLIPSIS}[\s]*([\w"“‘(])""", r"\1, \2"),
    (rf"""[\s]*{_ELLIPSIS}(["'”’)\s]*)$""", r".\1"),
    (r"""([\w"'”’)])[\s]+([.,;:?!]+)([\s]|$)""", r"\1\2\3"),
)
ENGLISH: Table = (
    (rf"{_EDGE}½([\s])", r"\1half\2"),
    (r"""^([\s"'“‘]*[Ll])ets ([a-z])""", r"\1et's \2"),
    *(_spelling(*word) for word in WORDS.items()),
    (rf"{_EDGE}(?:[Hh]i(?: there)?|[Hh]ello there){_END}", r"\1hello\2"),
)


_TITLES = {"[Mm]r": "Mister", "[Mm]rs": "Missis", "[Dd]r": "Doctor"}
_COUNTRIES = {"U[.]S(?:[.]A)?|USA": "America", "U[.]K|UK": "Britain"}
ABBREVIATIONS: Table = (  # in the Marathi corpus they are too rare to be learned
    *((rf"{_EDGE}{short}[.]?([\s]+[A-Z])", rf"\1{long}\2") for short, long in _TITLES.items()),
    *(
        (rf"{_EDGE}(?:[Tt]he )?(?:{short}){follows}", rf"\1{country}\2")
        for short, country in _COUNTRIES.items()
        for follows in (r"[.]?([\s]+[\w]|[,;:!?'’)])", r"([.]?[\s]*)$")
    ),
)


def spellings_for(vocabulary: Iterable[str], hides_names: bool) -> Table:
    """Returns what is rewritten in a sentence for a model with this source vocabulary: in German, im is no i'm.

    A model that hides names writes them, and so titles, in Marathi.
    """
    entries = set(vocabulary)
    begins = {entry.removeprefix(SPACE) for entry in entries if entry.startswith(SPACE)} or entries
    return (*MARKS, *ENGLISH, *(ABBREVIATIONS if hides_names else ())) if {"the", "is"} <= begins else MARKS


def rewrite(text: str, table: Table) -> str:
    """Returns a text with the patterns of a table replaced, in its order."""
    for pattern, replacement in table:
        text = re.sub(pattern, replacement, text)
    return text
