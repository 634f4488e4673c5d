"""The README and the pages of `docs/`, read as text: their size, links, commands and imports."""

import ast
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

import nmt_attention

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "data" / "README.md", ROOT / "ERRATA.md"]
TEXTS = [pytest.param(path.read_text(encoding="utf-8"), id=str(path.relative_to(ROOT))) for path in PAGES]
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMMANDS = {path.stem for path in (ROOT / "nmt_attention" / "cli").glob("*.py") if "def add_parser" in path.read_text()}
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_readme_says_true_sizes():
    count, lines = re.search(r"^(\w+) files, under ([\d,]+) lines, are the core ", README, re.MULTILINE).groups()
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "nmt_attention").glob("*.py")]
    assert (count, len(files)) == ("Seventeen", 17 + 2)  # and the two doors, `__init__` and `__main__`
    assert sum(text.count("\n") for text in files) < int(lines.replace(",", ""))


def test_the_readme_opens_with_three_doors_a_translation_and_a_picture():
    first = README.partition("\n## ")[0]
    assert re.findall(r"\[▸ (\w+)\]", first) == ["Play", "Learn", "Teach"] and "![" in first
    assert "कॅमेरा" in first and len(first.splitlines()) <= 25


def anchors(path):
    """Returns the anchors that a page's headings get at github.com and on the site."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    headings = (re.sub(r"\[(.*?)\]\(.*?\)", r"\1", name) for name in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in headings}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_exist(path):
    for link in re.findall(r"\]\(([^()\s]+)\)", FENCE.sub("", path.read_text(encoding="utf-8"))):
        if not re.match(r"https?://", link):
            name, _, anchor = link.partition("#")
            place = path.parent / unquote(name) if name else path
            assert place.is_file(), link
            assert not anchor or anchor in anchors(place), link


@pytest.mark.parametrize("text", TEXTS)
def test_commands_targets_and_tools_exist(text):
    called = re.findall(r"(?<!/)\b(?:nmt-attention|-m nmt_attention) +([a-z]+)\b", text)
    assert set(called) <= COMMANDS
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= TARGETS
    for name in re.findall(r"-m (tools\.[\w.]+\w)", text):
        place = ROOT / name.replace(".", "/")
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), name


@pytest.mark.parametrize("text", TEXTS)
def test_files_that_are_named_exist(text):
    for name in re.findall(r"`((?:nmt_attention|tools|data|docs|notebooks|tests|site|\.github)/[\w./-]+)`", text):
        assert (ROOT / name).exists() or (name.startswith("data/") and "eng" in name), name


@pytest.mark.parametrize("text", TEXTS)
def test_python_examples_import_from_the_face_alone(text):
    for language, code in FENCE.findall(text):
        for node in ast.walk(ast.parse(code)) if language == "python" else ():
            if isinstance(node, ast.ImportFrom) and node.module.startswith("nmt_attention"):
                assert node.module == "nmt_attention"
                assert {alias.name for alias in node.names} <= set(nmt_attention.__all__)
