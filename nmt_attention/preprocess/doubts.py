"""What is doubtful in a translation: words that training had not, and a word or two that are no sentence."""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..spelling import SPACE
from .rules import PATTERNS, WORDS

if TYPE_CHECKING:
    from ..translate import Translation, Translator

_SHORT = 2  # words, of which the package's model makes a sentence or says one twice
_UNSURE = 0.2  # probability of the whole translation, below which it usually did so
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def make_doubts(translator: "Translator") -> "Callable[[Translation], Iterator[str]]":
    """Returns a function that yields the doubts about a translation; of a model without placeholders, none."""
    placeholders: Any = getattr(translator.preprocessor, "placeholders", None)
    if not placeholders:
        return lambda translation: iter(())
    words = placeholders.known_or_listed
    ids = {token: i for i, token in enumerate(translator.source_tokenizer.vocabulary)}

    def doubts(translation: "Translation") -> Iterator[str]:
        if not translation.target_tokens:
            return
        unknown = list(dict.fromkeys(unknown_words(translation.source, words)))
        for word in unknown:
            near = nearest_word(word, placeholders.known, ids)
            meant = f'; did you mean "{near}"?' if near else ""
            yield f'"{word}" is in no sentence that the model learned from{meant}'
        sure = math.exp(translation.score)
        is_short = len(translation.source.split()) <= _SHORT and not re.search(r"[.?!]\s", translation.source)
        if is_short and not unknown and sure < _UNSURE:
            yield f'unsure of "{translation.source}" (probability {sure:.2f}): the model learned whole sentences'

    return doubts


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
    splits = [(typed[:i], typed[i:]) for i in range(len(typed) + 1)]
    ways = (  # swapped letters first, then one too few, then one too many or another one
        {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1},
        {a + letter + b for a, b in splits for letter in _LETTERS},
        {a + letter + b[1:] for a, b in splits if b for letter in (*_LETTERS, "")},
    )
    found = next(filter(None, ([word for word in way if word in known] for way in ways)), [])
    return min(found, key=lambda word: (ids.get(SPACE + word, len(ids)), word), default="")
