"""Commands of the package, each in a process of its own, and as many at a time as there are cores."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

MOST_AT_A_TIME = 4  # trainings, each with about 1.5 GiB of memory
ONE_THREAD = {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1", "OMP_NUM_THREADS": "1"}
Job, Result = TypeVar("Job"), TypeVar("Result")


def one_per_core(function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """Yields the function's results in the order of the jobs.

    Each core has a job of its own, because several trainings of one thread are faster than one of several.
    """
    with ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_AT_A_TIME)) as executor:
        yield from executor.map(function, jobs)


def call(*arguments: Any) -> str:
    """Runs a command of the package with one thread; returns what it prints.

    Raises:
        RuntimeError: it failed; its own message has been shown.
    """
    arguments = tuple(map(str, arguments))
    print(" ".join(arguments), file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "nmt_attention", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", env=os.environ | ONE_THREAD)
    if done.returncode:
        raise RuntimeError(f"failed: python -m nmt_attention {' '.join(arguments)}")
    return done.stdout


def train(run: Path, options: Iterable[str]) -> dict[str, Any]:
    """Trains a run, unless it is trained already, and returns the contents of its `scores.json`.

    Raises:
        RuntimeError: the training failed, for example because the run has other settings.
    """
    call("train", "--run", run, *options)  # returns at once if it is done, refuses a run with other settings
    return json.loads((run / "scores.json").read_text(encoding="utf-8"))
