"""What is made of the lessons: learners' copies, slides, figures and badges; each is made of one small lesson."""

import copy
import html
import re
import shutil

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from tools.teaching import course, slides

ROOT = course.ROOT
text, code, notebook = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell, nbformat.v4.new_notebook


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """Writes a lesson with these cells to an empty directory, which is then the course's; returns its path."""
    for name, place in {"ROOT": "", "NOTEBOOKS": "", "ASSIGNMENT": "assignment.ipynb", "BUILD": "build"}.items():
        monkeypatch.setattr(course, name, tmp_path / place)

    def write(**cells):
        path = tmp_path / "01_tiny.ipynb"
        made = [code(source, id=name) for name, source in cells.items()]
        nbformat.write(notebook(cells=made), path)
        return path

    return write


def test_the_start_of_an_exercise_is_indented_as_its_solution_whose_markers_are_needed():
    source = f"def f(x):\n    y = x\n    {course.BEGIN}\n    if y:\n        return y\n    {course.END}\nprint(f)"
    start = "def f(x):\n    y = x\n    # YOUR CODE HERE\n    raise NotImplementedError()\nprint(f)"
    assert course.without_solution(source) == start
    for wrong in ("x = 1", f"{course.BEGIN}\nx = 1", course.END, f"{course.BEGIN}\n{course.BEGIN}"):
        with pytest.raises(ValueError, match="SOLUTION"):
            course.without_solution(wrong)


def test_the_readme_clones_the_repository_that_badges_lead_to_which_is_owner_and_name(monkeypatch, tmp_path):
    for repository in ("", "name", "https://github.com/owner/name", "owner/na me"):
        with pytest.raises(SystemExit, match="REPOSITORY: expected owner/name"):
            course.main(["badges", repository])
    with pytest.raises(ValueError, match="01_x.ipynb: expected one badge"):
        course.stamp(notebook(), "01_x.ipynb", "owner/name")
    shutil.copy(course.ROOT / "README.md", tmp_path)
    monkeypatch.setattr(course, "ROOT", tmp_path)
    monkeypatch.setattr(course, "notebook_paths", list)
    for repository in ("owner/name", "other/fork"):
        course.main(["badges", repository])
        text = (tmp_path / "README.md").read_text(encoding="utf-8")
        assert f"git clone https://github.com/{repository} nmt_attention\n" in text


def test_two_trees_are_written_for_learners_and_for_teachers_with_slides_of_forty_words(monkeypatch, tmp_path, capsys):
    (path,) = paths = course.core_path(["04"])
    places = dict.fromkeys(["BUILD", "ROOT"], tmp_path)
    for name, value in (places | dict.fromkeys(["lesson_paths", "notebook_paths"], lambda: paths)).items():
        monkeypatch.setattr(course, name, value)
    monkeypatch.setattr(course, "write_wheel", lambda directory: directory / "package-1.0.whl")
    for task in ("student", "teacher"):
        course.main([task])
    given = {file.name for file in (tmp_path / "student").iterdir()}
    assert {path.name, "README.md", "AGENTS.md", "set_up.py"} <= given
    assert not given & {"TEACH.md", "CARDS.md", "ASSESS.md", course.PAGE.name, "quiz", "slides", "sheets"}
    assert (tmp_path / "student" / "requirements.txt").read_text() == "./package-1.0.whl[lessons]\n"
    assert "pip install -r requirements.txt\njupyter lab\n" in (tmp_path / "student" / "README.md").read_text("utf-8")
    kept = {str(file.relative_to(tmp_path / "teacher")) for file in (tmp_path / "teacher").rglob("*")}
    assert {path.name, "CARDS.md", "ASSESS.md", "quiz/questions.gift", "quiz/questions.qti.zip"} <= kept
    sheet, key = ((tmp_path / "teacher" / "sheets" / name).read_text("utf-8") for name in ("04.html", "04-key.html"))
    assert [("(B, S, H)" in x, "Stuck:" in x, x.count("<li>")) for x in (sheet, key)] == [(0, 0, 23), (1, 1, 23)]
    assert "SOLUTION" in (tmp_path / "teacher" / path.name).read_text(encoding="utf-8")
    for page in [tmp_path / "teacher" / path.name, *(tmp_path / "teacher").rglob("*.md")]:
        linked = re.findall(r"\]\(([\w./-]+\.(?:md|json))", page.read_text(encoding="utf-8"))
        assert all((page.parent / name).is_file() for name in linked), page
    slides = (tmp_path / "teacher" / "slides" / f"{path.stem}.html").read_text(encoding="utf-8")
    assert not re.search(r"google\.colab|SOLUTION|(src|href)=.?http", slides) and slides.count("<img") == 2
    shown = re.findall(r"<section(?: class=\"below\")?>(.*?)</section>\n<aside>(.*?)</aside>", slides, re.DOTALL)
    assert len(shown) == slides.count("<section") > 10 and all(notes for _, notes in shown)
    cells = [cell for cell in course.read(path).cells if not course.is_check(cell)]
    lines = "".join(output.get("text", "") for cell in cells for output in cell.get("outputs", ())).splitlines()
    assert slides.count("@font-face") == 1 and all(html.escape(line) in slides for line in lines)
    for page, _ in shown:  # formulas apart, and what cells show
        page = re.sub(r"<(svg|iframe|pre|ol).*?</\1>", "", page, flags=re.DOTALL)
        assert len(re.findall(r"\w\S*", re.sub(r"<.*?>", " ", page))) <= 40
    assert capsys.readouterr().out.startswith("student: 1 notebooks\nteacher/slides: 1 lessons\n")


def test_slides_leave_folded_answers_to_the_notes_and_go_on_on_the_next_page():
    """Nothing else of a text is left out; an exercise and a table have pages of their own."""
    answer = "<details><summary>Answer</summary>\n\nIt is 4.\n\n$$4$$\n\n</details>"
    first = f"# 1. Tiny\n\nText.\n\n## 1. Sum\n\nWhat is\n  it: 2 + 2? *I. Say.*\n\n{answer}\n\n- **Why?** See."
    first += f"\n\n**1.1 A. Task.** Do it.{' Long' * 26}. Again,{' so' * 26}."
    last = "**Stop here** now.\n\n## 2. More\n\nMore:\n\n    2\n\n| | *b* |\n| --- | --- |\n| 1 | 2 |\n\n`Less` is."
    made = [*slides.pages(notebook(cells=[text(first), code(), text(answer), code(), text(last)]), "")]
    _, page, task, rest, more, table, less = made
    assert [each for each in made if not each.startswith("<section>")] == [rest, less], "what is below the main line"
    shown, notes = page.split("<aside>")
    assert "<p>What is it: 2 + 2? <em>I. Say.</em><p>• <em>Why?</em> See.</section>" in shown and "It is 4." in notes
    assert not re.search("4</|svg|Task", shown)
    assert f"<h2>1. Sum</h2><p><em>1.1 A. Task.</em> Do it.{' Long' * 26}.</section>" in task and "It is 4." in task
    assert f"<h2>1. Sum</h2><p>Again,{' so' * 26}.</section>" in rest and "It is 4." in rest and "Task" not in rest
    assert "<h2>2. More</h2><p>More:<pre" in more and "It is 4." in more and "Stop here now." in more
    assert "<table><tr><td> <td> <em>b</em> <tr><td> 1 <td> 2 </table></section>" in table
    assert "<h2>2. More</h2><p><code>Less</code> is.</section>" in less


def test_what_a_card_says_is_a_note_of_the_section_that_its_cue_names_and_what_a_class_darkens_is_there():
    first = text('# 1. Tiny\n\n<img src="pictures/00.png" alt="">\n\nA\n\n## 1. One\n\nYou darken.\n\n## 2. Two\n\nB.')
    made = notebook(cells=[first, text("C.\n\n|a|\n\nThe *word*.\n\n## 10. End\n\nD.")])
    script = "**Title picture.** t\n\n**Section 2, at “The word”.** w\n\n**Section 2.** s\n\n**Section 10.** d"
    found = [page.split("<aside>") for page in slides.pages(made, script)]
    said = [(re.findall(r"Say: .*? (\w)$", note, re.MULTILINE), page.count("<img")) for page, note in found]
    assert said == [(["t"], 1), ([], 1), (["s"], 0), ([], 0), ([], 0), (["w"], 0), (["d"], 0)]


def test_what_a_row_of_the_table_names_begins_a_page_on_the_main_line_or_below_it_and_must_be_there():
    made = [text("# 0. T\n\nA.\n\n## 1. B\n\nC. Copy\nthe table. If you knew both. For each row, from top\n- Marathi")]
    with pytest.raises(ValueError, match=r"lesson 0 begins with Write down what you expect$"):
        made += slides.pages(notebook(cells=made), "", "0")
    shown = [re.findall(r"<section( ?).*</h2><p>([\w ]+)", page) for page in made[2:5]]
    assert shown == [[("", "C")], [("", "Copy the table")], [(" ", "If you knew both")]]


@pytest.mark.parametrize("number", course.scripts())
def test_every_cue_of_a_card_is_said_at_a_page_of_the_slides(number):
    (path,) = (path for path in course.lesson_paths() if course.number(path) == number)
    notes = "".join(slides.pages(course.read(path), script := course.scripts()[number], number))
    assert course.short_name(path) not in (*course.CORE, *course.SECOND) or 10 < notes.count("<section>") <= 25, number
    for paragraph in script.split("\n\n"):
        assert slides.CUE.match(paragraph) and html.escape(slides.plain(paragraph)) in notes, paragraph[:60]


def test_what_is_to_open_later_is_folded_and_lessons_lead_to_the_next(tiny):
    nbformat.write(notebook(cells=[text("# 2. More")]), tiny(x="").parent / "02_more.ipynb")
    shown, again = ([nbformat.v4.new_output("stream", text="4")] for _ in range(2))
    widget = [nbformat.v4.new_output("display_data", {"text/html": "<p>"})]
    about = {"nbgrader": {"solution": True}, "jupyter": {"outputs_hidden": True}}
    solution = code(f"{course.BEGIN}\n{course.END}", metadata=about)
    cells = [text("# 1. Tiny"), code("import set_up"), text("**Predict** 2 + 2."), code("2 + 2", outputs=shown)]
    cells += [code("w", outputs=widget), solution, text("Now look."), code("4", outputs=again)]
    made = course.folded(notebook(cells=cells), "01_tiny.ipynb")
    hidden = [list(cell.metadata.get("jupyter", {})) for cell in made.cells if cell.cell_type == "code"]
    assert hidden == [["source_hidden"], ["outputs_hidden"], [], ["source_hidden"], []]
    assert (shown[0].text, again[0].text) == (course.VEIL + "4", "4")  # folded, its first line would still be read
    assert made.cells[1].id == course.RUN_FIRST and made.cells[2].source == "import set_up"
    assert made.cells[-1].source == "[▸ 2. More](02_more.ipynb)"
    assert course.folded(copy.deepcopy(made), "01_tiny.ipynb") == made
    assert course.without_added_cells(made).cells == cells
    assert course.next_lesson("02_more.ipynb") is None


def test_the_two_paths_lead_on_and_further_lessons_have_no_order():
    further = set(course.lesson_paths())
    for names in (course.CORE, course.SECOND):
        path = course.core_path(names)
        assert [course.short_name(each) for each in path] == list(names)
        assert [course.next_lesson(each.name) for each in path] == [*path[1:], None]
        further -= set(path)
    assert not any(course.next_lesson(path.name) for path in [*further, course.PAGE])
    assert course.short_name(course.next_lesson(course.ASSIGNMENT.name)) == "09"


def test_figures_are_written_as_svg_and_the_notebook_stays_as_it_is(tiny, tmp_path, capsys):
    setup = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom nmt_attention import set_up_figures; set_up_figures()"
    draw = "from matplotlib.figure import Figure\nfor word in ('क्षि', 'घर'):\n    figure = Figure()\n"
    draw += "    _ = figure.text(0.5, 0.5, word, family='Mukta'); _ = figure.add_subplot()\n    display(figure)"
    path = tiny(up=setup, pair=draw, silent="1 + 1", single="figure")
    before, figures = path.read_bytes(), tmp_path / "build" / "figures"
    figures.mkdir(parents=True)
    for name in ("01_gone.svg", "02_kept.svg"):
        (figures / name).touch()
    course.main(["figures", "01"])
    written = sorted(file.name for file in figures.iterdir())
    assert written == ["01_pair-1.svg", "01_pair-2.svg", "01_single.svg", "02_kept.svg"]
    pictures = [(figures / name).read_text(encoding="utf-8") for name in written[:3]]
    assert all("<svg" in picture and "<text" not in picture for picture in pictures) and pictures[0] != pictures[1]
    assert path.read_bytes() == before and "build/figures/01_pair-1.svg\n" in capsys.readouterr().out


def test_lessons_are_tried_without_keeping_anything(tiny, capsys):
    path = tiny(one="print(1)")
    nbformat.write(notebook(), course.ASSIGNMENT)
    before = path.read_bytes()
    course.main(["try"])
    assert path.read_bytes() == before and capsys.readouterr().out == "01_tiny.ipynb\nassignment.ipynb\n"
    tiny(one="1 / 0")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        course.main(["try", "01"])
