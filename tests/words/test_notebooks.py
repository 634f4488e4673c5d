"""Lessons and assignment as they are stored: their form, outputs, pictures, imports, and the copies for learners."""

import ast
import base64
import copy
import itertools
import re
import statistics

import nbformat
import pytest
from stored import GUIDE, LESSONS, NOTEBOOKS, code_cells, dead_links, imports_beside_the_face, markdown, read

from nmt_attention.lesson.quiz import quiz_html, read_questions
from tools.teaching import course

OF_THE_OPENING = ["# ", "## You will be able to", "## Check yourself", "## Next"]
HEADINGS = ["# ", "## You will be able to", "## Limits", "## Check yourself", "## Exercises"]
HEADINGS += ["## Summary", "## Sources", "## Next"]
MACHINE = r"(?<![\w/.:])/(?:work|home|root|tmp|usr|var|opt|mnt|content|Users)/|\b[A-Z]:\\"
PROGRESS = r"\r|█|━|\bit/s\b|\bETA\b|tokens/s|\w*Warning\b"
TIME = r"\d ?(?:ms|milliseconds|s|sec|seconds|minutes)\b"
OPENING, PAGE = "00_the_question", "whole_translator"  # have no exercises; the page stands alone
IMAGE = re.compile(r'<img src="(.*?)" width="\d+" alt="(.*?)">')
every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def exercises(notebook):
    """Returns (solution, check) of every exercise; the check follows its solution."""
    return [pair for pair in itertools.pairwise(notebook.cells) if course.is_solution(pair[0])]


@every_notebook
def test_form(path):
    notebook, code = read(path), code_cells(path)
    nbformat.validate(notebook)
    assert notebook.metadata == course.METADATA  # no widgets, nothing of the machine, and no AI in Colab
    shown = [cell for cell in code if not (course.is_solution(cell) or course.is_check(cell))]
    assert path not in LESSONS or statistics.median(len(cell.source.splitlines()) for cell in shown) <= 10
    assert path.stem == PAGE or code[0].source == code_cells(LESSONS[0])[0].source, "set-up"
    assert notebook == course.folded(copy.deepcopy(notebook), path.name), "python -m tools.teaching.course fold"
    assert not any("nbval-ignore-output" in course.tags(cell) for cell in code)  # only what is tagged is compared
    for cell in code:
        ast.parse(cell.source)  # no magics: what a lesson does can be run anywhere
        assert max(map(len, cell.source.splitlines())) <= 120
    assert not dead_links(markdown(path), path)
    assert not imports_beside_the_face("\n".join(cell.source for cell in code))


@every_lesson
def test_order_of_the_template(path):
    lines, first = markdown(path).splitlines(), read(path).cells[0].source
    headings = OF_THE_OPENING if path.stem == OPENING else HEADINGS
    places = [next((i for i, line in enumerate(lines) if line.startswith(heading)), -1) for heading in headings]
    assert places == sorted(places) and places[0] == 0, dict(zip(headings, places, strict=True))
    assert re.match(rf"# {course.number(path)}\. \S", first)
    assert f'<img src="pictures/{course.short_name(path)}.png"' in first


@every_notebook
def test_stored_outputs_are_of_one_clean_run(path):
    code = code_cells(path)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    shown = [cell.source for cell in read(path).cells]
    for cell in code:
        for output in cell.outputs:
            assert output.output_type != "error" or "raises-exception" in course.tags(cell)
            assert output.get("name") != "stderr", output.text
            assert not re.search(TIME, output.get("text", "")), "it would differ in every run"
            shown.append(output.get("text", ""))
            shown += [str(value) for kind, value in output.get("data", {}).items() if not kind.startswith("image/")]
    for unwanted in (MACHINE, PROGRESS):
        assert not re.search(unwanted, "\n".join(shown)), re.search(unwanted, "\n".join(shown))


@every_notebook
def test_pictures_are_there_small_and_described(path):
    pictures = IMAGE.findall(markdown(path))
    assert len(pictures) == markdown(path).count("<img")
    assert all((path.parent / name).is_file() and len(description) >= 20 for name, description in pictures)
    for cell in code_cells(path):
        drawn = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        for output in drawn:
            assert len(output.data["image/png"]) * 3 / 4 < 1_000_000
            assert not re.search(r"\b(?:plot|animate)_", cell.source) or len(output.metadata["image/png"]["alt"]) >= 20
        if "picture" in course.tags(cell):  # the title's, which must not answer what the lesson asks
            (output,), stored = drawn, path.parent / "pictures" / f"{course.short_name(path)}.png"
            assert stored.read_bytes() == base64.b64decode(output.data["image/png"])
            assert "plot_attention" not in cell.source and "plot_beam_tree" not in cell.source


def test_no_picture_file_is_large_or_unused():
    shown = {name for path in LESSONS for name, _ in IMAGE.findall(markdown(path))}
    code = "\n".join(cell.source for path in LESSONS for cell in code_cells(path))
    shown |= {f"pictures/{name}.gif" for name in re.findall(r'step_through\("(.*?)"\)', code)}
    files = set((course.NOTEBOOKS / "pictures").iterdir())
    assert files == {course.NOTEBOOKS / name for name in shown}
    assert all(file.stat().st_size < 1_000_000 for file in files)


@every_lesson
def test_the_quiz_shows_what_the_bank_asks(path):
    """Its stored output, which GitHub shows, is that of a machine without jupyterquiz."""
    (before, cell) = next(pair for pair in itertools.pairwise(read(path).cells) if "show_quiz" in pair[1].source)
    assert "\n## Check yourself\n" in before.source and "nbval-check-output" not in course.tags(cell)
    call = next(node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call))
    number, ids = map(ast.literal_eval, call.args)
    assert str(number) == course.number(path) and 3 <= len(ids) <= 5
    assert cell.outputs[0].data["text/html"] == quiz_html(read_questions(number, ids))


CODE = re.compile(r"`[^`]*`|^ {4}.*$", re.MULTILINE)
# What a viewer lacks: JupyterLab has MathJax, Colab KaTeX; GitHub reads Markdown in formulas that it does not know;
# docutils, which makes MathML of them without a script, knows no `\lt`, `\dots` or `\Big`.
NOT_EVERYWHERE = r"[|*<>`\n]|\\\\|\\(?:lt|dots|[bB]igg?[lr]?)\b|\\(?:text|mathrm)\{[^}]*_"


@every_notebook
def test_formulas_are_mathematics_that_every_viewer_shows(path):
    for source in (cell.source for cell in read(path).cells if cell.cell_type == "markdown"):
        text, quoted = CODE.sub("", source), "".join(CODE.findall(source))
        formulas = re.findall(r"\$\$(.*?)\$\$", text, re.DOTALL)
        text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
        assert text.count("$") % 2 == 0, "a formula without its end"
        for formula in formulas + re.findall(r"\$(.*?)\$", text, re.DOTALL):
            assert formula and formula.strip() == formula, f"a space beside a dollar: {formula}"
            assert not re.search(NOT_EVERYWHERE, formula) and formula.count("{") == formula.count("}"), formula
        words = re.sub(r"\$.*?\$", "", text, flags=re.DOTALL)
        assert not re.search(r"[√Σ∑‖ᵀ]", words + quoted), "a formula in plain text"
        assert not re.search(r"(?:tanh|softmax)\([a-zA-Z]", quoted), "a formula as code"


def assigned(source):
    """Returns the names that a piece of code defines for others."""
    body = ast.parse(source).body
    named = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    stored = (node for line in body if isinstance(line, ast.Assign) for node in ast.walk(line))
    return named | {n.id for n in stored if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


@every_notebook
def test_learners_get_checks_that_say_which_names_they_want_and_no_solution(path):
    notebook, made = read(path), course.student_version(copy.deepcopy(read(path)))
    nbformat.validate(made)
    assert not any(cell.get("outputs") or course.BEGIN in cell.source for cell in made.cells)
    for (solution, check), (start, kept) in zip(exercises(notebook), exercises(made), strict=True):
        assert start.source == course.without_solution(solution.source) and "jupyter" not in start.metadata
        assert kept.source == check.source
        about, name = check.metadata.nbgrader, solution.metadata.nbgrader.grade_id
        assert (about.grade_id, about.locked, course.is_check(check)) == (f"{name}-check", True, True)
        assert about.points > 0
        used = {node.id for node in ast.walk(ast.parse(check.source)) if isinstance(node, ast.Name)}
        for wanted in used & assigned(solution.source) - assigned(check.source):
            assert re.search(rf"\b{wanted}\b", start.source), f"only the check says {wanted}:\n{check.source}"
    assert markdown(path).count(course.SOLVED) == (path.stem not in (OPENING, PAGE))
    for old, new in zip(notebook.cells, made.cells, strict=True):
        assert course.is_solution(old) or old.cell_type == "markdown" or new.source == old.source
    text = "\n".join(cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert "One answer" not in text and course.PAGE not in course.student_paths()
    links = {link for _, link in course.LINK.findall(text + course.student_text(GUIDE.read_text(encoding="utf-8")))}
    assert links <= {*course.STUDENT_PAGES, *(path.name for path in course.student_paths())}


@every_notebook
def test_badges(path):
    """A lesson that knows no repository has a place for a badge and shows none; a stamp can be repeated."""
    (badge,) = course.BADGE.findall(read(path).cells[0].source)
    (repository,) = re.findall(r'REPOSITORY = "(.*?)"', "\n".join(cell.source for cell in code_cells(path)))
    assert repository or (badge == course.NO_BADGE and "colab.research" not in markdown(path))
    stamped = copy.deepcopy(read(path))
    for repository in ("somebody/her-course", "another/fork_2"):
        course.stamp(stamped, path.name, repository)
    address = f"https://colab.research.google.com/github/{repository}/blob/main/notebooks/{path.name}"
    (badge,) = course.BADGE.findall(stamped.cells[0].source)
    assert badge.startswith("[![Open in Colab](https://") and f".svg)]({address})" in badge
    assert any(f'REPOSITORY = "{repository}"' in cell.source for cell in stamped.cells)
