"""Simple rules that find errors of translations into Marathi by words and word endings, one rule per kind of error.

A rule is given a source, a translation of it and the source's references. It returns True where it finds its error,
False where it finds none, and None where it cannot tell. What English leaves open is not judged: whether
"you" is तू or तुम्ही, and whether "I" and "you" are a man or a woman.

A reference is a human translation, so what a rule blames in a reference, judged by the source and its other
references, is a false alarm. A rule belongs here if it blames at most 5 % of the references that it can judge.
Measured on the 44,484 references of Anki's English-Marathi file, with names learned from its training split:

    kind of error            judged  blamed
    mixed forms of "you"     11,648      11  0.1 %
    gender of "he", "she"       711       2  0.3 %
    tense                    22,359      51  0.2 %
    names                     5,257      17  0.3 %
    dropped words            27,430      45  0.2 %
    repeated words           44,484       2  0.0 %
    copied source            44,484       5  0.0 %

`evaluate --errors` prints the same share for the references that it reads.
"""

import collections
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..corpus import as_pairs
from ..spelling import is_mark
from .forms import genders_of_subject, registers, tenses
from .rules import split_words, what_is_said, words_of

Judge = Callable[[str, str, Sequence[str]], bool | None]  # of source, translation and references


class Rule(NamedTuple):
    """A kind of error, what counts as one, and a function that finds it."""

    name: str
    description: str
    judge: Judge


def make_rules(names: Mapping[str, str]) -> list[Rule]:
    """Returns the list of all `Rule`s; `names` is what `learn_names` returns for the training pairs."""
    return [
        Rule('mixed forms of "you"', "It has both तू and तुम्ही.", _mixed_registers),
        Rule('gender of "he", "she"', "The verb of तो or ती has the other gender.", _wrong_gender),
        Rule("tense", "Its last verb has a tense that no reference has and the source does not allow.", _wrong_tense),
        Rule("names", "It lacks a name that every reference has.", _lacks_name(names)),
        Rule("dropped words", "It has less than 60 % of the words of the shortest reference.", _dropped_words),
        Rule("repeated words", "It repeats a word, or two words together, as no reference does.", _new(_repetitions)),
        Rule("copied source", "It has a word in Latin letters that no reference has.", _new(_latin_words)),
    ]


def _new(find: Callable[[str], set[str]]) -> Judge:
    """Returns a rule that blames what is found in a translation and in no reference."""
    return lambda source, text, references: bool(find(text).difference(*map(find, references)))


def _mixed_registers(source: str, text: str, references: Sequence[str]) -> bool | None:
    """Cannot tell: no form of "you" (see `registers`); तू and somebody else (तू आणि टॉम … आहात); a quotation.

    False alarms: two people spoken to one after the other without quotation marks.
    """
    forms = registers(text)
    if not forms or re.search('(तू|तुला) (आणि|व|अन|नि) |["“”]', text):
        return None
    return len(forms) > 1


def _wrong_gender(source: str, text: str, references: Sequence[str]) -> bool | None:
    """Judged where "He" or "She" begins the source, तो or ती the translation, and its last verb shows the gender.

    Cannot tell: another subject or beginning, a second clause (आणि, कारण, जेव्हा …); the respectful ते and त्या; the
    future, which shows no gender; most past forms, which agree with the object.
    False alarms: तो or ती that belongs to an object ("He understands that story": ती गोष्ट त्याला समजते).
    """
    subject = re.match("(he|she)('|$)", "".join(split_words(source)[:1]).casefold())
    words, genders = words_of(text), genders_of_subject(text)
    if not subject or words[:1] not in (["तो"], ["ती"]) or any(what_is_said("clauses", " ".join(words))) or not genders:
        return None
    return {"he": "m", "she": "f"}[subject[1]] not in genders


def tenses_of_source(source: str) -> set[str]:
    """Returns the tenses that an English sentence allows, a set of `past`, `present` and `future`.

    Auxiliaries, words of time and past forms show it; a sentence without any of them is in the present. Forms that may
    be past or present (put, has gone), verbs of motion in -ing, "have to" and modal verbs (could, should) allow more
    than one tense.
    """
    text = " ".join(split_words(source)).casefold()
    allowed = set().union(*what_is_said("english", text))
    if not allowed & {"past", "future"}:
        allowed.add("present")
    return allowed.union(*what_is_said("plans", text))


def _wrong_tense(source: str, text: str, references: Sequence[str]) -> bool | None:
    """Cannot tell: a form that is not recognised (see `tenses`); a modal verb, which leaves the tense open.

    Misses: the perfect instead of past or present; other clauses; what the source seems to allow ("I put it here").
    False alarms: clauses in another order; idioms ("I like it": मला ते आवडलं, literally "I liked it").
    """
    written, expected = tenses(text), set().union(*map(tenses, references))
    allowed = expected | tenses_of_source(source)
    if not written or not expected or len(allowed) == 3:
        return None
    return not written & allowed


def _source_words(source: str) -> list[str]:
    return [re.sub(r"'s?$", "", word) for word in split_words(source)]


def learn_names(pairs: Iterable[Sequence[str]], least: float = 0.6) -> dict[str, str]:
    """Learns from sentence pairs how names are written in Marathi.

    A name is a word that is capitalised inside sentences and hardly ever in lower case there. Its counterpart is
    the beginning of words (टॉम of टॉम, टॉमला, टॉमच्या) that occurs with it most reliably, by the Dice coefficient
    2 · pairs with both / (pairs with the name + pairs with the beginning); the shortest of equals.

    Args:
        pairs: iterable of (source, target) or `Pair`, of the training split.
        least: float. Minimum coefficient; names in fewer than two pairs are left out as well.

    Returns:
        Dict of names, case folded, to beginnings of three code points or more.

    Source: Dice 1945, "Measures of the amount of ecologic association between species".
    """
    rows = []
    capital: collections.Counter[str] = collections.Counter()
    small: collections.Counter[str] = collections.Counter()
    for source, target, _ in as_pairs(pairs):
        words = _source_words(source)
        for before, word in itertools.pairwise(words):
            if not is_mark(before) and not re.match("I('|$)", word):
                counter = capital if word[:1].isupper() else small
                counter[word.casefold()] += 1
        beginnings = {word[:n] for word in words_of(target) for n in range(3, len(word) + 1)}
        rows.append(({word.casefold() for word in words}, beginnings))
    with_name: collections.Counter[str] = collections.Counter()
    together: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for candidates, beginnings in rows:
        for name in candidates:
            if capital[name] and small[name] <= 0.05 * capital[name]:
                with_name[name] += 1
                together[name].update(beginnings)
    with_beginning = collections.Counter(beginning for _, beginnings in rows for beginning in beginnings)
    names = {}
    for name, both in sorted(together.items()):
        dice = {b: 2 * n / (with_name[name] + with_beginning[b]) for b, n in both.items() if n > 1}
        best = min(dice, key=lambda b: (-dice[b], len(b), b), default=None)
        if best and dice[best] >= least:
            names[name] = best
    return names


def _lacks_name(names: Mapping[str, str]) -> Judge:
    """Returns a rule that cannot tell where no name of the source is known from training and in every reference.

    Misses: a wrong case ending of the right name. False alarms: a spelling that neither training nor references have.
    """

    def has(text: str, beginning: str) -> bool:
        return any(word.startswith(beginning) for word in words_of(text))

    def judge(source: str, text: str, references: Sequence[str]) -> bool | None:
        known = {names[word.casefold()] for word in _source_words(source) if word.casefold() in names}
        expected = [name for name in known if references and all(has(reference, name) for reference in references)]
        return not all(has(text, name) for name in expected) if expected else None

    return judge


def _dropped_words(source: str, text: str, references: Sequence[str]) -> bool | None:
    """Misses: a dropped word together with an added one, or in a short sentence. False alarms: a much terser text."""
    if not references:
        return None
    return len(words_of(text)) < 0.6 * min(len(words_of(reference)) for reference in references)


def _repetitions(text: str) -> set[str]:
    """Misses: repetitions with another word between them. False alarms: rare repetitions that are meant."""
    words = split_words(text)
    pairs = [" ".join(pair) for pair in itertools.pairwise(words)]
    once = {a for a, b in itertools.pairwise(words) if a == b and not is_mark(a) and not any(what_is_said("twice", a))}
    twice = {a for a, b in zip(pairs, pairs[2:], strict=False) if a == b and not any(map(is_mark, a.split()))}
    return once | twice


def _latin_words(text: str) -> set[str]:
    """Misses: English words spelled in Devanagari. False alarms: names and units that may stay in Latin letters."""
    return {word.casefold() for word in words_of(text) if re.search("[A-Za-z]", word)}
