"""The three verbs together: what a model reads of a text (`prepare`), and the text of its translations (`finish`)."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from ..config import SearchConfig
from ..spelling import as_texts
from ..text import Tokenizer
from ..translate import Found, Piece, Pieces, Translation
from ..translate import Preprocessor as Plain
from ..vocabulary import END_ID, SPECIAL_TOKENS
from .doubts import SHOWN, Doubts
from .language import is_foreign, is_marathi, letters_of, script_of
from .protect import Placeholders, make_never, protect_target, reveal
from .rules import DIGITS, unescape
from .segment import MOSTLY_MARKED, segment, spellings_for, without_final_mark
from .terms import Term, Terms, typed_again
from .verify import unlooped, verify

logger = logging.getLogger(__name__)


class Preprocessor(Plain):
    """Splits texts into sentences, hides what a model cannot know, and joins the translations.

    Of a model whose training sentences end with a mark, every sentence gets one if it lacks it, as its `source_tokens`
    show; it is taken off the translation again. Signs around a text, the counter of a list (1.) and the name of a
    speaker (MAN:) stand around the translation, too. What has no letter stays as it is, with the digits of the target
    language, and so does a sentence of which the model knows nothing, because it is in another language. `doubts` of
    the translation say so; of what is lost a warning, too. Any other model gets texts whole.

    Args:
        source_tokenizer, target_tokenizer: those of the model.
        placeholders: hide names and numbers; None for a model without.
        marked: fraction of the model's training sentences that end with a mark.
        language: code of the target language, or "" for that of its script.
        terms: for each of a user's own terms what its translation is; "" leaves it as it is typed.
        certainty: how often the model was right, by how certain it was; see `doubts.band_of`.

    Raises:
        ValueError: there are terms, but no placeholders to stand for them.
    """

    def __init__(
        self,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        placeholders: Placeholders | None = None,
        marked: float = 1.0,
        language: str = "",
        terms: Mapping[str, str] | None = None,
        certainty: Mapping[str, Any] | None = None,
    ) -> None:
        if terms and placeholders is None:
            raise ValueError("terms: this model has no placeholders to stand for them; train with --placeholders 0.3")
        self.tokenizers = source_tokenizer, target_tokenizer
        self.placeholders, self.marked, self.language, self.certainty = placeholders, marked, language, certainty
        self.terms = Terms(terms)
        self.splits = marked >= MOSTLY_MARKED
        self.script = script_of(target_tokenizer.vocabulary[len(SPECIAL_TOKENS) :])
        self.marathi = is_marathi(self.script, language)
        glossed = self.tokenizers if self.marathi and certainty else None  # measured for such a model
        self.doubts = Doubts(source_tokenizer.vocabulary, placeholders, certainty, glossed)
        self.digits = DIGITS if self.marathi else {}
        self.letters = letters_of(source_tokenizer.vocabulary)
        self.spellings = spellings_for(source_tokenizer.vocabulary, placeholders is not None)

    def but(self, **other: Any) -> Self:
        """Returns the same with other arguments, such as `marked=0` to read texts whole."""
        same = {name: getattr(self, name) for name in ("placeholders", "marked", "language", "certainty")}
        return type(self)(*self.tokenizers, **same | {"terms": self.terms.targets} | other)

    def prepare(self, texts: Sequence[str]) -> Pieces:
        """Returns the pieces of each text: what the model reads, with symbols for what it cannot know."""
        texts = as_texts(texts)
        if not self.splits:
            return super().prepare(texts)
        marked, terms = self.terms.mark(texts)
        lists = [segment(text, self.spellings, self.digits) for text in marked]
        every = [piece._replace(typed=typed_again(piece.typed, terms)) for pieces in lists for piece in pieces]
        protected = iter(self._leave_foreign(every, self._hidden([piece.read for piece in every], terms)))
        return [[next(protected) for _ in pieces] for pieces in lists]

    def finish(self, prepared: Pieces, found: Found, search: Any = None, config: SearchConfig | None = None) -> Found:
        """Returns the translations of texts: the k-th joins the k-th of each of its pieces.

        Args:
            prepared: what `prepare` returned.
            found: hypotheses of every piece, in order, as the model wrote them.
            search: finds more hypotheses for pieces, with a config, where a hidden word is lost; None to do without.
            config: with which the hypotheses were found; samples are not held against what is hidden.
        """
        config = config or SearchConfig()
        pieces = [piece for pieces in prepared for piece in pieces]
        if self.splits and not config.samples:
            pieces, found = verify(pieces, found, search, config, self._hide_all)
        both = list(zip(pieces, found, strict=True))
        losses = [loss for piece, each in both for loss in self.doubts.losses(piece, each[0])]
        if len(losses) > SHOWN:
            losses = [f"{len(losses):,} of {len(both):,} translations lack something; their `doubts` say what"]
        for loss in losses:
            logger.warning("%s", loss)
        shown = (self._shown(piece, each, config.samples > 0) for piece, each in both)
        return [_join([next(shown) for _ in pieces]) for pieces in prepared]

    def protect(self, sentences: Sequence[str]) -> list[Piece]:
        return self._hidden(*self.terms.mark(sentences))

    def _hidden(self, sentences: Sequence[str], terms: Mapping[str, Term], every: bool = False) -> list[Piece]:
        if self.placeholders is None:
            return [Piece(sentence, unescape(sentence)) for sentence in sentences]
        return self.placeholders.hide(sentences, terms, every)

    def _hide_all(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Returns pieces with all their names and numbers hidden, those too that the model knows."""
        plain = ["".join(piece.words.get(letter, letter) for letter in piece.read) for piece in pieces]
        return list(map(_read_as, pieces, self._hidden(*self.terms.mark(plain), every=True)))

    def protect_target(self, piece: Piece, target: str) -> tuple[Piece, str]:
        return protect_target(piece, target) if self.placeholders else (piece, target)

    make_never = staticmethod(make_never)

    def _leave_foreign(self, pieces: Sequence[Piece], protected: Sequence[Piece]) -> list[Piece]:
        """Returns pieces as they are read with symbols; one of which nothing is known stays as it is typed."""
        known = self.doubts.known_or_listed
        listed = self.placeholders.transliterator.listed if self.placeholders else {}
        return [
            piece._replace(read="")
            if piece.read and is_foreign(piece.typed, hidden.read, self.letters, known, listed)
            else _read_as(piece, hidden)
            for piece, hidden in zip(pieces, protected, strict=True)
        ]

    def _shown(self, piece: Piece, hypotheses: Sequence[Translation], sampled: bool) -> list[Translation]:
        """Returns the translations of a piece with what stands around it; of equal texts the first, but of samples."""
        shown = []
        for translation in hypotheses:
            whole = reveal(translation, piece)._replace(doubts=self.doubts.about(piece, translation))
            text = whole.text
            if self.splits:
                text = unlooped(text, piece.read) if piece.read else piece.typed
            bare = without_final_mark(text) if piece.lacks_mark else text
            shown.append(whole._replace(text=piece.before + bare + piece.after))
        texts = [translation.text for translation in shown]
        return [t for i, t in enumerate(shown) if sampled or t.text not in texts[:i]]


def _read_as(piece: Piece, hidden: Piece) -> Piece:
    return piece._replace(read=hidden.read, words=hidden.words, spelled=hidden.spelled, names=hidden.names)


def _join(lists: Sequence[Sequence[Translation]]) -> list[Translation]:
    """Returns the translations of a text from those of its pieces, whose attention becomes blocks of one matrix."""
    if len(lists) == 1:
        return list(lists[0])
    joined: dict[str, Translation] = {}
    for k in range(max(map(len, lists))):
        parts = [hypotheses[min(k, len(hypotheses) - 1)] for hypotheses in lists]
        inner = [*map(_without_end, parts[:-1]), parts[-1]]
        names = ("source_tokens", "target_tokens", "probabilities", "doubts")
        rows: dict[str, Any] = {name: [each for part in inner for each in getattr(part, name)] for name in names}
        attention = np.zeros((len(rows["target_tokens"]), len(rows["source_tokens"])), np.float32)  # (T, S)
        row = column = 0
        for part in inner:
            height, width = part.attention.shape
            attention[row : row + height, column : column + width] = part.attention
            row, column = row + height, column + width
        text, score = "".join(part.text for part in parts), sum(part.score for part in parts)
        rows |= {"attention": attention, "doubts": tuple(dict.fromkeys(rows["doubts"]))}
        certainty = min(part.certainty for part in parts)
        joined.setdefault(text, Translation(source="", text=text, score=score, certainty=certainty, **rows))
    return list(joined.values())


def _without_end(translation: Translation) -> Translation:
    if translation.target_tokens[-1:] != [SPECIAL_TOKENS[END_ID]]:
        return translation
    rows = {name: getattr(translation, name)[:-1] for name in ("target_tokens", "attention", "probabilities")}
    return translation._replace(**rows)
