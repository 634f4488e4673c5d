"""Writes the question bank for learning platforms and for flash cards: GIFT, QTI, and a table for Anki.

python -m tools.teaching.quiz_export
python -m tools.teaching.quiz_export --copies 30 --seed 2027    variants of the questions in `varied.json`

`questions.gift` is for the question bank of Moodle, with a category for each lesson, and the reason for each answer as
its feedback. Texts are HTML. `questions.qti.zip`, QTI 1.2, has a quiz for each lesson, for Canvas and others (not tried
there). `questions.tsv` makes a card of each question: its back has the right answer and why.

A question of `varied.json` has no numbers of its own: `vary` has an expression for each name, evaluated in this order
with `random` and Python's `math`. Texts have names in braces, and values are expressions. Numbers are drawn again until
all answers differ. Variants of a question share a category, and in QTI a group that gives each learner one of them.

Source: https://docs.moodle.org/en/GIFT_format; IMS Question & Test Interoperability 1.2; https://docs.ankiweb.net/importing/text-files.html
"""

import argparse
import csv
import html
import itertools
import json
import math
import random
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.lesson.quiz import markup
from tools.teaching import course

COURSE = "Attention"
ESCAPED = str.maketrans({character: f"\\{character}" for character in "\\~=#{}:"} | {"\n": "\\n"})
ANKI = "#separator:tab\n#html:true\n#tags column:3\n"  # what Anki reads first

MANIFEST = """<manifest identifier="attention" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><organizations/>
<resources>{resources}</resources></manifest>
"""
RESOURCE = '<resource identifier="{0}" type="imsqti_xmlv1p2" href="{0}.xml"><file href="{0}.xml"/></resource>'
GROUP = """<section ident="{0}"><selection_ordering><selection><selection_number>1</selection_number></selection>
</selection_ordering>{1}</section>"""
QUIZ = """<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="{0}" title="{0}"><section ident="root_section">
{1}
</section></assessment></questestinterop>
"""
ITEM = """<item ident="{name}" title="{name}">
<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>
<fieldentry>{kind}_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation>{text}{response}</presentation>
<resprocessing><outcomes><decvar varname="SCORE" vartype="Decimal" minvalue="0" maxvalue="100"/></outcomes>
{conditions}</resprocessing>
{feedback}</item>"""


def bank(copies: int = 0, seed: int = 1) -> list[list[dict[str, Any]]]:
    """Returns the questions of the lessons, in one list; or as many lists of the varied ones, each with new numbers."""
    path = Path(__file__).with_name("varied.json") if copies else DATA_DIRECTORY / "questions.json"
    questions = json.loads(path.read_text(encoding="utf-8"))
    return [[variant(each, f"{seed}-{copy}") for each in questions] for copy in range(1, copies + 1)] or [questions]


def variant(question: dict[str, Any], seed: str) -> dict[str, Any]:
    """Returns a varied question as one of the bank, `of` the other; the same seed draws the same numbers.

    Raises:
        ValueError: in a thousand draws two answers were too near each other for the question's precision.
    """
    chance, answers, digits = random.Random(f"{question['id']} {seed}"), question["answers"], question["precision"]
    for _ in range(1000):
        scope = {"random": chance, **vars(math)}
        names = {name: scope.setdefault(name, eval(code, scope)) for name, code in question["vary"].items()}
        values = [float(f"{eval(a['value'], scope):.{digits}g}") for a in answers[:-1]]
        if all(abs(a - b) > 2 * tolerance(max(a, b, key=abs), digits) for a, b in itertools.combinations(values, 2)):
            texts = {"id": f"{question['id']}-{seed}", "question": question["question"].format(**names)}
            texts["setup"] = "\n".join([*map("{0[0]} = {0[1]!r}".format, names.items()), question.get("setup", "")])
            told = [answer | {"feedback": answer["feedback"].format(**names)} for answer in answers]
            told = [*(a | {"value": v} for a, v in zip(told[:-1], values, strict=True)), told[-1]]
            kept = {key: value for key, value in question.items() if key != "vary"}
            return kept | texts | {"of": question["id"], "answers": told}
    raise ValueError(f"{question['id']}: no draw has answers that all differ")


def escape(text: str) -> str:
    """Returns a text on one line, without a character that has a meaning in GIFT."""
    return text.translate(ESCAPED)


def tolerance(value: float, precision: int) -> float:
    """Returns how far a number may be from a right one of so many significant digits: half of the last one."""
    exponent = int(f"{value:e}".partition("e")[2])
    return 0.5 * 10.0 ** (exponent - precision + 1) if value else 0.0


def text_of(question: dict[str, Any]) -> str:
    """Returns a question, and the code that belongs to it, as HTML."""
    code = f"<pre><code>{html.escape(question['code'])}</code></pre>" if "code" in question else ""
    return f"<p>{markup(question['question'])}</p>{code}"


def as_gift(question: dict[str, Any]) -> str:
    """Returns a question as GIFT: its name is its id, and its tag the difficulty."""
    lines = [f"// [id:{question['id']}] [tag:difficulty {question['difficulty']}]"]
    numeric = question["type"] == "numeric"
    lines.append(f"::{escape(question['id'])}::[html]{escape(text_of(question))} {{{'#' if numeric else ''}")
    for answer in question["answers"]:
        if not numeric:
            shown = ("=" if answer["correct"] else "~") + escape(markup(answer["answer"]))
        elif answer["type"] == "default":
            shown = "~"  # every other number
        else:
            share = 100 if answer["correct"] else 0
            shown = f"=%{share}%{answer['value']:g}:{tolerance(answer['value'], question['precision']):g}"
        lines.append(f"\t{shown}#{escape(markup(answer['feedback']))}")
    return "\n".join([*lines, "}\n"])


def material(text: str) -> str:
    """Returns HTML as QTI's text."""
    return f'<material><mattext texttype="text/html">{html.escape(text)}</mattext></material>'


def as_qti(question: dict[str, Any]) -> str:
    """Returns a question as an item of QTI 1.2, with the reason for each answer."""
    numeric, choices, conditions, feedback = question["type"] == "numeric", "", "", ""
    for i, answer in enumerate(question["answers"]):
        if not numeric:
            choices += f'<response_label ident="{i}">{material(markup(answer["answer"]))}</response_label>'
            met = f'<varequal respident="answer">{i}</varequal>'
        elif answer["type"] == "default":
            met = "<other/>"
        else:
            within = tolerance(answer["value"], question["precision"])
            low, high = (f"{answer['value'] + sign * within:.10g}" for sign in (-1, 1))
            met = f'<vargte respident="answer">{low}</vargte><varlte respident="answer">{high}</varlte>'
        points = '<setvar action="Set" varname="SCORE">100</setvar>' if answer["correct"] else ""
        said = f'<displayfeedback feedbacktype="Response" linkrefid="{i}_fb"/>'
        conditions += f"<respcondition><conditionvar>{met}</conditionvar>{points}{said}</respcondition>\n"
        reason = material(markup(answer["feedback"]))
        feedback += f'<itemfeedback ident="{i}_fb"><flow_mat>{reason}</flow_mat></itemfeedback>\n'
    if numeric:
        kind, way = "numerical", '<render_fib fibtype="Decimal"><response_label ident="number"/></render_fib>'
        response = f'<response_str ident="answer" rcardinality="Single">{way}</response_str>'
    else:
        kind, way = "multiple_choice", f"<render_choice>{choices}</render_choice>"
        response = f'<response_lid ident="answer" rcardinality="Single">{way}</response_lid>'
    given = {"text": material(text_of(question)), "response": response, "feedback": feedback}
    return ITEM.format(name=question["id"], kind=kind, conditions=conditions, **given)


def as_card(question: dict[str, Any]) -> tuple[str, str, str]:
    """Returns the front of a question's card, its back, and its tags, each on one line."""
    (right,) = (answer for answer in question["answers"] if answer["correct"])
    if question["type"] == "numeric":
        choices, answer = "", f"{right['value']:g}"
    else:
        items = "".join(f"<li>{markup(choice['answer'])}</li>" for choice in question["answers"])
        choices, answer = f"<ul>{items}</ul>", markup(right["answer"])
    back = f"<p><b>{answer}</b></p><p>{markup(right['feedback'])}</p>"
    tags = f"{COURSE}::lesson-{question['lesson']} difficulty-{question['difficulty']}"
    return (text_of(question) + choices).replace("\n", "<br>"), back.replace("\n", "<br>"), tags


def write(questions: Sequence[dict[str, Any]], directory: Path) -> None:
    """Writes `questions.gift`, `questions.qti.zip` and `questions.tsv`."""
    directory.mkdir(parents=True, exist_ok=True)
    blocks, quizzes = [], defaultdict[str, str](str)
    for (lesson, of), group in itertools.groupby(questions, lambda question: (question["lesson"], question.get("of"))):
        asked = list(group)
        blocks += [f"$CATEGORY: {COURSE}/Lesson {lesson}{f'/{of}' if of else ''}\n", *map(as_gift, asked)]
        items = "\n".join(map(as_qti, asked))
        quizzes[f"lesson-{lesson}"] += GROUP.format(of, items) if of else items
    with zipfile.ZipFile(directory / "questions.qti.zip", "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("imsmanifest.xml", MANIFEST.format(resources="\n".join(map(RESOURCE.format, quizzes))))
        for name, text in quizzes.items():
            package.writestr(f"{name}.xml", QUIZ.format(name, text))
    (directory / "questions.gift").write_text("\n".join(blocks), encoding="utf-8", newline="\n")
    with (directory / "questions.tsv").open("w", encoding="utf-8", newline="") as file:
        file.write(ANKI)
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(map(as_card, questions))


def main(arguments: Sequence[str] | None = None) -> None:
    """Does what the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m tools.teaching.quiz_export", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=course.BUILD / "quiz", help="the directory")
    parser.add_argument("--copies", type=int, default=0, help="how many variants of each varied question, not the bank")
    parser.add_argument("--seed", type=int, default=1, help="of their numbers")
    asked = parser.parse_args(arguments)
    questions = [*itertools.chain.from_iterable(zip(*bank(asked.copies, asked.seed), strict=True))]
    write(questions, asked.output)
    print(f"{asked.output}: {len(questions)} questions")


if __name__ == "__main__":
    main()
