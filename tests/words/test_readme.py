"""README, guide and the pages of `docs/` and `data/`: sizes that they state, links, commands, files and imports."""

import re

import pytest
from stored import PAGES as GUIDE_PAGES
from stored import dead_links, imports_beside_the_face

from nmt_attention.cli.main import make_parser
from tools.teaching import course

ROOT = course.ROOT
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *GUIDE_PAGES, ROOT / "data" / "README.md", ROOT / "ERRATA.md"]
PAGES += sorted((ROOT / "docs").glob("*.md"))
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMMANDS = make_parser()._subparsers._group_actions[0].choices.keys()
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))


def test_the_readme_says_true_sizes():
    count, lines = re.search(r"^(\w+) files, under ([\d,]+) lines, are the core ", README, re.MULTILINE).groups()
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "nmt_attention").glob("*.py")]
    assert (count, len(files)) == ("Seventeen", 17 + 2)  # and the two doors, `__init__` and `__main__`
    assert sum(text.count("\n") for text in files) < int(lines.replace(",", ""))


@every_page
def test_links_lead_to_files_and_headings_that_exist(path):
    assert not dead_links(FENCE.sub("", path.read_text(encoding="utf-8")), path)


@every_page
def test_commands_targets_tools_and_files_exist(path):
    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"(?<!/)\b(?:nmt-attention|-m nmt_attention) +([a-z]+)\b", text)) <= COMMANDS
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= TARGETS
    for name in re.findall(r"-m (tools\.[\w.]+\w)", text):
        place = ROOT / name.replace(".", "/")
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), name
    for name in re.findall(r"`((?:nmt_attention|tools|data|docs|notebooks|tests|site|\.github)/[\w./-]+)`", text):
        assert (ROOT / name).exists() or (name.startswith("data/") and "eng" in name), name


@every_page
def test_python_examples_import_from_the_face_alone(path):
    blocks = FENCE.findall(path.read_text(encoding="utf-8"))
    assert not any(imports_beside_the_face(code) for language, code in blocks if language == "python")
