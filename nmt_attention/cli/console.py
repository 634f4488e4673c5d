"""Standard output, always UTF-8 and without what controls a terminal; and lines of text, as soon as they arrive."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..disk.files import MAX_LINE_BYTES, decoded
from ..runs.machine import clear_progress, escaped, visible

_BYTES_AT_A_TIME = 65_536  # what a pipe holds
# What `json.dumps` leaves raw although programs treat it as the end of a line or cannot write it as UTF-8.
_RAW_IN_JSON = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def prepare() -> None:
    """Makes standard output and standard error UTF-8, whatever the locale or the code page of a redirection is.

    Raises:
        OSError: standard output is closed, so that every result would be lost.
    """
    if sys.stderr is None:  # closed: the next file opened would take its number and receive its output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise OSError("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(*lines: str) -> None:
    """Prints lines to standard output at once; for a terminal, characters that would control it are escaped.

    Raises:
        OSError: standard output cannot be written; a BrokenPipeError if its reader has closed it.
    """
    clear_progress()
    for_people = sys.stdout.isatty()
    try:
        for line in lines:
            print(visible(line) if for_people else line)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(f"standard output: {error.strerror}") from None


def note(*lines: str) -> None:
    """Prints lines to standard error, without characters that would control a terminal."""
    clear_progress()
    for line in lines:
        print(visible(line), file=sys.stderr, flush=True)


def to_json(value: Any) -> str:
    """Returns a value as JSON on a single line, whatever characters a program treats as the end of a line."""
    return _RAW_IN_JSON.sub(escaped, json.dumps(value, ensure_ascii=False))


def file_lines(path: Path | str) -> Iterator[list[str]]:
    """Yields lists of the lines of a UTF-8 file; see `lines_as_they_come`."""
    with open(path, "rb") as file:
        yield from lines_as_they_come(path, file)


def lines_as_they_come(name: Path | str, file: io.BufferedReader) -> Iterator[list[str]]:
    """Yields lists of the lines of a binary file as text, without their ends.

    A list holds the lines that have arrived, so that a program at the other end of a pipe gets the answer to a line
    before it sends the next, and lines that arrive faster than they are answered are answered many at a time.

    Raises:
        ValueError: a line is too long or not UTF-8; the message names it. The lines before it are yielded first.
    """
    number, begun, data = 0, b"", b"\n"
    while data:
        data = file.read1(_BYTES_AT_A_TIME)  # waits for the first byte only
        *ended, begun = (begun + data).split(b"\n")
        if begun and (not data or len(begun) > MAX_LINE_BYTES):  # the last line, or one that is refused
            ended.append(begun)
        lines: list[str] = []
        for line in ended:
            number += 1
            try:
                lines.append(decoded(name, number, line))
            except ValueError:
                yield lines
                raise
        yield lines
