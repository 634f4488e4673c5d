"""The question bank: its form, its answers, and how it is shown."""

import json
import sys
import types
from collections import Counter

import IPython.display
import numpy as np
import pytest
from stored import LESSONS, imports_beside_the_face

from nmt_attention.lesson.quiz import quiz_html, read_questions, show_quiz
from tools.teaching import course

QUESTIONS = json.loads((course.ROOT / "data" / "questions.json").read_text(encoding="utf-8"))
KEYS = {"id", "lesson", "difficulty", "type", "question", "answers"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_a_question_has_one_right_answer_and_a_reason_for_each(question):
    more = {"precision"} if question["type"] == "numeric" else set()
    assert KEYS | more <= set(question) <= KEYS | more | {"code", "setup", "check"}
    assert str(question["lesson"]) == question["id"].split("-")[0] and question["difficulty"] in (1, 2, 3)
    assert not any(imports_beside_the_face(question.get(code, "")) for code in ("setup", "code", "check"))
    answers, reasons = question["answers"], {answer["feedback"] for answer in question["answers"]}
    assert [answer["correct"] for answer in answers].count(True) == 1
    assert len(reasons) == len(answers) and min(map(len, reasons)) > 20
    if question["type"] == "numeric":
        *values, default = answers
        assert {answer["type"] for answer in values} == {"value"} and default["type"] == "default"
        rounded = [float(f"{answer['value']:.{question['precision']}g}") for answer in values]
        assert values[0]["correct"] and len(set(rounded)) == len(rounded), "two are the same at this precision"
        assert rounded == [answer["value"] for answer in values], "more digits than the precision has"
    else:
        assert question["type"] == "multiple_choice" and len(answers) in (3, 4)
        assert len({answer["answer"] for answer in answers}) == len(answers)
        assert all(set(answer) == {"answer", "correct", "feedback"} for answer in answers)


def test_every_lesson_has_questions_and_no_two_are_the_same():
    counts = Counter(str(question["lesson"]) for question in QUESTIONS)
    assert counts.keys() == {course.number(path) for path in LESSONS} and min(counts.values()) >= 5
    assert all(len({question[key] for question in QUESTIONS}) == len(QUESTIONS) for key in ("id", "question"))
    first = [question["answers"][0]["correct"] for question in QUESTIONS if question["type"] == "multiple_choice"]
    assert 0.1 < sum(first) / len(first) < 0.5  # the right answer has no fixed place


def test_questions_are_chosen_by_lesson_and_name():
    assert read_questions(3) == [question for question in QUESTIONS if question["lesson"] == 3]
    assert [question["id"] for question in read_questions(3, ["3-softmax", "3-dot"])] == ["3-softmax", "3-dot"]
    with pytest.raises(ValueError, match="lesson: expected one of 0, 1, '1b', 2, .*, 10, '10a', .*, got '11'"):
        read_questions("11")
    with pytest.raises(ValueError, match="ids: lesson 3 has no question '4b-blind'"):
        read_questions(3, ["3-dot", "4b-blind"])


@pytest.mark.parametrize("kept", [False, True], ids=["without jupyterquiz", "where the output is to be stored"])
def test_answers_unfold(kept, monkeypatch, read_html):
    displayed = []
    monkeypatch.setattr(IPython.display, "display", displayed.append)
    monkeypatch.setitem(sys.modules, "jupyterquiz", types.SimpleNamespace(display_quiz=None) if kept else None)
    monkeypatch.setenv("NMT_QUIZ", "html" if kept else "")
    for lesson in {question["lesson"]: None for question in QUESTIONS}:
        show_quiz(lesson)
        page, questions = displayed.pop().data, read_questions(lesson)
        tags = read_html(page)
        assert len(tags.all("li")) == len(questions)
        assert len(tags.all("details")) == len(tags.all("summary")) == sum(len(q["answers"]) for q in questions)
        assert not {"script", "img", "link", "a"} & {tag for tag, _, _ in tags.found} and "http" not in page


def test_jupyterquiz_gets_the_questions_as_html(monkeypatch):
    given = []
    display = types.SimpleNamespace(display_quiz=lambda questions, **look: given.extend(questions))
    monkeypatch.setitem(sys.modules, "jupyterquiz", display)
    show_quiz(2)
    assert [question["type"] for question in given] == [question["type"] for question in read_questions(2)]
    texts = [q["question"] for q in given] + [a["feedback"] for q in given for a in q["answers"]]
    assert json.dumps(given) and not any(letter in text for text in texts for letter in "`$[")
    verdicts = {(bool(a.get("correct")), a["feedback"].partition(" ")[0]) for q in given for a in q["answers"]}
    assert verdicts == {(True, "Right."), (False, "Wrong.")}


def test_texts_are_escaped_and_marked():
    answers = [{"answer": "`<end>` [a](b) $x$", "correct": True, "feedback": "*the* end & more"}]
    page = quiz_html([{"type": "multiple_choice", "question": "1 < 2?", "code": "a < b  # [0]", "answers": answers}])
    assert "<p>1 &lt; 2?</p><pre><code>a &lt; b  # [0]</code></pre>" in page
    assert "<summary><code>&lt;end&gt;</code> &#91;a](b) &#36;x&#36;</summary>" in page
    assert "<b>Right.</b> <em>the</em> end &amp; more" in page


MEASURED = json.loads((course.ROOT / "data" / "results.json").read_text(encoding="utf-8"))
RESULTS = {system["name"]: system["seeds"] for system in MEASURED["systems"]}
RESULTS |= {"chains": MEASURED["chains"], "careless": [MEASURED["careless"]]}
COMPUTED = [question for question in QUESTIONS if "check" in question]


@pytest.mark.parametrize("question", COMPUTED, ids=lambda question: question["id"])
def test_code_runs_and_gives_the_right_answer(question):
    names = {"np": np, "results": RESULTS}
    for part in ("setup", "code"):
        exec(question.get(part, ""), names)
    found = eval(question["check"], names)
    right = next(answer for answer in question["answers"] if answer["correct"])
    if question["type"] == "numeric":
        assert float(f"{found:.{question['precision']}g}") == right["value"]
    else:
        assert found is True or found is np.True_ or str(found) == right["answer"]
