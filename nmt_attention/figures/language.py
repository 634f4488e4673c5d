"""HTML attributes of texts in any language, by which browsers shape letters and order words."""

import re

from ..spelling import has_devanagari

# Blocks of scripts written from right to left (Arabic, Hebrew, Syriac, Thaana, NKo, Adlam …); the page has the same.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_LETTER = re.compile(r"[^\W\d_]")
_OTHER = re.compile("(?![\u00aa-\u024f\u1e00-\u1eff])[^\x00-\x7f\\W\\d_]")  # letters of scripts other than Latin


def is_right_to_left(text: str) -> bool:
    """Returns whether most of a text's letters belong to scripts that are written from right to left."""
    letters = "".join(_LETTER.findall(text))
    return 2 * len(_RIGHT_TO_LEFT.findall(letters)) > len(letters)


def language(text: str, otherwise: str = "") -> str:
    """Returns the attributes of an element with this text.

    Devanagari is taken for Marathi. The language of other scripts is not known, but their direction is.

    Args:
        text: what the element holds, whole sentences if it holds words.
        otherwise: attributes of Latin letters.
    """
    if has_devanagari(text):
        return ' lang="mr"'
    if is_right_to_left(text):
        return ' lang="" dir="rtl"'
    return ' lang=""' if _OTHER.search(text) else otherwise


def isolated(text: str) -> str:
    """Returns a text that keeps to itself among others: without marks of isolation, numbers beside it change places."""
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text
