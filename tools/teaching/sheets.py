"""Makes sheets to print: what a class does by hand, with room to write; for teachers the key of each and its card.

A row of `sheets.tsv` has a lesson, a task, its room and the answer. The room is a number of lines below the task, 0 for
one beside it, or `picture`: that of the lesson's title, to draw in.
"""

from pathlib import Path

from nmt_attention.figures.web_font import font_face
from tools.teaching import course, exam, slides

ROWS = Path(__file__).with_name("sheets.tsv")


def write(directory: Path) -> None:
    """Writes the sheet of each lesson that has one, such as `03b.html`, and its key, `03b-key.html`."""
    rows = [line.split("\t") for line in ROWS.read_text(encoding="utf-8").splitlines()]
    directory.mkdir()
    for path in course.lesson_paths():
        picture = slides.PICTURE.search(course.read(path).cells[0].source)
        asked, answered = "", f"<style>{font_face()} li {{ font-family: Mukta, sans-serif }}</style>"
        for _, task, room, answer in (row for row in rows if row[0] == course.number(path)):
            lines = slides.stored(picture) if room == "picture" else "<i></i>" * int(room) or "<s></s>"
            asked += f"<li><p>{slides.as_html(task)}</p>{lines}</li>\n"
            answered += f"<li>{slides.as_html(task)} <b>{slides.as_html(answer)}</b></li>\n"
        card = "<p>".join(["", *map(slides.as_html, slides.BLOCKS.split(course.cards()[course.number(path)]))])
        answered += f'<li style="list-style: none">{card.replace("<p>- ", "<p>• ")}</li>\n'  # perhaps on the next page
        made = ("", "Name: ____________________", asked), ("-key", "The key: for the teacher alone.", answered)
        for name, note, items in made if asked else ():
            page = exam.as_page((course.title(path), note, items))
            (directory / f"{course.short_name(path)}{name}.html").write_text(page, encoding="utf-8", newline="\n")
