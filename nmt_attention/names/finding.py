"""Which words of a sentence are hidden from a model, because it cannot know them: names, numbers, addresses."""

import itertools
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from .tokens import LISTED_BY, TOKEN

LIST = 3  # names or numbers from which a list of them is read as two

# Classes stand in brackets, so that `deploy.browser` can replace them by lists of letters.
BEFORE_SENTENCE = re.compile(r"(?:^|[.!?])[^\w]*$")
FOLLOWING = re.compile(r"(?:['’]s)? (?![\d])([\w]+)")
# What follows a verb rather than a name: an unlisted word that opens a sentence before one of these is no name.
AFTER_VERBS = """
a an the this that these those my your his her its our their me you him it us them to in on at for from with of by up
down out off away not no everyone everything something
"""


class Part(NamedTuple):
    """A name or loan word, a number, or what is copied, in a sentence."""

    start: int
    end: int
    kind: str  # name, number or copied
    unknown: bool  # whether the model does not know it; a known one is hidden in a list only


def find(sentence: str, known: Collection[str], listed: Collection[str]) -> list[list[Part]]:
    """Returns what to hide in a sentence, each with its parts.

    Adjoining names (Sachin Tendulkar) are hidden as one. A list of `LIST` or more names or numbers, if the model does
    not know one of them or it is longer, is hidden as two: its last one and those before it, so that "A, B, C and D" is
    read as "① and ②". Of many names or numbers, in a list or not, all are hidden.
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
            found += _adjoined(sentence, [part for item in items for part in item if part.unknown])
    return found


def _part(match: re.Match[str], known: Collection[str], listed: Collection[str]) -> Part | None:
    """Returns a word that is to be hidden, or would be in a list; None for any other."""
    kind = "copied" if match[1] else "number" if match[2] else "name"
    unknown = kind == "copied" or (match[0].lower() not in known and (kind == "number" or _is_name(match, listed)))
    in_list = kind == "number" or (match[0] in listed and match[0][0].isupper())
    return Part(*match.span(), kind, unknown) if unknown or in_list else None


def _is_name(match: re.Match[str], listed: Collection[str]) -> bool:
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
