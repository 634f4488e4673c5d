"""One spelling per text: what `normalize` does before anything is tokenised, compared or scored.

What looks the same on a screen may be spelled in many ways: दऱ्या with ऱ or with र and a zero-width joiner, ॲप with one
code point or two, दुःख with a visarga or with the colon key. To a vocabulary or a score those are different words.
`SPELLINGS` lists the spellings that Unicode's normal forms keep apart. Its patterns use no lookaround, so that Python's
`re` and TensorFlow's RE2 agree on them and `deploy.text_graph` applies the same list.
"""

import re
from collections.abc import Iterable, Mapping

import regex
import unicodedata2

IN_WORDS = "-‐‑֊־᠆'՚՛՜՞׳״་༌॰৽૰&%‰‱٪*#@/\\_‿⁀⁔"  # hyphens, apostrophes …, and signs with a meaning of their own
_POINTS = regex.findall(r"\p{P}", "".join(map(chr, range(0x10000))))  # of plane 0, because `re` is slow beyond
PUNCTUATION = "".join(c for c in _POINTS if unicodedata2.normalize("NFKC", c)[0] not in IN_WORDS)
OPENING, QUOTE, DASHES = "".join(regex.findall(r"[\p{Ps}\p{Pi}¿¡]", PUNCTUATION)), '"', "–—―"
JOINTS = ".:·‧", ",٫٬"  # of a word: between letters (p.m, 2:30, col·lega), between digits (१,०००)
SPACE = "▁"  # how subword and character tokens write a space, after sentencepiece

MAX_MARKS = 30  # in a row, as in Unicode's Stream-Safe Text Format (Standard Annex #15, section 13)
APOSTROPHE = re.compile("[’‘ʼʹ′`´＇]")
BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]")  # control characters count as spaces

# A consonant, perhaps with a nukta (ज़); ऱ only before another one. Syllables: consonants joined by virama, perhaps with
# a vowel sign, or a vowel letter; perhaps anusvara, candrabindu or visarga.
_LETTER = "(?:[क-नप-रलळव-ह]\u093c?|ऱ(?=्))"
SYLLABLES = re.compile(rf"(?:(?:{_LETTER}(?:्{_LETTER})*[ािीुूृेैोौॅॉ]?|[अआइईउऊऋएऐओऔऍऑॲ])[ंँः]?)+")
# Without shape or meaning in a word: soft hyphen, zero-width space, word joiner, byte order mark, marks of direction.
# They are deleted, because none of them ends a word: web pages put a zero-width space where a word may be broken.
INVISIBLE = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_ZWJ, _JOINERS = "\u200d", "\u200c\u200d"
_NOTHING = re.compile(f"(?:{BLANK.pattern}|{INVISIBLE.pattern}|[{_JOINERS}])*")
_CONSONANT = "[क-ह]\u093c?"  # perhaps with a nukta

_ESCAPED = re.escape(PUNCTUATION)
_EDGE = f"[ {_ESCAPED}'-]"
# Single spaces, and letters and signs that stay as they are, wherever they stand; most sentences have no others.
_STAYS = "[!-&(-9;-_a-~ँ-नप-रलळव-हा-ौ्।]"
_NORMAL = re.compile(f"(?:{_STAYS}+(?: {_STAYS}+)*)?")
_MAYBE_NOT_NORMAL = re.compile(f"[अआए][ा-ौ]|[ॅॲ][ंँ]|[^ -~अ-औक-ह]{{{MAX_MARKS + 1}}}")
# Patterns and replacements, applied in this order to decomposed text (NFD) between two spaces. Spaces in a row become
# one afterwards; a pattern that matched a whole row of them would take quadratic time.
SPELLINGS = (
    # Joiners choose how a consonant and its virama are drawn. Elsewhere in Devanagari, and at the edge of a word, they
    # have no effect.
    (f"([{_JOINERS}])[{_JOINERS}]+", r"\1"),
    (f"([ऀ-\u093bऽ-ौॎ-ॐॕ-ॣॱ-ॿ])[{_JOINERS}]", r"\1"),
    (f"र\u093c?्{_ZWJ}", "र\u093c्"),  # NFC makes ऱ् of it
    (f"({_EDGE})[{_JOINERS}]", r"\1"),
    (f"[{_JOINERS}]({_EDGE})", r"\1"),
    # Vowel letters composed of another one and a sign, as in old fonts.
    *(("अा", "आ"), ("अॅ", "ॲ"), ("अॉ|आॅ", "ऑ"), ("अो|आे", "ओ"), ("अौ|आै", "औ"), ("एॅ", "ऍ"), ("एे", "ऐ")),
    # The nasal of बँक and अँड is written with a candrabindu alone.
    (f"({_CONSONANT})ॅ[ंँ]", r"\1ँ"),
    ("ॲ[ंँ]", "अँ"),
    # A colon between consonants, the first one perhaps with a short vowel, is a visarga. Twice, because the end of one
    # match may begin the next.
    *[(f"({_CONSONANT}[िु]?):({_CONSONANT})", r"\1ः\2")] * 2,
    # Dashes are words of their own. An apostrophe between letters belongs to the word; any other is a quotation mark.
    (f"([{DASHES}])", r" \1 "),
    ("''", '"'),
    ("( )'([^ ])", r"\1‘\2"),
    (f"([{_ESCAPED}])'([^ {_ESCAPED}])", r"\1‘\2"),
    (f"'([ {_ESCAPED}])", r"’\1"),
)
_SPELLINGS = [(re.compile(pattern), replacement) for pattern, replacement in SPELLINGS]
# Otherwise no pattern matches.
_MAYBE_SPELLED = re.compile(f"[{_JOINERS}{DASHES}]|[अआए][ा-ौ]|[ॅॲ][ंँ]|[क-ह\u093cिु]:|[ {_ESCAPED}']'|'[ {_ESCAPED}]")
# Marks, joiners, and the few letters that compose with the one before, such as the vowels of Korean syllables.
MARK = rf"[\p{{M}}\p{{NFC_QC=M}}{_JOINERS}]"
_MAYBE_MARKS = re.compile(f"[^ -~अ-औक-ह]{{{MAX_MARKS + 1}}}")  # faster than the exact pattern, and rarely matches
_MORE_MARKS = regex.compile(rf"({MARK}{{{MAX_MARKS}}}){MARK}+")


def normalize(text: str, fold_case: bool = False) -> str:
    """Returns the text in its one spelling, no matter who typed it; normalising it again changes nothing.

    - Composed letters (NFC), single spaces; no control characters and no invisible ones: soft hyphen, zero-width
      space, word joiner, byte order mark, marks of direction.
    - One spelling of each Marathi letter: र्‍ is ऱ्, अ‍ॅ and अॅ are ॲ, आॅ is ऑ, बॅंक is बँक, दु:ख is दुःख. Joiners stay
      where they shape a letter (क्‍ष) and are removed elsewhere.
    - An apostrophe in a word (don't) is `'`, a single quotation mark ‘ or ’, whichever key was used; a dash stands
      between spaces.
    - Of more than `MAX_MARKS` marks in a row the first ones stay, so that the time is linear in the text's length.

    Vowel signs, virama, nukta, ऱ and both digit scripts are kept. `fold_case` folds case as `str.casefold` does; it is
    for the English side, because Devanagari has no case.

    Source: Unicode Standard, section 12.1 and Annex #15 (normal forms, by unicodedata2 so that every Python agrees).
    """
    text = text.casefold() if fold_case else text
    if _NORMAL.fullmatch(text) and not _MAYBE_NOT_NORMAL.search(text):
        return text
    text = f" {decompose(text, fold_case=False)} "
    if _MAYBE_MARKS.search(text):
        text = _MORE_MARKS.sub(r"\1", text)
    if _MAYBE_SPELLED.search(text):
        for pattern, replacement in _SPELLINGS:
            text = pattern.sub(replacement, text)
    return unicodedata2.normalize("NFC", " ".join(text.split()))


def decompose(text: str, fold_case: bool) -> str:
    """Does the part of `normalize` that does not depend on a letter's neighbours; returns NFD, with marks in order."""
    if fold_case:
        text = text.casefold()
    text = unicodedata2.normalize("NFD", BLANK.sub(" ", INVISIBLE.sub("", text)))
    return APOSTROPHE.sub("'", text).replace(SPACE, "_")  # last, because decomposing makes some of these


def as_texts(texts: Iterable[str], name: str = "sentences") -> list[str]:
    """Returns the texts of any iterable but a table or a dict as a list; a TypeError says which is not a str."""
    if isinstance(texts, str | bytes | Mapping) or hasattr(texts, "itertuples") or not isinstance(texts, Iterable):
        raise TypeError(f"{name}: expected a list of str, got a {type(texts).__name__}; write [text] or table[column]")
    texts = list(texts)
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise TypeError(f"{name}: expected str, but element {number} is {type(text).__name__}: {text!r:.60}")
    return texts


def is_blank(text: str) -> bool:
    """Returns whether normalising a text would leave nothing of it."""
    return bool(_NOTHING.fullmatch(text))


def has_devanagari(text: str) -> bool:
    """Returns whether a text has a letter, sign or digit of the Devanagari block."""
    return any("\u0900" <= character <= "\u097f" for character in text)


def is_mark(token: str) -> bool:
    """Returns whether a token is punctuation."""
    return bool(token) and all(c in PUNCTUATION for c in token)


def _grapheme() -> str:
    """Returns the pattern of what readers count as a letter, by Unicode Standard Annex #29 (tables 1b, 1c).

    The `regex` library's `\\X` should match the same, but some of its versions join any letter to a consonant after a
    virama. Properties stand in brackets, so that `deploy.text_graph` can replace them by lists of letters.
    """
    lead, vowel, tail, open_syllable, closed_syllable = (
        rf"[\p{{GCB={name}}}]" for name in ("L", "V", "T", "LV", "LVT")
    )
    syllable = f"{lead}*(?:{open_syllable}{vowel}*|{closed_syllable}|{vowel}+){tail}*|{lead}+|{tail}+"
    flag = r"[\p{GCB=Regional_Indicator}]{2}"
    picture = r"[\p{Extended_Pictographic}]"
    pictures = rf"{picture}(?:[\p{{GCB=Extend}}]*[\p{{GCB=ZWJ}}]{picture})*"
    linker, consonant = r"[\p{InCB=Linker}]", r"[\p{InCB=Consonant}]"
    extend, linkers = r"[\p{InCB=Extend}]*", r"[\p{InCB=Extend}\p{InCB=Linker}]*"  # one way to match; more are slow
    conjunct = f"{consonant}(?:{extend}{linker}{linkers}{consonant})+"
    control = r"\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}"
    core = rf"{syllable}|{flag}|{pictures}|{conjunct}|[^{control}]"
    follows = r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*"
    return rf"[\p{{GCB=Prepend}}]*(?:{core}){follows}|[\p{{GCB=CR}}][\p{{GCB=LF}}]|[{control}]"


GRAPHEME = _grapheme()
