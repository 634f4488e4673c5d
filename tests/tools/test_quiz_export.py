"""The question bank as GIFT and as cards, read back and compared with the JSON."""

import csv
import html
import itertools
import json
import re

import pytest

from nmt_attention.disk.pairs import DATA_DIRECTORY
from tools import quiz_export

QUESTIONS = json.loads((DATA_DIRECTORY / "questions.json").read_text(encoding="utf-8"))
SPECIAL = r"\(x_{1} = ~2\): \n #3 \\ {"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    directory = tmp_path_factory.mktemp("quiz")
    quiz_export.main(["--output", str(directory)])
    return directory


def pieces(block):
    r"""Returns a block of GIFT as pieces: (sign, "") for each sign that is not escaped, and ("", text) between them."""
    found = []
    for escaped, sign, text in re.findall(r"\\(.)|([~=#{}:])|([^\\~=#{}:]+)", block):
        text = {"n": "\n"}.get(escaped, escaped) or text
        if sign or not found or found[-1][0]:
            found.append((sign, text))
        else:
            found[-1] = ("", found[-1][1] + text)
    return found


def read_gift(text):
    """Yields (category, name, question, whether it is numeric, [(sign, answer, feedback), …])."""
    category = None
    for block in text.strip().split("\n\n"):
        if block.startswith("$CATEGORY: "):
            category = block.removeprefix("$CATEGORY: ")
            continue
        found = pieces("\n".join(line for line in block.splitlines() if not line.startswith("//")))
        signs = [sign for sign, _ in found]
        assert signs[:2] == [":", ":"] and signs[3:5] == [":", ":"]
        assert signs[5:7] == ["", "{"] and signs.count("{") == signs.count("}") == 1 and signs[-1] == "}"
        numeric = signs[7] == "#"
        answers = []
        for sign, text in found[8 if numeric else 7 : -1]:
            if sign in ("=", "~"):
                answers.append([sign, "", None])
            elif sign == "#":
                assert answers[-1][2] is None, "two reasons"
                answers[-1][2] = ""
            elif answers:
                place = 1 if answers[-1][2] is None else 2
                answers[-1][place] += sign + text  # a colon comes before the tolerance
            else:
                assert not text.strip()
        yield category, found[2][1], found[5][1].strip(), numeric, [[part.strip() for part in one] for one in answers]


def plain(text):
    """Returns a text as in the JSON, from HTML."""
    text = re.sub("</?code>", "`", text)
    return html.unescape(re.sub("</?em>", "*", text))


def question_and_code(text):
    found = re.fullmatch(r"<p>(.*?)</p>(?:<pre><code>(.*)</code></pre>)?", text, re.DOTALL)
    return plain(found[1]), None if found[2] is None else html.unescape(found[2])


def test_gift_has_every_question_answer_and_reason(written):
    found = list(read_gift((written / "questions.gift").read_text(encoding="utf-8")))
    assert [name for _, name, *_ in found] == [question["id"] for question in QUESTIONS]
    for (category, _, text, numeric, answers), question in zip(found, QUESTIONS, strict=True):
        assert category == f"Attention/Lesson {question['lesson']}"
        assert text.startswith("[html]")
        assert question_and_code(text.removeprefix("[html]")) == (question["question"], question.get("code"))
        assert numeric == (question["type"] == "numeric")
        assert [plain(reason) for *_, reason in answers] == [answer["feedback"] for answer in question["answers"]]
        if not numeric:
            choices = [(sign == "=", plain(shown)) for sign, shown, _ in answers]
            assert choices == [(answer["correct"], answer["answer"]) for answer in question["answers"]]


def test_numbers_have_shares_and_tolerances_that_do_not_overlap(written):
    for _, name, _, numeric, answers in read_gift((written / "questions.gift").read_text(encoding="utf-8")):
        if not numeric:
            continue
        (question,) = (question for question in QUESTIONS if question["id"] == name)
        *numbers, (sign, shown, _) = answers
        assert (sign, shown) == ("~", ""), "the hint is for every other number"
        ranges = []
        for (sign, shown, _), answer in zip(numbers, question["answers"][:-1], strict=True):
            share, value, tolerance = re.fullmatch(r"%(\d+)%(-?[\d.]+):([\d.]+)", shown).groups()
            assert sign == "=" and share == ("100" if answer["correct"] else "0")
            assert float(value) == answer["value"]
            ranges.append((float(value) - float(tolerance), float(value) + float(tolerance)))
        ranges.sort()
        assert all(high < low + 1e-9 for (_, high), (low, _) in itertools.pairwise(ranges)), name


@pytest.mark.parametrize(
    ("value", "precision", "expected"), [(16, 5, 0.0005), (0.05, 1, 0.005), (10, 2, 0.5), (-0.1, 1, 0.05), (0, 1, 0)]
)
def test_a_number_may_be_off_by_half_of_its_last_digit(value, precision, expected):
    assert quiz_export.tolerance(value, precision) == pytest.approx(expected)


def test_signs_of_gift_are_escaped_in_every_text(tmp_path):
    assert quiz_export.escape("~=#{}:\\") == r"\~\=\#\{\}\:" + "\\\\"
    assert quiz_export.escape("a\nb") == r"a\nb"
    answers = [{"answer": SPECIAL, "correct": correct, "feedback": f"{SPECIAL} $x$"} for correct in (True, False)]
    question = {"id": "3-a:b", "lesson": 3, "difficulty": 1, "type": "multiple_choice", "question": SPECIAL}
    question |= {"code": "a = {1: '~'}  # \\n\n\nb = 2\t", "answers": answers}
    quiz_export.write([question], tmp_path)
    ((category, name, text, _, found),) = read_gift((tmp_path / "questions.gift").read_text(encoding="utf-8"))
    assert (category, name) == ("Attention/Lesson 3", "3-a:b")
    assert question_and_code(text.removeprefix("[html]")) == (SPECIAL, question["code"])
    assert [[sign, plain(shown), plain(reason)] for sign, shown, reason in found] == [
        [sign, SPECIAL, f"{SPECIAL} $x$"] for sign in "=~"
    ]


def test_a_card_asks_on_its_front_and_answers_on_its_back(written):
    head, rows = (written / "questions.tsv").read_text(encoding="utf-8").split("\n<", 1)
    assert head.splitlines() == ["#separator:tab", "#html:true", "#tags column:3"]
    lines = f"<{rows}".splitlines()
    for row, question in zip(csv.reader(lines, delimiter="\t"), QUESTIONS, strict=True):
        front, back, tags = row
        (right,) = (answer for answer in question["answers"] if answer["correct"])
        asked, _, choices = front.partition("<ul>")
        assert question_and_code(asked.replace("<br>", "\n")) == (question["question"], question.get("code"))
        found = [plain(choice) for choice in re.findall("<li>(.*?)</li>", choices)]
        assert found == [answer["answer"] for answer in question["answers"] if "answer" in answer]
        shown = right.get("answer") or f"{right['value']:g}"
        answer, reason = re.fullmatch("<p><b>(.*)</b></p><p>(.*)</p>", back).groups()
        assert (plain(answer), plain(reason)) == (shown, right["feedback"])
        assert tags == f"Attention::lesson-{question['lesson']} difficulty-{question['difficulty']}"
