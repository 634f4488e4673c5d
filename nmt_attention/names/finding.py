"""Which words of a sentence are hidden from a model, because it cannot know them: names, numbers, addresses."""

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from .tokens import LISTED_BY, TOKEN

ASKING = "Will"  # a listed name that asks before another one: Will Rahul come?
LIST = 3  # names or numbers from which a list of them is read as two

# Classes stand in brackets, so that `deploy.browser` can replace them by lists of letters.
BEFORE_SENTENCE = re.compile(r"(?:^|[.!?])[^\w]*$")
FOLLOWING = re.compile(r"(?:['’]s)? (?![\d])([\w]+)")
# What follows a verb rather than a name: an unlisted word that opens a sentence before one of these is no name.
AFTER_VERBS = """
a an the this that these those my your his her its our their me you him it us them to in on at for from with of by up
down out off away not no everyone everything something
"""
# Listed names that are words, too: in small letters they are no names.
WORDS_TOO = """
amber aspen bailey baker banda bane barge barker barrow becker brad brent broad brook buffalo burgess bush butler
canary carol carpenter carter centurion chandler chester chuck cliff clint cole cook cooper cox crick dale date dean
dimple diva dive drake dyer earl eve finch fisher flora ford foster fowler fox franklin freeman frost fuller gill glen
goldsmith goodman gore grace grant gray guinea hake hardy harrow harsh hazel heather hinge holder holly hunt iris ivy
jack jasmine jasper kale knight lance laurel lily lister lynch mane manning manor margarita mark marsh mason mate mercy
mete miller mistry mona morse musk nana naval nick nightingale oak olive pal palmer pant parker pearl pence penny
pentagon pierce pimple pinky porter potter prudence randy ray reed rick robin root rosemary rosy ruby sable sally salve
sanders sane savant sawyer shaw skinner smith soli sonar spencer sultana superior swift tala tapas taylor thatcher tope
troy trump truss tucker turner twain twinkle victor vita wad wade walker ware warner weaver webster wheeler wilder
woody worcester wright
"""


class Part(NamedTuple):
    """A name or loan word, a number, or what is copied, in a sentence."""

    start: int
    end: int
    kind: str  # name, number or copied
    unknown: bool  # whether the model does not know it; a known one is hidden in a list only


def with_capitals(sentence: str, known: Collection[str], listed: Mapping[str, Any]) -> str:
    """Returns a sentence with unknown names written as in the list: Sachin for sachin, Shahrukh for Shah Rukh.

    A name in two words is one of the list if its second word is not.
    """
    pieces, end, was_new = [""], 0, False
    for match in TOKEN.finditer(sentence):
        word, name = match[0], match[0].capitalize()
        is_new = not (match[1] or match[2]) and word.lower() not in known
        together = f"{pieces[-1]}{word}".capitalize()
        if sentence[end : match.start()] == " " and was_new and is_new and name not in listed and together in listed:
            pieces[-1] = together
        else:
            is_name = is_new and name in listed and (word.islower() or sentence.isupper())
            as_listed = name if is_name and word.lower() not in WORDS_TOO.split() else word
            pieces += [sentence[end : match.start()], as_listed]
        end, was_new = match.end(), is_new
    return "".join(pieces) + sentence[end:]


def find(sentence: str, known: Collection[str], listed: Mapping[str, Any]) -> list[list[Part]]:
    """Returns what to hide in a sentence, each with its parts.

    Adjoining names (Sachin Tendulkar) are hidden as one; of listed ones, those that the model knows, too. A list of
    `LIST` or more names or numbers, if the model does not know one of them or it is longer, is hidden as two: its last
    one and those before it, so that "A, B, C and D" is read as "① and ②". Of many names or numbers, in a list or not,
    all are hidden.
    """
    parts = [part for match in TOKEN.finditer(sentence) if (part := _part(match, known, listed))]
    kinds = [part.kind for part in parts]
    many = [kind for kind, least in (("number", LIST), ("name", LIST + 1)) if kinds.count(kind) >= least]
    parts = [part._replace(unknown=part.unknown or part.kind in many) for part in parts]
    found = []
    for items in _lists(sentence, _adjoined(sentence, parts)):
        if len(items) >= LIST and (len(items) > LIST or any(part.unknown for item in items for part in item)):
            found += [list(itertools.chain(*items[:-1])), items[-1]]
        else:
            found += _adjoined(sentence, [part for item in items for part in _unknown(sentence, item, listed)])
    return found


def _unknown(sentence: str, item: Sequence[Part], listed: Mapping[str, Any]) -> list[Part]:
    """Returns the parts of adjoining names that are unknown, and known ones of a full name: Rahul Gandhi."""

    def is_name(part: Part | None) -> bool:
        return part is not None and part.unknown and sentence[part.start : part.end] in listed

    found = []
    for before, part, after in zip([None, *item], item, [*item[1:], None], strict=False):
        word = sentence[part.start : part.end]
        kind = listed[word].kind if word in listed and word != ASKING else ""
        given, person = kind in ("m", "f"), kind in ("m", "f", "surname")
        if part.unknown or (given and is_name(after)) or (person and is_name(before)):
            found.append(part)
    return found


def _part(match: re.Match[str], known: Collection[str], listed: Mapping[str, Any]) -> Part | None:
    """Returns a word that is to be hidden, or would be in a list; None for any other."""
    kind = "copied" if match[1] else "number" if match[2] else "name"
    unknown = kind == "copied" or (match[0].lower() not in known and (kind == "number" or _is_name(match, listed)))
    in_list = kind == "number" or (match[0] in listed and match[0][0].isupper())
    return Part(*match.span(), kind, unknown) if unknown or in_list else None


def _is_name(match: re.Match[str], listed: Mapping[str, Any]) -> bool:
    """Returns whether a word is listed, or written like a name and at a place where only a name would be."""
    word = match[0]
    if word in listed or word.lower() in listed:
        return True
    if re.search("[^A-Za-z'’ʼ-]", word):
        return True  # with an accent, and no training sentence has it
    capital = word[0].isupper() or (word[1:2] in ("'", "’") and word[2].isupper())  # d'Artagnan
    if not capital or not any(map(str.islower, word)):
        return False
    opens_sentence = BEFORE_SENTENCE.search(match.string[: match.start()])
    following = FOLLOWING.match(match.string[match.end() :])
    return not opens_sentence or (following is not None and following[1] not in AFTER_VERBS.split())


def _adjoined(sentence: str, parts: Sequence[Part]) -> list[list[Part]]:
    """Returns parts, those together that have a capital and only a space between them: Sachin Tendulkar, June 4."""
    items: list[list[Part]] = []
    for part in parts:
        before = items[-1][-1] if items else part
        capitals = f"{sentence[before.start]}{sentence[part.start]}".isupper()
        if capitals and "copied" not in (before.kind, part.kind) and sentence[before.end : part.start] == " ":
            items[-1].append(part)
        else:
            items.append([part])
    return items


def _lists(sentence: str, items: Sequence[list[Part]]) -> list[list[list[Part]]]:
    """Returns items, those of a list of names or of numbers together."""
    lists: list[list[list[Part]]] = []
    for item in items:
        before = lists[-1][-1] if lists else item
        same = before[0].kind == item[0].kind != "copied"
        if lists and same and LISTED_BY.fullmatch(sentence[before[-1].end : item[0].start]):
            lists[-1].append(item)
        else:
            lists.append([item])
    return lists
