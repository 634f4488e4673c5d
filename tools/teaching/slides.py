"""Makes slides of lessons: a main line of what a class has to see, the rest on pages below; at most forty words a page.

`python -m tools.teaching.course slides` writes them. What a cell shows is whole, on pages of its own; folded answers
and code are notes. A file holds its pictures, formulas, Marathi letters and script, and needs no network.
"""

import base64
import html
import io
import math
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nmt_attention.lesson.quiz import markup
from tools.teaching import course

Part = tuple[str, str, list[Any]]  # a heading, a piece of the text below it, and the code cells that follow this
Piece = tuple[str, str, float, int]  # of a page: its HTML, its text, which share of a page it fills, a break's price
WORDS = 40  # of text on a page, its heading included
WIDE, LINES = 110, 18  # of what code prints: letters in a line, and lines on a page
BELOW = ("You will be able to", "Limits")  # the main line
ROWS = Path(__file__).with_name("slides.tsv")  # a lesson, `main` or `below`, and how the text begins that stands there
TO_SEE = re.compile("<(?:div|pre|table|img)")
IDEA = re.compile(r"\*\*(?=\w)((?:[^*\s]+\s+){2,}[^*\s]+|Predict|Work out)\*\*")  # of three words or more, or a task
LEFT_OUT = ("Sources", "Next", "Exercises")
# Where a paragraph of the script is said: at a section, there perhaps at words that stand in it.
CUE = re.compile(r"\*\*[^*]*?(?:title picture|\bsection (\w+)(?:[^*“]*“([^”]+)”)?)[^*]*\*\*", re.IGNORECASE)
BLOCKS = re.compile(r"\n\s*\n|\n(?=(?:[-*]|\d+\.) )")
PICTURE = re.compile(r'<img src="(pictures/[^"]*)"[^>]*? alt="([^"]*)"[^>]*>')
# Not after the number of a list's item, and not within *…*.
SENTENCES = re.compile(r"(?:(?<=[.?!])|(?<=[.?!][)*]))(?<!^\d\.)\s+(?=[A-Z*`$(])(?=(?:[^*]*\*[^*]*\*)*[^*]*$)")
CLAUSES = re.compile(rf"{SENTENCES.pattern}|(?<=[,;:]) (?!(?:[^()]|\(.*?\))*\))(?=(?:(?:[^*$`]*[*$`]){2})*[^*$`]*$)")
# An answer, and what only a reader needs: for the notes.
ASIDE = re.compile(r"<details>(?s:.*?)</details>|^(?:\*\*(?:Stop here|You need)|Choose an)(?:.+\n?)+", re.MULTILINE)

HTML = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style id="font">{font}</style>
<style>
body {{ font: 5vh/1.4 Mukta, sans-serif; margin: 0 }} h2 {{ font-size: 1.3em; line-height: 1.2; margin: 0 0 .4em }}
section::after {{ content: attr(data-place); position: absolute; right: 1vw; bottom: 0; font-size: 16px }}
section {{ display: none; height: 100vh; padding: 4vh 5vw; box-sizing: border-box; flex-direction: column }}
section.now {{ display: flex }} section {{ position: relative }} section:has(> :is(img, iframe)) {{ padding: 1vh 1vw }}
section:not(:first-of-type):has(> :is(img, iframe)) h2 {{ font-size: .7em; margin: 0 }}
section > img, iframe {{ flex: 1; min-height: 0; width: 100%; object-fit: contain; border: 0 }}
.z section.now {{ overflow: auto }} .z section > img {{ flex: none }} .n section.now {{ height: 92vh }}
p, pre, ol {{ margin: .3em 0 }} pre, code {{ font-family: Mukta, monospace; white-space: pre-wrap }}
pre {{ font-size: min(1em, 145vw / var(--letters, 80), 58vh / var(--lines, 20)); line-height: 1.35 }}
svg {{ flex: none; margin: .15em -.1em .15em 0; max-width: 100%; height: auto }}
aside {{ display: none; font-size: 16px; white-space: pre-wrap; padding: 0 5vw }} @media print {{
  section {{ display: flex; break-before: page; break-inside: avoid; height: 80vh }} aside {{ display: block }}
}} td {{ padding-right: 1.5em }} section:has(tr:nth-child(6)) td {{ font-size: .65em }}
section > :is(p, div) {{ font-size: 1.5em }} .n section.now + aside {{ display: block }}
section:has(> :is(table, pre, img, :nth-child(6))) > :is(p, div) {{ font-size: 1.2em }}
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
// A key pressed in a frame moves the slides, too; what is moved by the arrow keys itself keeps them.
addEventListener('keydown', (event) => {{
  const {{key, target}} = event, keys = target.matches('input, [data-t], [data-s]') ? 'Page' : 'Page|Arrow';
  if (!RegExp(`^(${{keys}}|[nsz]$)`, 'i').test(key)) return;
  event.preventDefault();
  parent.dispatchEvent(new KeyboardEvent('keydown', {{key}}));
}}, true);
addEventListener('beforeprint', () => document.querySelectorAll('.nmt-player input').forEach((place) => {{
  place.value = place.max;  // on paper a moving picture is its last, the complete one
  place.dispatchEvent(new Event('input'));
}}));
}}</script></template>
{pages}
<script>
// Arrow keys: right and left along the main line, down and up through all pages; Z: a figure as wide as the page;
// N: notes below it; S: in a window. A page's number is that of the main line; ▾ says how many pages are below it.
const pages = [...document.querySelectorAll('section')];
const head = document.getElementById('font').outerHTML + document.querySelector('template').innerHTML;
for (const frame of document.querySelectorAll('iframe')) frame.srcdoc = head + frame.dataset.html;
const line = pages.flatMap((page, i) => page.classList.contains('below') ? [] : [i]);
pages.forEach((page, i) => {{
  const place = line.filter((main) => main <= i).length, more = (line[place] ?? pages.length) - i - 1;
  page.dataset.place = `${{place}} / ${{line.length}}${{more ? ` ▾ ${{more}}` : ''}}`;
}});
let now = 0, speaker;
function go(to) {{
  now = Math.max(0, Math.min(to, pages.length - 1));
  pages.forEach((page, i) => page.classList.toggle('now', i === now));
  history.replaceState(null, '', `#${{now + 1}}`);  // so that loading again shows the same page
  if (speaker) speaker.document.body.textContent = pages[now].nextElementSibling.textContent;
}}
addEventListener('keydown', ({{key}}) => {{
  const letter = key.toLowerCase();
  if (letter === 'n' || letter === 'z') document.body.classList.toggle(letter);
  else if (letter === 's') {{
    speaker = open('', 'notes');
    speaker.document.body.style.whiteSpace = 'pre-wrap';
    go(now);
  }} else if (key === 'ArrowRight' || key === 'PageDown') go(line.find((i) => i > now) ?? now);
  else if (key === 'ArrowLeft' || key === 'PageUp') go(line.findLast((i) => i < now) ?? 0);
  else if (key === 'ArrowDown' || key === ' ') go(now + 1);
  else if (key === 'ArrowUp') go(now - 1);
}});
go(parseInt(location.hash.slice(1)) - 1 || 0);
</script>
</html>
"""


def parts(notebook: Any) -> list[Part]:
    """Returns a notebook's parts in their order, without the code of exercises, and sources."""
    heading, following = "", []
    found: list[Part] = []
    for cell in course.without_added_cells(notebook).cells:
        if cell.cell_type == "markdown":
            for text in re.split(r"^(?=#+ )", cell.source, flags=re.MULTILINE):
                if title := re.match(r"#+ (.*)\n*", text):
                    heading = title[1]
                if text.strip():
                    found.append((heading, text[title.end() :] if title else text, following := []))
        elif not (course.is_solution(cell) or course.is_check(cell)):
            following.append(cell)
    return [(name, text, cells) for name, text, cells in found if name not in LEFT_OUT and (text.strip() or cells)]


def count(text: str) -> int:
    """Returns how many words a text has."""
    return len(re.findall(r"\w\S*", text))


def pieces(text: str, room: int) -> Iterator[Piece]:
    """Yields a text's sentences, formulas, code, tables and pictures, for pages of `room` words."""
    for block in filter(str.strip, BLOCKS.split(text)):
        line = " ".join(block.split())
        if picture := PICTURE.search(block):
            yield stored(picture), picture[2], 1, 0
        elif block.startswith("|"):
            yield table(block), line, 1, 0
        elif block.startswith("    "):  # numbers, too, that stand one below the other
            yield "".join(printed(textwrap.dedent(block))), line, min(1, block.count("\n") / 14 + 0.1), 0
        elif block.startswith("$$"):
            yield f"<div>{formula(line.strip('$'))}</div>", line, 0.1, 0
        elif not block.startswith(("<", "```", "#")):
            line = re.sub(r"^[-*] ", "• ", re.sub(r"\*\*(.+?)\*\*", r"*\1*", line)).removeprefix("> ")
            long = max(map(count, SENTENCES.split(plain(line)))) > room
            for each in (found := (CLAUSES if long else SENTENCES).split(line)):
                shown = f"{'<p>' if each is found[0] else ' '}{as_html(each)}"
                price = 30 * (each is not found[-1]) + {":": 250, ",": 90, ";": 90}.get(each[-1], 0)
                yield shown, each.replace("*", ""), count(re.sub(r"\$[^$]+\$", "x", plain(each))) / room, price


def divided(found: list[Piece]) -> list[list[Piece]]:
    """Returns pieces on as few pages as hold them, equally full, and without breaks in paragraphs if possible."""
    best: list[Any] = [(0, [])]
    for end in range(1, len(found) + 1):
        prices = []
        for start in range(end):
            full = sum(each[2] for each in found[start:end])
            prices.append(
                best[start][0] + found[end - 1][3] + (100 + 50 * (1 - full) ** 2 if full <= 1 else 9999 * full)
            )
        start = prices.index(min(prices))
        best.append((prices[start], [*best[start][1], found[start:end]]))
    return best[-1][1]


def plain(text: str) -> str:
    """Returns a text without pictures, comments, bold type and the addresses of its links."""
    return re.sub(r"\[(.*?)\]\(.*?\)|<!--.*?-->|\*\*", r"\1", PICTURE.sub("", text))


def formula(tex: str) -> str:
    """Returns a formula as a picture, in the size of the text around it and on its line."""
    from matplotlib import mathtext

    drawn = io.BytesIO()
    depth = mathtext.math_to_image("$" + re.sub(r"\\[lr](?=[vV]ert\b)", r"\\", tex) + "$", drawn, format="svg")
    svg = f'<svg style="vertical-align: {-depth / 10 - 0.2:.1f}em"' + drawn.getvalue().decode().partition("<svg")[2]
    return re.sub(r'(?<==")([\d.]+)pt"', lambda points: f'{float(points[1]) / 10:.3f}em"', svg)


def table(text: str) -> str:
    """Returns a table of Markdown as HTML."""
    rows = (as_html(line[1:-1]).replace("|", "<td>") for line in text.splitlines() if line.strip("|-: "))
    return f"<table><tr><td>{'<tr><td>'.join(rows)}</table>"


def as_html(text: str) -> str:
    """Returns a sentence as HTML, with what is bold in italics."""
    pieces = re.split(r"\$([^$]+)\$", plain(re.sub(r"\*\*(.+?)\*\*", r"*\1*", text)))
    joined = "".join(formula(piece) if i % 2 else markup(piece) for i, piece in enumerate(pieces))
    return re.sub(r"(?s)(<svg(?:(?!<svg).)*</svg>[.,;:?)]+)", r'<span style="white-space: nowrap">\1</span>', joined)


def stored(picture: re.Match[str]) -> str:
    """Returns a picture of the lesson's text, with its file in it."""
    encoded = base64.b64encode((course.NOTEBOOKS / picture[1]).read_bytes()).decode()
    return f'<img src="data:image/{picture[1].rpartition(".")[2]};base64,{encoded}" alt="{picture[2]}">'


def printed(text: str) -> list[str]:
    """Returns all that a cell has printed, as one block, or as a few if that is more than a page holds."""
    lines = text.removeprefix(course.VEIL).strip("\n").splitlines() or [""]
    letters = max((n for n in map(len, lines) if 0 < n <= WIDE), default=WIDE)  # a line that is longer takes several
    rows = sum(len(line) // letters + 1 for line in lines)
    size = math.ceil(len(lines) / math.ceil(rows / LINES))
    start = f'<pre style="--letters: {letters}; --lines: {min(rows, LINES)}">'
    return [start + html.escape("\n".join(lines[i : i + size])) + "</pre>" for i in range(0, len(lines), size)]


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


def page(heading: str, shown: str, notes: str, below: bool = False) -> str:
    """Returns a page, of the main line or below it, and its notes."""
    start = '<section class="below">' if below else "<section>"
    return f"{start}<h2>{as_html(heading)}</h2>{shown}</section>\n<aside>{html.escape(notes.strip())}</aside>"


def pages(notebook: Any, script: str, number: str = "") -> Iterator[str]:
    """Yields the pages of a lesson: its title with a picture, then one for each piece of text and each output.

    The main line has what a class has to see: the beginning of each text and hole, ideas in bold, the question before a
    cell and what the cell shows, formulas, tables, pictures, and where the card speaks. The rest is below it. What rows
    of `slides.tsv` name begins a page, on the main line or below it.

    Args:
        notebook: the lesson.
        script: what its card says. A paragraph's cue names a section, and perhaps words of it in “…”: it is a note from
            the section's first page, or from the one with these words, to the end of what the text's cells show.
        number: the lesson's, in these rows.

    Raises:
        ValueError: no text of the lesson begins as a row says.
    """
    rows = [line.split("\t") for line in ROWS.read_text(encoding="utf-8").splitlines()]
    places = {start: place == "main" for lesson, place, start in rows if lesson == number}
    words = (r"\s+".join(map(re.escape, start.split())) for start in places)
    begins = "|".join([r"^(?=\*\*\d+\.\d)", *(f"(?={each})" for each in words)])  # an exercise, or what a row names
    said = [(cue[1] or "", cue[2] or "", plain(text)) for text in script.split("\n\n") if (cue := CUE.match(text))]
    (title, opening, _), *rest = parts(notebook)
    picture = "".join(map(stored, PICTURE.finditer(opening)))  # again where a class draws in it
    yield page(title, picture, "".join([*(f"Say: {each[2]}\n\n" for each in said if not each[0]), plain(opening)]))
    notes = last = ""
    for heading, text, cells in rest:
        section, room, now = heading.partition(".")[0], WORDS - count(plain(heading)), ""
        notes, answers = f"{notes}\n\n{plain(text)}", plain("\n\n".join(ASIDE.findall(text)))
        ideas = [" ".join(idea.split()) for idea in IDEA.findall(text)]
        shown = []
        for task in re.split(begins, ASIDE.sub("", text), flags=re.MULTILINE):
            start = next(filter(" ".join(task.split()).startswith, places), "")
            for i, some in enumerate(divided([*pieces(task, room)])):
                whole, read = "".join(each[0] for each in some), " ".join(each[1] for each in some)
                main = not i or bool(TO_SEE.search(whole)) or any(idea in read for idea in ideas)
                shown.append((whole + f"</p>{picture}" * ("darken" in read), read, "", places.pop(start, main)))
        if shown and cells and course.asks(text):
            shown[-1] = (*shown[-1][:3], True)
        for cell in cells:
            made = [*shown_by(cell)]
            best = next((each for each in made if each.startswith(("<img", "<iframe"))), made[0] if made else "")
            shown += [(each, "", cell.source, each is best) for each in made]
        for each, read, code, main in shown:
            here = [cue for cue in said if cue[0] == section and (cue[1] in read if cue[1] else section != last)]
            now += "".join(f"Say: {spoken}\n\n" for *_, spoken in here)
            said, last = [cue for cue in said if cue not in here], section
            below = not here and (heading in BELOW or not main)
            yield page(heading, re.sub("^ ", "<p>", each), f"{now}{notes or answers or read}\n\n{code}", below)
            notes = ""
    if places:
        raise ValueError(f"{ROWS.name}: no text of lesson {number} begins with {', '.join(places)}")
