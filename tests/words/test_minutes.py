"""The minutes of README, guide, lessons, cards and the page for teachers, and the plans that are made of them."""

import re

import nbformat
import pytest
from stored import CARDS, GUIDE, LESSONS, README, TEACH, dead_links, read
from test_guide import exists

from tools.teaching import course, minutes

text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
TEXT = TEACH.read_text(encoding="utf-8")
PLANS = minutes.PLAN.findall(minutes.page(TEXT))


def test_minutes_of_words_lines_figures_and_predictions():
    drawn = [nbformat.v4.new_output("display_data", {"image/png": "", "text/plain": ""})]
    cells = [text("# Title " + "word " * 64), code("import set_up"), text("## 1. One\n\n" + "word " * 130 + "?")]
    cells += [code("a\n\nb\nc"), text("Now:\n\n## 2. Two"), code("d\ne\nf", outputs=drawn)]
    cells += [text('<img src="x" alt="many words here">\n\n## Exercises\n\n' + "word " * 900), code("x\n" * 900)]
    found = minutes.by_part(nbformat.v4.new_notebook(cells=cells))
    expected = {"": 65 / 130, "1. One": 1 + 2 + 1 + 1 / 130, "2. Two": 1 + 1 + 1}
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("path", [README, GUIDE, CARDS, TEACH], ids=["README", "guide", "cards", "teach"])
def test_minutes_on_a_page_are_those_of_the_lessons(path):
    page = path.read_text(encoding="utf-8")
    assert page == minutes.page(page), "python -m tools.teaching.minutes"
    assert len(minutes.TOTAL.findall(page)) == (path != CARDS)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_states_its_minutes(path):
    opening = read(path).cells[0].source
    assert len(minutes.OPENING.findall(opening)) == 1
    assert opening == minutes.opening(opening, course.number(path)), "python -m tools.teaching.minutes"


def test_every_lesson_has_its_minutes_in_guide_and_cards_and_the_core_path_in_the_readme():
    guide, cards, readme = (path.read_text(encoding="utf-8") for path in (GUIDE, CARDS, README))
    assert [card[2] for card in minutes.CARD.finditer(cards)] == list(minutes.LESSONS)
    further = [path.stem for path in LESSONS if path not in course.core_path()]
    core = [path.stem for path in course.core_path()]
    assert [row[2] for row in minutes.ROW.finditer(guide)] == core + further
    assert [row[2] for row in minutes.ROW.finditer(readme)] == core


def test_plans_fit_and_each_has_a_transformer():
    plans = re.split(r"^\| (?=ninety|one day, m|one week|three weeks)", TEXT, flags=re.MULTILINE)[1:]
    assert len(plans) == 4 and all(re.search(r"[|;] 10\b", plan) for plan in plans)
    assert len(PLANS) == 1 + 2 + 3 + 9
    for _, listed, length, before in PLANS:
        assert 5 <= int(length) - minutes.of_plan(listed) <= 40 and minutes.of_plan(before) <= 60, listed


def test_cards_give_holes_the_minutes_of_their_lessons():
    cards = re.split("^## Lesson ", CARDS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    written = {card.split(":")[0]: int(found[1]) for card in cards if (found := minutes.WRITING.search(card))}
    assert list(written) == ["2", "4"] == [name for name in written if minutes.writing(name) == written[name]]
    assert minutes.of_plan("exercise 1.1; holes 2") == 15 + written["2"] and minutes.of_plan("–") == 0


def test_the_core_path_takes_less_than_five_hours_and_rounding_hides_nothing():
    exact = sum(sum(minutes.by_part(course.read(path)).values()) for path in course.core_path())
    assert abs(minutes.core_minutes() - exact) <= 2.5 and exact <= 300


def test_the_page_for_teachers_is_one_page_and_names_what_exists():
    assert len(TEXT.split()) <= 800
    assert not dead_links(TEXT, TEACH.parent)
    for name in re.findall(r"`([^`]+)`", TEXT):
        assert exists(name), name
