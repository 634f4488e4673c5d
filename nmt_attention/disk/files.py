"""Files that are complete or absent, whatever happens while they are written."""

import contextlib
import errno
import json
import logging
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PRETRAINED = Path(__file__).parent.parent / "pretrained"  # the trained model that comes with the package
MAX_JSON_BYTES = 64_000_000  # more than a vocabulary of a million tokens takes
MAX_LINE_BYTES = 1_000_000  # longer text without line ends is no list of sentences
logger = logging.getLogger(__name__)


@contextlib.contextmanager
def atomic_write(path: Path | str) -> Iterator[Path]:
    """Gives a temporary path and moves it onto `path` when the block ends without an error.

    If the block or the move fails, the temporary file is removed. A directory, a device or a pipe is never replaced by
    a file: an OSError refuses it before anything is written. A link stays one: the file that it names is replaced. A
    file that was there gives its mode to the new one. A missing directory is made, and logged: it may be mistyped.
    """
    path = Path(os.path.realpath(path) if os.path.islink(path) else path)
    if path.exists() and not path.is_file():
        raise OSError(f"{path}: expected a file, got a {'directory' if path.is_dir() else 'device or a pipe'}")
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        logger.info("made the directory %s", path.parent)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield partial
        if path.exists():
            shutil.copymode(path, partial)
        move(partial, path)
    except OSError as error:
        if error.errno == errno.ENOSPC:  # it names nothing, or the file that was copied
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        partial.unlink(missing_ok=True)  # after a move it no longer exists


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


def read_json(path: Path | str) -> Any:
    """Returns the value in a JSON file, else raises a ValueError that names the file."""
    data = read_bytes(path, MAX_JSON_BYTES)
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON ({in_brief(error)})") from None


def decoded(name: Path | str, number: int, line: bytes) -> str:
    """Returns the text of a line without byte order mark and line end; an error has the name of its file and number."""
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"{name}, line {number}: longer than {MAX_LINE_BYTES:,} bytes")
    place = line.find(b"\0")  # of UTF-16
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        place = error.start
    if place >= 0:
        raise ValueError(f"{name}, line {number}: not UTF-8 (byte {place + 1} of the line); save it as UTF-8")
    return text.lstrip("\ufeff").rstrip("\r\n")


def in_brief(error: BaseException | str) -> str:
    """Returns an error's message as one short printable line, whatever part of a file it quotes."""
    text = "".join(c if c.isprintable() else " " for c in str(error) or type(error).__name__)
    text = " ".join(text.split())
    return text if len(text) <= 200 else f"{text[:199]}…"
