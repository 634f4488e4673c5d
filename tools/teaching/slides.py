"""Makes slides of lessons: at most forty words of text a page, and all else of a lesson as the page's notes.

`python -m tools.teaching.course slides` writes them. What a cell shows is whole, on pages of
its own. A file holds its pictures, formulas, Marathi letters and script, and needs no network.
"""

import base64
import html
import io
import math
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from nmt_attention.lesson.quiz import markup
from tools.teaching import course

Part = tuple[str, str, list[Any]]  # a heading, a piece of the text below it, and the code cells that follow this
WORDS = 40  # of text on a page, its heading included
WIDE, LINES = 110, 18  # of what code prints: letters in a line, and lines on a page
LEFT_OUT = ("Sources", "Next", "Exercises")
CUE = re.compile(r"\*\*.*?\bsection (\d+)", re.IGNORECASE)  # of a paragraph of the script
BLOCKS = re.compile(r"\n\s*\n|\n(?=(?:[-*]|\d+\.) )")
TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
CODE = re.compile(r"(?<=\n\n)(?: {4}.*\n?)+")  # numbers, too, that stand one below the other
NO_SENTENCE = re.compile(r"[|`<!#]|\$\$")  # but a table, code, a picture, a formula
PICTURE = re.compile(r'<img src="(pictures/[^"]*)"[^>]*? alt="([^"]*)"[^>]*>')
EXERCISE = re.compile(r"^(?=\*\*\d+\.\d)", re.MULTILINE)  # its first paragraph, which is for a page of its own
SENTENCES = re.compile(r"(?:(?<=[.?!])|(?<=[.?!]\)))\s+(?=[A-Z*`$(])(?=(?:[^*]*\*[^*]*\*)*[^*]*$)")  # not in *…*
# An answer, and what only a reader does: for the notes.
ASIDE = re.compile(r"<details>.*?</details>|\*\*Stop here\*\*[^\n]*|^Choose an answer[^\n]*", re.DOTALL | re.MULTILINE)

HTML = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style id="font">{font}</style>
<style>
body {{ font: 5vh/1.4 Mukta, sans-serif; margin: 0 }} h2 {{ font-size: 1.3em; line-height: 1.2; margin: 0 0 .4em }}
section {{ display: none; height: 100vh; padding: 4vh 5vw; box-sizing: border-box; flex-direction: column }}
section.now {{ display: flex }} section:has(> :is(img, iframe)) {{ padding: 1vh 1vw }}
section:not(:first-of-type):has(> :is(img, iframe)) h2 {{ font-size: .7em; margin: 0 }}
section > img, iframe {{ flex: 1; min-height: 0; width: 100%; object-fit: contain; border: 0 }}
.z section.now {{ overflow: auto }} .z section > img {{ flex: none }} .n section.now {{ height: 92vh }}
p, pre {{ margin: .3em 0 }} pre, code {{ font-family: Mukta, monospace; white-space: pre-wrap }}
pre {{ font-size: min(1em, 145vw / var(--letters, 80), 58vh / var(--lines, 20)); line-height: 1.35 }}
svg {{ vertical-align: middle; flex: none; margin: .15em 0 }} .n section.now + aside {{ display: block }}
aside {{ display: none; font-size: 16px; white-space: pre-wrap; padding: 0 5vw }} @media print {{
  section {{ display: flex; break-before: page; break-inside: avoid; height: 80vh }} aside {{ display: block }}
}} td {{ padding-right: 1.5em }}
</style>
<template><style>
body {{ margin: 0; display: inline-block }}
.nmt-player.nmt-player {{ display: flex; flex-direction: column; width: 100vw; height: 100vh; font-size: 18px }}
.nmt-player.nmt-player img {{ flex: 1; min-height: 0; width: 100%; object-fit: contain }}
</style><script>{{
// Makes what stands in a frame as large as all of it can be seen.
const fit = () => {{
  const {{body}} = document;
  body.style.zoom = 1;
  body.style.zoom = Math.min(innerWidth / body.offsetWidth, innerHeight / body.offsetHeight);
}};
for (const event of ['load', 'resize']) addEventListener(event, fit);
addEventListener('beforeprint', () => document.querySelectorAll('.nmt-player input').forEach((place) => {{
  place.value = place.max;  // on paper a moving picture is its last, the complete one
  place.dispatchEvent(new Event('input'));
}}));
}}</script></template>
{pages}
<script>
// Arrow keys: the next page, or the one before; Z: a figure as wide as the page; N: notes below the page; S:
// notes in a window of their own.
const pages = [...document.querySelectorAll('section')];
const head = document.getElementById('font').outerHTML + document.querySelector('template').innerHTML;
for (const frame of document.querySelectorAll('iframe')) frame.srcdoc = head + frame.dataset.html;
let now = 0, speaker;
function go(to) {{
  now = Math.max(0, Math.min(to, pages.length - 1));
  pages.forEach((page, i) => page.classList.toggle('now', i === now));
  history.replaceState(null, '', `#${{now + 1}}`);  // so that loading again shows the same page
  if (speaker) speaker.document.body.textContent = pages[now].nextElementSibling.textContent;
}}
addEventListener('keydown', ({{key}}) => {{
  if (key === 'n' || key === 'z') document.body.classList.toggle(key);
  else if (key === 's') {{
    speaker = open('', 'notes');
    speaker.document.body.style.whiteSpace = 'pre-wrap';
    go(now);
  }} else if (key === 'ArrowLeft' || key === 'PageUp') go(now - 1);
  else if (!['ArrowRight', 'PageDown', ' '].includes(key)) return;
  else go(now + 1);
}});
go(parseInt(location.hash.slice(1)) - 1 || 0);
</script>
</html>
"""


def parts(notebook: Any) -> list[Part]:
    """Returns a notebook's parts in their order, without set-up, the code of exercises, and sources."""
    cells = course.without_added_cells(notebook).cells
    set_up = next(cell for cell in cells if cell.cell_type == "code")
    heading, following = "", []
    found: list[Part] = []
    for cell in cells:
        if cell.cell_type == "markdown":
            for text in re.split(r"^(?=#+ )", cell.source, flags=re.MULTILINE):
                if title := re.match(r"#+ (.*)\n*", text):
                    heading = title[1]
                if text.strip():
                    found.append((heading, text[title.end() :] if title else text, following := []))
        elif not (cell is set_up or course.is_solution(cell) or course.is_check(cell)):
            following.append(cell)
    return [(name, text, cells) for name, text, cells in found if name not in LEFT_OUT and (text.strip() or cells)]


def count(text: str) -> int:
    """Returns how many words a text has."""
    return len(re.findall(r"\w\S*", text))


def points(text: str, room: int) -> list[str]:
    """Returns the first sentences of paragraphs, and then others, in all at most `room` words; one that asks leads."""
    blocks = [" ".join(block.split()) for block in BLOCKS.split(CODE.sub("", text))]
    lines = [re.sub(r"^(?:[-*>]|\d+\.) ", "", block) for block in blocks if block and not NO_SENTENCE.match(block)]
    paragraphs = [SENTENCES.split(re.sub(r"\*\*(.+?)\*\*", r"*\1*", line)) for line in lines]
    if lines and course.asks(text):
        asking = [sentence for sentence in paragraphs[-1] if course.asks(sentence)][-1:]
        paragraphs = [asking, *([each for each in one if each not in asking] for one in paragraphs)]
    shown: list[list[str]] = [[] for _ in paragraphs]
    for place in range(max(map(len, paragraphs), default=0)):
        for taken, one in zip(shown, paragraphs, strict=True):
            if len(taken) == place < len(one) and (words := count(plain(one[place]))) <= room:
                taken.append(one[place])
                room -= words
    found = [" ".join(taken).rstrip(":;,") for taken in shown if taken]
    return found or [" ".join(plain(one[0]).split()[: room - 1]) + " …" for one in paragraphs if one][:1]


def plain(text: str) -> str:
    """Returns a text without pictures, comments, bold type and the addresses of its links."""
    return re.sub(r"\[(.*?)\]\(.*?\)|<!--.*?-->|\*\*", r"\1", PICTURE.sub("", text))


def formula(tex: str) -> str:
    """Returns a formula as a picture, or as it is written if it has what matplotlib cannot draw."""
    from matplotlib import font_manager, mathtext

    drawn = io.BytesIO()
    bars = re.sub(r"\\[lr]vert\b", "|", re.sub(r"\\[lr]Vert\b", r"\\Vert", tex))
    size = font_manager.FontProperties(size=20)
    try:
        mathtext.math_to_image(f"${' '.join(bars.split())}$", drawn, prop=size, format="svg")
    except ValueError:
        return f"<code>{html.escape(tex)}</code>"
    svg = drawn.getvalue().decode()
    as_text = re.sub(r'(?<==")([\d.]+)pt"', lambda points: f'{float(points[1]) / 20:.3f}em"', svg)  # in its size
    return as_text[as_text.index("<svg") :]


def table(text: str) -> str:
    """Returns a table of Markdown as HTML."""
    rows = [as_html(line[1:-1]).replace("|", "<td>") for line in text.splitlines() if "---" not in line]
    return f"<table><tr><td>{'<tr><td>'.join(rows)}</table>"


def as_html(text: str) -> str:
    """Returns a sentence as HTML."""
    pieces = re.split(r"\$([^$]+)\$", plain(text))
    return "".join(formula(piece) if i % 2 else markup(piece) for i, piece in enumerate(pieces))


def stored(picture: re.Match[str]) -> str:
    """Returns a picture of the lesson's text, with its file in it."""
    encoded = base64.b64encode((course.NOTEBOOKS / picture[1]).read_bytes()).decode()
    return f'<img src="data:image/{picture[1].rpartition(".")[2]};base64,{encoded}" alt="{picture[2]}">'


def printed(text: str) -> list[str]:
    """Returns all that a cell has printed, as one block, or as a few if that is more than a page holds."""
    lines = text.removeprefix(course.VEIL).strip("\n").splitlines() or [""]
    letters = min(WIDE, max(1, *map(len, lines)))
    rows = sum(len(line) // WIDE + 1 for line in lines)
    size = math.ceil(len(lines) / math.ceil(rows / LINES))
    style = f"--letters: {letters}; --lines: {min(rows, LINES)}"  # a long line takes several
    blocks = ("\n".join(lines[first : first + size]) for first in range(0, len(lines), size))
    return [f'<pre style="{style}">{html.escape(block)}</pre>' for block in blocks]


def shown_by(cell: Any) -> Iterator[str]:
    """Yields what a cell shows: each picture and widget, each question of a quiz, and what it has printed."""
    for output in cell.outputs:
        data = output.get("data", {})
        if kind := next((kind for kind in ("image/png", "image/gif") if kind in data), ""):
            alt = html.escape(output.metadata.get(kind, {}).get("alt", ""), quote=True)
            yield f'<img src="data:{kind};base64,{"".join(data[kind].split())}" alt="{alt}">'
        elif "nmt-quiz" in data.get("text/html", ""):
            for i, question in enumerate(re.findall("<li>.*?</li>", data["text/html"], re.DOTALL), 1):
                yield f'<ol start="{i}">{question}</ol>'
        elif "text/html" in data:
            yield f'<iframe data-html="{html.escape(data["text/html"], quote=True)}"></iframe>'
        else:
            yield from printed(output.get("text") or data["text/plain"])


def page(heading: str, shown: str, notes: str) -> str:
    """Returns a page and its notes."""
    return f"<section><h2>{as_html(heading)}</h2>{shown}</section>\n<aside>{html.escape(notes.strip())}</aside>"


def pages(notebook: Any, script: str) -> Iterator[str]:
    """Yields the pages of a lesson: its title with a picture, then one for each piece of text and each output.

    Args:
        notebook: the lesson.
        script: what its card says; a paragraph whose cue names a section is a note of that section's first page.
    """
    said: dict[str, str] = {}
    section = ""
    for paragraph in script.split("\n\n"):
        section = found[1] if (found := CUE.match(paragraph)) else section
        said[section] = f"{said.get(section, '')}Say: {plain(paragraph)}\n\n"
    (title, opening, _), *rest = parts(notebook)
    yield page(title, "".join(map(stored, PICTURE.finditer(opening))), said.pop("", "") + plain(opening))
    notes = ""
    for heading, text, cells in rest:
        notes += said.pop(heading.partition(".")[0], "") + plain(text)
        text = ASIDE.sub("", text)
        shown = []
        for piece in EXERCISE.split(text):
            prose = [f"<p>{as_html(sentence)}</p>" for sentence in points(piece, WORDS - count(plain(heading)))]
            prose += [block for code in CODE.findall(piece) for block in printed(textwrap.dedent(code))]
            formulas = [formula(tex) for tex in re.findall(r"\$\$(.+?)\$\$", piece, re.DOTALL)]
            some = (prose, formulas) if len(formulas) > 2 else (prose + formulas,)  # many have a page of their own
            shown += [("".join(each), notes) for each in some if each]
            shown += [(table(rows), notes) for rows in TABLE.findall(piece)]
        shown += [(stored(picture), notes) for picture in PICTURE.finditer(text)]
        shown += [(each, f"{notes}\n\n{cell.source}") for cell in cells for each in shown_by(cell)]
        for each, said_then in shown:
            yield page(heading, each, said_then)
        notes = "" if shown else f"{notes}\n\n"  # of the next page
