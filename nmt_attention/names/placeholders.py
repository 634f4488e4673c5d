"""Placeholders: symbols that stand for the words a model cannot know, such as names, while it translates.

A model of sentences learns words that it sees again and again; it does not learn to spell a name that it never saw. So
each such word of the source becomes a symbol of its kind, the model translates the sentence around it and adds the case
ending, and the symbol in the translation is written out in the other script: "Rahul met Priya." is translated as
"① met ②.", and राहुल and प्रिया then take the places of ① and ②. A place in front of a case ending is written in its
oblique: पुणे, but पुण्याला.

Source: Luong et al. 2015, arXiv:1410.8206 (section 3.1: numbered symbols for unknown words, the "copyable" model).
"""

import collections
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from ..spelling import normalize
from ..text import Tokenizer
from ..translate import Around, Hidden
from ..vocabulary import PAD_ID, START_ID
from .obliques import ENDING, OBLIQUES
from .transliterator import Spelled, Transliterator

_KINDS = ("m", "f", "place", "word", "number")  # masculine and feminine names, places, loan words, numbers

PER_KIND = 3  # symbols of each kind, so that two names in a sentence stay apart

SYMBOLS = {kind: [chr(0xE000 + PER_KIND * k + i) for i in range(PER_KIND)] for k, kind in enumerate(_KINDS)}
ALL_SYMBOLS = [symbol for symbols in SYMBOLS.values() for symbol in symbols]  # of Unicode's area for private use

OFTEN = 5  # times that a word occurs in training before a model knows it, if it always has a capital

NUMBER = r"(?<![\w.,:])[\d]+(?:[.,:][\d]+)*(?![\w])"
# Classes stand in brackets, so that `deploy.browser` can replace them by lists of letters.
WORD = re.compile(rf"(?<![\w'-])[A-Za-z]+(?![\w-])|{NUMBER}")
SYMBOL = re.compile(f"[{''.join(ALL_SYMBOLS)}]")
NAME_LIKE = re.compile(r"[A-Z][A-Za-z]*[a-z][A-Za-z]*")
BEFORE_SENTENCE = re.compile(r"(?:^|[.!?])[^\w]*$")
FOLLOWING = re.compile(r"(?:'s)? ([\w]+)")
WORD_START = r"(?<![\w\u0900-\u097f])"
DIGITS = str.maketrans("0123456789", "०१२३४५६७८९")
# What follows a verb rather than a name: an unlisted word that opens a sentence before one of these is no name.
AFTER_VERBS = """
a an the this that these those my your his her its our their me you him it us them to in on at for from with of by up
down out off away not no everyone everything something
"""


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
        counts.update(WORD.findall(sentence))
    for word, count in counts.items():
        folded[word.lower()] += count
    small = {word for word in counts if word.islower()}
    return small | {word for word, count in folded.items() if count >= OFTEN}


class Placeholders(Around):
    """Hides the words of sentences that a model does not know, and writes them out in its translations.

    Args:
        known: the model's `known_words`.
        transliterator: writes the words. Those that it lists are hidden wherever they stand, if written as in the list,
            names with a capital; other words only if they are written like a name.
    """

    def __init__(self, known: Iterable[str], transliterator: Transliterator) -> None:
        self.known, self.transliterator = frozenset(known), transliterator

    def hide(self, sentences: Sequence[str]) -> list[Hidden]:
        """Returns each sentence with its unknown names, loan words and numbers hidden.

        Adjoining names (Sachin Tendulkar) become one symbol. Of each kind, the first `PER_KIND` are hidden.
        """
        plain = [SYMBOL.sub(" ", sentence) for sentence in sentences]
        spans = [self._find(sentence) for sentence in plain]
        words = {
            w: None for text, places in zip(plain, spans, strict=True) for i, j in places for w in text[i:j].split()
        }
        numbers, others = [w for w in words if w[0].isdigit()], [w for w in words if not w[0].isdigit()]
        spelled = {number: Spelled(number.translate(DIGITS), "number") for number in numbers}
        spelled |= zip(others, self.transliterator.spell(others), strict=True)
        return [_hide(text, places, spelled) for text, places in zip(plain, spans, strict=True)]

    def _find(self, sentence: str) -> list[tuple[int, int]]:
        """Returns where the words to hide begin and end, adjoining names as one."""
        spans: list[tuple[int, int]] = []
        for match in WORD.finditer(sentence):
            if not self._is_unknown(match):
                continue
            start, end = match.span()
            if spans and f"{sentence[spans[-1][0]]}{match[0][0]}".isupper() and sentence[spans[-1][1] : start] == " ":
                start = spans.pop()[0]
            spans.append((start, end))
        return spans

    def _is_unknown(self, match: re.Match[str]) -> bool:
        """Returns whether a word is one to hide: a number, a listed word, or one written like a name."""
        word = match[0]
        if word.lower() in self.known:
            return False
        listed = self.transliterator.listed
        if word[0].isdigit() or word in listed or word.lower() in listed:
            return True
        if not NAME_LIKE.fullmatch(word):
            return False
        opens_sentence = BEFORE_SENTENCE.search(match.string[: match.start()])
        following = FOLLOWING.match(match.string[match.end() :])
        return not opens_sentence or (following is not None and following[1] not in AFTER_VERBS.split())

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


def _hide(sentence: str, spans: Sequence[tuple[int, int]], spelled: Mapping[str, Spelled]) -> Hidden:
    hidden, words, written, end = "", {}, {}, 0
    free = {kind: iter(symbols) for kind, symbols in SYMBOLS.items()}
    for start, stop in spans:
        parts = [spelled[word] for word in sentence[start:stop].split()]
        kind = next((part.kind for part in parts if part.kind in ("m", "f")), parts[0].kind)
        symbol = next(free[symbol_kind(kind)], "")
        if symbol:
            words[symbol], written[symbol] = sentence[start:stop], " ".join(part.text for part in parts)
            hidden += sentence[end:start] + symbol
            end = stop
    return Hidden(hidden + sentence[end:], words, written)


def hide_target(hidden: Hidden, target: str) -> tuple[Hidden, str]:
    """Returns a hidden sentence and its given translation with the same words hidden on both sides.

    A symbol stays if what it stands for begins a word of the translation, in the form that `reveal` writes; else the
    source has its own words again.
    """
    source, target, spelled = hidden.text, normalize(SYMBOL.sub(" ", target)), {}
    for symbol, written in hidden.spelled.items():
        bare, oblique, ending = re.escape(written), re.escape(_oblique(symbol, written)), ENDING.pattern
        in_target = re.compile(f"{WORD_START}(?:{bare}(?!{ending})|{oblique}(?={ending}))")
        if in_target.search(target):
            target = in_target.sub(symbol, target)
            spelled[symbol] = written
        else:
            source = source.replace(symbol, hidden.words[symbol])
    return Hidden(source, {symbol: hidden.words[symbol] for symbol in spelled}, spelled), target


def _oblique(symbol: str, written: str) -> str:
    """Returns what a symbol writes in front of a case ending."""
    return OBLIQUES.get(written, written) if symbol in SYMBOLS["place"] else written


def reveal(translation: Any, source: str, hidden: Hidden) -> Any:
    """Returns a `Translation` of a hidden sentence with every symbol written out, in its text and in its tokens."""
    forms = []  # of the symbols in the text; in the tokens, which have the same ones, an ending may be the next token
    for match in SYMBOL.finditer(translation.text):
        written = hidden.spelled[match[0]]
        forms.append(_oblique(match[0], written) if ENDING.match(translation.text, match.end()) else written)

    def write(texts: Sequence[str]) -> list[str]:
        left = iter(forms)
        return [SYMBOL.sub(lambda _: next(left), text) for text in texts]

    return translation._replace(
        source=source,
        text=write([translation.text])[0],
        source_tokens=[SYMBOL.sub(lambda match: hidden.words[match[0]], token) for token in translation.source_tokens],
        target_tokens=write(translation.target_tokens),
    )
