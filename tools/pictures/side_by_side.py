"""Lesson 4: the same sentence with one vector for all words, and with attention."""

from typing import TYPE_CHECKING

from nmt_attention.figures.html import attention_table
from nmt_attention.figures.palette import ATTENTION, DARK, ENCODER, PALE, PLAIN

from .scene import Scene

if TYPE_CHECKING:
    from nmt_attention import Translation

SENTENCE = "She is reading a book."
LEAST = 0.05  # no line is drawn for less weight
FIRST, ROW = 1.15, 0.52  # height of the first word, and from word to word


def draw(translation: "Translation") -> Scene:
    """Draws the English words, then a step for each word of the translation; lines are as wide as the weights."""
    written, words, weights = attention_table(translation)
    headlines = ["Plain seq2seq keeps one vector, attention one for each word"]
    headlines += [f"Where does {'the full stop' if word == '.' else word} come from?" for word in written]
    headlines.append("Left: always the same vector. Right: where each word looks")
    scene = Scene(FIRST + ROW * (max(len(words), len(written)) - 1) + 0.5, headlines)
    middle = FIRST + ROW * (len(words) - 1) / 2
    scene.line((2.47, 0.55), (2.47, scene.figure.get_figheight() - 0.1), color=PALE, width=0.8)
    for left, title, color in ((0.0, "plain seq2seq", PLAIN), (2.47, "attention", ATTENTION)):
        scene.text(left + 1.25, 0.65, title, color=color, size=12)
        for j, word in enumerate(words):
            scene.text(left + 0.65, FIRST + ROW * j, word, ha="right", color=ENCODER)
        for t, word in enumerate(written):
            scene.word(left + 1.44, FIRST - 0.06 + ROW * t, word, step=1 + t, ha="left")

    scene.box(0.9, middle - 0.5, 0.32, 1.0, PLAIN)
    scene.text(1.06, middle, "one vector", rotation=90, color=DARK, size=10)
    for j in range(len(words)):
        scene.line((0.7, FIRST + ROW * j), (0.9, middle), color=PLAIN, width=1.2)
    for t, row in enumerate(weights):
        y = FIRST + ROW * t
        scene.line((1.22, middle), (1.4, y), step=1 + t, color=PLAIN, width=1.2)
        for j, weight in enumerate(row):
            if weight >= LEAST:
                ends = (3.17, FIRST + ROW * j), (3.87, y)
                scene.line(*ends, step=1 + t, color=ATTENTION, width=4 * float(weight))
    return scene
