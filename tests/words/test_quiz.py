"""The question bank: its form, its answers, how it is shown, and what is made of it."""

import csv
import html
import itertools
import json
import re
import sys
import types
import zipfile
from collections import Counter
from xml.etree import ElementTree

import IPython.display
import numpy as np
import pytest
from stored import LESSONS, imports_beside_the_face

from nmt_attention.lesson.quiz import quiz_html, read_questions, show_quiz
from tools.teaching import course, exam, quiz_export

(QUESTIONS,) = quiz_export.bank()
KEYS = {"id", "lesson", "difficulty", "type", "question", "answers"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_a_question_has_one_right_answer_and_a_reason_for_each(question):
    more = {"precision"} if question["type"] == "numeric" else set()
    assert KEYS | more <= set(question) <= KEYS | more | {"code", "setup", "check", "of"}
    assert str(question["lesson"]) == question["id"].split("-")[0] and question["difficulty"] in (1, 2, 3)
    assert not any(imports_beside_the_face(question.get(code, "")) for code in ("setup", "code", "check"))
    answers, reasons = question["answers"], {answer["feedback"] for answer in question["answers"]}
    assert [answer["correct"] for answer in answers].count(True) == 1
    assert len(reasons) == len(answers) and min(map(len, reasons)) > 20
    assert not re.search("[{}]", " ".join([question["question"], *reasons]))
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


def test_a_varied_question_is_one_of_the_bank_whatever_its_seed_if_its_answers_can_differ():
    for question in itertools.chain(*quiz_export.bank(200)):
        test_a_question_has_one_right_answer_and_a_reason_for_each(question)
    with pytest.raises(ValueError, match="0-x: no draw has answers that all differ"):
        quiz_export.variant({"id": "0-x", "precision": 1, "vary": {}, "answers": [{"value": "3"}] * 2 + [{}]}, "1")


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


def test_answers_unfold_without_jupyterquiz_and_where_the_output_is_to_be_stored(monkeypatch, read_html):
    displayed = []
    monkeypatch.setattr(IPython.display, "display", displayed.append)
    for number, lesson in enumerate(dict.fromkeys(question["lesson"] for question in QUESTIONS)):
        kept = number % 2
        monkeypatch.setitem(sys.modules, "jupyterquiz", types.SimpleNamespace(display_quiz=None) if kept else None)
        monkeypatch.setenv("NMT_QUIZ", "html" if kept else "")
        show_quiz(lesson)
        page, questions = displayed.pop().data, read_questions(lesson)
        tags = read_html(page)
        assert len(tags.all("li")) == len(questions)
        assert len(tags.all("details")) == len(tags.all("summary")) == sum(len(q["answers"]) for q in questions)
        assert not {"script", "img", "link", "a"} & {tag for tag, _, _ in tags.found} and "http" not in page


def test_jupyterquiz_gets_the_questions_as_html(monkeypatch):
    given = []
    monkeypatch.setitem(sys.modules, "jupyterquiz", types.SimpleNamespace(display_quiz=lambda q, **_: given.extend(q)))
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
COMPUTED = [question for question in [*QUESTIONS, *itertools.chain(*quiz_export.bank(3))] if "check" in question]


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


# --- made of it: GIFT, QTI and cards, read back and compared with the JSON, and an exam


@pytest.fixture(scope="module", params=[0, 3])
def written(request, tmp_path_factory):
    directory = tmp_path_factory.mktemp("quiz")
    quiz_export.main(["--copies", str(request.param), "--output", str(directory)])
    return directory, [*itertools.chain(*zip(*quiz_export.bank(request.param), strict=True))]


def plain(text):
    """Returns a text as in the JSON, from HTML, also where GIFT escapes it."""
    text = re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), text)
    text = re.sub("<p>|</p>|<pre>.*</pre>", "", re.sub("</?code>", "`", text), flags=re.DOTALL)
    return html.unescape(re.sub("</?em>", "*", text))


def test_gift_has_every_question_answer_and_reason(written):
    directory, questions = written
    gift = (directory / "questions.gift").read_text(encoding="utf-8")
    places = ["/".join(filter(None, [str(question["lesson"]), question.get("of")])) for question in questions]
    assert re.findall(r"^\$CATEGORY: Attention/Lesson (.*)$", gift, re.MULTILINE) == list(dict.fromkeys(places))
    free = r"((?:\\.|[^\\~=#{}:])*)"  # a text without a sign that has a meaning
    heads = re.findall(rf"^::{free}::\[html\]{free} \{{(#?)$", gift, re.MULTILINE)
    asked = [(question["id"], question["question"], "#" * (question["type"] == "numeric")) for question in questions]
    assert [tuple(map(plain, head)) for head in heads] == asked
    rows = re.findall(rf"^\t(=%100%|=%0%|=|~)(?:(-?[\d.]+):[\d.]+|{free})#{free}$", gift, re.MULTILINE)
    found = [(float(n) if n else plain(x), sign in ("=", "=%100%"), plain(why)) for sign, n, x, why in rows]
    answers = [answer for question in questions for answer in question["answers"]]
    assert found == [(a.get("value", a.get("answer", "")), a["correct"], a["feedback"]) for a in answers]


def test_qti_has_every_question_and_gives_points_for_the_right_answer_alone(written):
    directory, questions = written
    with zipfile.ZipFile(directory / "questions.qti.zip") as package:
        manifest, *quizzes = (ElementTree.fromstring(package.read(name)) for name in package.namelist())
    assert len(manifest.findall(".//{*}resource")) == len(quizzes) == len({str(q["lesson"]) for q in questions})
    groups = [group for quiz in quizzes for group in quiz.findall(".//{*}section/{*}section")]
    found = [(group.get("ident"), group.find(".//{*}selection_number").text, len(group)) for group in groups]
    assert found == [(of, "1", 1 + 3) for of in dict.fromkeys(q["of"] for q in questions if "of" in q)]
    items = [item for quiz in quizzes for item in quiz.findall(".//{*}item")]
    for item, question in zip(items, questions, strict=True):
        text, *_ = texts = [plain(each.text) for each in item.findall(".//{*}mattext")]
        assert (item.get("ident"), text) == (question["id"], question["question"])
        assert texts[-len(question["answers"]) :] == [answer["feedback"] for answer in question["answers"]]
        for met, answer in zip(item.findall(".//{*}respcondition"), question["answers"], strict=True):
            assert (met.find(".//{*}setvar") is not None) == answer["correct"]
            if "value" in answer:
                low, high = (float(met.find(f".//{{*}}{name}").text) for name in ("vargte", "varlte"))
                assert low <= answer["value"] <= high


def test_a_card_asks_on_its_front_and_answers_on_its_back(written):
    directory, questions = written
    *head, rest = (directory / "questions.tsv").read_text(encoding="utf-8").split("\n", 3)
    assert head == ["#separator:tab", "#html:true", "#tags column:3"]
    rows = csv.reader(rest.splitlines(), delimiter="\t")
    for (front, back, tags), question in zip(rows, questions, strict=True):
        (right,) = (answer for answer in question["answers"] if answer["correct"])
        assert plain(front.replace("<br>", "\n").partition("<ul>")[0]) == question["question"]
        assert front.count("<li>") == sum("answer" in answer for answer in question["answers"])
        assert plain(back.replace("<br>", "\n")).endswith(right["feedback"])
        assert tags == f"Attention::lesson-{question['lesson']} difficulty-{question['difficulty']}"


def test_a_seed_draws_one_exam_of_all_levels_from_many_lessons_and_answers_it_elsewhere(monkeypatch, tmp_path, capsys):
    for name in ("ROOT", "BUILD"):
        monkeypatch.setattr(course, name, tmp_path)

    def written(seed, copies=0):
        exam.main(["--seed", str(seed), "--questions", "12", "--copies", str(copies)])
        return [(tmp_path / name).read_text(encoding="utf-8") for name in capsys.readouterr().out.split()]

    (asked, answered), again, other = written(7), written(7), written(8)
    numbers = {q["answers"][0]["value"] for q in QUESTIONS if q["type"] == "numeric"}
    assert [asked, answered] == again != other
    assert "<b>" not in asked and "level" not in asked
    keys = re.findall(r"<b>(.*?)</b>: .* \((\w+)-[\w-]+, level (\d)\)</li>", answered)
    assert Counter(level for *_, level in keys) == {"1": 4, "2": 4, "3": 4}
    assert len({lesson for _, lesson, _ in keys}) == 12
    questions = re.findall(r"^<li>(<p>.*?)</li>$", asked, re.MULTILINE | re.DOTALL)
    for question, (right, *_) in zip(questions, keys, strict=True):
        choices = re.findall(r"<li>(.*?)</li>", question + "</li>")
        assert right == f"{right[0]}, {choices['abcd'.index(right[0])]}" if choices else float(right) in numbers
    papers, keys = (page.split("<h1>")[1:] for page in written(7, copies=3))
    assert [text[: text.index("<")] for text in papers] == [f"Exam 7, copy {copy}" for copy in (1, 2, 3)]
    assert [re.findall(r"\(([\w-]+)-7-\d,", key) for key in keys] == [[q["of"] for q in quiz_export.bank(1)[0]]] * 3
    assert len({paper.partition("<ol>")[2] for paper in papers}) == 3, "each has numbers of its own"
    assert {place for seed in range(9) for place in re.findall(r"<b>([a-d]), ", written(seed)[1])} == set("abcd")
