"""Sentences in another dress: `corpus.sentence_key` of a text that is not plain, and the sentences within a text.

Files give a sentence a counter, a bullet, HTML, full-width letters, an emoji or vowel points, and it stays the same
sentence. A key that is too broad costs a training pair; one that is too narrow lets a scored sentence into training.
"""

import html
import re
from collections.abc import Collection, Iterator

import regex
import unicodedata2

from ..corpus import sentence_key
from ..spelling import PUNCTUATION, normalize

_MOST_PIECES = 8  # of one sentence: "Mr. A. B. Patil came." has four
_MOSTLY = 0.6  # of a text's letters

_PLANE = "".join(map(chr, range(0x10000)))
_DIGITS = {
    ord(c): str(unicodedata2.decimal(c)) for c in map(chr, range(0x80, 0x20000)) if unicodedata2.category(c) == "Nd"
}
_ADDED = regex.compile(
    r"<!--.{0,99}?-->|</?\w[^<>]*>|>>\w+<<|\\[nrt]\b"  # tags, a code of a language, line ends written out
    r"|[0-9]\ufe0f?\u20e3|[①-⒵⓪⓫-⓿❶-➓㉑-㉟㊱-㊿🄀-🄊]|^\W*[Ⓐ-ⓩ]\s(?![Ⓐ-ⓩ])"  # numbers and letters in a box
    r"|(?<![\p{L}\p{Nd}])[²³¹⁰⁴-⁹]+|[:;=][-']?[DOPdop]\b|[™℠¨¯´¸˘-˝‾﹉-﹌゛゜\u1ffd]"  # of footnotes; faces
)
_NUMBER = r"\d+(?:[.:,/]\d+)*"
_COUNTER = regex.compile(  # 1. 1.2) 1: 1st. 1 - 1/3 001 [1] #1 No. 1 Line 1: a) iv. अ) 一、; also [1] at the end
    rf"""^(?: [^\p{{L}}\p{{M}}\p{{Nd}}]* (?:
        \d+(?:\.\d+)*(?:st|nd|rd|th)?\s?[.):\]}}、](?!\d) | \d+(?:\.?[ao]\.?|\s?[°,–—/|-])\s | \d+/\d+\s | 0\d+\s
        | \[{_NUMBER}\] | \({_NUMBER}\) | (?:[#§]|n[or]\.|no(?=\s?\d))\s?\d+[.):]?\s | \p{{L}}{{1,9}}\.?\s?\d+\s?[.:)]\s
        | (?:\p{{L}}\p{{M}}*|[ivx]+)\s?[.):\]}}]\s | [一二三四五六七八九十]+[、)]
    ) )+ | (?:\[{_NUMBER}\]|\({_NUMBER}\)|\s\#\d+)[^\p{{L}}\p{{M}}\p{{Nd}}]*$""",
    regex.VERBOSE,
)
_OPTIONAL = regex.compile(  # what is ignored, lines over letters, Arabic and Hebrew vowels, stress
    r"[\p{DI}\p{Me}\u0332-\u0338\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06ed\u0591-\u05bd\u05bf-\u05c7]"
    r"|(?<=\p{Greek}\p{M}*)[\u0300\u0301\u0313\u0314\u0342\u0345]|(?<=[аеиоуыэюяєії])\u0301|(?<=е)\u0308"
)
_NOT_IN_KEY = regex.compile(r"[^\p{L}\p{M}\p{Nd}]+")
_NO_MARKS = dict.fromkeys(map(ord, regex.findall(r"[\p{P}\p{S}\p{Z}]", _PLANE)))
_SLOW = frozenset(  # what calls for more than taking marks out, beside counters and the planes beyond
    regex.findall(
        r"[\p{N}\p{C}\p{Me}\p{DI}\u0300-\u036f\u0390\u03ac-\u03b0\u03cc-\u03ce\u1f00-\u1fff\u0451:;&<>\\=#]"
        rf"|(?!\p{{P}})\p{{NFKC_QC=N}}|{_OPTIONAL.pattern.split('|')[0]}",
        _PLANE,
    )
)
_MAYBE_COUNTER = re.compile(r"\W*\S{1,5}?\s?[.):\]}、．）：］｝․⁾₎︓︶︸﹈﹒﹕﹚﹜]")
_BREAK = regex.compile(r"<(?:br|/?p|/?li|/?div|/?td)\b[^<>]*>", regex.IGNORECASE)
_BOUNDARY = regex.compile(  # where a sentence, or what somebody says or adds, may begin or end
    r"(?=\s)(?<=[\p{STerm};:…][\p{P}\p{S}\p{M}]*)\s+|(?<=[。．｡！？։؟۔።།།॥])|\n|\s[|/•·¦–—-]\s|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\"]"
    r"|(?=\p{Emoji_Presentation})"
)
_MAYBE_BOUNDARY = re.compile(
    rf"[{re.escape(PUNCTUATION.replace(',', ''))}\n&</|\u2190-\u2bff\U0001f000-\U0001ffff]|\s-\s"
)


def bare_key(text: str) -> str:
    """Returns `sentence_key` of any text: its letters, marks and digits without what may be added or left out."""
    quick = normalize(text, fold_case=True)
    if _SLOW.isdisjoint(quick) and max(quick, default="") < "\U00010000" and not _MAYBE_COUNTER.match(quick):
        return quick.translate(_NO_MARKS) or unicodedata2.normalize("NFKC", quick)
    return thorough_key(text)


def thorough_key(text: str) -> str:
    """Returns what `bare_key` does, at the same pace for every text."""
    text = normalize(unicodedata2.normalize("NFKC", _ADDED.sub(" ", _unescape(text))), fold_case=True)
    text = _OPTIONAL.sub("", unicodedata2.normalize("NFD", text.translate(_DIGITS)))
    text = unicodedata2.normalize("NFC", text)
    return _NOT_IN_KEY.sub("", _COUNTER.sub("", text)) or _NOT_IN_KEY.sub("", text) or text


def sentence_keys(text: str) -> Iterator[str]:
    """Yields the key of a text, then those of the sentences in it; a point may also be within a sentence."""
    yield sentence_key(text)
    keys = _pieces(text)
    for start in range(len(keys)):
        for end in range(start + 1, min(start + _MOST_PIECES, len(keys)) + 1):
            yield "".join(keys[start:end])


def main_keys(text: str) -> set[str]:
    """Returns the key of a text, and that of the sentence which makes up most of it, if there is one."""
    whole = sentence_key(text)
    return {whole, *(key for key in sentence_keys(text) if len(key) > _MOSTLY * len(whole))}


def is_known(text: str, keys: Collection[str]) -> bool:
    """Returns whether a text is among the sentences with these keys, or is mostly made of such sentences."""
    whole = sentence_key(text)
    if whole in keys:
        return True
    pieces, start, known = _pieces(text), 0, 0
    while start < len(pieces):
        ends = range(min(start + _MOST_PIECES, len(pieces)), start, -1)
        end = next((end for end in ends if "".join(pieces[start:end]) in keys), None)
        known += sum(map(len, pieces[start:end])) if end else 0
        start = end or start + 1
    return known > _MOSTLY * len(whole)


def _unescape(text: str) -> str:
    for _ in range(3):  # &amp;quot; is common
        text = html.unescape(text)
    return text


def _pieces(text: str) -> list[str]:
    """Returns the keys of what stands between the places where a sentence may end, or [] if there are none."""
    mark = _MAYBE_BOUNDARY.search(text, 1)
    if not mark or not any(map(str.isalnum, text[mark.end() :])):
        return []  # at once, because most texts are one sentence
    pieces = _BOUNDARY.split(_BREAK.sub("\n", _unescape(text)))
    return [sentence_key(piece) for piece in pieces if piece and _NOT_IN_KEY.sub("", piece)]
