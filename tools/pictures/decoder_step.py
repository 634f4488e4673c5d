"""Lesson 4: one step of Bahdanau's decoder in three numbered arrows: look, step, read out."""

import functools
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from nmt_attention.figures.palette import ATTENTION, DARK, DECODER, ENCODER, PALE
from nmt_attention.figures.trace import DecodingSteps

from .lesson_cells import run_cells
from .scene import Scene

CELLS = ("reader", "additive", "step", "model", "write", "data", "unrolled")
GLOSSES = {"आईला": "to mom", "मांजरं": "cats", "आवडतात": "likes"}
FIRST, PITCH = 1.1, 0.85  # where the encoder's boxes begin, and from box to box


@functools.cache
def steps_of_lesson_4() -> DecodingSteps:
    """Trains the lesson's network as the lesson does; returns what it computes for the lesson's sentence."""
    steps: DecodingSteps = run_cells("04", CELLS)["steps"]
    return steps


def of_lesson_4() -> Figure:
    """Draws the step that writes the verb."""
    steps, step = steps_of_lesson_4(), 2
    last, written = ((word, GLOSSES[word]) for word in steps.target_tokens[step - 1 : step + 1])
    return draw(steps.source_tokens, steps.weights[step], last, written)


def draw(words: Sequence[str], weights: np.ndarray, last: tuple[str, str], written: tuple[str, str]) -> Figure:
    """Draws the step that looks at words with these weights, reads one word and writes another, each with its gloss."""
    scene = Scene(4.85, [""])

    def box(x: float, y: float, name: str, shape: str, color: str, fill: str | None = None) -> None:
        scene.box(x, y, 0.9, 0.5, color, fill)
        scene.text(x + 0.45, y + 0.17, name, size=13, parse_math=True)
        scene.text(x + 0.45, y + 0.37, shape, size=9, color=PALE)

    def number(x: float, y: float, digit: str, text: str, color: str) -> None:
        circle = {"boxstyle": "circle,pad=0.15", "facecolor": color, "edgecolor": color}
        scene.text(x, y, digit, color="white", bbox=circle, zorder=3)
        scene.text(x + 0.18, y - 0.16 * (digit == "2"), text, color=color, ha="left", size=12)

    for j, (word, weight) in enumerate(zip(words, weights, strict=True)):
        middle = FIRST + PITCH * j + 0.35
        scene.box(middle - 0.35, 4.0, 0.7, 0.42, ENCODER)
        scene.text(middle, 4.6, word)
        scene.line((middle, 4.0), (2.4, 3.22), color=ATTENTION, width=max(0.4, 6 * float(weight)))
    scene.text(FIRST - 0.1, 4.12, "encoder", size=9, ha="right", color=ENCODER)
    scene.text(FIRST - 0.1, 4.31, "values (B, S, H)", size=9, ha="right", color=PALE)
    scene.text(3.4, 3.45, "weights (B, S)", size=9, ha="left", color=PALE)

    box(0.3, 1.8, "$s_{i-1}$", "(B, H)", DECODER)
    box(3.45, 1.8, "$s_i$", "(B, H)", DECODER)
    box(1.95, 2.7, "$c_i$", "(B, H)", ATTENTION)
    box(1.95, 0.9, "$y_{i-1}$", "(B, E)", DARK, "white")
    box(3.45, 0.8, "features", "(B, E)", DARK, "white")
    scene.word(2.4, 0.4, *last)
    scene.line((2.4, 0.72), (2.4, 0.88), head=True)

    scene.line((0.75, 2.3), (0.75, 3.6), (3.3, 3.6), color=ATTENTION, width=2, head=True, dashed=True)
    number(0.75, 2.85, "1", "look", ATTENTION)
    scene.text(0.85, 3.46, "query (B, H)", ha="left", size=9, color=PALE)
    for start, end in (((1.2, 2.05), (3.43, 2.05)), ((2.85, 2.9), (3.47, 2.28)), ((2.85, 1.2), (3.47, 1.82))):
        scene.line(start, end, color=DECODER, width=2, head=True)
    number(2.2, 2.05, "2", "step", DECODER)
    scene.line((3.9, 1.8), (3.9, 1.32), width=2, head=True)
    scene.line((2.85, 1.05), (3.43, 1.05), head=True)
    scene.line((2.85, 3.05), (4.8, 3.05), (4.8, 1.05), (4.37, 1.05), head=True)
    number(3.9, 1.58, "3", "read out", DARK)
    scene.line((3.9, 0.8), (3.9, 0.6), width=2, head=True)
    scene.text(4.0, 0.7, "logits (B, V)", ha="left", size=9, color=PALE)
    scene.word(3.9, 0.2, *written)
    return scene.figure
