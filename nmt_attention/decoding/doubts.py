"""What is doubtful in a translation: words that training had not, and a word or two that are no sentence."""

import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .nearest import nearest_word, unknown_words

if TYPE_CHECKING:
    from ..translate import Translation, Translator

_SHORT = 2  # words, of which the package's model makes a sentence or says one twice
_UNSURE = 0.2  # probability of the whole translation, below which it usually did so


def make_doubts(translator: "Translator") -> "Callable[[Translation], Iterator[str]]":
    """Returns a function that yields the doubts about a translation; of a model without placeholders, none."""
    around: Any = translator.around
    if not hasattr(around, "known"):
        return lambda translation: iter(())
    words = around.known | {name.lower() for name in around.transliterator.listed}
    ids = {token: i for i, token in enumerate(translator.source_tokenizer.vocabulary)}

    def doubts(translation: "Translation") -> Iterator[str]:
        if not translation.target_tokens:
            return
        unknown = list(dict.fromkeys(unknown_words(translation.source, words)))
        for word in unknown:
            near = nearest_word(word, around.known, ids)
            meant = f'; did you mean "{near}"?' if near else ""
            yield f'"{word}" is in no sentence that the model learned from{meant}'
        sure = math.exp(translation.score)
        is_short = len(translation.source.split()) <= _SHORT and not re.search(r"[.?!]\s", translation.source)
        if is_short and not unknown and sure < _UNSURE:
            yield f'unsure of "{translation.source}" (probability {sure:.2f}): the model learned whole sentences'

    return doubts
