"""Runs notebooks as tests: `pytest --nbval-lax notebooks/`, or one of them, with small models.

A cell passes if it runs without error and, where it is tagged `nbval-check-output`, shows what the notebook stores.
Models are trained once and kept in `.pytest_cache` until the package, its data or a notebook's code changes.
"""

import atexit
import functools
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LESSONS = ROOT / "tests" / "lessons"
LONGEST = [
    *("slow/test_browser", "notebooks/06_", "slow/test_workers", "notebooks/09b_", "teaching/test_checks"),
    *("notebooks/05_", "notebooks/05b_", "notebooks/10b_", "notebooks/10a_", "notebooks/02_", "notebooks/04_"),
    *("slow/test_demo", "slow/test_killed", "runs/test_training"),
]


@functools.cache
def models():
    """Returns the directory of the models that these versions of package, data and notebooks train."""
    digest = hashlib.sha256()
    for pattern in ("nmt_attention/**/*.py", "data/*.tsv", "constraints.txt"):
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    for path in sorted(ROOT.glob("notebooks/*.ipynb")):  # their code alone: text and outputs train nothing
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        digest.update(json.dumps([cell["source"] for cell in cells if cell["cell_type"] == "code"]).encode())
    kept = ROOT / ".pytest_cache" / "lessons" / digest.hexdigest()[:16]
    for old in kept.parent.glob("*"):
        if old != kept:
            shutil.rmtree(old, ignore_errors=True)
    kept.mkdir(parents=True, exist_ok=True)
    return kept


@functools.cache
def start_kernels():
    """Starts the process whose copies are the kernels; it ends with this one, when its standard input does."""
    os.environ |= {"JUPYTER_PATH": str(LESSONS), "LESSON_MODELS": str(models())}
    if sys.platform != "linux":  # where a copy of a process may fail
        return
    address = os.path.join(tempfile.mkdtemp(), "kernels")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        os.environ["LESSON_KERNELS"] = address
        command = [sys.executable, LESSONS / "kernels" / "lesson" / "kernel.py", "serve", str(listener.fileno())]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[listener.fileno()])
    atexit.register(process.communicate)


def pytest_configure(config):
    config.option.nbval_kernel_name = "lesson"
    config.option.nbval_sanitize_with = str(LESSONS / "sanitize.cfg")
    config.option.nbval_kernel_startup_timeout = 600  # seconds, for machines with much else to do


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if item.path.suffix == ".ipynb":
        start_kernels()
        item.output_timeout = 60


@pytest.hookimpl(trylast=True)  # after the order of tests has been shuffled
def pytest_collection_modifyitems(items):
    """Begins with what takes longest, then the notebooks, so that no worker waits at the end; keeps cells in order."""

    def order(item):
        is_notebook = item.path.suffix == ".ipynb"
        others = len(LONGEST) + (not is_notebook)
        path = f"{item.path.parent.name}/{item.path.name}"
        place = next((i for i, start in enumerate(LONGEST) if path.startswith(start)), others)
        return (place, item.path.name, item.cell_num) if is_notebook else (place,)

    items.sort(key=order)
