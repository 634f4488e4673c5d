"""The checks of exercises and assignment accept every right answer, however it is written, and refuse wrong ones."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import nmt_attention
from tools.teaching import autograde, course, hidden_checks

EXERCISES = {e.name: (path, e) for path in course.notebook_paths() for e in autograde.exercises(course.read(path))}
HOLES = [exercise for path, exercise in EXERCISES.values() if path == course.ASSIGNMENT]

TENSORS = ["lstm", "five-steps", "looked-at", "scaled-general", "min-p", "second-loss", "causal-mask", "position"]
# By exercise, what makes of the solution's result another kind that is right, too.
CONVERTED = (
    dict.fromkeys(TENSORS, tf.convert_to_tensor)
    | dict.fromkeys(["backwards", "own-words"], np.asarray)
    | dict.fromkeys(["pad", "window", "counterexamples", "work", "score-gradient"], lambda x: np.asarray(x).tolist())
)


@functools.cache
def solved(path):
    """Returns what a notebook defines before each of its exercises, and with all of their solutions and checks."""
    notebook, names, before = course.read(path), {}, {}
    for cell in autograde.first_cells(notebook)[2:]:
        exec(cell.source, names)
    for exercise in autograde.exercises(notebook):
        before[exercise.name] = dict(names)
        for cell in (exercise.solution, *exercise.checks):
            exec(compile(cell.source, f"{path.name}: {exercise.name}", "exec"), names)
    return before, names


@pytest.fixture
def answer(monkeypatch):
    """Returns what the notebook of an exercise defines, with this answer to it, and its shown check."""
    monkeypatch.setattr(hidden_checks, "CASES", 2)  # all 20 of each exercise take several seconds
    monkeypatch.setattr(hidden_checks, "solution", lambda name: solved(EXERCISES[name][0])[1])

    def take(name, written, defined=None):
        path, exercise = EXERCISES[name]
        exec(written, names := dict(defined or solved(path)[1]))
        return names, "\n".join(cell.source for cell in exercise.checks)

    return take


def both_accept(name, names, shown):
    exec(shown, dict(names))
    return hidden_checks.difference(name, names) == ""


@pytest.mark.filterwarnings("ignore:`build")  # of a layer whose empty `call` leaves its parts without weights
@pytest.mark.parametrize("name", EXERCISES)
def test_a_solution_passes_both_checks_and_neither_the_start_of_learners_nor_an_empty_one_does(name, answer):
    path, exercise = EXERCISES[name]
    if name in hidden_checks.CHECKS:  # the shown one has passed in `solved`
        assert hidden_checks.difference(name, solved(path)[1]) == ""
        assert hidden_checks.difference(name, {}) == f"{hidden_checks.CHECKS[name].answer} is not defined"
    wrong = (AssertionError, NameError, TypeError, ValueError, AttributeError)
    for start, expected in ((course.START, NotImplementedError), (("pass",), wrong)):
        with pytest.raises(expected):
            names, shown = answer(name, course.without_solution(exercise.solution.source, start), solved(path)[0][name])
            exec(shown, names)


def rows(name):
    """Returns the lines of a file of answers: an exercise, what its check says if wrong, changes in its solution."""
    text = Path(__file__).with_name(f"{name}_answers.txt").read_text(encoding="utf-8")
    return text.strip().replace("\n    ", " ").splitlines()


def changed(line):
    """Returns the exercise that a line names, what its check says, and the solution with the line's changes."""
    (name, _, said), *changes = line.split(" | ")[0].partition(":"), *line.split(" | ")[1:]
    written = EXERCISES[name][1].solution.source
    for change in changes:
        old, new = (text.strip().replace("\\n", "\n") for text in change.split(" →"))
        assert old in written, old
        written = written.replace(old, new, 1)
    return name, said.strip(), written


@pytest.mark.parametrize(("name", "written"), [changed(line)[::2] for line in rows("right")])
def test_both_checks_accept_a_right_answer(name, written, answer):
    assert both_accept(name, *answer(name, written))


@pytest.mark.parametrize("name", CONVERTED)
def test_both_checks_accept_a_result_of_another_kind(name, answer):
    names, shown = answer(name, "")
    function = names[wanted := hidden_checks.CHECKS[name].answer]
    names[wanted] = lambda *given: tf.nest.map_structure(CONVERTED[name], function(*given))
    assert both_accept(name, names, shown)


def borrowing(part):
    """Returns a function that does what a learner's does, and reads one of the package's."""
    if isinstance(part, type):
        return nmt_attention.normalize
    return lambda *given, **more: (nmt_attention.normalize, part(*given, **more))[1]


OWN = {name: re.findall(r"borrowed\((\w+)", exercise.checks[0].source) for name, (_, exercise) in EXERCISES.items()}


@pytest.mark.parametrize("name", [name for name, answers in OWN.items() if answers])
def test_the_shown_check_tells_what_is_the_package_s_and_not_the_learner_s(name, answer):
    names, shown = answer(name, "")
    with pytest.raises(AssertionError, match="package's"):
        exec(shown, names | {part: borrowing(names[part]) for part in OWN[name]})


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of 0 / 0 in a wrong answer
@pytest.mark.filterwarnings("ignore:`build\\(\\)` was called on layer:UserWarning")  # of a layer that is never used
@pytest.mark.parametrize("line", rows("wrong"))
def test_both_checks_refuse_a_wrong_answer(line, answer, monkeypatch):
    name, said, written = changed(line)
    names, shown = answer(name, written)
    monkeypatch.setattr(hidden_checks, "CASES", 20)
    with pytest.raises((AssertionError, AttributeError)) as caught:
        exec(shown, dict(names))
    assert said in str(caught.value)
    found = hidden_checks.difference(name, names) if (hidden := hidden_checks.CHECKS.get(name)) else ""
    assert found.startswith(hidden.answer if hidden else "")
    assert not any(line.strip() in found for line in EXERCISES[name][1].solution.source.splitlines() if len(line) > 20)


def test_a_stack_s_block_and_its_looks_are_drawn_and_described_with_their_numbers():
    texts, names = nmt_attention.PhrasebookTexts(), solved(EXERCISES["stack"][0])[1]
    model = names["Transformer"](len(texts.tokenizer), units=8, heads=2, layers=2, causal=True)
    weights = model(tf.constant([ids := texts.begin("Where is my bag?")]))[1]
    said, looks = texts.plot_block(model, "Where is my bag?").get_label(), texts.plot_looks(model, "Where is my bag?")
    numbers = [*map(float, re.findall(r"-?\d+\.\d\d", said))]
    assert len(numbers) == 7 * 4 + 2 + 1 and numbers[28] == pytest.approx(np.max(weights[1][0, 0, -1]), abs=0.006)
    assert np.allclose(np.add(numbers[:4], numbers[8:12]), numbers[12:16], atol=0.02)  # x + look, as the figure shows
    drawn = [axes.images[0].get_array()[0, : len(ids)] for axes in looks.axes if axes.images]  # rows of =
    assert np.allclose(drawn, np.concatenate([one[0, :, -1] for one in weights]), atol=1e-5)


def test_the_assignment_s_holes_say_what_comes_in_and_goes_out_and_the_package_s_parts_are_not_at_hand():
    """Only checks import them, so that a learner writes a hole and does not look it up."""
    for number, hole in enumerate(HOLES, 1):
        assert hole.text.startswith(f"**A.{number} ") and "*In:*" in hole.text and "*Out:*" in hole.text
    assert len(HOLES) == 11 and {hole.name for hole in HOLES} <= hidden_checks.CHECKS.keys()
    code = [cell for cell in course.read(course.ASSIGNMENT).cells if cell.cell_type == "code"]
    for name in ("masked_softmax", "Encoder", "BahdanauAttention", "cross_entropy", "greedy_search"):
        assert course.is_check(next(cell for cell in code if re.search(rf"import .*\b{name}\b", cell.source)))
