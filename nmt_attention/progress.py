"""What is seen of a training while it runs: a line on standard error, and event files for TensorBoard."""

import sys
import time

import tensorflow as tf


class Progress:
    """One line on standard error: epoch, step, loss, target tokens per second, time left; rewritten on a terminal."""

    def __init__(self, epochs, steps_per_epoch, epoch):
        self.epochs, self.steps_per_epoch, self.epoch = epochs, steps_per_epoch, epoch
        self.tty = sys.stderr.isatty()
        self.interval = 0.5 if self.tty else 30.0
        self.started = self.shown = time.perf_counter()
        self.steps = self.tokens = 0

    def where(self, step):
        """Returns the place in the run: `epoch 3/10, step 17/314`."""
        return f"epoch {self.epoch + 1}/{self.epochs}, step {step}/{self.steps_per_epoch}"

    def steps_done(self, step, loss, steps, tokens):
        """Counts steps and their tokens, and shows the last of them if the line before is old enough."""
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
        print(f"\r\x1b[K{line}" if self.tty else line, end="" if self.tty else "\n", file=sys.stderr, flush=True)

    def epoch_done(self, row):
        """Shows a row of the history."""
        self.epoch += 1
        dev = "  ".join(f"{key.replace('_', ' ')} {value:.2f}" for key, value in row.items() if key[:4] == "dev_")
        line = (
            f"epoch {row['epoch']}/{self.epochs}  loss {row['loss']:.3f}  {row['tokens_per_second']:,.0f} tokens/s  "
            f"{row['seconds']:.0f} s  {dev}"
        )
        print(f"\r\x1b[K{line}" if self.tty else line, file=sys.stderr, flush=True)


def log_row(directory, row):
    """Adds a row of the history to TensorBoard's event files."""
    with tf.summary.create_file_writer(str(directory)).as_default(step=row["epoch"]):
        for name, value in row.items():
            tf.summary.scalar(name.replace("dev_", "dev/"), value)
