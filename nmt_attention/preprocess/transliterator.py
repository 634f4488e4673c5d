"""Words of one script written in another by a small model, letter by letter: Rahul राहुल, Boston बॉस्टन, bus बस.

The model's source tokens are the letters of a word. Its target tokens are the word's kind, because a name's gender
decides the form of Marathi verbs, and then the code points of the word in the other script.
"""

import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..spelling import SYLLABLES, as_texts, decompose

KINDS = ("m", "f", "surname", "place", "word")  # m and f: given names, by their grammatical gender

BEAM_SIZE = 5

# Of the letters that are more than a letter from a to z with marks; a capital ẞ is a small one before.
PLAIN = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ŋ": "ng", "ĳ": "ij"}
PLAIN |= zip("øłđðħŧıĸŀŉəɓɗƙ", "olddhtiklnebdk", strict=True)


class Spelled(NamedTuple):
    """A word in the other script, and its kind, one of `KINDS`."""

    text: str
    kind: str


class Transliteration(NamedTuple):
    """A word in the other script, with what the model attends to when it writes it."""

    source: str
    text: str  # in the other script
    kind: str
    source_tokens: list[str]  # the letters that the model reads
    target_tokens: list[str]  # the kind, the code points of the text, `<end>`
    attention: np.ndarray  # `(T, S)` float32; row t: where the model looked when it wrote target token t
    score: float  # log-probability that the model gives the target tokens, in nats


class Transliterator:
    """Transliterates words: those that are listed by looking them up, others with a trained model.

    Args:
        load: returns the `Translator` whose model reads `letters` and writes a kind and code points; called when a
            word that is not listed is first met.
        listed: dict of `Spelled` by word: those that are looked up, in whatever case.
        beam_size: hypotheses of the search for a word that is not listed.

    Raises:
        TypeError, ValueError: a listed word is not a single word with letters from a to z.
    """

    def __init__(self, load: Callable[[], Any], listed: Mapping[str, Spelled], beam_size: int = BEAM_SIZE) -> None:
        self.load, self.listed, self.beam_size = load, dict(listed), beam_size
        self._known = {letters(word): spelled for word, spelled in listed.items()}

    @functools.cached_property
    def translator(self) -> Any:
        """The `Translator` of words that are not listed."""
        return self.load()

    def spell(self, words: Iterable[str]) -> list[Spelled]:
        """Returns each word in the other script, with its kind; see `transliterate`."""
        if not (sources := _sources(words)):
            return []
        new = [source for source in dict.fromkeys(sources) if source not in self._known]
        written = {source: Spelled(t.text, t.kind) for source, t in zip(new, self._write(new), strict=True)}
        return [self._known.get(source) or written[source] for source in sources]

    def transliterate(self, words: Iterable[str]) -> list[Transliteration]:
        """Transliterates words; the order is kept, and a word's result does not depend on the others.

        Upper and lower case make no difference. Accents are dropped, letters such as ø and ß become o and ss, and
        everything else but the letters a to z is dropped. That of a listed word is the list's, with the model's
        attention for it.

        Raises:
            TypeError: `words` is a single string, or holds something else than strings.
            ValueError: a word holds a space or no letter from a to z.
        """
        words = as_texts(words, "words")
        sources = _sources(words)
        known = [source for source in dict.fromkeys(sources) if source in self._known]
        new = [source for source in dict.fromkeys(sources) if source not in self._known]
        forced = self.translator.attend([(source, code_points(self._known[source])) for source in known])
        results = dict(zip([*known, *new], [*map(_read, forced), *self._write(new)], strict=True))
        return [results[source]._replace(source=word) for word, source in zip(words, sources, strict=True)]

    def _write(self, sources: list[str]) -> list[Transliteration]:
        beams = self.translator.n_best(sources, beam_size=self.beam_size) if sources else []
        return [_most_probable([_read(hypothesis) for hypothesis in beam]) for beam in beams]


def _most_probable(beam: Sequence[Transliteration]) -> Transliteration:
    """Returns the best hypothesis with the most probable text; the very best, if none is a kind and a well-formed word.

    The probabilities of a text that the beam holds with several kinds add up: a model in doubt whether a name is a
    man's or a woman's need not be in doubt about its letters.
    """
    probabilities: dict[str, float] = {}
    well_formed = [f for f in beam if f.kind in KINDS and is_devanagari_word(f.text)]
    for f in well_formed:
        probabilities[f.text] = probabilities.get(f.text, 0.0) + math.exp(f.score)
    return max(well_formed, key=lambda f: probabilities[f.text], default=beam[0])


def letters(word: str) -> str:
    """Returns what the model reads: the letters a to z of a word, in lower case, with spaces between them.

    Raises:
        ValueError: it holds a space or no letter from a to z.
    """
    plain = word.lower() if word.isascii() else without_accents(word)  # most are ASCII, and there are thousands
    only_letters = re.findall("[a-z]", plain)
    if not only_letters or len(word.split()) > 1:
        raise ValueError(f"words: expected single words with letters from a to z, got {word!r}")
    return " ".join(only_letters)


def without_accents(word: str) -> str:
    """Returns a word in lower case and in letters without accents, where they are Latin."""
    return re.sub("[\u0300-\u036f]", "", "".join(PLAIN.get(c, c) for c in decompose(word, fold_case=True)))


def code_points(spelled: Spelled) -> str:
    """Returns what the model writes: the kind and the code points of the text, with spaces between them."""
    return " ".join([spelled.kind, *spelled.text])


def _sources(words: Iterable[str]) -> list[str]:
    return [letters(word) for word in as_texts(words, "words")]


def _read(translation: Any) -> Transliteration:
    """Makes a `Transliteration` of a `Translation` from letters to a kind and code points."""
    kind, *code_points = translation.text.split() or [""]
    return Transliteration(translation.source, "".join(code_points), kind, *translation[2:6])


def is_devanagari_word(text: str) -> bool:
    """Returns whether a normalised text is one word of well-formed Devanagari syllables."""
    return bool(SYLLABLES.fullmatch(text))
