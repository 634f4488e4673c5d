"""Makes from the lessons and the assignment what learners and teachers use. `notebooks/` is the one source.

python -m tools.teaching.course TASK

    student              build/student/: solutions taken out, checks kept, outputs cleared; the package to install
    teacher              build/teacher/: solutions, rubric, cards, slides, sheets with keys, questions; not for learners
    slides               build/slides/: slides of the lessons with notes for each page; they need no network
    badges owner/name    gives every notebook badges of Colab and Binder, and says there where the repository is
    run [01_name …]      runs notebooks, all by default, and keeps what they show
    try [01_name …]      runs notebooks, all by default, and keeps nothing
    figures [01_name …]  runs lessons, all by default; build/figures/: every figure as SVG
    fold                 folds set-up, answers and solutions in JupyterLab, and links the lessons of a path

Exercises are marked as nbgrader marks them, so a teacher can also import the notebooks there as they are.
"""

import argparse
import base64
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
ASSIGNMENT = NOTEBOOKS / "assignment.ipynb"
PAGE = NOTEBOOKS / "whole_translator.ipynb"
BUILD = ROOT / "build"
CORE = ("00", "01", "02", "02c", "03", "03b", "04", "09")  # to attention and its heatmaps
SECOND = ("10c",)  # to a Transformer and its heads; the other lessons have no fixed order

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
START = ("# YOUR CODE HERE", "raise NotImplementedError()")  # what nbgrader puts in place of a solution
COLAB = "https://colab.research.google.com"
BINDER = "https://mybinder.org"  # it installs what .binder/ lists
# What only the notebooks in `notebooks/` can say of their exercises.
SOLVED = (
    "In this copy the solutions are included (collapsed in JupyterLab). `make student` makes copies without them.\n\n"
)
ANSWER = re.compile(r"\n*<details><summary>One answer</summary>.*?</details>", re.DOTALL)  # to a question to write on
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#|pictures/)([^()\s#]+)[^()\s]*\)")  # to another file; its words, its name
NO_BADGE = "<!-- Colab badge -->"  # where a lesson gets one: a badge needs to know the repository
CLONE = re.compile(r"(?<=^git clone )\S+", re.MULTILINE)
BADGE = re.compile(rf"{NO_BADGE}|\[!\[Open in Colab\]\(.*?\)\]\(.*?\)(?: \[!\[Binder\]\(.*?\)\]\(.*?\))?")
REPOSITORY_SET = re.compile(r'REPOSITORY = ".*?"')
# What the last paragraph before a code cell says if the reader is to answer before looking at what the cell shows.
ASKS = re.compile(r"\?|\b(?:predict|guess|work it out|before you run|you expect)\b", re.IGNORECASE)
# The cells that `fold` adds for JupyterLab; the site and the slides have their own.
RUN_FIRST, NEXT = "run-first", "next-lesson"
VEIL = " \n"  # before what a cell has printed: of folded outputs JupyterLab shows the first line that is not empty
STUDENT_PAGES = "README.md", "GLOSSARY.md", "AGENTS.md"  # guide, words, what an assistant of theirs is to do
CARD = re.compile(r"^## Lesson (\w+): .*\n\n((?:(?!## ).*\n)+)", re.MULTILINE)
# The same for every machine and version, so that running a lesson again changes nothing here.
METADATA = {
    "colab": {"generative_ai_disabled": True},  # else it offers to write the exercises
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def lesson_paths():
    """Returns the lessons by number."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]*_*.ipynb"))  # 02_…, then 02b_…


def core_path(names=CORE):
    """Returns the lessons of the core path, or of another one, in its order."""
    return [path for name in names for path in lesson_paths() if short_name(path) == name]


def notebook_paths():
    """Returns the lessons, the assignment, which belongs after lesson 4b, and the whole translator on one page."""
    return [*lesson_paths(), *sorted(NOTEBOOKS.glob("[a-z]*.ipynb"))]


def short_name(path):
    """Returns what a notebook is called in paths: "03", "02b", or "assignment"."""
    return path.stem.split("_")[0]


def number(path):
    """Returns what a lesson is called in texts: "3", or "2b", the second half of lesson 2."""
    return re.sub("^0(?=.)", "", short_name(path))


def read(path):
    """Returns a notebook as `nbformat` reads it."""
    return nbformat.read(path, as_version=4)


def tags(cell):
    """Returns a cell's tags."""
    return cell.metadata.get("tags", [])


def is_solution(cell):
    """Whether a cell holds an exercise's solution."""
    return cell.metadata.get("nbgrader", {}).get("solution", False)


def is_check(cell):
    """Whether a cell tells if an exercise is solved."""
    return cell.metadata.get("nbgrader", {}).get("grade", False)


def asks(text):
    """Whether the last paragraph of a text cell asks the reader for what the code below it shows."""
    return bool(ASKS.search(text.rstrip().split("\n\n")[-1]))


def answers(notebook, name):
    """Returns the code cells that show what the text before them asks for, and that can be folded.

    A widget cannot, and the picture that the title shows need not be. The assignment wants code, not predictions.
    """
    found, asked = [], False
    for cell in notebook.cells if name != ASSIGNMENT.name else ():
        if cell.cell_type == "markdown":
            asked = asks(cell.source)
            continue
        widget = any("text/html" in output.get("data", {}) for output in cell.outputs)
        if asked and cell.outputs and not (widget or is_solution(cell) or "picture" in tags(cell)):
            found.append(cell)
    return found


def without_added_cells(notebook):
    """Takes out of a notebook the cells that `fold` adds."""
    notebook.cells = [cell for cell in notebook.cells if cell.id not in (RUN_FIRST, NEXT)]
    return notebook


def folded(notebook, name):
    """Folds in JupyterLab set-up and solutions, and what the text asks for; running a cell shows what it shows.

    Adds a line above the set-up, and at the end a link to the next lesson. Folding again changes nothing. The page that
    stands alone stays as it is: all of it is there to be read.
    """
    if name == PAGE.name:
        return notebook
    without_added_cells(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    hidden = answers(notebook, name)
    for cell in code:
        sides = {"source_hidden": cell is code[0] or is_solution(cell), "outputs_hidden": cell in hidden}
        cell.metadata.pop("jupyter", None)
        for output in cell.outputs[:1]:
            if output.output_type == "stream":
                output.text = VEIL * sides["outputs_hidden"] + output.text.removeprefix(VEIL)
        if any(sides.values()):
            cell.metadata["jupyter"] = {side: True for side, fold in sides.items() if fold}
    line = "*Run the folded cell below first: click here, then press Shift + Enter twice. It finds the package.* "
    line += "*If मराठी shows as boxes, [install a font](README.md#fonts-and-figures).*"
    place = notebook.cells.index(code[0])
    notebook.cells.insert(place, nbformat.v4.new_markdown_cell(line, id=RUN_FIRST))
    if following := next_lesson(name):
        link = f"[▸ {title(following)}]({following.name})"
        notebook.cells.append(nbformat.v4.new_markdown_cell(link, id=NEXT))
    return notebook


def next_lesson(name):
    """Returns the path of the next lesson of the core path or the second, or None; the assignment follows lesson 4."""
    place = "04" if name == ASSIGNMENT.name else name.split("_")[0]
    pairs = {before: after for names in (CORE, SECOND) for before, after in itertools.pairwise(core_path(names))}
    return next((after for before, after in pairs.items() if short_name(before) == place), None)


def title(path):
    """Returns a notebook's heading."""
    return re.match(r"# (.*)", read(path).cells[0].source)[1]


def write_folded():
    """Folds every notebook."""
    for path in notebook_paths():
        nbformat.write(folded(read(path), path.name), path)


def without_solution(source, start=START):
    """Returns a solution cell's source with what is between the markers replaced by `start`, as far indented.

    Raises:
        ValueError: no marker, or one without its partner.
    """
    between = rf"^( *){BEGIN}\n(?:(?! *{BEGIN}$).*\n)*? *{END}$"
    left, found = re.subn(between, lambda part: "\n".join(part[1] + line for line in start), source, flags=re.MULTILINE)
    if not found or re.search(rf"^ *(?:{BEGIN}|{END})$", left, re.MULTILINE):
        raise ValueError(f"a solution starts with {BEGIN} and ends with {END}, unlike the cell {source[:60]!r}")
    return left


def student_paths():
    """Returns the paths of the notebooks that learners get: all but the page, which solves exercises and assignment."""
    return [path for path in notebook_paths() if path != PAGE]


def student_text(text):
    """Returns a text without answers, and without links to files that learners do not get."""
    names = {*STUDENT_PAGES, *(path.name for path in student_paths())}
    text = ANSWER.sub("", text.replace(SOLVED, ""))
    return LINK.sub(lambda link: link[0] if link[2] in names else link[1], text)


def student_version(notebook):
    """Takes the solutions out of a notebook, and all outputs, because learners are to predict them."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = student_text(cell.source)
        if is_solution(cell):
            cell.source = without_solution(cell.source)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.metadata.pop("jupyter", None)  # unfolded
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    code[0].metadata["jupyter"] = {"source_hidden": True}
    return notebook


def write_student_versions():
    """Writes `build/student/`, which needs no repository beside it: `pip install -r requirements.txt` there."""
    directory = new_directory("student")
    shutil.copy(NOTEBOOKS / "set_up.py", directory)  # which their first cells import
    for name in STUDENT_PAGES:
        text = student_text((NOTEBOOKS / name).read_text(encoding="utf-8"))
        (directory / name).write_text(text, encoding="utf-8", newline="\n")
    line = f"./{write_wheel(directory).name}[lessons]\n"
    (directory / "requirements.txt").write_text(line, encoding="utf-8", newline="\n")
    for path in student_paths():
        nbformat.write(student_version(read(path)), directory / path.name)
    print(f"{directory.relative_to(ROOT)}: {len(student_paths())} notebooks")


def write_teacher_version():
    """Writes `build/teacher/`: the notebooks with solutions, the pages for teachers, slides, and the question bank."""
    from tools.teaching import quiz_export, sheets

    directory = new_directory("teacher")
    sheets.write(directory / "sheets")
    for path in (*notebook_paths(), *NOTEBOOKS.glob("*.md"), NOTEBOOKS / "set_up.py"):
        shutil.copy(path, directory)
    shutil.copytree(NOTEBOOKS.parent / "docs", directory / "docs")
    for name in ("ERRATA.md", "data/README.md"):
        (directory / name).parent.mkdir(exist_ok=True)
        shutil.copy(NOTEBOOKS.parent / name, directory / name)
    for path in (*directory.glob("*.ipynb"), *directory.rglob("*.md")):
        text = teacher_text(path.read_text(encoding="utf-8"), directory, "" if path.parent == directory else "../")
        path.write_text(text, encoding="utf-8", newline="\n")
    write_slides(directory / "slides")
    quiz_export.main(["--output", str(directory / "quiz")])
    print(f"{directory.relative_to(ROOT)}: {len(notebook_paths())} notebooks")


def teacher_text(text, directory, up):
    """Returns a text whose links lead to what `directory` has; to its top leads `up`, which may be empty."""

    def found(link):
        name = link[2].removeprefix("notebooks/")
        return f"[{link[1]}]({up}{name}{link[3]})" if (directory / name).is_file() else link[1]

    return re.sub(r"\[([^\]]*)\]\(\.\./([^()\s#]+)([^()\s]*)\)", found, text)


def write_wheel(directory):
    """Builds the package's wheel, from a copy, because building leaves files beside the sources; returns its path."""
    with tempfile.TemporaryDirectory() as copy:
        for name in ("nmt_attention", "data"):
            shutil.copytree(ROOT / name, Path(copy) / name)
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run([*build, "--wheel-dir", directory, copy], check=True)
    (wheel,) = directory.glob("*.whl")
    return wheel


def new_directory(name):
    """Returns `build/NAME`, which then holds only the lessons' pictures."""
    shutil.rmtree(BUILD / name, ignore_errors=True)
    shutil.copytree(NOTEBOOKS / "pictures", BUILD / name / "pictures")
    return BUILD / name


def cards():
    """Returns each lesson's card, by the lesson's number."""
    return dict(CARD.findall((NOTEBOOKS / "CARDS.md").read_text(encoding="utf-8")))


def scripts():
    """Returns what to say at each lesson's pictures, by the lesson's number."""
    return {name: re.split(r"\n\n\*\*(?=Misc)|\*\*Say\*\*\n\n", card)[1] for name, card in cards().items()}


def write_slides(directory=None):
    """Writes `build/slides/NAME.html`, or to another directory, each file with all it needs."""
    from nmt_attention.figures.web_font import font_face
    from tools.teaching import slides

    directory, notes = directory or BUILD / "slides", scripts()
    directory.mkdir(parents=True, exist_ok=True)
    for path in lesson_paths():
        pages = "\n".join(slides.pages(read(path), notes.get(number(path), ""), number(path)))
        text = slides.HTML.format(title=title(path), font=font_face(), pages=pages)
        (directory / f"{path.stem}.html").write_text(text, encoding="utf-8", newline="\n")
    print(f"{directory.relative_to(ROOT)}: {len(lesson_paths())} lessons")


def colab_address(name, repository):
    """Returns where Colab opens a lesson; a ValueError says if the repository is no `owner/name`."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ValueError(f"REPOSITORY: expected owner/name, got {repository!r}")
    return f"{COLAB}/github/{repository}/blob/main/notebooks/{name}"


def stamp(notebook, name, repository):
    """Writes the repository's place into a notebook's set-up cell and badge, which it has from then on.

    Raises:
        ValueError: as `colab_address`, or the notebook has not one place for each.
    """
    link = f"[![Open in Colab]({COLAB}/assets/colab-badge.svg)]({colab_address(name, repository)})"
    lab = f"{BINDER}/v2/gh/{repository}/HEAD?urlpath=lab/tree/notebooks/{name}"
    link += f" [![Binder]({BINDER}/badge_logo.svg)]({lab})"
    badges = places = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source, found = BADGE.subn(link, cell.source)
            badges += found
        else:
            cell.source, found = REPOSITORY_SET.subn(f'REPOSITORY = "{repository}"', cell.source)
            places += found
    if (badges, places) != (1, 1):
        raise ValueError(f"{name}: expected one badge and one REPOSITORY, found {badges} and {places}")
    return notebook


def write_badges(repository):
    """Stamps every notebook, and the command in the README that clones the repository."""
    for notebook, path in [(stamp(read(path), path.name, repository), path) for path in notebook_paths()]:
        nbformat.write(notebook, path)
        print(path.relative_to(ROOT))
    readme = ROOT / "README.md"
    text = CLONE.sub(f"https://github.com/{repository}", readme.read_text(encoding="utf-8"))
    readme.write_text(text, encoding="utf-8", newline="\n")


def executed(path, **environment):
    """Returns a notebook after it has run in a new kernel with more environment variables; its file stays as it is."""
    from nbclient import NotebookClient

    # under a test, ipykernel leaves TensorFlow's log lines alone
    environment = os.environ | {"PYTEST_CURRENT_TEST": "outputs"} | environment
    notebook, place = read(path), {"metadata": {"path": str(path.parent)}}
    how = {"kernel_name": "python3", "timeout": None, "record_timing": False, "coalesce_streams": True}
    NotebookClient(notebook, resources=place, **how).execute(env=environment)
    return notebook


def run(path, keep=True):
    """Runs a notebook and, unless it is only tried, keeps its outputs.

    The figure of the cell tagged `picture` also becomes the picture at the lesson's top, `pictures/NUMBER.png`.
    """
    notebook = executed(path, NMT_QUIZ="html")
    notebook.metadata = nbformat.from_dict(METADATA)
    for output in (output for cell in notebook.cells if keep and "picture" in tags(cell) for output in cell.outputs):
        if image := output.get("data", {}).get("image/png"):
            (path.parent / "pictures" / f"{short_name(path)}.png").write_bytes(base64.b64decode(image))
    if keep:
        nbformat.write(folded(notebook, path.name), path)
    print(path.relative_to(ROOT), flush=True)


def write_figures(path):
    """Runs a lesson and writes its figures to `build/figures/NUMBER_CELL.svg`; several of a cell get a number more.

    Letters are curves, so that they look the same everywhere; before matplotlib 3.11 they are text. The notebook's file
    stays as it is.
    """
    notebook, directory, name = executed(path, NMT_FIGURES="svg"), BUILD / "figures", short_name(path)
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob(f"{name}_*.svg"):
        old.unlink()
    for cell in notebook.cells:
        pictures = [*filter(None, (output.get("data", {}).get("image/svg+xml") for output in cell.get("outputs", [])))]
        for k, picture in enumerate(pictures, 1):
            file = directory / f"{name}_{cell.id}{f'-{k}' if len(pictures) > 1 else ''}.svg"
            file.write_text(picture, encoding="utf-8", newline="\n")
            print(file.relative_to(ROOT))


def main(arguments=None):
    """Does what the command line asks."""
    how = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m tools.teaching.course", description=__doc__, formatter_class=how)
    parser.add_argument("task", choices=("student", "teacher", "slides", "badges", "run", "try", "figures", "fold"))
    of_notebooks = "badges: owner/name; run, try, figures: notebooks, by the start of their names"
    parser.add_argument("names", nargs="*", help=of_notebooks)
    asked = parser.parse_args(arguments)
    try:
        if asked.task == "badges":
            write_badges(asked.names[0] if len(asked.names) == 1 else "")
        elif asked.task in ("run", "try", "figures"):
            for path in lesson_paths() if asked.task == "figures" else notebook_paths():
                if not asked.names or path.name.startswith(tuple(asked.names)):
                    write_figures(path) if asked.task == "figures" else run(path, keep=asked.task == "run")
        else:
            tasks = {"student": write_student_versions, "teacher": write_teacher_version}
            (tasks | {"slides": write_slides, "fold": write_folded})[asked.task]()
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
