"""Draws an exam from the question bank, as a page to print, and its answers as another.

python -m tools.teaching.exam --seed 7 --questions 10 --lessons 0 1 2 2c 3 3b 4 9
python -m tools.teaching.exam --seed 2027 --copies 30    the varied questions, in each copy with other numbers

The same seed and bank make the same exam. Levels take turns, and lessons without a question so far go first.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from nmt_attention.lesson.quiz import markup
from tools.teaching import course
from tools.teaching.quiz_export import bank, text_of

PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font-family: sans-serif; max-width: 45em; margin: auto }} li {{ break-inside: avoid; margin: .6em 0 }}
p {{ margin: 0 }} p + p {{ margin-top: .4em }} img {{ display: block; width: 100% }} svg {{ margin: 0 -.1em .15em 0 }}
i, s {{ display: block; height: 1.8em; border-bottom: 1px dotted }} p:has(+ s) {{ float: left }}
s {{ height: 1.2em; width: 40%; margin-left: auto }} ol + h1 {{ break-before: page }}
</style>
{papers}
</html>
"""
PAPER = "<h1>{0}</h1>\n<p>{1}</p>\n<ol>\n{2}\n</ol>"
Paper = tuple[str, str, str]  # its title, a note below it, and its items


def draw(questions: Sequence[dict[str, Any]], count: int, chance: random.Random) -> list[dict[str, Any]]:
    """Returns questions in the order of the lessons: levels 3, 2, 1 in turn, each from a lesson drawn least so far.

    Raises:
        ValueError: the bank has fewer than `count` questions.
    """
    if not 1 <= count <= len(questions):
        raise ValueError(f"--questions: expected 1 to {len(questions)}, got {count}")
    rest, drawn, lessons = chance.sample(questions, len(questions)), [], Counter[Any]()
    for number in range(count):
        best = min(rest, key=lambda question: (question["difficulty"] != 3 - number % 3, lessons[question["lesson"]]))
        drawn.append(rest.pop(rest.index(best)))
        lessons[best["lesson"]] += 1
    return sorted(drawn, key=questions.index)


def as_page(*papers: Paper) -> str:
    """Returns papers as a page of HTML to print, with the title of the first."""
    return PAGE.format(title=papers[0][0], papers="\n".join(PAPER.format(*paper) for paper in papers))


def papers(questions: Sequence[dict[str, Any]], title: str, chance: random.Random) -> tuple[Paper, Paper]:
    """Returns an exam and its answers, with the choices of each question shuffled."""
    asked, answered = [], []
    for question in questions:
        (right,) = (answer for answer in question["answers"] if answer["correct"])
        if question["type"] == "numeric":
            value, precision = right["value"], question["precision"]
            digits = "" if value == int(value) else f", to {precision} significant digit{'s' * (precision > 1)}"
            choices, found = f"<p>Answer{digits}: ____________</p>", f"{value:g}"
        else:
            shuffled = chance.sample(question["answers"], len(question["answers"]))
            items = "".join(f"<li>{markup(answer['answer'])}</li>" for answer in shuffled)
            choices = f'<ol type="a">{items}</ol>'
            found = f"{'abcd'[shuffled.index(right)]}, {markup(right['answer'])}"
        asked.append(f"<li>{text_of(question)}{choices}</li>")
        told = f"{markup(right['feedback'])} ({question['id']}, level {question['difficulty']})"
        answered.append(f"<li><b>{found}</b>: {told}</li>")
    key = f"{title}: answers", "In brackets: id and level.", "\n".join(answered)
    return (title, "Name: ____________________", "\n".join(asked)), key


def main(arguments: Sequence[str] | None = None) -> None:
    """Does what the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m tools.teaching.exam", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--questions", type=int, default=10, help="how many")
    numbers = list(map(course.number, course.lesson_paths()))
    parser.add_argument("--lessons", nargs="+", choices=numbers, metavar="N", help="whose questions; by default all")
    parser.add_argument("--copies", type=int, default=0, help="how many, with numbers of their own")
    asked = parser.parse_args(arguments)
    if asked.copies < 0:
        parser.error(f"--copies: expected 0 or more, got {asked.copies}")
    chance, copies = random.Random(asked.seed), bank(asked.copies, asked.seed)
    chosen = [each for each in copies[0] if not asked.lessons or str(each["lesson"]) in asked.lessons]
    try:
        places = [copies[0].index(question) for question in draw(chosen, asked.questions, chance)]
    except ValueError as error:
        parser.error(str(error))
    titles = [f"Exam {asked.seed}, copy {copy}" for copy in range(1, asked.copies + 1)] or [f"Exam {asked.seed}"]
    exams = [papers([each[i] for i in places], title, chance) for each, title in zip(copies, titles, strict=True)]
    directory = course.BUILD / "exam"
    directory.mkdir(parents=True, exist_ok=True)
    for name, each in zip(("", "-answers"), zip(*exams, strict=True), strict=True):
        path = directory / f"{asked.seed}{name}.html"
        path.write_text(as_page(*each), encoding="utf-8", newline="\n")
        print(path.relative_to(course.ROOT))


if __name__ == "__main__":
    main()
