"""An embedded corpus: everyday English sentences with their Marathi, composed from a lexicon and an explicit grammar.

Nothing here is quoted from anywhere, so the file is free of other people's rights, and since each Marathi word is put
down next to the English words it translates, the alignment is known and not guessed.

A frame is a pair of templates. A slot in braces is filled by a function of the scene, who does what to what; a tag
after a slash names a link, and words of the two sides that share a tag are linked:

    {S} {be}/A {eating}/V {O} .       She/S1 is/A reading/V a/O1? book/O1 .
    {S} {O} {eating}/V {be}/A .       ती/S1 पुस्तक/O1 वाचत/V आहे/A .

A question mark after a tag makes its links possible, not sure (`did/F?`), as it does for articles of themselves; an
exclamation mark gives the tag to the last word of its slot alone (`{will-eat}/V+F!`: विकत/V घेईल/V+F).
"""

import collections
import functools
import hashlib
import itertools
import re
from pathlib import Path
from typing import NamedTuple

from nmt_attention.corpus import sentence_words
from nmt_attention.disk.files import atomic_write
from nmt_attention.disk.pairs import DATA_DIRECTORY

from . import daily, grammar_frames, lexicon
from .grammar import MARKS, Part, Scene, again, fill
from .lexicon import NAMES, NOUNS, PEOPLE, POSSESSIVES, PRONOUNS, VERBS

DEFAULT_PATH = DATA_DIRECTORY / "phrasebook.tsv"
ENOUGH = 5  # pairs that each word form should occur in

# What `make demo`, the README and the lessons translate for show. The corpus has all their words and none of these
# sentences, so that a model trained on it has not seen them.
SHOWN = {
    "Rahul is a good boy.": "राहुल चांगला मुलगा आहे.",
    "Dad bought me a camera.": "बाबांनी माझ्यासाठी कॅमेरा विकत घेतला.",
    "Where is my book?": "माझं पुस्तक कुठे आहे?",
    "I don't know his name.": "मला त्याचं नाव माहीत नाही.",
    "She is reading a book.": "ती पुस्तक वाचत आहे.",
    "We are going to school tomorrow.": "आम्ही उद्या शाळेत जाणार आहोत.",
    "What did you eat?": "तुम्ही काय खाल्लंत?",
    "Tom can't swim.": "टॉमला पोहता येत नाही.",
    "The dog is under the table.": "कुत्रा टेबलाखाली आहे.",
    "They live in Mumbai.": "ते मुंबईत राहतात.",
    "I bought a red sari.": "मी लाल साडी विकत घेतली.",
    "My father likes milk.": "माझ्या वडिलांना दूध आवडतं.",
    "The phones are not in her bag.": "फोन तिच्या पिशवीत नाहीत.",
    "My father brought a bag for us.": "माझ्या वडिलांनी आमच्यासाठी पिशवी आणली.",
}


class Phrase(NamedTuple):
    """A pair of sentences and the frame it was made from.

    `sure` and `possible` hold links (English, Marathi), positions of `WordTokenizer`'s tokens: those that nobody would
    dispute and, apart from them, those that may be made (see data/README.md).
    """

    english: str
    marathi: str
    sure: tuple
    possible: tuple
    frame: str


# --- Choices that several frames share ------------------------------------------------------------------------------

ME, WE, YOU, HE, SHE, THEY = PRONOUNS.values()
ANYONE = list(PEOPLE.values())
OTHERS = [who for who in ANYONE if who is not ME]
NOT_YOU = [who for who in ANYONE if who is not YOU]
NAMED = list(NAMES.values())
FEW = [ME, WE, HE, SHE, *NAMED[:2], PEOPLE["Dad"]]
FEW += [PEOPLE[f"my {kin}"] for kin in ("mother", "brother", "sister", "friend")]
TOWNS = [place for place in lexicon.PLACES if place.kind == "town"]
NEAR = [place for place in lexicon.PLACES if place.kind == "place"]
OBJECT_VERBS = [verb for verb in lexicon.OBJECTS if verb != "enjoy"]
_NOT_LOOK_FOR = [verb for verb in OBJECT_VERBS if verb != "look for"]  # one does not plan to, nor find oneself able to
EXCEPT_DRINK = [verb for verb in OBJECT_VERBS if verb != "drink"]  # whose past does not take -ने with everybody


def scenes(people=ANYONE, verbs=(None,), **choices):
    """Yields a `Scene` for each combination, and for each suitable object if the verb takes one.

    Args:
        people: iterable of `Person`.
        verbs: names of verbs.
        choices: for other fields of the scene, what each may be.
    """
    for verb, who, *values in itertools.product(verbs, people, *choices.values()):
        if verb not in lexicon.UNSUITED.get(who.en, ()):
            fields = dict(zip(choices, values, strict=True), who=who, verb=VERBS.get(verb))
            if "noun" in choices or verb not in lexicon.OBJECTS:
                yield Scene(**fields)
            else:
                for noun in lexicon.OBJECTS[verb]:
                    yield Scene(**fields, noun=NOUNS[noun])


def acts(people=ANYONE, verbs=OBJECT_VERBS, kind="a", **choices):
    """Yields scenes of people who do something to something."""
    return scenes(people, verbs, kind=[kind], **choices)


def qualities(kinds):
    """Yields scenes of nouns and adjectives that go together, in each of the kinds that the noun has."""
    for nouns, words in lexicon.QUALITIES:
        for noun, word, kind in itertools.product(nouns, words, kinds):
            if NOUNS[noun].en_plural or kind in ("the", "bare"):
                yield Scene(noun=NOUNS[noun], word=word, kind=kind)


def strangers(people, whom):
    """Yields (who, whom) who are different people: not I and us, not he and she, not my friend and my friends."""
    for one, other in itertools.product(people, whom):
        own = one.agreement == "3fs" and other.en == "her sister"  # Marathi would say आपल्या
        if _different(one.en, other.en) and not own:
            yield one, other


_OVERLAPPING = [{"I", "we"}, {"he", "she", "they"}, {"the child", "the children", "the girl", "the girls"}]
_OVERLAPPING += [{"Dad", "my father"}, {"Mom", "my mother"}]


def _different(one, other):
    """Tells whether two subjects, in English, are different people."""
    return one.rstrip("s") != other.rstrip("s") and not any({one, other} <= some for some in _OVERLAPPING)


def _told_apart(one, other):
    """Tells whether the subjects of two clauses cannot be taken for one: "he" after "my father" would be the father."""
    third = not {one, other} & {"I", "we", "you"}
    return _different(one, other) and not (third and {one, other} & {"he", "she", "they"})


def between(verbs, whom=FEW, people=ANYONE, **choices):
    """Yields scenes in which someone does something to, for or with somebody else."""
    for who, other in strangers(people, whom):
        yield from scenes([who], verbs, whom=[other], **choices)


def addressed(verbs, **choices):
    """Yields scenes in which a child is called by name and said तू to: agreement 2ms or 2fs, English you."""
    for name in NAMED:
        you = YOU._replace(agreement="2" + name.agreement[1:], nominative="तू", ergative="तू")
        yield from scenes([you], verbs, whom=[name], **choices)


# --- Frames ---------------------------------------------------------------------------------------------------------

_HABITS, _PAST_TIMES, _FUTURE_TIMES = lexicon.HABITS, lexicon.PAST_TIMES, lexicon.FUTURE_TIMES
_GIFTS, _SMALL, _SPOTS = [NOUNS[n] for n in lexicon.GIFTS], [NOUNS[n] for n in lexicon.SMALL_THINGS], lexicon.SPOTS
_SURFACES = [spot for spot in _SPOTS if spot[0] in ("on", "in") or spot[1:2] in (["table"], ["chair"])]
_SEATS = [spot for spot in _SPOTS if spot[0] in ("near", "in front of") or spot[1] in ("tree", "room")]
_OLD = [[*s, word] for s in _SURFACES for word in ("", "old", "new", "big", "small", "green") if s[1] != "room"]
_MINE = [[*s, "", owner] for s in _SURFACES for owner in ("my", "his", "her", "Rahul's") if s[0] == "in"]
_KNOWN = [NOUNS[n] for n in lexicon.KNOWN]
_KIN, _GOODS, _PETS = ([NOUNS[n] for n in names.split()] for names in lexicon.POSSESSIONS)
_ONE = [who for who in ANYONE if who.agreement[2] == "s" or who.en_number == "s"]
_MEN, _WOMEN = ([who for who in ANYONE if who.agreement == agreement] for agreement in ("3ms", "3fs"))
_WITH_KIN = [who for who in ANYONE if not who.en.endswith(("brother", "sister"))]
_HANDLE = ["open", "close", "clean", "repair", "bring", "read"]
_DOING = ["eat", "read", "write", "watch", "buy", "make", "bring", "sell", "send"]
_WOMAN = [lexicon.WOMAN_SPEAKING]


def _pairs_of(gendered):
    """Yields scenes with the men's word for he, Rahul, my brother and the women's for she, Neha, my mother."""
    for people, nouns in ((_MEN, gendered["m"]), (_WOMEN, gendered["f"])):
        yield from scenes([who for who in people if not who.en.startswith("the ")], noun=nouns)


def _good_children():
    for people, noun in ((_MEN, "boy"), (_WOMEN, "girl")):
        young = [who for who in people if who in (HE, SHE, *NAMED) or who.en.endswith(("brother", "sister", "friend"))]
        yield from scenes(young, noun=[NOUNS[noun]], word=["good", *lexicon.TRAITS_BEFORE_NOUN])


def _good_child():
    for scene in addressed([None], word=["good", *lexicon.TRAITS_BEFORE_NOUN]):
        yield scene._replace(noun=NOUNS["boy" if scene.whom.agreement == "3ms" else "girl"])


def _playing():
    for verb, names in lexicon.ACTION_PLACES.items():
        places = [place for place in (*NEAR, lexicon.HOME) if place.at[0].split()[-1] in names.split()]
        yield from scenes(verbs=[verb], place=places)


def _pointed(quality):
    """Yields scenes of this, that, these and those: with an owner, or with a quality."""
    for pointer, kind in (("this", "bare"), ("that", "bare"), ("these", "many"), ("those", "many")):
        if quality:
            yield from (s._replace(pointer=pointer) for s in qualities([kind]) if kind == "bare" or s.noun.en_plural)
        else:
            yield from scenes(noun=_GOODS, owner=list(POSSESSIVES), kind=[kind], pointer=[pointer])


def _owned():
    """Yields scenes of whose thing is how; saris are women's here, and nobody owns schools or villages."""
    for scene, owner in itertools.product(qualities(["the", "the many"]), ["", *POSSESSIVES]):
        public = scene.noun.en in ("school", "village", "garden", "house", "room", "name") and scene.kind != "the"
        sari = scene.noun.en == "sari" and owner not in ("", "her", "Neha's", "Swati's")
        price = scene.noun.en in lexicon.OBJECTS["eat"] and scene.word in ("cheap", "expensive")
        if not (owner and (public or price)) and not sari:
            yield scene._replace(owner=owner)


def _counted():
    for verb, numbers in lexicon.COUNTED.items():
        for number in numbers.split():
            yield from (scene for scene in acts(NOT_YOU, [verb], number) if scene.noun.en_plural)


def _bought():
    for scene, verb, who in itertools.product(qualities(["a"]), ("eat", "buy"), NOT_YOU):
        if scene.noun.en in lexicon.OBJECTS[verb] and verb not in lexicon.UNSUITED.get(who.en, ()):
            yield scene._replace(who=who, verb=VERBS[verb])


def _for_someone(people=FEW):
    for who, whom in strangers(NOT_YOU, people):
        yield from acts([who], ["buy", "bring", "make"], whom=[whom])


def _animals():
    for animal, word in itertools.product(lexicon.MEALS, ("", "black", "white", "big", "small")):
        for meal in lexicon.MEALS[animal].split():
            verb = VERBS["eat" if meal == "grass" else "drink"]
            yield Scene(noun=NOUNS[animal], kind="the", word=word, verb=verb, whom=NOUNS[meal])


def _animals_asleep():
    for scene, spot in itertools.product(_animals(), _SEATS):
        if scene.noun.en in ("dog", "cat") or spot[1] in ("tree", "house"):
            yield scene._replace(verb=VERBS["sleep"], spot=spot)


def _animals_somewhere():
    """Yields scenes of dogs and cats on, under and near things, and of none in a bag."""
    kinds = itertools.product(("dog", "cat"), ("", "black", "white", "big", "small"), ("the", "the many"))
    for (animal, word, kind), spot in itertools.product(kinds, _SPOTS):
        if spot[1] not in ("cupboard", "box", "bag"):
            yield Scene(noun=NOUNS[animal], word=word, kind=kind, spot=spot)


def _known():
    """Yields scenes of who knows somebody's name or house: somebody else's, and no man "his"."""
    own = {"my": "I we", "our": "I we", "your": "you", "his": "he", "her": "she", "their": "they"}
    for scene in scenes(noun=_KNOWN, owner=list(POSSESSIVES), kind=["the"]):
        pronoun = again(scene.who).en if scene.who.agreement[0] == "3" else scene.who.en
        if pronoun not in own.get(scene.owner, "").split() and scene.owner != f"{scene.who.en}'s":
            yield scene


def _apart(scenes_of_spots):
    """Leaves out a bag in the bag."""
    return (s for s in scenes_of_spots if s.noun.en != s.spot[1] and s.spot[1] != "tree")


# Each name stands for the scenes of some frames.
SCENES = {
    "acts": acts,
    "acts-other": lambda: acts(OTHERS),
    "acts-third": lambda: acts([ME, *(who for who in ANYONE if who.agreement[0] == "3")]),
    "acts-the": lambda: acts(kind="the"),
    "acts-soon": lambda: acts(verbs=_NOT_LOOK_FOR, kind="the", time=_FUTURE_TIMES[:2]),
    "acts-can": lambda: acts(verbs=_NOT_LOOK_FOR, kind="the"),
    "acts-mine": lambda: (s for s in acts([ME], _HANDLE, "the", owner=["my", "our", "his"]) if s.noun.en_plural),
    "acts-one": lambda: acts([HE], kind="the"),
    "acts-child": lambda: addressed(lexicon.CHILDLIKE, kind=["the"]),
    "acts-child-a": lambda: addressed(lexicon.CHILDLIKE, kind=["a"]),
    "acts-child-few": lambda: addressed(lexicon.FAMILIAR, kind=["the"]),
    "acts-child-habit": lambda: addressed(["eat", "drink", "read"], kind=["many"]),
    "habits": lambda: acts(verbs=_HABITS, kind="many"),
    "habits-other": lambda: acts(OTHERS, _HABITS, "many"),
    "habits-daily": lambda: acts(verbs=["eat", "drink", "read"], kind="many", time=lexicon.HABIT_TIMES),
    "going-daily": lambda: scenes(verbs=["go"], place=NEAR, time=lexicon.HABIT_TIMES[:3]),
    "living": lambda: scenes(verbs=["live", "work"], place=TOWNS),
    "playing": _playing,
    "sitting": lambda: scenes(NOT_YOU, ["sit"], spot=_SEATS),
    "sleeping": lambda: scenes([who for who in NOT_YOU if who is not ME], ["sleep"], spot=_SEATS),
    "together": lambda: between(["talk", "play", "study"]),
    "moving": lambda: scenes(verbs=["go", "come"], place=TOWNS, time=_FUTURE_TIMES),
    "moving-soon": lambda: scenes(
        verbs=["go", "come"], place=lexicon.PLACES, time=[t for t in _FUTURE_TIMES if t[0] != "today"]
    ),
    "moving-near": lambda: scenes(verbs=["go", "come"], place=NEAR, time=_FUTURE_TIMES[:2]),
    "moving-other": lambda: scenes(OTHERS, ["go", "come"], place=lexicon.PLACES, time=_FUTURE_TIMES[:2]),
    "going-soon": lambda: scenes(verbs=["go"], place=lexicon.PLACES, time=_FUTURE_TIMES[:2]),
    "going-us": lambda: scenes([WE], ["go"], place=lexicon.PLACES, time=_FUTURE_TIMES[:2]),
    "acts-us": lambda: acts([WE], kind="the"),
    "giving": lambda: between(["give", "show", "send"], noun=_GIFTS[:6]),
    "done": lambda: acts(NOT_YOU, EXCEPT_DRINK, "the"),
    "done-a": lambda: acts(NOT_YOU, EXCEPT_DRINK),
    "done-all": lambda: acts(verbs=EXCEPT_DRINK, kind="the"),
    "done-other": lambda: acts([who for who in NOT_YOU if who is not ME], EXCEPT_DRINK, "the"),
    "done-you": lambda: acts([YOU], [*lexicon.FAMILIAR, "buy", "bring", "watch"], "the"),
    "done-now": lambda: acts(NOT_YOU, [v for v in EXCEPT_DRINK if v not in ("look for", "listen to", "watch")], "the"),
    "done-who": lambda: acts([HE], EXCEPT_DRINK, "the"),
    "counted": _counted,
    "bought": _bought,
    "went-town": lambda: scenes(verbs=["go"], place=TOWNS, time=_PAST_TIMES),
    "went-near": lambda: scenes(verbs=["go"], place=NEAR, time=_PAST_TIMES[:2]),
    "went-not": lambda: scenes(NOT_YOU, ["go"], place=lexicon.PLACES, time=_PAST_TIMES[:2]),
    "came": lambda: scenes(verbs=["come"], place=[*lexicon.PLACES, lexicon.HOME], time=_PAST_TIMES[:2]),
    "saw": lambda: between(["call", "see"], ANYONE, NOT_YOU),
    "helped": lambda: between(["help"], ANYONE, NOT_YOU),
    "gave": lambda: between(["give"], ANYONE, NOT_YOU, noun=_GIFTS),
    "put": lambda: _apart(s for s in scenes(NOT_YOU, ["put"], noun=_SMALL, kind=["the"], spot=_SURFACES)),
    "for-whom": lambda: (s for s in _for_someone([ME, WE, HE, SHE]) if s.noun.en not in ("sari", "key")),
    "for": lambda: (s for s in _for_someone() if s.noun.en != "sari"),
    "wanted": lambda: acts(verbs=["eat", "drink", "buy"]),
    "wanted-number": lambda: (s._replace(kind=n) for n in ("two", "four") for s in SCENES["wanted-many"]()),
    "wanted-many": lambda: (s for s in acts(OTHERS, ["eat", "buy"], "many") if s.noun.en_plural),
    "liked": lambda: (s for s in acts(verbs=["eat", "drink", "enjoy"], kind="many") if s.noun.en != "water"),
    "kin": lambda: scenes(_WITH_KIN, noun=_KIN, kind=["one", "two", "three", "four"]),
    "skills": lambda: scenes(verbs=lexicon.SKILLS),
    "skills-other": lambda: scenes(OTHERS, lexicon.SKILLS),
    "known": _known,
    "known-other": lambda: (s for s in _known() if s.who is not ME),
    "known-name": lambda: (s for s in _known() if s.noun.en == "name"),
    "names": lambda: scenes(noun=_KNOWN[:2], owner=list(POSSESSIVES), kind=["the"]),
    "goods": lambda: scenes(FEW, noun=_GOODS[:8] + _PETS, kind=["a", "two"]),
    "owned": _owned,
    "qualities": lambda: qualities(["the", "the many"]),
    "traits": lambda: scenes(word=lexicon.TRAITS),
    "traits-other": lambda: scenes(OTHERS, word=lexicon.TRAITS),
    "children": _good_children,
    "child": _good_child,
    "jobs": lambda: _pairs_of(lexicon.PROFESSIONS),
    "located": lambda: _apart(scenes([HE], noun=_SMALL, kind=["the", "the many"], spot=[*_SPOTS, *_MINE])),
    "there": lambda: _apart(scenes([HE], noun=_SMALL, kind=["one", "two", "three", "five"], spot=_OLD)),
    "this": lambda: _pointed(False),
    "this-like": lambda: _pointed(True),
    "whose": lambda: (s._replace(owner="") for s in _pointed(False) if s.owner == "my" and s.kind == "bare"),
    "compared": lambda: between([None], FEW, _ONE, word=list(lexicon.COMPARATIVES)),
    "animals": _animals,
    "animals-where": _animals_somewhere,
    "animals-asleep": _animals_asleep,
    "towns": lambda: scenes([HE], place=TOWNS),
    "towns-past": lambda: scenes([HE], place=TOWNS, time=_PAST_TIMES),
    "towns-future": lambda: scenes([HE], place=TOWNS, time=_FUTURE_TIMES[:3]),
    "anywhere": lambda: scenes([ME], ["go"], place=lexicon.PLACES),
    "seats": lambda: scenes([ME], ["sit", "sleep", "wait", "play"], spot=_SEATS),
    "doing": lambda: scenes(OTHERS, [*_DOING, "drink"], noun=[None]),
    "doing-done": lambda: scenes(OTHERS, _DOING, noun=[None]),
    "doing-when": lambda: scenes(OTHERS, _DOING, noun=[None], time=_PAST_TIMES),
    "doing-you": lambda: scenes([YOU], _DOING, noun=[None], time=_PAST_TIMES),
    "staying": lambda: scenes(OTHERS, ["live", "work", "study"]),
    "gone": lambda: scenes(OTHERS, ["go"]),
    "playing-where": lambda: scenes(OTHERS, ["go", "play", "work"]),
    "small": lambda: scenes([HE], noun=_SMALL, kind=["the", "the many"], owner=["", *POSSESSIVES]),
    "going": lambda: scenes(OTHERS, ["go"], place=lexicon.PLACES),
    "coming": lambda: scenes(OTHERS, ["come"], place=lexicon.PLACES),
    "habits-woman": lambda: acts(_WOMAN, ["eat", "drink", "read"], "many"),
    "daily-woman": lambda: acts(_WOMAN, ["eat", "drink", "read"], "many", time=lexicon.HABIT_TIMES),
    "going-woman": lambda: scenes(_WOMAN, ["go"], place=NEAR, time=lexicon.HABIT_TIMES[:3]),
    "went-woman": lambda: scenes(_WOMAN, ["go"], place=lexicon.PLACES, time=_PAST_TIMES),
    "acts-woman": lambda: acts(_WOMAN),
    "acts-the-woman": lambda: acts(_WOMAN, kind="the"),
}

# Frame, how many sentences to take | scenes | English | Marathi. A line without a name belongs to the frame above.
GRAMMAR = """
habit 280 | habits | {S} {eats}/V {O} . | {S} {O} {eats}/V .
habit_time 145 | habits-daily | {S} {eats}/V {O} {T} . | {S} {T} {O} {eats}/V .
habit_place 145 | going-daily | {S} {eats}/V {to} {T} . | {S} {T} {to} {eats}/V .
living 205 | living | {S} {eats}/V {at} . | {S} {at} {eats}/V .
habit_not 200 | habits | {S} {do}/N? not/N {eat}/V {O} . | {S} {O} {eating}/V {not}/N .
 | habits | {S} {don't}/N {eat}/V {O} . | {S} {O} {eating}/V {not}/N .
habit_asked 200 | habits-other | {do}/F?+Q? {S} {eat}/V {O} ? | {S} {O} {eats}/V+F! का/Q ?
now 300 | acts | {S} {be}/A {eating}/V {O} . | {S} {O} {eating}/V {be}/A .
now_place 225 | playing | {S} {be}/A {eating}/V {at} . | {S} {at} {eating}/V {be}/A .
resting 130 | sitting | {S} {be}/A {eating}/V {spot} . | {S} {spot} {went}/V {be}/A .
 | sleeping | {S} {be}/A {eating}/V {spot} . | {S} {spot} {went}/V {be}/A .
now_not 190 | acts-third | {S} {be}/N not/N {eating}/V {O} . | {S} {O} {eating}/V {not-now}/N .
now_asked 200 | acts-other | {be}/A+Q? {S} {eating}/V {O} ? | {S} {O} {eating}/V {be}/A का/Q ?
can 200 | acts-can | {S} can/A {eat}/V {O} . | {S} {O} {eat}/V {can}/A .
 | acts-can | {S} cannot/A+N {eat}/V {O} . | {S} {O} {eat}/V शकत/A {not}/N .
with_someone 130 | together | {S} {be}/A {eating}/V {R-with} . | {S} {R-with} {eating}/V {be}/A .
will 240 | acts-soon | {S} will/F {eat}/V {O} {T} . | {S} {T} {O} {will-eat}/V+F! .
will_go 170 | moving | {S} will/F {eat}/V {to} {T} . | {S} {T} {to} {will-eat}/V+F! .
 | moving-near | {S} will/F {eat}/V {to} {T} . | {S} {T} {to} {will-eat}/V+F! .
will_not 175 | acts-the | {S} will/F not/N {eat}/V {O} . | {S} {O} {to-eat}/V+F! {not}/N .
will_asked 115 | moving-other | will/F+Q? {S} {eat}/V {to} {T} ? | {S} {T} {to} {will-eat}/V+F! का/Q ?
going_to 170 | acts | {S} {be}/A going/F? to/F? {eat}/V {O} . | {S} {O} {to-eat}/V+F! {be}/A .
will_give 115 | giving | {S} will/F {eat}/V {O} {R-to} . | {S} {R-to} {O} {will-eat}/V+F! .
has_to 85 | going-soon | {S-to} {have}/A+V? to/V {eat}/V {to} {T} . | {S-to} {T} {to} जावं/V लागेल/A .
going_tomorrow 130 | moving-soon | {S} {be}/A {eating}/V {to} {T} . | {S} {T} {to} {to-eat}/V {be}/A .
let_us 110 | going-us | let/A us/S {eat}/V {to} {T} . | आपण/S {T} {to} {eat}/V या/A .
 | acts-us | let/A us/S {eat}/V {O} . | आपण/S {O} {eat}/V या/A .
did 350 | done | {S-by} {ate}/V {O} . | {S-by} {O} {ate}/V .
did_count 155 | counted | {S-by} {ate}/V {O} yesterday/T . | {S-by} काल/T {O} {ate}/V .
did_quality 185 | bought | {S-by} {ate}/V {O} . | {S-by} {O} {ate}/V .
did_not 185 | done-all | {S-by} did/N? not/N {eat}/V {O} . | {S-by} {O} {eaten}/V {O-not}/N .
did_asked 190 | done-other | did/F?+Q? {S-by} {eat}/V {O} ? | {S-by} {O} {ate}/V+F! का/Q ?
 | done-you | did/F?+Q? {S-by} {eat}/V {O} ? | {S-by} {O} {ate}/V+F! का/Q ?
has_done 190 | done-now | {S-by} {have}/A {eaten}/V {O} . | {S-by} {O} {eaten}/V {O-be}/A .
was_doing 180 | acts | {S} {was}/A {eating}/V {O} . | {S} {O} {eating}/V {was}/A .
time_first 145 | done-a | yesterday/T {S-by} {ate}/V {O} . | काल/T {S-by} {O} {ate}/V .
went 230 | went-town | {S} {ate}/V {to} {T} . | {S} {T} {to} {went}/V .
 | went-near | {S} {ate}/V {to} {T} . | {S} {T} {to} {went}/V .
came_from 175 | came | {S} {ate}/V {from} {T} . | {S} {T} {from} {went}/V .
went_not 110 | went-not | {S} did/N? not/N {eat}/V {to} {T} . | {S} {T} {to} {went}/V {not}/N .
did_to_someone 200 | saw | {S-by} {ate}/V {R} . | {S-by} {R} {ate-it}/V .
 | helped | {S-by} {ate}/V {R} . | {S-by} {R} मदत/V केली/V .
gave 155 | gave | {S-by} {ate}/V {O} {R-to} . | {S-by} {R-to} {O} {ate}/V .
put 150 | put | {S-by} {ate}/V {O} {spot} . | {S-by} {O} {spot} {ate}/V .
bought_someone 220 | for-whom | {S-by} {ate}/V {R} {O} . | {S-by} {R-for-whom} {O} {ate}/V .
for_someone 105 | for | {S-by} {ate}/V {O} {R-for} . | {S-by} {R-for} {O} {ate}/V .
wants 210 | wanted | {S-to} {want}/V {O} . | {S-to} {O} {wanted}/V {O-be}/V .
 | wanted-number | {S-to} {want}/V {O} . | {S-to} {O} {wanted}/V {O-be}/V .
likes 230 | liked | {S-to} {like}/V {O} . | {S-to} {O} {pleases}/V .
likes_not 150 | liked | {S-to} {do}/N? not/N like/V {O} . | {S-to} {O} आवडत/V {O-not}/N .
 | liked | {S-to} {don't}/N like/V {O} . | {S-to} {O} आवडत/V {O-not}/N .
wants_to 190 | acts | {S-to} {want}/W? to/F {eat}/V {O} . | {S-to} {O} {wish}/V+F!+W! {O-be}/W .
skilled 150 | skills | {S-to} can/A {eat}/V . | {S-to} {skilled}/V येतं/A .
 | skills | {S-to} can't/A+N {eat}/V . | {S-to} {skilled}/V येत/A नाही/N .
 | skills-other | can/A+Q? {S-to} {eat}/V ? | {S-to} {skilled}/V येतं/A का/Q ?
knows 300 | known | {S-to} {know}/V {O} . | {S-to} {O} माहीत/V आहे/V .
 | known | {S-to} {don't}/N know/V {O} . | {S-to} {O} माहीत/V नाही/N .
 | known-other | {do}/F?+Q? {S-to} know/V {O} ? | {S-to} {O} माहीत/V आहे/V+F का/Q ?
 | names | what/W is/A {O} ? | {O} काय/W आहे/A ?
name_known 90 | known-name | {S-to} {know}/V {O} . | {S-to} {O} माहीत/V आहे/V .
 | known-name | {S-to} {don't}/N know/V {O} . | {S-to} {O} माहीत/V नाही/N .
possesses 170 | kin | {S-to} {have}/V+P? {O} . | {S-to}/P {O} {O-be}/V .
 | goods | {S-near} {have}/V+P? {O} . | {S-near}/P {O} {O-be}/V .
thing_is 230 | owned | {N} {O-be}/A {good}/J . | {N} {O-good}/J {O-be}/A .
thing_was 160 | qualities | {N} {O-was}/A {good}/J . | {N} {O-good}/J {O-was}/A .
person_is 220 | traits | {S} {be}/A {good}/J . | {S} {good}/J {be}/A .
 | traits | {S} {was}/A {good}/J . | {S} {good}/J {was}/A .
 | traits | {S} {be}/A not/A {good}/J . | {S} {good}/J {not}/A .
 | traits | {S} {was}/A not/A {good}/J . | {S} {good}/J {was-not}/A .
person_is_asked 170 | traits-other | {be}/A+Q? {S} {good}/J ? | {S} {good}/J {be}/A का/Q ?
boy_or_girl 200 | children | {S} {be}/A {O} . | {S} {O} {be}/A .
 | children | {S} {was}/A {O} . | {S} {O} {was}/A .
 | children | {S} {be}/A not/A {O} . | {S} {O} {not}/A .
 | children | {be}/A+Q? {S} {O} ? | {S} {O} {be}/A का/Q ?
 | child | {call} {S} {be}/A {O} . | {call} {S} {O} {be}/A .
profession 180 | jobs | {S} {be}/A {role} . | {S} {role} {be}/A .
 | jobs | {S} {was}/A {role} . | {S} {role} {was}/A .
 | jobs | {S} {be}/A not/A {role} . | {S} {role} {not}/A .
thing_where 200 | located | {O} {O-be}/A {spot} . | {O} {spot} {O-be}/A .
 | located | {O} {O-was}/A {spot} . | {O} {spot} {O-was}/A .
 | located | {O} {O-be}/A not/A {spot} . | {O} {spot} {O-not}/A .
animal_where 120 | animals-where | {O} {O-be}/A {spot} . | {O} {spot} {O-be}/A .
 | animals-where | {O} {O-was}/A {spot} . | {O} {spot} {O-was}/A .
there_is 110 | there | there/A? {O-be}/A {O} {spot} . | {spot} {O} {O-be}/A .
this_is 190 | this | {this} {O-be}/A {O} . | {this} {O} {O-be}/A .
this_is_like 195 | this-like | {this} {N} {O-be}/A {good}/J . | {this} {N} {O-good}/J {O-be}/A .
 | this-like | {this} {N} {O-be}/A not/A {good}/J . | {this} {N} {O-good}/J {O-not}/A .
compared 90 | compared | {S} {be}/A {taller} {R-than} . | {S} {R-than}/M {good}/J {be}/A .
animals 90 | animals | {O} {O-be}/A {eating}/V {meal} . | {O} {meal} {eating}/V {O-be}/A .
 | animals | {O} {O-was}/A {eating}/V {meal} . | {O} {meal} {eating}/V {O-was}/A .
 | animals-asleep | {O} {O-be}/A {eating}/V {spot} . | {O} {spot} {eaten}/V {O-be}/A .
weather 70 | towns | it/A? is/A raining/V {at} today/T . | आज/T {at} पाऊस/V पडत/V आहे/A .
 | towns-past | it/F? rained/V {at} {T} . | {T} {at} पाऊस/V पडला/V+F .
 | towns-future | it/F? will/F rain/V {at} {T} . | {T} {at} पाऊस/V पडेल/V+F .
please 140 | acts-one | please/P {eat}/V {O} . | कृपया/P {O} {eat-please}/V .
 | acts-mine | please/P {eat}/V {O} . | कृपया/P {O} {eat-please}/V .
child_told 245 | acts-child | {call} {eat}/V {O} . | {call} {O} {eat!}/V .
 | acts-child | {call} don't/N {eat}/V {O} . | {call} {O} {eat}/V नको/N .
do_not 140 | acts-one | don't/N {eat}/V {O} . | {O} {eat}/V नका/N .
 | anywhere | don't/N {eat}/V {to} . | {to} {eat}/V नका/N .
 | seats | don't/N {eat}/V {spot} . | {spot} {eat}/V नका/N .
child_asked 210 | acts-child-a | {call} {be}/A+Q? {S} {eating}/V {O} ? | {call} {S} {O} {eating}/V {be}/A का/Q ?
 | acts-child-few | {call} did/F?+Q? {S} {eat}/V {O} ? | {call} {S} {O} {ate}/V+F! का/Q ?
 | acts-child-habit | {call} {do}/F?+Q? {S} {eat}/V {O} ? | {call} {S} {O} {eats}/V+F! का/Q ?
 | acts-child-few | {call} will/F+Q? {S} {eat}/V {O} ? | {call} {S} {O} {will-eat}/V+F! का/Q ?
what 150 | doing | what/W {be}/A {S} {eating}/V ? | {S} काय/W {eating}/V {be}/A ?
 | doing | what/W will/F {S} {eat}/V tomorrow/T ? | {S} उद्या/T काय/W {will-eat}/V+F! ?
what_did 130 | doing-done | what/W did/F? {S-by} {eat}/V ? | {S-by} काय/W {ate-it}/V+F! ?
 | doing-when | what/W did/F? {S-by} {eat}/V {T} ? | {S-by} {T} काय/W {ate-it}/V+F! ?
what_did_you 45 | doing-you | what/W did/F? {S-by} {eat}/V {T} ? | {S-by} {T} काय/W {ate-it}/V+F! ?
where 205 | staying | where/W {do}/F? {S} {eat}/V ? | {S} कुठे/W {eats}/V+F! ?
 | gone | where/W did/F? {S} {eat}/V yesterday/T ? | {S} काल/T कुठे/W {went}/V+F! ?
 | playing-where | where/W {be}/A {S} {eating}/V ? | {S} कुठे/W {eating}/V {be}/A ?
 | small | where/W {O-be}/A {O} ? | {O} कुठे/W {O-be}/A ?
who 205 | done-who | who/W {ate}/V {O} ? | {O} कोणी/W {eaten}/V ?
 | acts-one | who/W is/A {eating}/V {O} ? | {O} कोण/W {eating}/V आहे/A ?
 | acts-one | who/W will/F {eat}/V {O} ? | {O} कोण/W {will-eat}/V+F! ?
when 130 | coming | when/W will/F {S} {eat}/V {to} ? | {S} {to} कधी/W {will-eat}/V+F! ?
 | going | when/W did/F? {S} {eat}/V {to} ? | {S} {to} कधी/W {went}/V+F! ?
why 130 | going | why/W did/F? {S} {eat}/V {to} ? | {S} {to} का/W {went}/V+F! ?
 | going | why/W {be}/A {S} {eating}/V {to} ? | {S} {to} का/W {eating}/V {be}/A ?
how_many 65 | wanted-many | how/W many/W {O} {do}/F? {S-to} want/V ? | {S-to} किती/W {O} {wanted}/V {O-be}/V+F ?
whose 40 | whose | whose/W {O} is/A {this} ? | {this} {O} {whose}/W आहे/A ?
woman_speaking 40 | habits-woman | {S} {eats}/V {O} . | {S} {O} {eats}/V .
 | daily-woman | {S} {eats}/V {O} {T} . | {S} {T} {O} {eats}/V .
 | going-woman | {S} {eats}/V {to} {T} . | {S} {T} {to} {eats}/V .
 | went-woman | {S} {ate}/V {to} {T} . | {S} {T} {to} {went}/V .
 | acts-woman | {S} {was}/A {eating}/V {O} . | {S} {O} {eating}/V {was}/A .
 | acts-the-woman | {S} can/A {eat}/V {O} . | {S} {O} {eat}/V {can}/A .
"""


def _read_grammar(grammar):
    """Returns the frames: by name, a quota and rows of scenes' name, English template, Marathi template."""
    frames = {}
    for line in grammar.strip().splitlines():
        head, *row = (cell.strip() for cell in line.split("|"))
        if head:
            name, quota = head.split()
            frames[name] = (int(quota), [])
        frames[name][1].append(row)
    return frames


def _spread(items, number):
    """Returns at most `number` of the items, from all over the list and the same ones everywhere."""
    items = list(items)
    return [items[i * 1_000_003 % len(items)] for i in range(min(number, len(items)))]


def _sentences(name, frames, most=1500):
    """Yields the tagged sentences of a frame of the grammar, of each of its lines at most so many."""
    for scenes_name, english, marathi in frames[name][1]:
        for scene in _spread(SCENES[scenes_name](), most):
            yield fill(english, scene), fill(marathi, scene, marathi=True)


# --- Sentences of two clauses -----------------------------------------------------------------------------------------


def _some(name, number):
    """Returns `number` of a frame's sentences."""
    return _spread(_sentences(name, _read_grammar(GRAMMAR)), number)


def _clause(sentence, mark=""):
    """Takes the full stop off and marks the tags, so that the links of two clauses stay apart."""
    sides = (" ".join(w.replace("/", f"/{mark}").replace("+", f"+{mark}") for w in s.split()[:-1]) for s in sentence)
    return Part(*sides)


def _tagged(sentence, name):
    """Returns the English words of a tagged sentence that have the tag of a part: S of the subject, T of the time."""
    cells = (word.partition("/") for word in sentence[0].split())
    return " ".join(word for word, _, tags in cells if tags.startswith(name))


def _both():
    """Amit is reading a book and Neha is making tea. | अमित पुस्तक वाचत आहे आणि नेहा चहा बनवत आहे."""
    for name in ("now", "now_place", "did", "went", "will"):
        clauses = _some(name, 199)
        for i, one in enumerate(clauses):
            other = clauses[(i + 71) % len(clauses)]
            same_time = _tagged(one, "T") == _tagged(other, "T")
            if same_time and _told_apart(_tagged(one, "S"), _tagged(other, "S")):
                a, b = _clause(one), _clause(other, "2")
                yield f"{a.en} and/C {b.en} .", f"{a.mr} आणि/C {b.mr} ."


def _two(one, first, other, second, conjunction):
    """Returns two clauses, each of a scene and its templates (English, Marathi), with a conjunction between them."""
    a = _clause(_filled(one, *first))
    b = _clause(_filled(other, *second), "2")
    return f"{a.en} {conjunction[0]}/C {b.en} .", f"{a.mr} {conjunction[1]}/C {b.mr} ."


def _filled(scene, english, marathi):
    return fill(english, scene), fill(marathi, scene, marathi=True)


def _but():
    """Rahul likes tea, but Neha does not. | राहुलला चहा आवडतो, पण नेहाला आवडत नाही."""
    grammar, but = _read_grammar(GRAMMAR), (", but", ", पण")
    likes, likes_not = grammar["likes"][1][0][1:], ("{S-to} {do}/V+N? not/N .", "{S-to} आवडत/V {O-not}/N .")
    went = grammar["went"][1][0][1:]
    stayed = ("{S} did/N? not/N go/V .", "{S} {went}/V {not}/N .")
    everybody = _spread((two for two in strangers(NOT_YOU, NOT_YOU) if _told_apart(two[0].en, two[1].en)), 400)
    for (who, other), scene in zip(everybody, _spread(SCENES["liked"](), 400), strict=True):
        yield _two(scene._replace(who=who), likes, scene._replace(who=other), likes_not, but)
    for (who, other), scene in zip(everybody, _spread(SCENES["went-not"](), 400), strict=True):
        yield _two(scene._replace(who=who), went, scene._replace(who=other), stayed, but)


def _because():
    """She did not go to school because she was ill. | ती शाळेत गेली नाही, कारण ती आजारी होती."""
    stayed = ("{S} did/N? not/N {eat}/V {to} .", "{S} {to} {went}/V {not}/N .")
    reasons = (
        ("{S} {was}/A {good}/J .", "{S} {good}/J {was}/A ."),
        ("{S-to} had/A+P? a/K? lot/K of/K? work/W .", "{S-to}/P खूप/K काम/W होतं/A ."),
        ("it/A? was/A raining/V .", "पाऊस/V पडत/V होता/A ."),
    )
    for scene, reason in itertools.product(scenes(NOT_YOU, ["go"], place=NEAR, word=["ill"]), reasons):
        yield _two(scene, stayed, scene._replace(who=again(scene.who)), reason, ("because", ", कारण"))


def _when_if():
    """When I came home, Rahul was reading. If he comes, we will go. | मी घरी आलो तेव्हा … तो आला तर …"""
    then, later = _some("was_doing", 251), _some("will_go", 251)
    for scene, (one, two) in itertools.product(scenes(NOT_YOU, ["come"]), zip(then, later, strict=True)):
        b, came = _clause(one, "2"), fill("{S} घरी/L {went}/V", scene, marathi=True)
        if _told_apart(scene.who.en, _tagged(one, "S")):
            yield fill(f"when/C {{S}} {{ate}}/V home/L , {b.en} .", scene), f"{came} , तेव्हा/C {b.mr} ."
        b = _clause(two, "2")
        if _told_apart(scene.who.en, _tagged(two, "S")):
            yield fill(f"if/C {{S}} {{eats}}/V home/L , {b.en} .", scene), f"{came} , तर/C {b.mr} ."


def _think():
    """I think that Rahul will go to Pune tomorrow. | मला वाटतं की राहुल उद्या पुण्याला जाईल."""
    for name in ("will_go", "now", "did", "person_is"):
        for sentence in _some(name, 199):
            b = _clause(sentence, "2")
            if not sentence[0].startswith(("I/", "we/")):
                yield f"I/S think/V that/C {b.en} .", f"मला/S वाटतं/V की/C {b.mr} ."
                yield f"I/S know/V that/C {b.en} .", f"मला/S माहीत/V आहे/V की/C {b.mr} ."


TWO_CLAUSES = {"both": (90, _both), "but": (90, _but), "because": (80, _because), "when_if": (80, _when_if)}
TWO_CLAUSES["think"] = (90, _think)


# --- The corpus -----------------------------------------------------------------------------------------------------


def _order(text):
    """Returns what sorts sentences as if shuffled, the same way everywhere."""
    return hashlib.sha256(text.encode()).digest()


def _words(tagged):
    """Returns a tagged side as words and, for each, its set of tags; a possible tag has a question mark."""
    cells = [word.partition("/") for word in tagged.split()]
    return [word for word, _, _ in cells], [set(tags.split("+")) - {""} for _, _, tags in cells]


def _spell(words):
    """Joins words, with marks attached and a capital first letter: ["i", "am", "ill", "."] is "I am ill."."""
    text = " ".join(words)
    for mark in MARKS:
        text = text.replace(f" {mark}", mark)
    return text[0].upper() + text[1:]


def compose(english, marathi, frame):
    """Returns the `Phrase` of two tagged sides: words that share a tag are linked, marks with the same marks."""
    (en, en_tags), (mr, mr_tags) = _words(english), _words(marathi)
    sure, possible = set(), set()
    for (i, a), (j, b) in itertools.product(enumerate(en_tags), enumerate(mr_tags)):
        if a & b:
            sure.add((i, j))
        elif {tag.rstrip("?") for tag in a} & {tag.rstrip("?") for tag in b}:
            possible.add((i, j))
    for mark in MARKS:  # Marathi has a comma before कारण, English none before because
        places = ([i for i, word in enumerate(side) if word == mark] for side in (en, mr))
        sure |= set(zip(*places, strict=False))
    return Phrase(_spell(en), _spell(mr), tuple(sorted(sure)), tuple(sorted(possible)), frame)


_ENGLISH_NAMES = re.compile(rf"\b({'|'.join(NAMES)})\b", re.IGNORECASE)
_MARATHI_NAMES = re.compile("|".join(person.nominative for person in NAMES.values()))


def _unnamed(text, names):
    """Returns the `sentence_words` of a text without anybody's name, between spaces."""
    return f" {names.sub('somebody', sentence_words(text))} "


_SHOWN_ENGLISH = [_unnamed(text, _ENGLISH_NAMES) for text in SHOWN]
_SHOWN_MARATHI = {_unnamed(text, _MARATHI_NAMES) for text in SHOWN.values()}


@functools.cache
def _is_shown(sentence):
    """Tells whether a tagged sentence holds one of `SHOWN`, perhaps with another name: names are swapped in training.

    "Dad bought a camera for me." is one of them, too: its Marathi is.
    """
    english, marathi = (_spell(_words(side)[0]) for side in sentence)
    english = _unnamed(english, _ENGLISH_NAMES)
    return any(text in english for text in _SHOWN_ENGLISH) or _unnamed(marathi, _MARATHI_NAMES) in _SHOWN_MARATHI


def _forms(sentence):
    return {word for side in sentence for word in _words(side)[0]}


def _choose(before, candidates, banned):
    """Returns {(English, Marathi): frame} of `before` and each frame's quota, none of it with a banned word form.

    Each frame first gives sentences with a form that fewer than `ENOUGH` sentences have, then any others.
    """
    chosen, seen = dict(before), {english for english, _ in before}
    counts = collections.Counter(form for sentence in before for form in _forms(sentence))
    for name, (quota, sentences) in candidates.items():
        usable = [(s, forms) for s, forms in sentences if not forms & banned]
        taken = 0
        for thrifty in (True, False):
            for sentence, forms in usable:
                if taken == quota:
                    break
                repeats = name == "woman_speaking"  # she says again what a man has said
                useful = not thrifty or any(counts[form] < ENOUGH for form in forms)
                new = (sentence[0] in seen) == repeats and sentence not in chosen
                if useful and new and not _is_shown(sentence):
                    seen.add(sentence[0])
                    counts.update(forms)
                    chosen[sentence] = name
                    taken += 1
    return chosen, {form for form, count in counts.items() if count < ENOUGH}


def build_phrasebook():
    """Composes the corpus.

    The order is shuffled by a hash and so is the same on every machine. The frames of `daily` and `grammar_frames` are
    chosen after the others and come last, because lessons train on the first pairs. Word forms that few sentences would
    show are left out, so that each form occurs in at least `ENOUGH` pairs.

    Returns:
        List of `Phrase`. English sentences are distinct, but for the frame `woman_speaking`.
    """
    frames = _read_grammar(GRAMMAR)
    sources = {name: (quota, _sentences(name, frames)) for name, (quota, _) in frames.items()}
    sources |= {name: (quota, sentences()) for name, (quota, sentences) in TWO_CLAUSES.items()}
    later = daily.frames(_spread) | grammar_frames.frames()
    chosen = {}
    for some in (sources, later):
        candidates = {}
        for name, (quota, sentences) in some.items():
            shuffled = sorted(dict.fromkeys(sentences), key=lambda sentence: _order("|".join(sentence)))
            candidates[name] = (quota, [(sentence, _forms(sentence)) for sentence in shuffled])
        before, rare, banned = chosen, {""}, set()
        while rare:
            chosen, rare = _choose(before, candidates, banned)
            banned |= rare
    phrases = [compose(*sentence, name) for sentence, name in chosen.items()]
    return sorted(phrases, key=lambda phrase: (phrase.frame in later, _order(f"{phrase.english}|{phrase.marathi}")))


def format_links(phrase):
    """Returns the links of a phrase as `read_alignments` reads them: `0-0 P:1-2`, a possible link after `P:`."""
    kinds = [(link, "") for link in phrase.sure] + [(link, "P:") for link in phrase.possible]
    return " ".join(f"{kind}{i}-{j}" for (i, j), kind in sorted(kinds))


def write_phrasebook(path=DEFAULT_PATH):
    """Writes the corpus, one pair per line: English, Marathi and links such as `0-0 P:1-2`, separated by tabs.

    The file appears under its name only when it is complete.

    Returns:
        The path, a `Path`.

    Raises:
        OSError: the file could not be written.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (f"{p.english}\t{p.marathi}\t{format_links(p)}\n" for p in build_phrasebook())
    with atomic_write(path) as partial:
        partial.write_text("".join(lines), encoding="utf-8", newline="\n")
    return path
