"""Every exercise: its solution passes both checks; neither the start that learners get nor an empty one does."""

import itertools

import pytest

from tools.teaching import course, hidden_checks


@pytest.mark.filterwarnings("ignore:`build")  # of a layer whose empty `call` leaves its parts without weights
@pytest.mark.parametrize("path", course.notebook_paths(), ids=lambda path: path.stem)
def test_exercises(path, monkeypatch):
    monkeypatch.setenv("NMT_PRESET", "quick")
    monkeypatch.setattr(hidden_checks, "CASES", 3)  # all 20 of each exercise take several seconds
    monkeypatch.chdir(course.NOTEBOOKS)
    cells = course.read(path).cells
    found = [pair for pair in itertools.pairwise(cells) if course.is_solution(pair[0])]
    assert len({solution.metadata.nbgrader.grade_id for solution, _ in found}) == len(found)
    known = {"00_the_question": [0], "whole_translator": [0], "assignment": [8], "04_bahdanau_attention": [5]}
    known |= {"02_plain_seq2seq": [6], "10c_your_transformer": [8]}
    assert len(found) in known.get(path.stem, [2, 3, 4])
    names = {}
    for cell in cells:
        if "needed" in course.tags(cell):
            exec(compile(cell.source, path.name, "exec"), names)
    wrong = (AssertionError, NameError, TypeError, ValueError, AttributeError)
    for solution, check in found:
        name = solution.metadata.nbgrader.grade_id
        checked = compile(check.source, f"{path.name}: {name}", "exec")
        for start, expected in ((course.START, NotImplementedError), (("pass",), wrong)):
            with pytest.raises(expected):
                exec(course.without_solution(solution.source, start), started := dict(names))
                exec(checked, started)
        exec(solution.source, names)
        exec(checked, names)
        if name in hidden_checks.CHECKS:
            answer, solved = hidden_checks.CHECKS[name].answer, dict(names)
            monkeypatch.setattr(hidden_checks, "solution", lambda name, solved=solved: solved)
            assert hidden_checks.difference(name, dict(names)) == ""
            without = {key: value for key, value in names.items() if key != answer}
            assert hidden_checks.difference(name, without) == f"{answer} is not defined"
