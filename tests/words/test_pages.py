"""README, guide and the pages of `docs/` and `data/` against what they talk about: links, commands, code, files."""

import ast
import functools
import itertools
import re
import shlex

import pytest
from stored import GUIDE, LESSONS, code_cells, dead_links, imports_beside_the_face, markdown
from stored import PAGES as GUIDE_PAGES

import nmt_attention
from nmt_attention.cli.common import settings_in
from nmt_attention.cli.main import make_parser
from nmt_attention.runs.settings import UNGUIDED, make_settings, setting_fields
from tools.teaching import course

ROOT = course.ROOT
PAGES = [ROOT / "README.md", *GUIDE_PAGES, ROOT / "data" / "README.md", ROOT / "ERRATA.md"]
PAGES += [path for folder in ("docs", "speedrun") for path in sorted((ROOT / folder).glob("*.md"))]
TEXTS = {path: path.read_text(encoding="utf-8") for path in PAGES}
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
CODE = {path: path.read_text(encoding="utf-8") for path in (ROOT / "nmt_attention").rglob("*.py")}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TEACHING = [path.read_text(encoding="utf-8") for path in (ROOT / "tools" / "teaching").rglob("*.py")]
MADE = (".venv/", "runs/", "build/", "course/runs/", "data/deu-eng", "data/mar-eng")  # only use makes them
CHECKED = re.compile(r"(?:make|nmt-attention|python -m tools\.\S+) \w|(?:nmt_attention|tools|data|docs|tests|site)/")


@functools.cache
def parsers():
    (commands,) = make_parser()._subparsers._group_actions
    return commands.choices


def is_there(name, texts):
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in texts)


def exists(name):
    """Returns whether there is what a piece of code names: a command with its options, a tool, a file, a name."""
    first, *words = shlex.split(name, comments=True)
    if first == "make":
        patterns = [rf"^{w.partition('=')[0]} \?=" if "=" in w else f"^{w}:" for w in words]
        return all(re.search(pattern, MAKEFILE, re.MULTILINE) for pattern in patterns)
    if first == "nmt-attention":
        runs = [word in ("--run", "--compare") for word in words]  # of which none exists here
        words = ["." if is_run else word for word, is_run in zip(words, [False, *runs], strict=False)]
        try:
            return words in [[command] for command in parsers()] or bool(make_parser().parse_args(words))
        except SystemExit as stopped:
            return not stopped.code
    if name.startswith("python -m tools."):
        task = re.search(r"choices=\((.*?)\)", (ROOT / "tools/teaching/course.py").read_text(encoding="utf-8"))[1]
        is_task = not words[1].endswith(".course") or f'"{words[2]}"' in task
        return is_task and (ROOT / words[1].replace(".", "/")).with_suffix(".py").is_file()
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
    first, *parts = name.split(".")
    texts = [text for path, text in CODE.items() if first in (path.stem, path.parent.name)]  # of a module or folder
    if texts and parts:
        return all(is_there(part, texts) for part in parts)
    return is_there(name, [MAKEFILE, *CODE.values(), *TEACHING])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_code_commands_and_files_of_a_page_are_good(path):
    """In pages for teachers whatever stands as code exists; elsewhere commands, targets, tools and files do."""
    text, blocks = FENCE.sub("", TEXTS[path]), FENCE.findall(TEXTS[path])
    assert not dead_links(text, path)
    assert not any(imports_beside_the_face(code) for language, code in blocks if language == "python")
    named = {" ".join((a or b).split()) for a, b in re.findall(r"`([^`]+)`|<code>(.*?)</code>", text)}
    fenced = "".join(code.replace("\\\n", "") for language, code in blocks if not language)
    named |= {line.strip() for line in fenced.splitlines() if line.strip()}
    assert not [name for name in named if (path in GUIDE_PAGES or CHECKED.match(name)) and not exists(name)]


WRONG = ["attention.no_such", "nosuchname", "tests/no_such.py", "make nothing", "make setup NOTHING=1", "--no-such"]
WRONG += ["nmt-attention train --no-such", "python -m tools.teaching.course nothing", "evaluate --beside"]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_exist_is_noticed(wrong):
    assert not exists(wrong)


def test_every_lesson_has_a_row_and_sections_and_exercises_that_are_pointed_at_are_there():
    assert all(f"\n| [{course.short_name(path)}]({path.name}) " in TEXTS[GUIDE] for path in LESSONS)
    texts = {course.number(path): markdown(path) for path in LESSONS}
    pages = "".join(TEXTS[path] for path in GUIDE_PAGES)
    for number, places in re.findall(r"lesson (\d+[a-c]?),\s+sections? ([\d, and to]+)", pages):
        for place in re.findall(r"\d+", places):
            assert re.search(rf"^## {place}\. ", texts[number], re.MULTILINE), f"lesson {number}: section {place}"
    for name in re.findall(r"\d+\.\d", " ".join(re.findall(r"exercises? ([\d., and]+\d)", pages))):
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
    (commands,) = (code for _, code in FENCE.findall(TEXTS[GUIDE]) if "--run runs/plain " in code)
    prepared = {}
    for command in commands.splitlines():
        options = parsers()["train"].parse_args(shlex.split(command.partition(" train ")[2]))
        prepared[options.run.name] = make_settings(options.preset, settings_in(options, setting_fields()))
    asked = [model for model in models_of_lessons() if model[0] in prepared]
    assert {name for name, _, _ in asked} == set(prepared)
    for name, preset, given in asked:
        assert prepared[name] == make_settings(preset, given), name
