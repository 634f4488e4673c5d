"""Files that are complete or absent, whatever happens while they are written."""

import contextlib
import errno
import json
import logging
import os
import shutil
import time
from pathlib import Path
from types import TracebackType
from typing import Any

READY = Path(__file__).parent.parent / "ready"  # the trained model that comes with the package
MAX_JSON_BYTES = 64_000_000  # more than a vocabulary of a million tokens takes
logger = logging.getLogger(__name__)


class atomic_write:
    """Context manager: gives a temporary path and moves it onto `path` when the block ends without an error.

    If the block or the move fails, the temporary file is removed. A directory, a device or a pipe is never replaced by
    a file: an OSError refuses it before anything is written. A link stays one: the file that it names is replaced. A
    file that was there gives its mode to the new one.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(os.path.realpath(path) if os.path.islink(path) else path)
        self.partial = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")

    def __enter__(self) -> Path:
        if self.path.exists() and not self.path.is_file():
            kind = "directory" if self.path.is_dir() else "device or a pipe"
            raise OSError(f"{self.path}: expected a file, got a {kind}")
        return self.partial

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        name_full_disk(error, self.path)
        try:
            if kind is None:
                if self.path.exists():
                    shutil.copymode(self.path, self.partial)
                move(self.partial, self.path)
        finally:
            self.partial.unlink(missing_ok=True)  # after a move it no longer exists


def name_full_disk(error: BaseException | None, path: Path) -> None:
    """Lets the error of a full disk name what was to be written, instead of nothing or of the file that was copied."""
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        error.filename, error.filename2 = str(path), None


def make_parent(path: Path) -> None:
    """Makes the directory that a file is to be written to, and logs it: a mistyped one is not meant to be made."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        logger.info("made the directory %s", path.parent)


def move(partial: Path, path: Path) -> None:
    """Moves a file onto another, or a directory to a new place.

    Windows refuses while a program has either of them open; a virus scanner is done in a moment, so it tries again.
    """
    for seconds in (0.1, 0.2, 0.4, 0.8):
        with contextlib.suppress(PermissionError):
            partial.replace(path)
            return
        time.sleep(seconds)
    partial.replace(path)


def write_json(path: Path | str, value: Any, indent: int | None = 1) -> None:
    """Writes a value as JSON, on one line if `indent` is None; the file is complete or absent."""
    with atomic_write(path) as partial:
        text = json.dumps(value, ensure_ascii=False, indent=indent) + "\n"
        partial.write_text(text, encoding="utf-8", newline="\n")


def read_bytes(path: Path | str, max_bytes: int) -> bytes:
    """Returns the content of a file; more than `max_bytes` are a ValueError, and are not read to the end."""
    with open(path, "rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ValueError(f"{path}: more than {max_bytes:,} bytes")
    return data


def read_json(path: Path | str, max_bytes: int | None = None) -> Any:
    """Returns the value in a JSON file of at most `max_bytes` bytes, else raises a ValueError that names the file."""
    data = read_bytes(path, max_bytes or MAX_JSON_BYTES)
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON ({in_brief(error)})") from None


def in_brief(error: BaseException | str) -> str:
    """Returns an error's message as one short printable line, whatever part of a file it quotes."""
    text = "".join(c if c.isprintable() else " " for c in str(error) or type(error).__name__)
    text = " ".join(text.split())
    return text if len(text) <= 200 else f"{text[:199]}…"
