"""The pages beside the lessons against what they talk about: lessons, code, commands, options."""

import ast
import functools
import itertools
import re
import shlex

import pytest
from stored import GUIDE, LESSONS, PAGES, code_cells, markdown

import nmt_attention
from nmt_attention.cli import main as command_line
from nmt_attention.cli.common import settings_in
from nmt_attention.runs.settings import UNGUIDED, make_settings, setting_fields
from tools.teaching import course

ROOT, TEXTS = course.ROOT, {path: path.read_text(encoding="utf-8") for path in PAGES}
TEXT = "\n".join(TEXTS.values())
PACKAGE, TEACHING = ROOT / "nmt_attention", ROOT / "tools" / "teaching"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SOURCES = {path: path.read_text(encoding="utf-8") for path in [*PACKAGE.rglob("*.py"), *TEACHING.rglob("*.py")]}
MADE = (".venv/", "runs/", "build/", "course/runs/", "data/deu-eng.zip")  # only using the project makes them

FENCES = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
FENCED = [block for language, block in FENCES if not language]
UNFENCED = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)
NAMED = {" ".join((a or b).split()) for a, b in re.findall(r"`([^`]+)`|<code>(.*?)</code>", UNFENCED)}
NAMED |= {line for block in FENCED for line in block.splitlines() if line}


@functools.cache
def parsers():
    (commands,) = command_line.make_parser()._subparsers._group_actions
    return commands.choices


def is_there(name, texts):
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in texts)


def of_a_module(name):
    """Returns what follows the module in a dotted name, and the module's text; None if it begins with none."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = PACKAGE.joinpath(*parts[:length])
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file in SOURCES:
                return parts[length:], SOURCES[file]
    return None


def exists(name):
    """Returns whether there is what a piece of code in the guide names."""
    first, *words = shlex.split(name)
    if first == "make":
        settings = [rf"^{word.partition('=')[0]} \?=" for word in words if "=" in word]
        patterns = settings + [f"^{word}:" for word in words if "=" not in word]
        return all(re.search(pattern, MAKEFILE, re.MULTILINE) for pattern in patterns)
    if first == "nmt-attention":
        try:
            return bool(command_line.make_parser().parse_args(words))
        except SystemExit:
            return False
    if name.startswith("python -m tools."):
        tool = ROOT / words[1].replace(".", "/")
        task = re.search(r"choices=\((.*?)\)", SOURCES[TEACHING / "course.py"])[1]
        is_task = not words[1].endswith(".course") or f'"{words[2]}"' in task
        return is_task and (tool.with_suffix(".py").is_file() or (tool / "__main__.py").is_file())
    if first.startswith("--") or (first in parsers() and words):
        known = [parsers()[first]] if first in parsers() else parsers().values()
        options = {option for parser in known for option in parser._option_string_actions}
        return {word for word in [first, *words] if word.startswith("--")} <= options
    if name.startswith(MADE) or f"--run runs/{name} " in TEXTS[GUIDE]:
        return True
    if name.endswith(")"):
        return name.partition("(")[0] in nmt_attention.__all__
    if "/" in name:
        return (ROOT / name).exists()
    if found := of_a_module(name):
        return all(is_there(part, found[1:]) for part in found[0])
    return is_there(name, [MAKEFILE, *SOURCES.values()])


@pytest.mark.parametrize("name", sorted(NAMED))
def test_what_is_named_exists(name):
    assert exists(name)


WRONG = ["attention.no_such", "nosuchname", "tests/no_such.py", "make nothing", "make setup NOTHING=1", "--no-such"]
WRONG += ["nmt-attention train --no-such", "python -m tools.teaching.course nothing", "evaluate --beside"]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_exist_is_noticed(wrong):
    assert not exists(wrong)


def test_every_lesson_has_a_row():
    assert all(f"\n| [{course.short_name(path)}]({path.name}) " in TEXTS[GUIDE] for path in LESSONS)


def test_sections_and_exercises_that_are_pointed_at_are_there():
    texts = {course.number(path): markdown(path) for path in LESSONS}
    pages = "".join(TEXTS.values())
    for number, places in re.findall(r"lesson (\d+[a-c]?),\s+sections? ([\d, and to]+)", pages):
        for place in re.findall(r"\d+", places):
            assert re.search(rf"^## {place}\. ", texts[number], re.MULTILINE), f"lesson {number}: section {place}"
    for listed in re.findall(r"exercises? ([\d., and]+\d)", pages):
        for name in re.findall(r"\d+\.\d", listed):  # one half of a lesson has it
            halves = [text for number, text in texts.items() if number.rstrip("abc") == name.split(".")[0]]
            assert sum(bool(re.search(rf"^\*\*{name} ", text, re.MULTILINE)) for text in halves) == 1, name


def models_of_lessons():
    """Yields name, preset and other settings of each model that a lesson has trained, if its code names them."""
    for cell in itertools.chain.from_iterable(map(code_cells, LESSONS)):
        for call in ast.walk(ast.parse(cell.source)):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "trained":
                values = [*call.args, *(word.value for word in call.keywords)]
                if all(isinstance(value, ast.Constant) for value in values):
                    given = {word.arg: word.value.value for word in call.keywords}
                    yield call.args[0].value, given.pop("base", "quick"), UNGUIDED | given


def test_commands_that_prepare_a_class_make_the_models_that_lessons_ask_for():
    prepared = {}
    (commands,) = (block for block in FENCED if "--run runs/plain " in block)
    for command in commands.splitlines():
        options = parsers()["train"].parse_args(shlex.split(command.partition(" train ")[2]))
        given = settings_in(options, setting_fields())
        prepared[options.run.name] = make_settings(options.preset, given)
    asked = [model for model in models_of_lessons() if model[0] in prepared]
    assert {name for name, _, _ in asked} == set(prepared)
    for name, preset, given in asked:
        assert prepared[name] == make_settings(preset, given), name
