"""What the lessons train: one corpus, and models that are trained once.

A lesson has its own settings, which take minutes. `NMT_PRESET=quick` in the environment, as the tests set it, makes
a lesson show the same on fewer sentences and with a smaller model, in about a minute. `NMT_ATTENTION_RUNS` names
another directory than `runs` for the models, such as one that outlives a hosted machine.
"""

import logging
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..alignment.links import Link, given_links
from ..corpus import Pair, split_pairs
from ..disk.fetch import load_corpus
from ..disk.files import read_json, write_json
from ..disk.pairs import DATA_DIRECTORY, DOWNLOAD_DIRECTORY, read_pairs, write_pairs
from ..runs.settings import UNGUIDED, make_settings
from ..runs.splits import make_corpus
from ..text import WordTokenizer

if TYPE_CHECKING:
    from ..alignment.scores import GoldAlignment
    from ..translate import Translator

RUNS = DOWNLOAD_DIRECTORY.parent / "runs"
QUICK_PAIRS = 2_500
QUICK_SETTINGS: dict[str, Any] = {
    "tokenizer": "word",
    "vocabulary_size": 2_000,
    "units": 128,
    "embedding_units": 128,
    "dropout": 0.1,
    "label_smoothing": 0.0,
    "warmup_steps": 50,
    "epochs": 10,
    "batch_size": 64,
    "placeholders": 0.0,  # a small corpus has too few names to spare
    "concatenation": 0.0,  # and a short lesson no time for longer sentences
    "encoder_layers": 1,
    "decoder_layers": 1,
}
QUICK_RATES = {"quick": 8e-3, "transformer": 2.5e-3}  # at 8e-3 a transformer learns hardly anything

logger = logging.getLogger(__name__)


def preset() -> str:
    """Returns "quick" or "full": whether `NMT_PRESET` asks for a short lesson, or the lesson has its own settings."""
    name = os.environ.get("NMT_PRESET") or "full"
    if name not in ("quick", "full"):
        raise ValueError(f"NMT_PRESET: expected quick or full, got {name!r}")
    return name


def lesson_corpus() -> list[Pair]:
    """Returns the pairs that lessons train on, a list of `Pair`.

    They are those of `load_corpus`: real sentences if they are available, else the phrasebook. Quick lessons take the
    first sentences of the phrasebook: they are the same everywhere, and a small model learns them in a minute.
    """
    return load_corpus("phrasebook")[:QUICK_PAIRS] if preset() == "quick" else load_corpus()


def run_directory(name: str) -> Path:
    """Returns the directory of the run of this name: `runs/NAME`, or `runs/lessons-quick/NAME` for quick lessons.

    Raises:
        ValueError: `NMT_ATTENTION_RUNS` is a directory in one that does not exist, such as a drive that is not mounted.
    """
    wanted = os.environ.get("NMT_ATTENTION_RUNS")
    runs = Path(wanted).expanduser().absolute() if wanted else RUNS
    if wanted and not runs.parent.is_dir():
        raise ValueError(f"NMT_ATTENTION_RUNS: {runs.parent} does not exist; mount the drive, or make the directory")
    return (runs / "lessons-quick" if preset() == "quick" else runs) / name


def unseen_gold(name: str) -> "list[GoldAlignment]":
    """Returns the gold alignments of a run's dev and test pairs, unseen in training; or of the phrasebook's."""
    from ..alignment.scores import read_alignments

    unseen = [pair for part in ("dev", "test") for pair in read_pairs(run_directory(name) / f"{part}.tsv")]
    kept, files = {pair[:2] for pair in unseen}, ("anki_alignments.tsv", "phrasebook.tsv")
    found = ([g for g in read_alignments(DATA_DIRECTORY / file, unseen)[0] if g.pair[:2] in kept] for file in files)
    return next(filter(None, found), [])


def guessed_links(gold: "Sequence[GoldAlignment]") -> dict[str, list[set[Link]]]:
    """Returns links for pairs that need no network, one for each target word: by "chance", and along the "diagonal"."""
    random = np.random.default_rng(1)
    guesses: dict[str, list[set[Link]]] = {"chance": [], "diagonal": []}
    for source, target in ([len(WordTokenizer.split(text)) for text in one.pair[:2]] for one in gold):
        guesses["chance"].append({(int(random.integers(source)), j) for j in range(target)})
        guesses["diagonal"].append({(round(j * (source - 1) / max(target - 1, 1)), j) for j in range(target)})
    return guesses


def trained(name: str, base: str = "quick", **overrides: Any) -> "Translator":
    """Returns a `Translator` with the model of this name: the one in its run directory, or a new one, trained now.

    It is trained on `lesson_corpus` with the settings of `python -m nmt_attention train --preset BASE` and `UNGUIDED`,
    with the preset quick some minutes on two cores. Progress is shown below the cell and cleared at the end, like
    everything that the cell has printed before. `run_directory(name)` has the rest: history, scores, the split.

    Args:
        name: str. Lessons with the same name and settings share the model. "pretrained" is the model that comes with
            the package: it needs no training, and a warning says if it was trained on another copy of the corpus.
        base: str. The preset that its settings come from.
        **overrides: settings, such as `attention="none"`.

    Raises:
        ValueError: there is no such preset or setting, the run directory holds a run with other settings, or
            "pretrained" is given settings.
    """
    from IPython.display import clear_output

    from ..runs.machine import show_messages
    from ..runs.run import run_training
    from ..runs.run_files import exclusive_lock
    from ..translate import Translator

    show_messages()
    # Lessons translate whole test sets. `doubts` of each translation says what it lost; here a warning hides a table.
    logging.getLogger("nmt_attention.preprocess.preprocessor").setLevel(logging.ERROR)
    directory, pairs = run_directory(name), lesson_corpus()
    if given_links(pairs):  # the phrasebook's; in the lessons an aligner has to find them
        pairs = [pair._replace(attribution="") for pair in pairs]
    in_turn = exclusive_lock(run_directory(f"{name}.lock"), seconds=3600)  # another lesson waits, and finds it done
    if name in ("pretrained", "ready"):  # its name before
        if overrides:
            raise ValueError(f"{', '.join(overrides)}: no effect on the model that comes with the package")
        with in_turn:
            _copy_pretrained(directory, pairs)
        return Translator.load(directory)
    usual = UNGUIDED | ({"learning_rate": QUICK_RATES[base], **QUICK_SETTINGS} if preset() == "quick" else {})
    corpus = make_corpus(pairs)
    settings = make_settings(base, usual | overrides, corpus.size)
    with in_turn:
        run_training(directory, corpus, settings)
    clear_output()  # at once: the next output may be another cell's
    return Translator.load(directory)


def _copy_pretrained(directory: Path, pairs: Sequence[Pair]) -> None:
    """Makes a run directory of the model that comes with the package: with its scores, and with the pairs split."""
    from ..runs.bundle import PRETRAINED
    from ..runs.splits import corpus_hash

    if (directory / "run.json").exists():
        raise ValueError(f"{directory}: holds a run of your own; rename it: 'pretrained' means the package's model")
    shutil.copytree(PRETRAINED, directory, copy_function=shutil.copyfile, dirs_exist_ok=True)
    card, split = read_json(PRETRAINED / "scores.json"), split_pairs(pairs)._asdict()
    write_json(directory / "scores.json", {"test": card["eight_bits"]})
    for part, part_pairs in split.items():
        write_pairs(directory / f"{part}.tsv", part_pairs)
    if any(corpus_hash(split[part]) != card["training"]["split_sha256"][f"{part}.tsv"] for part in ("dev", "test")):
        logger.warning(
            "the model that comes with the package was trained on another copy of the corpus, perhaps on dev and test"
            " sentences of this one: its scores here may be too high"
        )
