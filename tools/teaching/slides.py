"""Makes slides of lessons: at most forty words a page, and all else of a lesson as the page's notes.

`python -m tools.teaching.course slides` writes them. A file holds its pictures, formulas and script, and needs no
network.
"""

import html
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from nmt_attention.lesson.quiz import markup
from tools.teaching import course

WORDS = 40  # on a page, its heading included
LEFT_OUT = ("Sources", "Next", "Exercises")
CUE = re.compile(r"\*\*.*?\bsection (\d+)", re.IGNORECASE)  # of a paragraph of the script
BLOCKS = re.compile(r"\n\s*\n|\n(?=(?:[-*]|\d+\.) )")
NO_SENTENCE = re.compile(r"[|`<!#]|\$\$")  # but a table, code, a picture, a formula
EXERCISE = re.compile(r"\*\*\d+\.\d.*?\*\*")  # its number and title
SENTENCES = re.compile(r"(?<=[.?!:])\s+(?=[A-Z*`$])")

HTML = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 28px/1.4 sans-serif; margin: 0 }} h2 {{ font-size: 1.3em; margin: 0 0 .5em }}
section {{ display: none; height: 92vh; padding: 4vh 5vw; box-sizing: border-box }} section.now {{ display: block }}
section img {{ max-width: 100%; max-height: 60vh }} iframe {{ width: 100%; height: 60vh; border: 0 }}
pre {{ font-size: .75em }} svg {{ vertical-align: middle }} .later {{ visibility: hidden }} aside {{ display: none }}
aside {{ font-size: 16px; white-space: pre-wrap; padding: 0 5vw }} .notes section.now + aside {{ display: block }}
@media print {{ section, aside {{ display: block; height: auto }} .later {{ visibility: visible }} }}
</style>
{pages}
<script>
// Arrow keys: the next thing to show, or the page before; N: notes below the page; S: notes in a window of their own.
const pages = [...document.querySelectorAll('section')];
let now = 0, speaker;
function go(to) {{
  now = Math.max(0, Math.min(to, pages.length - 1));
  pages.forEach((page, i) => page.classList.toggle('now', i === now));
  if (speaker) speaker.document.body.textContent = pages[now].nextElementSibling.textContent;
}}
addEventListener('keydown', ({{key}}) => {{
  const hidden = pages[now].querySelector('.later');
  if (key === 'n') document.body.classList.toggle('notes');
  else if (key === 's') {{
    speaker = open('', 'notes');
    speaker.document.body.style.whiteSpace = 'pre-wrap';
    go(now);
  }} else if (key === 'ArrowLeft' || key === 'PageUp') go(now - 1);
  else if (!['ArrowRight', 'PageDown', ' '].includes(key)) return;
  else if (hidden) hidden.classList.remove('later');
  else go(now + 1);
}});
go(0);
</script>
</html>
"""


class Part(NamedTuple):
    """A piece of a lesson's text, and the code cells that follow it."""

    heading: str
    text: str
    cells: list[Any]


def parts(notebook: Any) -> list[Part]:
    """Returns a notebook's parts in their order, without set-up, the code of exercises, and sources."""
    cells = course.without_added_cells(notebook).cells
    set_up = next(cell for cell in cells if cell.cell_type == "code")
    heading, found = "", []
    for cell in cells:
        if cell.cell_type == "markdown":
            for text in re.split(r"^(?=#+ )", cell.source, flags=re.MULTILINE):
                if title := re.match(r"#+ (.*)\n*", text):
                    heading = title[1]
                if text.strip():
                    found.append(Part(heading, text[title.end() :] if title else text, []))
        elif not (cell is set_up or course.is_solution(cell) or course.is_check(cell)):
            found[-1].cells.append(cell)
    return [part for part in found if part.heading not in LEFT_OUT and (part.text.strip() or part.cells)]


def count(text: str) -> int:
    """Returns how many words a text has."""
    return len(re.findall(r"\w\S*", text))


def points(text: str, room: int) -> list[str]:
    """Returns the first sentences of a text's paragraphs, at most `room` words; one that asks the class comes first."""
    blocks = [block.strip() for block in BLOCKS.split(text)]
    blocks = [block for block in blocks if block and not NO_SENTENCE.match(block)]
    lines = [re.sub(r"^(?:[-*>]|\d+\.) ", "", block).replace("\n", " ") for block in blocks]
    first = [(EXERCISE.match(line) or [SENTENCES.split(line)[0]])[0] for line in lines]
    if blocks and course.asks(text):
        asking = [sentence for sentence in SENTENCES.split(blocks[-1].replace("\n", " ")) if course.asks(sentence)]
        first = asking[-1:] + first
    shown: list[str] = []
    if first and all(count(plain(sentence)) > room for sentence in first):
        first = [" ".join(plain(first[0]).split()[: room - 1]) + " …"]
    for sentence in dict.fromkeys(first):
        if (words := count(plain(sentence))) <= room:
            shown.append(sentence.rstrip(":;,"))
            room -= words
    return shown


def plain(text: str) -> str:
    """Returns a text without the addresses of its links."""
    return re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text)


def formula(tex: str) -> str:
    """Returns a formula as a picture, or as it is written if it has what matplotlib cannot draw."""
    from matplotlib import font_manager, mathtext

    drawn = io.BytesIO()
    bars = re.sub(r"\\[lr]vert\b", "|", re.sub(r"\\[lr]Vert\b", r"\\Vert", tex))
    size = font_manager.FontProperties(size=20)  # as the text about it
    try:
        mathtext.math_to_image(f"${' '.join(bars.split())}$", drawn, prop=size, format="svg")
    except ValueError:
        return f"<code>{html.escape(tex)}</code>"
    svg = drawn.getvalue().decode()
    return svg[svg.index("<svg") :]


def as_html(text: str) -> str:
    """Returns a sentence as HTML."""
    pieces = re.split(r"\$([^$]+)\$", re.sub(r"\*\*(.+?)\*\*", r"*\1*", plain(text)))
    return "".join(formula(piece) if i % 2 else markup(piece) for i, piece in enumerate(pieces))


def shown_by(cell: Any, room: int) -> Iterator[str]:
    """Yields what a cell shows: its pictures and widgets, and as many of its lines as have room."""
    for output in cell.outputs:
        data = output.get("data", {})
        picture = next((kind for kind in ("image/png", "image/gif") if kind in data), "")
        if picture:
            alt = html.escape(output.metadata.get(picture, {}).get("alt", ""), quote=True)
            yield f'<img src="data:{picture};base64,{"".join(data[picture].split())}" alt="{alt}">'
        elif "text/html" in data:
            yield f'<iframe srcdoc="{html.escape(data["text/html"], quote=True)}"></iframe>'
        else:
            lines = (output.get("text") or data.get("text/plain", "")).strip().splitlines()
            kept = [line for i, line in enumerate(lines) if count(" ".join(lines[: i + 1])) <= room]
            yield f"<pre>{html.escape(chr(10).join(kept))}</pre>"
            room -= count(" ".join(kept))


def page(heading: str, sentences: Iterable[str], later: Iterable[str], notes: str, picture: str = "") -> str:
    """Returns a page, which shows `later` at the next press of a key, and its notes."""
    body = picture + "".join(f"<p>{as_html(sentence)}</p>" for sentence in sentences)
    body += "".join(f'<div class="later">{each}</div>' for each in later)
    return f"<section><h2>{as_html(heading)}</h2>{body}</section>\n<aside>{html.escape(notes.strip())}</aside>"


def pages(notebook: Any, script: str, picture: str) -> Iterator[str]:
    """Yields the pages of a lesson: its title with a picture, then one for each piece of text and each output.

    Args:
        notebook: the lesson.
        script: what its card says; a paragraph whose cue names a section is a note of that section's first page.
        picture: of the title, as base64.
    """
    said: dict[str, str] = {}
    section = ""
    for paragraph in script.split("\n\n"):
        section = found[1] if (found := CUE.match(paragraph)) else section
        said[section] = f"{said.get(section, '')}Say: {plain(paragraph)}\n\n"
    opening, *rest = parts(notebook)
    title = f'<img src="data:image/png;base64,{picture}" alt="">' if picture else ""
    yield page(opening.heading, [], [], said.pop("", "") + plain(opening.text), title)
    for heading, text, cells in rest:
        notes = said.pop(heading.partition(".")[0], "") + plain(text)
        room = WORDS - count(plain(heading))
        shows = [cell for cell in cells if cell.outputs]
        prints = any("text" in output for cell in shows for output in cell.outputs)
        sentences = points(text, room // 2 if prints else room)
        formulas = [formula(tex) for tex in re.findall(r"\$\$(.+?)\$\$", text, re.DOTALL)]
        for cell in shows or [None]:
            room -= sum(count(plain(sentence)) for sentence in sentences)
            later = [*formulas, *(shown_by(cell, room) if cell else ())]
            printed = "".join(output.get("text", "") for output in cell.outputs) if cell else ""
            code = f"\n\n{cell.source}\n\n{printed}" if cell else ""
            yield page(heading, sentences, later, notes + code)
            room, sentences, formulas, notes = WORDS - count(plain(heading)), [], [], ""
