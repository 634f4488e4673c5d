"""The autograded assignments: what nbgrader and Otter are given, and what hidden checks accept, refuse and say."""

import re

import nbformat
import numpy as np
import pytest
import yaml

from tools.teaching import autograde, course, hidden_checks

PATHS = [path for path in course.notebook_paths() if autograde.exercises(course.read(path))]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_nbgrader_and_otter_are_given_the_same_questions_and_points_and_no_line_of_a_solution(path):
    notebook = course.read(path)
    given, other = autograde.for_nbgrader(notebook), autograde.for_otter(notebook)
    exercises = autograde.exercises(notebook)
    parts = [part.split(course.END)[0].strip() for e in exercises for part in e.solution.source.split(course.BEGIN)[1:]]
    for made in (given, other):
        nbformat.validate(made)
        shown = "\n".join(cell.source for cell in made.cells if "BEGIN SOLUTION" not in cell.source)
        assert not any(part in shown for part in parts)
    graded = [cell.metadata.nbgrader for cell in given.cells if "nbgrader" in cell.metadata]
    ids = [about.grade_id for about in graded]
    assert len(ids) == len(set(ids)) and all(re.fullmatch(r"[\w-]+", name) for name in ids)
    assert all(about.schema_version == 3 and about.solution != about.grade == about.locked for about in graded)
    points = [about.points for about in graded if about.grade]
    assert points == [count for exercise in exercises for count in exercise.points()]
    source = "\n".join(cell.source for cell in other.cells)
    names = re.findall(r"^# BEGIN QUESTION\nname: (.+)$", source, re.MULTILINE)
    assert names == [exercise.name for exercise in exercises]
    assert list(map(int, re.findall(r"^points: (\d+)$", source, re.MULTILINE))) == points
    assert len(re.findall(r"^def check_0\(", source, re.MULTILINE)) == len(names), "a name twice hides a check"
    assert source.count("hidden: true") == sum(name in hidden_checks.CHECKS for name in names)
    for mark in ("# BEGIN SOLUTION NO PROMPT", "# BEGIN PROMPT", "# END PROMPT"):
        assert source.count(mark) == len(parts)


WRONG = {
    "mask": lambda scores, mask: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(),
    "source-padding": lambda model: True,
    "groups": lambda pairs: len(pairs),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    directory = tmp_path_factory.mktemp("autograded")
    autograde.write(directory)
    return directory


@pytest.mark.parametrize("exercise", WRONG)
def test_a_wrong_answer_is_told_by_its_input(exercise, written, monkeypatch):
    monkeypatch.setattr(hidden_checks, "__file__", str(written / "checks" / "__init__.py"))
    hidden_checks.solution.cache_clear()
    answer = hidden_checks.CHECKS[exercise].answer
    said = hidden_checks.difference(exercise, {answer: WRONG[exercise]})
    assert said.startswith(f"{answer}: wrong for ") and len(said) < 200
    solution = (written / "checks" / "solutions" / f"{exercise}.py").read_text(encoding="utf-8")
    assert said not in solution and course.BEGIN in solution


def test_what_an_answer_raises_is_told_by_its_kind_alone(monkeypatch):
    def unsolved(scores, mask):
        raise NotImplementedError("a secret")

    monkeypatch.setattr(hidden_checks, "solution", lambda name: {"masked_weights": lambda scores, mask: scores})
    said = hidden_checks.difference("mask", {"masked_weights": unsolved})
    assert re.fullmatch(r"masked_weights raises NotImplementedError for an input of shape .*", said)


def test_assignments_hold_what_their_first_cell_and_grading_need(written):
    names = [exercise.name for path in PATHS for exercise in autograde.exercises(course.read(path))]
    assert len(names) == len(set(names)) and set(hidden_checks.CHECKS) <= set(names)  # solutions are stored by name
    assert {path.name for path in (written / "otter").iterdir()} == {course.short_name(path) for path in PATHS}
    for path in PATHS:
        name = course.short_name(path)
        source, master = written / "nbgrader" / "source" / name, written / "otter" / name
        assert {file.name for file in source.iterdir()} == {path.name, "set_up.py"}
        config = yaml.safe_load(course.read(master / path.name).cells[0].source)
        needed = {*config["files"], *config["autograder_files"], config["requirements"]}
        assert {file.name for file in master.iterdir()} == {path.name, *needed}
        # Otter copies these into one directory, where nmt_attention finds data only beside pyproject.toml.
        assert needed >= {"set_up.py", "checks", "nmt_attention", "data", "pyproject.toml"}
        assert (master / "checks" / "solutions").is_dir() and (master / "data" / "phrasebook.tsv").is_file()
