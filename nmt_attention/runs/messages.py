"""The package's log messages as lines on standard error, as the command line and the lessons show them."""

import logging
import sys
import time

_SECONDS_BETWEEN = 30.0  # lines of progress in a file


def show_messages() -> None:
    """Shows what the package logs from INFO on. Without this, Python shows only warnings.

    A record with `transient=True`, such as the progress within an epoch, is a line that the next one replaces on a
    terminal; elsewhere one appears every 30 seconds.
    """
    logger = logging.getLogger("nmt_attention")
    logger.setLevel(logging.INFO)
    logger.propagate = False  # other handlers, such as the root logger's, would show every line again
    if not any(isinstance(handler, _StandardError) for handler in logger.handlers):
        logger.addHandler(_StandardError())


class _StandardError(logging.Handler):
    """Writes to the current `sys.stderr`; errors of writing are raised, so that a closed pipe ends a command."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = time.perf_counter()
        self.replaceable = False

    def emit(self, record: logging.LogRecord) -> None:
        transient, terminal = getattr(record, "transient", False), sys.stderr.isatty()
        now = time.perf_counter()
        if transient and not terminal:
            if now - self.shown < _SECONDS_BETWEEN:
                return
            self.shown = now
        start = "\r\x1b[K" if terminal and (transient or self.replaceable) else ""
        self.replaceable = terminal and transient
        print(f"{start}{record.getMessage()}", end="" if self.replaceable else "\n", file=sys.stderr, flush=True)
