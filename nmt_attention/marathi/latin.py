"""A token in Latin letters, to be written in small type beside it."""

import unicodedata2

from ..spelling import SPACE, has_devanagari
from .romanize import romanize


def to_latin(token: str) -> str:
    """Returns a token in Latin letters, without the space of a subword piece.

    It is empty if the token has no Devanagari, or begins with a sign that belongs to the letter before it, because such
    a piece is not spoken by itself.
    """
    text = token.removeprefix(SPACE)
    if not has_devanagari(text) or unicodedata2.category(text[0]).startswith("M"):
        return ""
    return romanize(text)
