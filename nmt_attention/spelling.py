"""One spelling for one text: what `normalize` does before anything is tokenised, compared or scored.

What looks the same on a screen may be spelled in many ways: दऱ्या with ऱ or with र and a zero-width joiner, ॲप with one
code point or two, दुःख with a visarga or with the colon key. To a vocabulary or a score those are different words.
`SPELLINGS` lists the spellings that Unicode's normal forms leave apart. Its patterns look neither ahead nor behind, so
that Python's `re` and TensorFlow's RE2 agree on them and `text_graph` applies the very same list.
"""

import re

import regex
import unicodedata2

PUNCTUATION = '.?!…,:;।॥"“”„«»‘’–—()[]{}'
OPENING, QUOTE, DASHES = "“„«‘([{", '"', "–—"
SPACE = "▁"  # how subword and character tokens write a space, after sentencepiece
MAX_MARKS = 30  # in a row: what Unicode's Stream-Safe Text Format allows (Standard Annex #15, section 13)

_APOSTROPHE = re.compile("[’‘ʼʹ′`´＇]")
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]")  # control characters are as good as spaces
# What has no shape and no meaning in a word: soft hyphen, zero-width space, word joiner, byte order mark, and the marks
# of writing direction. Nothing takes its place, because none of them ends a word: the web puts a zero-width space where
# a long word may be broken.
_INVISIBLE = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_ZWJ, _JOINERS = "\u200d", "\u200c\u200d"
_NOTHING = re.compile(f"(?:{_BLANK.pattern}|{_INVISIBLE.pattern}|[{_JOINERS}])*")
_CONSONANT = "[क-ह]\u093c?"  # perhaps with a nukta
_MARK_OF_PUNCTUATION = re.escape(PUNCTUATION)
_EDGE = f"[ {_MARK_OF_PUNCTUATION}'-]"
_NO_MARK_OF_PUNCTUATION = f"[^ {_MARK_OF_PUNCTUATION}]"
_VISARGA = f"({_CONSONANT}[िु]?):({_CONSONANT})", r"\1ः\2"

# Pattern and what takes its place, in this order, in decomposed text (NFD) that begins and ends with a space. Spaces in
# a row become one afterwards; a pattern that matched a whole row of them would take quadratic time.
SPELLINGS = (
    # Joiners say how a consonant and its virama are drawn. Elsewhere in Devanagari, and at the edge of a word, they
    # do nothing.
    (f"([{_JOINERS}])[{_JOINERS}]+", r"\1"),
    (f"([ऀ-\u093bऽ-ौॎ-ॐॕ-ॣॱ-ॿ])[{_JOINERS}]", r"\1"),
    (f"र\u093c?्{_ZWJ}", "र\u093c्"),  # NFC makes ऱ् of it
    (f"({_EDGE})[{_JOINERS}]", r"\1"),
    (f"[{_JOINERS}]({_EDGE})", r"\1"),
    # Vowel letters put together from another one and a sign, as old fonts did.
    *(("अा", "आ"), ("अॅ", "ॲ"), ("अॉ|आॅ", "ऑ"), ("अो|आे", "ओ"), ("अौ|आै", "औ"), ("एॅ", "ऍ"), ("एे", "ऐ")),
    # The nasal of बँक and अँड is written with a candrabindu alone.
    (f"({_CONSONANT})ॅ[ंँ]", r"\1ँ"),
    ("ॲ[ंँ]", "अँ"),
    # A colon between consonants, the first one perhaps with a short vowel, is a visarga. Twice, because what one match
    # ends with may begin the next.
    _VISARGA,
    _VISARGA,
    # Dashes are words of their own. An apostrophe between letters belongs to the word, any other is a quotation mark.
    (f"([{DASHES}])", r" \1 "),
    ("''", '"'),
    ("( )'([^ ])", r"\1‘\2"),
    (f"([{_MARK_OF_PUNCTUATION}])'({_NO_MARK_OF_PUNCTUATION})", r"\1‘\2"),
    (f"'([ {_MARK_OF_PUNCTUATION}])", r"’\1"),
)
_SPELLINGS = [(re.compile(pattern), replacement) for pattern, replacement in SPELLINGS]
_MAYBE_SPELLED = re.compile(f"[{_JOINERS}ॅॲ:{DASHES}']|[अआए][ा-ौ]")  # without one of these no pattern matches

# Marks, joiners, and the few letters that compose with the one before, such as the vowels of Korean syllables.
MARK = rf"[\p{{M}}\p{{NFC_QC=M}}{_JOINERS}]"
_MAYBE_MARKS = re.compile(f"[^ -~अ-औक-ह]{{{MAX_MARKS + 1}}}")  # faster than the exact pattern, and nearly never there
_MORE_MARKS = regex.compile(rf"({MARK}{{{MAX_MARKS}}}){MARK}+")


def normalize(text, fold_case=False):
    """One spelling for one text, no matter who typed it.

    - Composed letters (NFC), single spaces; no control characters and no invisible ones: soft hyphen, zero-width
      space, word joiner, byte order mark, marks of direction.
    - One spelling of each Marathi letter: र्‍ is ऱ्, अ‍ॅ and अॅ are ॲ, आॅ is ऑ, बॅंक is बँक, दु:ख is दुःख. Joiners stay
      where they shape a letter (क्‍ष), and go elsewhere.
    - An apostrophe in a word (don't) is `'`, a single quotation mark ‘ or ’, whichever key was used; a dash stands
      between spaces.
    - Of more than `MAX_MARKS` marks in a row the first ones stay, so that the time is linear in the text's length.

    Vowel signs, virama, nukta, ऱ and both digit scripts are kept. Case is folded only where asked, which means for the
    English side: Devanagari has no case.

    Args:
        text: any string.
        fold_case: fold upper to lower case, as `str.casefold` does.

    Returns:
        The normalised string; `normalize` of it is itself.

    Source: Unicode Standard Annex #15 (normal forms), by unicodedata2 so that every Python agrees; Unicode Standard,
    section 12.1 (Devanagari: vowel letters, eyelash ra, joiners).
    """
    text = f" {decompose(text, fold_case)} "
    if _MAYBE_MARKS.search(text):
        text = _MORE_MARKS.sub(r"\1", text)
    if _MAYBE_SPELLED.search(text):
        for pattern, replacement in _SPELLINGS:
            text = pattern.sub(replacement, text)
    return unicodedata2.normalize("NFC", " ".join(text.split()))


def decompose(text, fold_case):
    """Returns the part of `normalize` that does not depend on a letter's neighbours, and its marks in order (NFD)."""
    if fold_case:
        text = text.casefold()
    text = unicodedata2.normalize("NFD", _BLANK.sub(" ", _INVISIBLE.sub("", text)))
    return _APOSTROPHE.sub("'", text).replace(SPACE, "_")  # at the end, because decomposing makes some


def is_blank(text):
    """Tells whether nothing would be left of a text if it were normalised."""
    return bool(_NOTHING.fullmatch(text))


def has_devanagari(text):
    """Returns whether a text has a letter, sign or digit of the Devanagari block."""
    return any("\u0900" <= character <= "\u097f" for character in text)


def is_mark(token):
    """Tells whether a token is punctuation."""
    return bool(token) and all(c in PUNCTUATION for c in token)


def _grapheme():
    """Returns the pattern of what readers count as a letter, as Unicode Standard Annex #29 writes it (tables 1b, 1c).

    The `regex` library's `\\X` is meant to be this, but some of its versions join any letter to a consonant behind a
    virama. Properties stand in brackets, so that who has none can put lists of letters in their place.
    """
    lead, vowel, tail, open_syllable, closed_syllable = (
        rf"[\p{{GCB={name}}}]" for name in ("L", "V", "T", "LV", "LVT")
    )
    syllable = f"{lead}*(?:{open_syllable}{vowel}*|{closed_syllable}|{vowel}+){tail}*|{lead}+|{tail}+"
    flag = r"[\p{GCB=Regional_Indicator}]{2}"
    picture = r"[\p{Extended_Pictographic}]"
    pictures = rf"{picture}(?:[\p{{GCB=Extend}}]*[\p{{GCB=ZWJ}}]{picture})*"
    linker, consonant = r"[\p{InCB=Linker}]", r"[\p{InCB=Consonant}]"
    extend, linkers = r"[\p{InCB=Extend}]*", r"[\p{InCB=Extend}\p{InCB=Linker}]*"  # one way to match, or it takes ages
    conjunct = f"{consonant}(?:{extend}{linker}{linkers}{consonant})+"
    control = r"\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}"
    core = rf"{syllable}|{flag}|{pictures}|{conjunct}|[^{control}]"
    follows = r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*"
    return rf"[\p{{GCB=Prepend}}]*(?:{core}){follows}|[\p{{GCB=CR}}][\p{{GCB=LF}}]|[{control}]"


GRAPHEME = _grapheme()
