"""Lesson 3: the query and its values as arrows, each value at its angle to the query, and its shadow on the query."""

import numpy as np
from matplotlib.figure import Figure

from nmt_attention.figures.palette import DECODER, ENCODER, PALE

from .lesson_cells import run_cells
from .scene import Scene

X, Y, UNIT = 0.3, 3.0, 0.62  # where the arrows begin, and how long a vector of length 1 is, in inches
NAMES = {1: "$h_2$", 2: "$h_1, h_3$", 3: "$h_4$"}  # the first value and the third have the same length and angle


def draw() -> Figure:
    """Draws the short values below the query; the query itself is too long to be drawn whole."""
    names = run_cells("03")
    q, h = names["q"], names["h"]
    length = np.linalg.norm(q)
    scene = Scene(3.85, [""])
    scene.line((X, Y), (4.85, Y), color=DECODER, width=2, head=True)
    scene.text(4.8, Y - 0.18, f"$q$, length {length:g}", color=DECODER, ha="right", parse_math=True)
    scene.text(X + 4.4 * UNIT, Y + 0.18, "shadows on q", size=9, color=PALE, ha="left")
    for j, name in NAMES.items():
        along = h[j] @ q / length
        across = (h[j] @ h[j] - along**2) ** 0.5
        side = 1 if across > 2 else -1
        foot, tip = X + UNIT * along, Y - side * UNIT * across
        scene.line((foot, tip), (foot, Y), color=PALE, width=1, dashed=True)
        scene.line((X, Y), (foot, tip), color=ENCODER, width=2, head=True)
        label = f"{name}   {np.degrees(np.arctan2(across, along)):.0f}°, score {q @ h[j]:g}"
        scene.text(foot + 0.08, tip - 0.04 * side, label, ha="left", color=ENCODER, parse_math=True)
        scene.text(foot + 0.12 * (side < 0), Y + 0.18, f"{along:.3g}", color=PALE)
    return scene.figure
