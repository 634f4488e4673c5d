"""Runs a lesson in a process of its own, as Jupyter's kernel would, and returns what each cell showed."""

import gc
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
FORKS = sys.platform == "linux"
CONTEXT = multiprocessing.get_context("forkserver" if FORKS else "spawn")
if FORKS:  # a process is then a copy of one that has imported these, and used none of them
    CONTEXT.set_forkserver_preload(["keras", "matplotlib.figure", "IPython", "nmt_attention.runs.run"])


def run_lesson(cells, runs):
    """Runs code cells one after the other in a new process, up to the first that fails and is not allowed to.

    Args:
        cells: as `nbformat` reads them; one tagged `raises-exception` may fail.
        runs: the directory of the models that lessons train and share.

    Returns:
        For each cell that ran, its outputs and its traceback, which is empty if it succeeded. Outputs are pairs of a
        kind and a content: "stdout", "stderr" or "alt" and a text, or a MIME type and its data.
    """
    with ProcessPoolExecutor(1, mp_context=CONTEXT) as process:
        return process.submit(_run, cells, runs).result()


def _run(cells, runs):
    gc.freeze()  # what has been imported stays
    os.chdir(ROOT / "notebooks")
    sys.path[:0] = ["", str(ROOT)]
    os.environ["NMT_PRESET"] = "quick"

    import matplotlib
    import numpy as np
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display
    from IPython.utils.capture import capture_output

    from nmt_attention.lesson import runs as lesson_runs

    lesson_runs.RUNS = runs
    matplotlib.use("module://matplotlib_inline.backend_inline")
    np.random.seed()  # copies of a process would all draw the same
    shell, tracebacks, results = InteractiveShell.instance(colors="nocolor"), [], []
    shell.display_trap.hook = lambda result: None if result is None else display(result)
    shell._showtraceback = lambda kind, error, lines: tracebacks.append("\n".join(lines))
    for cell in cells:
        tracebacks.clear()
        with capture_output() as shown:
            done = shell.run_cell(cell.source, store_history=True)
        contents = [("stdout", shown.stdout), ("stderr", shown.stderr)]
        for output in shown.outputs:
            contents += output.data.items()
            contents += [("alt", about["alt"]) for about in output.metadata.values() if "alt" in about]
        traceback = "" if done.success else "\n".join(tracebacks) or repr(done.error_in_exec)
        results.append(([(kind, content) for kind, content in contents if content], traceback))
        if traceback and "raises-exception" not in cell.metadata.get("tags", []):
            break
    return results
