"""Language identification: of a run's target, because what is made for Marathi acts on it alone, and of typed text."""

import collections
import re
from collections.abc import Collection, Iterable, Sequence

import unicodedata2

from .rules import PATTERNS, WORDS

MARATHI, UNKNOWN = "mar", "und"  # codes of ISO 639; und is an undetermined language
UNSPACED = {"Chinese", "Japanese", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"}  # no spaces between words
MOSTLY = 0.5  # share of letters that training never had, from which a sentence is in another script
FEW = 0.5  # share of words that a model knows, below which its translation is a guess
ENOUGH = 3  # words that tell so
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


def is_marathi(script: str, language: str = "") -> bool:
    """Returns whether texts in a script are Marathi: in Devanagari, and no other language is named."""
    return language in ("", MARATHI) and script == "Devanagari"


def language_of(script: str, asked: str = "") -> str:
    """Returns the code of the target language: what was asked for, else Marathi if texts in this script may be."""
    return asked or (MARATHI if is_marathi(script) else UNKNOWN)


def described(language: str, script: str) -> str:
    """Returns the line about the target language with which a training starts."""
    what = f"target language {language}, in {script} letters" if script else f"target language {language}"
    if is_marathi(script, language):
        return f"{what}: names, numbers and spellings as in Marathi (for another language: --language CODE)"
    return f"{what}: nothing made for Marathi is used (placeholders, digits, glosses, error rules)"


def letters_of(vocabulary: Iterable[str]) -> frozenset[str]:
    """Returns the letters of a vocabulary, in both cases."""
    text = "".join(vocabulary)
    return frozenset(filter(str.isalpha, text + text.upper() + text.lower()))


def is_foreign(
    sentence: str, hidden: str, letters: Collection[str], known: Collection[str], names: Collection[str] = ()
) -> bool:
    """Returns whether nothing of a sentence is known: most of its letters are not in training, or none of its words.

    Beside a foreign word of `rules.tsv`, names do not count as known.

    Args:
        sentence: as it was typed.
        hidden: with names and addresses hidden, and spelled as the model reads it; words that were not typed so do not
            count.
        letters: those of the training sentences.
        known: their words, and names that are listed, in lower case; empty if nobody knows.
        names: those that are listed, with capitals.
    """
    present = list(filter(str.isalpha, sentence))
    strange = sum(letter not in letters for letter in present)
    typed = set(_words(sentence))
    words = typed.intersection(_words(hidden))
    if known and not typed.difference(known).isdisjoint(WORDS["foreign"]):
        return all(word not in known or word.capitalize() in names for word in words)
    # A word alone, such as an exclamation, tells too little, unless words around it that look like names are none.
    telling = sum(len(word) > 1 for word in words) > 1 or (words and len(typed) >= ENOUGH and typed.isdisjoint(known))
    return strange > MOSTLY * len(present) or bool(known and telling and words.isdisjoint(known))


def is_guessed(hidden: str, known: Collection[str]) -> bool:
    """Returns whether few words of a sentence are known, those apart that are hidden."""
    words = [word for word in _words(hidden) if len(word) > 1 or word in known]
    return bool(known) and len(words) >= ENOUGH and sum(word in known for word in words) < FEW * len(words)


def _words(sentence: str) -> list[str]:
    return PATTERNS["word"].findall(sentence.lower())
