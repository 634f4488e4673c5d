"""Simple rules, one a kind of error, that find errors of translations into Marathi by words and word endings.

A rule is given a source, a translation of it and the source's references. It answers True where it finds its error,
False where it looked and found none, and None where it cannot tell. What one of the references does is never an error.
Each rule says what it misses and what false alarms it raises; `errors.error_report` counts how often it would blame
the references themselves.
"""

import collections
import itertools
import re

from .marathi_forms import genders_of_i, genders_of_you, is_mark, registers, split_words, tenses, words_of


def _unlike_all(forms, hypothesis, references):
    """Tells whether the forms that a text shows, a set, are those of no reference; None where either shows none."""
    found, expected = forms(hypothesis), set().union(*map(forms, references))
    return not found & expected if found and expected else None


def other_register(source, hypothesis, references):
    """It says तू where the references say तुम्ही, or the other way round.

    Misses: forms that both share (जा, राहा), rare command forms, आपण for "you"; without the word तुम्ही its habituals
    (कुठे राहता) and its pasts in -लीत, -लेत and, of most verbs, -लात.
    False alarms: English leaves the choice open, and the references need not have both.
    """
    return _unlike_all(registers, hypothesis, references)


def mixed_registers(source, hypothesis, references):
    """It says both तू and तुम्ही, as no reference does.

    Misses: as `other_register`. False alarms: "you and Tom" (तू आणि टॉम … आहात); two speakers.
    """
    found = registers(hypothesis)
    return len(found) > 1 and not any(found <= registers(text) for text in references) if found else None


def other_gender_of_you(source, hypothesis, references):
    """The verb of तू has a gender (करतोस or करतेस) that no reference has.

    Misses: तुम्ही, whose verbs show no gender; pasts that agree with their object (केलास).
    False alarms: English leaves the choice open, and the references need not have both.
    """
    return _unlike_all(genders_of_you, hypothesis, references)


def other_gender_of_i(source, hypothesis, references):
    """The verb of मी has a gender (करतो or करते) that no reference has.

    Misses: sentences without the word मी; pasts that agree with their object (मी केला); असतो and असते.
    False alarms: another subject's verb in the sentence; and English leaves the choice open.
    """
    return _unlike_all(genders_of_i, hypothesis, references)


def other_tense(source, hypothesis, references):
    """Its last verb is in a tense (past, present or future) that no reference's last verb is in.

    Misses: forms that are not recognised; the perfect instead of past or present; tenses of other clauses.
    False alarms: clauses in another order; where English leaves the tense open ("I put it here").
    """
    return _unlike_all(tenses, hypothesis, references)


# --- names


def _source_words(source):
    return [re.sub(r"'s?$", "", word) for word in split_words(source)]


def learn_names(pairs, least=0.6):
    """Learns from sentence pairs how names are written in Marathi.

    A name is a word that is capitalised inside sentences and hardly ever in small letters there. Its counterpart is
    the beginning of words (टॉम of टॉम, टॉमला, टॉमच्या) that goes with it most faithfully, by the Dice coefficient
    2 · pairs with both / (pairs with the name + pairs with the beginning); of equals the shortest.

    Args:
        pairs: iterable of (source, target) or `Pair`, of the training split.
        least: float. Least coefficient; names that fewer than two pairs show are left out as well.

    Returns:
        Dict of names, case folded, to beginnings of three code points or more.

    Source: Dice 1945, "Measures of the amount of ecologic association between species".
    """
    rows = []
    capital, small = collections.Counter(), collections.Counter()
    for source, target, *_ in pairs:
        words = _source_words(source)
        for before, word in itertools.pairwise(words):
            if not is_mark(before) and not re.match("I('|$)", word):
                (capital if word[:1].isupper() else small)[word.casefold()] += 1
        beginnings = {word[:n] for word in words_of(target) for n in range(3, len(word) + 1)}
        rows.append(({word.casefold() for word in words}, beginnings))
    with_name, together = collections.Counter(), collections.defaultdict(collections.Counter)
    for words, beginnings in rows:
        for name in words:
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


def missing_name(names, source, hypothesis, references):
    """It lacks a name whose Marathi form is known from training and is in every reference.

    Misses: names that training has once or never; a wrong case ending of the right name.
    False alarms: a right name in a spelling that neither training nor the references have.
    """
    known = {names[word.casefold()] for word in _source_words(source) if word.casefold() in names}
    expected = [name for name in known if all(_has(name, text) for text in references)]
    return not all(_has(name, hypothesis) for name in expected) if expected else None


def _has(beginning, text):
    return any(word.startswith(beginning) for word in words_of(text))


# --- dropped, repeated and copied words


def dropped_words(source, hypothesis, references):
    """It has less than 60 % of the words of the shortest reference.

    Misses: a dropped word beside an added one, or in a short sentence. False alarms: what is right and much terser.
    """
    return len(words_of(hypothesis)) < 0.6 * min(len(words_of(text)) for text in references)


# Said twice on purpose: "slowly", "one by one", "sometimes", "who all" …
_SAID_TWICE = re.compile(
    "हळू|एक|दोन|कधी|काय|कोण|कुठे|खूप|पुन्हा|परत|रोज|लवकर|छान|लहान|मोठ(ी|े|्या)|गरम|नवीन|जवळ|मागे|.+(ता|ून|ऊन)"
)


def repeated_words(source, hypothesis, references):
    """A word, or two words together, comes twice in a row, as in no reference.

    Let pass: what Marathi says twice on purpose (हळू हळू, एक एक; verbs in -ता and -ऊन: बोलता बोलता, बघून बघून).
    Misses: repetitions with something between. False alarms: rare doublings that are meant.
    """
    found = _repetitions(hypothesis).difference(*map(_repetitions, references))
    return any(len(phrase) == 2 or not _SAID_TWICE.fullmatch(phrase[0]) for phrase in found)


def _repetitions(text):
    words, found = split_words(text), set()
    for size in (1, 2):
        for i in range(len(words) - 2 * size + 1):
            phrase = tuple(words[i : i + size])
            if [*phrase] == words[i + size : i + 2 * size] and not any(map(is_mark, phrase)):
                found.add(phrase)
    return found


def copied_source(source, hypothesis, references):
    """It has a word in Latin letters that no reference has.

    Misses: English words spelled in Devanagari. False alarms: names and units that may stay in Latin letters.
    """
    return bool(_latin_words(hypothesis).difference(*map(_latin_words, references)))


def _latin_words(text):
    return {word.casefold() for word in words_of(text) if re.search("[A-Za-z]", word)}
