"""Questions on the lessons, with a reason for each right and each wrong answer."""

import contextlib
import html
import json
import os
import re
from collections.abc import Sequence
from typing import Any

from ..disk.pairs import DATA_DIRECTORY
from ..figures.palette import ATTENTION

# To jupyterquiz, dollars are mathematics and brackets are links.
_SPECIAL = str.maketrans({"$": "&#36;", "[": "&#91;"})
# It writes half as large again as the texts around it.
_SMALLER = ".Quiz.Quiz, .Quiz.Quiz :is(div, label, input) { font-size: 1rem; line-height: 1.4 }"


def read_questions(lesson: int | str, ids: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Returns questions on a lesson, in the form that `data/README.md` describes.

    Args:
        lesson: its number, or of a second half a string such as "2b".
        ids: which questions, in this order; all by default.

    Raises:
        ValueError: there is no question on this lesson, or none with such an id.
    """
    questions = json.loads((DATA_DIRECTORY / "questions.json").read_text(encoding="utf-8"))
    by_id = {question["id"]: question for question in questions if question["lesson"] == lesson}
    if not by_id:
        known = ", ".join(dict.fromkeys(repr(question["lesson"]) for question in questions))
        raise ValueError(f"lesson: expected one of {known}, got {lesson!r}")
    unknown = [name for name in ids if name not in by_id]
    if unknown:
        raise ValueError(f"ids: lesson {lesson} has no question {unknown[0]!r}")
    return [by_id[name] for name in ids or by_id]


def show_quiz(lesson: int | str, ids: Sequence[str] = ()) -> None:
    """Shows questions on a lesson in a notebook: by jupyterquiz if it is installed, else as answers to unfold.

    Neither needs a network. `NMT_QUIZ=html` in the environment asks for answers to unfold, as notebooks store them,
    because GitHub runs no scripts.

    Args, errors: as `read_questions`.
    """
    from IPython.display import HTML, display

    questions, display_quiz = read_questions(lesson, ids), None
    if os.environ.get("NMT_QUIZ") != "html":
        with contextlib.suppress(ImportError):
            import jupyterquiz

            display_quiz = jupyterquiz.display_quiz
    if display_quiz is None:
        display(HTML(quiz_html(questions)))
    else:
        colors = {f"--jq-{kind}-bg": ATTENTION for kind in ("multiple-choice", "numeric")}
        shown = [_for_jupyterquiz(question) for question in questions]
        display(HTML(f"<style>{_SMALLER}</style>"))
        display_quiz(shown, max_width=800, colors=colors)  # wide enough for code


def quiz_html(questions: list[dict[str, Any]]) -> str:
    """Returns questions as HTML without a script: unfolding an answer shows whether it is right, and why."""
    items = []
    for question in questions:
        answers = [_unfolding(question, answer) for answer in question["answers"]]
        code = f"<pre><code>{html.escape(question['code'])}</code></pre>" if "code" in question else ""
        items.append(f"<li><p>{markup(question['question'])}</p>{code}{''.join(answers)}</li>")
    return f'<ol class="nmt-quiz">{"".join(items)}</ol>'


def _unfolding(question: dict[str, Any], answer: dict[str, Any]) -> str:
    if question["type"] == "multiple_choice":
        summary = markup(answer["answer"])
        verdict = "<b>Right.</b> " if answer["correct"] else "<b>Wrong.</b> "
    elif answer["type"] == "default":
        summary, verdict = "Hint", ""
    elif answer["correct"]:
        summary, verdict = "Answer", f"<b>{answer['value']:g}</b>: "
    else:
        summary, verdict = f"Why not {answer['value']:g}?", ""
    return f"<details><summary>{summary}</summary>{verdict}{markup(answer['feedback'])}</details>"


def markup(text: str) -> str:
    """Returns a text as HTML: `code` and *emphasis* are marked as in Markdown."""
    text = re.sub("`(.+?)`", r"<code>\1</code>", html.escape(text, quote=False).translate(_SPECIAL))
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)


def _for_jupyterquiz(question: dict[str, Any]) -> dict[str, Any]:
    """Returns what jupyterquiz reads of a question, with its texts as HTML."""
    shown: dict[str, Any] = {key: question[key] for key in ("type", "precision") if key in question}
    shown["question"] = markup(question["question"])
    if "code" in question:
        shown["code"] = html.escape(question["code"])
    texts = ("answer", "feedback")
    shown["answers"] = [
        {key: markup(value) if key in texts else value for key, value in answer.items()}
        for answer in question["answers"]
    ]
    for answer in shown["answers"]:  # for those who do not see its colour
        answer["feedback"] = f"{'Right' if answer.get('correct') else 'Wrong'}. {answer['feedback']}"
    return shown
