"""Standard output: always UTF-8, without characters that control a terminal, and one JSON value per line."""

import json
import os
import re
import sys
from typing import IO, Any

from ..runs.machine import clear_progress, escaped, visible

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


def drop_what_is_left(stream: IO[str]) -> None:
    """Redirects a stream that cannot be written to the null device, so that Python does not fail again when it ends."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
