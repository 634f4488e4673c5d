"""The hidden checks of the exercises: a learner's answer against ours, for random inputs.

`make autograded` copies this package to `build/autograded/checks` and adds the solutions, for the grading machine only.
What a check says names the input for which an answer is wrong, and no line of the solution.
"""

import contextlib
import functools
import io
from pathlib import Path
from typing import Any

import numpy as np

from . import assignment, exercises
from .exercises import Names

CASES = 20
CHECKS = exercises.CHECKS | assignment.CHECKS  # by the name of an exercise


def difference(exercise: str, names: Names) -> str:
    """Returns the first input for which a learner's answer is wrong, as a sentence, or "" if all results are right.

    Args:
        exercise: a key of `CHECKS`.
        names: what the learner's notebook defines, `globals()` there.
    """
    check = CHECKS[exercise]
    if check.answer not in names:
        return f"{check.answer} is not defined"
    if check.uses is not None:
        from nmt_attention import borrowed

        if part := borrowed(names[check.answer], *check.uses):
            return f"{check.answer} uses {part} of the package: write it yourself"
    apply = check.apply or (lambda names, *inputs: names[check.answer](*inputs))
    for case in range(CASES):
        wanted = apply(solution(exercise), *check.inputs(np.random.default_rng(case)))
        inputs = check.inputs(np.random.default_rng(case))
        described = ", ".join(map(describe, inputs))
        try:
            right = same(apply(names, *inputs), wanted)
        except Exception as error:  # whatever a learner's code raises is what we tell
            return f"{check.answer} raises {type(error).__name__} for {described}"
        if not right:
            return f"{check.answer}: wrong for {described}"
    return ""


@functools.cache
def solution(exercise: str) -> Names:
    """Returns what the code of an exercise's solution defines."""
    path = Path(__file__).parent / "solutions" / f"{exercise}.py"
    names: Names = {"__name__": exercise}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(path.read_text(encoding="utf-8"), path, "exec"), names)
    return names


def same(found: Any, wanted: Any) -> bool:
    """Whether two results agree: texts and sets exactly, numbers and arrays up to rounding."""
    if isinstance(wanted, tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, str | set) or isinstance(found, str | set | None):
        return found == wanted
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return False
    return np.array_equal(found, wanted) if wanted.dtype.kind in "OU" else np.allclose(found, wanted, atol=1e-4)


def describe(value: Any) -> str:
    """Returns an input as an error message shows it."""
    if callable(value):
        return value.__doc__ or value.__class__.__name__
    shape = getattr(value, "shape", None)
    return f"{value!r:.120}" if shape is None else f"an input of shape {tuple(shape)}"
