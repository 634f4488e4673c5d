"""Lesson 7: a beam of 2 on the lesson's table, from the first words to the hypothesis that wins."""

import numpy as np

from nmt_attention.figures.palette import ATTENTION, DARK, PALE
from nmt_attention.figures.trace import trace_beam

from .lesson_cells import run_cells
from .scene import Scene

SIZE, LIMIT = 2, 3
END = "<end>"
GLOSSES = {"मुलगी": "the girl", "ती": "she", "वाचते": "reads", "गाते": "sings"}
COLUMN, ROW, MIDDLE = 1.42, 0.72, 2.05  # from column to column and from row to row, in inches; height of the start


def draw() -> Scene:
    """Draws two pictures per step: the likeliest next words, then which of them stay; last, the winner."""
    names = run_cells("07", ("cell-05",))
    nodes = trace_beam(names["table_step"], 0, LIMIT, SIZE, names["vocabulary"], alpha=0.0)
    columns = [[i for i, node in enumerate(nodes) if node.step == t and np.isfinite(node.total)] for t in range(LIMIT)]
    best = [node for node in nodes if node.in_best]
    headlines = ["A number is the probability of all words up to it"]
    for t in range(LIMIT):
        headlines += [f"Step {t + 1}: the {SIZE} likeliest next words of each beginning"]
        headlines += [f"A beam of {SIZE} keeps the {SIZE} most probable beginnings"]
    words = " ".join(node.token for node in best if node.token != END)
    headlines.append(f"The most probable sentence: {words}, {np.exp(best[-1].total):.3f}")
    scene = Scene(2 * MIDDLE, headlines)
    last = len(headlines) - 1
    scene.text(0.35, MIDDLE, "start", color=DARK)
    ends: dict[int | None, tuple[float, float]] = {None: (0.6, MIDDLE)}
    for t, column in enumerate(columns):
        column.sort(key=lambda i: (ends[nodes[i].parent][1], -nodes[i].total))
        for place, i in enumerate(column):
            node, y = nodes[i], MIDDLE + ROW * (place - (len(column) - 1) / 2)
            x = 0.95 + COLUMN * t
            ends[i] = x + 0.95, y
            tried, chosen = 1 + 2 * t, 2 + 2 * t
            fate = DARK if node.kept else PALE
            for first, until, color in (
                (tried, chosen, DARK),
                (chosen, last, fate),
                (last, last + 1, ATTENTION if node.in_best else fate),
            ):
                width = 2.5 if color == ATTENTION else 0.6 if color == PALE else 1.3
                scene.line(ends[node.parent], (x - 0.06, y), step=first, until=until, color=color, width=width)
                label = f"{node.token.strip('<>')}  {np.exp(node.total):.3f}"
                scene.text(x, y - 0.08, label, first, until, ha="left", color=color, size=12)
            scene.gloss(x, y + 0.14, node.token, GLOSSES.get(node.token, ""), tried, ha="left")
    return scene
