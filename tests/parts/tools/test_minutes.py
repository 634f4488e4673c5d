"""The minutes of reading that are stated of lessons."""

import nbformat
import pytest

from tools.teaching import course, minutes

text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell


def test_minutes_of_words_lines_figures_and_predictions():
    drawn = [nbformat.v4.new_output("display_data", {"image/png": "", "text/plain": ""})]
    cells = [text("# Title " + "word " * 64), code("import set_up"), text("## 1. One\n\n" + "word " * 130 + "?")]
    cells += [code("a\n\nb\nc"), text("Now:\n\n## 2. Two"), code("d\ne\nf", outputs=drawn)]
    cells += [text('<img src="x" alt="many words here">\n\n## Exercises\n\n' + "word " * 900), code("x\n" * 900)]
    found = minutes.by_part(nbformat.v4.new_notebook(cells=cells))
    expected = {"": 65 / 130, "1. One": 1 + 2 + 1 + 1 / 130, "2. Two": 1 + 1 + 1}
    assert found == pytest.approx(expected)


def test_a_page_gets_the_minutes_of_its_lessons():
    stated = "The core path takes 999 minutes to read, and 999 in all. The second path takes\n999 minutes to read, "
    stated += "and 999 in all."
    page = minutes.page(f"| [00](00_the_question.ipynb) | a | 999 min |\n\n999 minutes of reading\n\n{stated}")
    (reading, told), second = minutes.core_minutes(), minutes.core_minutes(course.SECOND)
    assert "999" not in page and f"{reading} minutes of reading" in page
    assert f"takes {reading} minutes to read, and {told} in all" in page and reading < told
    assert f"takes\n{second[0]} minutes to read, and {second[1]} in all" in page
    assert minutes.page(page) == page
