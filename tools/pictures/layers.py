"""Lesson 10a: one layer of the encoder and one of the decoder, with what each part adds to its input."""

from matplotlib.figure import Figure

from nmt_attention.figures import palette
from nmt_attention.figures.palette import PALE

from .scene import Scene

BOTTOM, PART = 4.5, 1.2  # where both layers begin, and the height of a part, in inches
ENCODER, DECODER = 0.35, 4.65  # where their lines stand
BOX = 1.45  # width


def draw() -> Figure:
    """Returns the figure: a vertical line for each layer, from which parts branch off and to which they add."""
    scene = Scene(BOTTOM + 0.45, ["What is lost without the thick lines?"])
    top = _draw_layer(scene, ENCODER, ["self-attention", "small network"], palette.ENCODER)
    _draw_layer(scene, DECODER, ["causal self-attention", "cross-attention", "small network"], palette.DECODER)
    cross = BOTTOM - 1.5 * PART - 0.2  # middle of its box
    scene.line((ENCODER, top), (ENCODER, top - 0.25), (2.5, top - 0.25), (2.5, cross), color=palette.ENCODER)
    scene.line((2.5, cross), (DECODER - 0.3 - BOX, cross), color=palette.ENCODER, head=True)
    handed = "values of the last layer:\nkeys and values for\nevery decoder layer"
    scene.text(0.55, top - 0.75, handed, size=9, ha="left")
    scene.text(ENCODER, BOTTOM + 0.2, "x (S, H), an encoder layer", size=9, color=PALE, ha="left")
    scene.text(DECODER, BOTTOM + 0.2, "x (T, H), a decoder layer", size=9, color=PALE, ha="right")
    return scene.figure


def _draw_layer(scene: Scene, x: float, parts: list[str], color: str) -> float:
    """Draws a layer from the bottom up, its boxes on the side of the picture's middle; returns where its line ends."""
    top = BOTTOM - PART * len(parts) - 0.25
    scene.line((x, BOTTOM + 0.05), (x, top), color=color, width=3, head=True)
    left = x + 0.3 if x < 2.5 else x - 0.3 - BOX
    middle = left + BOX / 2
    for i, part in enumerate(parts):
        start, end = BOTTOM - 0.16 - PART * i, BOTTOM - PART * (i + 1)
        scene.line((x, start), (middle, start), (middle, start - 0.14), color=color, head=True)
        scene.box(middle - 0.3, start - 0.4, 0.6, 0.26, PALE, "white")
        scene.text(middle, start - 0.27, "norm", size=9)
        scene.line((middle, start - 0.4), (middle, start - 0.52), color=color, head=True)
        scene.box(left, start - 0.86, BOX, 0.34, color)
        scene.text(middle, start - 0.69, part, size=9)
        scene.line((middle, start - 0.86), (middle, end), (x + (0.1 if x < 2.5 else -0.1), end), color=color, head=True)
        scene.text(x, end, "+", bbox={"boxstyle": "circle,pad=0", "facecolor": "white", "edgecolor": color})
    return top
