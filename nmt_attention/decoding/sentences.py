"""Texts as people type them: several sentences at once, no full stop at the end, in a list, or nothing to translate.

A model of sentence pairs has seen one to four sentences at a time, nearly all with a mark at their end. Of more it
leaves most out, and without a final mark it says things twice. So each sentence is translated by itself, with a mark if
it lacks one, and the translations are joined.
"""

import contextlib
import functools
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..disk.entities import unescape
from ..names.placeholders import Placeholders, lost_and_repeated
from ..names.tokens import DIGITS
from ..spelling import as_texts, is_blank
from ..text import Tokenizer
from ..translate import MAX_SOURCE_LENGTH, Around, Hidden, Translation, Translator
from ..vocabulary import END_ID, SPECIAL_TOKENS
from .foreign import is_foreign, is_guessed, letters_of
from .languages import is_marathi
from .signs import keeping_signs
from .typed import ONE_WORD, SPACING, Table, rewrite, spellings_for

logger = logging.getLogger(__name__)

FINAL_MARKS, CLOSING, OPENING = ".?!…।॥。！？؟", "\"'”’»)]", "\"'“‘«(["
ABBREVIATIONS = (  # what a full stop belongs to, rather than to the sentence
    r"[A-Za-z]|(?:[A-Za-z]\.)+[A-Za-z]|Mr|Mrs|Ms|Messrs|Dr|Prof|St|Jr|Sr|Lt|Col|Gen|Capt|Rev|Hon|Mt|vs"
    r"|etc|Inc|Ltd|Co|Corp|approx|Fig|Rs|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
QUESTIONS = (
    r"(?:(?:who|whom|whose|what|when|where|why|how|which|is|are|am|was|were|does|did|can|could|will|would|shall|should"
    r"|may|might|must|have|has|had)(?:n['’]?t|['’]s|['’]re)?|do(?:n['’]?t (?:i|you|we|they|the))?)"
)
NO_END = " ,;:–—-"  # what a sentence ends with only by mistake
QUOTED = "\"'“‘( "  # what may stand before a question
# Classes stand in brackets, so that `deploy` can replace them by lists of letters.
_CLOSING, _OPENING = (re.sub(r"([\[\]])", r"\\\1", marks) for marks in (CLOSING, OPENING))
BOUNDARY = re.compile(rf"([{FINAL_MARKS}]+[{_CLOSING}]*)([\s]+)(?=[{_OPENING}]*(?!_)[\w])")
NOT_AT_END = re.compile(f"(?:^|[\\s(\"'“‘])(?:{ABBREVIATIONS})\\.$|^{ONE_WORD}$")
QUESTION = re.compile(rf"{QUESTIONS}(?![\w])", re.IGNORECASE)
HAS_FINAL_MARK = re.compile(rf"[{FINAL_MARKS}][{_CLOSING}\s]*$")
LETTER = re.compile(r"(?![\d_])[\w]")
COUNTER = re.compile(  # of a list's item, [1] of a note, or who is speaking (MAN:)
    r"[\s]*(?:[\d]{1,3}[.]|[(]?[A-Za-z0-9]{1,3}[)]|\[[\d]{1,3}\]|[A-Z]+(?: [A-Z0-9]+)?:"
    r"|[•●▪‣·*#>–—-])[\s]+(?=[^\s])"
)
BEAM_SIZE = 8  # of the search for a translation that keeps all names
_USUAL = 0.9  # share of training sentences that end with a mark, from which a missing one is added


def split_sentences(text: str) -> list[tuple[str, str]]:
    """Splits a text into sentences, each with the white space after it.

    A sentence ends at a mark such as . ? ! or ।, perhaps with a quotation mark, if white space and a digit or a letter
    that is not small follow; in a text without capitals, any letter. Abbreviations (Mr., U.S.), initials and the number
    of a list (1.) end no sentence, nor does a word with an ellipsis (Well...). A quotation stays in one piece.
    """
    sentences, start, capitals = [], 0, any(map(str.isupper, text))
    for match in BOUNDARY.finditer(text):
        sentence = text[start : match.end(1)]
        following = text[match.end() :].lstrip(OPENING)[0]
        number = sentence.strip()[:-1].isdecimal() or (following.isdecimal() and sentence.endswith("No."))
        if (capitals and following.islower()) or number or NOT_AT_END.search(sentence) or _in_quotation(sentence):
            continue
        sentences.append((sentence, match[2]))
        start = match.end()
    return [*sentences, (text[start:], "")]


def _in_quotation(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") > text.count("”") or text.count("«") > text.count("»")


def has_final_mark(text: str) -> bool:
    """Returns whether a sentence ends with a mark, perhaps in quotation marks."""
    return bool(HAS_FINAL_MARK.search(text))


def share_with_final_mark(sentences: Sequence[str]) -> float:
    """Returns the fraction of sentences that end with a mark."""
    return sum(map(has_final_mark, sentences)) / max(1, len(sentences))


def add_final_mark(sentence: str) -> str:
    """Returns a sentence with a question mark if it begins like an English question, else with a full stop."""
    return sentence.rstrip(NO_END) + ("?" if QUESTION.match(sentence.lstrip(QUOTED)) else ".")


def without_final_mark(text: str) -> str:
    """Returns a text without the marks at its end."""
    return text.rstrip(FINAL_MARKS + " ")


def digits_of(target_tokenizer: Tokenizer, language: str = "") -> dict[int, int]:
    """Returns the digits that stand for 0 to 9 in the target language, as `str.translate` takes them."""
    return DIGITS if is_marathi(target_tokenizer.vocabulary[len(SPECIAL_TOKENS) :], language) else {}


@contextlib.contextmanager
def unwarned() -> Iterator[None]:
    """Keeps back the warnings about single sentences, where thousands are translated to be scored."""
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


class _Sentence(NamedTuple):
    """A sentence of a text, and what is translated in its place."""

    counter: str  # of a list, before it
    typed: str
    read: str  # by the model: with a final mark and plain spellings
    lacks_mark: bool
    space: str  # after it


class TextTranslator(Translator):
    """A `Translator` for texts of any number of sentences, with or without a final mark.

    It is for models whose training sentences end with a mark. A missing mark is added to a sentence, as its
    `source_tokens` show, and taken off the translation's text again. A text without any letter is no sentence: it stays
    as it is, with the digits of the target language. So does the counter of a list (1.), the name of a speaker (MAN:),
    and a sentence of which the model knows nothing, because it is in another language; a warning says so. Marks and
    words typed in haste are read in their usual spelling. If a translation found by greedy search
    lacks a hidden name, or has one twice, a beam looks for a better one.

    Args: as in `Translator`, and `language`, the code of the target language, or "" for that of its script.
    """

    def __init__(
        self,
        model: Any,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        around: Around | None = None,
        language: str = "",
    ) -> None:
        super().__init__(model, source_tokenizer, target_tokenizer, around)
        self.language, self._digits = language, digits_of(target_tokenizer, language)
        self._letters = letters_of(source_tokenizer.vocabulary)
        self._spellings = spellings_for(source_tokenizer.vocabulary, isinstance(self.around, Placeholders))
        self._known, self._names = frozenset[str](), frozenset[str]()
        if isinstance(self.around, Placeholders):
            self._names = frozenset(self.around.transliterator.listed)
            self._known = self.around.known | set(map(str.lower, self.around.transliterator.listed))

    @keeping_signs
    def n_best(
        self, sentences: Iterable[str], batch_size: int = 64, merge_subwords: bool = False, **search: Any
    ) -> list[list[Translation]]:
        """Returns for each text all hypotheses, the best first: the k-th joins the k-th of each of its sentences."""
        texts = as_texts(sentences)
        parts = [_sentences(rewrite(unescape(text), SPACING), self._spellings) for text in texts]
        every = [sentence for of_text in parts for sentence in of_text]
        hypotheses = iter(self._n_best_of(every, batch_size, merge_subwords, **search))
        result, merge = [], not search.get("samples")
        for text, of_text in zip(texts, parts, strict=True):
            lists = [self._as_typed(next(hypotheses), sentence, merge) for sentence in of_text]
            kept = "" if is_blank(text) else unescape(text).strip().translate(self._digits)
            spaces = [sentence.space for sentence in of_text]
            result.append(_join(text, spaces, lists) if lists else [_unchanged(text, kept)])
        return result

    def _n_best_of(self, every: Sequence[_Sentence], *options: Any, **search: Any) -> list[list[Translation]]:
        """Returns the hypotheses of single sentences; one of which nothing is known stays as it is."""
        sentences = [sentence.read for sentence in every]
        hidden = self.around.hide(sentences)
        result = [[_unchanged(sentence.typed, sentence.typed)] for sentence in every]
        rows = []
        for i, (sentence, of_sentence) in enumerate(zip(every, hidden, strict=True)):
            if is_foreign(sentence.typed, of_sentence.text, self._letters, self._known, self._names):
                logger.warning("left as it is, because no word of it is known: %.80s", sentence.typed)
                continue
            rows.append(i)
            if is_guessed(of_sentence.text, self._known):
                logger.warning("the translation is a guess, because few words are known: %.80s", sentence.typed)
        for i, hypotheses in zip(rows, super().n_best([sentences[i] for i in rows], *options, **search), strict=True):
            result[i] = hypotheses
        if not search.get("samples"):
            self._keep_names(sentences, hidden, result, rows, *options, **search)
        return result

    def _keep_names(
        self,
        sentences: Sequence[str],
        hidden: Sequence[Hidden],
        result: list[list[Translation]],
        rows: Iterable[int],
        *options: Any,
        **search: Any,
    ) -> None:
        """Puts first, for these rows, the hypothesis that lacks and repeats the fewest of the hidden words."""

        def faults(i: int, translation: Translation) -> tuple[int, int]:
            lost, repeated = lost_and_repeated(hidden[i], translation.text)
            return len(lost), repeated

        whole = [i for i in rows if 0 < len(result[i][0].source_tokens) < MAX_SOURCE_LENGTH]  # the rest is cut
        faulty = [i for i in whole if faults(i, result[i][0]) > (0, 0)]
        beams = [result[i] for i in faulty]
        if faulty and search.get("beam_size", 1) == 1:
            beams = super().n_best([sentences[i] for i in faulty], *options, **search | {"beam_size": BEAM_SIZE})
        for i, beam in zip(faulty, beams, strict=True):
            best = min([result[i][0], *beam], key=functools.partial(faults, i))
            result[i] = [best, *(t for t in result[i][1:] if t.text != best.text)]
            if lost := lost_and_repeated(hidden[i], best.text)[0]:
                logger.warning("the translation lacks %s: %.80s", ", ".join(lost), sentences[i])

    def _as_typed(self, hypotheses: Sequence[Translation], sentence: _Sentence, merge: bool) -> list[Translation]:
        """Returns hypotheses without a mark that was added, after the counter; of a text that recurs only the first."""
        if sentence.lacks_mark:
            hypotheses = _unmarked(hypotheses, merge)
        counter = sentence.counter.translate(self._digits)
        return [translation._replace(text=counter + translation.text) for translation in hypotheses]


def _sentences(text: str, spellings: Table) -> list[_Sentence]:
    """Returns the sentences of a text; none, if it has no letter."""
    result = []
    for sentence, space in split_sentences(text) if LETTER.search(text) else []:
        counter = match[0] if (match := COUNTER.match(sentence)) else ""
        typed = sentence[len(counter) :]
        read, lacks_mark = rewrite(typed, spellings), bool(LETTER.search(sentence)) and not has_final_mark(sentence)
        result.append(_Sentence(counter, typed, add_final_mark(read) if lacks_mark else read, lacks_mark, space))
    return result


def _unchanged(source: str, text: str) -> Translation:
    return Translation(source, text, [], [], np.zeros((0, 0), np.float32), 0.0)


class _Unescaped(Around):
    """Writes out HTML entities."""

    def hide(self, sentences: Sequence[str]) -> list[Hidden]:
        return [Hidden(unescape(sentence)) for sentence in sentences]


def make_translator(
    model: Any,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    around: Around | None,
    marked: float,
    language: str = "",
) -> Translator:
    """Returns a `TextTranslator` if nearly all of the model's training sentences end with a mark, else a `Translator`.

    Args:
        model, source_tokenizer, target_tokenizer, around: as in `Translator`.
        marked: the `share_with_final_mark` of the training sentences.
        language: as in `TextTranslator`.
    """
    around = around or _Unescaped()
    if marked < _USUAL:
        return Translator(model, source_tokenizer, target_tokenizer, around)
    return TextTranslator(model, source_tokenizer, target_tokenizer, around, language)


def _unmarked(hypotheses: Sequence[Translation], merge: bool) -> list[Translation]:
    """Returns hypotheses without the marks at their end, and of those with the same text only the first."""
    texts = [without_final_mark(translation.text) for translation in hypotheses]
    numbered = list(zip(hypotheses, texts, strict=True))
    return [t._replace(text=text) for i, (t, text) in enumerate(numbered) if not merge or text not in texts[:i]]


def _join(text: str, spaces: Sequence[str], lists: Sequence[Sequence[Translation]]) -> list[Translation]:
    """Returns the translations of a text from those of its sentences, whose attention becomes blocks of one matrix."""
    if len(lists) == 1:
        return [translation._replace(source=text) for translation in lists[0]]
    joined: dict[str, Translation] = {}
    for k in range(max(map(len, lists))):
        parts = [hypotheses[min(k, len(hypotheses) - 1)] for hypotheses in lists]
        inner = [*map(_without_end, parts[:-1]), parts[-1]]
        source_tokens = [token for part in inner for token in part.source_tokens]
        target_tokens = [token for part in inner for token in part.target_tokens]
        attention, row, column = np.zeros((len(target_tokens), len(source_tokens)), np.float32), 0, 0
        for part in inner:
            rows, columns = part.attention.shape
            attention[row : row + rows, column : column + columns] = part.attention
            row, column = row + rows, column + columns
        whole = "".join(part.text + space for part, space in zip(parts, spaces, strict=True))
        score = sum(part.score for part in parts)
        joined.setdefault(whole, Translation(text, whole, source_tokens, target_tokens, attention, score))
    return list(joined.values())


def _without_end(translation: Translation) -> Translation:
    if translation.target_tokens[-1:] != [SPECIAL_TOKENS[END_ID]]:
        return translation
    return translation._replace(target_tokens=translation.target_tokens[:-1], attention=translation.attention[:-1])
