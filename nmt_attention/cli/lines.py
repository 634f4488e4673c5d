"""Text lines from files and pipes, as soon as they arrive."""

import io
from collections.abc import Iterator
from pathlib import Path

_LINES_AT_A_TIME = 1024
_BYTES_AT_A_TIME = 65_536  # what a pipe holds
_MAX_LINE_BYTES = 1_000_000  # longer text without line ends is no list of sentences


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
        if begun and (not data or len(begun) > _MAX_LINE_BYTES):  # the last line, or one that is refused
            ended.append(begun)
        for start in range(0, len(ended), _LINES_AT_A_TIME):
            lines: list[str] = []
            for line in ended[start : start + _LINES_AT_A_TIME]:
                number += 1
                if problem := _problem(line):
                    yield lines
                    raise ValueError(f"{name}, line {number}: {problem}")
                lines.append(line.decode("utf-8").rstrip("\r"))
            yield lines


def _problem(line: bytes) -> str:
    if len(line) > _MAX_LINE_BYTES:
        return f"longer than {_MAX_LINE_BYTES:,} bytes"
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8 (byte {error.start + 1} of the line); save it as UTF-8"
    return ""
