"""The files of a run directory: whether training may write them."""

import os
from pathlib import Path

SPLIT_FILES = ("train.tsv", "dev.tsv", "test.tsv")
_WRITTEN = (
    *("run.json", *SPLIT_FILES, "config.json", "source.json", "target.json", "weights.npz"),
    *("history.csv", "scores.json", "checkpoints", "logs"),
)


def check_directory(directory, corpus=None):
    """Makes sure that training in a directory overwrites nothing but the files of a run.

    Args:
        directory: new, empty, a run's, or holding only files that no run writes.
        corpus: path of the corpus, or None where there is no such file.

    Raises:
        ValueError: the directory holds a file that training would overwrite and that is not of a run, or the corpus is
            such a file; or TensorFlow would not find its checkpoints there.
        NotADirectoryError: it is a file.
    """
    directory = Path(directory)
    if directory.exists() and not directory.is_dir():
        raise NotADirectoryError(f"{directory}: expected a run directory, got a file")
    if not (directory / "scores.json").is_file():  # else training has ended, and no checkpoint is looked for
        check_path(directory)
    if corpus is not None:
        for name in (*_WRITTEN, "lock"):
            if (directory / name).exists() and os.path.samefile(corpus, directory / name):
                raise ValueError(f"{corpus}: training writes {directory / name}, the same file; use another --run")
    others = [name for name in _WRITTEN if os.path.lexists(directory / name)]
    others += ["lock"] if _is_other_lock(directory / "lock") else []
    # Looked for last, because another process may have started a run since: it writes run.json before the others.
    if others and not (directory / "run.json").is_file():
        raise ValueError(f"{directory}: holds {', '.join(others)} but no run.json, so not of a run; use another --run")


def _is_other_lock(path):
    """Returns whether there is a `lock` that `files.alone_in` did not write; one nobody may read is left to it."""
    if not os.path.lexists(path):
        return False
    if not path.is_file():
        return True
    try:
        with open(path, "rb") as file:
            return file.read(8) not in (b"", b"process ")
    except PermissionError:  # Windows lets nobody read what is locked
        return False


def check_path(directory):
    """Refuses a run directory in whose path TensorFlow would take a character for a pattern: a ValueError."""
    if set("[]*?") & set(str(directory)):
        raise ValueError(f"{directory}: TensorFlow finds no checkpoints again in a path with one of [ ] * ?")
