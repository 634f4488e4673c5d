"""Which listed names a model writes, asked in four sentences each: the others are hidden, known or not.

A name that training has five times counts as known, and yet a model may write another word for it: rain for Ram, jail
for Jaipur. So a model that is trained is asked.
"""

from collections.abc import Sequence

from ..preprocess.preprocessor import Preprocessor
from ..preprocess.protect import SYMBOLS, Placeholders, symbol_kind, written_at
from ..preprocess.verify import unwarned
from ..translate import Translator
from .lists import Name

BEAM_SIZE = 5  # of the search of `nmt-attention translate`; a name may come out of one search and not of the other
FRAMES = {
    "place": ("I live in {}.", "{} is far away.", "She was born in {}.", "We went to {} last year."),
    "person": ("{} is my friend.", "I met {} yesterday.", "My name is {}.", "I gave the book to {}."),
}


def sentences_about(name: Name) -> list[str]:
    """Returns four English sentences about a person or a place."""
    return [frame.format(name.english) for frame in FRAMES["place" if name.kind == "place" else "person"]]


def wrong_names(translator: Translator, names: Sequence[Name], beam_size: int = 1) -> list[Name]:
    """Returns the names of which a translation lacks the listed spelling, in the form that fits the ending behind it.

    They are looked for in the translations of `sentences_about` each.
    """
    sentences = [sentence for name in names for sentence in sentences_about(name)]
    with unwarned():
        texts = iter([translation.text for translation in translator.translate(sentences, beam_size=beam_size)])
    written = {name: written_at(SYMBOLS[symbol_kind(name.kind)][0], name.marathi) for name in names}
    return [name for name in names if not all([written[name].search(next(texts)) for _ in sentences_about(name)])]


def ask_names(translator: Translator) -> None:
    """Has a trained translator hide the names that it does not write, and the loan words that are rare in training.

    A model that loses hidden names as well, because it has hardly been trained, hides what it hid in training.
    """
    preprocessor = translator.preprocessor
    if not isinstance(preprocessor, Preprocessor) or preprocessor.placeholders is None:
        return
    before = preprocessor.placeholders
    plain = Placeholders(before.known, before.transliterator)  # which hides no known name
    listed = [Name(english, *spelled) for english, spelled in before.transliterator.listed.items()]
    asked = [name for name in listed if name.kind != "word" and name.english.lower() in before.known]
    preprocessor.placeholders = plain
    unwritten = sorted({*wrong_names(translator, asked), *wrong_names(translator, asked, BEAM_SIZE)})
    english = [name.english for name in unwritten]
    preprocessor.placeholders = Placeholders(before.known - before.rare, before.transliterator, english)
    if len(wrong_names(translator, unwritten)) > len(unwritten) / 2:
        preprocessor.placeholders = plain
