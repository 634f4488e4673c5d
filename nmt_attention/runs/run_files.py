"""The files of a run directory: who may write them, its history, and whether a run was trained on a sentence."""

import contextlib
import csv
import itertools
import logging
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..disk.files import atomic_write, in_brief, read_json
from ..disk.pairs import read_pairs
from .splits import corpus_hash, seen_in_training

logger = logging.getLogger(__name__)
Row = dict[str, float]  # of `history.csv`: one epoch
SPLIT_FILES = ("train.tsv", "dev.tsv", "test.tsv")
MODEL_FILES = (
    *("config.json", "source.json", "target.json", "weights.npz"),
    *("sentences.json", "placeholders.json", "transliterator"),
)
WRITTEN = ("run.json", *SPLIT_FILES, *MODEL_FILES, "history.csv", "scores.json", "checkpoints", "epochs")


def check_directory(directory: Path, *corpora: Path) -> None:
    """Makes sure that training in a directory overwrites nothing but the files of a run, and no file of its pairs.

    Raises:
        ValueError: the directory holds a file that training would overwrite and that is not of a run, or one of the
            corpora is such a file; or TensorFlow would not find its checkpoints there.
        NotADirectoryError: it is a file.
    """
    if directory.exists() and not directory.is_dir():
        raise NotADirectoryError(f"{directory}: expected a run directory, got a file")
    if not (directory / "scores.json").is_file():  # else training has ended, and no checkpoint is looked for
        check_path(directory)
    others = [name for name in WRITTEN if os.path.lexists(directory / name)]
    for corpus, written in itertools.product(corpora, (directory / name for name in others)):
        if written.exists() and corpus.samefile(written):
            raise ValueError(f"{corpus}: training writes {written}, the same file; use another --run")
    # Checked last, because another process may have started a run since: it writes run.json before the others.
    if others and not (directory / "run.json").is_file():
        raise ValueError(f"{directory}: holds {', '.join(others)} but no run.json, so not of a run; use another --run")


def check_path(directory: Path) -> None:
    """Raises a ValueError if TensorFlow could not find checkpoints in the path of a run directory."""
    if set("[]*?\\") & set(directory.as_posix()):  # it would treat them as a pattern
        raise ValueError(f"{directory}: TensorFlow finds no checkpoints again in a path with one of [ ] * ? \\")


@contextlib.contextmanager
def exclusive_lock(path: Path, seconds: int = 0) -> Iterator[None]:
    """Context manager: locks a file, which is made if necessary; the system releases it however the process ends.

    If another process has it for so many seconds, a BlockingIOError says so. Where the file system has no locks, nobody
    waits, and who does not want to wait is warned.
    """
    import portalocker

    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        for left in range(seconds, -1, -1):
            try:
                portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
                break
            except portalocker.AlreadyLocked:
                if not left:
                    reason = "another process is training in this directory; wait, stop it or use another --run"
                    raise BlockingIOError(f"{path.parent}: {reason}") from None
                time.sleep(1)
            except portalocker.LockException as error:
                reason = f"cannot be locked ({in_brief(error)}); make sure that no other process trains in it"
                logger.log(logging.DEBUG if seconds else logging.WARNING, "%s: %s", path.parent, reason)
                break
        yield


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Returns in words how the settings of a training that is there differ from those asked for; empty if not.

    A setting that there was not yet is no difference where what it sets is not used (0, False or empty).
    """
    other = [name for name, value in here.items() if there.get(name) != value and (name in there or value)]
    return "; ".join(f"{name} is {there.get(name)}, asked for {here[name]}" for name in other)


def read_history(path: Path | str) -> list[Row]:
    """Returns the rows of `history.csv`, a list of dicts of numbers; empty if there is no file yet."""
    if not Path(path).is_file():
        return []
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return [{k: int(v) if k == "epoch" else float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    except (ValueError, TypeError, csv.Error) as error:
        raise ValueError(f"{path}: damaged ({in_brief(error)})") from None


def write_history(path: Path, history: Sequence[Row]) -> None:
    """Writes the rows; after a failure the old file is unchanged."""
    with atomic_write(path) as partial, open(partial, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, history[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(history)


def _read_about(run: Path | str) -> dict[str, Any]:
    """Returns the contents of `run.json`, nothing if there is none; a ValueError names one that is not of a run."""
    path = Path(run) / "run.json"
    about = read_json(path) if path.is_file() else {}
    if not isinstance(about, dict) or not isinstance(about.get("split_sha256", {}), dict):
        raise ValueError(f"{path}: damaged or not of a run")
    return about


def scored_splits(run: Path | str) -> list[str]:
    """Returns the held-out parts that a run has: dev and, unless dev alone was given to its training, test."""
    return ["dev"] if _read_about(run).get("pairs", {}).get("test") == 0 else ["dev", "test"]


def doubts(run: Path | str, names: Iterable[str], sentences: Sequence[tuple[str, Sequence[str]]] = ()) -> list[str]:
    """Returns the reasons why scores of a run may not be scores on unseen sentences; none if there are no doubts.

    Args:
        run: the run directory.
        names: names of the files, of `SPLIT_FILES`, that the scores depend on; always train.tsv.
        sentences: those to be scored, as in `seen_in_training`.
    """
    run, hashes = Path(run), _read_about(run).get("split_sha256", {})
    there = {name: read_pairs(run / name) for name in names if (run / name).is_file()}
    changed = [name for name in there if name in hashes and corpus_hash(there[name]) != hashes[name]]
    reasons = [f"{name} is not what training wrote" for name in changed]
    if "train.tsv" not in there:
        reasons.append("train.tsv is missing, so what it was trained on is not known")
    elif sentences:
        seen = seen_in_training(sentences, there["train.tsv"])
        if any(seen):
            reasons.append(f"it was trained on {sum(seen):,} of {len(seen):,} sentences or on translations of them")
    return reasons
