"""Files that are complete or absent, whatever happens while they are written."""

import json
import os
from pathlib import Path

MAX_JSON_BYTES = 64_000_000  # bytes: more than a vocabulary of a million tokens takes


class atomic_write:
    """Context manager: gives a temporary path and moves it onto `path` when the block ends without an error.

    Where the block or the move fails, the temporary file is removed.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.partial = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")

    def __enter__(self):
        return self.partial

    def __exit__(self, kind, error, trace):
        try:
            if kind is None:
                self.partial.replace(self.path)
        finally:
            self.partial.unlink(missing_ok=True)  # there is none after a move


def write_json(path, value):
    """Writes a value as JSON; the file is complete or absent."""
    with atomic_write(path) as partial:
        partial.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_bytes(path, most):
    """Returns the content of a file; one of more than `most` bytes is a ValueError and is not read to its end."""
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path}: more than {most:,} bytes")
    return data


def read_json(path, most=None):
    """Returns the value that a JSON file of at most `most` bytes holds, else raises a ValueError that names it."""
    data = read_bytes(path, most or MAX_JSON_BYTES)
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON ({in_brief(error)})") from None


def in_brief(error):
    """Returns what an error says in one short line, whatever of a file it quotes."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(error) or type(error).__name__)
    text = " ".join(text.split())
    return text if len(text) <= 200 else f"{text[:199]}…"
