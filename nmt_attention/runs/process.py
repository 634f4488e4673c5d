"""One process at a time in a run directory, and a process that is asked to stop."""

import contextlib
import errno
import logging
import os
import platform
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from ..disk.files import in_brief

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


_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)


@contextlib.contextmanager
def exclusive_lock(directory: Path | str) -> Iterator[None]:
    """Context manager: no other process that asks for the same directory in this way gets it before the block ends.

    The file `lock` in it names the process that has it. The lock is released however that process ends.

    If the file system has no locks, a warning is logged, and other processes are not kept out.

    Args:
        directory: made if it does not exist.

    Raises:
        BlockingIOError: another process has it; the message names it.
        OSError: it cannot be locked although the file system has locks.
    """
    import portalocker

    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / "lock", "a+", encoding="utf-8") as file:
        try:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.AlreadyLocked:
            other = ""
            with contextlib.suppress(OSError):  # Windows lets no other process read a locked file
                file.seek(0)
                other = file.read().strip()
            reason = f"{other or 'another process'} is training in this directory; wait, stop it or use another --run"
            raise BlockingIOError(f"{directory}: {reason}") from None
        except portalocker.LockException as error:
            cause = error.__cause__
            if not isinstance(cause, OSError) or cause.errno not in _NO_LOCKS:
                raise OSError(f"{directory}: cannot be locked ({in_brief(cause or error)})") from None
            reason = f"this file system does not support locks ({cause.strerror})"
            logger.warning("%s: %s; make sure that no other process trains in it", directory, reason)
        file.truncate(0)
        file.write(f"process {os.getpid()} of {platform.node()}")
        file.flush()
        yield
