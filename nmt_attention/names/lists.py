"""Names and loan words in English and Marathi, and how well translations write names that nobody was trained on."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..disk.pairs import DATA_DIRECTORY
from ..preprocess.rules import WORDS
from ..preprocess.transliterator import KINDS, is_devanagari_word
from ..spelling import normalize

_ENGLISH_NAME = re.compile(r"(?<![\w'-])[A-Z][a-z]+(?![\w-])")  # a whole word; 's may follow

_ENGLISH_WORD = re.compile("[a-z]+")
_MARATHI_WORD = re.compile("[\u0900-\u0963\u0970-\u097f\u200c\u200d]+")
# What is attached to a name: a case ending or postposition, then perhaps a particle. Other endings make another word
# (जिम, जिमखाना) or need another form of the name (मेरींना), so a name with one of them is not masked.
_ENDINGS = """
ला ने नं शी चा ची चं चे च्या कडे कडून बरोबर सोबत वर वरून साठी बद्दल बाबत विषयी पेक्षा पासून पर्यंत शिवाय मुळे
मध्ये नंतर आधी पूर्वी मधून मधला मधली मधलं मधले मधल्या त तून हून समोर जवळ मागे पुढे शेजारी सारखा सारखी सारखं
सारखे सारख्या एवढा एवढी एवढं एवढे इतका इतकी इतकं इतके विरुद्ध ऐवजी सहित
"""
SUFFIXES = frozenset(ending + particle for ending in ["", *_ENDINGS.split()] for particle in ["", *WORDS["particles"]])
_HELD_OUT = 4  # of ten parts: one without Tom, Mary or any other given name that occurs in the Anki corpus

_SENTENCES = ("{name} is a good {child}.", "I met {name} yesterday.", "Where is {name}?", "This is {name}'s book.")


class Name(NamedTuple):
    """A name or loan word in English and Marathi, and its kind, one of `KINDS`.

    That of a given name, m or f, is the gender that Marathi verbs and adjectives agree with. The Marathi is spelled as
    `normalize` spells it.
    """

    english: str
    marathi: str
    kind: str


def read_names(path: Path | str | None = None) -> list[Name]:
    """Reads names, one per line: English, Marathi and kind, separated by tabs. Lines with `#` in front are comments.

    A loan word is in lower case, a name of any other kind is capitalised, and no English form occurs twice, in whatever
    case. The Marathi may be spelled in any of the ways that `normalize` unifies.

    Args:
        path: a UTF-8 file; default the project's own, `data/names.tsv`.

    Raises:
        ValueError: what is wrong, with the file and the line number.
    """
    path = Path(path or DATA_DIRECTORY / "names.tsv")
    names: dict[str, Name] = {}
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            columns = line.decode("utf-8").lstrip("\ufeff").rstrip("\r").split("\t")
            if columns == [""] or columns[0].startswith("#"):
                continue
            name = _check(columns)
            if name.english.lower() in names:
                raise ValueError(f"{name.english} occurs twice")
        except ValueError as error:
            raise ValueError(
                f"{path}, line {number}: not a name ({error}); expected English, Marathi, one of {', '.join(KINDS)}"
            ) from None
        names[name.english.lower()] = name
    return list(names.values())


def _check(columns: Sequence[str]) -> Name:
    if len(columns) != 3:
        raise ValueError(f"{len(columns)} tab-separated columns")
    english, marathi, kind = columns
    name = Name(english, normalize(marathi), kind)
    if name.kind not in KINDS:
        raise ValueError(f"kind {name.kind!r}")
    if not (_ENGLISH_WORD if name.kind == "word" else _ENGLISH_NAME).fullmatch(name.english):
        raise ValueError(f"English {name.english!r}")
    if not is_devanagari_word(name.marathi):
        raise ValueError(f"Marathi {marathi!r}")
    return name


def held_out(name: Name) -> bool:
    """Returns whether a name is never used in training, as about one in ten is, to measure unseen names.

    The hash of the Marathi form decides, so that two English spellings of one name (Gita, Geeta), or a name and a loan
    word that are written alike (Jim, gym), have the same answer.
    """
    return int(hashlib.sha256(name.marathi.encode()).hexdigest(), 16) % 10 == _HELD_OUT


def name_sentences(name: Name) -> list[str]:
    """Returns English sentences about someone of that given name: subject, object, question and possessive."""
    child = {"m": "boy", "f": "girl"}[name.kind]
    return [sentence.format(name=name.english, child=child) for sentence in _SENTENCES]


class NameScores(NamedTuple):
    """How translations write names: shares of the sentences, from 0 to 1."""

    exact: float  # with the right name, bare or with one of `SUFFIXES`
    near: float  # with the right name or one that differs from it in one letter


def score_names(translate: Callable[[list[str]], Sequence[str]], names: Iterable[Name]) -> NameScores:
    """Measures how many translations of `name_sentences` have the right name.

    Args:
        translate: function from a list of English sentences to the list of their translations.
        names: given `Name`s, at least one; those that are `held_out` measure unseen names.
    """
    about = [(name, sentence) for name in names for sentence in name_sentences(name)]
    stems = map(_stems, translate([sentence for _, sentence in about]))
    found = [
        (name.marathi in of_text, any(is_near(name.marathi, s) for s in of_text))
        for (name, _), of_text in zip(about, stems, strict=True)
    ]
    return NameScores(*(sum(column) / len(found) for column in zip(*found, strict=True)))


def _stems(text: str) -> list[str]:
    """Returns the words of a translation, each without every one of `SUFFIXES` that it ends in."""
    words = _MARATHI_WORD.findall(normalize(text))
    return [word.removesuffix(suffix) for word in words for suffix in SUFFIXES if word.endswith(suffix)]


def is_near(a: str, b: str) -> bool:
    """Returns whether one code point at most has to be inserted, deleted or replaced to make one text the other."""
    places = range(max(len(a), len(b)))  # of the letter that differs
    return a == b or any(a[:i] == b[:i] and (a[i + 1 :] in (b[i:], b[i + 1 :]) or a[i:] == b[i + 1 :]) for i in places)
