"""The course's site without building it: what Sphinx is given, and what its pages say and link to."""

import re
from pathlib import Path

import nbformat
import pytest

from tools.teaching import course
from tools.teaching import site as build_site

LESSONS = [path.name for path in course.lesson_paths()]
NOTEBOOKS, OF_A_CELL = [path.name for path in course.notebook_paths()], ("input", "output")
INDEX = (build_site.SITE / "index.md").read_text(encoding="utf-8")


def lesson(name, **options):
    return build_site.site_version(course.read(course.NOTEBOOKS / name), name, **options)


def markdown(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


@pytest.fixture(scope="module")
def gathered(tmp_path_factory):
    directory = tmp_path_factory.mktemp("site") / "source"
    build_site.gather(directory)
    return directory


def test_every_link_between_pages_leads_to_a_file_that_is_there(gathered):
    found = 0
    for path in gathered.rglob("*.md"):
        for link in build_site.LINK.findall(path.read_text(encoding="utf-8")):
            assert (path.parent / link).is_file(), f"{path.name}: {link}"
            found += 1
    assert found > 70


def test_every_page_is_in_the_contents_and_every_lesson_in_the_table_of_the_first_page(gathered):
    groups = re.findall(r"^\.\./(notebooks/[\d\[].*)$", INDEX, re.MULTILINE)
    names = [path.name for group in groups for path in sorted(gathered.glob(f"{group}.ipynb"))]
    assert sorted(names) == LESSONS and names[: len(course.CORE)] == [path.name for path in course.core_path()]
    listed = {f"{name}.md" for name in re.findall(r"^(?:\S.* <)?\.\./([a-zA-Z]\S*?)>?$", INDEX, re.MULTILINE)}
    pages = {"notebooks/assignment.md", "notebooks/whole_translator.md"}
    assert {name for name in listed if not re.match(r"notebooks/[\d\[]", name)} == {*build_site.DOCUMENTS, *pages}
    start, end = re.findall(r'^:(?:start-after|end-before): "(.*)"$', INDEX, re.MULTILINE)
    table = (course.ROOT / "README.md").read_text(encoding="utf-8").split(start)[1].split(end)[0]
    assert sorted(re.findall(r"\]\(notebooks/(.*?)\)", table)) == NOTEBOOKS


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_set_up_is_left_out_and_solutions_and_answers_are_folded_below_what_asks(name):
    before, made = course.read(course.NOTEBOOKS / name), lesson(name, repository="owner/name")
    solved, answers = ([cell for cell in made.cells if f"hide-{part}" in course.tags(cell)] for part in OF_A_CELL)
    solutions = [cell for cell in before.cells if course.is_solution(cell)]
    assert not any("set_up" in cell.source for cell in made.cells)
    for solution, shown in zip(solutions, solved, strict=True):
        start = made.cells[made.cells.index(shown) - 1]
        assert start.source == course.without_solution(solution.source) and not course.tags(start)
        lines = [line for line in solution.source.splitlines() if line.strip() not in (course.BEGIN, course.END)]
        assert shown.source.splitlines() == lines
        assert shown.metadata["mystnb"]["code_prompt_show"] == "Show the solution"
    assert (build_site.FOLDED in markdown(made)) == bool(solutions) and course.SOLVED not in markdown(made)
    assert bool(answers) == (name in LESSONS)
    for cell in answers:
        assert cell.outputs and cell.metadata["mystnb"]["code_prompt_show"] == "Show the answer"
        texts = (each for each in made.cells[made.cells.index(cell) :: -1] if each.cell_type == "markdown")
        assert course.asks(next(texts).source) and "picture" not in course.tags(cell)
        assert not any("text/html" in output.get("data", {}) for output in cell.outputs)  # a widget
    assert len({cell.id for cell in made.cells}) == len(made.cells)
    assert not re.search(r'!\[.*?\]\(http|src="http', markdown(made)), "loaded from elsewhere"
    address = f"https://colab.research.google.com/github/owner/name/blob/main/notebooks/{name}"
    assert markdown(made).count(f'<a class="site-button" href="{address}">Open in Colab</a>') == 1


def test_a_widget_takes_the_place_of_the_picture_at_the_top_and_without_a_repository_there_is_no_button():
    assert "colab" not in markdown(lesson(LESSONS[0])).lower()
    with pytest.raises(ValueError, match="REPOSITORY: expected owner/name"):
        lesson(LESSONS[0], repository="name")
    plain, made = lesson(LESSONS[0]), lesson(LESSONS[0], widget="<p>\n\nplay</p>")
    before, widget, after = made.cells[:3]
    assert widget.outputs[0].data["text/html"] == "<p>\n\nplay</p>"
    assert widget.source and course.tags(widget) == ["remove-input"]
    assert before.source.startswith("# 0. ") and after.source.lstrip().startswith("## You will be able to")
    assert not build_site.PICTURE.search(before.source + after.source)
    assert [cell.source for cell in made.cells[3:]] == [cell.source for cell in plain.cells[1:]]


def test_stored_descriptions_of_figures_are_passed_on_also_where_they_are_folded():
    def cell(*alts, tags=()):
        about = [{"image/png": {"alt": alt} if alt else {}} for alt in alts]
        outputs = [nbformat.v4.new_output("display_data", {"image/png": ""}, metadata=each) for each in about]
        return nbformat.v4.new_code_cell("x", outputs=outputs, metadata={"tags": list(tags)})

    title, guess = map(nbformat.v4.new_markdown_cell, ('# 1. X\n<img src="pictures/01.png" alt="the title">', "Guess!"))
    cells = [title, cell(), cell("one", "two"), cell(""), cell("x", tags=["picture"]), guess, cell("answer")]
    made = build_site.site_version(nbformat.v4.new_notebook(cells=cells), LESSONS[1]).cells
    alts = [each.metadata.get("mystnb", {}).get("image", {}).get("alt") for each in made if each.cell_type == "code"]
    assert alts == ["one two", None, "the title", "answer"]
    assert made[-1].metadata["mystnb"]["code_prompt_show"] == "Show the answer"


def test_a_page_that_links_to_a_missing_file_is_refused(monkeypatch, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.md").write_text("[x](../docs/none.png)", encoding="utf-8")
    monkeypatch.setattr(build_site, "SITE", tmp_path / "site")
    with pytest.raises(FileNotFoundError, match=re.escape("docs/none.png")):
        build_site.gather(tmp_path / "source")


def test_the_front_page_holds_the_translator_and_lessons_lead_to_it(gathered):
    assert '<iframe class="stage" src="translator.html"' in (gathered / "index.md").read_text(encoding="utf-8")
    for name in ("00_the_question", "09_attention_heatmaps"):
        picture = course.read(gathered / "notebooks" / f"{name}.ipynb").cells[1].outputs[0].data["text/html"]
        assert build_site.SHOWN[name[:2]].split()[0] in picture and "nmt-attention" in picture
    with_link = [name for name in NOTEBOOKS if build_site.TRY in markdown(lesson(name))]
    assert [course.short_name(Path(name)) for name in with_link] == list(build_site.TRANSLATOR)
