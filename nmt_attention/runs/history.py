"""How a training goes: the rows of `history.csv`, and its progress as log messages."""

import csv
import io
import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..disk.files import MAX_JSON_BYTES, atomic_write, in_brief, read_bytes


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
    present = {row.get("epoch") for row in rows}
    missing = [str(epoch) for epoch in range(1, epochs + 1) if epoch not in present]
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


logger = logging.getLogger(__name__)


class Progress:
    """Logs epoch, step, loss, target tokens per second and the time left, at most twice per second."""

    interval = 0.5

    def __init__(self, epochs: int, steps_per_epoch: int, epoch: int) -> None:
        self.epochs, self.steps_per_epoch, self.epoch = epochs, steps_per_epoch, epoch
        self.started = self.shown = time.perf_counter()
        self.steps, self.tokens = 0, 0.0

    def where(self, step: int) -> str:
        """Returns the place in the run: `epoch 3/10, step 17/314`."""
        return f"epoch {self.epoch + 1}/{self.epochs}, step {step}/{self.steps_per_epoch}"

    def steps_done(self, step: int, loss: float, steps: int, tokens: float) -> None:
        """Counts steps and their tokens, and logs the last step if the last message is old enough."""
        self.steps, self.tokens = self.steps + steps, self.tokens + tokens
        now = time.perf_counter()
        if now - self.shown < self.interval:
            return
        self.shown = now
        speed = self.steps / (now - self.started)
        minutes, seconds = divmod(round(((self.epochs - self.epoch) * self.steps_per_epoch - step) / speed), 60)
        line = (
            f"{self.where(step)}  loss {loss:.3f}  {self.tokens / (now - self.started):,.0f} tokens/s  "
            f"{minutes}:{seconds:02} left"
        )
        logger.info("%s", line, extra={"transient": True})

    def epoch_done(self, row: Mapping[str, float]) -> None:
        """Logs a row of the history."""
        self.epoch += 1
        dev = "  ".join(f"{key.replace('_', ' ')} {value:.2f}" for key, value in row.items() if key[:4] == "dev_")
        line = (
            f"epoch {row['epoch']}/{self.epochs}  loss {row['loss']:.3f}  {row['tokens_per_second']:,.0f} tokens/s  "
            f"{row['seconds']:.0f} s  {dev}"
        )
        logger.info("%s", line)
