"""A trained model as a SavedModel, strings in, translations out, for programs with TensorFlow alone; or with 8 bits."""

import contextlib
import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import tensorflow as tf

from ..decoding.sentences import TextTranslator, digits_of
from ..decoding.typed import SPACING, spellings_for
from ..disk.files import move
from ..model import Seq2Seq
from ..names.placeholders import NoPlaceholders, Placeholders
from ..runs.bundle import NOTICE, SENTENCES, save_bundle, save_placeholders
from ..search import max_target_length
from ..text import Tokenizer
from ..translate import MAX_SOURCE_LENGTH, Around, Translator
from ..vocabulary import END_ID, PAD_ID
from .name_graph import Names, search_of_copy
from .sentence_graph import (
    add_marks,
    has_letter,
    lack_mark,
    rewrite,
    split_counters,
    split_signs,
    split_texts,
    strip,
    without_marks,
    write_digits,
)
from .text_graph import SourceText, TargetText

logger = logging.getLogger(__name__)


class ExportedTranslator(tf.Module):
    """`Translator.translate`, greedy, as one graph of TensorFlow's own operations, tokenisers included.

    It computes in float32 and without cuDNN's layers, so that it runs on any machine, wherever it was trained. Names
    and numbers are hidden as far as `name_graph.Names` finds them, and written out.

    Args:
        model: `Seq2Seq` of any precision; its weights are copied.
        source_tokenizer, target_tokenizer: what it was trained with.
        around: its `Placeholders`, which hide names and numbers and write them out; None if it has none.
        of_texts: whether it is the model of a `TextTranslator`: several sentences in a text, marks missing.
        language: as in `TextTranslator`.

    Call arguments:
        sentences: `(B,)` string, UTF-8.

    Returns:
        A dict with the fields of `Translation`, one row per sentence or text. T and S are those of the longest one;
        shorter ones are padded with "" and weights of 0. An empty sentence has an empty translation.

        text: `(B,)` string.
        score: `(B,)` float32. Log-probability in nats.
        source_tokens: `(B, S)` string.
        target_tokens: `(B, T)` string, `<end>` included.
        attention: `(B, T, S)` float32. That of a text of several sentences has a block for each of them.
    """

    def __init__(
        self,
        model: Seq2Seq,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        around: Around | None = None,
        of_texts: bool = False,
        language: str = "",
    ) -> None:
        super().__init__()
        tokenizers = source_tokenizer, target_tokenizer
        self.source, self.target = SourceText(source_tokenizer), TargetText(target_tokenizer)
        self.names = Names(around) if isinstance(around, Placeholders) else None
        self._search, self.weights = search_of_copy(model, tokenizers, around or NoPlaceholders())
        self._of_texts = of_texts
        self._spellings = spellings_for(source_tokenizer.vocabulary, isinstance(around, Placeholders))
        self._digits = of_texts and bool(digits_of(target_tokenizer, language))

    @tf.function(input_signature=[tf.TensorSpec((None,), tf.string, name="sentences")], autograph=False)
    def __call__(self, sentences: tf.Tensor) -> dict[str, tf.Tensor]:
        if not self._of_texts:
            rows = tf.range(tf.size(sentences))
            return _joined(self._translate(sentences), rows, tf.size(sentences))
        size = tf.size(sentences)
        before, texts, after = split_signs(sentences)
        sentences, rows, spaces = split_texts(rewrite(texts, SPACING))
        translatable = tf.gather(has_letter(texts), rows)
        sentences, rows, spaces = (tf.boolean_mask(t, translatable) for t in (sentences, rows, spaces))
        lacking, (counters, typed) = lack_mark(sentences), split_counters(sentences)
        read = rewrite(typed, self._spellings)
        fields = self._translate(tf.where(lacking, add_marks(read), read))
        written = tf.where(lacking, without_marks(fields["text"]), fields["text"])
        counters = write_digits(counters) if self._digits else counters
        text = tf.strings.join([spaces, counters, written])
        joined = _joined(fields | {"text": text}, rows, size)
        kept = strip(texts)
        kept = write_digits(kept) if self._digits else kept
        text = tf.where(has_letter(texts), joined["text"], kept)
        return joined | {"text": tf.strings.join([before, text, after])}

    def _translate(self, sentences: tf.Tensor) -> dict[str, tf.Tensor]:
        """Translates sentences `(N,)`, each by itself, into as many rows; `is_source` says what is no padding."""
        size = tf.size(sentences)
        sentences = tf.concat([sentences, tf.fill([tf.cast(size == 0, tf.int32)], "")], axis=0)  # at least one
        hidden = self.names.hide(sentences) if self.names else None
        texts = self.source.normalize(hidden.texts if hidden else sentences)
        filled = texts != ""
        tokens = self.source.split(tf.where(filled, texts, "."))[:, :MAX_SOURCE_LENGTH]  # at least one token
        max_lengths = max_target_length(tf.cast(tokens.row_lengths(), tf.int32))
        source_ids = self.source.ids(tokens).to_tensor(PAD_ID)
        ids, attention, score = self._search(source_ids, max_lengths, tf.zeros([tf.size(max_lengths), 0]))
        ids, attention, score = ids[:, 0], attention[:, 0], score[:, 0]  # greedy search has one hypothesis
        ids = tf.where(filled[:, tf.newaxis], ids, PAD_ID)
        text, target_tokens = self.target.decode(ids), self.target.tokens(ids)
        source_tokens = tf.where(filled[:, tf.newaxis], tokens.to_tensor(""), "")
        if self.names and hidden:
            text, target_tokens, source_tokens = self.names.reveal(hidden, text, target_tokens, source_tokens)
        fields = {
            "ids": ids,
            "is_source": tf.sequence_mask(tokens.row_lengths()) & filled[:, tf.newaxis],
            "text": text,
            "score": tf.where(filled, score, 0.0),
            "source_tokens": source_tokens,
            "target_tokens": target_tokens,
            "attention": tf.where(filled[:, tf.newaxis, tf.newaxis], attention, 0.0),
        }
        return {name: tensor[:size] for name, tensor in fields.items()}


def _joined(fields: dict[str, tf.Tensor], rows: tf.Tensor, size: tf.Tensor) -> dict[str, tf.Tensor]:
    """Returns the fields of texts from those of their sentences, which follow one another; see `decoding.sentences`."""
    source, target = fields["source_tokens"], fields["target_tokens"]
    is_last = tf.concat([rows[1:] != rows[:-1], tf.fill([tf.minimum(1, tf.size(rows))], True)], 0)
    kept_source, ids = fields["is_source"], fields["ids"]
    kept_target = (ids != PAD_ID) & ((ids != END_ID) | is_last[:, tf.newaxis])
    sides = {}
    for name, tokens, kept in (("source_tokens", source, kept_source), ("target_tokens", target, kept_target)):
        rows_of_tokens = tf.boolean_mask(tf.broadcast_to(rows[:, tf.newaxis], tf.shape(tokens)), kept)
        ragged = tf.RaggedTensor.from_value_rowids(tf.boolean_mask(tokens, kept), rows_of_tokens, size)
        lengths = tf.reduce_sum(tf.cast(kept, tf.int32), axis=1)
        before = tf.cumsum(lengths, exclusive=True) - tf.gather(tf.cast(ragged.row_starts(), tf.int32), rows)
        sides[name] = ragged.to_tensor(""), before
    (source_tokens, columns), (target_tokens, lines) = sides["source_tokens"], sides["target_tokens"]
    n, t, s = tf.unstack(
        tf.cast(tf.where(kept_target[:, :, tf.newaxis] & kept_source[:, tf.newaxis]), tf.int32), axis=1
    )
    places = tf.stack([tf.gather(rows, n), tf.gather(lines, n) + t, tf.gather(columns, n) + s], axis=1)
    weights = tf.gather_nd(fields["attention"], tf.stack([n, t, s], axis=1))
    shape = [size, tf.shape(target_tokens)[1], tf.shape(source_tokens)[1]]
    return {
        "text": tf.strings.unsorted_segment_join(fields["text"], rows, size),
        "score": tf.math.unsorted_segment_sum(fields["score"], rows, size),
        "source_tokens": source_tokens,
        "target_tokens": target_tokens,
        "attention": tf.scatter_nd(places, weights, shape),
    }


def export_saved_model(run: Path | str, directory: Path | str) -> None:
    """Writes a run's trained model as a SavedModel whose signature `serving_default` is `ExportedTranslator`.

    The directory is complete or absent: it is written under another name next to it and then renamed. A `NOTICE` of the
    run is copied.

    Args:
        run: directory of the run.
        directory: where to write; new or empty. TensorFlow Serving wants a number as the last part, the version.

    Raises:
        FileNotFoundError, ValueError: as `load_bundle`.
        FileExistsError: `directory` is a file or is not empty.
    """
    with new_directory(Path(directory)) as partial:
        translator = Translator.load(run)
        parts = translator.model, translator.source_tokenizer, translator.target_tokenizer, translator.around
        language = getattr(translator, "language", "")
        module = ExportedTranslator(*parts, isinstance(translator, TextTranslator), language)
        if module.names:
            logger.info("a SavedModel hides names of the letters a to z and plain numbers alone; see docs/export.md")
        tf.saved_model.save(module, partial, signatures={"serving_default": module.__call__})
        _copy_notice(Path(run), partial)


def export_quantized(run: Path | str, directory: Path | str) -> None:
    """Writes a run's trained model with 8-bit matrices, in less than a quarter of the space; commands read it as a run.

    Args:
        run, directory: as in `export_saved_model`, and the same errors.
    """
    with new_directory(Path(directory)) as partial:
        translator = Translator.load(run)
        tokenizers = translator.source_tokenizer, translator.target_tokenizer
        save_bundle(partial, translator.model, *tokenizers, quantized=True)
        if isinstance(translator.around, Placeholders):
            save_placeholders(translator.around, partial)
        if (Path(run) / SENTENCES).is_file():
            shutil.copyfile(Path(run) / SENTENCES, partial / SENTENCES)
        _copy_notice(Path(run), partial)


def _copy_notice(run: Path, directory: Path) -> None:
    if (run / NOTICE).is_file():
        shutil.copyfile(run / NOTICE, directory / NOTICE)


@contextlib.contextmanager
def new_directory(directory: Path) -> Iterator[Path]:
    """Gives a path to write a directory at, which is moved to `directory` when the block ends without an error."""
    if directory.exists() and not (directory.is_dir() and not any(directory.iterdir())):
        kind = "one that is not empty" if directory.is_dir() else "a file"
        raise FileExistsError(f"{directory}: expected a new or an empty directory, got {kind}")
    directory.parent.mkdir(parents=True, exist_ok=True)
    partial = directory.with_name(f"{directory.name}.{os.getpid()}.part")
    try:
        yield partial
        if directory.exists():
            directory.rmdir()  # on Windows nothing can be moved onto a directory, not even onto an empty one
        move(partial, directory)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
