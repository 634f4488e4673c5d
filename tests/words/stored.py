"""The notebooks as they are stored, and the pages beside them."""

import ast
import functools
import re
from urllib.parse import unquote

import nmt_attention
from tools.teaching import course

LESSONS, NOTEBOOKS = course.lesson_paths(), course.notebook_paths()
PAGES = GUIDE, CARDS, ASSESS, REFERENCE, TEACH, GLOSSARY = [
    course.NOTEBOOKS / f"{name}.md" for name in ("README", "CARDS", "ASSESS", "REFERENCE", "TEACH", "GLOSSARY")
]
read = functools.cache(course.read)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def markdown(path):
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


@functools.cache
def anchors(path):
    """Returns the anchors that github.com gives to the headings of a page."""
    text = re.sub(r"^ *```.*?^ *```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = [re.sub(r"\[(.*?)\]\(.*?\)", r"\1", name) for name in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(text, path):
    """Returns the links of the text of a file that lead to no file of the repository, or to no heading of it."""
    dead = []
    for link in re.findall(r"\]\((?!https?:)([^()\s]+)\)", text):
        name, _, anchor = link.partition("#")
        page = path.parent / unquote(name) if name else path
        if not page.is_file() or (anchor and anchor not in anchors(page)):
            dead.append(link)
    return dead


def imports_beside_the_face(code):
    """Returns what a piece of code imports of the package in another way than `from nmt_attention import NAME`."""
    wrong = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            wrong += [alias.name for alias in node.names if alias.name.startswith("nmt_attention.")]
        elif isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "nmt_attention":
            public = nmt_attention.__all__ if node.module == "nmt_attention" else ()
            wrong += [f"{node.module}.{alias.name}" for alias in node.names if alias.name not in public]
    return wrong
