"""Texts into what is translated by itself: sentences, with plain spellings, and the signs and counters around them.

A model of sentence pairs has seen one to four sentences at a time, nearly all with a mark at their end. Of more it
leaves most out, without a final mark it says things twice, and for emoji and markup it writes words. So each sentence
is translated by itself, with a mark if it lacks one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import regex

from ..spelling import INVISIBLE, SPACE, is_blank
from ..translate import Piece
from .rules import PATTERNS, rewrite, unescape

MOSTLY_MARKED = 0.9  # share of training sentences that end with a mark, from which a missing one is added
_TAIL = 80  # letters of a sentence that tell whether it ends there
_LAST = regex.compile(f"(?r){PATTERNS['last'].pattern}")  # at a text's end


def paragraphs(batches: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    """Yields the paragraphs of lines, lists of them, as soon as they have ended; a blank line stays one.

    A paragraph ends before a blank line, a mark of a list, a heading or a line without a letter; before a line that is
    indented more than the last one; and, if all its lines are indented, behind a final mark. Lines of an item of a list
    may be indented.
    """
    begun: list[str] = []
    for lines in batches:
        ended = []
        for line in lines:
            if begun and _ends(begun, line):
                ended.append(_joined(begun))
                begun = []
            if is_blank(line):
                ended.append("")
            else:
                begun.append(line)
        yield ended
    yield [_joined(begun)] if begun else []


def _ends(begun: Sequence[str], line: str) -> bool:
    """Returns whether a paragraph ends before this line."""
    first, last = begun[0], begun[-1]
    if "-->" in last or "-->" in line:  # the times of a subtitle
        return True
    if PATTERNS["counter"].search(line) or not all(map(PATTERNS["letter"].search, (last, line))) or first[:1] == "#":
        return True
    indent, before = (len(each) - len(each.lstrip()) for each in (line, last))
    return not PATTERNS["counter"].search(first) and (
        indent > before or (indent == before > 0 and has_final_mark(last))
    )


def _joined(lines: Sequence[str]) -> str:
    text = " ".join(line.strip() for line in lines)
    return PATTERNS["hyphenated"].sub(r"\1", text)


def segment(text: str, spellings: Sequence[str], digits: Mapping[int, int]) -> list[Piece]:
    """Returns the pieces of a text that are translated by themselves, with the signs and counters around them.

    A text without any letter is no sentence: it stays as it is, with the digits of the target language.

    Args:
        text: as it was typed.
        spellings: names of the tables of `rules.tsv` that are applied to each sentence; see `spellings_for`.
        digits: those that stand for 0 to 9 in the target language, as `str.translate` takes them.
    """
    before, body, after = split_signs(INVISIBLE.sub("", text))
    body = unescape(body)
    if not PATTERNS["letter"].search(body):
        kept = "" if is_blank(body) else body.strip().translate(digits)
        return [Piece(kept, "", before, after)]
    sentences = split_sentences(rewrite(body, ["spacing"]))
    pieces = [piece for sentence in sentences for piece in _pieces(*sentence, spellings, digits)]
    pieces[0] = pieces[0]._replace(before=before + pieces[0].before)
    pieces[-1] = pieces[-1]._replace(after=pieces[-1].after + after)
    return pieces


def _pieces(sentence: str, space: str, spellings: Sequence[str], digits: Mapping[int, int]) -> list[Piece]:
    """Returns a sentence as one piece, or what is translated by itself within it as several."""
    within = _within(sentence) if "english" in spellings else [("", sentence, "")]
    pieces = [(before, _piece(text, after, spellings, digits)) for before, text, after in within]
    pieces[-1] = pieces[-1][0], pieces[-1][1]._replace(after=pieces[-1][1].after + space)
    return [piece._replace(before=before + piece.before) for before, piece in pieces]


def _within(sentence: str) -> list[tuple[str, str, str]]:
    """Returns what is translated by itself within a sentence, between the signs that stand around it."""
    if match := PATTERNS["enclosed"].search(sentence):
        return [(match[1], match[2], match[3])]
    if match := PATTERNS["opening"].search(sentence):
        return [(match[1], match[2], match[3]), *_within(match[4])]
    if match := PATTERNS["brackets"].search(sentence):
        *others, (before, text, after) = _within(match[1] + match[5])
        return [*others, (before, text, f"{after} {match[2]}"), ("", match[3], match[4])]
    if match := PATTERNS["speech"].search(sentence):
        return [("", match[1], ', "'), ("", match[2], '"')]
    if match := PATTERNS["spoken"].search(sentence):
        return [('"', match[1], '," ' if match[1].endswith(",") else '" '), ("", match[2], "")]
    if match := PATTERNS["quoted"].search(sentence):
        return [('"', match[1], '"')]
    return [("", sentence, "")]


def _piece(sentence: str, space: str, spellings: Sequence[str], digits: Mapping[int, int]) -> Piece:
    """Returns a sentence without its counter, in plain spellings and with a final mark."""
    counter = match[0] if (match := PATTERNS["counter"].search(sentence)) else ""
    typed = sentence[len(counter) :]
    read = rewrite(typed, spellings)
    lacks_mark = bool(PATTERNS["letter"].search(sentence)) and not has_final_mark(sentence)
    read = read if has_final_mark(read) or not lacks_mark else add_final_mark(read)
    return Piece(typed, read, counter.translate(digits), space, lacks_mark)


def split_signs(text: str) -> tuple[str, str, str]:
    """Returns the signs before a text, the text without signs among its words, and the signs after it.

    A text of signs alone stays as it is. A picture before a word such as I or What is the end of a sentence.
    """
    whole, text = text, rewrite(text, ["markup"])
    before = match[0] if (match := PATTERNS["before"].search(text)) else ""
    end = len(text)
    while match := _LAST.match(text, len(before), end):
        end = match.start()
    after = text[end:] if text[end:].strip() else ""
    body = text[len(before) : len(text) - len(after)]
    if not PATTERNS["anyLetter"].search(body):
        return "", whole, ""
    if match := PATTERNS["enclosed"].search(body):
        before, body, after = before + match[1], match[2], match[3] + after
    return before, rewrite(body, ["among"]), after


def split_sentences(text: str) -> list[tuple[str, str]]:
    """Splits a text into sentences, each with the white space after it.

    A sentence ends at a mark such as . ? ! or ।, perhaps with a quotation mark, if white space and a digit or a letter
    that is not small follow; in a text without capitals, any letter. Abbreviations (Mr., U.S.), initials and the number
    of a list (1.) end no sentence, nor does a word with an ellipsis (Well...). A quotation stays in one piece.
    """
    sentences, start, capitals = [], 0, any(map(str.isupper, text))
    for match in PATTERNS["boundary"].finditer(text):
        sentence, following = text[start : match.end(1)], match[3]
        tail = sentence[-_TAIL:]
        number = following.isdecimal() and PATTERNS["beforeNumber"].search(tail)
        if (capitals and following.islower()) or number or PATTERNS["numbered"].search(tail):
            continue
        if PATTERNS["notAtEnd"].search(tail) or _in_quotation(sentence):
            continue
        sentences.append((sentence, match[2]))
        start = match.end()
    return [*sentences, (text[start:], "")]


def _in_quotation(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") > text.count("”") or text.count("«") > text.count("»")


def has_final_mark(text: str) -> bool:
    """Returns whether a sentence ends with a mark, perhaps in quotation marks."""
    return bool(PATTERNS["hasFinalMark"].search(text))


def share_with_final_mark(sentences: Sequence[str]) -> float:
    """Returns the fraction of sentences that end with a mark."""
    return sum(map(has_final_mark, sentences)) / max(1, len(sentences))


def add_final_mark(sentence: str) -> str:
    """Returns a sentence with a question mark if it begins like an English question, else with a full stop."""
    return PATTERNS["noEnd"].sub("", sentence) + ("?" if PATTERNS["question"].search(sentence.lower()) else ".")


def without_final_mark(text: str) -> str:
    """Returns a text without the marks at its end."""
    return PATTERNS["finalMarks"].sub("", text)


def spellings_for(vocabulary: Iterable[str], hides_names: bool) -> tuple[str, ...]:
    """Returns the tables of spellings for a model with this source vocabulary: in German, im is no i'm.

    A model that hides names writes them, and so titles, in Marathi.
    """
    entries = set(vocabulary)
    begins = {entry.removeprefix(SPACE) for entry in entries if entry.startswith(SPACE)} or entries
    english = ("tens", "ones", "days", "numbered", "expanded", "shortened", "english", "hours", "dates", "classes")
    typed = ("haste", "spoken", "messages", "alone", *(("surnames", "titles", "countries") if hides_names else ()))
    return ("marks", *english, *typed) if {"the", "is"} <= begins else ("marks",)
