"""A whole run in one directory: corpus, tokenisers, training, scores, and the bundle that translation loads."""

import contextlib
import dataclasses
import itertools
import json
import logging
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from ..alignment.dictionary import start_from_dictionary
from ..analysis.evaluate import evaluate
from ..config import ModelConfig, TrainConfig
from ..disk.files import read_json, write_json
from ..model import Seq2Seq
from ..names.asking import ask_names
from ..preprocess.language import UNSPACED, described
from ..translate import Translator
from .bundle import load_bundle, save_bundle, save_preprocessor
from .data import Ahead, prepare, spacing
from .distribute import check_same, check_shared, explain_lost_workers, gather, is_chief, make_strategy
from .machine import gpus_used, installed_versions, processor_name, resolve_precision
from .run_files import check_directory, differences, exclusive_lock
from .settings import UNTAUGHT, DataConfig, make_config, start_directory
from .splits import Corpus
from .training import train_model

logger = logging.getLogger(__name__)
FIRST_SCORED, MOST_SCORED = 64, 2_500  # dev sentences that are scored before the first step, and after each epoch
_PACKAGES = ("tensorflow", "tensorflow-cpu", "keras", "numpy", "sentencepiece", "sacrebleu", "unicodedata2")


@explain_lost_workers()
def run_training(
    directory: Path | str,
    corpus: Corpus,
    settings: dict[str, Any],
    keep_epochs: bool = False,
) -> dict[str, Any]:
    """Trains a model on the training pairs of a corpus and scores it on the others.

    The directory ends up with `run.json` (settings, versions, hashes and counts of the corpus and its split, and the
    machine that it was last started on), `history.csv`, `checkpoints/`, the split, the files of `save_bundle` and
    `scores.json`. An interrupted run resumes where it stopped; a finished one stays as it is.

    Args:
        directory: the run directory, made if necessary.
        corpus: from `make_corpus`, which checks and splits pairs.
        settings: from `make_settings`, of the corpus's `size`.
        keep_epochs: whether to keep the model of every epoch as well, in `epochs/0` (before training) and so on; each
            can be translated with, drawn and exported like a run.

    Returns:
        The contents of `scores.json`: parameters, epochs, minutes of training without and with the scoring of epochs,
        and the `Scores` of dev and, unless dev alone is given, of test.

    Raises:
        ValueError: as `prepare`; or the directory holds a run with other settings or another corpus, or files that are
            not of a run.
        BlockingIOError: another process trains in the directory.
        FloatingPointError, OSError, TrainingInterrupted: as `train_model`.
    """
    check_directory(directory := Path(directory))
    scores = directory / "scores.json"
    about = {
        "settings": settings | {"split": corpus.kind},
        "precision": resolve_precision(settings["precision"]),
        **corpus.about,
        "language": settings["language"] or corpus.about["language"],
        "links_sha256": corpus.about["links_sha256"] if settings["guidance"] else "",
        "versions": installed_versions(_PACKAGES),
    }
    about = _check_resumable(directory, about)
    if scores.is_file():
        return read_json(scores)
    strategy = make_strategy(settings["strategy"])
    with exclusive_lock(directory / "lock") if is_chief(strategy) else contextlib.nullcontext():
        about = _check_resumable(directory, about)  # again, because another process may have trained until now
        finished = scores.is_file()
        check_same(strategy, json.dumps([about, finished]), "settings, corpus, precision, versions or scores.json")
        return read_json(scores) if finished else _train_and_score(directory, corpus, about, strategy, keep_epochs)


def _train_and_score(
    directory: Path, corpus: Corpus, about: dict[str, Any], strategy: tf.distribute.Strategy, keep_epochs: bool
) -> dict[str, Any]:
    """Trains, scores and writes all files of the run but `lock`; the caller holds the directory's lock."""
    settings, chief = about["settings"], is_chief(strategy)
    config = make_config(TrainConfig, settings)
    logger.info(described(about["language"], about["script"]))
    unspaced, untaught = about["script"] in UNSPACED and not corpus.links, settings["attention"] in UNTAUGHT
    if config.guidance and unspaced and not untaught:
        logger.info("attention is not guided: an aligner links words, and this script has no spaces between them")
        if settings["dictionary_start"]:
            logger.info("no dictionary to start from: without an aligner there are no links of tokens")
    if unspaced or untaught:
        config = dataclasses.replace(config, guidance=0.0)
    keras.utils.set_random_seed(config.seed)
    prepared = prepare(corpus, make_config(DataConfig, settings), config)
    with strategy.scope():
        model = Seq2Seq(make_config(ModelConfig, settings, **prepared.vocabulary_sizes), about["precision"])
        if settings["start"]:
            model.set_weights(load_bundle(start_directory(settings["start"]))[0].get_weights())
        if settings["dictionary_start"] and config.guidance:
            count = start_from_dictionary(model, prepared.batches_of(0))
            logger.info("training starts from a dictionary: %s pairs of linked tokens", f"{count:,}")
            check_same(strategy, str(model.encoder.get_weights()[0].tobytes()), "the dictionary's vectors")
    # a copy in float32, which translates, is scored and saved
    translator = Translator(Seq2Seq(model.config), *prepared.tokenizers, prepared.preprocessor)
    if chief:
        machine = {"processor": processor_name(), **gpus_used(model)}
        write_json(directory / "run.json", {**about, "left_out": prepared.left_out, "machine": machine})
        corpus.write(directory)
    check_shared(strategy, directory / "run.json")
    sources, references = corpus.references["dev"]
    limits = itertools.chain([FIRST_SCORED], itertools.repeat(MOST_SCORED))  # an untrained model writes long sentences

    def dev_scores() -> dict[str, float]:
        every = spacing(sources, next(limits))
        translator.model.set_weights(model.get_weights())
        scores, _ = evaluate(translator, sources[::every], references[::every])
        return {name: getattr(scores, name) for name in ("chrf", "bleu", "exact", "perplexity")}

    def save(directory: Path) -> None:
        save_bundle(directory, translator.model, *prepared.tokenizers)
        save_preprocessor(prepared.preprocessor, directory)

    def after_epoch(epoch: int) -> None:
        if keep_epochs and chief:
            save(directory / "epochs" / str(epoch))  # `dev_scores` has copied the weights

    steps = prepared.steps_per_epoch
    history = train_model(model, Ahead(prepared), steps, dev_scores, config, directory, after_epoch)
    translator.model.set_weights(model.get_weights())
    ask_names(translator)
    seconds, scoring = (sum(row[name] for row in history) for name in ("seconds", "scoring_seconds"))
    result: dict[str, Any] = {"parameters": model.count_params(), "epochs": len(history)}
    result |= {"training_minutes": seconds / 60, "wall_minutes": (seconds + scoring) / 60}
    for name, texts in corpus.references.items():
        result[name] = evaluate(translator, *texts, thorough=True)[0]._asdict()
    if chief:
        save(directory)
        write_json(directory / "scores.json", result)
    gather(strategy, 0)  # workers end together, because TensorFlow reports one that ends early as lost
    return result


def _check_resumable(directory: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Returns `about` with the precision of `run.json`, if there is one; a ValueError if that is of another run."""
    path = directory / "run.json"
    if not path.is_file():
        return about
    before = read_json(path)
    try:
        there, precision = _identity(before), before["precision"]  # it keeps its precision, whatever the processor
    except (KeyError, TypeError, AttributeError):
        raise ValueError(f"{path}: damaged or not of a run; use another --run") from None
    if other := differences(there, _identity(about)):
        raise ValueError(f"{directory} holds another run ({other}); use another --run or delete it")
    return {**about, "precision": precision}


def _identity(about: dict[str, Any]) -> dict[str, Any]:
    """Returns by name what is the same whenever a run is resumed; its language is the one found, asked for or not."""
    hashes = {name: about[f"{name}_sha256"] for name in ("corpus", "links")}
    return {**about["settings"], **about["split_sha256"], **hashes, "language": about["language"]}
