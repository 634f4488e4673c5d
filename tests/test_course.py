"""Lessons and assignment as a learner meets them: their shape, exercises and first cell, and what is made of them."""

import ast
import base64
import copy
import importlib.metadata
import importlib.util
import itertools
import json
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from nmt_attention import lesson
from nmt_attention.lesson.quiz import quiz_html, read_questions

ROOT = Path(lesson.__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import course  # noqa: E402

from tools.pictures.__main__ import TITLES  # noqa: E402

LESSONS = [pytest.param(course.read(path), path.name, id=path.stem) for path in course.lesson_paths()]
every_lesson = pytest.mark.parametrize(("notebook", "name"), LESSONS)
OPENING = "00_the_question.ipynb"  # ten minutes without exercises

ASSIGNMENT = pytest.param(course.read(course.ASSIGNMENT), course.ASSIGNMENT.name, id="assignment")
every_notebook = pytest.mark.parametrize(("notebook", "name"), [*LESSONS, ASSIGNMENT])

HEADINGS = ["# ", "## You will be able to", "## Limits", "## Check yourself", "## Exercises"]
HEADINGS += ["## Summary", "## Sources", "## Next"]
OF_THE_OPENING = ["# ", "## You will be able to", "## Check yourself", "## Next"]
ELSEWHERE = re.compile(r"(?<![\w/.:])/(?:work|home|root|tmp|usr|var|opt|mnt|content|Users)/|\b[A-Z]:\\")
PROGRESS = re.compile(r"\r|█|━|\bit/s\b|\bETA\b|tokens/s")
# What of this project's needs Colab's runtime has (pip-freeze of June 2026); `set_up` brings the others.
COLAB = {"tensorflow", "keras", "numpy", "matplotlib", "fonttools", "lxml", "pillow", "regex", "sentencepiece"}
COLAB |= {"tabulate"}


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def outputs(notebook):
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def shown_text(notebook):
    """Returns all that a notebook shows as text: sources and outputs, pictures left out."""
    texts = [cell.source for cell in notebook.cells]
    for output in outputs(notebook):
        data = output.get("data", {"text/plain": output.get("text", "")})
        texts += [str(value) for kind, value in data.items() if not kind.startswith("image/")]
    return "\n".join(texts)


def exercises(notebook):
    """Returns (name, solution, check) of every exercise; the check follows its solution."""
    cells = notebook.cells
    return [
        (cell.metadata.nbgrader.grade_id, cell, check)
        for cell, check in itertools.pairwise(cells)
        if course.is_solution(cell)
    ]


def both_halves(start):
    """Returns the two notebooks of a lesson, by the start of their names."""
    first, second = (lesson.values[0] for lesson in LESSONS if lesson.values[1].startswith(start))
    return first, second


def test_there_are_lessons():
    numbers = [course.number(path) for path in course.lesson_paths()]
    assert numbers == [
        *("0", "1", "2", "2b", "3", "4", "4b", "5", "5b", "6", "7", "7b", "8", "8b", "9", "9b", "10", "10b"),
    ]


@every_lesson
def test_shape(notebook, name):
    nbformat.validate(notebook)
    assert len(notebook.cells) <= (15 if name == OPENING else 47)
    code = code_cells(notebook)
    assert statistics.median(len(cell.source.splitlines()) for cell in code) <= 8
    words = re.sub(r"<[^>]*>|\]\([^)]*\)", " ", markdown(notebook)).split()
    fewest, most = (500, 700) if name == OPENING else (1_000, 2_000)
    assert fewest <= sum(any(c.isalpha() for c in word) for word in words) <= most
    assert sum(len(cell.source.split()) for cell in notebook.cells if cell.cell_type == "markdown") <= 2_200
    folded = [cell for cell in code if cell.metadata.get("jupyter", {}).get("source_hidden")]
    assert folded == [cell for cell in code if course.is_solution(cell)]  # in JupyterLab
    for cell in code:
        ast.parse(cell.source)  # no magics: what a lesson does can be run anywhere
        assert max(map(len, cell.source.splitlines())) <= 120


@every_lesson
def test_order_of_the_template(notebook, name):
    lines = markdown(notebook).splitlines()
    headings = OF_THE_OPENING if name == OPENING else HEADINGS
    places = [next((i for i, line in enumerate(lines) if line.startswith(heading)), None) for heading in headings]
    assert None not in places, dict(zip(headings, places, strict=True))
    assert places == sorted(places)
    number = course.number(Path(name))
    assert re.match(rf"# {number}\. \S", notebook.cells[0].source)
    assert len(course.BADGE.findall(notebook.cells[0].source)) == 1
    picture = re.search(r'<img src="(pictures/\d\db?\.png)" width="\d+" alt="(.+?)">', notebook.cells[0].source)
    assert (course.NOTEBOOKS / picture[1]).is_file()
    assert len(picture[2]) >= 20, "a text for those who do not see the picture"
    assert re.search(r"\*\*It takes\*\* .*\bminutes?\b", markdown(notebook))


@every_lesson
def test_every_picture_is_there_and_described(notebook, name):
    pictures = re.findall(r'<img src="(.*?)" width="\d+" alt="(.*?)">', markdown(notebook))
    assert len(pictures) == markdown(notebook).count("<img")
    for path, description in pictures:
        assert (course.NOTEBOOKS / path).is_file() and len(description) >= 20


def test_every_moving_picture_is_in_the_lesson_of_its_number():
    lessons = [lesson.values for lesson in LESSONS]
    texts = {course.short_name(Path(name)): markdown(notebook) for notebook, name in lessons}
    for path in (course.NOTEBOOKS / "pictures").glob("*.gif"):
        assert f'<img src="pictures/{path.name}"' in texts[path.name.split("-")[0]]


@every_lesson
def test_quiz_shows_everywhere_what_the_bank_asks(notebook, name):
    """Its stored output, which GitHub shows, is that of a machine without jupyterquiz."""
    number = course.number(Path(name))
    (before, cell) = next(p for p in itertools.pairwise(notebook.cells) if "show_quiz" in p[1].source)
    assert "\n## Check yourself\n" in before.source
    ids = re.findall(rf'"({number}-[\w-]+)"', cell.source)
    shown = number if number.isdigit() else f'"{number}"'
    assert 3 <= len(ids) <= 5 and f"show_quiz({shown}, [" in cell.source
    (output,) = cell.outputs
    assert output.data["text/html"] == quiz_html(read_questions(ast.literal_eval(shown), ids))
    assert "nbval-ignore-output" in course.tags(cell)


def test_the_opening_needs_no_training_and_shows_the_errors_that_it_names():
    (notebook,) = (lesson.values[0] for lesson in LESSONS if lesson.values[1] == OPENING)
    assert not exercises(notebook)
    assert "trained(" not in shown_text(notebook) and "Translator.load()" in shown_text(notebook)
    shown = "".join(output.get("text", "") for output in outputs(notebook))
    for word in ("तिला", "किलात", "384"):
        assert word in shown and word in markdown(notebook)


@every_notebook
def test_stored_outputs_are_of_one_clean_run(notebook, name):
    code = code_cells(notebook)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert any("image/png" in output.get("data", {}) for output in outputs(notebook))
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.text
    text = shown_text(notebook)
    assert not ELSEWHERE.search(text), ELSEWHERE.search(text)
    assert not PROGRESS.search(text), PROGRESS.search(text)
    assert not re.search(r"\w*Warning\b", text)
    assert notebook.metadata == course.METADATA  # no widgets, and nothing of the machine it was run on


@every_notebook
def test_no_time_is_stored(notebook, name):
    """It would differ in every run, and be read as a promise."""
    for output in outputs(notebook):
        text = "".join(output.get("text", ""))
        assert not re.search(r"\d ?(?:ms|milliseconds|s|sec|seconds|minutes)\b", text), text


@every_notebook
def test_prose_cites_no_score_that_another_run_would_change(notebook, name):
    """Scores are printed by the cells. Only a question to the reader may make some up."""
    prose = re.sub(r"<details>.*?</details>", "", markdown(notebook), flags=re.DOTALL)
    assert not re.search(r"(?<![±*\d.])\d+(?:\.\d+)? (?:BLEU|chrF)\b|\b(?:BLEU|chrF) \d", prose)


def test_what_lesson_5_says_of_the_table_is_so():
    systems = json.loads((ROOT / "data" / "results.json").read_text(encoding="utf-8"))["systems"]
    bleu = {system["name"]: system["bleu"] for system in systems}
    assert bleu["plain seq2seq"] < bleu["Luong, dot"] < bleu["Luong, general"]
    assert abs(bleu["Luong, concat"] - bleu["Luong, general"]) < 2


def test_six_bugs_are_told_by_tests_and_not_by_scores():
    """A cost that one seed shows, another reverses. So no assertion rests on what training has brought."""
    codes = ["\n".join(cell.source for cell in code_cells(notebook)) for notebook in both_halves("08")]
    for code in codes:
        assert "for seed in SEEDS" in code
        assert not re.search(r"^assert .*(?:results|chrf|dev_loss|higher)", code, re.MULTILINE)


def test_both_halves_of_lesson_8_have_the_same_laboratory():
    """Else their scores could not be compared."""
    first, second = (
        {
            ast.unparse(line)
            for cell in code_cells(notebook)
            for line in ast.parse(cell.source).body
            if isinstance(line, ast.FunctionDef | ast.Assign)
        }
        for notebook in both_halves("08")
    )
    for start in ("PAIRS, EPOCHS", "LENGTH,", "split =", "train_pairs,", "tokenizers =", "train, dev =", "right ="):
        assert sum(line.startswith((start, f"({start}")) for line in first & second) == 1, start
    for name in ("make", "spread", "to_batch", "masked_loss", "fit", "translate", "measure"):
        assert sum(line.startswith(f"def {name}(") for line in first & second) == 1, name


@every_lesson
def test_a_title_picture_does_not_answer_what_the_lesson_asks(notebook, name):
    for cell in code_cells(notebook):
        if "picture" in course.tags(cell):
            assert "plot_attention" not in cell.source and "plot_beam_tree" not in cell.source


@every_lesson
def test_the_title_picture_is_what_its_cell_has_drawn(notebook, name):
    cells = [cell for cell in code_cells(notebook) if "picture" in course.tags(cell)]
    number = course.short_name(Path(name))
    picture = (course.NOTEBOOKS / "pictures" / f"{number}.png").read_bytes()
    assert len(cells) == (number not in TITLES), "those are drawn by tools.pictures"
    for cell in cells:
        (drawn,) = (output.data["image/png"] for output in cell.outputs if "image/png" in output.get("data", {}))
        assert base64.b64decode(drawn) == picture


@every_notebook
def test_marathi_is_glossed_where_it_stands(notebook, name):
    """In text: a word or a sentence in Devanagari has English in italics, quotes, brackets or a table beside it."""
    text = re.sub(r"^    .*$", "", markdown(notebook), flags=re.MULTILINE)
    text = re.sub(r"<details>.*?</details>", lambda found: found[0].replace("\n\n", "\n"), text, flags=re.DOTALL)
    for paragraph in text.split("\n\n"):
        if re.search("[\u0900-\u097f]{2}", paragraph):
            assert re.search(r"\*[^*\n]+\*|\([^)]*[a-z][^)]*\)|\"[^\"]+\"|^\|", paragraph, re.MULTILINE), paragraph


def without_code(text):
    return re.sub(r"`[^`]*`|^ {4}.*$", "", text, flags=re.MULTILINE)


@every_notebook
def test_formulas_are_mathematics_that_every_viewer_shows(notebook, name):
    """JupyterLab has MathJax, Colab KaTeX, and GitHub reads Markdown in formulas that it does not recognise.

    docutils, which makes MathML of them without a script, knows no `\\lt`, `\\dots` or `\\Big`.
    """
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        text = without_code(cell.source)
        formulas = re.findall(r"\$\$(.*?)\$\$", text, re.DOTALL)
        text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
        assert text.count("$") % 2 == 0, "a formula without its end"
        for formula in formulas + re.findall(r"\$(.*?)\$", text, re.DOTALL):
            assert formula and formula.strip() == formula, f"a space beside a dollar: {formula}"
            assert not re.search(r"[|*<>`\n]|\\\\|\\(?:lt|dots|[bB]igg?[lr]?)\b|\\(?:text|mathrm)\{[^}]*_", formula), (
                formula
            )
            assert formula.count("{") == formula.count("}"), formula
        words = re.sub(r"\$.*?\$", "", text, flags=re.DOTALL)
        code = "".join(re.findall(r"`[^`]*`|^ {4}.*$", cell.source, re.MULTILINE))
        assert not re.search(r"[√Σ∑‖ᵀ]", words + code), "a formula in plain text"
        assert not re.search(r"(?:tanh|softmax)\([a-zA-Z]", code), "a formula as code"


OLD_ENGLISH = r"\b(?:anew|whoever|lest|comes? of|of like length|is no cure|(?:is|are) but (?:one|two)|none but)\b"


@every_notebook
def test_plain_english(notebook, name):
    assert not re.search(OLD_ENGLISH, "\n".join(cell.source for cell in notebook.cells), re.IGNORECASE)


def test_plain_english_in_the_guide():
    assert not re.search(OLD_ENGLISH, (course.NOTEBOOKS / "README.md").read_text(encoding="utf-8"), re.IGNORECASE)


def test_notebooks_are_small():
    files = [path for path in course.NOTEBOOKS.rglob("*") if path.suffix in (".ipynb", ".png", ".gif", ".html")]
    assert sum(path.stat().st_size for path in files if ".ipynb_checkpoints" not in path.parts) < 12_000_000


@every_notebook
def test_exercises(notebook, name, monkeypatch):
    """Every solution passes its check; neither the start that learners get nor an empty one does."""
    monkeypatch.setenv("NMT_PRESET", "quick")
    monkeypatch.chdir(course.NOTEBOOKS)
    found = exercises(notebook)
    fewest, most = {OPENING: (0, 0), course.ASSIGNMENT.name: (8, 8)}.get(name, (2, 4))
    assert fewest <= len(found) <= most
    assert len({exercise for exercise, _, _ in found}) == len(found)
    names = {}
    for cell in code_cells(notebook):
        if "needed" in course.tags(cell):
            exec(compile(cell.source, name, "exec"), names)
    for exercise, solution, check in found:
        about = check.metadata.nbgrader
        assert (about.grade_id, about.locked, course.is_check(check)) == (f"{exercise}-check", True, True)
        assert about.points > 0
        check_code = compile(check.source, f"{name}: {exercise}", "exec")
        with pytest.raises(NotImplementedError):
            started = dict(names)
            exec(course.without_solution(solution.source), started)
            exec(check_code, started)
        with pytest.raises((AssertionError, NameError, TypeError, ValueError, AttributeError)):
            left_empty = dict(names)
            exec(course.without_solution(solution.source, start=("pass",)), left_empty)
            exec(check_code, left_empty)
        exec(solution.source, names)
        exec(check_code, names)


@every_notebook
def test_learners_get_checks_and_no_solution(notebook, name):
    made = course.student_version(copy.deepcopy(notebook))
    nbformat.validate(made)
    assert course.BEGIN not in shown_text(made) and not outputs(made)
    for (_, solution, check), (_, start, kept) in zip(exercises(notebook), exercises(made), strict=True):
        assert "raise NotImplementedError()" in start.source and start.source != solution.source
        assert "jupyter" not in start.metadata
        assert kept.source == check.source
    assert markdown(notebook).count(course.SOLVED) == (name != OPENING) and course.SOLVED not in markdown(made)
    assert all(link.startswith(course.COLAB) for _, link in course.BADGE.findall(markdown(made)))  # or none
    text = made.cells[0].source + markdown(notebook).split(notebook.cells[0].source)[1].replace(course.SOLVED, "")
    assert markdown(made) == text
    other_code = [cell.source for cell in code_cells(notebook) if not course.is_solution(cell)]
    assert [cell.source for cell in code_cells(made) if not course.is_solution(cell)] == other_code


def assigned(tree):
    """Returns the names that a piece of code defines for others."""
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    stored = (node for line in tree.body if isinstance(line, ast.Assign) for node in ast.walk(line))
    return named | {n.id for n in stored if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


@every_notebook
def test_learners_can_tell_which_names_a_check_wants(notebook, name):
    for exercise, solution, check in exercises(notebook):
        used = {node.id for node in ast.walk(ast.parse(check.source)) if isinstance(node, ast.Name)}
        start = course.without_solution(solution.source)
        for wanted in used & assigned(ast.parse(solution.source)) - assigned(ast.parse(check.source)):
            assert re.search(rf"\b{wanted}\b", start), f"{exercise}: only the check says {wanted}"


def test_the_start_of_an_exercise_is_indented_as_its_solution():
    source = f"def f(x):\n    y = x\n    {course.BEGIN}\n    if y:\n        return y\n    {course.END}\nprint(f)"
    start = "def f(x):\n    y = x\n    # YOUR CODE HERE\n    raise NotImplementedError()\nprint(f)"
    assert course.without_solution(source) == start


@pytest.mark.parametrize("source", ["x = 1", f"{course.BEGIN}\nx = 1", course.END, f"{course.BEGIN}\n{course.BEGIN}"])
def test_a_solution_without_its_markers_is_refused(source):
    with pytest.raises(ValueError, match="SOLUTION"):
        course.without_solution(source)


def test_student_and_slides_are_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(course, "BUILD", tmp_path)
    monkeypatch.setattr(course, "ROOT", tmp_path)
    paths = course.lesson_paths()[-1:]
    monkeypatch.setattr(course, "lesson_paths", lambda: paths)
    monkeypatch.setattr(course, "notebook_paths", lambda: paths)
    for task in ("student", "slides"):
        course.main([task])
    (path,) = paths
    assert (tmp_path / "student" / path.name).is_file()
    slides = (tmp_path / "slides" / f"{path.stem}.slides.html").read_text(encoding="utf-8")
    assert slides.count("<section") > 20
    for name in ("student", "slides"):
        assert (tmp_path / name / "pictures" / f"{course.short_name(path)}.png").is_file()
    assert (tmp_path / "student" / "set_up.py").is_file()
    assert "google.colab" not in slides and "SOLUTION" not in slides
    before, notes = slides.split('<aside class="notes">')
    assert "boxes" in notes.split("</aside>")[0] and before.count("<section") == 2  # the first slide
    shown = [cell for cell in code_cells(course.read(path))[1:] if cell.outputs and not course.is_check(cell)]
    assert slides.count('<div class="fragment"') == len(shown) >= 10
    assert capsys.readouterr().out == "student: 1 notebooks\nslides: 1 lessons\n"


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """Writes a lesson with these cells to an empty directory, which is then the course's; returns its path."""
    monkeypatch.setattr(course, "ROOT", tmp_path)
    monkeypatch.setattr(course, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(course, "ASSIGNMENT", tmp_path / "assignment.ipynb")
    monkeypatch.setattr(course, "BUILD", tmp_path / "build")

    def write(**cells):
        path = tmp_path / "01_tiny.ipynb"
        made = [nbformat.v4.new_code_cell(source, id=name) for name, source in cells.items()]
        nbformat.write(nbformat.v4.new_notebook(cells=made), path)
        return path

    return write


def test_figures_are_written_as_svg_and_the_notebook_stays_as_it_is(tiny, tmp_path, capsys):
    path = tiny(
        up=f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom nmt_attention import lesson; lesson.set_up_figures()",
        pair="from matplotlib.figure import Figure\nfor word in ('क्षि', 'घर'):\n"
        "    figure = Figure()\n    _ = figure.text(0.5, 0.5, word, family='Mukta'); _ = figure.add_subplot()\n"
        "    display(figure)",
        silent="1 + 1",
        single="figure",
    )
    before = path.read_bytes()
    (tmp_path / "build" / "figures").mkdir(parents=True)
    for name in ("01_gone.svg", "02_kept.svg"):
        (tmp_path / "build" / "figures" / name).touch()
    course.main(["figures", "01"])
    written = sorted(file.name for file in (tmp_path / "build" / "figures").iterdir())
    assert written == ["01_pair-1.svg", "01_pair-2.svg", "01_single.svg", "02_kept.svg"]
    assert path.read_bytes() == before and not (tmp_path / "pictures").exists()
    pictures = [(tmp_path / "build" / "figures" / name).read_text(encoding="utf-8") for name in written[:3]]
    assert all("<svg" in picture and "<text" not in picture for picture in pictures) and pictures[0] != pictures[1]
    assert "build/figures/01_pair-1.svg\n" in capsys.readouterr().out


def test_lessons_are_tried_without_keeping_anything(tiny, capsys):
    path = tiny(one="print(1)")
    nbformat.write(nbformat.v4.new_notebook(), course.ASSIGNMENT)
    before = path.read_bytes()
    course.main(["try"])
    assert path.read_bytes() == before and capsys.readouterr().out == "01_tiny.ipynb\nassignment.ipynb\n"
    tiny(one="1 / 0")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        course.main(["try", "01"])


def test_slides_show_what_code_shows_at_the_next_press_of_a_key():
    path = course.NOTEBOOKS / "03_attention_by_hand.ipynb"
    made = course.with_slides(course.read(path), "say this")
    kinds = {cell.id: cell.metadata["slideshow"]["slide_type"] for cell in made.cells}
    assert made.cells[1].source == "say this" and kinds[made.cells[1].id] == "notes"
    assert kinds["cell-03"] == "fragment"
    code = [cell for cell in code_cells(made)[1:] if not course.is_solution(cell) and not course.is_check(cell)]
    assert all(kinds[cell.id] == ("fragment" if cell.outputs else "-") for cell in code)
    silent = course.with_slides(course.read(path)).cells
    assert len(silent) == len(made.cells) - 1 and silent[1].source == made.cells[2].source


def test_every_lesson_has_a_script():
    numbers = [course.number(path) for path in course.lesson_paths()]
    found = course.scripts()
    assert list(found) == numbers
    for script in found.values():
        assert script.startswith("**Show the title picture.**") and "\n## " not in script and len(script.split()) > 150
    assert "python -m" not in found["10b"]  # the page's script is no lesson's


@every_notebook
def test_badges(notebook, name):
    stamped = copy.deepcopy(notebook)
    for repository in ("somebody/her-course", "another/fork_2"):  # and again, as after a move
        course.stamp(stamped, name, repository)
        address = f"https://colab.research.google.com/github/{repository}/blob/main/notebooks/{name}"
        assert [link for _, link in course.BADGE.findall(stamped.cells[0].source)] == [address]
        assert f'(REPOSITORY := "{repository}")' in code_cells(stamped)[0].source


@every_notebook
def test_an_unstamped_badge_leads_to_the_guide(notebook, name):
    ((_, link),) = course.BADGE.findall(notebook.cells[0].source)
    repository = re.search(r'REPOSITORY := "(.*?)"', code_cells(notebook)[0].source)[1]
    if repository:
        assert link == f"{course.COLAB}/github/{repository}/blob/main/notebooks/{name}"
    else:
        assert link == "README.md#colab"
        guide = (course.NOTEBOOKS / "README.md").read_text(encoding="utf-8")
        assert "make badges REPOSITORY=owner/name" in guide.split("\n### Colab\n")[1]


@pytest.mark.parametrize("repository", ["", "name", "https://github.com/owner/name", "owner/name/x", "owner/na me"])
def test_a_repository_is_owner_and_name(repository):
    with pytest.raises(ValueError, match="REPOSITORY: expected owner/name"):
        course.stamp(nbformat.v4.new_notebook(), "01_x.ipynb", repository)
    with pytest.raises(SystemExit, match="REPOSITORY: expected owner/name"):
        course.main(["badges", repository])


def test_a_notebook_without_a_badge_is_refused():
    with pytest.raises(ValueError, match="01_x.ipynb: expected one badge"):
        course.stamp(nbformat.v4.new_notebook(), "01_x.ipynb", "owner/name")


def test_set_up_is_short_and_the_same_in_all_notebooks():
    (source,) = {code_cells(notebook.values[0])[0].source for notebook in [*LESSONS, ASSIGNMENT]}
    assert len(source.splitlines()) <= 4


class Shell:
    """A notebook's shell; Colab's fetches files from a copy of the repository."""

    def __init__(self, name):
        self.name, self.fetched = name, []

    def __str__(self):
        return f"<{self.name} object at 0x7f>"

    def system(self, command):
        assert command.startswith("curl -sSfO https://raw.githubusercontent.com/")
        self.fetched.append(command.split("githubusercontent.com/")[1])
        shutil.copy(course.NOTEBOOKS / "set_up.py", ".")


@pytest.fixture
def set_up(monkeypatch, tmp_path):
    """Runs the first cell in an empty directory; returns the commands it gave and the module search path."""
    source = code_cells(LESSONS[0].values[0])[0].source
    commands = []

    def run(command, check):
        assert check, "a failed command must not pass unseen"
        commands.append(command)
        if command[0] == "git":
            (tmp_path / command[-1] / "nmt_attention").mkdir(parents=True)

    def in_colab(repository):
        monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
        monkeypatch.setattr(subprocess, "run", run)
        shell = Shell("google.colab._shell.Shell")
        commands, path = do(shell, source.replace('""', f'"{repository}"'))
        assert set(shell.fetched) == {f"{repository}/HEAD/notebooks/set_up.py"}
        return commands, path

    def do(shell, source=source):
        notebook, figures = types.ModuleType("__main__"), []
        notebook.get_ipython = lambda: shell
        monkeypatch.setitem(sys.modules, "__main__", notebook)
        monkeypatch.delitem(sys.modules, "set_up", raising=False)  # as after a restart
        monkeypatch.setattr(lesson, "set_up_figures", lambda: figures.append("set up"))
        monkeypatch.setattr(sys, "path", [""])
        exec(source, vars(notebook))
        exec(source, vars(notebook))  # a second run changes nothing
        assert figures == ["set up"]
        return commands, sys.path

    monkeypatch.chdir(tmp_path)
    return types.SimpleNamespace(in_colab=in_colab, elsewhere=lambda: do(Shell("ipykernel.zmqshell")))


@pytest.mark.parametrize("place", ["notebooks", "build/student"])
def test_set_up_outside_colab_only_finds_the_package(set_up, monkeypatch, tmp_path, place):
    (tmp_path / "nmt_attention").mkdir()
    (tmp_path / place).mkdir(parents=True)
    shutil.copy(course.NOTEBOOKS / "set_up.py", tmp_path / place)
    monkeypatch.chdir(tmp_path / place)
    assert set_up.elsewhere() == ([], [str(tmp_path), ""])


def test_set_up_outside_the_repository_says_where_a_lesson_belongs(set_up, tmp_path):
    shutil.copy(course.NOTEBOOKS / "set_up.py", tmp_path)
    with pytest.raises(FileNotFoundError, match="keep lessons inside the repository"):
        set_up.elsewhere()


def test_set_up_in_colab_brings_the_course_and_what_is_missing(set_up, tmp_path):
    commands, path = set_up.in_colab("owner/name")
    assert commands == [
        ["git", "clone", "--quiet", "--depth=1", "https://github.com/owner/name", "course"],
        [sys.executable, "course/tools/colab.py"],
    ]
    assert path == [str(tmp_path / "course"), ""]


def test_set_up_in_colab_clones_once_but_can_go_on_with_a_broken_installation(set_up):
    set_up.in_colab("owner/name")
    commands, _ = set_up.in_colab("owner/name")
    assert commands[2:] == [[sys.executable, "course/tools/colab.py"]]


def test_what_colab_lacks_is_installed_and_what_it_has_stays_as_it_is(monkeypatch):
    import colab

    names = [types.SimpleNamespace(metadata={"Name": name.upper().replace("-", "_")}) for name in COLAB]
    monkeypatch.setattr(importlib.metadata, "distributions", lambda: names)
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert colab.missing_requirements() == [d for d in dependencies if re.match(r"[\w-]+", d)[0] not in COLAB]
    assert 0 < len(colab.missing_requirements()) < len(dependencies)


def test_set_up_in_colab_asks_for_the_repository(set_up):
    with pytest.raises(AssertionError, match="owner/name"):
        set_up.in_colab("")
