"""How a running training reports its progress: log messages, and event files for TensorBoard."""

import logging
import time
from collections.abc import Mapping
from pathlib import Path

import tensorflow as tf

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
        left = ((self.epochs - self.epoch) * self.steps_per_epoch - step) / speed
        line = (
            f"{self.where(step)}  loss {loss:.3f}  {self.tokens / (now - self.started):,.0f} tokens/s  "
            f"{left // 60:.0f}:{left % 60:02.0f} left"
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


def log_row(directory: Path | str, row: Mapping[str, float]) -> None:
    """Adds a row of the history to TensorBoard's event files."""
    with tf.summary.create_file_writer(str(directory)).as_default(step=row["epoch"]):
        for name, value in row.items():
            tf.summary.scalar(name.replace("dev_", "dev/"), value)
