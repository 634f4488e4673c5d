"""What a lesson's cells define, so that its pictures show the lesson's own numbers."""

import contextlib
import io
from collections.abc import Collection
from typing import Any

from tools.teaching import course


def run_cells(lesson: str, ids: Collection[str] = ()) -> dict[str, Any]:
    """Runs the cells of a lesson that its exercises need and those with these ids; returns the names they define.

    Raises:
        ValueError: the lesson has no cell with one of the ids.
    """
    (path,) = course.NOTEBOOKS.glob(f"{lesson}_*.ipynb")
    cells = course.read(path).cells
    if unknown := set(ids) - {cell.id for cell in cells}:
        raise ValueError(f"{path.name}: has no cell {', '.join(sorted(unknown))}")
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            if "needed" in course.tags(cell) or cell.id in ids:
                exec(cell.source, names)
    return names
