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
import functools
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..corpus import as_pairs
from ..spelling import is_mark
from .forms import genders_of_subject, registers, split_words, tenses, words_of


class Rule(NamedTuple):
    """A kind of error and how it is found.

    name: str. Of the kind of error.
    description: str. What counts as one, a sentence.
    judge: function of source (str), translation (str) and references (list of str, maybe empty) that returns True for
        an error, False for none and None where it cannot tell.
    """

    name: str
    description: str
    judge: Callable[[str, str, Sequence[str]], bool | None]


def make_rules(names: Mapping[str, str]) -> list[Rule]:
    """Returns the list of all `Rule`s; `names` is what `learn_names` returns for the training pairs."""
    return [
        Rule('mixed forms of "you"', "It has both तू and तुम्ही.", mixed_registers),
        Rule('gender of "he", "she"', "The verb of तो or ती has the other gender.", wrong_gender),
        Rule("tense", "Its last verb has a tense that no reference has and the source does not allow.", wrong_tense),
        Rule("names", "It lacks a name that every reference has.", functools.partial(missing_name, names)),
        Rule("dropped words", "It has less than 60 % of the words of the shortest reference.", dropped_words),
        Rule("repeated words", "It repeats a word, or two words together, as no reference does.", repeated_words),
        Rule("copied source", "It has a word in Latin letters that no reference has.", copied_source),
    ]


# --- which "you"

_YOU_AND = re.compile("(तू|तुला) (आणि|व|अन|नि) ")


def mixed_registers(source: str, hypothesis: str, references: Sequence[str]) -> bool | None:
    """It has both तू and तुम्ही: तुम्ही … आहेस. The source and the references do not matter.

    Cannot tell: where the translation shows no form of "you" (`registers` says which forms are not recognised), speaks
    of तू and somebody else (तू आणि टॉम … आहात), or quotes (somebody else may be spoken to in the quotation).
    False alarms: two people spoken to one after the other without quotation marks.
    """
    forms = registers(hypothesis)
    if not forms or _YOU_AND.search(hypothesis) or re.search('["“”]', hypothesis):
        return None
    return len(forms) > 1


# --- gender

_HE_OR_SHE = re.compile("(he|she)('|$)")
_OTHER_CLAUSE = {"आणि", "व", "असताना", "कारण", "पण", "की", "जो", "जी", "जे", "जेव्हा", "तेव्हा", "तर", "म्हणून", "जिथे", "तिथे"}


def wrong_gender(source: str, hypothesis: str, references: Sequence[str]) -> bool | None:
    """The source is about "he" or "she", and the verb has the other gender: ती वाचतो for "She reads".

    Judged where the source begins with "he" or "she", the translation begins with तो or ती, and its last verb agrees
    with the subject (राहतो, गेली, करत होता; see `genders_of_subject`). The references do not matter.

    Cannot tell: sentences with another subject, another beginning or a second clause (आणि, कारण, जेव्हा …); the
    respectful ते and त्या; the future, which shows no gender; most past forms, which agree with the object.
    False alarms: तो or ती that belongs to an object ("He understands that story": ती गोष्ट त्याला समजते).
    """
    subject = _HE_OR_SHE.match("".join(split_words(source)[:1]).casefold())
    words = words_of(hypothesis)
    if not subject or words[:1] not in (["तो"], ["ती"]) or _OTHER_CLAUSE & {*words}:
        return None
    genders = genders_of_subject(hypothesis)
    if not genders:
        return None
    return {"he": "m", "she": "f"}[subject[1]] not in genders


# --- tense

_TENSES_OF_WORDS = {
    "future": re.compile(r"will|won't|shall|gonna|tomorrow|tonight|soon|next|.+'ll"),
    "present": re.compile(
        r"am|is|are|isn't|aren't|.+'(m|re|ve)|(he|she|it|that|what|who|where|how|there|here)'s|has|have|hasn't|haven't"
        r"|do|does|don't|doesn't|can|can't|cannot|bet|cost|cut|hit|hurt|let|put|quit|read|set|shut|spread"
    ),
    "past": re.compile(
        r"was|were|wasn't|weren't|did|didn't|had|hadn't|has|have|hasn't|haven't|.+'ve|used|yesterday|ago|(?!need).{2,}ed"
        r"|ate|became|began|bet|bit|bled|blew|bought|broke|brought|built|burnt|came|caught|chose|cost|cut|drank|dreamt|drew"
        r"|drove|dug|fell|felt|flew|forgave|forgot|fought|found|froze|gave|got|grew|heard|held|hid|hit|hung|hurt|kept|knelt"
        r"|knew|laid|lay|led|left|lent|let|lit|lost|made|meant|met|paid|put|quit|ran|rang|read|rode|rose|said|sang|sank|sat"
        r"|saw|sent|set|shook|shot|shut|slept|sold|spent|spoke|spread|stole|stood|stuck|swam|taught|thought|threw|told|took"
        r"|tore|understood|upset|went|wept|woke|won|wore|wrote"
    ),
}
_ANY_TENSE = re.compile(r"could|couldn't|would|wouldn't|should|shouldn't|may|might|must|ought|if|wish|.+'d")
_PLANNED = {"going", "coming", "leaving", "arriving", "returning"}  # "We are coming on Monday" speaks of the future


def tenses_of_source(source: str) -> set[str]:
    """Returns the tenses that an English sentence allows, a set of `past`, `present` and `future`.

    Auxiliaries, words of time and past forms show it; a sentence without any of them is in the present. Forms that may
    be past or present (put, has gone), verbs of motion in -ing, "have to" and modal verbs (could, should) allow more
    than one tense.
    """
    words = [word.casefold() for word in split_words(source)]
    if any(map(_ANY_TENSE.fullmatch, words)):
        return {*_TENSES_OF_WORDS}
    tenses_there = {tense for tense, form in _TENSES_OF_WORDS.items() if any(map(form.fullmatch, words))}
    if not tenses_there & {"past", "future"}:
        tenses_there.add("present")
    if _PLANNED.intersection(words) or any(
        word in {"have", "has", "need"} and after == "to" for word, after in itertools.pairwise(words)
    ):
        tenses_there.add("future")
    return tenses_there


def wrong_tense(source: str, hypothesis: str, references: Sequence[str]) -> bool | None:
    """The tense of its last verb (past, present, future) is that of no reference, nor does the source allow it.

    Cannot tell: where the translation's or every reference's form is not recognised (`tenses` says which); where a
    modal verb leaves the tense open ("You should go").
    Misses: the perfect instead of past or present; the tenses of other clauses; what the source seems to allow ("I put
    it here" may be present).
    False alarms: clauses in another order; idioms ("I like it": मला ते आवडलं, literally "I liked it").
    """
    written, expected = tenses(hypothesis), set().union(*map(tenses, references))
    allowed = expected | tenses_of_source(source)
    if not written or not expected or len(allowed) == 3:
        return None
    return not written & allowed


# --- names


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


def missing_name(names: Mapping[str, str], source: str, hypothesis: str, references: Sequence[str]) -> bool | None:
    """It lacks a name whose Marathi form is known from training and is in every reference.

    Cannot tell: where the source has no known name; names that occur once or never in training.
    Misses: a wrong case ending of the right name.
    False alarms: a right name in a spelling that neither training nor the references have.
    """
    known = {names[word.casefold()] for word in _source_words(source) if word.casefold() in names}
    expected = [name for name in known if all(_has(name, text) for text in references)]
    if not references or not expected:
        return None
    return not all(_has(name, hypothesis) for name in expected)


def _has(beginning: str, text: str) -> bool:
    return any(word.startswith(beginning) for word in words_of(text))


# --- dropped, repeated and copied words


def dropped_words(source: str, hypothesis: str, references: Sequence[str]) -> bool | None:
    """It has less than 60 % of the words of the shortest reference; without references it cannot be judged.

    Misses: a dropped word together with an added one, or in a short sentence.
    False alarms: a right translation that is much terser than the references.
    """
    if not references:
        return None
    return len(words_of(hypothesis)) < 0.6 * min(len(words_of(text)) for text in references)


# Repeated on purpose: "slowly", "one by one", "sometimes", "who all" …
_SAID_TWICE = re.compile(
    "हळू|एक|दोन|काही|(जे|ते|के)व्हा|कधी|काय|कोण|कुठे|खूप|पुन्हा|परत|रोज|लवकर|छान|लहान|मोठ(ी|े|्या)|गरम|नवीन|जवळ|मागे|.+(ता|ून|ऊन)"
)


def repeated_words(source: str, hypothesis: str, references: Sequence[str]) -> bool:
    """It repeats a word, or two words together, as no reference does.

    Allowed: what Marathi repeats on purpose (हळू हळू, एक एक; verbs in -ता and -ऊन: बोलता बोलता, बघून बघून).
    Misses: repetitions with another word between them. False alarms: rare repetitions that are meant.
    """
    repeated = _repetitions(hypothesis).difference(*map(_repetitions, references))
    return any(len(phrase) == 2 or not _SAID_TWICE.fullmatch(phrase[0]) for phrase in repeated)


def _repetitions(text: str) -> set[tuple[str, ...]]:
    words, repeated = split_words(text), set()
    for size in (1, 2):
        for i in range(len(words) - 2 * size + 1):
            phrase = tuple(words[i : i + size])
            if [*phrase] == words[i + size : i + 2 * size] and not any(map(is_mark, phrase)):
                repeated.add(phrase)
    return repeated


def copied_source(source: str, hypothesis: str, references: Sequence[str]) -> bool:
    """It has a word in Latin letters that no reference has.

    Misses: English words spelled in Devanagari. False alarms: names and units that may stay in Latin letters.
    """
    return bool(_latin_words(hypothesis).difference(*map(_latin_words, references)))


def _latin_words(text: str) -> set[str]:
    return {word.casefold() for word in words_of(text) if re.search("[A-Za-z]", word)}
