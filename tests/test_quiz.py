"""The question bank: its form, its answers, and how it is shown."""

import ast
import json
import sys
import types
from collections import Counter

import IPython.display
import numpy as np
import pytest

from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.lesson.quiz import _for_jupyterquiz, quiz_html, read_questions, show_quiz

QUESTIONS = json.loads((DATA_DIRECTORY / "questions.json").read_text(encoding="utf-8"))
KEYS = {"id", "lesson", "difficulty", "type", "question", "answers"}
MORE = {"code", "setup", "check"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_a_question_has_one_right_answer_and_a_reason_for_each(question):
    assert KEYS <= set(question) <= KEYS | MORE | ({"precision"} if question["type"] == "numeric" else set())
    assert str(question["lesson"]) == question["id"].split("-")[0] and question["difficulty"] in (1, 2, 3)
    answers = question["answers"]
    assert [answer["correct"] for answer in answers].count(True) == 1
    assert all(len(answer["feedback"]) > 20 for answer in answers)
    assert len({answer["feedback"] for answer in answers}) == len(answers)
    if question["type"] == "numeric":
        values = answers[:-1]
        assert [answer["type"] for answer in answers] == ["value"] * len(values) + ["default"]
        assert values and values[0]["correct"]
        rounded = [shown(answer["value"], question) for answer in values]
        assert len(set(rounded)) == len(rounded), "two answers are the same at this precision"
        assert rounded == [f"{answer['value']:g}" for answer in values], "more digits than the precision has"
    else:
        assert question["type"] == "multiple_choice" and len(answers) in (3, 4)
        assert len({answer["answer"] for answer in answers}) == len(answers)
        assert all(set(answer) == {"answer", "correct", "feedback"} for answer in answers)


def shown(value, question):
    digits = question["precision"]
    return f"{float(f'{value:.{digits}g}'):g}"


def test_the_description_of_the_data_counts_the_questions():
    readme = (DATA_DIRECTORY / "README.md").read_text(encoding="utf-8")
    assert f"| `questions.json` | {len(QUESTIONS)} questions " in readme


def test_every_lesson_has_questions_and_no_two_are_the_same():
    assert len(QUESTIONS) >= 60
    assert min(Counter(question["lesson"] for question in QUESTIONS).values()) >= 5
    assert {question["lesson"] for question in QUESTIONS} == {*range(11), "2b", "4b", "5b", "7b", "8b", "9b", "10b"}
    for key in ("id", "question"):
        assert len({question[key] for question in QUESTIONS}) == len(QUESTIONS)
    first = [question["answers"][0]["correct"] for question in QUESTIONS if question["type"] == "multiple_choice"]
    assert 0.1 < sum(first) / len(first) < 0.5  # the right answer has no fixed place


@pytest.mark.parametrize(
    "question", [question for question in QUESTIONS if "check" in question], ids=lambda question: question["id"]
)
def test_code_runs_and_gives_the_right_answer(question, capsys):
    names = {"np": np}
    exec(question.get("setup", ""), names)
    exec(question.get("code", ""), names)
    found = eval(question["check"], names)
    if question["type"] == "numeric":
        assert shown(found, question) == f"{question['answers'][0]['value']:g}"
        return
    (right,) = (answer["answer"] for answer in question["answers"] if answer["correct"])
    assert found is True or found is np.True_ or str(found) == right


def test_code_that_is_only_read_is_python():
    read = [question for question in QUESTIONS if "code" in question]
    assert read and all(ast.parse(question["code"], question["id"]).body for question in read)


def test_the_questions_of_a_lesson():
    assert read_questions(3) == [question for question in QUESTIONS if question["lesson"] == 3]
    assert [question["id"] for question in read_questions(3, ["3-softmax", "3-dot"])] == ["3-softmax", "3-dot"]
    with pytest.raises(ValueError, match="lesson: expected one of 0, 1, 2, '2b', 3, .*, 10, '10b', got '3b'"):
        read_questions("3b")
    with pytest.raises(ValueError, match="ids: lesson 3 has no question '4b-blind'"):
        read_questions(3, ["3-dot", "4b-blind"])


def test_without_jupyterquiz_answers_unfold(monkeypatch, read_html):
    displayed = []
    monkeypatch.setattr(IPython.display, "display", displayed.append)
    monkeypatch.setitem(sys.modules, "jupyterquiz", None)  # as if it were not installed
    lessons = {question["lesson"]: None for question in QUESTIONS}
    for lesson in lessons:
        show_quiz(lesson)
    for page, lesson in zip(displayed, lessons, strict=True):
        tags = read_html(page.data)
        questions = read_questions(lesson)
        assert len(tags.all("li")) == len(questions)
        assert len(tags.all("details")) == len(tags.all("summary")) == sum(len(q["answers"]) for q in questions)
        assert not {"script", "img", "link", "a"} & {tag for tag, _, _ in tags.found} and "http" not in page.data


def test_answers_unfold_where_they_are_to_be_stored(monkeypatch):
    displayed = []
    monkeypatch.setattr(IPython.display, "display", displayed.append)
    monkeypatch.setitem(sys.modules, "jupyterquiz", types.SimpleNamespace(display_quiz=None))
    monkeypatch.setenv("NMT_QUIZ", "html")
    show_quiz(2)
    assert displayed[0].data == quiz_html(read_questions(2))


def test_with_jupyterquiz_it_gets_the_questions_as_html(monkeypatch):
    given = []
    monkeypatch.setitem(
        sys.modules,
        "jupyterquiz",
        types.SimpleNamespace(display_quiz=lambda questions, max_width: given.append(questions)),
    )
    show_quiz(2)
    (questions,) = given
    assert [question["type"] for question in questions] == [question["type"] for question in read_questions(2)]
    json.dumps(questions)
    texts = [q["question"] for q in questions] + [a["feedback"] for q in questions for a in q["answers"]]
    assert not any("`" in text or "$" in text or "[" in text for text in texts)


def test_texts_are_escaped_and_marked():
    answers = [{"answer": "`<end>` [a](b) $x$", "correct": True, "feedback": "*the* end & more"}]
    question = {"type": "multiple_choice", "question": "1 < 2?", "code": "a < b  # [0]", "answers": answers}
    assert _for_jupyterquiz(question) == {
        "type": "multiple_choice",
        "question": "1 &lt; 2?",
        "code": "a &lt; b  # [0]",
        "answers": [
            {
                "answer": "<code>&lt;end&gt;</code> &#91;a](b) &#36;x&#36;",
                "correct": True,
                "feedback": "<em>the</em> end &amp; more",
            }
        ],
    }
    page = quiz_html([question])
    assert "<summary><code>&lt;end&gt;</code>" in page and "<b>Right.</b> <em>the</em> end &amp; more" in page
