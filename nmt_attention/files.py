"""Files that are complete or absent, whatever happens while they are written."""

import contextlib
import csv
import errno
import io
import json
import os
import platform
import sys
from pathlib import Path

_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)
_MOST_JSON = 64_000_000  # bytes: more than a vocabulary of a million tokens takes


class replacing:
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


@contextlib.contextmanager
def alone_in(directory):
    """Context manager: no other process that asks for the same directory in this way gets it before the block ends.

    The file `lock` in it names the process that has it. However a process ends, what it had is free again.

    Where the file system knows no locks, a line on standard error says so, and nobody is kept out.

    Args:
        directory: made if need be.

    Raises:
        BlockingIOError: another process has it; the message names it.
        OSError: it cannot be locked, for another reason than that there are no locks.
    """
    import portalocker

    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / "lock", "a+", encoding="utf-8") as file:
        try:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.AlreadyLocked:
            other = ""
            with contextlib.suppress(OSError):  # Windows lets nobody read what is locked
                file.seek(0)
                other = file.read().strip()
            reason = f"{other or 'another process'} is at work here; wait, stop it or use another --run"
            raise BlockingIOError(f"{directory}: {reason}") from None
        except portalocker.LockException as error:
            cause = error.__cause__
            if not isinstance(cause, OSError) or cause.errno not in _NO_LOCKS:
                raise OSError(f"{directory}: cannot be locked ({in_brief(cause or error)})") from None
            reason = f"no locks here ({cause.strerror}); see that no other process trains in it"
            print(f"{directory}: {reason}", file=sys.stderr, flush=True)
        file.truncate(0)
        file.write(f"process {os.getpid()} of {platform.node()}")
        file.flush()
        yield


def write_json(path, value):
    """Writes a value as JSON; the file is complete or absent."""
    with replacing(path) as partial:
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
    data = read_bytes(path, most or _MOST_JSON)
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON ({in_brief(error)})") from None


def in_brief(error):
    """Returns what an error says in one short line, whatever of a file it quotes."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(error) or type(error).__name__)
    text = " ".join(text.split())
    return text if len(text) <= 200 else f"{text[:199]}…"


def read_history(path):
    """Returns the rows of `history.csv`, a list of dicts of numbers; none where there is no file yet."""
    if not Path(path).is_file():
        return []
    data = read_bytes(path, _MOST_JSON)
    try:
        rows = csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""))
        return [{k: int(v) if k == "epoch" else float(v) for k, v in row.items()} for row in rows]
    except (ValueError, TypeError, csv.Error) as error:
        raise ValueError(f"{path}: damaged ({in_brief(error)})") from None


def read_epochs(path, epochs):
    """Returns the rows of the first `epochs` epochs, having made sure that `history.csv` has all of them.

    Raises:
        ValueError: it has not, or it is damaged.
    """
    rows = read_history(path)[:epochs]
    found = {row.get("epoch") for row in rows}
    missing = [str(epoch) for epoch in range(1, epochs + 1) if epoch not in found]
    if missing:
        what = in_brief(f"the rows of {epochs} epochs are expected, those of {', '.join(missing)} are missing")
        raise ValueError(f"{path}: {what}; put them back or delete the run directory")
    return rows


def write_history(path, history):
    """Writes the rows; the file is complete or the old one."""
    with replacing(path) as partial, open(partial, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, history[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(history)
