"""Builds the course's site in `build/site`; started by `make site`.

Gathers the pages of `site/`, the README, `docs/`, `speedrun/`, the guide and the lessons in `build/site-source`, as
readers of a site need them, and lets Sphinx write HTML. No lesson is run: what it stores is shown. `translator.html`
is what `export --page` writes of the run, or of the model that comes with the package if the run is not trained; here
the lessons that it names are links. The front page holds it in a frame, which these links leave.
"""

import argparse
import copy
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from nmt_attention.figures.html import attention_html
from nmt_attention.translate import Translator
from tools.teaching import course

SITE, BUILD = course.ROOT / "site", course.BUILD / "site"
SOURCE, DOCTREES = course.BUILD / "site-source", course.BUILD / "site-doctrees"
DOCUMENTS = (
    *("README.md", "ERRATA.md", "nmt_attention/pretrained/README.md", "speedrun/README.md", "speedrun/LOG.md"),
    *(f"notebooks/{name}.md" for name in ("GLOSSARY", "TEACH", "README", "AGENTS", "CARDS", "ASSESS", "REFERENCE")),
    *("data/README.md", *sorted(f"docs/{path.name}" for path in (course.ROOT / "docs").glob("*.md"))),
)

PICTURE = re.compile(r'<img src="pictures/\d\d[abc]?\.png".*? alt="(.*?)">')
# Lessons that open with their first widget, and what invites to it.
WIDGETS = {"03": "<p><b>Drag a dot</b>, or move it with the arrow keys: which of the four words wins?</p>"}
WIDGETS |= dict.fromkeys(("06", "07"), "")
LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]+)?\)")  # to a file of the project
FIGURES = ("image/png", "image/svg+xml")  # as which a notebook stores them
MINUTES = re.compile(r"\*\*It takes\*\*\s(\d+)\sminutes\sto\sread")
# What two lessons open with: other sentences than those whose order the lessons ask for.
SHOWN = {"00": "She drank cold water.", "09": "My sister is reading a newspaper."}
TRANSLATOR = ("00", "03", "07", "09", "09b")  # the lessons that the page which translates goes with
TRY = '<a class="site-button" href="../translator.html">Try it: write a sentence, and watch where the model looks</a>'
FOLDED = "Each solution is folded, below what you start from.\n\n"


def site_version(notebook: NotebookNode, name: str, repository: str = "", widget: str = "") -> NotebookNode:
    """Makes of a notebook what the site shows.

    Set-up is left out, and solutions are folded, each below the start that learners get; so is what a code cell shows,
    if the text before it asks for that. Some lessons lead to the page that translates. The Colab badge becomes a
    button, because its image would come from elsewhere. A widget takes the place of the picture at the top, and what a
    cell shows as HTML that of the picture which GitHub shows.

    Args:
        notebook: of `course.read`; it is changed.
        name: the notebook's file name.
        repository: `owner/name` at github.com, or empty: no button.
        widget: a piece of HTML, or empty.

    Raises:
        ValueError: `repository` is not of that form.
    """
    button = ""
    if repository:
        button = f'<a class="site-button" href="{course.colab_address(name, repository)}">Open in Colab</a>'
    opening = notebook.cells[0]
    opening.source = opening.source.replace("\n", f"\n\n{_length(opening.source, name)}\n", 1)
    if name.partition("_")[0] in TRANSLATOR:
        button = f"{TRY}\n{button}".strip()
    opening.source = course.BADGE.sub(button, opening.source).replace(course.SOLVED, FOLDED)
    picture = PICTURE.search(opening.source)
    cells = _with_widget(opening, widget) if widget else [opening]
    set_up, answers = name != course.PAGE.name, course.answers(notebook, name)  # that page has nothing to leave out
    for cell in course.without_added_cells(notebook).cells[1:]:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace(course.SOLVED, FOLDED)
            cells.append(cell)
            continue
        _describe(cell, picture[1] if picture else "")
        if set_up:
            set_up = False
            continue
        if course.is_solution(cell):
            start = copy.deepcopy(cell)
            start.id, start.source = f"{cell.id}-start", course.without_solution(cell.source)
            del start.metadata["jupyter"]  # unfolded
            cells.append(start)
            cell.source = re.sub(rf"^ *(?:{course.BEGIN}|{course.END})\n?", "", cell.source, flags=re.MULTILINE)
            _fold(cell, "Show the solution")
        else:
            _leave_out_pictures(cell)
            if cell in answers:
                _fold(cell, "Show the answer", "hide-output")
        cells.append(cell)
    notebook.cells = cells
    return notebook


def _length(opening: str, name: str) -> str:
    """Returns what stands below a lesson's title: how long it takes, and its place on a path if it has one."""
    found = MINUTES.search(opening)
    number = name.partition("_")[0]
    paths = {"core": course.CORE, "second": course.SECOND}
    places = [(path, names.index(number) + 1, len(names)) for path, names in paths.items() if number in names]
    place = "".join(f" · {path} path, {place} of {count}" for path, place, count in places)
    return f"*{found[1]} minutes to read{place}*" if found else ""


def _describe(cell: NotebookNode, title: str) -> None:
    """Describes what a cell draws: the picture of the title as there, others by what the notebook stores with them.

    MyST-NB knows one alternative text per cell, so that of several figures are joined. A figure without any gets that
    of site/conf.py.
    """
    about = [output.get("metadata", {}).get(kind, {}) for output in cell.outputs for kind in FIGURES]
    stored = " ".join(part["alt"] for part in about if "alt" in part)
    alt = title if "picture" in course.tags(cell) else stored
    if alt:
        cell.metadata["mystnb"] = {"image": {"alt": alt}}


def _leave_out_pictures(cell: NotebookNode) -> None:
    """Leaves out pictures that stand in where HTML is not shown."""
    kinds = [set(output.get("data", {})) for output in cell.outputs]
    if any("text/html" in each for each in kinds):
        pairs = zip(cell.outputs, kinds, strict=True)
        cell.outputs = [output for output, each in pairs if not each & {"image/png", "image/gif"}]


def _fold(cell: NotebookNode, prompt: str, how: str = "hide-input") -> None:
    cell.metadata["tags"] = [how]
    prompts = {"code_prompt_show": prompt, "code_prompt_hide": prompt.replace("Show", "Hide")}
    cell.metadata["mystnb"] = cell.metadata.get("mystnb", {}) | prompts


def _with_widget(opening: NotebookNode, widget: str) -> list[NotebookNode]:
    """Returns a lesson's first cell as three: what is before its picture, the widget, what comes after.

    The widget is a cell's output. Its code is not shown, but without any MyST-NB would leave out the cell.
    """
    before, _, after = PICTURE.split(opening.source)
    output = nbformat.v4.new_output("display_data", {"text/html": widget})
    shown = nbformat.v4.new_code_cell("# a widget", outputs=[output], metadata={"tags": ["remove-input"]})
    return [nbformat.v4.new_markdown_cell(before), shown, nbformat.v4.new_markdown_cell(after)]


def first_widget(notebook: NotebookNode) -> str:
    """Returns the HTML of the first widget that a notebook has stored."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    pieces = (output.get("data", {}).get("text/html", "") for output in outputs)
    return next(piece for piece in pieces if 'class="nmt-widget' in piece)


def live_pictures() -> dict[str, str]:
    """Returns translations by the model of the package, whose words light up where it looked, as HTML by `SHOWN`."""
    pictures = {}
    translations = Translator.load().translate(list(SHOWN.values()), merge_subwords=True)
    for (name, sentence), translation in zip(SHOWN.items(), translations, strict=True):
        translation = translation._replace(source_tokens=re.findall(r"\w+|\.", sentence))  # as typed: I, not i
        pictures[name] = attention_html(translation, romanize=True, glosses=True)
    return pictures


def gather(directory: Path, repository: str = "") -> None:
    """Writes all that Sphinx reads into a new directory: pages, lessons, and the files that pages show or link to.

    Raises:
        ValueError: `repository` is neither empty nor `owner/name`.
        FileNotFoundError: a page links to a file that does not exist.
    """
    shutil.copytree(course.NOTEBOOKS / "pictures", directory / "notebooks" / "pictures")
    pictures = live_pictures()
    for path in course.notebook_paths():
        number, notebook = course.short_name(path), course.read(path)
        widget = WIDGETS[number] + first_widget(notebook) if number in WIDGETS else pictures.get(number, "")
        notebook = site_version(notebook, path.name, repository, widget)
        nbformat.write(notebook, directory / "notebooks" / path.name)
    # The pages of `site/` are at the top of the site.
    texts = {path.name: path.read_text(encoding="utf-8").replace("../", "") for path in SITE.glob("*.md")}
    texts |= {name: (course.ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    for name, text in texts.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8", newline="\n")
        for link in LINK.findall(text):
            place = Path(name).parent / link
            if place.suffix not in (".md", ".ipynb"):
                (directory / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(course.ROOT / place, directory / place)


def _run(module: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", module, *map(str, arguments)], check=True)


def main() -> None:
    """Does what the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", default="", help="owner/name at github.com: gives lessons a Colab button")
    parser.add_argument("--run", type=Path, required=True, help="whose model translates on the site, if it is trained")
    options = parser.parse_args()
    for directory in (SOURCE, BUILD):
        shutil.rmtree(directory, ignore_errors=True)
    try:
        gather(SOURCE, options.repository)
    except ValueError as error:
        sys.exit(str(error))
    owner, _, name = options.repository.partition("/")
    address = ["-D", f"html_baseurl=https://{owner.lower()}.github.io/{name}/"] if name else []
    _run("sphinx", "-q", "--fail-on-warning", "--keep-going", *address, "-c", SITE, "-d", DOCTREES, SOURCE, BUILD)
    run = ["--run", options.run] if (options.run / "weights.npz").is_file() else []
    _run("nmt_attention", "export", *run, "--page", page := BUILD / "translator.html")
    link = rb'<a target="_top" href="notebooks/\1.html"'
    page.write_bytes(re.sub(rb'<a data-lesson="(\w+)"', link, page.read_bytes()))
    print(BUILD.relative_to(course.ROOT))


if __name__ == "__main__":
    main()
