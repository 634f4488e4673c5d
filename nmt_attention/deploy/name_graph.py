"""What `names` does around a model, in TensorFlow operations: hides words that it does not know and writes them out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import tensorflow as tf

from ..config import SearchConfig
from ..model import Seq2Seq
from ..names.finding import AFTER_VERBS, WORDS_TOO
from ..names.obliques import OBLIQUES, PARTICLES
from ..names.placeholders import (
    ALL_SYMBOLS,
    PER_KIND,
    SYMBOL,
    SYMBOLS,
    Placeholders,
    symbol_kind,
)
from ..names.transliterator import KINDS, Transliterator
from ..search import max_target_length
from ..spelling import SYLLABLES
from ..text import Tokenizer
from ..translate import MAX_SOURCE_LENGTH, Around, Translator
from ..vocabulary import PAD_ID
from .sentence_graph import class_of, in_re2, replace, write_digits
from .text_graph import Normalizer, SourceText, TargetText

# Letters that may not stand before, what is found, letters that may not stand behind. A number may have several parts.
_WORDS = ((r"\w'-", "[A-Za-z]+", r"\w-"), (r"\w.,:", r"[\d]+(?:[.,:][\d]+)*", r"\w"))
_NAME_LIKE = "[A-Z][A-Za-z]*[a-z][A-Za-z]*"
_EDGE = "\U0010fffe"  # no character of any text: at both ends of a word, and between a symbol and an ending


def search_of_copy(
    model: Seq2Seq, tokenizers: tuple[Tokenizer, Tokenizer], around: Around | None, beam_size: int = 1
) -> tuple[Any, list[tf.Variable]]:
    """Returns the search of a copy of a model, in float32 and without cuDNN's layers, and the copy's weights."""
    copy = Seq2Seq(model.config, use_cudnn=False)
    for ours, theirs in zip(copy.weights, model.weights, strict=True):
        ours.assign(theirs)
    search = Translator(copy, *tokenizers, around)._search_with(SearchConfig(beam_size=beam_size))
    return search, [weight.value for weight in copy.weights]  # saved as they are, not as a Keras model


def _matches(texts: tf.Tensor, pattern: str) -> tf.Tensor:
    return tf.strings.regex_full_match(texts, in_re2(pattern))


def _mark_words(sentences: tf.Tensor) -> tf.Tensor:
    """Returns sentences with `_EDGE` at both ends of each of `_WORDS`.

    TensorFlow has no lookaround: a match takes the letter before it and the one after it along, and the words that this
    skips are found the second time.
    """
    for behind, word, ahead in _WORDS:
        pattern = in_re2(f"({_EDGE}[^{_EDGE}]*{_EDGE})|(^|[^{_EDGE}{behind}])({word})($|[^{_EDGE}{ahead}])")
        for _ in range(2):
            sentences = replace(sentences, pattern, rf"\1\2{_EDGE}\3{_EDGE}\4")
            sentences = replace(sentences, _EDGE * 2, "")
    return sentences


class Hidden(NamedTuple):
    """Sentences `(N,)` with symbols in them, and what each symbol stands for, `(N, symbols)` string."""

    texts: tf.Tensor
    words: tf.Tensor
    spelled: tf.Tensor


class Names(tf.Module):
    """`Placeholders` for a batch of sentences.

    It finds words of the letters a to z, and numbers with points, commas or colons in them. It knows no lists, accents,
    addresses or other forms of numbers, no names in two words (Shah Rukh), and hides no known part of a full name.

    Args:
        placeholders: the model's.
    """

    def __init__(self, placeholders: Placeholders) -> None:
        super().__init__()
        self.known = _table(dict.fromkeys(placeholders.known, 1), 0)
        self.listed = _table(dict.fromkeys(placeholders.transliterator.listed, 1), 0)
        names = {word.lower(): word for word in placeholders.transliterator.listed if not word.islower()}
        self.capitals = _table({small: names[small] for small in names.keys() - WORDS_TOO.split()}, "")
        self.after_verbs = _table(dict.fromkeys(AFTER_VERBS.split(), 1), 0)
        self.obliques = _table(OBLIQUES, "")
        self.symbols = _table({symbol: i for i, symbol in enumerate(ALL_SYMBOLS)}, -1)
        self.spell = Speller(placeholders.transliterator)

    def hide(self, sentences: tf.Tensor) -> Hidden:
        """Does what `Placeholders.hide` does with sentences `(N,)`."""
        plain = replace(replace(sentences, SYMBOL.pattern, " "), _EDGE, " ")
        ragged = tf.strings.split(_mark_words(plain), _EDGE)  # every second piece is a word
        pieces, rows = ragged.values, tf.cast(ragged.value_rowids(), tf.int32)
        place = tf.range(tf.size(pieces)) - tf.gather(tf.cast(ragged.row_starts(), tf.int32), rows)
        words = tf.cast(tf.where(place % 2 == 1)[:, 0], tf.int32)
        pieces = self._with_capitals(pieces, words)
        words = tf.boolean_mask(words, self._are_unknown(pieces, rows, words))  # (W,): places of words to hide
        return self._put_symbols(pieces, rows, words, tf.size(sentences))

    def _with_capitals(self, pieces: tf.Tensor, words: tf.Tensor) -> tf.Tensor:
        """Returns pieces with capitals for the unknown names that are in small letters in these places, `(W,)`."""
        word = tf.gather(pieces, words)
        name = tf.where(self.known.lookup(word) == 0, self.capitals.lookup(word), "")
        return tf.tensor_scatter_nd_update(pieces, words[:, tf.newaxis], tf.where(name == "", word, name))

    def _are_unknown(self, pieces: tf.Tensor, rows: tf.Tensor, words: tf.Tensor) -> tf.Tensor:
        """Does what `Placeholders._is_unknown` does with the words at these places, `(W,)`."""
        word, before = tf.gather(pieces, words), tf.gather(pieces, words - 1)
        small = tf.strings.lower(word, "utf-8")
        is_listed = (self.listed.lookup(word) + self.listed.lookup(small) > 0) | _matches(word, r"[\d](?s:.*)")
        starts_row = tf.gather(tf.concat([[-1], rows], 0), words - 1) != tf.gather(rows, words)
        opens = _matches(before, r"(?s:.*)[.!?][^\w]*") | (starts_row & _matches(before, r"[^\w]*"))
        last = tf.size(pieces) - 1
        behind = [tf.minimum(words + i, last) for i in (1, 2, 3)]
        same = [tf.gather(rows, place) == tf.gather(rows, words) for place in behind]
        after = tf.strings.join([tf.where(s, tf.gather(pieces, p), "") for s, p in zip(same, behind, strict=True)])
        following = replace(after, in_re2(r"^(?:'s)? ([\w]+)(?s:.*)$"), r"\1")
        is_verb = ~_matches(after, r"(?:'s)? [\w](?s:.*)") | (self.after_verbs.lookup(following) > 0)
        like_name = _matches(word, _NAME_LIKE) & ~(opens & is_verb)
        return (self.known.lookup(small) == 0) & (is_listed | like_name)

    def _put_symbols(self, pieces: tf.Tensor, rows: tf.Tensor, words: tf.Tensor, size: tf.Tensor) -> Hidden:
        """Puts symbols in the places of words `(W,)`, adjoining names as one, as `_hide` does."""
        word, row = tf.gather(pieces, words), tf.gather(rows, words)
        spelled, kinds = self.spell(word)
        begins = _begin_spans(word, words, pieces)
        span = tf.cumsum(tf.cast(begins, tf.int32)) - 1  # (W,)
        count = tf.reduce_sum(tf.cast(begins, tf.int32))
        order, most = tf.range(tf.size(words)), tf.size(words)
        person = tf.math.unsorted_segment_min(tf.where(kinds < 2, order, most), span, count)  # (P,)
        first = tf.cast(tf.where(begins)[:, 0], tf.int32)
        kind = tf.gather(_SYMBOL_KINDS, tf.gather(kinds, tf.where(person < most, person, first)))
        row = tf.gather(row, first)
        used = tf.cumsum(tf.one_hot(kind, len(SYMBOLS), dtype=tf.int32), exclusive=True)  # (P, kinds): by spans before
        opening = tf.gather(tf.math.unsorted_segment_min(tf.range(count), row, size), row)
        rank = tf.gather(used - tf.gather(used, opening), kind, batch_dims=1)
        free = rank < PER_KIND
        symbol = PER_KIND * kind + tf.minimum(rank, PER_KIND - 1)
        texts = _without(pieces, tf.boolean_mask(words, ~begins & tf.gather(free, span)))
        places = tf.boolean_mask(tf.gather(words, first), free)[:, tf.newaxis]
        texts = tf.tensor_scatter_nd_update(texts, places, tf.boolean_mask(tf.gather(ALL_SYMBOLS, symbol), free))
        places, empty = tf.boolean_mask(tf.stack([row, symbol], 1), free), tf.fill([size, len(ALL_SYMBOLS)], "")
        tables = [
            tf.tensor_scatter_nd_update(
                empty,
                places,
                tf.boolean_mask(
                    tf.strings.unsorted_segment_join(tf.where(begins, parts, " " + parts), span, count), free
                ),
            )
            for parts in (word, spelled)
        ]
        return Hidden(tf.strings.unsorted_segment_join(texts, rows, size), *tables)

    def reveal(
        self, hidden: Hidden, texts: tf.Tensor, target_tokens: tf.Tensor, source_tokens: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """Does what `reveal` does with texts `(N,)` and tokens `(N, T)` and `(N, S)`."""
        marked = replace(texts, f"({SYMBOL.pattern})([अ-ह])", rf"\1{_EDGE}\2")
        for _ in range(2):  # because the letter behind a particle may be the next symbol
            particle = f"({'|'.join(PARTICLES)})($|[^\u0900-\u0963\u0970-\u097f])"
            marked = replace(marked, f"({SYMBOL.pattern}){_EDGE}{particle}", r"\1\2\3")
        letters = tf.strings.unicode_split(marked, "UTF-8")
        letter, row = letters.values, letters.value_rowids()
        symbol = self.symbols.lookup(letter)
        with_ending = tf.concat([letter[1:] == _EDGE, tf.fill([tf.minimum(1, tf.size(letter))], False)], 0)
        places = tf.stack([tf.cast(row, tf.int32), tf.maximum(symbol, 0)], 1)
        form = tf.gather_nd(hidden.spelled, places)
        is_place = (symbol >= PER_KIND * _PLACE) & (symbol < PER_KIND * (_PLACE + 1))
        oblique = self.obliques.lookup(form)
        form = tf.where(with_ending & is_place & (oblique != ""), oblique, form)
        written = tf.where(symbol >= 0, form, tf.where(letter == _EDGE, "", letter))
        texts = tf.strings.unsorted_segment_join(written, row, tf.size(texts, tf.int64))
        forms = tf.boolean_mask(form, symbol >= 0)
        return texts, self._write_tokens(target_tokens, forms), self._write_tokens(source_tokens, None, hidden.words)

    def _write_tokens(self, tokens: tf.Tensor, forms: tf.Tensor | None, words: tf.Tensor | None = None) -> tf.Tensor:
        """Writes out the symbols of tokens `(N, T)`: as forms, one after the other, or as words `(N, symbols)`."""
        flat = tf.reshape(tokens, [-1])
        letters = tf.strings.unicode_split(flat, "UTF-8")
        letter, token = letters.values, tf.cast(letters.value_rowids(), tf.int32)
        symbol = self.symbols.lookup(letter)
        if words is not None:
            form = tf.gather_nd(words, tf.stack([token // tf.shape(tokens)[1], tf.maximum(symbol, 0)], 1))
        else:
            here = tf.cumsum(tf.cast(symbol >= 0, tf.int32), exclusive=True)
            form = tf.gather(tf.concat([forms, [""]], 0), tf.minimum(here, tf.size(forms)))
        written = tf.strings.unsorted_segment_join(tf.where(symbol >= 0, form, letter), token, tf.size(flat))
        return tf.reshape(written, tf.shape(tokens))


_ALL_KINDS = [*KINDS, "number", "other"]
_SYMBOL_KINDS = [list(SYMBOLS).index(symbol_kind(kind)) for kind in _ALL_KINDS]
_PLACE = list(SYMBOLS).index("place")


def _begin_spans(word: tf.Tensor, places: tf.Tensor, pieces: tf.Tensor) -> tf.Tensor:
    """Returns which words `(W,)` do not join the one before: one space, and capitals at the beginning of both."""
    between = (places[1:] - places[:-1] == 2) & (tf.gather(pieces, places[1:] - 1) == " ")
    first = tf.strings.substr(word, 0, 1, "UTF8_CHAR")
    is_upper, is_lower = (_matches(first, f"[{class_of(test)}]") for test in ("isupper", "islower"))

    def step(state: tuple[tf.Tensor, ...], now: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
        upper, lower, _ = state  # of the first letter of the span
        joins, own_upper, own_lower = now
        joined = joins & (upper | own_upper) & ~(lower | own_lower)
        return tf.where(joined, upper, own_upper), tf.where(joined, lower, own_lower), ~joined

    between = tf.concat([tf.fill([tf.minimum(1, tf.size(word))], False), between], 0)
    no = tf.constant(False)
    return tf.scan(step, (between, is_upper, is_lower), (no, no, no))[-1]


def _without(pieces: tf.Tensor, words: tf.Tensor) -> tf.Tensor:
    """Returns pieces with nothing in these places and in those before them."""
    places = tf.concat([words, words - 1], 0)
    return tf.tensor_scatter_nd_update(pieces, places[:, tf.newaxis], tf.fill([tf.size(places)], ""))


class Speller(tf.Module):
    """`Transliterator.spell` for a batch of words, and numbers in the other script's digits.

    Args:
        transliterator: of a model's placeholders.

    Call arguments:
        words: `(W,)` string.

    Returns:
        spelled: `(W,)` string.
        kinds: `(W,)` int32, places in `KINDS` with "number" and "other" behind it.
    """

    def __init__(self, transliterator: Transliterator) -> None:
        super().__init__()
        known = {letters.replace(" ", ""): spelled for letters, spelled in transliterator._known.items()}
        self.place = _table({letters: i for i, letters in enumerate(known)}, -1)
        self.listed = tf.constant([spelled.text for spelled in known.values()] or [""])
        self.listed_kinds = tf.constant([_kind(spelled.kind) for spelled in known.values()] or [0])
        self.kinds = _table({kind: i for i, kind in enumerate(KINDS)}, len(_ALL_KINDS) - 1)
        translator = transliterator.translator
        tokenizers, self.beam_size = (
            (translator.source_tokenizer, translator.target_tokenizer),
            transliterator.beam_size,
        )
        self._search, self.weights = search_of_copy(translator.model, tokenizers, translator.around, self.beam_size)
        self.source, self.target = SourceText(tokenizers[0]), TargetText(tokenizers[1])
        self.letters = Normalizer(fold_case=True)

    def __call__(self, words: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        letters = replace(self.letters._decompose(words), "[^a-z]", "")
        place = self.place.lookup(letters)
        spelled, kinds = (tf.gather(list_, tf.maximum(place, 0)) for list_ in (self.listed, self.listed_kinds))
        number = _matches(words, r"[\d](?s:.*)")
        spelled = tf.where(number, write_digits(words), spelled)
        kinds = tf.where(number, _ALL_KINDS.index("number"), kinds)
        new = tf.where(~number & (place < 0))  # (K, 1)
        written, written_kinds = tf.cond(
            tf.size(new) > 0,
            lambda: self._write(tf.gather_nd(letters, new)),
            lambda: (tf.fill([0], ""), tf.fill([0], 0)),
        )
        spelled = tf.tensor_scatter_nd_update(spelled, new, written)
        return spelled, tf.tensor_scatter_nd_update(kinds, new, written_kinds)

    def _write(self, letters: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Writes words with the model, and chooses among its hypotheses as `_most_probable` does."""
        tokens = self.source.tokenize(replace(letters, "(.)", r"\1 "))[:, :MAX_SOURCE_LENGTH]
        lengths = max_target_length(tf.cast(tokens.row_lengths(), tf.int32))
        ids, _, score = self._search(
            self.source.ids(tokens).to_tensor(PAD_ID), lengths, tf.zeros([tf.size(lengths), 0])
        )
        hypotheses = self.target.decode(tf.reshape(ids, [-1, tf.shape(ids)[2]]))
        kinds = self.kinds.lookup(replace(hypotheses, "^ *([^ ]*)(?s:.*)$", r"\1"))
        texts = replace(replace(hypotheses, "^ *[^ ]* *", ""), " ", "")
        well_formed = _matches(texts, SYLLABLES.pattern.replace("(?=्)", "")) & ~_matches(
            texts, "(?s:.*)ऱ(?:[^्](?s:.*))?"
        )
        well_formed &= kinds < len(KINDS)
        texts, kinds, well_formed = (tf.reshape(t, tf.shape(score)) for t in (texts, kinds, well_formed))
        same = (texts[:, :, tf.newaxis] == texts[:, tf.newaxis]) & well_formed[:, tf.newaxis]
        probability = tf.reduce_sum(tf.where(same, tf.exp(score)[:, tf.newaxis], 0.0), axis=2)
        best = tf.argmax(tf.where(well_formed, probability, -1.0), axis=1)
        return tf.gather(texts, best, batch_dims=1), tf.gather(kinds, best, batch_dims=1)


def _kind(kind: str) -> int:
    return _ALL_KINDS.index(kind) if kind in KINDS else len(_ALL_KINDS) - 1


def _table(values: Mapping[str, Any], otherwise: Any) -> tf.lookup.StaticHashTable:
    kind = tf.string if isinstance(otherwise, str) else tf.int32
    keys, entries = tf.constant(list(values) or [""]), tf.constant(list(values.values()) or [otherwise], kind)
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, entries), otherwise)
