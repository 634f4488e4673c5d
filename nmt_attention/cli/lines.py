"""Text lines from files and pipes, as soon as they arrive."""

import io
from collections.abc import Iterator
from pathlib import Path

_LINES_AT_A_TIME = 1024
_BYTES_AT_A_TIME = 65_536  # what a pipe holds

_MAX_LINE_BYTES = 1_000_000  # bytes; longer text without line ends is no list of sentences


def text_lines(path: Path | str) -> Iterator[str]:
    """Yields the lines of a UTF-8 file, without their ends.

    Raises:
        ValueError: a line is too long or not UTF-8; the message names it.
    """
    for lines in file_lines(path):
        yield from lines


def file_lines(path: Path | str) -> Iterator[list[str]]:
    """Yields lists of the lines of a UTF-8 file; see `lines_as_they_come`."""
    with open(path, "rb") as file:
        yield from lines_as_they_come(path, file)


def lines_as_they_come(name: Path | str, file: io.BufferedReader) -> Iterator[list[str]]:
    """Yields lists of the lines of a binary file as text, without their ends.

    A list holds the lines that have arrived, so that a program at the other end of a pipe gets the answer to a line
    before it sends the next, and lines that arrive faster than they are answered are answered many at a time. Lines
    before an invalid one are yielded before the error is raised.
    """
    number = 0
    for ended in _ended_lines(file):
        for start in range(0, len(ended), _LINES_AT_A_TIME):
            lines = []
            for line in ended[start : start + _LINES_AT_A_TIME]:
                number += 1
                try:
                    lines.append(_decoded(name, number, line))
                except ValueError:
                    yield lines
                    raise
            yield lines


def _ended_lines(file: io.BufferedReader) -> Iterator[list[bytes]]:
    """Yields lists of lines, bytes without their ends, as soon as a line has ended; the last line may be cut short."""
    begun = bytearray()
    while data := file.read1(_BYTES_AT_A_TIME):  # waits for the first byte only
        *ended, rest = data.split(b"\n")
        if ended:
            yield [bytes(begun) + ended[0], *ended[1:]]
            begun.clear()
        begun += rest
        if len(begun) > _MAX_LINE_BYTES:
            break  # it is refused, however long it is
    if begun:
        yield [bytes(begun)]


def _decoded(name: Path | str, number: int, line: bytes) -> str:
    if len(line) > _MAX_LINE_BYTES:
        raise ValueError(f"{name}, line {number}: longer than {_MAX_LINE_BYTES:,} bytes")
    try:
        return line.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1} of the line"
        raise ValueError(f"{name}, line {number}: not UTF-8 ({where}); save it as UTF-8") from None
