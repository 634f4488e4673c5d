"""One process at a time in a run directory."""

import contextlib
import errno
import logging
import os
import platform
from collections.abc import Iterator
from pathlib import Path

from ..files import in_brief

logger = logging.getLogger(__name__)
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
            reason = f"{other or 'another process'} is at work here; wait, stop it or use another --run"
            raise BlockingIOError(f"{directory}: {reason}") from None
        except portalocker.LockException as error:
            cause = error.__cause__
            if not isinstance(cause, OSError) or cause.errno not in _NO_LOCKS:
                raise OSError(f"{directory}: cannot be locked ({in_brief(cause or error)})") from None
            reason = f"no locks here ({cause.strerror}); make sure that no other process trains in it"
            logger.warning("%s: %s", directory, reason)
        file.truncate(0)
        file.write(f"process {os.getpid()} of {platform.node()}")
        file.flush()
        yield
