"""Frames of one construction each: genitives, comparison, respect, conditions, relative clauses, long sentences.

`{thing}` stands for any entry of the table `thing`, `{thing2}` for another one, and `{thing'}` for the same one again,
which has links of its own. What a slot asks for stands with its name:

    {who.ने} {who.ला} {city.पेक्षा}       Marathi cases and postpositions, added to the oblique form
    {who.च:thing} {who.च:fp}             Marathi genitive, which agrees: राहुलची, माझं; fp is the oblique, राहुलच्या
    {who.me} {who.my} {who.he}           English him, his; in both languages he, तो
    {गेलो:who} {करतो:who} {मोठा:thing}     Marathi, written as a man says it of himself or as of a man, and inflected
    {am|are|is:who} {go|goes:who}        English of the number of the subject
"""

import itertools
import math
import re

from .grammar import POINTERS, PRESENT, again, agree, am, am_not, future, part, past, tag
from .grammar_tables import FRAMES, TABLES
from .lexicon import NAMES, PEOPLE, PLACES, POSSESSIVES, VERBS, person

VERB_TABLES = ("act", "hobby", "task")
MOST = 60  # sentences that are made of each line
_NAME = re.compile(r"\{([a-z]+\d?)'?[.:}]|:([a-z]+\d?)\}")
_PRONOUNS = {"I": "my", "we": "our", "you": "your", "he": "his", "she": "her", "they": "their"}
_AGAIN = ("he", "him", "his", "तो", "त्याने", "त्याला")
_FUTURES = {verb.future[3]: verb for verb in VERBS.values()}


def _entries(table):
    """Returns the entries `English: Marathi, oblique, gender and number` of a table; mR is of respect.

    Words without gender have the first two alone.
    """
    for line in " ".join(table.split()).split(";"):
        en, _, rest = (cell.strip() for cell in line.partition(":"))
        mr, oblique, gender_number = [*(cell.strip() for cell in rest.split(",")), "", ""][:3]
        number = "p" if gender_number.endswith("p") else "s"
        agreement = gender_number.replace("R", "p")
        yield person(en, agreement if agreement[:1] in ("", "1") else f"3{agreement}", number, mr, oblique or mr)


def _tables():
    """Returns the tables: those of words, and people of the lexicon by gender."""
    third = [who for who in PEOPLE.values() if who.agreement[0] == "3"]
    single = [who for who in third if who.en in NAMES or (who.en.startswith("my ") and who.en != "my friends")]
    tables = {name: list(_entries(table)) for name, table in TABLES.items()}
    tables |= {"any": list(PEOPLE.values()), "who": [who for who in PEOPLE.values() if who.en != "you"]}
    tables |= {"third": third, "owner": single}
    tables["he"] = [PEOPLE[name] for name in ("he", "she", "they")]
    tables["one"] = [who for who in single if who.agreement != "3mp"] + tables["he"][:2]
    tables["young"], tables["younger"] = (
        [PEOPLE[pronoun], PEOPLE[f"my {kin}"], *(who for who in NAMES.values() if who.agreement == agreement)]
        for pronoun, kin, agreement in (("he", "brother", "3ms"), ("she", "sister", "3fs"))
    )
    tables["friend"] = [*NAMES.values(), PEOPLE["my friend"], PEOPLE["my sister"]]
    pupils = ("the boy", "the girl", "the girls", "the student", "my brother", "my sister", "my friends", "he", "she")
    tables["pupil"] = [*NAMES.values(), *(PEOPLE[pupil] for pupil in pupils)]
    tables["dearest"] = [PEOPLE[name] for name in ("he", "she", "they", "my mother", "my grandmother", "my sister")]
    tables["name"] = list(NAMES.values())
    tables["in"] = [person(place.at[0], "", "", place.at[1], "") for place in PLACES if place.kind == "town"]
    tables["to"] = [person(place.to[0], "", "", place.to[1], "") for place in PLACES]
    return tables


def _joined(stem, ending):
    """Adds an ending to an oblique or a verb's stem: कर and ू is करू, जा and ू is जाऊ."""
    if stem.endswith("ा") and ending[0] in "ाेू":
        ending = {"ा": "", "े": "ई", "ू": "ऊ"}[ending[0]] + ending[1:]
    return stem + ending


# --- Slots ------------------------------------------------------------------------------------------------------------


def inflected(words, agreement):
    """Inflects the last word, and others that a ~ follows, from the forms named at the top of the module."""
    *others, last = words.split()
    others = [inflected(word[:-1], agreement) if word.endswith("~") else word for word in others]
    return " ".join([*others, _inflected_word(last, agreement)])


def _inflected_word(word, agreement):
    if word in ("आहे", "नाही"):
        return am(agreement) if word == "आहे" else am_not(agreement)
    if word in POINTERS["this"].values() or word == "तो":
        number = ("these", "those") if agreement.endswith("p") else ("this", "that")
        return POINTERS[number[word == "तो"]][agreement[1:]]
    if word.endswith(("ेल", "ईल", "ील")):
        endings = ("ेन", "ू", "ाल", "ेल") if word.endswith("ेल") else ("ईन", "ऊ", "ाल", "ईल")
        regular = VERBS["read"]._replace(habitual=word[:-2], future=[word[:-2] + ending for ending in endings])
        return future(_FUTURES.get(word, regular)._replace(prefix=""), agreement)
    if word.endswith("तो") and word not in ("होतो", "नव्हतो", "असतो", "नसतो"):
        return word[:-2] + PRESENT[agreement]
    if word.endswith("ो"):
        return past(word[:-1], agreement)
    return agree(word[:-1], agreement[1:]) if word.endswith("ा") else word


def _english(who, form):
    """Returns the English of an entry: him, his (Rahul's), or he and his of somebody named before."""
    if form == "me":
        return who.en_object
    if form == "my":
        return _PRONOUNS.get(who.en, who.en + ("'" if who.en.endswith("s") else "'s"))
    if form in _AGAIN:
        pronoun = again(who)
        return {"he": pronoun.en, "him": pronoun.en_object, "his": _PRONOUNS[pronoun.en]}[form]
    return who.en


def _of_number(forms, number):
    """Returns the form of an English verb: of "am|are|is", "go|goes" or just "went"."""
    forms = forms.split("|")
    return forms[{"I": 0, "p": len(forms) == 3, "s": -1}[number]]


def _marathi(who, form, agreement):
    """Returns the Marathi of an entry, in a case or inflected."""
    cases = {"ने": who.ergative, "ला": who.dative, "सुद्धा": who.nominative + form}
    if form in cases:
        return cases[form]
    if form == "च":
        owned = _PRONOUNS.get(who.en)
        return agree(POSSESSIVES[owned] if owned else who.oblique + "च", agreement[1:])
    if form in _AGAIN:
        pronoun = again(who)
        return {"तो": pronoun.nominative, "त्याने": pronoun.ergative, "त्याला": pronoun.dative}[form]
    if form:
        return _joined(who.oblique, inflected(form, agreement) if agreement else form)
    return inflected(who.nominative, agreement) if agreement else who.nominative


def _in_order(words, turned):
    return " ".join(reversed(words.split())) if turned else words


def _slot(slot, tags, roles, marathi):
    """Returns the tagged words of a slot; linked as `part` does, a verb's words in reverse order."""
    name, _, whose = slot.partition(":")
    name, _, form = name.partition(".")
    role, whom = roles.get(name.rstrip("'")), roles.get(whose)
    agreement = whom.agreement if whom else whose and "3" + whose
    if role is None:
        return tag(inflected(name, agreement) if marathi else _of_number(name, whom.en_number), tags)
    if form in _AGAIN:
        name += "again"
        words = tag(_marathi(role, form, agreement) if marathi else _english(role, form), name)
    elif marathi:
        verb = (whose and form != "च") or name in VERB_TABLES  # its object is on the other side of it
        words = _in_order(_marathi(role, form, agreement), verb)
        words = _in_order(part(role.en, words, name).mr, verb)
    else:
        words = part(_english(role, form), role.nominative, name).en
    return words + (f"+{tags}" if tags else "")


def _filled(template, roles, marathi=False):
    """Fills one side's template; tags after a slot are added to its last word."""
    cells = (cell.partition("/") for cell in template.split())
    text = " ".join(
        _slot(slot[1:-1], tags, roles, marathi) if slot.startswith("{") else slot + mark + tags
        for slot, mark, tags in cells
    )
    return re.sub(r"(?<!\S)a/(?=\S+ [aeiou])", "an/", text)


def _sentences(rows, tables):
    """Yields the tagged sentences of a frame: at most `MOST` of each of its lines, from all over the tables."""
    for english, marathi in rows:
        found = itertools.chain.from_iterable(_NAME.findall(f"{english} {marathi}"))
        names = [name for name in dict.fromkeys(found) if name.rstrip("2") in tables]
        choices = [tables[name.rstrip("2")] for name in names]
        total = math.prod(map(len, choices))
        step = next(step for step in itertools.count(total * 618 // 1000 + 1) if math.gcd(step, total) == 1)
        for number in range(min(MOST, total)):
            rest, roles = number * step % total, {}
            for name, entries in zip(names, choices, strict=True):
                rest, place = divmod(rest, len(entries))
                roles[name] = entries[place]
            if len({role.en.split()[-1] for role in roles.values()}) == len(roles):  # not for his sister and my sister
                yield _filled(english, roles), _filled(marathi, roles, marathi=True)


def frames():
    """Returns {frame's name: (how many sentences to take, its tagged sentences)}."""
    tables, found = _tables(), {}
    for line in FRAMES.strip().splitlines():
        head, *row = (cell.strip() for cell in line.split(" | "))
        if not row:
            name, quota = head.split()
            found[name] = (int(quota), [])
        else:
            found[name][1].append((head, *row))
    return {name: (quota, _sentences(rows, tables)) for name, (quota, rows) in found.items()}
