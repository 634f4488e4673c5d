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

import itertools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import unicodedata2

from ..spelling import SPACE, has_devanagari, normalize


def _table(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_NUKTA, _VIRAMA, _VISARGA, _CANDRABINDU = "\u093c", "\u094d", "\u0903", "\u0901"
_CONSONANTS = _table("""
    क k  ख kh  ग g  घ gh  ङ ṅ    च ch  छ chh  ज j  झ jh  ञ ñ    ट ṭ  ठ ṭh  ड ḍ  ढ ḍh  ण ṇ
    त t  थ th  द d  ध dh  न n    प p   फ ph   ब b  भ bh  म m    य y  र r   ल l  ळ ḷ   व v
    श ś  ष ṣ   स s  ह h          क़ q   ज़ z    फ़ f  ड़ ṛ   ढ़ ṛh
""")
_LETTERS = _table("अ a  आ ā  इ i  ई ī  उ u  ऊ ū  ऋ r̥  ॠ r̥̄  ए e  ऐ ai  ओ o  औ au  ऍ ê  ॲ ê  ऑ ô")
_SIGNS = _table("ा ā  ि i  ी ī  ु u  ू ū  ृ r̥  ॄ r̥̄  े e  ै ai  ो o  ौ au  ॅ ê  ॉ ô") | {"": "a", _VIRAMA: "", _NUKTA: ""}
_OTHERS = dict(zip("०१२३४५६७८९।॥॰ऽ", "0123456789...’", strict=True)) | {"ॐ": "om"}
_NASALS = {"क-ङ": "ṅ", "च-ञ": "ñ", "ट-ण": "ṇ", "त-न": "n", "प-म": "m"}  # before these consonants

_WORD = re.compile("[\u0900-\u0963\u0971-\u097f][\u0900-\u0963\u0971-\u097f\u200c\u200d]*")
_JOINER = re.compile("[\u200c\u200d]")
_MARK = re.compile("[ँ-ः\ue0ff]")  # candrabindu, anusvara, visarga, and an anusvara that is not written

# Consonants and perhaps a sign, or a vowel letter; then perhaps a nasal dot or visarga. Or anything else.
_SYLLABLE = re.compile(
    f"(?:((?:[क-ह]{_NUKTA}?{_VIRAMA})*[क-ह]{_NUKTA}?)([ा-ौ{_VIRAMA}]?)|([अ-औॠॲ]))({_MARK.pattern}*)|(.)"
)
# They begin with a consonant and a spoken a, which rule 2 would leave out. A shorter word than in घराकडे stands before
# कडे in वाकडे, which has no postposition.
_POSTPOSITION = re.compile(
    f"(?:(?<=..[^{_VIRAMA}])|(?<=ई))(?:कड(?:े|ून|च|ल)|वरून|समोर|जवळ|मध(?:्ये|ून|ी|ल)|तरी|पण[ाीे]|घर|"
    f"कर(?:ी|{_NUKTA}?{_VIRAMA}य))|(?<=[^{_VIRAMA}])बरोबर"
    # the second parts of compounds, behind two letters at least: जगभरात, तळघर, शिवाजीनगर, लोकसभा, पंतप्रधान, गणपती
    f"|(?<=.[^{_VIRAMA}])(?:भर(?=$|ात)|नगर|सभा|प्रधान|प्रसिद्ध|फ्रेंड|स्टॉप|वडील|बळेश्वर|(?:प|(?<!भो)(?<!भ)(?<!पा)व|(?<!किं)(?<!कि)म)ती(?!ल$))"
    "|(?<=^तळ)घर|(?<=विमान)तळ|(?<=^कृ)पया|(?<=^कर)मणूक|(?<=^कळ)वळ|(?<=^अं)मल"
)
_DOUBLED = re.compile(r"(.{2,})\1")
# An anusvara that only says that the a before it is spoken; not that of ज्वलंत, सरपंच, प्रपंच and रंगमंच.
_SILENT = re.compile(
    "(?<=[क-ह])(?:(?<=ल)(?<!ज्वल)ं(?=त$)|(?<=[लत])ं(?=स$)|(?<=..)ं(?=(?:य|ही)$)|(?<=..)(?<!सरप)(?<!प्रप)(?<!रंगम)(?<!ब्र)ं(?=च$))"
)
_SILENT_DOT = "\ue0ff"
_LOAN_END = re.compile(f"(?:[कगपफरलसन]{_VIRAMA}[टड]|[कनमरल]{_VIRAMA}स)")  # of शर्ट, पोस्ट, नर्स, not of गोष्ट
# What is spoken like one consonant: a breathed one (न्ह), and before ā the y of oblique forms (आपल्या, āplyā).
_BREATHED = re.compile(f"[णनमरलव]{_NUKTA}?{_VIRAMA}ह")
_OBLIQUE = re.compile(f"[कगचटडणतमरलळव]{_NUKTA}?{_VIRAMA}य")
_STOP = re.compile("[कगचजटडतदपब]")  # an h after it would read as kh, gh …


class _Syllable(NamedTuple):
    onset: str  # consonants, joined by viramas
    vowel: str  # in Latin letters; "" if there is none
    marks: str  # anusvara, candrabindu, visarga
    bare: bool  # whether the vowel is the unwritten a


def romanize(text: str) -> str:
    """Returns a text with its Marathi in Latin letters, by the scheme above.

    What is not Devanagari stays as it is, and so do the few letters of that script that Marathi does not use.
    """
    written = _WORD.sub(lambda match: _romanize_word(match.group()), text)
    return "".join(_OTHERS.get(letter, letter) for letter in written)


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
    """Returns the scheme's letters and patterns, JSON-ready, for the exported page, which romanizes in JavaScript."""
    patterns = {
        "word": _WORD,
        "joiner": _JOINER,
        "mark": _MARK,
        "syllable": _SYLLABLE,
        "postposition": _POSTPOSITION,
        "breathed": _BREATHED,
        "oblique": _OBLIQUE,
        "doubled": _DOUBLED,
        "silent": _SILENT,
        "loanEnd": _LOAN_END,
        "stop": _STOP,
    }
    return {
        "consonants": _CONSONANTS,
        "letters": _LETTERS,
        "signs": _SIGNS,
        "others": _OTHERS,
        "nasals": _NASALS,
        "patterns": {name: pattern.pattern for name, pattern in patterns.items()},
    }


def _romanize_word(word: str) -> str:
    word = _JOINER.sub("", unicodedata2.normalize("NFD", normalize(word)))
    word = _SILENT.sub(_SILENT_DOT, word)
    middle = [len(word) // 2] if _DOUBLED.fullmatch(word) else []
    cuts = [0, *sorted({*middle, *(match.start() for match in _POSTPOSITION.finditer(word))}), len(word)]
    syllables: list[_Syllable] = []
    for start, end in itertools.pairwise(cuts):
        syllables += _without_unspoken([_syllable(match) for match in _SYLLABLE.finditer(word[start:end])])
    for i, (before, syllable) in enumerate(itertools.pairwise(syllables), start=1):
        if before.vowel == "a" and not before.marks and not syllable.onset:
            syllables[i] = syllable._replace(vowel={"i": "ï", "u": "ü"}.get(syllable.vowel, syllable.vowel))
    onsets = [syllable.onset for syllable in syllables[1:]]
    return "".join(map(_latin, syllables, [*onsets, ""]))


def _syllable(match: re.Match[str]) -> _Syllable:
    onset, sign, letter, marks, other = match.groups()
    if other and _MARK.match(other):  # a sign alone, which is no syllable
        return _Syllable("", "", other, False)
    if other:  # a vowel sign alone, or a letter of another language
        return _Syllable("", _SIGNS.get(other, other), "", False)
    vowel = _LETTERS.get(letter, letter) if letter else _SIGNS.get(sign, sign)
    if vowel == "a" and _CANDRABINDU in marks:
        vowel = "ê"
    return _Syllable(onset or "", vowel, marks, bare=not (sign or letter or marks))


def _without_unspoken(syllables: Sequence[_Syllable]) -> list[_Syllable]:
    """Returns the syllables of a word, without each a that is not spoken; the first one always is."""
    spoken = list(syllables)
    if spoken[1:] and spoken[-1].bare and _ends_as_english(spoken):
        spoken[-1] = spoken[-1]._replace(vowel="", bare=False)
    for i in range(len(spoken) - 1, 0, -1):
        if spoken[i].bare and _is_unspoken(spoken[i - 1], spoken[i], *spoken[i + 1 : i + 2]):
            spoken[i] = spoken[i]._replace(vowel="", bare=False)
    return spoken


def _ends_as_english(syllables: Sequence[_Syllable]) -> bool:
    """Returns whether the conjunct at the end of a word is one of English, or the word has a vowel that English has."""
    onset = syllables[-1].onset
    return bool(_LOAN_END.fullmatch(onset)) or (
        _VIRAMA in onset and any(syllable.vowel in ("ê", "ô") for syllable in syllables)
    )


def _is_unspoken(before: _Syllable, this: _Syllable, after: _Syllable | None = None) -> bool:
    """Returns whether a consonant's a is not spoken between these syllables; `after` is None at the end of a word."""
    if not _is_single(this) or not before.vowel:
        return False
    if after is None:
        return not (this.onset == "य" and before.vowel in ("i", "ī"))
    if _VISARGA in before.marks or not after.onset or not after.vowel or not _is_single(after):
        return False
    if after.bare and (before.marks or after.onset == "र"):  # संगणक, उदाहरण
        return False
    if after.onset == "ह":  # एकही, not ekhī
        return not _STOP.fullmatch(this.onset)
    return this.onset + after.onset != "हर"  # शहरात


def _is_single(syllable: _Syllable) -> bool:
    """Returns whether the vowel follows one consonant, or what is spoken like one."""
    onset = syllable.onset
    if _VIRAMA not in onset or _BREATHED.fullmatch(onset):
        return True
    return syllable.vowel == "ā" and bool(_OBLIQUE.fullmatch(onset))


def _latin(syllable: _Syllable, following: str) -> str:
    """Returns a syllable in Latin letters, its nasal being that of the following onset."""
    consonants = [_CONSONANTS.get(c) or _CONSONANTS[c[0]] for c in syllable.onset.split(_VIRAMA) if c]
    nasal = next((n for letters, n in _NASALS.items() if re.match(f"[{letters}]", following)), "ṁ")
    marks = "".join({_VISARGA: "ḥ", _SILENT_DOT: ""}.get(mark, nasal) for mark in syllable.marks)
    return "".join(consonants) + syllable.vowel + marks
