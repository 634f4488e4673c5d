"""Placeholders: symbols that stand for the words a model cannot know, such as names, while it translates.

A model of sentences learns words that it sees again and again; it does not learn to spell a name that it never saw. So
each such word of the source becomes a symbol of its kind, the model translates the sentence around it and adds the case
ending, and the symbol in the translation is written out in the other script: "Rahul met Priya." is translated as
"① met ②.", and राहुल and प्रिया then take the places of ① and ②. A place in front of a case ending is written in its
oblique: पुणे, but पुण्याला. A number keeps its digits, in Devanagari; addresses, names of files, handles, codes and words
of another script are copied.

Source: Luong et al. 2015, arXiv:1410.8206 (section 3.1: numbered symbols for unknown words, the "copyable" model).
"""

import collections
import itertools
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from ..spelling import normalize
from ..text import Tokenizer
from ..translate import Piece
from ..vocabulary import PAD_ID, START_ID
from .rules import ACRONYMS, DIGITS, LETTER_NAMES, OBLIQUES, PATTERNS, PLACES, TITLED, WORDS, rewrite, unescape
from .terms import Term, typed_again
from .transliterator import Spelled, Transliterator, without_accents

_KINDS = ("m", "f", "place", "word", "number")  # masculine and feminine names, places, loan words, numbers
PER_KIND = 3  # symbols of each kind, so that two names in a sentence stay apart
SYMBOLS = {kind: [chr(0xE000 + PER_KIND * k + i) for i in range(PER_KIND)] for k, kind in enumerate(_KINDS)}
LENDERS = ("word", "place", "m", "f", "number")  # kinds whose symbols stand for words of one that has too few
ALL_SYMBOLS = [symbol for symbols in SYMBOLS.values() for symbol in symbols]  # of Unicode's area for private use
SYMBOL = re.compile(f"[{''.join(ALL_SYMBOLS)}]")

OFTEN = 5  # times that a word occurs in training before a model knows it, if it always has a capital
ASKING = "Will"  # a listed name that asks before another one: Will Rahul come?
_REMEMBERED = 10_000  # names that are not spelled again
LIST = 3  # names or numbers from which a list of them is read as two


def known_words(sentences: Iterable[str]) -> set[str]:
    """Returns the words that a model can know from its training sentences, in lower case.

    Those are words that occur with a small letter, and words and numbers that occur at least `OFTEN` times.
    """
    counts, folded = collections.Counter[str](), collections.Counter[str]()
    for sentence in sentences:
        counts.update(PATTERNS["trainingWord"].findall(sentence))
    for word, count in counts.items():
        folded[word.lower()] += count
    small = {word for word in counts if word.islower()}
    return small | {word for word, count in folded.items() if count >= OFTEN}


class Part(NamedTuple):
    """A name or loan word, a number, or what is copied, in a sentence."""

    start: int
    end: int
    kind: str  # name, number or copied
    unknown: bool  # whether the model does not know it; a known one is hidden in a list only

    def of(self, sentence: str) -> str:
        return sentence[self.start : self.end]


class Placeholders:
    """Hides the words of sentences that a model does not know.

    Args:
        known: the model's `known_words`.
        transliterator: writes the words. Those that it lists are hidden wherever they stand, in small letters,
            too; other words only if they are written like a name.
        unwritten: listed names that are known but that the model does not write; see `names.asking`.
        rare: known loan words that training has so seldom that the model does not write them, either; they are known
            while it is trained, and hidden afterwards.
    """

    def __init__(
        self,
        known: Iterable[str],
        transliterator: Transliterator,
        unwritten: Iterable[str] = (),
        rare: Iterable[str] = (),
    ) -> None:
        self.known, self.transliterator = frozenset(known), transliterator
        self.unwritten, self.rare = transliterator.listed.keys() & set(unwritten), frozenset(rare)
        self.known_or_listed = self.known | set(map(str.lower, transliterator.listed))
        asked = transliterator.listed.items() if self.unwritten else ()  # a model not asked may write any name
        names = {word for word, spelled in asked if spelled.kind != "word"}
        self.sure_names = {name for name in names if name.lower() not in WORDS["wordsToo"]}
        self._spelled = {place: Spelled(text, "place") for place, text in PLACES.items()}  # and names met before
        self._spelled |= {title: Spelled(*each.split()[::-1]) for title, each in TITLED.items()}

    def hide(
        self, sentences: Sequence[str], terms: Mapping[str, Term] | None = None, every: bool = False
    ) -> list[Piece]:
        """Returns each sentence with its unknown names, loan words, numbers and addresses hidden; see `find`.

        Of each kind, the first `PER_KIND` have its symbols. Others take those of other kinds, as long as there are any.
        So do the marks of `terms`; see `Terms.mark`. With `every`, known names and numbers are hidden, too.
        """
        known, listed, terms = self.known, self.transliterator.listed, terms or {}
        plain = [self._plain(SYMBOL.sub(" ", unescape(sentence))) for sentence in sentences]
        plain = [with_capitals(sentence, known, listed) for sentence in plain]
        unwritten = self.unwritten | self.sure_names if every else self.unwritten
        found = [find(sentence, known, listed, unwritten, every) for sentence in plain]
        parts = [(text, part) for text, spans in zip(plain, found, strict=True) for span in spans for part in span]
        names = [name for text, part in parts if part.kind == "name" for name in part.of(text).split("-")]
        spelled = self._spelled_names(names)
        for mark, (typed, written) in terms.items():
            spelled[mark] = Spelled(written, listed[typed].kind if typed in listed else "word")
        return [self._hide(*each, spelled, terms) for each in zip(sentences, plain, found, strict=True)]

    def _spelled_names(self, names: Iterable[str]) -> dict[str, Spelled]:
        """Returns how these names, and others, are written."""
        new = [name for name in dict.fromkeys(names) if name not in self._spelled]
        spelled_out = [PATTERNS["acronym"], PATTERNS["mark"]]
        letters = [name for name in new if name in ACRONYMS or any(each.search(name) for each in spelled_out)]
        unknown = [name for name in new if name not in letters]
        said = [ACRONYMS.get(n) or "".join(LETTER_NAMES.get(c, c) for c in n.removesuffix("s")) for n in letters]
        spelled = self._spelled | {name: Spelled(text, "word") for name, text in zip(letters, said, strict=True)}
        spelled |= zip(unknown, self.transliterator.spell(unknown), strict=True)
        if len(spelled) <= _REMEMBERED:
            self._spelled = spelled
        return dict(spelled)

    def _plain(self, sentence: str) -> str:
        """Returns a sentence with `and` for &, and without the accents of words that are known without (naïve)."""

        def bare(match: re.Match[str]) -> str:
            plain = without_accents(match[0])
            return plain if match[0] == match[0].lower() and plain in self.known else match[0]

        return PATTERNS["letters"].sub(bare, sentence.replace(" & ", " and "))

    def _hide(
        self,
        typed: str,
        sentence: str,
        spans: Sequence[Sequence[Part]],
        names: Mapping[str, Spelled],
        terms: Mapping[str, Term],
    ) -> Piece:
        hidden, end = "", 0
        words: dict[str, str] = {}
        written: dict[str, str] = {}
        for span in spans:
            text = typed_again(sentence[span[0].start : span[-1].end], terms)
            spelled = _spell(sentence, span, names)
            symbol = _free_symbol(symbol_kind(spelled.kind), text, words)
            if symbol:
                words[symbol], written[symbol] = text, spelled.text
                hidden += sentence[end : span[0].start] + symbol
                end = span[-1].end
        read, listed = hidden + sentence[end:], self.transliterator.listed
        kept = {match[0]: listed[match[0]] for match in PATTERNS["token"].finditer(read) if match[0] in self.sure_names}
        at = {name: written_at(SYMBOLS[symbol_kind(kind)][0], text) for name, (text, kind) in kept.items()}
        return Piece(typed_again(typed, terms), read, words=words, spelled=written, names=at)


def _spell(sentence: str, span: Sequence[Part], names: Mapping[str, Spelled]) -> Spelled:
    """Returns what is written for adjoining names, or for those of a list, and of which kind of symbol they are."""
    text, kinds, joints = "", [], []
    for before, part in zip((None, *span), span, strict=False):
        word, kind = part.of(sentence), "word"
        if part.kind == "name":
            spelled = [names[name] for name in word.split("-")]
            word, kind = "-".join(name.text for name in spelled), spelled[0].kind
        elif part.kind == "number":
            if not PATTERNS["thing"].search(word):  # such as a telephone number, a measure
                kind = "number"
            word = _number(word, sentence[: part.start], sentence[part.end :])
        joints.append(sentence[before.end : part.start] if before else "")
        text += rewrite(joints[-1], ["joined"]) + word
        kinds.append(kind)
    persons = [kind for kind in kinds if kind in ("m", "f")]
    in_list = not {"", " "}.issuperset(joints)  # of men and women together is said what is said of men
    return Spelled(text, max(persons) if persons and in_list else [*persons, *kinds][0])


def _free_symbol(kind: str, typed: str, words: Mapping[str, str]) -> str:
    """Returns a free symbol of a kind; without any, that of the same words, then another kind's, at last none ("")."""
    same = [symbol for symbol, others in words.items() if others == typed]
    own, *lent = ([symbol for symbol in SYMBOLS[each] if symbol not in words] for each in (kind, *LENDERS))
    return next(itertools.chain(own, same, *lent), "")


def symbol_kind(kind: str) -> str:
    """Returns which kind's `SYMBOLS` stand for a word of this kind of `names.tsv`, or whatever a model wrote.

    What is said of someone by surname alone mostly agrees with a man.
    """
    return "m" if kind == "surname" else kind if kind in SYMBOLS else "place"


def with_capitals(sentence: str, known: Collection[str], listed: Mapping[str, Any]) -> str:
    """Returns a sentence with names written as in the list: Sachin for sachin and SACHIN, Shahrukh for Shah Rukh.

    Loan words that are known stay small. A name in two words is one of the list if its second word is not.
    """
    pieces, end, was_new = [""], 0, False
    for match in PATTERNS["token"].finditer(sentence):
        word, small, name = match[0], match[0].lower(), match[0].capitalize()
        is_new = not (match[1] or match[2]) and small not in known
        together = f"{pieces[-1]}{word}".capitalize()
        if sentence[end : match.start()] == " " and was_new and is_new and name not in listed and together in listed:
            pieces[-1] = together
        else:
            is_name = name in listed and (is_new or (listed[name].kind != "word" and small not in WORDS["smallToo"]))
            is_small = small not in WORDS["wordsToo"] and (PATTERNS["uncased"].search(word) or sentence.isupper())
            pieces += [sentence[end : match.start()], name if is_name and is_small else word]
        end, was_new = match.end(), is_new
    return "".join(pieces) + sentence[end:]


def find(
    sentence: str,
    known: Collection[str],
    listed: Mapping[str, Any],
    unwritten: Collection[str] = (),
    numbers: bool = False,
) -> list[list[Part]]:
    """Returns what to hide in a sentence, each with its parts.

    Adjoining names (Sachin Tendulkar) are hidden as one; of listed ones, those that the model knows, too. A list of
    `LIST` or more names or numbers, if the model does not know one of them or it is longer, is hidden as two: its last
    one and those before it, so that "A, B, C and D" is read as "① and ②". Of many names or numbers, in a list or not,
    all are hidden; with `numbers` even a single one.
    """
    parts = [part for match in PATTERNS["token"].finditer(sentence) if (part := _part(match, known, listed, unwritten))]
    kinds = [part.kind for part in parts]
    least = {"number": 1 if numbers else LIST, "name": LIST + 1}
    many = [kind for kind, fewest in least.items() if kinds.count(kind) >= fewest]
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
        return part is not None and part.unknown and (part.of(sentence) in listed or part.of(sentence) in TITLED)

    found = []
    for before, part, after in zip([None, *item], item, [*item[1:], None], strict=False):
        word = sentence[part.start : part.end]
        kind = listed[word].kind if word in listed and word != ASKING else ""
        given, person = kind in ("m", "f"), kind in ("m", "f", "surname")
        if part.unknown or (given and is_name(after)) or (person and is_name(before)):
            found.append(part)
    return found


def _part(
    match: re.Match[str], known: Collection[str], listed: Mapping[str, Any], unwritten: Collection[str]
) -> Part | None:
    """Returns a word that is to be hidden, or would be in a list; None for any other."""
    kind = "copied" if match[1] else "number" if match[2] else "name"
    unknown = kind == "copied" or (match[0].lower() not in known and (kind == "number" or _is_name(match, listed)))
    unknown = unknown or (match[0] in unwritten and _stands_as_name(match, listed))
    unknown = unknown or (match[0] in ACRONYMS and not match.string.isupper())
    titled = PATTERNS["titledName"].search(match.string[match.end() :]) if match[0] in TITLED else None
    unknown = unknown or (titled is not None and (titled[1] in listed or titled[1].lower() not in known))
    in_list = kind == "number" or (match[0] in listed and match[0][0].isupper())
    return Part(*match.span(), kind, unknown) if unknown or in_list else None


def _is_name(match: re.Match[str], listed: Mapping[str, Any]) -> bool:
    """Returns whether a word is listed, or written like a name and at a place where only a name would be."""
    word = match[0]
    if word in listed or word.lower() in listed or word in PLACES:
        return True
    if PATTERNS["acronym"].search(word):
        return not match.string.isupper()
    if re.search("[^A-Za-z'’ʼ-]", word):
        return True  # with an accent, and no training sentence has it
    capital = word[0].isupper() or (word[1:2] in ("'", "’") and word[2].isupper())  # d'Artagnan
    if not capital or not any(map(str.islower, word)):
        return False
    opens_sentence = PATTERNS["beforeSentence"].search(match.string[: match.start()])
    following = PATTERNS["following"].search(match.string[match.end() :])
    return not opens_sentence or (following is not None and following[1] not in WORDS["afterVerbs"])


def _stands_as_name(match: re.Match[str], listed: Mapping[str, Any]) -> bool:
    """Returns whether a listed name is none of `wordsToo`, or stands where a name would: Ask Mark. Mark is here."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if match[0].lower() not in WORDS["wordsToo"] or not PATTERNS["beforeSentence"].search(before):
        return True
    following = PATTERNS["following"].search(after)
    is_name = listed[match[0]].kind in ("m", "f") or match[0].lower() not in WORDS["withoutArticle"]
    before_verb = is_name and following is not None and following[1] in WORDS["afterNames"]
    return before_verb or bool(PATTERNS["afterName"].search(after))


def _adjoined(sentence: str, parts: Iterable[Part]) -> list[list[Part]]:
    """Returns parts, those together that have a capital and only a space between them: Sachin Tendulkar, June 4."""

    def joins(before: Part, part: Part) -> bool:
        capitals = f"{sentence[before.start]}{sentence[part.start]}".isupper()
        return capitals and "copied" not in (before.kind, part.kind) and sentence[before.end : part.start] == " "

    return _grouped(parts, joins)


def _lists(sentence: str, items: Iterable[list[Part]]) -> list[list[list[Part]]]:
    """Returns items, those of a list of names or of numbers together."""

    def joins(before: list[Part], item: list[Part]) -> bool:
        is_list = PATTERNS["listedBy"].search(sentence[before[-1].end : item[0].start])
        return bool(is_list) and before[0].kind == item[0].kind != "copied"

    return _grouped(items, joins)


def _grouped(items: Iterable[Any], joins: Callable[[Any, Any], bool]) -> list[list[Any]]:
    """Returns items in lists; one that joins the one before is in the same."""
    groups: list[list[Any]] = []
    for item in items:
        if groups and joins(groups[-1][-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _number(number: str, before: str, after: str) -> str:
    """Returns a number of a sentence in Devanagari: `१२/०५/२०२४`, `₹४५०`, `२२वा`, `रात्री १०.३०`.

    An ordinal is masculine, oblique (`२२व्या`) after a preposition; with a month it is the number alone.
    """
    if PATTERNS["afterMonth"].search(before) or PATTERNS["beforeMonth"].search(after):
        number = PATTERNS["ordinal"].sub("", number)
    elif PATTERNS["afterPreposition"].search(before):
        number = PATTERNS["ordinal"].sub("व्या", number)
    return rewrite(number, ["units", "respelled"]).translate(DIGITS)


def reveal(translation: Any, piece: Piece) -> Any:
    """Returns the `Translation` of a piece with every symbol written out, in its text and in its tokens."""
    forms = []  # of the symbols in the text; in the tokens, which have the same ones, an ending may be the next token
    for match in SYMBOL.finditer(translation.text):
        written, follows = piece.spelled.get(match[0], match[0]), translation.text[match.end() :]
        forms.append(_before_ending(match[0], written) if PATTERNS["ending"].search(follows) else written)

    def write(texts: Sequence[str]) -> list[str]:
        left = iter(forms)
        return [SYMBOL.sub(lambda _: next(left), text) for text in texts]

    def typed(match: re.Match[str]) -> str:
        return piece.words.get(match[0], match[0])

    return translation._replace(
        text=write([translation.text])[0],
        source_tokens=[SYMBOL.sub(typed, token) for token in translation.source_tokens],
        target_tokens=write(translation.target_tokens),
    )


def _before_ending(symbol: str, written: str) -> str:
    """Returns what a symbol writes in front of a case ending."""
    if PATTERNS["copiedEnd"].search(written):
        return f"{written} "
    if symbol not in SYMBOLS["place"]:
        return written
    first, space, last = written.rpartition(" ")  # of a list, the last place
    return first + space + OBLIQUES.get(last, last)


def protect_target(piece: Piece, target: str) -> tuple[Piece, str]:
    """Returns a piece and its given translation with the same words hidden on both sides.

    A symbol stays if what it stands for begins a word of the translation, in the form that `reveal` writes; else the
    source has its own words again.
    """
    source, target, spelled = piece.read, normalize(SYMBOL.sub(" ", target)), {}
    for symbol, written in piece.spelled.items():
        in_target = written_at(symbol, written)
        if in_target.search(target):
            target = in_target.sub(symbol, target)
            spelled[symbol] = written
        else:
            source = source.replace(symbol, piece.words[symbol])
    return piece._replace(
        read=source, words={symbol: piece.words[symbol] for symbol in spelled}, spelled=spelled
    ), target


def written_at(symbol: str, written: str) -> re.Pattern[str]:
    """Returns a pattern of what a symbol writes, at the beginning of a word and in the form that fits what follows."""
    ending = PATTERNS["ending"].pattern.removeprefix("^")
    bare, oblique = re.escape(written), re.escape(_before_ending(symbol, written))
    return re.compile(f"{PATTERNS['wordStart'].pattern}(?:{bare}(?!{ending})|{oblique}(?={ending}))")


def make_never(source_tokenizer: Tokenizer, target_tokenizer: Tokenizer) -> Callable[[tf.Tensor], tf.Tensor]:
    """Returns a function that says which tokens the translation of a sentence never has: see `forbid`.

    Those are padding, start, and symbols that are not in the sentence.

    Returns:
        Function from source ids `(B, S)` to -inf for such tokens and 0 for others, `(B, K)` float32, where K is the
        number of tokens up to the last that may be one.
    """
    there, needed = _symbols_of(source_tokenizer), _symbols_of(target_tokenizer)
    always = np.zeros(len(target_tokenizer), np.float32)
    always[[PAD_ID, START_ID]] = 1
    width = 1 + int(np.flatnonzero(always + needed.max(axis=1))[-1])

    def never(source_ids: tf.Tensor) -> tf.Tensor:
        present = tf.reduce_max(tf.gather(tf.constant(there), source_ids), axis=1)  # (B, symbols)
        lacking = tf.matmul(1 - present, needed[:width], transpose_b=True) + always[:width]  # (B, K)
        return tf.where(lacking > 0, -float("inf"), 0.0)

    return never


def _symbols_of(tokenizer: Tokenizer) -> np.ndarray:
    """Returns which tokens of a vocabulary hold which of `ALL_SYMBOLS`, `(V, symbols)` float32 of 0 and 1."""
    return np.array([[symbol in token for symbol in ALL_SYMBOLS] for token in tokenizer.vocabulary], np.float32)
