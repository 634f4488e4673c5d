"""The minutes of reading that are stated of lessons."""

import re

import nbformat
import pytest

from tools.teaching import course, minutes

PATHS = (*course.CORE, *course.SECOND)
text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell


def test_minutes_of_words_lines_figures_and_predictions():
    drawn = [nbformat.v4.new_output("display_data", {"image/png": "", "text/plain": ""})]
    cells = [text("# Title " + "word " * 64), code("import set_up"), text("## 1. One\n\n" + "word " * 130 + "?")]
    cells += [code("a\n\nb\nc"), text("Now:\n\n## 2. Two"), code("d\ne\nf", outputs=drawn)]
    cells += [text('<img src="x" alt="many words here">\n\n## Exercises\n\n' + "word " * 900), code("x\n" * 900)]
    found = minutes.by_part(nbformat.v4.new_notebook(cells=cells))
    expected = {"": 65 / 130, "1. One": 1 + 2 + 1 + 1 / 130, "2. Two": 1 + 1 + 1}
    assert found == pytest.approx(expected)


def test_a_plan_takes_a_slow_reader_s_minutes_and_fits_its_meeting():
    reading, holes, quiz, _ = minutes.all_told("3")
    talk = len(course.scripts()["3"].split()) / 110
    assert minutes.of_plan("3; holes 3") == round(reading + holes)
    assert minutes.of_plan("4") == round(minutes.all_told("4")[0] + 3)
    paper = 4 * minutes.PAPER  # four scores, their context, an additive score, and the table of lesson 3
    assert minutes.of_plan("start; 3; exercise 3.2", in_class=True) == round(10 + reading + 15 + talk + paper + quiz)
    plans = re.findall(r"\| (\d+) of (\d+) \|", (course.NOTEBOOKS / "TEACH.md").read_text(encoding="utf-8"))
    assert plans and all(int(taken) <= int(meeting) for taken, meeting in plans)
    for number, (_, spent) in minutes.RUNNING.items():
        opening = " ".join(course.read(minutes.LESSONS[number]).cells[0].source.split())
        stated = {2: "two", 3: "three", 4: "four", 7: "seven"}[spent]
        assert re.search(f"{stated} (minutes )?to run", opening), number


def test_a_page_gets_the_minutes_of_its_lessons():
    rows = "| the core path | 999 |\n| the second path | 999 | 999 |\n\n| the second path | the question |"
    page = minutes.page(f"| [00](00_the_question.ipynb) | a | 999 min |\n\n999 minutes of reading\n\n{rows}")
    core, second = minutes.of_path(), minutes.of_path(course.SECOND)
    assert "999" not in page and f"{core[0]} minutes of reading" in page
    assert page.endswith("| the second path | the question |")
    for name, (fast, *asked, told, exercises, together) in (("core", core), ("second", second)):
        row = " | ".join(map(str, [fast, *asked, told, exercises, together]))
        assert f"| the {name} path | {row} |" in page and fast < asked[0]
        assert abs(sum(asked) - told) <= 5 >= abs(told + exercises - together), "rounded after they are added"
    assert minutes.page(page) == page


def test_pages_state_the_minutes_of_today_and_the_clock_of_each_card_on_a_path_adds_up_to_its_plan():
    texts = [path.read_text(encoding="utf-8") for path in minutes.PAGES]
    assert [minutes.page(text) for text in texts] == texts
    clocks = {number: minutes.clock(number) for number in map(course.number, course.core_path(PATHS))}
    assert [number for _, number in minutes.CLOCK.findall("".join(texts))] == list(clocks)
    for number, clock in clocks.items():
        spent = sum(map(int, re.findall(r"(?:html|talk|paper|vote|run|quiz) (\d+)", clock)))
        assert spent == minutes.of_plan(number, in_class=True) and clock.endswith(f"; {spent} in all"), number


def test_before_a_first_class_a_teacher_reads_at_most_800_words_of_the_page_and_the_cards():
    page, cards = ((course.NOTEBOOKS / name).read_text(encoding="utf-8") for name in ("TEACH.md", "CARDS.md"))
    (head, *_), (first, *_) = cards.split("## Lesson 0: "), page.split("## If it goes wrong")
    for number in map(course.number, course.core_path()):
        (card,) = re.findall(rf"^## Lesson {number}: (?:(?!## ).*\n)+", cards, re.MULTILINE)
        assert len((first + head + card).split()) <= 800, number
