"""Asking a training to stop: Ctrl-C and SIGTERM, noted at once and acted on between two steps."""

import contextlib
import logging
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

logger = logging.getLogger(__name__)


class TrainingInterrupted(KeyboardInterrupt):
    """A training was asked to stop, and has saved its progress.

    Args:
        message: str. Where it stopped and what is saved.
        number: int. Number of the signal.
    """

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number


@contextlib.contextmanager
def catch_stop_signals() -> Iterator[list[int]]:
    """Context manager: SIGINT and SIGTERM are added to the list that it returns, and no longer end the process.

    The second time, a signal has its former effect. A signal that is ignored, as shells have background jobs ignore
    Ctrl-C, stays ignored. Threads other than the main one cannot handle signals; in these the list stays empty.
    """
    noted: list[int] = []
    before: dict[int, Any] = {}

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        signal.signal(number, before[number])
        with contextlib.suppress(BrokenPipeError):  # Ctrl-C has ended the reader as well, perhaps `tee`
            name = signal.Signals(number).name
            logger.warning("\n%s: stopping after this step; repeat to stop without saving", name)

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number) or signal.SIG_DFL
            if handler != signal.SIG_IGN:
                before[number] = handler
                signal.signal(number, note)
    try:
        yield noted
    finally:
        for caught, handler in before.items():
            signal.signal(caught, handler)
