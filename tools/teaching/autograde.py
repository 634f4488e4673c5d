"""Makes from the exercises of lessons and assignment what nbgrader and Otter grade, with hidden checks.

    python -m tools.teaching.autograde    build/autograded/

Each notebook that has exercises becomes one of these and of the cells tagged `needed`, so grading trains no model.
"""

import builtins
import re
import shutil
import symtable
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from tools.teaching import course, hidden_checks

CONFIG = '''"""nbgrader's settings; for `nbgrader` commands in this directory."""

import os
from pathlib import Path

c = get_config()  # noqa: F821
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.ExecutePreprocessor.timeout = 300  # seconds for a cell; TensorFlow alone may take ten
os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent)  # where the hidden checks are
'''
OTTER_CONFIG = """# ASSIGNMENT CONFIG
export_cell: false
tests: {ok_format: false}
requirements: requirements.txt
files: [set_up.py]
autograder_files: [checks, nmt_attention, data, pyproject.toml]"""  # the last one says where `data` is
IMPORTS = "import keras", "import numpy as np", "import tensorflow as tf"
HIDDEN = "# After you hand in, a hidden check compares your answer with ours for random inputs."
TEST = """from checks import difference

wrong = difference("{name}", {names})
assert not wrong, wrong"""


class Exercise(NamedTuple):
    """An exercise of a lesson, or a hole of the assignment."""

    name: str
    text: str  # from its number and title on
    solution: Any  # cell
    checks: list  # cells that learners see, one or more

    def points(self) -> list[int]:
        """Returns the points of each shown check, then of the hidden one, if there is one."""
        hidden = hidden_checks.CHECKS.get(self.name)
        return [cell.metadata.nbgrader.points for cell in self.checks] + ([hidden.points] if hidden else [])


def exercises(notebook: Any) -> list[Exercise]:
    """Returns a notebook's exercises in their order.

    Raises:
        ValueError: a solution has no check after it, or no text that starts with its number before it.
    """
    found: list[Exercise] = []
    text = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = cell.source
        elif course.is_solution(cell):
            title = re.search(r"^\*\*[\dA]+\.\d+ .*", text, re.MULTILINE | re.DOTALL)
            if not title:
                raise ValueError(f"no text such as **3.2 A mask.** before the cell that starts {cell.source[:60]!r}")
            found.append(Exercise(cell.metadata.nbgrader.grade_id, title[0], cell, []))
        elif course.is_check(cell):
            found[-1].checks.append(cell)
    for exercise in found:
        if not exercise.checks:
            raise ValueError(f"{exercise.name}: no check after the solution")
    return found


def first_cells(notebook: Any) -> list:
    """Returns the cells that come before the exercises: title, set-up, libraries, and what else exercises need."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    title = re.match(r"# .*", notebook.cells[0].source)
    assert title, "the template of the lessons begins with a title"
    text = f"{title[0]}: exercises\n\nThe code before the first exercise is given. Run it first."
    lines = {line for cell in code for line in cell.source.splitlines()}
    imports = "\n".join(line for line in IMPORTS if line in lines)
    needed = [imports, *(cell.source for cell in code if "needed" in course.tags(cell))]
    return [new_markdown_cell(text), *map(new_code_cell, (code[0].source, *filter(None, needed)))]


def numbered(cells: list) -> Any:
    """Returns a notebook of these cells, whose ids are their numbers, so that every build writes the same."""
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    return new_notebook(cells=cells, metadata=nbformat.from_dict(course.METADATA))


def grading(grade_id: str, points: int | None = None) -> dict:
    """Returns nbgrader's metadata of a solution, or of a check if it has points."""
    kind = {"solution": points is None, "grade": points is not None, "locked": points is not None, "task": False}
    made = {"schema_version": 3, "grade_id": grade_id, **kind}
    return {"nbgrader": made if points is None else {**made, "points": points}}


def for_nbgrader(notebook: Any) -> Any:
    """Returns a lesson's exercises as nbgrader's source version."""
    cells = first_cells(notebook)
    for exercise in exercises(notebook):
        cells.append(new_markdown_cell(f"{exercise.text}\n\n({sum(exercise.points())} points)"))
        cells.append(new_code_cell(exercise.solution.source, metadata=grading(exercise.name)))
        sources = [cell.source for cell in exercise.checks]
        names = [cell.metadata.nbgrader.grade_id for cell in exercise.checks]
        if exercise.name in hidden_checks.CHECKS:
            test = TEST.format(name=exercise.name, names="globals()")
            sources.append(f"{HIDDEN}\n### BEGIN HIDDEN TESTS\n{test}\n### END HIDDEN TESTS")
            names.append(f"{exercise.name}-hidden")
        for source, name, points in zip(sources, names, exercise.points(), strict=True):
            cells.append(new_code_cell(source, metadata=grading(name, points)))
    return numbered(cells)


def for_otter(notebook: Any) -> Any:
    """Returns a lesson's exercises in the format of `otter assign`."""
    cells = [new_raw_cell(OTTER_CONFIG), *first_cells(notebook)]
    for exercise in exercises(notebook):
        text = f"{exercise.text}\n\n({sum(exercise.points())} points)"
        cells += [new_raw_cell(f"# BEGIN QUESTION\nname: {exercise.name}"), new_markdown_cell(text)]
        cells += [new_raw_cell("# BEGIN SOLUTION"), new_code_cell(with_prompt(exercise.solution.source))]
        cells += [new_raw_cell("# END SOLUTION"), new_raw_cell("# BEGIN TESTS")]
        tests = [as_function(cell.source) for cell in exercise.checks]
        if exercise.name in hidden_checks.CHECKS:
            tests.append(as_function(TEST.format(name=exercise.name, names="env"), ["env"]))
        for number, (test, points) in enumerate(zip(tests, exercise.points(), strict=True)):
            hidden = str(number >= len(exercise.checks)).lower()
            config = f'""" # BEGIN TEST CONFIG\npoints: {points}\nhidden: {hidden}\n""" # END TEST CONFIG\n'
            named = test.replace("def check(", f"def check_{number}(", 1)  # of two functions of one name Otter runs one
            cells.append(new_code_cell(config + named))
        cells += [new_raw_cell("# END TESTS"), new_raw_cell("# END QUESTION")]
    return numbered(cells)


def with_prompt(source: str) -> str:
    """Returns a solution cell's source with Otter's markers, and with the start that learners get instead."""
    indent = next(line[: line.index("#")] for line in source.splitlines() if line.strip() == course.BEGIN)
    prompt = "\n".join(indent + line for line in ('""" # BEGIN PROMPT', *course.START, '""" # END PROMPT'))
    source = source.replace(course.BEGIN, "# BEGIN SOLUTION NO PROMPT")
    return source.replace(indent + course.END, f"{indent}# END SOLUTION\n{prompt}")


def as_function(source: str, parameters: list[str] | None = None) -> str:
    """Returns a check as a function, as Otter wants it, of the learner's names that it uses."""
    body = "\n".join("    " + line if line else "" for line in source.splitlines())
    if parameters is None:
        parameters = sorted(outer_names(f"def check():\n{body}") - set(dir(builtins)))
    return f"def check({', '.join(parameters)}):\n{body}"


def outer_names(source: str) -> set[str]:
    """Returns the names that code inside functions takes from outside of them."""

    def names(table: symtable.SymbolTable) -> set[str]:
        own = set(table.get_globals()) if isinstance(table, symtable.Function) else set()
        return own.union(*map(names, table.get_children()))

    return names(symtable.symtable(source, "check", "exec"))


def write(directory: Path) -> None:
    """Writes an assignment for each notebook that has exercises, and what grading needs, in place of what was there."""
    shutil.rmtree(directory, ignore_errors=True)
    checks, solutions = directory / "checks", directory / "checks" / "solutions"
    shutil.copytree(Path(hidden_checks.__file__).parent, checks, ignore=shutil.ignore_patterns("__pycache__"))
    solutions.mkdir()
    for path in course.notebook_paths():
        notebook, name = course.read(path), course.short_name(path)
        if not exercises(notebook):
            continue
        source, master = directory / "nbgrader" / "source" / name, directory / "otter" / name
        source.mkdir(parents=True)
        master.mkdir(parents=True)
        nbformat.write(for_nbgrader(notebook), source / path.name)
        nbformat.write(for_otter(notebook), master / path.name)
        for place in (source, master):
            shutil.copy(course.NOTEBOOKS / "set_up.py", place)  # which the first cell imports
        for needed in ("requirements.txt", "pyproject.toml"):
            shutil.copy(course.ROOT / needed, master)
        # also in a copy of `directory`; Otter copies what links lead to
        (master / "checks").symlink_to("../../checks", target_is_directory=True)
        for linked in ("nmt_attention", "data"):
            (master / linked).symlink_to(course.ROOT / linked, target_is_directory=True)
        code = [cell.source for cell in first_cells(notebook)[2:]]  # without title and set-up
        points = []
        for exercise in exercises(notebook):
            code += [exercise.solution.source, *(cell.source for cell in exercise.checks)]
            (solutions / f"{exercise.name}.py").write_text("\n\n".join(code) + "\n", encoding="utf-8", newline="\n")
            points.append(sum(exercise.points()))
        print(f"{path.stem}: {sum(points)} points ({' + '.join(map(str, points))})")
    (directory / "nbgrader" / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8", newline="\n")
    print(f"written to {directory}")


if __name__ == "__main__":
    write(course.BUILD / "autograded")
