"""The transliterator that comes with the package, which writes English names and loan words in Devanagari.

`tools/models/transliterator.py` trains it on `data/names.tsv`.
"""

from pathlib import Path

from ..preprocess.preprocessor import Preprocessor
from ..preprocess.protect import Placeholders
from ..preprocess.transliterator import Spelled, Transliterator
from ..translate import Translator
from .lists import Name, held_out, read_names

DIRECTORY = Path(__file__).parent / "transliterator"


def load_transliterator(directory: Path | str = DIRECTORY) -> Transliterator:
    """Reads the transliterator, which looks up all words of `data/names.tsv`; errors as of `Translator.load`."""
    translator = Translator.load(directory)
    return Transliterator(lambda: translator, listed_words())


def listed_words() -> dict[str, Spelled]:
    """Returns the words of `data/names.tsv` as a `Transliterator` looks them up."""
    return {name.english: Spelled(name.marathi, name.kind) for name in read_names()}


def without_held_out(transliterator: Transliterator) -> Transliterator:
    """Returns a transliterator that does not look up the `held_out` spellings, to measure how it writes new words."""
    listed = {word: spelled for word, spelled in transliterator.listed.items() if not held_out(Name(word, *spelled))}
    return Transliterator(transliterator.load, listed, transliterator.beam_size)


def as_unlisted(translator: Translator) -> Translator:
    """Returns a translator that looks up no held-out name, to measure with `score_names` how it writes new ones."""
    preprocessor = translator.preprocessor
    if not isinstance(preprocessor, Preprocessor) or preprocessor.placeholders is None:
        return translator
    listing = preprocessor.placeholders
    unlisted = preprocessor.but(
        placeholders=Placeholders(listing.known, without_held_out(listing.transliterator), listing.unwritten)
    )
    return Translator(translator.model, translator.source_tokenizer, translator.target_tokenizer, unlisted)
