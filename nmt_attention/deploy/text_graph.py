"""What `spelling.py` and `text.py` do, in TensorFlow operations: strings to token ids and back without Python.

TensorFlow has neither Unicode's normal forms nor grapheme clusters, and its regular expressions have no lookaround.
Therefore tables of all code points are computed here, in Python, and stored in the graph.
"""

import base64
import functools
import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import regex
import sentencepiece
import tensorflow as tf
import unicodedata2

from .. import spelling
from ..text import SubwordTokenizer, Tokenizer
from ..vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID, UNKNOWN_ID

MOST_SUBWORD_LETTERS = 4000  # normalised; 250 tokens of 16 letters, sentencepiece's longest; the rest is ignored

_UNKNOWN_PENALTY = 10.0  # sentencepiece: an unknown letter's score is this much below that of the worst piece

LETTERS = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
_ABSENT = "absent"  # no entry of a table
_MOST_COMPOSED = 3  # marks of one letter, such as ᾃ


class Normalizer(tf.Module):
    """`spelling.normalize` for a batch of strings, in time linear in their length.

    Case folding, spaces, apostrophes and canonical decomposition change each code point by itself: one table. Marks
    beyond `MAX_MARKS` in a row are left out, `SPELLINGS` are applied as they are, and a second table composes marks
    with what they stand on. Marks stay in the order in which they are typed, and one that does not compose ends it.

    Args:
        fold_case: bool. As in `normalize`.

    Call arguments:
        texts: `(B,)` string. UTF-8; invalid bytes become spaces, as the character U+FFFD does.

    Returns:
        `(B,)` string.

    Source: Unicode Standard, section 3.11 (canonical composition).
    """

    def __init__(self, fold_case: bool) -> None:
        super().__init__()
        self.decomposed, self.composed = _table(_decompositions(fold_case), _ABSENT), _table(_compositions(), _ABSENT)
        self.pair = f".[{ranges(pair[1] for pair in _compositions())}]?"

    def __call__(self, texts: tf.Tensor) -> tf.Tensor:
        letters = tf.strings.unicode_split(tf.strings.join([" ", texts, " "]), "UTF-8")  # so that marks stay in a text
        texts = _replaced(letters, self.decomposed)
        for pattern, replacement in ((more_marks(), r"\1"), *spelling.SPELLINGS):
            texts = tf.strings.regex_replace(texts, pattern, replacement)
        for _ in range(_MOST_COMPOSED):
            pairs = tf.strings.split(tf.strings.regex_replace(texts, self.pair, "\\0\n"), "\n")
            texts = _replaced(pairs, self.composed)
        return tf.strings.strip(tf.strings.regex_replace(texts, " +", " "))


def _replaced(texts: tf.RaggedTensor, table: tf.lookup.StaticHashTable) -> tf.Tensor:
    """Returns texts `(B, N)` joined, with what the table has for them."""
    found = table.lookup(texts.values)
    return tf.strings.reduce_join(texts.with_values(tf.where(found == _ABSENT, texts.values, found)), axis=1)


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
    return tf.strings.strip(tf.strings.regex_replace(tf.strings.reduce_join(tokens, axis=1), spelling.SPACE, " "))


def _join_words(vocabulary: Iterable[str]) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    """Returns what `WordTokenizer.detokenize` does: marks lean left or right, straight quotes alternate."""
    marks = [token[0] if spelling.is_mark(token) and token[0] not in spelling.DASHES else "" for token in vocabulary]
    leans, is_quote, is_opening = (
        tf.constant([test(mark) for mark in marks])
        for test in (bool, spelling.QUOTE.__eq__, lambda mark: bool(mark) and mark in spelling.OPENING)
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
def word_pattern(apart: str = "") -> str:  # ranges of letters that are in none of its words
    """Returns the pattern of `WordTokenizer.split` without lookaround: a point joins letters, a comma digits."""
    digits = re.findall(r"\d", "".join(LETTERS))
    digit, other = _class(digits), _class([" ", *spelling.PUNCTUATION, *digits], f"^{apart}")
    letters = f"(?:{other}|{digit}(?:{_class(spelling.JOINTS[1])}{digit})*)"
    marks = "|".join(f"{_class(mark)}+" for mark in spelling.PUNCTUATION)
    return f"{letters}(?:{_class(spelling.JOINTS[0])}?{letters})*|{marks}"


@functools.cache  # it looks at all letters of Unicode
def listed(pattern: str) -> str:
    """Returns a pattern with lists of letters instead of Unicode's properties, which must stand in brackets."""
    return re.sub(r"\\p\{.*?\}", lambda match: ranges(regex.findall(match.group(), "".join(LETTERS))), pattern)


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
        texts = tf.where(texts == "", "", spelling.SPACE + tf.strings.regex_replace(texts, " ", spelling.SPACE))
        letters = tf.strings.unicode_split(texts, "UTF-8")[:, :MOST_SUBWORD_LETTERS].to_tensor("")  # (B, T)
        rows, width = tf.unstack(tf.shape(letters))
        before = tf.concat([tf.fill([rows, self.longest - 1], ""), letters], axis=1)
        ending = [letters]  # all pieces of L, …, 1 letters, by where they end
        for length in range(2, self.longest + 1):
            ending.insert(0, tf.strings.join([before[:, self.longest - length :][:, :width], ending[0]]))
        pieces = tf.stack(ending)  # (L, B, T)
        ids = self.table.lookup(pieces)
        unknown = ids == UNKNOWN_ID
        is_letter = tf.range(self.longest)[:, tf.newaxis, tf.newaxis] == self.longest - 1
        scores = tf.where(unknown & is_letter, self.unknown_score, tf.gather(self.scores, ids))
        written = tf.where(unknown, tf.strings.join(["\t", pieces, "\t"]), tf.strings.join([" ", pieces]))

        def step(t: tf.Tensor, best: tf.Tensor, found: tf.Tensor) -> tuple[tf.Tensor, ...]:
            sums = best + scores[:, :, t]  # (L, B): best, found: the ways to L, …, 1 letters before
            last = tf.stack([tf.argmax(sums, output_type=tf.int32), tf.range(rows)], axis=1)  # of equals the longest
            more = tf.gather_nd(found, last) + tf.gather_nd(written[:, :, t], last)
            ended = letters[:, t] == ""
            sums = tf.concat([best[1:], tf.reduce_max(sums, axis=0, keepdims=True)], axis=0)
            return t + 1, tf.where(ended, best, sums), tf.where(ended, found, tf.concat([found[1:], [more]], axis=0))

        start = tf.concat([tf.fill([self.longest - 1, rows], -np.inf), tf.zeros([1, rows])], axis=0)
        *_, found = tf.while_loop(lambda t, *_: t < width, step, (0, start, tf.fill([self.longest, rows], "")))
        return tf.strings.split(tf.strings.regex_replace(found[-1], "\t\t", ""))


def piece_scores(tokenizer: SubwordTokenizer) -> np.ndarray:
    """Returns sentencepiece's score of each token, `(V,)` float32; -inf for the special ones, which no text has."""
    model = sentencepiece.SentencePieceProcessor(model_proto=base64.b64decode(tokenizer.to_config()["model"]))
    scores = [model.get_score(i) for i in range(len(tokenizer))]
    return np.array([-np.inf] * len(SPECIAL_TOKENS) + scores[len(SPECIAL_TOKENS) :], np.float32)


_SPLITTERS: dict[str, Callable[..., Callable[[tf.Tensor], tf.RaggedTensor]]] = {
    "word": lambda tokenizer: _Pattern(word_pattern()),
    "character": lambda tokenizer: _Pattern(listed(spelling.GRAPHEME), spelling.SPACE),
    "subword": _Subwords,
}


def _id_table(tokenizer: Tokenizer) -> tf.lookup.StaticHashTable:
    """Returns a table from token to id; what is not in the vocabulary, or looks like a special token, is unknown."""
    first = len(SPECIAL_TOKENS)
    return _table({token: first + i for i, token in enumerate(tokenizer.vocabulary[first:])}, UNKNOWN_ID)


def _table(entries: Mapping[str, Any], otherwise: Any) -> tf.lookup.StaticHashTable:
    """Returns a table in the graph, from strings to strings or int64 numbers."""
    kind = tf.int64 if isinstance(otherwise, int) else tf.string
    initial = tf.lookup.KeyValueTensorInitializer(list(entries), list(entries.values()), tf.string, kind)
    return tf.lookup.StaticHashTable(initial, otherwise)


@functools.cache
def _decompositions(fold_case: bool) -> dict[str, str]:
    """Returns what `decompose` makes of each letter that it changes."""
    letters = [letter for letter in LETTERS if letter != "!"]  # "!" composes with nothing and so separates them
    became = spelling.decompose(f"!{'!'.join(letters)}!", fold_case)[1:-1].split("!")
    return {a: b for a, b in zip(letters, became, strict=True) if a != b}


@functools.cache
def _compositions() -> dict[str, str]:
    """Returns what a letter and the mark behind it compose to."""
    pairs = {}
    for letter in LETTERS:
        *first, last = unicodedata2.normalize("NFD", letter)
        if first and unicodedata2.normalize("NFC", letter) == letter:
            pairs[unicodedata2.normalize("NFC", "".join(first)) + last] = letter
    return pairs


def more_marks() -> str:
    """Returns the pattern of more than `MAX_MARKS` marks in a row, whose first group stays."""
    return f"({listed(spelling.MARK)}{{{spelling.MAX_MARKS}}}){listed(spelling.MARK)}+"


def _class(letters: Iterable[str], negation: str = "") -> str:
    """Returns a regular expression for one of these letters, or with "^" for one of all others."""
    return f"[{negation}{ranges(letters)}]"


def ranges(letters: Iterable[str]) -> str:
    """Returns letters as the ranges of a regular expression's class, without its brackets."""
    points = enumerate(sorted({ord(letter) for letter in letters}))
    runs = [[point for _, point in run] for _, run in itertools.groupby(points, lambda each: each[1] - each[0])]
    return "".join(rf"\x{{{run[0]:x}}}-\x{{{run[-1]:x}}}" for run in runs)
