"""The target language of a run: what is made for Marathi acts on Marathi alone."""

import collections
import re
from collections.abc import Sequence

import unicodedata2

MARATHI, UNKNOWN = "mar", "und"  # codes of ISO 639; und is an undetermined language
UNSPACED = {"Chinese", "Japanese", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"}  # no spaces between words
_MOST = 2_000  # texts that are looked at, evenly spaced
_SCRIPTS = {"Cjk": "Chinese", "Hiragana": "Japanese", "Katakana": "Japanese", "Hangul": "Korean"}  # of their letters


def script_of(texts: Sequence[str]) -> str:
    """Returns the name of the script of most letters, such as Latin or Devanagari; "" if there is no letter."""
    text = "".join(texts[:: max(1, len(texts) // _MOST)])
    counts: collections.Counter[str] = collections.Counter()
    for letter, count in collections.Counter(filter(str.isalpha, text)).items():
        name = re.split("[ -]", unicodedata2.name(letter, ""))[0].capitalize()
        counts[_SCRIPTS.get(name, name)] += count
    if counts["Japanese"]:
        counts["Japanese"] += counts.pop("Chinese", 0)
    return max(counts, key=lambda name: counts[name], default="")


def is_marathi(targets: Sequence[str], language: str = "") -> bool:
    """Returns whether texts are Marathi: in Devanagari, and no other language is named."""
    return language in ("", MARATHI) and script_of(targets) == "Devanagari"


def language_of(targets: Sequence[str], asked: str = "") -> str:
    """Returns the code of the target language: what was asked for, else Marathi if the texts may be."""
    return asked or (MARATHI if is_marathi(targets) else UNKNOWN)


def described(language: str, script: str) -> str:
    """Returns the line about the target language with which a training starts."""
    what = f"target language {language}, in {script} letters" if script else f"target language {language}"
    if language == MARATHI and script == "Devanagari":
        return f"{what}: names, numbers and spellings as in Marathi (for another language: --language CODE)"
    return f"{what}: nothing made for Marathi is used (placeholders, digits, glosses, error rules)"
