"""Names swapped in training pairs, so that a model learns to spell a name it never saw in the other script.

In the Anki corpus nearly everybody is called Tom or Mary. A model learns the two as whole words, and writes any other
name as some word of its vocabulary. If Tom is Rahul in one epoch and Xavier in the next, only one rule fits all
pairs: write the name's sounds in the other script, that is, transliterate.
"""

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..corpus import DATA_DIRECTORY, sentence_key
from ..spelling import normalize

_ENGLISH_NAME = re.compile(r"(?<![\w'-])[A-Z][a-z]+(?![\w-])")  # a whole word; 's may follow
_ENGLISH_WORD = re.compile("[a-z]+")
_MARATHI_WORD = re.compile("[\u0900-\u0963\u0970-\u097f\u200c\u200d]+")
_CONSONANT = "(?:[क-नप-रलळव-ह]\u093c?|ऱ(?=्))"  # perhaps with a nukta (ज़); ऱ only before another consonant
# Syllables: consonants joined by virama, perhaps with a vowel sign, or a vowel letter; perhaps anusvara, candrabindu
# or visarga.
_MARATHI_NAME = re.compile(rf"(?:(?:{_CONSONANT}(?:्{_CONSONANT})*[ािीुूृेैोौॅॉ]?|[अआइईउऊऋएऐओऔऍऑॲ])[ंँः]?)+")

# What is attached to a name: a case ending or postposition, then perhaps a particle. Other endings make another word
# (जिम, जिमखाना) or need another form of the name (मेरींना), so a name with one of them is not swapped.
_ENDINGS = """
ला ने नं शी चा ची चं चे च्या कडे कडून बरोबर सोबत वर वरून साठी बद्दल बाबत विषयी पेक्षा पासून पर्यंत शिवाय मुळे मध्ये नंतर आधी पूर्वी
समोर जवळ मागे पुढे शेजारी सारखा सारखी सारखं सारखे सारख्या एवढा एवढी एवढं एवढे इतका इतकी इतकं इतके विरुद्ध ऐवजी सहित
"""
_PARTICLES = ["", "च", "ही", "सुद्धा", "देखील"]
SUFFIXES = frozenset(ending + particle for ending in ["", *_ENDINGS.split()] for particle in _PARTICLES)

KINDS = ("m", "f", "surname", "place", "word")  # m and f: given names, by their grammatical gender
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

    Returns:
        List of `Name` in file order.

    Raises:
        FileNotFoundError: no such file.
        ValueError: what is wrong, with the file and the line number.
    """
    path = Path(path or DATA_DIRECTORY / "names.tsv")
    if not path.is_file():
        raise FileNotFoundError(f"names: no such file: {path}")
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
    if not names:
        raise ValueError(f"{path}: holds no names")
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
    if not is_marathi_name(name.marathi):
        raise ValueError(f"Marathi {marathi!r}")
    return name


def is_marathi_name(text: str) -> bool:
    """Returns whether a text is one word in Devanagari whose signs all stand where they may stand."""
    return bool(_MARATHI_NAME.fullmatch(text))


def held_out(name: Name) -> bool:
    """Returns whether a name is never used in training, as about one in ten is, to measure unseen names.

    The hash of the Marathi form decides, so that two English spellings of one name (Gita, Geeta), or a name and a loan
    word that are written alike (Jim, gym), have the same answer.
    """
    return int(hashlib.sha256(name.marathi.encode()).hexdigest(), 16) % 10 == _HELD_OUT


def _suffixes(name: Name, text: str) -> list[str]:
    """Returns what follows the name in each of the text's words that begin with it; "" is the bare name."""
    words = _MARATHI_WORD.findall(normalize(text))
    return [word[len(name.marathi) :] for word in words if word.startswith(name.marathi)]


def find_names(pair: Sequence[str], by_english: Mapping[str, Name]) -> list[Name]:
    """Returns the names that can be swapped in a pair.

    Such a name is a word of the English side, capitalised, and not one of a full name (George Washington was born in
    1732, no other George). It begins a word of the Marathi side, and what follows it in every word that it begins is
    one of `SUFFIXES`.

    Args:
        pair: (source, target, …).
        by_english: dict of given `Name`s by their English form.

    Returns:
        List of `Name`, in the order of the English side.
    """
    words = dict.fromkeys(_ENGLISH_NAME.findall(pair[0]))
    names = [by_english[word] for word in words if word in by_english]
    names = [name for name in names if not re.search(rf"\b{name.english} [A-Z][a-z]", pair[0])]
    text = normalize(pair[1]) if names else ""
    return [name for name in names if (suffixes := _suffixes(name, text)) and SUFFIXES.issuperset(suffixes)]


def swap_names(
    pairs: Iterable[Sequence[str]],
    names: Sequence[Name],
    share: float,
    seed: int | str,
    avoid: set[str] | frozenset[str] = frozenset(),
) -> list[tuple[str, str]]:
    """Swaps the given names in a share of the pairs that have any for other ones of the same gender.

    Both sides get the same new name, everywhere in the pair; suffixes and 's stay: (Tom's cat, टॉमची मांजर) becomes
    (Rahul's cat, राहुलची मांजर). No new name is `held_out` or already in the pair, on either side: next to Ann, Mary
    does not become Anne, because both are ॲन. The names of a pair depend only on the seed and its position in the list.

    Args:
        pairs: iterable of (source, target, …).
        names: list of `Name`, of which only those of the kinds m and f are used.
        share: float in [0, 1]. Probability that a pair with names is swapped.
        seed: int or str. A different seed, such as one with the epoch's number, gives different names.
        avoid: set of `sentence_key`s. A pair stays as it is if one of its sides would become such a sentence, for
            example one of the test split, which must not be trained on.

    Returns:
        List of (source, target), one for each pair, in order.

    Raises:
        ValueError: `share` is outside [0, 1].
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share: expected a number from 0 to 1, got {share!r}")
    by_english = {name.english: name for name in names if name.kind in ("m", "f")}
    new_names = {gender: [n for n in names if n.kind == gender and not held_out(n)] for gender in ("m", "f")}
    swapped = []
    for i, pair in enumerate(pairs):
        source, target = pair[:2]
        if found := find_names(pair, by_english):
            draw = random.Random(f"{seed} {i}")
            if draw.random() < share:
                swap = _swap(source, target, found, new_names, draw)
                source, target = swap if avoid.isdisjoint(map(sentence_key, swap)) else (source, target)
        swapped.append((source, target))
    return swapped


def _swap(
    source: str, target: str, found: Sequence[Name], new_names: Mapping[str, Sequence[Name]], draw: random.Random
) -> tuple[str, str]:
    there = {*_ENGLISH_NAME.findall(source), *_MARATHI_WORD.findall(normalize(target)), *(n.marathi for n in found)}
    new: dict[Name, Name] = {}
    for name in found:
        choices = [n for n in new_names[name.kind] if n.english not in there and n.marathi not in there]
        if choices:
            new[name] = draw.choice(choices)
            there.update(new[name][:2])
    english = {old.english: name.english for old, name in new.items()}

    def swap_word(match: re.Match[str]) -> str:
        word = match.group()
        for old, name in new.items():
            if word.startswith(old.marathi):
                return name.marathi + word[len(old.marathi) :]
        return word

    source = _ENGLISH_NAME.sub(lambda match: english.get(match.group(), match.group()), source)
    return source, _MARATHI_WORD.sub(swap_word, normalize(target))


def name_sentences(name: Name) -> list[str]:
    """Returns English sentences about someone of that given name: subject, object, question and possessive."""
    child = {"m": "boy", "f": "girl"}[name.kind]
    return [sentence.format(name=name.english, child=child) for sentence in _SENTENCES]


def score_names(translate: Callable[[list[str]], Sequence[str]], names: Iterable[Name]) -> float:
    """Measures how many translations have the right name: as a word, bare or with one of `SUFFIXES`.

    Args:
        translate: function from a list of English sentences to the list of their translations.
        names: list of given `Name`s; those that are `held_out` measure unseen names.

    Returns:
        Share, float in [0, 1], of the names' sentences (see `name_sentences`).

    Raises:
        ValueError: there are no names, or not as many translations as sentences.
    """
    about = [(name, sentence) for name in names for sentence in name_sentences(name)]
    if not about:
        raise ValueError("names: expected at least one")
    translations = translate([sentence for _, sentence in about])
    if len(translations) != len(about):
        raise ValueError(f"translate: expected {len(about)} translations, got {len(translations)}")
    right = (
        not SUFFIXES.isdisjoint(_suffixes(name, text)) for (name, _), text in zip(about, translations, strict=True)
    )
    return sum(right) / len(about)
