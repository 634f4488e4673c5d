"""Placeholders: symbols that stand for the words a model cannot know, such as names, while it translates.

A model of sentences learns words that it sees again and again; it does not learn to spell a name that it never saw. So
each such word of the source becomes a symbol of its kind, the model translates the sentence around it and adds the case
ending, and the symbol in the translation is written out in the other script: "Rahul met Priya." is translated as
"① met ②.", and राहुल and प्रिया then take the places of ① and ②. A place in front of a case ending is written in its
oblique: पुणे, but पुण्याला.

Source: Luong et al. 2015, arXiv:1410.8206 (section 3.1: numbered symbols for unknown words, the "copyable" model).
"""

import collections
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from ..disk.entities import unescape
from ..spelling import normalize
from ..text import Tokenizer
from ..translate import Around, Hidden
from ..vocabulary import PAD_ID, START_ID
from .finding import Part, find, with_capitals
from .obliques import ENDING, OBLIQUES
from .tokens import number_kind, spell_joint, spell_number
from .transliterator import LATIN, Spelled, Transliterator, without_accents

_KINDS = ("m", "f", "place", "word", "number")  # masculine and feminine names, places, loan words, numbers

PER_KIND = 3  # symbols of each kind, so that two names in a sentence stay apart

SYMBOLS = {kind: [chr(0xE000 + PER_KIND * k + i) for i in range(PER_KIND)] for k, kind in enumerate(_KINDS)}
LENDERS = ("word", "place", "m", "f", "number")  # kinds whose symbols stand for words of one that has too few
ALL_SYMBOLS = [symbol for symbols in SYMBOLS.values() for symbol in symbols]  # of Unicode's area for private use

OFTEN = 5  # times that a word occurs in training before a model knows it, if it always has a capital
NUMBER = r"(?<![\w.,:])[\d]+(?:[.,:][\d]+)*(?![\w])"
_LETTERS = re.compile(f"[{LATIN}]+")
_WORD = re.compile(rf"(?<![\w'-])[{LATIN}]+(?![\w-])|{NUMBER}")
SYMBOL = re.compile(f"[{''.join(ALL_SYMBOLS)}]")
AMPERSAND = re.compile(" & ")
COPIED_END = re.compile(r"[A-Za-z0-9/_]$")  # a case ending stands apart from it
WORD_START = r"(?<![\w\u0900-\u097f])"


def symbols_of(tokenizer: Tokenizer) -> np.ndarray:
    """Returns which tokens of a vocabulary hold which of `ALL_SYMBOLS`, `(V, symbols)` float32 of 0 and 1."""
    return np.array([[symbol in token for symbol in ALL_SYMBOLS] for token in tokenizer.vocabulary], np.float32)


def make_never(
    source_tokenizer: Tokenizer, target_tokenizer: Tokenizer, used: bool
) -> Callable[[tf.Tensor], tf.Tensor]:
    """Returns a function that says which tokens the translation of a sentence never has: see `forbid`.

    Those are padding, start, and symbols that are not in the sentence, or all symbols if they are not `used`.

    Returns:
        Function from source ids `(B, S)` to -inf for such tokens and 0 for others, `(B, K)` float32, where K is the
        number of tokens up to the last that may be one.
    """
    there, needed = symbols_of(source_tokenizer), symbols_of(target_tokenizer)
    always = np.zeros(len(target_tokenizer), np.float32)
    always[[PAD_ID, START_ID]] = 1
    if not used:
        always += needed.max(axis=1)
    width = 1 + int(np.flatnonzero(always + needed.max(axis=1))[-1])

    def never(source_ids: tf.Tensor) -> tf.Tensor:
        present = tf.reduce_max(tf.gather(tf.constant(there), source_ids), axis=1)  # (B, symbols)
        lacking = tf.matmul(1 - present, needed[:width], transpose_b=True) + always[:width]  # (B, K)
        return tf.where(lacking > 0, -float("inf"), 0.0)

    return never


def symbol_kind(kind: str) -> str:
    """Returns which kind's `SYMBOLS` stand for a word of this kind of `names.tsv`, or whatever a model wrote.

    What is said of someone by surname alone mostly agrees with a man.
    """
    return "m" if kind == "surname" else kind if kind in SYMBOLS else "place"


def known_words(sentences: Iterable[str]) -> set[str]:
    """Returns the words that a model can know from its training sentences, in lower case.

    Those are words that occur with a small letter, and words and numbers that occur at least `OFTEN` times.
    """
    counts, folded = collections.Counter[str](), collections.Counter[str]()
    for sentence in sentences:
        counts.update(_WORD.findall(sentence))
    for word, count in counts.items():
        folded[word.lower()] += count
    small = {word for word in counts if word.islower()}
    return small | {word for word, count in folded.items() if count >= OFTEN}


class Placeholders(Around):
    """Hides the words of sentences that a model does not know, and writes them out in its translations.

    Args:
        known: the model's `known_words`.
        transliterator: writes the words. Those that it lists are hidden wherever they stand, in small letters,
            too; other words only if they are written like a name.
    """

    def __init__(self, known: Iterable[str], transliterator: Transliterator) -> None:
        self.known, self.transliterator = frozenset(known), transliterator
        self._spelled: dict[str, Spelled] = {}  # of names met before

    def hide(self, sentences: Sequence[str]) -> list[Hidden]:
        """Returns each sentence with its unknown names, loan words, numbers and addresses hidden; see `find`.

        Of each kind, the first `PER_KIND` have its symbols. Others take those of other kinds, as long as there are any.
        """
        known, listed = self.known, self.transliterator.listed
        plain = [self._plain(SYMBOL.sub(" ", unescape(sentence))) for sentence in sentences]
        plain = [with_capitals(sentence, known, listed) for sentence in plain]
        found = [find(sentence, known, listed) for sentence in plain]
        names = {
            name: None
            for text, spans in zip(plain, found, strict=True)
            for span in spans
            for part in span
            if part.kind == "name"
            for name in text[part.start : part.end].split("-")
        }
        new = [name for name in names if name not in self._spelled]
        self._spelled |= zip(new, self.transliterator.spell(new), strict=True)
        return [self._hide(text, spans) for text, spans in zip(plain, found, strict=True)]

    def _plain(self, sentence: str) -> str:
        """Returns a sentence with `and` for &, and without the accents of words that are known without (naïve)."""

        def bare(match: re.Match[str]) -> str:
            word = match[0]
            if word.isascii() or word != word.lower() or (plain := without_accents(word)) not in self.known:
                return word
            return plain

        return _LETTERS.sub(bare, AMPERSAND.sub(" and ", sentence))

    def _hide(self, sentence: str, spans: Sequence[Sequence[Part]]) -> Hidden:
        hidden, end = "", 0
        words: dict[str, str] = {}
        written: dict[str, str] = {}
        for span in spans:
            typed, spelled = sentence[span[0].start : span[-1].end], self._spell(sentence, span)
            symbol = _free_symbol(symbol_kind(spelled.kind), typed, words)
            if symbol:
                words[symbol], written[symbol] = typed, spelled.text
                hidden += sentence[end : span[0].start] + symbol
                end = span[-1].end
        return Hidden(hidden + sentence[end:], words, written)

    def _spell(self, sentence: str, span: Sequence[Part]) -> Spelled:
        """Returns what is written for adjoining names, or for those of a list, and of which kind of symbol they are."""
        text, kinds, joints = "", [], []
        for before, part in zip((None, *span), span, strict=False):
            word = sentence[part.start : part.end]
            if part.kind == "name":
                spelled = [self._spelled[name] for name in word.split("-")]
                word, kind = "-".join(name.text for name in spelled), spelled[0].kind
            elif part.kind == "number":
                word, kind = spell_number(word, sentence[: part.start], sentence[part.end :]), number_kind(word)
            else:
                kind = "word"
            joints.append(sentence[before.end : part.start] if before else "")
            text += spell_joint(joints[-1]) + word
            kinds.append(kind)
        persons = [kind for kind in kinds if kind in ("m", "f")]
        in_list = not {"", " "}.issuperset(joints)  # of men and women together is said what is said of men
        return Spelled(text, max(persons) if persons and in_list else [*persons, *kinds][0])

    def hide_target(self, hidden: Hidden, target: str) -> tuple[Hidden, str]:
        return hide_target(hidden, target)

    def reveal(self, translation: Any, sentence: str, hidden: Hidden) -> Any:
        return reveal(translation, sentence, hidden)

    def make_never(self, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer) -> Callable[[tf.Tensor], tf.Tensor]:
        return make_never(source_tokenizer, target_tokenizer, used=True)


class NoPlaceholders(Around):
    """Nothing is hidden, and a model that was trained with symbols may not write them."""

    def make_never(self, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer) -> Callable[[tf.Tensor], tf.Tensor]:
        return make_never(source_tokenizer, target_tokenizer, used=False)


def _free_symbol(kind: str, typed: str, words: Mapping[str, str]) -> str:
    """Returns a free symbol of a kind; without any, that of the same words, then another kind's, at last none ("")."""
    same = (symbol for symbol, others in words.items() if others == typed)
    lent = (symbol for lender in LENDERS for symbol in SYMBOLS[lender] if symbol not in words)
    own = (symbol for symbol in SYMBOLS[kind] if symbol not in words)
    return next(itertools.chain(own, same, lent), "")


def hide_target(hidden: Hidden, target: str) -> tuple[Hidden, str]:
    """Returns a hidden sentence and its given translation with the same words hidden on both sides.

    A symbol stays if what it stands for begins a word of the translation, in the form that `reveal` writes; else the
    source has its own words again.
    """
    source, target, spelled = hidden.text, normalize(SYMBOL.sub(" ", target)), {}
    for symbol, written in hidden.spelled.items():
        in_target = _written_at(symbol, written)
        if in_target.search(target):
            target = in_target.sub(symbol, target)
            spelled[symbol] = written
        else:
            source = source.replace(symbol, hidden.words[symbol])
    return Hidden(source, {symbol: hidden.words[symbol] for symbol in spelled}, spelled), target


def lost_and_repeated(hidden: Hidden, text: str) -> tuple[list[str], int]:
    """Returns the hidden words of a sentence that its translation lacks, and how many it has more often than once."""
    counts = [len(_written_at(symbol, written).findall(text)) for symbol, written in hidden.spelled.items()]
    lost = [word for word, count in zip(hidden.words.values(), counts, strict=True) if not count]
    return lost, sum(count > hidden.text.count(s) for s, count in zip(hidden.words, counts, strict=True))


def _written_at(symbol: str, written: str) -> re.Pattern[str]:
    """Returns a pattern of what a symbol writes, at the beginning of a word and in the form that fits what follows."""
    bare, oblique, ending = re.escape(written), re.escape(_before_ending(symbol, written)), ENDING.pattern
    return re.compile(f"{WORD_START}(?:{bare}(?!{ending})|{oblique}(?={ending}))")


def _before_ending(symbol: str, written: str) -> str:
    """Returns what a symbol writes in front of a case ending."""
    if COPIED_END.search(written):
        return f"{written} "
    if symbol not in SYMBOLS["place"]:
        return written
    first, space, last = written.rpartition(" ")  # of a list, the last place
    return first + space + OBLIQUES.get(last, last)


def reveal(translation: Any, source: str, hidden: Hidden) -> Any:
    """Returns a `Translation` of a hidden sentence with every symbol written out, in its text and in its tokens."""
    forms = []  # of the symbols in the text; in the tokens, which have the same ones, an ending may be the next token
    for match in SYMBOL.finditer(translation.text):
        written = hidden.spelled[match[0]]
        forms.append(_before_ending(match[0], written) if ENDING.match(translation.text, match.end()) else written)

    def write(texts: Sequence[str]) -> list[str]:
        left = iter(forms)
        return [SYMBOL.sub(lambda _: next(left), text) for text in texts]

    return translation._replace(
        source=source,
        text=write([translation.text])[0],
        source_tokens=[SYMBOL.sub(lambda match: hidden.words[match[0]], token) for token in translation.source_tokens],
        target_tokens=write(translation.target_tokens),
    )
