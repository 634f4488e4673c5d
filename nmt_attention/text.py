"""Strings to tokens to ids and back: three tokenisers behind one interface.

Devanagari writes one syllable with several code points: a consonant, then vowel signs, a virama that joins the next
consonant, perhaps a zero-width joiner. Rules made for English ("keep \\w", "strip accents") delete those signs and
with them the word. No rule here does: text is spelled in one way (`normalize`) and split at `PUNCTUATION`.
"""

import base64
import bisect
import collections
import functools
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Self

import numpy as np
import regex

from .spelling import DASHES, GRAPHEME, JOINTS, OPENING, PUNCTUATION, QUOTE, SPACE, as_texts, is_mark, normalize
from .vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID, UNKNOWN_ID, RaggedIds

_AT_A_TIME = 10_000  # sentences encoded per call: faster than one by one, in little memory
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]")
_SIGNS = re.escape(PUNCTUATION)
_LETTER = rf"[^\s{_SIGNS}]"
_JOINED = rf"(?<={_LETTER})[{JOINTS[0]}](?={_LETTER})|(?<=\d)[{JOINTS[1]}](?=\d)"
_REPEATED = rf"([{_SIGNS}])\1*"  # a repeated sign (...) is a single token
_WORD_TOKEN = re.compile(rf"(?:{_LETTER}|{_JOINED})+|{_REPEATED}")
UNSPACED = "\u0e01-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"  # Thai … Chinese: each letter counts as a word
_WORD_OR_LETTER = regex.compile(rf"[{UNSPACED}]\p{{M}}*|(?:[^{UNSPACED}\s{_SIGNS}]|{_JOINED})+|{_REPEATED}")


def find_words(text: str) -> Iterator[Any]:
    """Yields the matches of the words that alignments link: those of `WordTokenizer`, or single letters, as in 猫."""
    return (_WORD_OR_LETTER if re.search(f"[{UNSPACED}]", text) else _WORD_TOKEN).finditer(text)


class Tokenizer:
    """What the three tokenisers share: a vocabulary, ids, and one file to save to.

    A tokeniser normalises its input, so callers pass raw text. Tokens keep the text's own spelling; unknown ones share
    an id. Ids 0 to 3 are padding, start, end and unknown.

    Args:
        vocabulary: token of each id, the four special tokens first.
        fold_case: whether text is case-folded before it is split (the English side).
    """

    kind = ""
    split: Callable[[str], list[str]]  # the tokens of a normalised text

    def __init__(self, vocabulary: Sequence[str], fold_case: bool = False) -> None:
        if tuple(vocabulary[:4]) != SPECIAL_TOKENS:
            raise ValueError(f"vocabulary must start with {SPECIAL_TOKENS}, got {vocabulary[:4]}")
        self.vocabulary = list(vocabulary)
        if not isinstance(fold_case, bool):
            raise ValueError(f"fold_case: expected true or false, got {fold_case!r}")
        self.fold_case = fold_case
        self._ids = {token: i for i, token in enumerate(self.vocabulary)}
        if len(self._ids) != len(self.vocabulary):
            raise ValueError("vocabulary contains a duplicate token")
        if not all(isinstance(token, str) for token in self.vocabulary):
            raise ValueError("vocabulary: expected strings")
        if _CONTROL.search("".join(self.vocabulary)):  # it would be written to the user's terminal
            raise ValueError("vocabulary: a control character in a token")
        for token in SPECIAL_TOKENS:  # text that looks like one is ordinary text
            del self._ids[token]

    def __len__(self) -> int:
        return len(self.vocabulary)

    @classmethod
    def learn(
        cls, texts: Iterable[str], vocabulary_size: int, fold_case: bool = False, symbols: Sequence[str] = ()
    ) -> Self:
        """Learns the vocabulary from texts: the most frequent tokens, ties in the order of their code points.

        Args:
            texts: sentences of the training split alone.
            vocabulary_size: maximum number of entries, the four special ones included.
            fold_case: see `Tokenizer`.
            symbols: characters that a subword tokeniser makes pieces of their own, such as placeholders.
        """
        normalized = (normalize(text, fold_case) for text in as_texts(texts, "texts"))
        counts = collections.Counter(token for text in normalized for token in cls.split(text))
        common = sorted(set(counts) - set(SPECIAL_TOKENS), key=lambda token: (-counts[token], token))
        return cls([*SPECIAL_TOKENS, *common[: max(0, vocabulary_size - len(SPECIAL_TOKENS))]], fold_case)

    def tokenize(self, text: str) -> list[str]:
        """Returns the tokens of `text`."""
        return self.split(normalize(text, self.fold_case))

    def detokenize(self, tokens: Iterable[str]) -> str:
        """Returns the text of `tokens`: the inverse of `tokenize` on normalised text."""
        return "".join(tokens).replace(SPACE, " ").strip()

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """Returns the id of each token; one outside the vocabulary has `UNKNOWN_ID`."""
        return [self._ids.get(token, UNKNOWN_ID) for token in tokens]

    def encode(self, text: str) -> list[int]:
        """Returns the ids of `text`, without start and end."""
        return self.ids(self.tokenize(text))

    def encode_all(self, texts: Iterable[str], alpha: float = 0.0, seed: int = 0) -> RaggedIds:
        """Returns the ids of all texts.

        Args:
            texts: raw texts.
            alpha: above 0, a subword tokeniser draws one of the 64 best segmentations of each word, with probability
                proportional to the segmentation's own to the power alpha (Kudo 2018, section 3.2); the other
                tokenisers have just one.
            seed: seed of the drawing, which is the same in every process.
        """
        return RaggedIds.of(self.encode(text) for text in as_texts(texts, "texts"))

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Returns the token of each id."""
        return [self.vocabulary[i] for i in ids]

    def decode(self, ids: Iterable[int]) -> str:
        """Returns the text of `ids`; padding, start and end are left out."""
        return self.detokenize(self.vocabulary[i] for i in ids if i not in (PAD_ID, START_ID, END_ID))

    def words(self, tokens: Sequence[str]) -> list[tuple[str, list[int]]]:
        """Returns the words of the same text as `find_words`, each with the positions of its tokens.

        A token belongs to every word that contains a visible part of it, a lone space to the word that follows.
        """
        spans, offset = [], 0
        for token in tokens:
            visible = len(token) - len(token.lstrip(SPACE))
            spans.append((offset + visible, max(offset + len(token), offset + visible + 1)))
            offset += len(token)
        groups, first = [], 0
        for match in find_words("".join(tokens).replace(SPACE, " ")):
            while spans[first][1] <= match.start():
                first += 1
            last = first
            while last + 1 < len(spans) and spans[last + 1][0] < match.end():
                last += 1
            groups.append((match.group(), list(range(first, last + 1))))
        return groups

    def to_config(self) -> dict[str, Any]:
        """Returns the tokeniser as a JSON-ready dict; `from_config` reads it back."""
        return {"kind": self.kind, "fold_case": self.fold_case, "vocabulary": self.vocabulary}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Builds the tokeniser from `to_config`'s dict."""
        return cls(config["vocabulary"], config["fold_case"])


class WordTokenizer(Tokenizer):
    """Splits at spaces and punctuation; a hyphen and an apostrophe inside a word (mother-in-law's) stay there."""

    kind = "word"

    @staticmethod
    def split(text: str) -> list[str]:
        """Returns the words and punctuation of a normalised text."""
        return [match.group() for match in _WORD_TOKEN.finditer(text)]

    def detokenize(self, tokens: Iterable[str]) -> str:
        """Joins words with spaces. Closing marks attach to the left, opening to the right; straight quotes alternate.

        Dashes stand between spaces. Exact only for conventionally punctuated text, because words lack their spaces.
        """
        text, quote_open, lean_right = "", False, True
        for token in tokens:
            mark = token[0] if is_mark(token) and token[0] not in DASHES else ""
            opens = mark in OPENING if mark != QUOTE else not quote_open
            if mark == QUOTE:
                quote_open = not quote_open
            closes = bool(mark) and not opens
            text += token if lean_right or closes else " " + token
            lean_right = bool(mark) and opens
        return text

    def words(self, tokens: Sequence[str]) -> list[tuple[str, list[int]]]:
        return [(word.group(), [position]) for position, token in enumerate(tokens) for word in find_words(token)]


class CharacterTokenizer(Tokenizer):
    """One token per grapheme cluster, what a reader calls a letter: `क्षि` is one, a space is `▁`.

    Source: Unicode Standard Annex #29.
    """

    kind = "character"

    @staticmethod
    def split(text: str) -> list[str]:
        """Returns the grapheme clusters of a normalised text."""
        return regex.findall(GRAPHEME, text.replace(" ", SPACE))


class SubwordTokenizer(Tokenizer):
    """Pieces of words, learned by sentencepiece's unigram model: frequent words whole, rare ones in parts.

    Args:
        model: a serialised sentencepiece model with this project's ids for the special tokens.
        fold_case: see `Tokenizer`.

    Source: Kudo 2018, arXiv:1804.10959 (unigram model and sampled segmentations).
    """

    kind = "subword"

    def __init__(self, model: bytes, fold_case: bool = False) -> None:
        import sentencepiece

        self._model = bytes(model)
        try:
            self._processor = sentencepiece.SentencePieceProcessor()
            self._processor.LoadFromSerializedProto(self._model)  # the constructor would accept empty bytes
        except (RuntimeError, TypeError) as error:
            raise ValueError(f"not a sentencepiece model: {error}") from None
        self._segmentations = functools.lru_cache(maxsize=1 << 16)(self._find_segmentations)
        pieces = [self._processor.id_to_piece(i) for i in range(self._processor.get_piece_size())]
        super().__init__(pieces, fold_case)

    @classmethod
    def learn(
        cls, texts: Iterable[str], vocabulary_size: int, fold_case: bool = False, symbols: Sequence[str] = ()
    ) -> Self:
        """Learns the pieces; small texts may give fewer than `vocabulary_size` of them."""
        import sentencepiece

        model, queue = io.BytesIO(), collections.deque(normalize(t, fold_case) for t in as_texts(texts, "texts"))
        if not any(queue):
            raise ValueError("texts: no text to learn subwords from")
        least = len({" ", *symbols}.union(*queue)) + len(SPECIAL_TOKENS)
        if vocabulary_size < least:
            raise ValueError(f"vocabulary_size: expected at least {least}, one entry per letter, got {vocabulary_size}")
        named = {"pad": PAD_ID, "bos": START_ID, "eos": END_ID, "unk": UNKNOWN_ID}.items()  # by sentencepiece
        special: dict[str, Any] = {f"{name}_id": i for name, i in named}
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(queue.popleft() for _ in range(len(queue))),  # frees each text that the trainer copies
            model_writer=model,
            model_type="unigram",
            vocab_size=vocabulary_size,
            hard_vocab_limit=False,
            max_sentence_length=1 << 20,  # bytes; longer texts are left out
            character_coverage=1.0,
            normalization_rule_name="identity",  # `normalize` has already run
            user_defined_symbols=list(symbols),
            **(special | {f"{name}_piece": SPECIAL_TOKENS[i] for name, i in named}),
            num_threads=1,  # the same pieces on every machine
            minloglevel=2,
        )
        return cls(model.getvalue(), fold_case)

    def split(self, text: str) -> list[str]:
        """Returns the most probable pieces of a normalised text."""
        return self._processor.encode(text, out_type=str)

    def encode(self, text: str) -> list[int]:
        return self._processor.encode(normalize(text, self.fold_case))

    def encode_all(self, texts: Iterable[str], alpha: float = 0.0, seed: int = 0) -> RaggedIds:
        texts = as_texts(texts, "texts")
        if alpha <= 0:
            parts = (texts[i : i + _AT_A_TIME] for i in range(0, len(texts), _AT_A_TIME))
            normalized = ([normalize(text, self.fold_case) for text in part] for part in parts)
            return RaggedIds.of(ids for part in normalized for ids in self._processor.encode(part, num_threads=1))
        random = np.random.default_rng(seed)

        def draw(word: str) -> list[int]:
            rows, sums = self._segmentations(word, alpha)
            return rows[bisect.bisect_right(sums, random.random())] if sums else rows[0]

        words = (normalize(text, self.fold_case).split() for text in texts)
        return RaggedIds.of([i for word in of_text for i in draw(word)] for of_text in words)

    def _find_segmentations(self, word: str, alpha: float) -> tuple[list[list[int]], list[float]]:
        """Returns a word's best segmentations and the running sums of all their probabilities but the last."""
        rows = self._processor.nbest_encode(word, nbest_size=64)
        log_probs = np.array([sum(self._processor.get_score(i) for i in row) for row in rows])
        weights = np.exp(alpha * (log_probs - log_probs.max()))
        return rows, np.cumsum(weights / weights.sum())[:-1].tolist()

    def to_config(self) -> dict[str, Any]:
        model = base64.b64encode(self._model).decode("ascii")
        return {"kind": self.kind, "fold_case": self.fold_case, "model": model}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        return cls(base64.b64decode(config["model"], validate=True), config["fold_case"])
