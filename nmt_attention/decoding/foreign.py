"""Input that is not in the source language: a model knows none of it, so whatever it writes is invented."""

import re
from collections.abc import Collection, Iterable

WORD = re.compile(r"(?<!['’])(?:(?![\d_])[\w])+")
MOSTLY = 0.5  # share of letters that training never had, from which a sentence is in another script
FEW = 0.5  # share of words that a model knows, below which its translation is a guess
ENOUGH = 3  # words that tell so
FOREIGN = """
ich heiße nicht und bitte danke guten hallo tschüss je bonjour bonsoir merci salut oui vous hola gracias buenos buenas
adiós adios ciao grazie buongiorno prego obrigado obrigada merhaba konnichiwa arigato
"""  # words that tell so alone, or beside names


def letters_of(vocabulary: Iterable[str]) -> frozenset[str]:
    """Returns the letters of a vocabulary, in both cases."""
    text = "".join(vocabulary)
    return frozenset(filter(str.isalpha, text + text.upper() + text.lower()))


def is_foreign(
    sentence: str, hidden: str, letters: Collection[str], known: Collection[str], names: Collection[str] = ()
) -> bool:
    """Returns whether nothing of a sentence is known: most of its letters are not in training, or none of its words.

    Beside one of `FOREIGN`, names do not count as known.

    Args:
        sentence: as it was typed.
        hidden: with names and addresses hidden, and spelled as the model reads it; words that were not typed so do not
            count.
        letters: those of the training sentences.
        known: their words, and names that are listed, in lower case; empty if nobody knows.
        names: those that are listed, with capitals.
    """
    present = list(filter(str.isalpha, sentence))
    strange = sum(letter not in letters for letter in present)
    typed = set(_words(sentence))
    words = typed.intersection(_words(hidden))
    if known and not typed.difference(known).isdisjoint(FOREIGN.split()):
        return all(word not in known or word.capitalize() in names for word in words)
    # A word alone, such as an exclamation, tells too little, unless words around it that look like names are none.
    telling = sum(len(word) > 1 for word in words) > 1 or (words and len(typed) >= ENOUGH and typed.isdisjoint(known))
    return strange > MOSTLY * len(present) or bool(known and telling and words.isdisjoint(known))


def is_guessed(hidden: str, known: Collection[str]) -> bool:
    """Returns whether few words of a sentence are known, those apart that are hidden."""
    words = [word for word in _words(hidden) if len(word) > 1 or word in known]
    return bool(known) and len(words) >= ENOUGH and sum(word in known for word in words) < FEW * len(words)


def _words(sentence: str) -> list[str]:
    return WORD.findall(sentence.lower())
