"""Training pairs with names, loan words and numbers hidden, so that a model learns to translate around them."""

import collections
import functools
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..corpus import Split, sentence_words
from ..preprocess.protect import ALL_SYMBOLS, OFTEN, PER_KIND, SYMBOLS, Placeholders, known_words, symbol_kind
from ..preprocess.rules import DIGITS
from ..spelling import normalize
from .lists import SUFFIXES, Name, read_names
from .pretrained import load_transliterator

Pair = tuple[str, str]  # source, and target as `normalize` spells it
Hider = Callable[[int | str, Sequence[int]], list[Pair]]  # from a seed and numbers of pairs to these, words hidden
_ENGLISH_WORD = re.compile(r"(?<![\w'-])[A-Za-z]+(?![\w-])")
_MARATHI_WORD = re.compile("[\u0900-\u0963\u0970-\u097f\u200c\u200d]+")
_NUMBER = re.compile(r"(?<![\w.,:])\d+(?:[.,:]\d+)*(?!\w)")
_DIGITS = re.compile(r"(?<![\d.,:])\d+(?:[.,:]\d+)*")  # a whole number, in either script
_FULL_NAME = r"[A-Z][a-z]+ {0}\b|\b{0} [A-Z][a-z]"
_WHOLE, _BEGUN = r"(?<![\w'-]){0}(?![\w-])", "(?<![\u0900-\u097f]){0}"  # an English word, and what begins a Marathi one
_INNER_NAME = re.compile(r"(?<=[\w,;:'-] )[A-Z][a-z]+(?![\w-])")  # a capital within a sentence


def find_hideable(pair: Pair, by_english: Mapping[str, Name]) -> list[Name]:
    """Returns the words of a pair that can be hidden on both sides, in the order of the English side.

    A name or loan word is one of the list, is no part of a full name (George Washington), and begins a word of the
    Marathi side; what follows it in every word that it begins is one of `SUFFIXES`. A number stands on both sides, in
    Devanagari's digits on the Marathi one.
    """
    words = dict.fromkeys(filter(by_english.__contains__, _ENGLISH_WORD.findall(pair[0])))
    names = [by_english[word] for word in words]
    names = [n for n in names if not _pattern(_FULL_NAME, n.english).search(pair[0])]
    numbers = [Name(number, number.translate(DIGITS), "number") for number in _NUMBER.findall(pair[0])]
    there = _MARATHI_WORD.findall(pair[1]) if names else []
    hideable = []
    for name in names:
        suffixes = [word[len(name.marathi) :] for word in there if word.startswith(name.marathi)]
        if suffixes and SUFFIXES.issuperset(suffixes):
            hideable.append(name)
    whole = set(_DIGITS.findall(pair[1])) if numbers else ()
    return hideable + [n for n in dict.fromkeys(numbers) if n.marathi in whole]


@functools.cache  # Python keeps 512 patterns, fewer than there are names
def _pattern(form: str, name: str) -> re.Pattern[str]:
    return re.compile(form.format(name))


def hide(pair: Pair, symbols: Mapping[Name, str]) -> Pair:
    """Returns a pair with words found in it replaced by symbols on both sides; suffixes and 's stay."""
    source, target = pair
    numbers = {number: symbol for name, symbol in symbols.items() if name.kind == "number" for number in name[:2]}
    for name, symbol in symbols.items():
        if name.kind != "number":
            source = _pattern(_WHOLE, name.english).sub(symbol, source)
            target = _pattern(_BEGUN, name.marathi).sub(symbol, target)
    if numbers:
        source, target = (_DIGITS.sub(lambda found: numbers.get(found[0], found[0]), side) for side in (source, target))
    return source, target


def make_hider(
    pairs: Sequence[Pair], names: Iterable[Name], known: set[str], share: float, held_out: Iterable[Pair]
) -> Hider:
    """Returns a function from a seed and numbers of pairs to these pairs with some of their words hidden.

    Each word that can be hidden is hidden with probability `share`, and always if the model does not know it, as when
    it translates. Which symbols of their kind stand for a pair's words is drawn, so that all are trained alike.

    With their words hidden, a training pair and a held-out pair may have the same sentence (Tom is tired, Mary is
    tired). Such a training pair is never hidden.

    Args:
        pairs: the training pairs.
        names: the listed words.
        known: the model's known words; see `preprocess.protect.known_words`.
        share: float in [0, 1].
        held_out: pairs that are scored.
    """
    by_english = {name.english: name for name in names}
    taken = {key for pair in held_out for key in _hidden_keys(pair, find_hideable(pair, by_english), by_english)}

    @functools.cache
    def to_hide(number: int) -> tuple[Name, ...]:
        found = find_hideable(pair := pairs[number], by_english)
        return tuple(found) if found and taken.isdisjoint(_hidden_keys(pair, found, by_english)) else ()

    def hidden(seed: int | str, number: int) -> Pair:
        if not (names := to_hide(number)):
            return pairs[number]
        draw = random.Random(f"{seed} {number}")
        chosen = [n for n in names if draw.random() < share or n.english.lower() not in known]
        return hide(pairs[number], _symbols(chosen, draw))

    return lambda seed, numbers: [hidden(seed, number) for number in numbers]


def _symbols(names: Sequence[Name], draw: random.Random) -> dict[Name, str]:
    """Returns a symbol of its kind for each word; words beyond the first `PER_KIND` of a kind have none."""
    free = {kind: iter(draw.sample(symbols, PER_KIND)) for kind, symbols in SYMBOLS.items()}
    drawn = {name: next(free[symbol_kind(name.kind)], "") for name in names}
    return {name: symbol for name, symbol in drawn.items() if symbol}


def _hidden_keys(pair: Pair, hideable: Sequence[Name], by_english: Mapping[str, Name]) -> set[str]:
    """Returns the keys of a pair's sides with all their words hidden alike that can be, or none if there are none.

    On the source side those are also words that the target side does not have: any listed word, number or name.
    """
    symbol = ALL_SYMBOLS[0]
    source = _NUMBER.sub(symbol, _INNER_NAME.sub(symbol, pair[0]))
    source = _ENGLISH_WORD.sub(lambda match: symbol if match[0] in by_english else match[0], source)
    target = hide(pair, dict.fromkeys(hideable, symbol))[1]
    return {sentence_words(side) for side in (source, target) if symbol in side}


def learn_placeholders(
    split: Split, share: float, before: Placeholders | None = None
) -> tuple[Hider, Placeholders | None]:
    """Returns what `make_hider` does for the training pairs, and the model's placeholders.

    Those are None, and nothing is hidden, if `share` is 0 or no training pair has a word of the list on both sides, as
    in a language of another script. A model that training goes on from has placeholders `before`: what it knows stays
    known, and it keeps them where there is nothing to hide.
    """
    train, held_out = (
        [(pair.source, normalize(pair.target)) for pair in pairs] for pairs in (split.train, [*split.dev, *split.test])
    )
    sentences = [source for source, _ in train]
    names, known_before = read_names() if share else [], before.known if before else frozenset()
    by_english = {name.english: name for name in names}
    known = known_words(sentences) | known_before
    if any(name.kind != "number" for pair in train for name in find_hideable(pair, by_english)):
        hider = make_hider(train, names, known, share, held_out)
        rare = rare_words(sentences, names) - known_before
        return hider, Placeholders(known, load_transliterator(), rare=rare)
    placeholders = Placeholders(known, before.transliterator, before.unwritten) if before else None
    return lambda _, numbers: [train[number] for number in numbers], placeholders


def rare_words(sentences: Iterable[str], names: Iterable[Name]) -> set[str]:
    """Returns the listed loan words that fewer than `OFTEN` sentences have: a model writes other words for them."""
    words = {name.english for name in names if name.kind == "word"}
    counts = collections.Counter(w for s in sentences for w in words.intersection(_ENGLISH_WORD.findall(s.lower())))
    return {word for word in words if counts[word] < OFTEN}
