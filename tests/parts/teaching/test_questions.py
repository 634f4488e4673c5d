"""The question bank's answers, computed."""

import numpy as np
import pytest

from nmt_attention.disk.files import read_json
from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.lesson.quiz import read_questions
from tools.teaching import course

NUMBERS = [course.number(path) for path in course.lesson_paths()]
QUESTIONS = [q for n in NUMBERS for q in read_questions(int(n) if n.isdigit() else n) if "check" in q]

MEASURED = read_json(DATA_DIRECTORY / "results.json")
RESULTS = {system["name"]: system["seeds"] for system in MEASURED["systems"]} | {
    "chains": MEASURED["chains"],
    "careless": [MEASURED["careless"]],
}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_code_runs_and_gives_the_right_answer(question):
    names = {"np": np, "results": RESULTS}
    exec(question.get("setup", ""), names)
    exec(question.get("code", ""), names)
    found = eval(question["check"], names)
    right = next(answer for answer in question["answers"] if answer["correct"])
    if question["type"] == "numeric":
        assert float(f"{found:.{question['precision']}g}") == right["value"]
    else:
        assert found is True or found is np.True_ or str(found) == right["answer"]
