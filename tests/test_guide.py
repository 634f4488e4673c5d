"""The course guide against what it talks about: lessons, code, commands, options and error messages."""

import ast
import functools
import importlib
import itertools
import json
import re
import shlex
from pathlib import Path

import pytest

from nmt_attention import lesson
from nmt_attention.cli import main as command_line
from nmt_attention.config import ATTENTION_NAMES
from nmt_attention.runs.settings import make_settings, setting_fields
from tools import course

ROOT = Path(lesson.__file__).parent.parent.parent
GUIDE = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
LESSONS = [path.name for path in course.lesson_paths()]
SOURCES = [*sorted((ROOT / "nmt_attention").rglob("*.py")), ROOT / "tools" / "course.py"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
MODULES = {
    ".".join(path.relative_to(ROOT / "nmt_attention").with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES[:-1]
}
# What only using the project brings into being.
MADE = (".venv/", "runs/", "build/", "course/runs/", "data/deu-eng.zip")

FENCES = re.findall(r"^```(\w*)\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
FENCED = [block for language, block in FENCES if not language]
UNFENCED = re.sub(r"^```.*?^```", "", GUIDE, flags=re.DOTALL | re.MULTILINE)
NAMED = sorted({" ".join((a or b).split()) for a, b in re.findall(r"`([^`]+)`|<code>(.*?)</code>", UNFENCED)})
NAMED += [line for block in FENCED for line in block.splitlines() if line]
QUOTED = sorted({" ".join(text.split()) for text in re.findall(r'\*\*"(.+?)"\*\*', UNFENCED, re.DOTALL)})


@functools.cache
def parsers():
    (commands,) = command_line.make_parser()._subparsers._group_actions
    return commands.choices


def options():
    return {option for parser in parsers().values() for option in parser._option_string_actions}


@functools.cache
def messages():
    """Returns every string of the sources, `…` for each of its variable parts; Makefile and first cell."""
    found = [MAKEFILE, (ROOT / "notebooks" / LESSONS[0]).read_text(encoding="utf-8")]
    for path in [*SOURCES, ROOT / "notebooks" / "set_up.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            if all(isinstance(part, ast.FormattedValue | ast.Constant) for part in parts):
                found.append("".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts))
    return found


def is_quoted_right(quoted):
    pattern = ".*".join(re.escape(part) for part in quoted.split("…"))
    return any(re.search(pattern, message) for message in messages())


def module_of(name):
    """Returns the module of the package, as a dotted name, that a dotted name starts with, else an empty text."""
    parts = name.split(".")
    starts = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((start for start in starts if start in MODULES), "")


def exists(name):
    """Returns whether there is what a piece of code in the guide names."""
    first, *words = shlex.split(name)
    if first == "make":
        settings = [word.partition("=")[0] for word in words if "=" in word]
        targets = [word for word in words if "=" not in word]
        return all(re.search(rf"^{target}:", MAKEFILE, re.MULTILINE) for target in targets) and all(
            re.search(rf"^{setting} \?=", MAKEFILE, re.MULTILINE) for setting in settings
        )
    if name.startswith("python -m nmt_attention "):
        try:
            return bool(command_line.make_parser().parse_args(words[2:]))
        except SystemExit:
            return False
    if name.startswith("python tools/course.py "):
        tasks = re.search(r"choices=\((.*?)\)", SOURCES[-1].read_text(encoding="utf-8"))[1]
        return f'"{words[1]}"' in tasks and all(any(n.startswith(w) for n in LESSONS) for w in words[2:])
    if first.startswith("--") or (first in parsers() and words):
        known = parsers()[first]._option_string_actions if first in parsers() else options()
        return {word for word in [first, *words] if word.startswith("--")} <= set(known)
    if name.startswith(MADE):
        return True
    if "/" in name:
        return (ROOT / name).exists()
    parts = name.split(".")
    module = module_of(name)
    names = parts[module.count(".") + 1 :] if module else []
    if names:
        try:
            return bool(functools.reduce(getattr, names, importlib.import_module(f"nmt_attention.{module}")))
        except AttributeError:
            return False
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return any(word.search(text) for text in [MAKEFILE, *(path.read_text(encoding="utf-8") for path in SOURCES)])


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_exists(name):
    assert exists(name)


@pytest.mark.parametrize("quoted", QUOTED)
def test_error_messages_are_those_of_the_source(quoted):
    assert is_quoted_right(quoted)


def test_every_lesson_is_in_the_table_and_every_link_leads_somewhere():
    table = [line for line in GUIDE.splitlines() if re.match(r"\| \[\d\db?\]", line)]
    assert [re.search(r"\((.*?)\)", line)[1] for line in table] == LESSONS
    for link in re.findall(r"\]\((?!https?:)(.*?)\)", GUIDE):
        assert (ROOT / "notebooks" / link).is_file(), link
    for name in LESSONS:
        assert f"**Lesson {course.number(Path(name))}, " in GUIDE, "something to say at its figure"


def reading_minutes(notebook):
    """Returns the minutes of each numbered section: 200 words and four lines of code a minute."""
    minutes, section = {}, 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for line in cell.source.splitlines():
                if line.startswith("## "):
                    section = int(line[3]) if line[3].isdigit() else 0
                minutes[section] = minutes.get(section, 0) + len(line.split()) / 200
        else:
            minutes[section] = minutes.get(section, 0) + len([*filter(str.strip, cell.source.splitlines())]) / 4
    return {section: found for section, found in minutes.items() if section}


def test_minutes_of_sections_follow_the_rule():
    (table,) = (part for part in GUIDE.split("\n\n") if part.startswith("| lesson | section 1 |"))
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert [row[0] for row in rows] == [course.number(path) for path in course.lesson_paths()]
    for path, (_, *shown) in zip(course.lesson_paths(), rows, strict=True):
        minutes = reading_minutes(course.read(path))
        assert [k for k, text in enumerate(shown, 1) if text != "–"] == sorted(minutes), path.name
        for section, found in minutes.items():
            assert abs(int(shown[section - 1]) - found) <= 1, f"{path.name}, section {section}: {found:.1f} minutes"


def settings_of(command):
    """Returns the settings of a run that `train` with these options makes, from the usual number of real pairs."""
    options = parsers()["train"].parse_args(shlex.split(command.partition(" train ")[2]))
    given = {name: getattr(options, name) for name in setting_fields() if hasattr(options, name)}
    return options.run.name, make_settings(options.preset, given)


def models_of_lessons():
    """Yields name, preset and other settings of each model that a lesson has trained, if its code names them."""
    for path in course.lesson_paths():
        code = "\n".join(cell.source for cell in course.read(path).cells if cell.cell_type == "code")
        for call in ast.walk(ast.parse(re.sub("^[%!].*", "", code, flags=re.MULTILINE))):
            values = [*call.args, *(word.value for word in call.keywords)] if isinstance(call, ast.Call) else []
            if getattr(getattr(call, "func", None), "id", "") == "trained" and all(
                isinstance(value, ast.Constant) for value in values
            ):
                given = {word.arg: word.value.value for word in call.keywords}
                yield call.args[0].value, given.pop("base", "quick"), lesson.UNGUIDED | given


def test_commands_that_prepare_a_class_make_the_models_that_lessons_ask_for():
    (commands,) = (block for block in FENCED if "--run runs/plain " in block)
    prepared = dict(map(settings_of, commands.splitlines()))
    asked = [model for model in models_of_lessons() if model[0] in prepared]
    assert {name for name, _, _ in asked} == set(prepared)
    for name, preset, given in asked:
        assert prepared[name] == make_settings(preset, given), name


def test_sections_and_exercises_that_are_pointed_at_are_there():
    texts = {course.number(path): path.read_text(encoding="utf-8") for path in course.lesson_paths()}
    sections = re.findall(r"lesson (\d+b?),\s+sections? ([\d, and to]+)", GUIDE)
    for number, places in sections:
        for place in re.findall(r"\d+", places):
            assert re.search(rf'(?:"|\\n)## {place}\. ', texts[number]), f"lesson {number}: section {place}"
    exercises = [
        name for listed in re.findall(r"exercises? ([\d., and]+\d)", GUIDE) for name in re.findall(r"\d+\.\d", listed)
    ]
    for name in exercises:  # one half of a lesson has it
        halves = [text for number, text in texts.items() if number.rstrip("b") == name.split(".")[0]]
        assert sum(f'"**{name} ' in text or f"\\n**{name} " in text for text in halves) == 1, name
    assert len(sections) + len(exercises) > 25


def test_every_objective_has_a_row_with_the_exercises_and_questions_of_its_lesson():
    section = re.search(r"^## Objectives, exercises, questions$(.*?)^## ", GUIDE, re.DOTALL | re.MULTILINE)[1]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if re.match(r"\| \d", line)]
    notebooks = {course.number(path): course.read(path) for path in course.lesson_paths()}
    questions = json.loads((ROOT / "data" / "questions.json").read_text(encoding="utf-8"))
    lesson_of = {question["id"]: str(question["lesson"]) for question in questions}
    assert [number for number, _ in itertools.groupby(rows, lambda row: row[0])] == list(notebooks)
    for number, notebook in notebooks.items():
        stated = re.search(r"## You will be able to\n(.*?)\n\*\*You need", notebook.cells[0].source, re.DOTALL)[1]
        verbs = re.findall(r"^- (\w+)", stated, re.MULTILINE)
        assert [row[1].split()[0] for row in rows if row[0] == number] == verbs, f"lesson {number}: its objectives"
    for number, objective, exercises, asked in rows:
        assert len(objective.split()) <= 10, objective
        texts = [cell.source for cell in notebooks[number].cells if cell.cell_type == "markdown"]
        for name in exercises.split(", ") if exercises != "–" else []:
            assert any(re.search(rf"^\*\*{re.escape(name)} ", text, re.MULTILINE) for text in texts), name
        ids = asked.split(", ") if asked != "–" else []
        assert len(ids) <= 4 and [lesson_of.get(each) for each in ids] == [number] * len(ids), f"{number}: {asked}"


def test_guide_and_readme_name_every_attention():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in ATTENTION_NAMES:
        assert f"`{name}`" in GUIDE and f"`{name}`" in readme, name


def test_the_guide_s_python_code_imports_what_there_is():
    blocks = [block for language, block in FENCES if language == "python"]
    imports = [node for block in blocks for node in ast.walk(ast.parse(block)) if isinstance(node, ast.ImportFrom)]
    assert len(imports) > 1
    for node in imports:
        assert all(hasattr(importlib.import_module(node.module), alias.name) for alias in node.names)


def test_twenty_questions_have_an_answer_that_leads_to_code():
    quiz = re.search(r"^## Quiz$(.*?)^## ", GUIDE, re.DOTALL | re.MULTILINE)[1]
    found = re.findall(r"<details><summary><b>(\d+)\.</b>(.+?)</summary>\n\n(.+?)\n</details>", quiz, re.DOTALL)
    assert [int(number) for number, _, _ in found] == list(range(1, 21))
    assert quiz.count("<details>") == quiz.count("</details>") == 20
    for number, _, answer in found:
        code = [name for name in re.findall(r"`(.+?)`", answer) if module_of(name)]
        assert code, f"answer {number} names no code"


@pytest.mark.parametrize(
    "wrong",
    [
        *("attention.no_such", "nosuchname", "tests/no_such.py", "make nothing", "make setup NOTHING=1", "--no-such"),
        *("python -m nmt_attention train --no-such", "python tools/course.py nothing", "evaluate --merge-subwords"),
    ],
)
def test_what_does_not_exist_is_noticed(wrong):
    assert not exists(wrong)


def test_a_message_that_was_changed_is_noticed():
    assert not is_quoted_right("REPOSITORY: expected name/owner, got …")
    assert len(QUOTED) > 20 and len(NAMED) > 60
