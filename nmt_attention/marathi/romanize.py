"""Marathi in Latin letters, for learners who do not read Devanagari: मुलगी चांगली आहे. becomes mulgī chāṅglī āhe.

The scheme is ISO 15919 with three changes for readers of English: च is ch and छ is chh (c and ch in the standard), ए
and ओ are e and o without a macron, and an a that is written but not spoken is left out. (No library was found
that leaves it out by rules of Marathi; the one with rules of Hindi installs more than a hundred megabytes.)

Letters.     A macron marks a long vowel (ā, ī, ū). ê is the a of *cat* (ॲ, कॅ) and ô the o of *coffee* (ऑ, कॉ). A dot
             below marks ट ठ ड ढ ण ळ ष (ṭ ṭh ḍ ḍh ṇ ḷ ṣ), and an h after a consonant is a breath (kh, th, ph). A nukta
             makes q, z, f, ṛ and ṛh. च, ज and झ are ch, j and jh even where they sound like *ts*, *dz* and *dzh*. र and
             ऱ are both r.
Nasals.      An anusvara before one of the consonants क to म is the nasal of that consonant's row (ṅ ñ ṇ n m), elsewhere
             ṁ; at the end of a word ṁ is silent (माझं, mājhaṁ). It is left out where an ending follows that silent one
             (माझंही, mājhahī; खरंच, kharach; केलंत, kelat). A candrabindu is written in the same way, and makes an
             a ê: बँक is bêṅk. A visarga is ḥ.
Unspoken a.  A consonant without a vowel sign holds an a, which is not spoken, and is left out,
             1. at the end of a word (घर, ghar), except after a conjunct (मित्र, mitra) and in iya (प्रिय, priya); after
                the conjuncts of English words, too (शर्ट, śarṭ; फ्रान्स, phrāns; फॉर्म, phôrm);
             2. within a word, if a vowel and a single consonant stand before it, and a single consonant with a spoken
                vowel after it (मुलगी, mulgī; but पुस्तकं, pustakaṁ). A word is read from its end, so that of two such a
                in a row the second is left out (समजलं, samajlaṁ). A postposition such as कडे and the second part of some
                compounds (लोकसभा, loksabhā) and of doubled words (कधीकधी, kadhīkadhī) begin a new word.
Hiatus.      An i or u behind an a, with which it would be read as one vowel, has two dots: लॉगइन is lôgaïn.

Limits: the spelling shows neither where a compound is joined nor that a word comes from Sanskrit or English, so that
कर्करोग becomes karkrog instead of karkarog, and पार्क pārka instead of pārk. Nor can the spelling be recovered. Marathi
says ज्ञ (jñ) like dny, and ऋ (r̥) like ru.
"""

import re
from typing import Any

import unicodedata2

from ..spelling import SPACE, has_devanagari, normalize
from .rules import LETTERS, TABLES

_LATIN = dict(zip(LETTERS[::2], LETTERS[1::2], strict=True))
_WORD = "[\u0900-\u0963\u0971-\u097f][\u0900-\u0963\u0971-\u097f\u200c\u200d]*"
(_UNSPOKEN,) = TABLES["unspoken"]


def romanize(text: str) -> str:
    """Returns a text with its Marathi in Latin letters, by the scheme above.

    What is not Devanagari stays as it is, and so do the few letters of that script that Marathi does not use.
    """
    written = re.sub(_WORD, lambda match: _rewrite(match.group()), text)
    return "".join(_LATIN.get(letter, letter) for letter in written)


def _rewrite(word: str) -> str:
    word = unicodedata2.normalize("NFD", normalize(word))
    for pattern, replacement in TABLES["before"]:
        word = re.sub(pattern, replacement, word)
    while (shorter := re.sub(*_UNSPOKEN, word)) != word:
        word = shorter
    for pattern, replacement in TABLES["after"]:
        word = re.sub(pattern, replacement, word)
    return word


def to_latin(token: str) -> str:
    """Returns a token in Latin letters, without the space of a subword piece, to be written in small type beside it.

    It is empty if the token has no Devanagari, or begins with a sign that belongs to the letter before it, because such
    a piece is not spoken by itself.
    """
    text = token.removeprefix(SPACE)
    if not has_devanagari(text) or unicodedata2.category(text[0]).startswith("M"):
        return ""
    return romanize(text)


def scheme() -> dict[str, Any]:
    """Returns the scheme's letters and rows, JSON-ready, for the exported page, which romanizes in JavaScript."""
    return {"word": _WORD, "letters": _LATIN, "unspoken": _UNSPOKEN} | {
        part: TABLES[part] for part in ("before", "after")
    }
