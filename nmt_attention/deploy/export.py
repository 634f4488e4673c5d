"""A trained model as a SavedModel, strings in, translations out, for programs with TensorFlow alone; or with 8 bits."""

import contextlib
import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import tensorflow as tf

from ..config import SearchConfig
from ..disk.files import move
from ..model import Seq2Seq
from ..preprocess.preprocessor import Preprocessor
from ..runs.bundle import NOTICE, PLACEHOLDERS, load_bundle, load_preprocessor, save_bundle, save_preprocessor
from ..search import max_target_length
from ..text import Tokenizer
from ..translate import MAX_SOURCE_LENGTH, Translator
from ..vocabulary import PAD_ID
from .text_graph import SourceText, TargetText

logger = logging.getLogger(__name__)


class ExportedTranslator(tf.Module):
    """`Translator.translate`, greedy, as one graph of TensorFlow's own operations, tokenisers included.

    It computes in float32 and without cuDNN's layers, so that it runs on any machine, wherever it was trained. A string
    is what the model reads, a `Piece` of `Preprocessor.prepare`, whose `finish` takes what is returned.

    Args:
        model: `Seq2Seq` of any precision; its weights are copied.
        source_tokenizer, target_tokenizer: what it was trained with.

    Call arguments:
        sentences: `(B,)` string, UTF-8.

    Returns:
        A dict with the fields of `Translation`, one row per sentence. T and S are those of the longest one; shorter
        ones are padded with "" and weights of 0. An empty sentence has an empty translation.

        text: `(B,)` string.
        score: `(B,)` float32. Log-probability in nats.
        source_tokens: `(B, S)` string.
        target_tokens: `(B, T)` string, `<end>` included.
        attention: `(B, T, S)` float32.
    """

    def __init__(self, model: Seq2Seq, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer) -> None:
        super().__init__()
        self.source, self.target = SourceText(source_tokenizer), TargetText(target_tokenizer)
        copy = Seq2Seq(model.config, use_cudnn=False)
        copy.set_weights(model.get_weights())
        preprocessor = Preprocessor(source_tokenizer, target_tokenizer)  # for what is never written
        plain = Translator(copy, source_tokenizer, target_tokenizer, preprocessor)
        self._search = plain.search_with(SearchConfig())
        self.weights = [weight.value for weight in copy.weights]  # saved as they are, not as a Keras model

    @tf.function(input_signature=[tf.TensorSpec((None,), tf.string, name="sentences")], autograph=False)
    def __call__(self, sentences: tf.Tensor) -> dict[str, tf.Tensor]:
        size = tf.size(sentences)
        sentences = tf.concat([sentences, tf.fill([tf.cast(size == 0, tf.int32)], "")], axis=0)  # at least one
        texts = self.source.normalize(sentences)
        filled = texts != ""
        tokens = self.source.split(tf.where(filled, texts, "."))[:, :MAX_SOURCE_LENGTH]  # at least one token
        max_lengths = max_target_length(tf.cast(tokens.row_lengths(), tf.int32))
        source_ids = self.source.ids(tokens).to_tensor(PAD_ID)
        ids, attention, score = self._search(source_ids, max_lengths, tf.zeros([tf.size(max_lengths), 0]))
        ids, attention, score = ids[:, 0], attention[:, 0], score[:, 0]  # greedy search has one hypothesis
        ids = tf.where(filled[:, tf.newaxis], ids, PAD_ID)
        fields = {
            "text": self.target.decode(ids),
            "score": tf.where(filled, score, 0.0),
            "source_tokens": tf.where(filled[:, tf.newaxis], tokens.to_tensor(""), ""),
            "target_tokens": self.target.tokens(ids),
            "attention": tf.where(filled[:, tf.newaxis, tf.newaxis], attention, 0.0),
        }
        return {name: tensor[:size] for name, tensor in fields.items()}


def export_saved_model(run: Path | str, directory: Path | str) -> None:
    """Writes a run's trained model as a SavedModel whose signature `serving_default` is `ExportedTranslator`.

    The directory is complete or absent. A `NOTICE` of the run is copied.

    Args:
        run: directory of the run.
        directory: new or empty. TensorFlow Serving wants a number as the last part, the version.

    Raises:
        FileNotFoundError, ValueError: as `load_bundle`.
        FileExistsError: `directory` is a file or is not empty.
    """
    with new_directory(Path(directory)) as partial:
        module = ExportedTranslator(*load_bundle(run))
        if (Path(run) / PLACEHOLDERS).is_file():
            logger.info("a SavedModel takes one sentence a string, with its names hidden; see docs/export.md")
        tf.saved_model.save(module, partial, signatures={"serving_default": module.__call__})
        _copy_notice(Path(run), partial)


def export_quantized(run: Path | str, directory: Path | str) -> None:
    """Writes a run's trained model with 8-bit matrices, in a quarter of the space; else as `export_saved_model`."""
    with new_directory(Path(directory)) as partial:
        save_bundle(partial, *load_bundle(run), quantized=True)
        save_preprocessor(load_preprocessor(run), partial)
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
