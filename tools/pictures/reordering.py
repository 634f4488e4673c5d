"""Lesson 9: a heatmap, and beside it the same weights as lines, which cross where the order of words changes."""

from typing import TYPE_CHECKING

from matplotlib import colormaps

from nmt_attention.alignment.scores import links_by_argmax
from nmt_attention.figures.html import attention_table
from nmt_attention.figures.palette import ATTENTION, PALE, WEIGHTS

from .scene import Scene
from .side_by_side import LEAST

if TYPE_CHECKING:
    from nmt_attention import Translation

SENTENCE = "We are going to school tomorrow."
CELL, FIRST, ROW = 0.29, 1.3, 0.52  # width of a cell; height of the first row, and from row to row


def draw(translation: "Translation") -> Scene:
    """Draws a step for each word of the translation: a row of the heatmap, and the lines from that word."""
    written, words, weights = attention_table(translation)
    links = links_by_argmax(weights)
    crossing = sum(a < b and x > y for a, x in links for b, y in links)
    headlines = ["A row for each Marathi word, a column for each English word"]
    headlines += ["The darker the cell, the thicker the line"] * len(written)
    headlines.append(f"Where the order changes, lines cross: {crossing} pairs here")
    scene = Scene(FIRST + ROW * (len(written) - 0.4), headlines)
    spread = ROW * (len(written) - 1) / max(len(words) - 1, 1)  # from one English word to the next, beside the rows
    for j, word in enumerate(words):
        scene.text(0.22 + CELL * j, FIRST - 0.32, word, rotation=45, ha="left", rotation_mode="anchor", size=10)
        scene.text(4.26, FIRST + spread * j, word, ha="left")
    for t, (word, row) in enumerate(zip(written, weights, strict=True)):
        y, step = FIRST + ROW * t, 1 + t
        scene.word(3.2, y - 0.07, word, step=step, ha="right")
        for j, weight in enumerate(row):
            fill = colormaps[WEIGHTS](float(weight))
            scene.box(0.1 + CELL * j, y - 0.22, CELL, 0.44, PALE, "white", rounded=False)
            scene.box(0.1 + CELL * j, y - 0.22, CELL, 0.44, PALE, fill, step, rounded=False)
            if weight >= LEAST:
                scene.line((3.28, y), (4.2, FIRST + spread * j), step=step, color=ATTENTION, width=4 * float(weight))
    return scene
