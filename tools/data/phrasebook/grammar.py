"""The phrasebook's grammar: Marathi inflection, English and Marathi phrases side by side, and templates' slots.

Words carry tags, `word/tag`: words of the two languages that share a tag are translations of one another, or, where a
question mark follows the tag on either side, possibly so: `the/O1? book/O1`.
"""

import functools
import itertools
from typing import NamedTuple

from . import lexicon
from .lexicon import ADJECTIVES, NOUNS, NUMBERS, POSSESSIVES, PRONOUNS, VERBS

MARKS = (".", "?", ",", "!")
ARTICLES = ("a", "an", "the")


class Part(NamedTuple):
    """A piece of a sentence in both languages, its words tagged; `gender_number` is ms, fs, ns, mp, fp or np."""

    en: str
    mr: str
    gender_number: str = ""


# --- Inflection -----------------------------------------------------------------------------------------------------

_GENDER_NUMBER = {"ms": "ा", "fs": "ी", "ns": "ं", "mp": "े", "fp": "्या", "np": "ी"}
PRESENT = {"1ms": "तो", "1fs": "ते", "1mp": "तो", "2ms": "तोस", "2fs": "तेस", "2mp": "ता"}
PRESENT |= {"3ms": "तो", "3fs": "ते", "3ns": "तं", "3mp": "तात", "3fp": "तात", "3np": "तात"}
_PAST = {"1ms": "ो", "1fs": "े", "1mp": "ो", "2ms": "ास", "2fs": "ीस", "2mp": "ात"}
_AM = {"1s": "आहे", "1p": "आहोत", "2s": "आहेस", "2p": "आहात", "3s": "आहे", "3p": "आहेत"}
_NOT = {"1s": "नाही", "1p": "नाही", "2s": "नाहीस", "2p": "नाही", "3s": "नाही", "3p": "नाहीत"}


def agree(stem, gender_number):
    """Adds gender and number to a stem: agree("चांगल", "fs") is चांगली; "fp" is also everybody's oblique, चांगल्या."""
    ending = _GENDER_NUMBER[gender_number]
    if stem.endswith("र") and ending == "्या":
        stem = stem[:-1] + "ऱ"  # पांढऱ्या
    return stem + ending


def adjective(word, gender_number):
    """Returns the form of an adjective: adjective("good", "ns") is चांगलं; लाल stays as it is."""
    entry = ADJECTIVES[word]
    return agree(entry.mr, gender_number) if entry.inflects else entry.mr


def _short(agreement):
    return agreement[0] + agreement[2]


def am(agreement):
    """Returns the copula: am("3mp") is आहेत."""
    return _AM[_short(agreement)]


def am_not(agreement):
    """Returns the negative copula, which also negates verbs: am_not("3mp") is नाहीत."""
    return _NOT[_short(agreement)]


def present(verb, agreement):
    """Returns the habitual present: present(eat, "3fs") is खाते."""
    return f"{verb.prefix} {verb.habitual}{PRESENT[agreement]}".strip()


def participle(verb):
    """Returns the form before आहे and नाही: participle(eat) is खात."""
    return f"{verb.prefix} {verb.participle}".strip()


def future(verb, agreement):
    """Returns the future: future(eat, "1ms") is खाईन, future(eat, "3mp") खातील."""
    forms = dict(zip(("1s", "1p", "2p", "3s"), verb.future, strict=True))
    forms |= {"2s": verb.habitual + "शील", "3p": verb.habitual + "तील"}
    return f"{verb.prefix} {forms[_short(agreement)]}".strip()


def agent(verb):
    """Returns the form of plans and of the negative future: agent(eat) is खाणार."""
    return f"{verb.prefix} {verb.habitual}णार".strip()


def able(verb):
    """Returns the form before शकणे, "can": able(eat) is खाऊ."""
    return f"{verb.prefix} {verb.future[1]}".strip()


def skilled(verb):
    """Returns the form before येणे, "to know how to": skilled(swim) is पोहता."""
    return f"{verb.prefix} {verb.habitual}ता".strip()


def wish(verb, gender_number):
    """Returns the form of what one wants to do: wish(eat, "fs") is खायची, said of a भाकरी."""
    return f"{verb.prefix} {agree(verb.wish, gender_number)}".strip()


def past(stem, agreement):
    """Returns a past that agrees with its subject: past("गेल", "3fs") is गेली, past("होत", "1ms") is होतो."""
    return stem + _PAST[agreement] if agreement in _PAST else agree(stem, agreement[1:])


def ergative_past(verb, gender_number, agreement="3ms"):
    """Returns a past that agrees with its object: वाचलं of a पुस्तक; तू adds स and तुम्ही त: वाचलंस, वाचलंत."""
    person = {"2s": "स", "2p": "त"}.get(_short(agreement), "")
    return f"{verb.prefix} {agree(verb.past, gender_number)}{person}".strip()


def again(who):
    """Returns he, she or they for someone already named; Marathi keeps gender and respect: ती, ते, त्या."""
    he, she, they = (PRONOUNS[name] for name in ("he", "she", "they"))
    if who.agreement[0] != "3" or who in (he, she, they):
        return who
    pronoun = they if who.en_number == "p" else she if who.agreement == "3fs" else he
    nominative = {"3ms": "तो", "3fs": "ती", "3ns": "ते", "3mp": "ते", "3fp": "त्या", "3np": "ती"}[who.agreement]
    cases = they if who.agreement[2] == "p" else pronoun
    return pronoun._replace(
        agreement=who.agreement, nominative=nominative, ergative=cases.ergative, dative=cases.dative
    )


# --- Parts of sentences ---------------------------------------------------------------------------------------------


def _possible(tags):
    return "+".join(f"{tag.rstrip('?')}?" for tag in tags.split("+"))


@functools.cache
def tag(words, tags):
    """Tags each word but marks, articles as possible links: tag("to the market", "L") is "to/L the/L? market/L".

    A tag with an exclamation mark goes to the last word alone: tag("विकत घेतलं", "V+F!") is "विकत/V घेतलं/V+F".
    """
    tagged, last = [], len(words.split()) - 1
    for place, word in enumerate(words.split()):
        own = "+".join(t.rstrip("!") for t in tags.split("+") if place == last or not t.endswith("!"))
        tagged.append(word if word in MARKS else f"{word}/{_possible(own) if word in ARTICLES else own}")
    return " ".join(tagged)


@functools.cache
def part(en, mr, name, gender_number=""):
    """Returns a `Part`: word by word where both sides have as many words without articles, else all with all.

    An article is linked, as possible, with what the last word is linked with, the noun.
    """
    numbers, size = itertools.count(1), len(mr.split())
    if sum(word not in ARTICLES for word in en.split()) != size:
        return Part(tag(en, name), tag(mr, name), gender_number)
    tags = (f"{size}?" if word in ARTICLES else next(numbers) for word in en.split())
    english = " ".join(f"{w}/{name}{t}" for w, t in zip(en.split(), tags, strict=True))
    return Part(english, " ".join(f"{w}/{name}{n}" for n, w in enumerate(mr.split(), 1)), gender_number)


def with_postposition(preposition, person, mr, name="R"):
    """Links the preposition to the last Marathi word, which has its ending: to my mother, माझ्या आईला."""
    whom = part(person.en_object, mr, name)
    last = whom.mr.split()[-1].partition("/")[2]
    return Part(f"{tag(preposition, last)} {whom.en}".strip(), whom.mr)


def article(words):
    """Puts a or an before words, by sound: an egg, a red book, an honest boy."""
    return f"{'an' if words.startswith((*'aeiou', 'honest')) else 'a'} {words}"


def thing(noun, kind="a", word="", owner="", name="O"):
    """Returns a noun with what stands before it: दोन आंबे, चांगलं पुस्तक, माझी किल्ली.

    Args:
        noun: `Noun`. One without a plural takes neither a nor a number.
        kind: "a", "one" (a, said as एक), "the", "many", "the many", "bare", or an English number word.
        word: an English adjective, or none.
        owner: one of `POSSESSIVES`, instead of an article; or none.
        name: tag.
    """
    many = bool(noun.en_plural) and kind not in ("a", "one", "the", "bare")
    gender_number = noun.gender + ("p" if many else "s")
    en, mr = (noun.en_plural, noun.mr_plural) if many else (noun.en, noun.mr)
    if word:
        en, mr = f"{word} {en}", f"{adjective(word, gender_number)} {mr}"
    if owner:
        en, mr = f"{owner} {en}", f"{agree(POSSESSIVES[owner], gender_number)} {mr}"
    elif kind in NUMBERS:
        en, mr = f"{kind} {en}", f"{NUMBERS[kind]} {mr}"
    elif kind in ("the", "the many"):
        en = f"the {en}"
    elif kind in ("a", "one") and noun.en_plural:
        en = article(en)
    whole = part(en, mr, name, gender_number)
    if kind == "one":
        indefinite, _, others = whole.en.partition(" ")
        return Part(f"{indefinite.partition('/')[0]}/{name}0 {others}", f"एक/{name}0 {whole.mr}", gender_number)
    return whole


def located(preposition, noun, postposition, word="", owner=""):
    """Returns where something is, with oblique forms: on the old table, जुन्या टेबलावर; in my bag, माझ्या पिशवीत."""
    own = [(owner, agree(POSSESSIVES[owner], "fp"))] if owner else []
    own += [(word, adjective(word, "fp"))] if word else []
    the = [] if owner else [tag("the", "L")]
    en = [tag(preposition, "L"), *the, *(tag(e, f"L{n}") for n, (e, _) in enumerate(own)), f"{noun}/L"]
    mr = [*(tag(m, f"L{n}") for n, (_, m) in enumerate(own)), f"{NOUNS[noun].oblique}{postposition}/L"]
    return Part(" ".join(en), " ".join(mr))


# --- Scenes: who does what to what, where and when ------------------------------------------------------------------


class Scene(NamedTuple):
    """What the slots of a template are filled from; a frame sets what its templates ask for."""

    who: object = PRONOUNS["he"]
    verb: object = None
    noun: object = None
    kind: str = "a"
    word: str = ""
    owner: str = ""
    whom: object = None
    time: tuple = ()
    place: object = None
    spot: tuple = ()
    pointer: str = ""

    @property
    def agreement(self):
        """The agreement of a verb with the object: 3ms for an आंबा."""
        noun = self.noun
        return f"3{noun.gender}{'p' if noun.en_plural and self.kind not in ('a', 'one', 'the', 'bare') else 's'}"


POINTERS = {
    "this": {"ms": "हा", "fs": "ही", "ns": "हे"},
    "that": {"ms": "तो", "fs": "ती", "ns": "ते"},
    "these": {"mp": "हे", "fp": "या", "np": "ही"},
    "those": {"mp": "ते", "fp": "त्या", "np": "ती"},
}

# Slots that hold both languages, tagged already.
PARTS = {
    "S": lambda c: part(c.who.en, c.who.nominative, "S"),
    "S-by": lambda c: part(c.who.en, c.who.ergative, "S"),
    "S-to": lambda c: part(c.who.en, c.who.dative, "S"),
    "S-near": lambda c: part(c.who.en, c.who.oblique + "कडे", "S"),
    "O": lambda c: thing(c.noun, c.kind, c.word, c.owner),
    "N": lambda c: thing(c.noun, c.kind, "", c.owner),
    "R": lambda c: with_postposition("", c.whom, c.whom.dative),
    "R-to": lambda c: with_postposition("to", c.whom, c.whom.dative),
    "R-for-whom": lambda c: with_postposition("", c.whom, c.whom.oblique + "साठी"),
    "R-for": lambda c: with_postposition("for", c.whom, c.whom.oblique + "साठी"),
    "R-with": lambda c: with_postposition("with", c.whom, c.whom.oblique + ("शी" if c.verb.en == "talk" else "बरोबर")),
    "R-than": lambda c: with_postposition("than", c.whom, c.whom.oblique + "पेक्षा"),
    "call": lambda c: Part(f"{c.whom.en}/H ,", f"{c.whom.nominative}/H ,"),
    "T": lambda c: part(*c.time, "T"),
    "to": lambda c: Part(*(tag(side, "L") for side in c.place.to)),
    "at": lambda c: Part(*(tag(side, "L") for side in c.place.at)),
    "from": lambda c: Part(*(tag(side, "L") for side in c.place.source)),
    "spot": lambda c: located(*c.spot),
    "role": lambda c: part(article(c.noun[0]), c.noun[1], "O"),
    "meal": lambda c: thing(c.whom, "bare", name="M"),
    "taller": lambda c: Part(lexicon.COMPARATIVES[c.word].replace("more ", "more/J?+M? ") + "/J", ""),
    "this": lambda c: Part(f"{c.pointer}/D", f"{POINTERS[c.pointer][c.agreement[1:]]}/D"),
}
# Slots of the English side: `eats` is whichever form the verb of the scene has there.
ENGLISH = {
    "be": lambda c: {"I": "am", "s": "is", "p": "are"}[c.who.en_number],
    "was": lambda c: "were" if c.who.en_number == "p" else "was",
    "do": lambda c: "does" if c.who.en_number == "s" else "do",
    "don't": lambda c: "doesn't" if c.who.en_number == "s" else "don't",
    "know": lambda c: "knows" if c.who.en_number == "s" else "know",
    "have": lambda c: "has" if c.who.en_number == "s" else "have",
    "want": lambda c: "wants" if c.who.en_number == "s" else "want",
    "like": lambda c: "likes" if c.who.en_number == "s" else "like",
    "eat": lambda c: c.verb.en,
    "eats": lambda c: c.verb.en_s if c.who.en_number == "s" else c.verb.en,
    "eating": lambda c: c.verb.en_ing,
    "ate": lambda c: c.verb.en_past,
    "eaten": lambda c: c.verb.en_participle,
    "O-be": lambda c: "are" if c.agreement.endswith("p") else "is",
    "O-was": lambda c: "were" if c.agreement.endswith("p") else "was",
    "good": lambda c: c.word,
}
# Slots of the Marathi side.
MARATHI = {
    "be": lambda c: am(c.who.agreement),
    "not": lambda c: am_not(c.who.agreement),
    "not-now": lambda c: "नाहीयेत" if c.who.agreement.endswith("p") else "नाहीये",
    "was": lambda c: past("होत", c.who.agreement),
    "was-not": lambda c: past("नव्हत", c.who.agreement),
    "eats": lambda c: present(c.verb, c.who.agreement),
    "eating": lambda c: participle(c.verb),
    "will-eat": lambda c: future(c.verb, c.who.agreement),
    "to-eat": lambda c: agent(c.verb),
    "eat": lambda c: able(c.verb),
    "skilled": lambda c: skilled(c.verb),
    "can": lambda c: present(VERBS["can"], c.who.agreement),
    "went": lambda c: past(c.verb.past, c.who.agreement),
    "ate": lambda c: ergative_past(c.verb, c.agreement[1:], c.who.agreement),
    "eaten": lambda c: ergative_past(c.verb, c.agreement[1:]),
    "ate-it": lambda c: ergative_past(c.verb, "ns", c.who.agreement),
    "wish": lambda c: wish(c.verb, c.agreement[1:]),
    "wanted": lambda c: agree("हव", c.agreement[1:]),
    "pleases": lambda c: "आवड" + PRESENT[c.agreement],
    "eat!": lambda c: f"{c.verb.prefix} {c.verb.imperative[0]}",
    "eat-please": lambda c: f"{c.verb.prefix} {c.verb.imperative[1]}",
    "O-be": lambda c: am(c.agreement),
    "O-not": lambda c: am_not(c.agreement),
    "O-was": lambda c: past("होत", c.agreement),
    "good": lambda c: adjective(c.word, c.who.agreement[1:]),
    "O-good": lambda c: adjective(c.word, c.agreement[1:]),
    "whose": lambda c: agree("कोणाच", c.agreement[1:]),
}


def fill(template, scene, marathi=False):
    """Fills one side's template: each slot by its function, the tags after it on every word of it.

    After a slot that is tagged already, they are added to its last word: `{S-to}/P`, the owner's ending.
    """
    words = []
    for cell in template.split():
        name, _, tags = cell.partition("/")
        if not name.startswith("{"):
            words.append(cell)
        elif (name := name[1:-1]) in PARTS:
            words.append(PARTS[name](scene)[marathi] + (f"+{tags}" if tags else ""))
        else:
            words.append(tag((MARATHI if marathi else ENGLISH)[name](scene), tags))
    return " ".join(words)
