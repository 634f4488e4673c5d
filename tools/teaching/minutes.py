"""How long a lesson takes to read: one rule for README, guide, lessons, cards and teaching plans.

python -m tools.teaching.minutes    writes the minutes wherever they are stated, and prints those of each part in class

A minute is enough for 130 words, three lines of code or one figure; a prediction takes two. Exercises, quiz and sources
are apart, and so are the cell that finds the package and what stands in the place of a solution. A path is told twice:
its reading, and by a slower rule all that it asks for: 110 words, two lines of code, a minute and a half for a figure,
its holes, and 1.2 minutes for a question of the quiz. Apart stand its exercises, which nothing later needs. Plans are
by the slower rule and by `RUNNING`. In a plan an exercise counts as fifteen minutes, *start* as ten, and holes as the
opening says. In class a lesson takes also what its card says aloud, three minutes for each piece of work on paper, and,
if whole, its quiz and `BESIDES`, the sections whose sums stand on its sheet alone; a vote is a prediction.
"""

import itertools
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.teaching import course
from tools.teaching.slides import CUE

PACE, SLOW = (130, 3, 1), (110, 2, 1.5)  # words and lines in a minute, minutes for a figure
PAPER, ON_PAPER = 3, re.compile(r"\b[Cc]opy the table|\b(?:Work out|Write down)")  # minutes in class, and what asks
PREDICTION, EXERCISE, QUESTION, START = 2, 15, 1.2, 10
# The computer's section and minutes; other lessons of the plans take seconds. `BESIDES`: a section for each sum.
RUNNING = {"2": ("4", 2), "2c": ("2", 4), "4": ("4", 3), "9": ("1", 2), "10c": ("6", 7)}
BESIDES = {"0": "0", "1": "3", "2": "1", "2c": "3", "3": "13", "3b": "11", "4": "2333", "9": "2"}  # 0: the page
BEFORE = ("", "You will be able to")  # the first section
APART = ("Check yourself", "Exercises", "Sources")
FIGURES = {"image/png", "image/gif", "text/html"}
HEADING = re.compile(r"^## (.*)", re.MULTILINE)
PAGES = (course.ROOT / "README.md", *(course.NOTEBOOKS / name for name in ("README.md", "CARDS.md", "TEACH.md")))
LESSONS = {course.number(path): path for path in course.lesson_paths()}

OPENING = re.compile(r"(\*\*It takes\*\*\s)\w+(\sminutes\sto\sread)")
ROW = re.compile(r"^(\| \[.*\]\((?:notebooks/)?(\w+)\.ipynb\).*? \| )\d+( min \|)", re.MULTILINE)  # of a lesson
CARD = r"^(## Lesson (\w+): .*\n\n- \*\*Goal:\*\* (?:.*\n)+?- \*\*Minutes:\*\* )\d+(, and about )?(?(3)\d+)"
CLOCK = re.compile(r"^(## Lesson (\w+): (?:(?!## ).*\n)+?)- \*\*Clock:\*\* .*\n(?:  .*\n)*", re.MULTILINE)
WRITING = re.compile(r"(\d+)\smore\sto\swrite")
PLAN = re.compile(r"^(\| [^|]+ \| ([^|]+) \| )\d+ of (\d+) \| ([^|]+) \| \d+ \|$", re.MULTILINE)
TOTAL = re.compile(r"\d+(\sminutes\sof\sreading)")  # of the core path
NAMED = {"core": course.CORE, "second": course.SECOND}
SUMS = re.compile(r"^(\| the (core|second) path \|)[ \d|]+$", re.MULTILINE)
QUIZ = re.compile(r"show_quiz\([^\[]*\[(.*)\]")


def pieces(notebook: NotebookNode, pace: tuple[float, float, float], paper: float) -> Iterator[tuple[str, str, float]]:
    """Yields the heading of each part of a notebook, with what a class does there, and its minutes."""
    per_word, per_line, figure = pace
    heading = ""
    cells = course.without_added_cells(notebook).cells
    set_up = next(cell for cell in cells if cell.cell_type == "code")
    for cell, following in itertools.zip_longest(cells, cells[1:]):
        if cell.cell_type == "markdown":
            first, *parts = HEADING.split(cell.source)
            for name, text in [(heading, first), *zip(parts[::2], parts[1::2], strict=True)]:
                heading = name
                words = re.findall(r"\w\S*", re.sub(r"<[^>]*>", "", text))
                yield heading, "talk", len(words) / per_word + text.count("<img") * figure
                yield heading, "on paper", len(ON_PAPER.findall(text)) * paper
            if following and following.cell_type == "code" and course.asks(cell.source):
                yield heading, "vote", PREDICTION
        elif cell is not set_up and not course.is_check(cell):
            source = course.without_solution(cell.source, ()) if course.is_solution(cell) else cell.source
            lines = [line for line in source.splitlines() if line.strip()]
            drawn = [output for output in cell.outputs if FIGURES & set(output.get("data", {}))]
            yield heading, "run", len(lines) / per_line + len(drawn) * figure


def by_part(notebook: NotebookNode, pace: tuple[float, float, float] = PACE, paper: float = 0) -> dict[str, float]:
    """Returns the minutes of each part of a notebook by its heading; the opening has none."""
    minutes: defaultdict[str, float] = defaultdict(float)
    for heading, _, spent in pieces(notebook, pace, paper):
        minutes[heading] += spent
    return {name: spent for name, spent in minutes.items() if name not in APART}


def clock(number: str) -> str:
    """Returns at which minute each part of a lesson begins in class, and what it takes; the sum is that of a plan."""
    notebook = course.read(LESSONS[number])
    parts: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for heading, what, spent in pieces(notebook, SLOW, PAPER):
        place = f"§ {heading.partition('.')[0]}" if heading[:1].isdigit() else "opening" if heading in BEFORE else "end"
        parts[place][what] += spent * (heading not in APART)
    for text in course.scripts()[number].split("\n\n"):
        cue = CUE.match(text)
        parts[f"§ {cue[1]}" if cue and cue[1] else "opening"]["talk"] += len(text.split()) / SLOW[0]
    section, spent = RUNNING.get(number, ("1", 0))
    parts[f"§ {section}"]["run"] += spent
    parts["end"]["quiz"] = quiz(notebook)
    for each in BESIDES.get(number, ""):
        parts["opening" if each == "0" else f"§ {each}"]["page.html" if each == "0" else "on paper"] += PAPER
    now, total, shown = 0, 0.0, []
    for place, each in parts.items():
        begins, taken = divmod(now, 60), []
        for what in ("page.html", "talk", "on paper", "vote", "run", "quiz"):
            total += each[what]
            whole = max(round(total) - now, each[what] == max(each.values()) > 0)  # no part has less than a minute
            taken, now = taken + [f"{what} {whole:d}"] * (whole > 0), now + whole
        shown += [f"{begins[0]}:{begins[1]:02} {place}: {', '.join(taken)}"] * bool(taken)
    return "; ".join(shown) + f"; {now} in all"


def of_lesson(number: str) -> int:
    """Returns the minutes of a lesson, to the nearest five."""
    return 5 * round(sum(by_part(course.read(LESSONS[number])).values()) / 5)


def writing(number: str) -> int:
    """Returns the minutes that a lesson gives its holes, by its opening, or 0."""
    found = WRITING.search(course.read(LESSONS[number]).cells[0].source)
    return int(found[1]) if found else 0


def all_told(number: str) -> tuple[float, float, float, float]:
    """Returns the minutes of a lesson by the slower rule: of reading, holes, quiz, and of the exercises after it."""
    notebook = course.read(LESSONS[number])
    exercises = itertools.dropwhile(lambda cell: "## Exercises\n" not in cell.source, notebook.cells)
    reading = sum(by_part(notebook, SLOW).values())
    return reading, writing(number), quiz(notebook), EXERCISE * sum(map(course.is_solution, exercises))


def quiz(notebook: NotebookNode) -> float:
    """Returns the minutes of a lesson's quiz."""
    texts = "\n".join(cell.source for cell in notebook.cells)
    return QUESTION * sum(ids.count(",") + 1 for ids in QUIZ.findall(texts))


def of_plan(listed: str, in_class: bool = False) -> int:
    """Returns a slow reader's minutes of what a plan lists, such as `start; 0; 3 § 1, 5; exercise 3.2; holes 4`."""
    total = 0.0
    for part in listed.split("; ") if listed != "–" else ():
        number, _, chosen = part.partition(" § ")
        if number.startswith(("exercise ", "start")):
            total += START if number == "start" else EXERCISE
        elif number.startswith("holes "):
            total += writing(number.split()[1])
        else:
            notebook = course.read(LESSONS[number])
            spent = by_part(notebook, SLOW, PAPER * in_class)
            sections = [name for name in spent if name[:1].isdigit()]
            taken = [sections[int(place) - 1] for place in chosen.split(", ")] if chosen else [*spent]
            whole = 0 if chosen else quiz(notebook) + PAPER * len(BESIDES.get(number, ""))
            talk = whole + len(course.scripts()[number].split()) / SLOW[0]
            total += sum(spent[name] for name in taken) + in_class * talk + RUNNING.get(number, ("", 0))[1]
    return round(total)


def of_path(names: tuple[str, ...] = course.CORE) -> tuple[int, ...]:
    """Returns a path's minutes: of reading; by the slower rule reading, holes, quiz, these three; exercises, and all.

    They are added before they are rounded to the nearest five.
    """
    paths = course.core_path(names)
    reading = sum(sum(by_part(course.read(path)).values()) for path in paths)
    *asked, exercises = map(sum, zip(*(all_told(course.number(path)) for path in paths), strict=True))
    sums = reading, *asked, sum(asked), exercises, sum(asked) + exercises
    return tuple(5 * round(spent / 5) for spent in sums)


def page(text: str) -> str:
    """Returns a page with the minutes that the lessons have: of lessons, plans and the core path."""

    def card(found: re.Match[str]) -> str:
        return f"{found[1]}{of_lesson(found[2])}" + (f"{found[3]}{writing(found[2])}" if found[3] else "")

    def clocked(found: re.Match[str]) -> str:
        return f"{found[1]}{textwrap.fill(f'- **Clock:** {clock(found[2])}.', 120, subsequent_indent='  ')}\n"

    text = PLAN.sub(lambda row: f"{row[1]}{of_plan(row[2], True)} of {row[3]} | {row[4]} | {of_plan(row[4])} |", text)
    text = SUMS.sub(lambda row: f"{row[1]} {' | '.join(map(str, of_path(NAMED[row[2]])))} |", text)
    text = re.sub(CARD, card, CLOCK.sub(clocked, text), flags=re.MULTILINE)
    text = ROW.sub(lambda row: f"{row[1]}{of_lesson(course.number(Path(row[2])))}{row[3]}", text)
    return TOTAL.sub(lambda found: f"{of_path()[0]}{found[1]}", text)


def main() -> None:
    """Writes the minutes into lessons and pages, and prints those of each section."""
    for number, path in LESSONS.items():
        notebook = course.read(path)
        notebook.cells[0].source = OPENING.sub(rf"\g<1>{of_lesson(number)}\g<2>", notebook.cells[0].source)
        nbformat.write(notebook, path)
        print(f"lesson {number}:", {name: round(spent) for name, spent in by_part(notebook, SLOW, PAPER).items()})
    for path in PAGES:
        path.write_text(page(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
