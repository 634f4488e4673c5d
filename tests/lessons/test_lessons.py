"""Every lesson runs from top to bottom, with small models, and shows what its notebook stores.

Cells tagged `nbval-ignore-output` may show anything; those tagged `raises-exception` may fail.
"""

import difflib
import os

import nbformat
import pytest

from tests.lessons.kernel import ROOT, run_lesson
from tools.teaching.course import VEIL

PICTURES = ("image/png", "image/svg+xml")  # their bytes differ between machines; their alternative texts do not


def stored(cell):
    """Returns what the notebook stores of a cell, in the form of `run_lesson`."""
    contents = []
    for output in cell.outputs:
        printed = [(output.name, output.text.removeprefix(VEIL))] if "text" in output else []
        contents += printed or output.get("data", {}).items()
        contents += [("alt", about["alt"]) for about in output.get("metadata", {}).values() if "alt" in about]
    return contents


def differences(cell, shown):
    """Returns the lines in which stored and shown outputs differ, kind by kind, as one text."""
    lines = []
    for kind in sorted({kind for kind, _ in [*stored(cell), *shown]} - {*PICTURES}):
        old, new = (
            "\n".join(str(c) for k, c in contents if k == kind).splitlines() for contents in (stored(cell), shown)
        )
        lines += difflib.unified_diff(old, new, f"stored {kind}", f"shown {kind}", lineterm="")
    return "\n".join(lines)


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """The directory of the models that lessons share: new in each session, the same for all its workers."""
    directory = tmp_path_factory.getbasetemp()
    return (directory.parent if "PYTEST_XDIST_WORKER" in os.environ else directory) / "runs"


def problems(cells, results):
    """Returns a text on each cell that failed or showed something else than the notebook stores."""
    found = []
    for number, (cell, (shown, traceback)) in enumerate(zip(cells, results, strict=False), 1):
        tags = cell.metadata.get("tags", [])
        if traceback and "raises-exception" not in tags:
            why = traceback
        else:
            why = "" if "nbval-ignore-output" in tags else differences(cell, shown)
        if why:
            found.append(f"code cell {number}:\n\n{cell.source}\n\n{why}")
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_lesson(path, runs):
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    if found := problems(cells, run_lesson(cells, runs)):
        pytest.fail("\n\n".join([path.name, *found]), pytrace=False)


def test_a_failing_cell_is_shown_with_its_source_and_its_traceback(runs):
    sources = ["left = 1\nprint(left)", "import warnings\nwarnings.warn('mind')", "1 + 1", "left / 0", "never_run"]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    cells[1].outputs = [nbformat.v4.new_output("stream", name="stdout", text="said")]
    printed, warned, shown, failed = problems(cells, run_lesson(cells, runs))
    assert "+1" in printed and "left = 1" in printed
    assert "-said" in warned and "UserWarning: mind" in warned
    assert "+++ shown text/plain" in shown and "+2" in shown
    assert failed.startswith("code cell 4:\n\nleft / 0\n\n") and "ZeroDivisionError: division by zero" in failed
    cells[3].metadata.tags = ["raises-exception"]
    assert "NameError: name 'never_run'" in problems(cells, run_lesson(cells, runs))[-1]
