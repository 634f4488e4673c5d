"""`history.csv`: a row of numbers per epoch."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from ..files import MAX_JSON_BYTES, atomic_write, in_brief, read_bytes


def read_history(path: Path | str) -> list[dict[str, float]]:
    """Returns the rows of `history.csv`, a list of dicts of numbers; empty if there is no file yet."""
    if not Path(path).is_file():
        return []
    data = read_bytes(path, MAX_JSON_BYTES)
    try:
        rows = csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""))
        return [{k: int(v) if k == "epoch" else float(v) for k, v in row.items()} for row in rows]
    except (ValueError, TypeError, csv.Error) as error:
        raise ValueError(f"{path}: damaged ({in_brief(error)})") from None


def read_epochs(path: Path | str, epochs: int) -> list[dict[str, float]]:
    """Returns the rows of the first `epochs` epochs, having made sure that `history.csv` has all of them.

    Raises:
        ValueError: an epoch is missing, or the file is damaged.
    """
    rows = read_history(path)[:epochs]
    found = {row.get("epoch") for row in rows}
    missing = [str(epoch) for epoch in range(1, epochs + 1) if epoch not in found]
    if missing:
        what = in_brief(f"the rows of {epochs} epochs are expected, those of {', '.join(missing)} are missing")
        raise ValueError(f"{path}: {what}; put them back or delete the run directory")
    return rows


def write_history(path: Path | str, history: Sequence[dict[str, float]]) -> None:
    """Writes the rows; after a failure the old file is unchanged."""
    with atomic_write(path) as partial, open(partial, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, history[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(history)
