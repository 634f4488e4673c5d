"""The spoken scripts: one for each lesson, and what they tell a teacher to open, press and type."""

import re

import pytest
from stored import LESSONS, SCRIPTS, dead_links

from nmt_attention.cli.main import make_parser
from tools.teaching import course

PAGE = SCRIPTS.read_text(encoding="utf-8").split("\n## Three minutes with the page\n")[1]
WEB = "".join(path.read_text(encoding="utf-8") for path in course.ROOT.glob("nmt_attention/deploy/web/*.[hj]*"))


def test_each_lesson_has_a_script_that_starts_with_its_title_picture():
    scripts = course.scripts()
    assert list(scripts) == [course.number(path) for path in LESSONS]
    assert all(script.startswith("**Show the title picture.**") for script in scripts.values())
    assert "python -m" not in scripts["10b"]  # the page's script is no lesson's
    assert not dead_links(SCRIPTS.read_text(encoding="utf-8"), SCRIPTS.parent)


@pytest.mark.parametrize("command", re.findall(r"nmt-attention ([^\n`]+)|`(export [^`]+)`", PAGE))
def test_commands_exist(command):
    make_parser().parse_args("".join(command).split())


def test_buttons_and_switches_exist():
    names = set(re.findall(r"\b(?:[Pp]ress|[Cc]hoose|[Oo]pen|[Ss]et) \*([^*]+)\*", PAGE))
    assert {"Step by step", "Other translations", "uniform"} <= names
    assert not [name for name in names if not re.search(rf"> ?{re.escape(name)} ?[<:]", WEB)]
