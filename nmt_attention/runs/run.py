"""A whole run in one directory: corpus, tokenisers, training, scores, and the bundle that translation loads."""

import contextlib
import dataclasses
import hashlib
import itertools
import json
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..aligner import Aligner
from ..bundle import save_bundle
from ..config import PRECISIONS, UNTAUGHT, DataConfig, ModelConfig, TrainConfig, part, setting_fields
from ..corpus import (
    SPLITS,
    Pair,
    Split,
    add_training_pairs,
    corpus_hash,
    group_keys,
    sentence_key,
    write_pairs,
)
from ..evaluate import evaluate
from ..files import read_json, write_json
from ..marathi.masks import learn_placeholders
from ..metrics import group_references
from ..model import Seq2Seq
from ..placeholders import ALL_SYMBOLS
from ..text import TOKENIZERS
from ..translate import Translator
from ..word_links import Link, given_links
from .devices import installed_versions, resolve_precision
from .distribute import check_same, check_shared, explain_lost_workers, gather, is_chief, make_strategy
from .epoch_data import make_epochs
from .lock import exclusive_lock
from .run_files import check_directory, hash_split
from .training import train

logger = logging.getLogger(__name__)
# Of a larger corpus, these are evenly spaced, because a corpus is often sorted by length.
MOST_LEARNED = 100_000  # training pairs that tokenisers are learned from
MOST_LINKED = 50_000  # training pairs that an aligner links
MOST_SCORED = 2_500  # dev sentences that are scored after each epoch
FIRST_SCORED = 64  # before the first step
TOKENIZERS_SEED = (
    "1 tokenizers"  # of what is masked when they are learned; one for all runs, so that any two can be an ensemble
)
_PACKAGES = ("tensorflow", "tensorflow-cpu", "keras", "numpy", "sentencepiece", "sacrebleu", "unicodedata2")


@explain_lost_workers()
def run_training(
    directory: Path | str,
    pairs: Sequence[Pair],
    settings: dict[str, Any],
    tensorboard: bool = False,
    extra: Mapping[str, Sequence[Pair]] | None = None,
    keep_epochs: bool = False,
) -> dict[str, Any]:
    """Trains a model on the training split of the pairs and scores it on the others.

    The directory ends up with `run.json` (settings, versions, hashes of the corpus and of each split, counts of the
    splits and of the training pairs left out as too long), `history.csv`, `checkpoints/`, the split (`train.tsv`,
    `dev.tsv`, `test.tsv`), the bundle (`config.json`, `weights.npz`, `source.json`, `target.json`) and `scores.json`;
    `lock` names the process that is training. An interrupted run resumes where it stopped; a finished one stays as it
    is.

    Args:
        directory: the run directory, made if necessary.
        pairs: all pairs; split here, so that no test sentence is trained on.
        settings: from `make_settings`.
        tensorboard: whether to write event files for TensorBoard.
        extra: more pairs to train on, by the name of the file that has them; see `add_training_pairs`. `run.json` says
            how many of each were new.
        keep_epochs: whether to keep the model of every epoch as well, in `epochs/0` (before training) and so on; each
            can be translated with, drawn and exported like a run.

    Returns:
        The contents of `scores.json`: parameters, epochs, minutes of training without and with the scoring of epochs,
        and the `Scores` of dev and test.

    Raises:
        ValueError: the directory holds a run with other settings or another corpus, or files that are not of a run;
            the corpus cannot be split; or no training pair is as short as `most_tokens`.
        BlockingIOError: another process trains in the directory.
        FloatingPointError, OSError, TrainingInterrupted: as `train`.
    """
    directory = Path(directory)
    data, config = part(DataConfig, settings), part(TrainConfig, settings)
    check_directory(directory)
    split = SPLITS[data.split](pairs)
    for name, part_pairs in split._asdict().items():
        if not part_pairs:
            groups = len(set(group_keys(pairs)))
            if data.split == "group" and groups < len(pairs):
                why = f"{len(pairs):,} pairs share so many sentences that they form too few groups ({groups:,})"
                raise ValueError(f"corpus: {why}; the {name} split is empty")
            raise ValueError(f"corpus: {len(pairs):,} pairs are too few; the {name} split is empty")
    split, added = _with_extra(split, extra or {})
    about = {
        "settings": settings,
        "precision": resolve_precision(config.precision),
        "corpus_sha256": corpus_hash(pairs),
        "split_sha256": hash_split(split),
        "links_sha256": _hash_links(split.train) if config.guidance else "",
        "pairs": {name: len(part_pairs) for name, part_pairs in split._asdict().items()},
        "extra": added,
        "versions": installed_versions(_PACKAGES),
    }
    about = _check_resumable(directory, about)
    scores = directory / "scores.json"
    if scores.is_file():
        return _read_scores(scores)

    strategy = make_strategy(config.strategy)
    with exclusive_lock(directory) if is_chief(strategy) else contextlib.nullcontext():
        about = _check_resumable(directory, about)  # again, because another process may have trained until now
        finished = scores.is_file()
        check_same(strategy, json.dumps([about, finished]), "settings, corpus, precision, versions or scores.json")
        if finished:
            return _read_scores(scores)
        return _train_and_score(directory, split, data, config, about, strategy, tensorboard, keep_epochs)


def _with_extra(split: Split, extra: Mapping[str, Sequence[Pair]]) -> tuple[Split, dict[str, int]]:
    """Returns the split with more training pairs, and how many each name added."""
    added = {}
    for name, pairs in extra.items():
        longer = add_training_pairs(split, pairs)
        added[name] = len(longer.train) - len(split.train)
        left_out = len(pairs) - added[name]
        why = f"; left out: {left_out:,} that are there already, or have a sentence of dev or test" * bool(left_out)
        logger.info("%s: %s more pairs to train on%s", name, f"{added[name]:,}", why)
        split = longer
    return split, added


def _train_and_score(
    directory: Path,
    split: Split,
    data: DataConfig,
    config: TrainConfig,
    about: dict[str, Any],
    strategy: tf.distribute.Strategy,
    tensorboard: bool,
    keep_epochs: bool,
) -> dict[str, Any]:
    """Trains, scores and writes all files of the run but `lock`; the caller holds the directory's lock."""
    keras.utils.set_random_seed(config.seed)
    learn = TOKENIZERS[data.tokenizer].learn
    mask, placeholders = learn_placeholders(split, data.placeholders)
    sources, targets = zip(*mask(TOKENIZERS_SEED), strict=True)
    symbols = ALL_SYMBOLS if placeholders else []
    some = slice(None, None, _spacing(sources, MOST_LEARNED))
    with ThreadPoolExecutor(2) as threads:  # sentencepiece releases Python's lock while it learns
        learned = threads.map(
            learn, (sources[some], targets[some]), [data.vocabulary_size] * 2, (True, False), [symbols] * 2
        )
        source_tokenizer, target_tokenizer = learned
    longest = np.maximum(source_tokenizer.encode_all(sources).lengths, target_tokenizer.encode_all(targets).lengths)
    kept = np.flatnonzero(longest <= data.most_tokens)
    if not len(kept):
        shortest = f"{longest.min()}, the length of the shortest training pair"
        raise ValueError(f"most_tokens: expected at least {shortest}, got {data.most_tokens}")
    left_out = len(sources) - len(kept)

    model_config = part(
        ModelConfig,
        about["settings"],
        source_vocabulary_size=len(source_tokenizer),
        target_vocabulary_size=len(target_tokenizer),
    )
    with strategy.scope():
        model = Seq2Seq(model_config, about["precision"], use_cudnn=False if config.jit else "auto")
    plain_model = Seq2Seq(model_config)
    # Scored in float32, in which it is used.
    translator = Translator(plain_model, source_tokenizer, target_tokenizer, placeholders)

    if is_chief(strategy):
        if left_out:
            why = f"a side has more than {data.most_tokens:,} tokens (most_tokens)"
            logger.warning("%s of %s training pairs are left out: %s", f"{left_out:,}", f"{len(sources):,}", why)
        write_json(directory / "run.json", {**about, "left_out": left_out})
        for name, part_pairs in split._asdict().items():
            write_pairs(directory / f"{name}.tsv", part_pairs)
    check_shared(strategy, directory / "run.json")

    guided = config.guidance > 0 and model_config.attention not in UNTAUGHT
    config = dataclasses.replace(config, guidance=config.guidance if guided else 0.0)
    links = _links([split.train[i] for i in kept]) if guided else []
    tokenizers, held_out = (source_tokenizer, target_tokenizer), _sentences(split.dev + split.test)

    def mask_kept(seed: str) -> Sequence[tuple[str, str]]:
        masked = mask(seed)
        return [masked[i] for i in kept]

    batches = make_epochs(mask_kept, links, longest[kept], tokenizers, held_out, data, config)

    def copy_weights() -> None:
        for plain, trained in zip(plain_model.weights, model.weights, strict=True):
            plain.assign(trained)

    dev_sources, dev_references = group_references(split.dev)
    usual = slice(None, None, _spacing(dev_sources, MOST_SCORED))
    # The first scores are to show errors before the first step. An untrained model writes to the limit, so few will do.
    parts = itertools.chain([slice(None, None, _spacing(dev_sources, FIRST_SCORED))], itertools.repeat(usual))

    def dev_scores() -> dict[str, float]:
        copy_weights()
        some = next(parts)
        scores, _ = evaluate(translator, dev_sources[some], dev_references[some])
        return {name: getattr(scores, name) for name in ("chrf", "bleu", "exact", "perplexity")}

    def save_model(place: Path) -> None:
        if is_chief(strategy):
            save_bundle(place, plain_model, source_tokenizer, target_tokenizer)
            if placeholders:
                placeholders.save(place)

    def after_epoch(epoch: int) -> None:
        if keep_epochs:
            save_model(directory / "epochs" / str(epoch))  # `dev_scores` has copied the weights

    steps = -(-len(kept) // config.batch_size)
    history = train(model, batches, steps, dev_scores, config, directory, tensorboard, after_epoch)
    copy_weights()
    save_model(directory)
    result = {
        "parameters": plain_model.count_params(),
        "epochs": len(history),
        "training_minutes": sum(row["seconds"] for row in history) / 60,
        "wall_minutes": sum(row["seconds"] + row["scoring_seconds"] for row in history) / 60,
        "dev": evaluate(translator, *group_references(split.dev), thorough=True)[0]._asdict(),
        "test": evaluate(translator, *group_references(split.test), thorough=True)[0]._asdict(),
    }
    if is_chief(strategy):
        write_json(directory / "scores.json", result)
    gather(strategy, 0)  # workers end together, because TensorFlow reports one that ends early as lost
    return result


def _sentences(pairs: Sequence[Pair]) -> set[str]:
    """Returns the keys of the sentences on either side of the pairs."""
    return {sentence_key(pair[side]) for pair in pairs for side in (0, 1)}


def _spacing(items: Sequence[Any], most: int) -> int:
    """Returns n so that every n-th item are at most so many."""
    return max(1, -(-len(items) // most))


def _links(pairs: Sequence[Pair]) -> list[set[Link]]:
    """Returns the links that guide attention: those of the corpus, else those that an aligner learns.

    An aligner links at most `MOST_LINKED` pairs, because its time and memory grow with them; the others have no links.
    """
    if links := given_links(pairs):
        logger.info("attention is guided by the links in the corpus")
        return links
    every = _spacing(pairs, MOST_LINKED)
    some = pairs[::every]
    logger.info("attention is guided by a statistical aligner, on %s pairs", f"{len(some):,}")
    links = [set()] * len(pairs)
    links[::every] = Aligner(some).align(some)
    return links


def _hash_links(pairs: Sequence[Pair]) -> str:
    """Returns the sha256 of the links that the corpus gives, or "" if it gives none."""
    return hashlib.sha256("\n".join(pair.attribution for pair in pairs).encode()).hexdigest() * bool(given_links(pairs))


def _read_scores(path: Path) -> dict[str, Any]:
    """Returns the contents of `scores.json`, or raises a ValueError if they are damaged."""
    try:
        result = read_json(path)
        numbers = [result[name] for name in ("parameters", "training_minutes", "wall_minutes")]
        numbers += [result[split][name] for split in ("dev", "test") for name in ("bleu", "chrf")]
        whole = all(isinstance(number, int | float) for number in numbers)
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise ValueError(f"{path}: damaged; delete it and train again to score the run")
    return result


def _check_resumable(directory: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Returns `about` with the precision of `run.json`, if there is one.

    Raises:
        ValueError: the settings, the corpus or its split are not those of `run.json`, or it is damaged.
    """
    path = directory / "run.json"
    if not path.is_file():
        return about
    try:
        found = read_json(path)
        defaults = {name: field.default for name, field in setting_fields().items()}  # for settings newer than the run
        links = about.get("links_sha256", "")  # which older runs do not have either
        defaults |= about.get("split_sha256", {})  # older runs have no hashes of their splits
        there, here = (
            {
                **defaults,
                **run["settings"],
                **run.get("split_sha256", {}),
                "corpus": run["corpus_sha256"],
                "links": run.get("links_sha256", links),
            }
            for run in (found, about)
        )
        found = {**about, "precision": found["precision"]}  # it keeps its precision, whatever the processor
        if found["precision"] not in {*PRECISIONS} - {"auto"}:
            raise ValueError(found["precision"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path}: damaged or not of a run; use another --run") from None
    other = [f"{name} is {there.get(name)}, asked for {here[name]}" for name in here if there.get(name) != here[name]]
    if other:
        raise ValueError(f"{directory} holds another run ({'; '.join(other)}); use another --run or delete it")
    return found
