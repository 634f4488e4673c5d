"""Asking a training to stop: Ctrl-C and SIGTERM, heard at once and obeyed between two steps."""

import contextlib
import signal
import sys
import threading


class Stopped(KeyboardInterrupt):
    """A training was asked to stop, and has saved where it was.

    Args:
        message: str. Where that is.
        number: int. The signal that asked.
    """

    def __init__(self, message, number):
        super().__init__(message)
        self.number = number


@contextlib.contextmanager
def noting_signals():
    """Context manager: SIGINT and SIGTERM are put into the list that it returns, and no longer end the process.

    One that comes for the second time does what it did before. A signal that is ignored, as shells have background
    jobs ignore Ctrl-C, stays ignored. Threads other than the main one cannot listen; in these the list stays empty.
    """
    noted, before = [], {}

    def note(number, frame):
        noted.append(number)
        signal.signal(number, before[number])
        with contextlib.suppress(BrokenPipeError):  # Ctrl-C has ended the reader, `tee` perhaps, as well
            name = signal.Signals(number).name
            print(f"\n{name}: stopping; once more stops without saving", file=sys.stderr, flush=True)

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number) or signal.SIG_DFL
            if handler != signal.SIG_IGN:
                before[number] = handler
                signal.signal(number, note)
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
