"""The transliterator that comes with the package, which writes English names and loan words in Devanagari.

`tools/transliterator.py` trains it on `data/names.tsv`.
"""

from pathlib import Path

from ..translate import Translator
from .lists import held_out, read_names
from .transliterator import Spelled, Transliterator

DIRECTORY = Path(__file__).parent / "transliterator"


def load_transliterator(directory: Path | str = DIRECTORY) -> Transliterator:
    """Reads the transliterator; it looks up all words of `data/names.tsv` that are not held out to measure it.

    Args:
        directory: a bundle that `tools/transliterator.py` wrote.

    Raises:
        FileNotFoundError, ValueError: as `Translator.load`.
    """
    listed = {name.english: Spelled(name.marathi, name.kind) for name in read_names() if not held_out(name)}
    return Transliterator(Translator.load(directory), listed)
