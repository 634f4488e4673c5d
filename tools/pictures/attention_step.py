"""Lesson 3: one step of attention with the lesson's own numbers, from scores to the next word."""

import numpy as np
from matplotlib.colors import to_rgb

from nmt_attention.figures.palette import ATTENTION, DARK, DECODER, ENCODER, PALE
from nmt_attention.marathi.gloss import annotate

from .lesson_cells import run_cells
from .scene import Scene

AFTER = "राहुल"  # the word that has been written
UNITS = ("name", "is", "good", "child", "male", "end")
CELL, ROW = 0.34, 0.34  # width and height of a number, in inches
LEFT = 0.75  # where the first number begins


def draw() -> Scene:
    """Draws values and state, then what lesson 3 computes in five steps."""
    names = run_cells("03", ["five-steps"])  # its vectors and its decoder
    values, words, state = names["values"], list(names["source"]), names["states"][1]
    scores, weights, context, _, probabilities = names["step"](state, values)
    most = int(scores.argmax())
    likely = [names["vocabulary"][i] for i in np.argsort(-probabilities)[:3]]
    terms = " + ".join(f"{a:g}·{b:g}" for a, b in zip(state, values[most], strict=True) if a and b)
    scene = Scene(
        5.6,
        [
            "The encoder’s vectors: one for each word",
            f"The decoder has written {AFTER}. Its state is the query",
            f"1 Scores: state · vector; for “{words[most]}” {terms} = {scores[most]:g}",
            "2 Weights: the softmax of the scores, which sums to 1",
            "3 Context: the sum of the vectors, each times its weight",
            "4 Concatenation: context and state, side by side",
            f"5 Output: the most probable next word is {likely[0]}",
        ],
    )

    def numbers(y: float, row: np.ndarray, color: str, step: int, left: float = LEFT, shade: float = 0.0) -> None:
        for i, number in enumerate(row):
            scene.box(left + i * CELL, y, CELL, ROW, color, (*to_rgb(ATTENTION), shade), step, rounded=False)
            shown = f"{number:.2f}".removeprefix("0") if number % 1 > 0.005 else f"{number:.0f}"
            scene.text(left + (i + 0.5) * CELL, y + ROW / 2, shown, step, size=10)

    def name(y: float, text: str, color: str, step: int) -> None:
        scene.text(LEFT - 0.1, y + ROW / 2, text, step, ha="right", color=color)

    end = LEFT + len(UNITS) * CELL  # of a row of numbers
    for i, unit in enumerate(UNITS):
        scene.text(LEFT + (i + 0.5) * CELL, 0.68, unit, size=8, color=PALE)
    name(0.84, "state", DECODER, 1)
    numbers(0.84, state, DECODER, 1)
    scene.text(end + 0.3, 0.68, "score", 2, size=9, color=PALE)
    scene.text(end + 0.8, 0.68, "weight", 3, size=9, color=PALE)
    y = 1.38
    for word, value, score, weight in zip(words, values, scores, weights, strict=True):
        name(y, word, ENCODER, 0)
        numbers(y, value, ENCODER, 0)
        scene.text(end + 0.3, y + ROW / 2, f"{score:g}", 2)
        scene.text(end + 0.8, y + ROW / 2, f"{weight:.2f}", 3)
        scene.box(end + 1.08, y + 0.07, 1.1 * float(weight), ROW - 0.14, ATTENTION, ATTENTION, 3, rounded=False)
        numbers(y, value, ENCODER, 4, shade=0.5 * float(weight))
        y += ROW
    middle = LEFT + len(UNITS) * CELL / 2
    scene.line((middle, y + 0.02), (middle, y + 0.24), step=4, color=ATTENTION, head=True)
    scene.text(middle + 0.12, y + 0.12, "Σ weight × vector", 4, ha="left", size=9, color=PALE)
    name(y + 0.27, "context", ATTENTION, 4)
    numbers(y + 0.27, context, ATTENTION, 4)

    y += 0.95
    scene.text(end, y - 0.14, "context and state, concatenated", 5, size=9, color=PALE)
    numbers(y, context, ATTENTION, 5)
    numbers(y, state, DECODER, 5, left=end)
    scene.line((end, y + ROW + 0.02), (end, y + ROW + 0.24), step=6, head=True)
    y += ROW + 0.3
    for word in likely:
        probability = float(probabilities[names["vocabulary"].index(word)])
        scene.text(2.4, y + 0.14, *annotate([word], True, True), 6, ha="right")
        scene.box(2.5, y + 0.05, 1.5 * probability, 0.18, DARK, DARK, 6, rounded=False)
        scene.text(4.1, y + 0.14, f"{probability:.2f}", 6, ha="left")
        y += 0.28
    return scene
