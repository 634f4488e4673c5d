"""What `decoding` does with texts, in TensorFlow operations: signs, sentences, spellings, and translations to texts."""

import functools
import re

import numpy as np
import tensorflow as tf

from ..decoding import signs
from ..decoding.sentences import (
    ABBREVIATIONS,
    CLOSING,
    COUNTER,
    DIGITS,
    FINAL_MARKS,
    NO_END,
    OPENING,
    QUESTIONS,
    QUOTED,
)
from ..decoding.typed import ONE_WORD, Table
from .text_graph import LETTERS, encode, listed, look_up, ranges

_BREAK, _NO_LETTER = "\U0010ffff", "\ufffd"  # _BREAK is no character of any text: there a sentence may end


@functools.cache  # it looks at all letters of Unicode
def class_of(test: str) -> str:
    """Returns the ranges, for a regular expression's class, of the letters of which this method of `str` is true."""
    return ranges(letter for letter in LETTERS if getattr(letter, test)())


@functools.cache
def _letters() -> str:
    return ranges(letter for letter in LETTERS if letter.isalnum() and not letter.isdecimal())


SPACES, DIGIT, ALNUM = "isspace", "isdecimal", "isalnum"  # Python's \s, \d, and \w without the underscore
_BEHIND = r"(?=[^\s])"  # a counter
_OPENING, _CLOSING, _NO_END, _QUOTED = (
    "".join(rf"\x{{{ord(mark):x}}}" for mark in marks) for marks in (OPENING, CLOSING, NO_END, QUOTED)
)


def replace(texts: tf.Tensor, pattern: str, replacement: str) -> tf.Tensor:
    """Replaces a pattern wherever it is in texts."""
    return tf.strings.regex_replace(texts, pattern, replacement)


@functools.cache
def in_re2(pattern: str) -> str:
    r"""Returns a pattern with the letters of Python's \s, \w and \d, which must stand in brackets."""
    classes = {r"\s": class_of(SPACES), r"\w": f"_{class_of(ALNUM)}", r"\d": class_of(DIGIT)}
    return re.sub(r"\\[swd]", lambda match: classes[match[0]], listed(pattern))


def rewrite(texts: tf.Tensor, table: Table) -> tf.Tensor:
    """Does what `typed.rewrite` does."""
    for pattern, replacement in table:
        texts = replace(texts, in_re2(pattern), replacement)
    return texts


def split_signs(texts: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Does what `signs.split_signs` does."""
    pattern = in_re2(f"^((?:{signs.BEFORE})?)((?s:.*?))((?:{signs.LAST})*)$")
    marked = rewrite(texts, signs.MARKUP)
    before, body, after = (replace(marked, pattern, rf"\{group}") for group in (1, 2, 3))
    only_space = tf.strings.regex_full_match(after, in_re2(r"[\s]*"))
    body, after = tf.where(only_space, tf.strings.join([body, after]), body), tf.where(only_space, "", after)
    with_letter = tf.strings.regex_full_match(body, in_re2(f"(?s:.*){signs.LETTER}(?s:.*)"))
    parts = (before, ""), (rewrite(body, signs.AMONG), texts), (after, "")
    before, body, after = (tf.where(with_letter, part, otherwise) for part, otherwise in parts)
    return before, body, after


def split_counters(sentences: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the counters of sentences `(N,)`, or "", and what is behind them."""
    counter, behind = COUNTER.pattern.removesuffix(_BEHIND), in_re2(f"{_BEHIND[3:-1]}(?s:.*)")
    present = tf.strings.regex_full_match(sentences, in_re2(counter) + behind)
    before, rest = (
        replace(sentences, in_re2(f"^({counter})(?s:.*)$"), r"\1"),
        replace(sentences, in_re2(f"^{counter}"), ""),
    )
    return tf.where(present, before, ""), tf.where(present, rest, sentences)


def write_digits(texts: tf.Tensor) -> tf.Tensor:
    """Returns texts with the digits of Devanagari."""
    for digit, written in DIGITS.items():
        texts = replace(texts, chr(digit), chr(written))
    return texts


def strip(texts: tf.Tensor) -> tf.Tensor:
    """Returns texts without the white space at their ends."""
    return replace(texts, f"^[{class_of(SPACES)}]+|[{class_of(SPACES)}]+$", "")


def has_letter(texts: tf.Tensor) -> tf.Tensor:
    """Returns which texts hold a letter, `(N,)` bool."""
    return tf.strings.regex_full_match(texts, f"(?s:.*)[{_letters()}](?s:.*)")


def split_texts(texts: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Does what `split_sentences` does with texts `(B,)`.

    Returns:
        sentences: `(N,)` string.
        rows: `(N,)` int32. The text of each sentence.
        spaces: `(N,)` string. The white space before each sentence, but for a text's first one.
    """
    points = tf.strings.unicode_decode(_candidates(texts), "UTF-8")
    one_more = tf.fill([points.nrows(), 1], 0)  # for a batch of empty texts
    ends = _sentence_ends(tf.concat([points.to_tensor(0), one_more], axis=1))
    ends = tf.cast(tf.boolean_mask(ends, tf.sequence_mask(points.row_lengths(), tf.shape(ends)[1])), tf.int64)
    sentence = points.value_rowids() + tf.cumsum(ends, exclusive=True)
    per_text = 1 + tf.math.unsorted_segment_sum(ends, points.value_rowids(), points.nrows())
    rows = tf.repeat(tf.range(tf.size(texts)), per_text)
    letters = tf.where(points.values == ord(_BREAK), -1, points.values)
    sentences = encode(letters, tf.RaggedTensor.from_value_rowids(letters, sentence, tf.size(rows, tf.int64)))
    first = tf.concat([[True], rows[1:] != rows[:-1]], 0)[: tf.size(rows)]
    space = class_of(SPACES)
    spaces = tf.where(first, "", replace(sentences, f"^([{space}]*)(?s:.*)$", r"\1"))
    return tf.where(first, sentences, replace(sentences, f"^[{space}]+", "")), rows, spaces


def _candidates(texts: tf.Tensor) -> tf.Tensor:
    """Returns texts with `_BREAK` wherever a sentence may end, judged by what stands beside."""
    space, alnum, digit, lower, upper = map(class_of, (SPACES, ALNUM, DIGIT, "islower", "isupper"))
    texts = replace(texts, _BREAK, _NO_LETTER)
    texts = replace(texts, f"([{FINAL_MARKS}]+[{_CLOSING}]*)([{space}]+[{_OPENING}]*[{alnum}])", rf"\1{_BREAK}\2")
    unless_lower = replace(texts, f"{_BREAK}([{space}]+[{_OPENING}]*[{lower}])", r"\1")
    texts = tf.where(tf.strings.regex_full_match(texts, f"(?s:.*)[{upper}](?s:.*)"), unless_lower, texts)
    texts = replace(texts, rf"(No\.){_BREAK}([{space}]+[{_OPENING}]*[{digit}])", r"\1\2")
    texts = replace(texts, rf"(^|[{space}(\"'“‘])({ABBREVIATIONS})\.{_BREAK}", r"\1\2.")
    return replace(texts, in_re2(f"(^|{_BREAK})({ONE_WORD}){_BREAK}"), r"\1\2")


_KINDS = {SPACES: 1, DIGIT: 2}
_MARKS = {_BREAK: 3, '"': 4, "“": 5, "”": 6, "«": 7, "»": 8}


@functools.cache
def _kinds() -> tuple[np.ndarray, np.ndarray]:
    """Returns what `_sentence_ends` looks at: a kind for each code point that matters."""
    kinds = {ord(c): kind for test, kind in _KINDS.items() for c in LETTERS if getattr(c, test)()}
    kinds |= {ord(mark): kind for mark, kind in _MARKS.items()}
    return np.array(sorted(kinds), np.int32), np.array([kinds[c] for c in sorted(kinds)], np.int32)


def _sentence_ends(points: tf.Tensor) -> tf.Tensor:
    """Returns which `_BREAK`s of texts `(B, T)` end a sentence: those outside quotations, not after a lone number."""

    def step(state: tuple[tf.Tensor, ...], kind: tf.Tensor) -> tuple[tf.Tensor, ...]:
        straight, curly, angle, lead, _ = state  # lead: 0 nothing yet, 1 digits, 2 more, 3 digits and one letter
        is_break = kind == 3
        end = is_break & (straight % 2 == 0) & (curly <= 0) & (angle <= 0) & (lead != 3)
        straight += tf.cast(kind == 4, tf.int32)
        curly += tf.cast(kind == 5, tf.int32) - tf.cast(kind == 6, tf.int32)
        angle += tf.cast(kind == 7, tf.int32) - tf.cast(kind == 8, tf.int32)
        first, digits = tf.where(kind == 2, 1, tf.where(kind == 1, 0, 2)), tf.where(kind == 2, 1, 3)
        next_lead = tf.where(lead == 0, first, tf.where(lead == 1, digits, 2))
        lead = tf.where(is_break, lead, next_lead)
        return *(tf.where(end, 0, count) for count in (straight, curly, angle, lead)), end

    kinds = tf.reshape(look_up(_kinds(), tf.reshape(points, [-1]), 0), tf.shape(points))
    none = tf.zeros([tf.shape(points)[0]], tf.int32)
    return tf.transpose(tf.scan(step, tf.transpose(kinds), (none, none, none, none, none > 0))[-1])


def lack_mark(sentences: tf.Tensor) -> tf.Tensor:
    """Returns which sentences `(N,)` have a letter and no final mark."""
    pattern = f"(?s:.*)[{FINAL_MARKS}][{_CLOSING}{class_of(SPACES)}]*"
    return has_letter(sentences) & ~tf.strings.regex_full_match(sentences, pattern)


def add_marks(sentences: tf.Tensor) -> tf.Tensor:
    """Does what `add_final_mark` does."""
    pattern = f"(?i)[{_QUOTED}]*{QUESTIONS}(?:[^_{class_of(ALNUM)}](?s:.*))?"
    marks = tf.where(tf.strings.regex_full_match(sentences, pattern), "?", ".")
    return replace(sentences, f"[{_NO_END}]+$", "") + marks


def without_marks(texts: tf.Tensor) -> tf.Tensor:
    """Does what `without_final_mark` does."""
    return replace(texts, f"[{FINAL_MARKS} ]+$", "")
