"""What `spelling.py` and `text.py` do, in TensorFlow operations: strings to token ids and back without Python.

Every step gives exactly the same result. TensorFlow has neither Unicode's normal forms nor grapheme clusters, and its
regular expressions have no lookaround. Therefore tables of all code points are computed here, in Python, and stored in
the graph.
"""

import base64
import functools
import re
from collections.abc import Callable, Iterable

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

_NONE = -1  # no code point

_PLANES = 0x110000  # how many code points there are

LETTERS = [chr(c) for c in range(_PLANES) if not 0xD800 <= c <= 0xDFFF]


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
        self.letters = _decompositions(fold_case)
        self.classes, self.pairs, self.joiners, self.marks = _compositions()

    def __call__(self, texts: tf.Tensor) -> tf.Tensor:
        texts = self._decompose(tf.strings.join([" ", texts, " "]))  # spaces keep a text's marks from the text before
        for pattern, replacement in SPELLINGS:
            texts = tf.strings.regex_replace(texts, pattern, replacement)
        points = tf.strings.unicode_decode(texts, "UTF-8")
        letters = self._compose(*self._put_in_order(points.values))
        return tf.strings.strip(tf.strings.regex_replace(encode(letters, points), " +", " "))

    def _decompose(self, texts: tf.Tensor) -> tf.Tensor:
        """Returns texts decomposed (NFD), without the marks beyond `MAX_MARKS` in a row."""
        points = tf.strings.unicode_decode(texts, "UTF-8")
        rows = tf.repeat(points.value_rowids()[:, tf.newaxis], self.letters[1].shape[1], axis=1)
        alone = tf.pad(points.values[:, tf.newaxis], [[0, 0], [0, rows.shape[1] - 1]], constant_values=_NONE)
        letters = look_up(self.letters, points.values, alone)  # (N, most letters that a letter becomes)
        rows, letters = tf.boolean_mask(rows, letters != _NONE), tf.boolean_mask(letters, letters != _NONE)
        letters, _ = self._put_in_order(letters)
        is_mark = look_up(self.marks, letters, 0) == 1
        place, row = tf.range(tf.size(letters)), tf.cumsum(tf.cast(~is_mark, tf.int32)) - 1
        mark = place - tf.gather(tf.boolean_mask(place, ~is_mark), row)  # number of marks in a row so far
        letters = tf.where(mark > MAX_MARKS, _NONE, letters)
        return encode(letters, tf.RaggedTensor.from_value_rowids(letters, rows, points.nrows()))

    def _put_in_order(self, letters: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Sorts the marks (class above 0) behind each letter by their class; returns letters and classes, `(N,)`."""
        classes = look_up(self.classes, letters, 0)
        place = tf.cumsum(tf.cast(classes == 0, tf.int64)) * 256
        order = tf.argsort(place + tf.cast(classes, tf.int64), stable=True)
        return tf.gather(letters, order), tf.gather(classes, order)

    def _compose(self, letters: tf.Tensor, classes: tf.Tensor) -> tf.Tensor:
        """Replaces a letter and a mark by the letter they compose to, if there is one, and `_NONE`."""
        opens = (classes == 0) & (look_up(self.joiners, letters, 0) == 0)
        first = tf.cast(tf.where(opens)[:, 0], tf.int32)  # (G,): a group is what may become one letter
        ends = tf.concat([first[1:], [tf.size(letters)]], 0)
        most = tf.reduce_max(ends - first)

        def body(
            i: tf.Tensor, letters: tf.Tensor, base: tf.Tensor, last: tf.Tensor
        ) -> tuple[tf.Tensor, ...]:  # the i-th letter of every group; base: what it may be composed with
            there = first + i < ends
            place = tf.where(there, first + i, first)
            mark, own = tf.gather(letters, place), tf.gather(classes, place)
            pair = tf.cast(tf.gather(letters, base), tf.int64) * _PLANES + tf.cast(mark, tf.int64)
            composed = look_up(self.pairs, pair, _NONE)
            taken = there & (composed != _NONE) & (last < own)  # last: class of what is between, -1 if nothing is
            changed = tf.concat([tf.boolean_mask(base, taken), tf.boolean_mask(place, taken)], 0)
            values = tf.pad(tf.boolean_mask(composed, taken), [[0, tf.size(changed) // 2]], constant_values=_NONE)
            letters = tf.tensor_scatter_nd_update(letters, changed[:, tf.newaxis], values)
            new_base = there & ~taken & (own == 0)
            last = tf.where(new_base, -1, tf.where(there & ~taken, own, last))
            return i + 1, letters, tf.where(new_base, place, base), last

        start = 1, letters, first, tf.fill(tf.shape(first), -1)
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
        return tf.ragged.map_flat_values(self.table.lookup, tokens)


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
            return tf.concat([best[:, 1:], tf.reduce_max(sums, axis=1, keepdims=True)], 1), _longest_best(sums)

        best = tf.concat([tf.fill([rows, self.longest - 1], -np.inf), tf.zeros([rows, 1])], axis=1)
        scores = tf.transpose(tf.stack(scores[::-1]), (2, 1, 0))  # (T, B, L)
        _, lengths = tf.scan(step, scores, (best, tf.zeros([rows], tf.int32)))
        return tf.transpose(lengths), unknown


def piece_scores(tokenizer: SubwordTokenizer) -> np.ndarray:
    """Returns sentencepiece's score of each token, `(V,)` float32; -inf for the special ones, which no text has."""
    model = sentencepiece.SentencePieceProcessor(model_proto=base64.b64decode(tokenizer.to_config()["model"]))
    scores = [model.get_score(i) for i in range(len(tokenizer))]
    return np.array([-np.inf] * len(SPECIAL_TOKENS) + scores[len(SPECIAL_TOKENS) :], np.float32)


def _longest_best(sums: tf.Tensor) -> tf.Tensor:
    return tf.shape(sums)[1] - tf.argmax(sums, axis=1, output_type=tf.int32)


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
    tokens, ids = tf.constant(tokenizer.vocabulary[first:], tf.string), tf.range(first, len(tokenizer))
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tokens, ids), UNKNOWN_ID)


def encode(letters: tf.Tensor, rows: tf.RaggedTensor) -> tf.Tensor:
    """Returns the strings of letters `(N,)`, without `_NONE`, in the rows of a ragged tensor of as many values."""
    there = letters != _NONE
    row_ids = tf.boolean_mask(rows.value_rowids(), there)
    texts = tf.RaggedTensor.from_value_rowids(tf.boolean_mask(letters, there), row_ids, rows.nrows())
    return tf.strings.unicode_encode(texts, "UTF-8")


def look_up(table: tuple[np.ndarray, np.ndarray], keys: tf.Tensor, otherwise: tf.Tensor | int) -> tf.Tensor:
    """Returns the values of a table, (sorted keys, values), for keys `(N,)`; `otherwise` for keys not in it."""
    table_keys, values = table
    place = tf.minimum(tf.searchsorted(table_keys, keys), len(table_keys) - 1)
    present = tf.gather(table_keys, place) == keys
    return tf.where(tf.reshape(present, [-1] + [1] * (values.ndim - 1)), tf.gather(values, place), otherwise)


@functools.cache
def _decompositions(fold_case: bool) -> tuple[np.ndarray, np.ndarray]:
    """Returns what `decompose` makes of each code point that it changes, padded with `_NONE`."""
    letters = [letter for letter in LETTERS if letter != "!"]  # "!" composes with nothing and so separates them
    became = decompose(f"!{'!'.join(letters)}!", fold_case)[1:-1].split("!")
    changed = {ord(a): list(map(ord, b)) for a, b in zip(letters, became, strict=True) if a != b}
    width = max(map(len, changed.values()))
    values = [row + [_NONE] * (width - len(row)) for row in changed.values()]
    return np.array(list(changed), np.int32), np.array(values, np.int32)


@functools.cache
def _compositions() -> list[tuple[np.ndarray, np.ndarray]]:
    """Returns four tables.

    The class of every mark, what two letters compose to, which letters compose with the one before though they are
    no marks, and which are in `MARK`.
    """
    classes = {ord(letter): unicodedata2.combining(letter) for letter in LETTERS if unicodedata2.combining(letter)}
    pairs, joiners = {}, {}
    for letter in LETTERS:
        *first, last = unicodedata2.normalize("NFD", letter)
        if first and unicodedata2.normalize("NFC", letter) == letter:
            pairs[ord(unicodedata2.normalize("NFC", "".join(first))) * _PLANES + ord(last)] = ord(letter)
            if ord(last) not in classes:
                joiners[ord(last)] = 1
    marks = dict.fromkeys(map(ord, regex.findall(MARK, "".join(LETTERS))), 1)
    tables = (classes, np.int32), (pairs, np.int64), (joiners, np.int32), (marks, np.int32)
    return [(np.array(sorted(t), kind), np.array([t[k] for k in sorted(t)], np.int32)) for t, kind in tables]


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
