"""Workloads in processes of their own, each with a peak of memory of its own, told to do a round at a time.

TensorFlow is imported in those processes alone. The one that leads them must stay small, for on Linux a process starts
with the peak of the one that made it.
"""

import contextlib
import importlib
import multiprocessing
import signal
import sys
from concurrent.futures import ProcessPoolExecutor

from nmt_attention.runs.machine import import_tensorflow


@contextlib.contextmanager
def worker(workload, *arguments):
    """Context manager: prepares a workload in a process of its own.

    Args:
        workload: name of a function in `workloads`.
        arguments: its arguments.

    Returns:
        The dict about the workload, and a function of a round's number that has the round done in that process and
        returns what was measured, "peak_memory" included.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, initializer=_start) as executor:
        about = executor.submit(_prepare, workload, arguments).result()
        yield about, lambda number: executor.submit(_do_round, number).result()


def _start():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a worker without a word; the leader says what there is
    import_tensorflow()


_round = None  # in a worker's process: does a round


def _prepare(workload, arguments):
    global _round
    about, _round = getattr(importlib.import_module(".workloads", __package__), workload)(*arguments)
    return about


def _do_round(number):
    return {**_round(number), "peak_memory": peak_memory()}


def peak_memory():
    """Returns the most memory this process has had, in MiB; None on Windows, which does not tell."""
    if sys.platform == "win32":
        return None
    import resource

    return mebibytes(resource.getrusage(resource.RUSAGE_SELF))


def mebibytes(usage):
    """Returns the peak of memory in a `getrusage` result, in MiB; macOS counts bytes, Linux KiB."""
    return usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
