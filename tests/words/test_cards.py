"""The cards: their form, the sections and points that they name, and what they tell a teacher to open and type."""

import re

import pytest
from stored import CARDS, LESSONS, every_lesson, markdown, read

from nmt_attention.cli.main import make_parser
from tools.teaching import autograde, course

LESSON, PAGE = CARDS.read_text(encoding="utf-8").split("\n## Three minutes with the page\n")
FORM = re.compile(
    r"- \*\*Goal:\*\* .+?\n- \*\*Minutes:\*\* \d+.*?\n- \*\*Before class:\*\* .+?\n\n\*\*Predictions\*\*\n\n(- .+?)\n\n"
    r"\*\*Say\*\*\n\n(\*\*.+?)\n\n\*\*Misconceptions\*\*\n\n(- \*.+?)\n\n\*\*Exercise:\*\* (.+)",
    re.DOTALL,
)
CARD = re.compile(r"^## Lesson (\w+): .*\n\n((?:(?!## ).*\n?)*)", re.MULTILINE)
PARTS = {number: FORM.fullmatch(card.strip()) for number, card in CARD.findall(LESSON)}
WEB = "".join(path.read_text(encoding="utf-8") for path in course.ROOT.glob("nmt_attention/deploy/web/*.[hj]*"))


def test_each_lesson_has_a_card_and_its_slides_what_the_card_says():
    assert list(PARTS) == [course.number(path) for path in LESSONS]
    assert not [number for number, card in PARTS.items() if not card]
    assert course.scripts() == {number: card[2] for number, card in PARTS.items()}
    assert all(len(re.findall(r"^\*\*", script, re.MULTILINE)) >= 2 for script in course.scripts().values())


@every_lesson
def test_a_card_predicts_what_its_lesson_has(path):
    text, predictions = markdown(path), PARTS[course.number(path)][1]
    places = re.findall(r"^- (?:§ (\d)|Exercise (\d+\.\d)|Title|\*Expect\*)", predictions, re.MULTILINE)
    assert len(places) == len(re.findall("^- ", predictions, re.MULTILINE))
    for section, exercise in places:
        assert not section or f"\n## {section}. " in text, section
        assert not exercise or f"\n**{exercise} " in text, exercise


@every_lesson
def test_a_card_has_the_points_of_every_exercise(path):
    graded = {}
    for exercise in autograde.exercises(read(path)):
        graded[re.match(r"\*\*([\d.]+(?: [a-z](?=\.))?)", exercise.text)[1]] = sum(exercise.points())
    listed = re.findall(r"(\d+\.\d(?: [a-z]\b)?)[^()]* \((\d+)", PARTS[course.number(path)][4])
    assert {name: int(points) for name, points in listed} == graded


@pytest.mark.parametrize("command", re.findall(r"nmt-attention ([^\n`]+)|`(export [^`]+)`", PAGE))
def test_commands_exist(command):
    make_parser().parse_args("".join(command).split())


def test_buttons_and_switches_exist():
    names = set(re.findall(r"\b(?:[Pp]ress|[Cc]hoose|[Oo]pen|[Ss]et) \*([^*]+)\*", " ".join(PAGE.split())))
    assert {"Step by step", "Other translations", "uniform"} <= names
    assert not [name for name in names if not re.search(rf"> ?{re.escape(name)} ?[<:]", WEB)]
