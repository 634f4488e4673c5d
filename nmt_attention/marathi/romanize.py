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

_CONSONANTS = """
    क k  ख kh  ग g  घ gh  ङ ṅ    च ch  छ chh  ज j  झ jh  ञ ñ    ट ṭ  ठ ṭh  ड ḍ  ढ ḍh  ण ṇ
    त t  थ th  द d  ध dh  न n    प p   फ ph   ब b  भ bh  म m    य y  र r   ल l  ळ ḷ   व v
    श ś  ष ṣ   स s  ह h
"""
_LETTERS = "अ a  आ ā  इ i  ई ī  उ u  ऊ ū  ऋ r̥  ॠ r̥̄  ए e  ऐ ai  ओ o  औ au  ऍ ê  ॲ ê  ऑ ô"
_SIGNS = "ा ā  ि i  ी ī  ु u  ू ū  ृ r̥  ॄ r̥̄  े e  ै ai  ो o  ौ au  ॅ ê  ॉ ô"
_OTHERS = "० 0  १ 1  २ 2  ३ 3  ४ 4  ५ 5  ६ 6  ७ 7  ८ 8  ९ 9  । .  ॥ .  ॰ .  ऽ ’  ॐ om"
_ROWS = "क-ङ ṅ  च-ञ ñ  ट-ण ṇ  त-न n  प-म m"  # the nasal before these consonants
_WITH_NUKTA = "क़ q  ज़ z  फ़ f  ड़ ṛ  ढ़ ṛh"


def _table(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_LATIN = _table(_CONSONANTS + _LETTERS + " " + _SIGNS + " " + _OTHERS)
_WORD = "[\u0900-\u0963\u0971-\u097f][\u0900-\u0963\u0971-\u097f\u200c\u200d]*"

# While a word is rewritten, these stand for an a that is not written, for one that is not spoken, for an anusvara that
# is not written, and for the place where a part of a word begins.
_A, _NO_A, _SILENT_DOT, _CUT = "\ue0fc", "\ue0fd", "\ue0ff", "\ue0fe"
_NUKTA, _VIRAMA, _VISARGA, _CANDRABINDU = "\u093c", "\u094d", "\u0903", "\u0901"
_END = f"(?=$|{_CUT})"
_DOTS = f"[ँं{_SILENT_DOT}]"  # candrabindu, anusvara
_VOWEL = f"[^क-ह{_NUKTA}{_VIRAMA}ँ-ः{_SILENT_DOT}{_NO_A}{_CUT}]"
# One consonant, and what is spoken like one: a breathed one (न्ह), and before ā the y of oblique forms (आपल्या, āplyā).
_SINGLE = f"(?:[णनमरलव]{_NUKTA}?{_VIRAMA}ह|[क-ह]{_NUKTA}?)"
_OBLIQUE = f"[कगचटडणतमरलळव]{_NUKTA}?{_VIRAMA}य(?=ा)"

# They begin with a consonant and a spoken a, which rule 2 would leave out. A shorter word than in घराकडे stands before
# कडे in वाकडे, which has no postposition.
_POSTPOSITION = (
    f"(?:(?<=..[^{_VIRAMA}])|(?<=ई))(?:कड(?:े|ून|च|ल)|वरून|समोर|जवळ|मध(?:्ये|ून|ी|ल)|तरी|पण[ाीे]|घर|"
    f"कर(?:ी|{_NUKTA}?{_VIRAMA}य))|(?<=[^{_VIRAMA}])बरोबर"
    # the second parts of compounds, behind two letters at least: जगभरात, तळघर, शिवाजीनगर, लोकसभा, पंतप्रधान, गणपती
    f"|(?<=.[^{_VIRAMA}])(?:भर(?=$|ात)|नगर|सभा|प्रधान|प्रसिद्ध|फ्रेंड|स्टॉप|वडील|बळेश्वर|(?:प|(?<!भो)(?<!भ)(?<!पा)व|(?<!किं)(?<!कि)म)ती(?!ल$))"
    "|(?<=^तळ)घर|(?<=विमान)तळ|(?<=^कृ)पया|(?<=^कर)मणूक|(?<=^कळ)वळ|(?<=^अं)मल"
)
# An anusvara that only says that the a before it is spoken; not that of ज्वलंत, सरपंच, प्रपंच and रंगमंच.
_SILENT = (
    "(?<=[क-ह])(?:(?<=ल)(?<!ज्वल)ं(?=त$)|(?<=[लत])ं(?=स$)|(?<=..)ं(?=(?:य|ही)$)"
    "|(?<=..)(?<!सरप)(?<!प्रप)(?<!रंगम)(?<!ब्र)ं(?=च$))"
)
_ENGLISH = f"[कगपफरलसन]{_VIRAMA}[टड]|[कनमरल]{_VIRAMA}स"  # ends of शर्ट, पोस्ट, नर्स, not of गोष्ट

# A word is rewritten by these rows, one after the other.
_BEFORE = [
    ("[\u200c\u200d]", ""),
    (_SILENT, _SILENT_DOT),
    (r"^(.{2,})\1$", rf"\1{_CUT}\1"),  # कधीकधी
    (f"({_POSTPOSITION})", rf"{_CUT}\1"),
    (f"([क-ह]{_NUKTA}?)(?![ा-ौ{_NUKTA}{_VIRAMA}])", rf"\1{_A}"),
    (f"{_A}(?={_DOTS}|{_VISARGA})", "अ"),
    (f"अ(?=[ँ-ः{_SILENT_DOT}]*{_CANDRABINDU})", "ऍ"),
    # a conjunct of English, or any in a word with a vowel that English has
    (f"(?<=[^{_VIRAMA}{_CUT}])({_ENGLISH}){_A}{_END}", rf"\1{_NO_A}"),
    (f"((?:^|{_CUT})(?=[^{_CUT}]*[ॅॉऍऑॲ])[^{_CUT}]*{_VIRAMA}[क-ह]{_NUKTA}?){_A}{_END}", rf"\1{_NO_A}"),
]
# Of each a that is not spoken the last: at the end, except in iya; and between single consonants. There संगणक, उदाहरण,
# एकही (not ekhī) and शहरात are spoken otherwise.
_UNSPOKEN = (
    f"^(.*{_VOWEL}(?:"
    f"[ँ-ः{_SILENT_DOT}]*(?!(?<=[इईिी])य{_A}){_SINGLE}(?={_A}{_END})"
    f"|(?:{_DOTS}+(?!{_SINGLE}{_A}{_SINGLE}{_A}))?(?!{_SINGLE}{_A}र{_A}|[कगचजटडतदपब]{_A}ह{_VOWEL}|ह{_A}र{_VOWEL})"
    f"{_SINGLE}(?={_A}(?:{_SINGLE}|{_OBLIQUE}){_VOWEL})"
    f")){_A}",
    rf"\1{_NO_A}",
)
_AFTER = [
    (f"(?<=[{_A}अ])({_CUT}?)[इि]", r"\1ï"),
    (f"(?<=[{_A}अ])({_CUT}?)[उु]", r"\1ü"),
    (f"[{_NO_A}{_CUT}]", ""),
    (_A, "a"),
    *((f"[ँं](?=[ँ-ः{_SILENT_DOT}]*[{row}])", nasal) for row, nasal in _table(_ROWS).items()),
    ("[ँं]", "ṁ"),
    (_VISARGA, "ḥ"),
    *_table(_WITH_NUKTA).items(),
    (f"[{_NUKTA}{_VIRAMA}{_SILENT_DOT}]", ""),
]


def romanize(text: str) -> str:
    """Returns a text with its Marathi in Latin letters, by the scheme above.

    What is not Devanagari stays as it is, and so do the few letters of that script that Marathi does not use.
    """
    written = re.sub(_WORD, lambda match: _rewrite(match.group()), text)
    return "".join(_LATIN.get(letter, letter) for letter in written)


def _rewrite(word: str) -> str:
    word = unicodedata2.normalize("NFD", normalize(word))
    for pattern, replacement in _BEFORE:
        word = re.sub(pattern, replacement, word)
    while (shorter := re.sub(*_UNSPOKEN, word)) != word:
        word = shorter
    for pattern, replacement in _AFTER:
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
    return {
        "word": _WORD,
        "before": _BEFORE,
        "unspoken": _UNSPOKEN,
        "after": _AFTER,
        "letters": _LATIN,
    }
