"""What is doubtful in a translation: what it lost, words that training had not, and how certain the model was."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..marathi.gloss import meanings, stem
from ..spelling import SPACE
from ..text import Tokenizer
from ..translate import Piece, Translation
from .language import is_guessed
from .rules import PATTERNS, WORDS
from .verify import lost_and_added

BANDS = ("sure", "fair", "unsure", "guess")  # of certainty, as `tools.measure.certainty` finds them
UNSEEN = 0.3  # of a step's weight; a word that never has as much was not looked at
SHOWN = 3  # doubts about many sentences; more are counted
_LONGEST = 30  # letters of a word that may be mistyped; no text makes it try millions
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Doubts:
    """Says what is doubtful in the translations of one model.

    Args:
        vocabulary: of the source, the frequent tokens first.
        placeholders: those of the model; None for a model without, whose words nobody knows.
        certainty: how often the model was right, by how certain it was; see `band_of`. None if nobody counted.
        tokenizers: of both sides, if `unsaid` is to be told: of Marathi, whose words have glosses.
    """

    def __init__(self, vocabulary: Sequence[str], placeholders: Any, certainty: Any, tokenizers: Any = None) -> None:
        self.tokenizers = tokenizers
        self.ids = {token: i for i, token in enumerate(vocabulary)}
        self.known: Collection[str] = placeholders.known if placeholders else frozenset()
        self.known_or_listed: Collection[str] = placeholders.known_or_listed if placeholders else frozenset()
        self.certainty = certainty

    def about(self, piece: Piece, translation: Translation) -> tuple[str, ...]:
        """Returns the lines about the translation of a piece, its placeholders not yet written out."""
        if translation.target_tokens and self._is_beyond(piece, translation):
            most = self.certainty["most_words"] if self.certainty else 0
            learned = f"short everyday sentences, 95 of 100 of at most {most} words"
            return (f"the model learned {learned}: this is beyond it", *self.losses(piece, translation))
        return tuple(dict.fromkeys([*self.losses(piece, translation), *self._guesses(piece, translation)]))

    def losses(self, piece: Piece, translation: Translation) -> Iterator[str]:
        """Yields what is lost for certain: a sentence in another language, or some of its words or numbers."""
        if not piece.read:
            if PATTERNS["letter"].search(piece.typed):
                yield f"left as it is, because no word of it is known: {piece.typed:.80}"
            return
        if is_guessed(piece.read, self.known_or_listed):
            yield f"the translation is a guess, because few words are known: {piece.typed:.80}"
        lost, added = lost_and_added(piece, translation)
        wrong = f"lacks {', '.join(lost)}" if lost else "", f"has {', '.join(added)} too often" if added else ""
        if any(wrong):
            yield f"the translation {' and '.join(filter(None, wrong))}: {piece.typed:.80}"

    def _guesses(self, piece: Piece, translation: Translation) -> Iterator[str]:
        if not translation.target_tokens:
            return
        for word in unknown_words(piece.read, self.known_or_listed) if self.known else ():
            near = nearest_word(word, self.known, self.ids)
            meant = f'; did you mean "{near}"?' if near else ""
            yield f'"{word}" is in no sentence that the model learned from{meant}'
        if self.tokenizers and (words := unsaid(self.tokenizers, translation)):
            yield f"the translation seems to lack {', '.join(words)}: {piece.typed:.80}"
        if band_of(self.certainty, translation.certainty) == BANDS[-1]:
            yield f'unsure of "{piece.typed:.80}" ({translation.certainty:.0%} certain)'

    def _is_beyond(self, piece: Piece, translation: Translation) -> bool:
        """Returns whether a sentence is longer than nearly all of training, and its translation a guess."""
        is_guess = band_of(self.certainty, translation.certainty) == BANDS[-1]
        return is_guess and len(piece.typed.split()) > (self.certainty or {})["most_words"]


def unsaid(tokenizers: tuple[Tokenizer, Tokenizer], translation: Translation) -> list[str]:
    """Returns the words of content that nothing written means, by its glosses, and at which no step looked much.

    Not told are words of grammar and of verbs that stand for many (`grammar` in `rules.tsv`), and those that no gloss
    has. docs/results.md says how often it is right.
    """
    source, target = tokenizers
    written = [part for word, _ in target.words(translation.target_tokens) for part in word.split("-") if part]
    lacking = meanings() - frozenset().union(*map(meanings, written))
    words = source.words(translation.source_tokens)
    unseen = [word for word, at in words if translation.attention[:, at].sum(axis=1).max() < UNSEEN]
    return [word for word in unseen if stem(word) in lacking and word.lower() not in WORDS["grammar"]]


def band_of(certainty: Mapping[str, Any] | None, probability: float) -> str | None:
    """Returns which of `BANDS` a probability is in, of a sentence's tokens on average or of a word; None if unknown.

    Args:
        certainty: of a model, as `certainty.json` of its bundle has it: the `bands`, each `from` so many percent on,
            and the `most_words` that 95 of 100 training sentences have.
        probability: 0 to 1.
    """
    if not certainty:
        return None
    percent = round(100 * probability)
    return next(name for name, band in zip(BANDS, certainty["bands"], strict=True) if percent >= band["from"])


def unknown_words(text: str, known: Collection[str]) -> Iterator[str]:
    """Yields the words of a text, in small letters alone, that training had not."""
    return (word for word in PATTERNS["plainWord"].findall(text) if word not in known and word not in WORDS["haste"])


def nearest_word(typed: str, known: Collection[str], ids: Mapping[str, int]) -> str:
    """Returns the known word that differs in one letter, or has two neighbours swapped; "" if there is none.

    Args:
        typed: in small letters.
        known: the words of training, in small letters.
        ids: of the source's pieces, the frequent ones first: of several words, the frequent one wins.
    """
    splits = [(typed[:i], typed[i:]) for i in range(len(typed) + 1)] if len(typed) <= _LONGEST else []
    ways = (  # swapped letters first, then one too few, then one too many or another one
        {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1},
        {a + letter + b for a, b in splits for letter in _LETTERS},
        {a + letter + b[1:] for a, b in splits if b for letter in (*_LETTERS, "")},
    )
    found = next(filter(None, ([word for word in way if word in known] for way in ways)), [])
    return min(found, key=lambda word: (ids.get(SPACE + word, len(ids)), word), default="")
