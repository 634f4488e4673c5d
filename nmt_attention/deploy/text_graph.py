"""What `spelling.py` and `text.py` do, in TensorFlow operations: strings to token ids and back without Python.

Every step gives exactly the same result. TensorFlow has neither Unicode's normal forms nor grapheme clusters, and its
regular expressions have no lookaround. Therefore tables of all code points are computed here, in Python, and stored in
the graph.
"""

import base64
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import regex
import sentencepiece
import tensorflow as tf
import unicodedata2

from ..spelling import (
    DASHES,
    GRAPHEME,
    JOINTS,
    MARK,
    MAX_MARKS,
    OPENING,
    PUNCTUATION,
    QUOTE,
    SPACE,
    SPELLINGS,
    decompose,
    is_mark,
)
from ..text import SubwordTokenizer, Tokenizer
from ..vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID, UNKNOWN_ID

MOST_SUBWORD_LETTERS = 4000  # normalised; 250 tokens of 16 letters, sentencepiece's longest; the rest is ignored

_UNKNOWN_PENALTY = 10.0  # sentencepiece: an unknown letter's score is this much below that of the worst piece

PLANES = 0x110000  # how many code points there are
LETTERS = [chr(c) for c in range(PLANES) if not 0xD800 <= c <= 0xDFFF]

_NONE, _ABSENT = -1, "absent"  # no code point; no entry of a table of letters
_NOTHING = tf.constant(-2, tf.int64)  # below every class


class Normalizer(tf.Module):
    """`spelling.normalize` for a batch of strings, in time linear in their length.

    Case folding, spaces, apostrophes and canonical decomposition change each code point by itself: one table. Marks
    are then put in order, those beyond `MAX_MARKS` in a row are left out, `SPELLINGS` are applied as they are, and
    the second half of NFC orders what they have moved and composes marks with what they stand on.

    Args:
        fold_case: bool. As in `normalize`.

    Call arguments:
        texts: `(B,)` string. UTF-8; invalid bytes become spaces, as the character U+FFFD does.

    Returns:
        `(B,)` string.

    Source: Unicode Standard, section 3.11 (canonical ordering and composition algorithms).
    """

    def __init__(self, fold_case: bool) -> None:
        super().__init__()
        self.decomposed = _table(_decompositions(fold_case), _ABSENT)
        classes, pairs = _compositions()
        self.classes, self.pairs = _table(classes, 0), _table(pairs, _NONE)

    def __call__(self, texts: tf.Tensor) -> tf.Tensor:
        letters = tf.strings.unicode_split(tf.strings.join([" ", texts, " "]), "UTF-8")  # so that marks stay in a text
        became = self.decomposed.lookup(letters.values)
        letters = letters.with_values(tf.where(became == _ABSENT, letters.values, became))
        texts = encode(self._in_order(tf.strings.reduce_join(letters, axis=1))[0])
        for pattern, replacement in ((more_marks(), r"\1"), *SPELLINGS):
            texts = tf.strings.regex_replace(texts, pattern, replacement)
        points, classes = self._in_order(texts)
        texts = encode(points.with_values(self._compose(points.values, classes)))
        return tf.strings.strip(tf.strings.regex_replace(texts, " +", " "))

    def _in_order(self, texts: tf.Tensor) -> tuple[tf.RaggedTensor, tf.Tensor]:
        """Sorts the marks (class above 0) behind each letter by their class; returns code points and classes."""
        points = tf.cast(tf.strings.unicode_decode(texts, "UTF-8"), tf.int64)
        classes = self.classes.lookup(points.values)
        order = tf.argsort(tf.cumsum(tf.cast(classes <= 0, tf.int64)) * 256 + tf.maximum(classes, 0), stable=True)
        return points.with_values(tf.gather(points.values, order)), tf.gather(classes, order)

    def _compose(self, letters: tf.Tensor, classes: tf.Tensor) -> tf.Tensor:
        """Replaces a letter and a mark by the letter they compose to, if there is one, and `_NONE`."""
        first = tf.where(classes == 0)[:, 0]  # (G,): a group is what may become one letter
        ends = tf.concat([first[1:], [tf.size(letters, tf.int64)]], 0)
        most = tf.reduce_max(ends - first)

        def body(i: tf.Tensor, letters: tf.Tensor, base: tf.Tensor, last: tf.Tensor) -> tuple[tf.Tensor, ...]:
            # the i-th letter of every group; base: what it may be composed with
            there = first + i < ends
            place = tf.where(there, first + i, first)
            own = tf.gather(classes, place)
            composed = self.pairs.lookup(tf.gather(letters, base) * PLANES + tf.gather(letters, place))
            taken = there & (composed != _NONE) & (last < own)  # last: class of what is between, -2 if nothing is
            changed = tf.concat([tf.boolean_mask(base, taken), tf.boolean_mask(place, taken)], 0)
            values = tf.pad(tf.boolean_mask(composed, taken), [[0, tf.size(changed) // 2]], constant_values=_NONE)
            letters = tf.tensor_scatter_nd_update(letters, changed[:, tf.newaxis], values)
            is_base = there & ~taken & (own <= 0)
            last = tf.where(is_base, _NOTHING, tf.where(there & ~taken, own, last))
            return i + 1, letters, tf.where(is_base, place, base), last

        start = tf.constant(1, tf.int64), letters, first, tf.fill(tf.shape(first), _NOTHING)
        return tf.while_loop(lambda i, *_: i < most, body, start)[1]


class SourceText(tf.Module):
    """A tokeniser's conversion of strings to ids, for a batch of strings.

    Args:
        tokenizer: one of the three of `text`.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.normalize = Normalizer(tokenizer.fold_case)
        self.split = _SPLITTERS[tokenizer.kind](tokenizer)
        self.table = _id_table(tokenizer)

    def tokenize(self, texts: tf.Tensor) -> tf.RaggedTensor:
        """Returns the tokens of texts `(B,)`, ragged `(B, S)` string."""
        return self.split(self.normalize(texts))

    def ids(self, tokens: tf.RaggedTensor) -> tf.RaggedTensor:
        """Returns the ids of tokens, ragged `(B, S)` int32."""
        return tf.cast(tf.ragged.map_flat_values(self.table.lookup, tokens), tf.int32)


class TargetText(tf.Module):
    """A tokeniser's conversion of ids back to strings, for a batch of sentences.

    Args:
        tokenizer: one of the three of `text`.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.vocabulary = tf.constant(tokenizer.vocabulary)
        self.join = _join_words(tokenizer.vocabulary) if tokenizer.kind == "word" else _join_pieces

    def tokens(self, ids: tf.Tensor) -> tf.Tensor:
        """Returns the tokens `(B, T)` string of ids `(B, T)` int32; "" for padding."""
        return tf.where(ids == PAD_ID, "", tf.gather(self.vocabulary, ids))

    def decode(self, ids: tf.Tensor) -> tf.Tensor:
        """Returns the texts `(B,)` string of ids `(B, T)` int32; padding, start and end are left out."""
        silent = tf.reduce_any(ids[..., tf.newaxis] == [PAD_ID, START_ID, END_ID], axis=-1)
        return self.join(ids, tf.where(silent, "", tf.gather(self.vocabulary, ids)))


def _join_pieces(ids: tf.Tensor, tokens: tf.Tensor) -> tf.Tensor:
    return tf.strings.strip(tf.strings.regex_replace(tf.strings.reduce_join(tokens, axis=1), SPACE, " "))


def _join_words(vocabulary: Iterable[str]) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    """Returns what `WordTokenizer.detokenize` does: marks lean left or right, straight quotes alternate."""
    marks = [token[0] if is_mark(token) and token[0] not in DASHES else "" for token in vocabulary]
    leans, is_quote, is_opening = (
        tf.constant([test(mark) for mark in marks])
        for test in (bool, QUOTE.__eq__, lambda mark: bool(mark) and mark in OPENING)
    )

    def join(ids: tf.Tensor, tokens: tf.Tensor) -> tf.Tensor:
        quotes = tf.cast(tf.gather(is_quote, ids), tf.int32)
        quote_opens = (quotes == 1) & (tf.cumsum(quotes, axis=1, exclusive=True) % 2 == 0)
        opens = tf.gather(is_opening, ids) | quote_opens
        closes = tf.gather(leans, ids) & ~opens
        glued = closes | tf.pad(opens[:, :-1], [[0, 0], [1, 0]], constant_values=True) | (tokens == "")
        return tf.strings.reduce_join(tf.where(glued, tokens, " " + tokens), axis=1)

    return join


class _Pattern(tf.Module):
    """Splits texts `(B,)` into the successive matches of a regular expression: ragged `(B, S)`."""

    def __init__(self, pattern: str, space: str = " ") -> None:
        super().__init__()
        self.pattern, self.space = pattern, space

    def __call__(self, texts: tf.Tensor) -> tf.RaggedTensor:
        texts = tf.strings.regex_replace(texts, " ", self.space)
        return tf.strings.split(tf.strings.regex_replace(texts, self.pattern, r"\0 "))


@functools.cache
def word_pattern() -> str:
    """Returns the pattern of `WordTokenizer.split` without lookaround: a point joins letters, a comma digits."""
    digits = re.findall(r"\d", "".join(LETTERS))
    digit, other = _class(digits), _class([" ", *PUNCTUATION, *digits], "^")
    letters = f"(?:{other}|{digit}(?:{_class(JOINTS[1])}{digit})*)"
    marks = "|".join(f"{_class(mark)}+" for mark in PUNCTUATION)
    return f"{letters}(?:{_class(JOINTS[0])}?{letters})*|{marks}"


@functools.cache  # it looks at all letters of Unicode
def listed(pattern: str) -> str:
    """Returns a pattern with lists of letters instead of Unicode's properties, which must stand in brackets."""

    def letters_of(match: re.Match[str]) -> str:
        return ranges(regex.findall(match.group(), "".join(LETTERS)))

    return re.sub(r"\\p\{.*?\}", letters_of, pattern)


class _Subwords(tf.Module):
    """`SubwordTokenizer.split`: of all ways to cut a text into pieces, the one with the highest sum of scores.

    The best way to cut the first t letters ends with some piece of 1 to L letters, and before it comes the best way to
    cut what is left (Viterbi): one step per letter, for all texts at once. Among equals the one with the longer last
    piece wins, scores are added from left to right in float32, and unknown letters in a row are one token: all as
    in sentencepiece. Only the first `MOST_SUBWORD_LETTERS` letters of a text are read.

    Args:
        tokenizer: `SubwordTokenizer`.

    Call arguments:
        texts: `(B,)` string, normalised.

    Returns:
        tokens: ragged `(B, S)` string.

    Source: Kudo 2018, arXiv:1804.10959, section 3; sentencepiece's `unigram_model.cc`, `EncodeOptimized`.
    """

    def __init__(self, tokenizer: SubwordTokenizer) -> None:
        super().__init__()
        scores, special = piece_scores(tokenizer), len(SPECIAL_TOKENS)
        self.scores, self.unknown_score = tf.constant(scores), scores[special:].min() - np.float32(_UNKNOWN_PENALTY)
        self.longest = max(map(len, tokenizer.vocabulary[special:]))
        self.table = _id_table(tokenizer)

    def __call__(self, texts: tf.Tensor) -> tf.RaggedTensor:
        texts = tf.where(texts == "", "", SPACE + tf.strings.regex_replace(texts, " ", SPACE))
        letters = tf.strings.unicode_split(texts, "UTF-8")[:, :MOST_SUBWORD_LETTERS]
        one_more = tf.fill([letters.nrows(), 1], "")  # for a batch of empty texts
        lengths, unknown = self._best_pieces(tf.concat([letters.to_tensor(""), one_more], axis=1))
        ends = _follow_back(lengths, tf.cast(letters.row_lengths(), tf.int32))
        unknown &= ends & (lengths == 1)
        ends &= ~(unknown & tf.pad(unknown[:, 1:], [[0, 0], [0, 1]]))
        ends = tf.boolean_mask(
            ends, tf.sequence_mask(letters.row_lengths(), tf.shape(ends)[1])
        )  # (N,): where tokens end
        token = tf.cumsum(tf.cast(ends, tf.int32), exclusive=True)
        tokens = tf.strings.unsorted_segment_join(letters.values, token, tf.reduce_sum(tf.cast(ends, tf.int32)))
        return tf.RaggedTensor.from_value_rowids(tokens, letters.value_rowids()[ends], letters.nrows())

    def _best_pieces(self, letters: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns the length of the last piece of the best way to each letter, and which letters are no piece."""
        rows, width = tf.unstack(tf.shape(letters))
        before = tf.concat([tf.fill([rows, self.longest - 1], ""), letters], axis=1)
        pieces, scores = tf.fill([rows, width], ""), []
        for length in range(1, self.longest + 1):  # all pieces of that many letters, by where they end
            pieces = tf.strings.join([before[:, self.longest - length :][:, :width], pieces])
            ids = self.table.lookup(pieces)
            if length == 1:
                unknown = ids == UNKNOWN_ID
            scores.append(tf.gather(self.scores, ids))
        scores[0] = tf.where(unknown, self.unknown_score, scores[0])

        def step(state: tuple[tf.Tensor, tf.Tensor], scores: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            best, _ = state  # (B, L): sums of the best ways to L, …, 1 letters before
            sums = best + scores
            longest = self.longest - tf.argmax(sums, axis=1, output_type=tf.int32)  # of those that are as good
            return tf.concat([best[:, 1:], tf.reduce_max(sums, axis=1, keepdims=True)], 1), longest

        best = tf.concat([tf.fill([rows, self.longest - 1], -np.inf), tf.zeros([rows, 1])], axis=1)
        scores = tf.transpose(tf.stack(scores[::-1]), (2, 1, 0))  # (T, B, L)
        _, lengths = tf.scan(step, scores, (best, tf.zeros([rows], tf.int32)))
        return tf.transpose(lengths), unknown


def piece_scores(tokenizer: SubwordTokenizer) -> np.ndarray:
    """Returns sentencepiece's score of each token, `(V,)` float32; -inf for the special ones, which no text has."""
    model = sentencepiece.SentencePieceProcessor(model_proto=base64.b64decode(tokenizer.to_config()["model"]))
    scores = [model.get_score(i) for i in range(len(tokenizer))]
    return np.array([-np.inf] * len(SPECIAL_TOKENS) + scores[len(SPECIAL_TOKENS) :], np.float32)


def _follow_back(lengths: tf.Tensor, row_lengths: tf.Tensor) -> tf.Tensor:
    """Reads the best pieces from each text's last letter to its first; returns where they end, `(B, T)` bool."""

    def step(state: tuple[tf.Tensor, tf.Tensor], now: tuple[tf.Tensor, tf.Tensor]) -> tuple[tf.Tensor, tf.Tensor]:
        end, _ = state
        position, length = now
        here = position == end
        return tf.where(here, end - length, end), here

    positions = tf.range(tf.shape(lengths)[1])
    start = row_lengths - 1, tf.zeros_like(row_lengths, tf.bool)
    _, ends = tf.scan(step, (positions, tf.transpose(lengths)), start, reverse=True)
    return tf.transpose(ends)


_SPLITTERS: dict[str, Callable[..., Callable[[tf.Tensor], tf.RaggedTensor]]] = {
    "word": lambda tokenizer: _Pattern(word_pattern()),
    "character": lambda tokenizer: _Pattern(listed(GRAPHEME), SPACE),
    "subword": _Subwords,
}


def _id_table(tokenizer: Tokenizer) -> tf.lookup.StaticHashTable:
    """Returns a table from token to id; what is not in the vocabulary, or looks like a special token, is unknown."""
    first = len(SPECIAL_TOKENS)
    return _table({token: first + i for i, token in enumerate(tokenizer.vocabulary[first:])}, UNKNOWN_ID)


def _table(entries: Mapping[Any, Any], otherwise: Any) -> tf.lookup.StaticHashTable:
    """Returns a table in the graph, of strings and int64 numbers."""
    kinds = (tf.string if isinstance(side, str) else tf.int64 for side in next(iter(entries.items())))
    return tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(list(entries), list(entries.values()), *kinds), otherwise
    )


def encode(points: tf.RaggedTensor) -> tf.Tensor:
    """Returns the strings of code points, ragged `(B, N)`, without `_NONE`."""
    return tf.strings.unicode_encode(tf.cast(tf.ragged.boolean_mask(points, points != _NONE), tf.int32), "UTF-8")


@functools.cache
def _decompositions(fold_case: bool) -> dict[str, str]:
    """Returns what `decompose` makes of each letter that it changes."""
    letters = [letter for letter in LETTERS if letter != "!"]  # "!" composes with nothing and so separates them
    became = decompose(f"!{'!'.join(letters)}!", fold_case)[1:-1].split("!")
    return {a: b for a, b in zip(letters, became, strict=True) if a != b}


@functools.cache
def _compositions() -> tuple[dict[int, int], dict[int, int]]:
    """Returns the class of every mark, and what two letters, first · PLANES + second, compose to.

    The class is -1 for letters that compose with the one before though they are no marks.
    """
    classes = {ord(letter): unicodedata2.combining(letter) for letter in LETTERS if unicodedata2.combining(letter)}
    pairs = {}
    for letter in LETTERS:
        *first, last = unicodedata2.normalize("NFD", letter)
        if first and unicodedata2.normalize("NFC", letter) == letter:
            pairs[ord(unicodedata2.normalize("NFC", "".join(first))) * PLANES + ord(last)] = ord(letter)
            classes.setdefault(ord(last), -1)
    return classes, pairs


def more_marks() -> str:
    """Returns the pattern of more than `MAX_MARKS` marks in a row, whose first group stays."""
    return f"({listed(MARK)}{{{MAX_MARKS}}}){listed(MARK)}+"


def _class(letters: Iterable[str], negation: str = "") -> str:
    """Returns a regular expression for one of these letters, or with "^" for one of all others."""
    return f"[{negation}{ranges(letters)}]"


def ranges(letters: Iterable[str]) -> str:
    """Returns letters as the ranges of a regular expression's class, without its brackets."""
    points = sorted({ord(letter) for letter in letters})
    ranges: list[list[int]] = []
    for point in points:
        if ranges and point == ranges[-1][1] + 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "".join(rf"\x{{{first:x}}}-\x{{{last:x}}}" for first, last in ranges)
