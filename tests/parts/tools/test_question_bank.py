"""What is made of the question bank: GIFT, QTI and cards, read back and compared with the JSON, and an exam."""

import csv
import html
import json
import re
import zipfile
from collections import Counter
from xml.etree import ElementTree

import pytest

from nmt_attention.disk.pairs import DATA_DIRECTORY
from tools.teaching import course, exam, quiz_export

QUESTIONS = json.loads((DATA_DIRECTORY / "questions.json").read_text(encoding="utf-8"))
NUMBERS = {q["answers"][0]["value"] for q in QUESTIONS if q["type"] == "numeric"}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    directory = tmp_path_factory.mktemp("quiz")
    quiz_export.main(["--output", str(directory)])
    return directory


def plain(text):
    """Returns a text as in the JSON, from HTML."""
    text = re.sub("<p>|</p>|<pre>.*</pre>", "", re.sub("</?code>", "`", text), flags=re.DOTALL)
    return html.unescape(re.sub("</?em>", "*", text))


def unescaped(text):
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), text)


def test_gift_has_every_question_answer_and_reason(written):
    blocks = (written / "questions.gift").read_text(encoding="utf-8").strip().split("\n\n")
    lessons = [block.removeprefix("$CATEGORY: Attention/Lesson ") for block in blocks if block.startswith("$")]
    assert lessons == list(dict.fromkeys(str(question["lesson"]) for question in QUESTIONS))
    found = [block for block in blocks if not block.startswith("$")]
    free = r"((?:\\.|[^\\~=#{}:])*)"  # a text without a sign that has a meaning
    for block, question in zip(found, QUESTIONS, strict=True):
        head = re.search(rf"^::{free}::\[html\]{free} \{{(#?)$", block, re.MULTILINE)
        assert unescaped(head[1]) == question["id"] and plain(unescaped(head[2])) == question["question"]
        assert bool(head[3]) == (question["type"] == "numeric") and block.endswith("}")
        for line, answer in zip(block[head.end() : -1].strip().splitlines(), question["answers"], strict=True):
            shown, reason = re.fullmatch(rf"\s*([=~].*?|~)#{free}", line).groups()
            assert plain(unescaped(reason)) == answer["feedback"]
            if not head[3]:
                assert shown[0] == ("=" if answer["correct"] else "~")
                assert re.fullmatch(free, shown[1:]) and plain(unescaped(shown[1:])) == answer["answer"]
            elif "value" in answer:
                share, value = re.fullmatch(r"=%(\d+)%(-?[\d.]+):[\d.]+", shown).groups()
                assert (int(share), float(value)) == (100 * answer["correct"], answer["value"])


def test_qti_has_every_question_and_gives_points_for_the_right_answer_alone(written):
    with zipfile.ZipFile(written / "questions.qti.zip") as package:
        manifest, *quizzes = (ElementTree.fromstring(package.read(name)) for name in package.namelist())
    assert len(manifest.findall(".//{*}resource")) == len(quizzes) == len({str(q["lesson"]) for q in QUESTIONS})
    items = [item for quiz in quizzes for item in quiz.findall(".//{*}item")]
    for item, question in zip(items, QUESTIONS, strict=True):
        text, *_ = texts = [each.text for each in item.findall(".//{*}mattext")]
        assert item.get("ident") == question["id"] and plain(text) == question["question"]
        assert [plain(each) for each in texts[-len(question["answers"]) :]] == [
            a["feedback"] for a in question["answers"]
        ]
        for met, answer in zip(item.findall(".//{*}respcondition"), question["answers"], strict=True):
            assert (met.find(".//{*}setvar") is not None) == answer["correct"]
            if "value" in answer:
                low, high = (float(met.find(f".//{{*}}{name}").text) for name in ("vargte", "varlte"))
                assert low <= answer["value"] <= high


def test_a_card_asks_on_its_front_and_answers_on_its_back(written):
    *head, rest = (written / "questions.tsv").read_text(encoding="utf-8").split("\n", 3)
    assert head == ["#separator:tab", "#html:true", "#tags column:3"]
    for row, question in zip(csv.reader(rest.splitlines(), delimiter="\t"), QUESTIONS, strict=True):
        front, back, tags = row
        (right,) = (answer for answer in question["answers"] if answer["correct"])
        assert plain(front.replace("<br>", "\n").partition("<ul>")[0]) == question["question"]
        assert front.count("<li>") == sum("answer" in answer for answer in question["answers"])
        assert plain(back.replace("<br>", "\n")).endswith(right["feedback"])
        assert tags == f"Attention::lesson-{question['lesson']} difficulty-{question['difficulty']}"


def test_a_seed_draws_one_exam_of_all_levels_from_many_lessons_and_answers_it_elsewhere(monkeypatch, tmp_path, capsys):
    for name in ("ROOT", "BUILD"):
        monkeypatch.setattr(course, name, tmp_path)

    def written(seed):
        exam.main(["--seed", str(seed), "--questions", "12"])
        return [(tmp_path / name).read_text(encoding="utf-8") for name in capsys.readouterr().out.split()]

    first, again, other = written(7), written(7), written(8)
    assert first == again and first != other
    asked, answered = first
    assert "<b>" not in asked and "level" not in asked
    keys = re.findall(r"<b>(.*?)</b>: .* \((\w+)-[\w-]+, level (\d)\)</li>", answered)
    assert Counter(level for *_, level in keys) == {"1": 4, "2": 4, "3": 4}
    assert len({lesson for _, lesson, _ in keys}) == 12
    questions = re.findall(r"^<li>(<p>.*?)</li>$", asked, re.MULTILINE | re.DOTALL)
    for question, (right, *_) in zip(questions, keys, strict=True):
        choices = re.findall(r"<li>(.*?)</li>", question + "</li>")
        assert right == f"{right[0]}, {choices['abcd'.index(right[0])]}" if choices else float(right) in NUMBERS
    places = {place for seed in range(9) for place in re.findall(r"<b>([a-d]), ", written(seed)[1])}
    assert places == set("abcd")
