"""Diagrams of what a model does: the network unrolled over a sentence, the tree of a beam search."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from .fonts import text_style
from .labels import Labels, capped, looked_most
from .palette import ATTENTION, DARK, DECODER, ENCODER, LEAST_WEIGHT, PALE, PLAIN

if TYPE_CHECKING:
    from .trace import BeamNode, DecodingSteps

# in inches
_BOX, _TALL = 0.56, 0.5  # width and height of a box
_DECODER = 1.6  # height of the decoder's boxes above the encoder's
_LINE = 0.2  # height of a line of letters
_GAP = 0.06  # between a line and the text at its end
_ROW = 0.5  # between the tokens of a column of a tree, and above and below the tree
_SIDE = 0.2  # to the left and the right of a tree


def plot_unrolled(steps: "DecodingSteps", **labels: Any) -> Figure:
    """Draws encoder and decoder unrolled over a sentence: a box for each step, the encoder's below the decoder's.

    The encoder reads, one box per source token. Its summary, the thought vector, becomes the decoder's first state.
    The decoder writes, one box per target token, and each token that is written goes into the next step. Arrows from
    encoder to decoder are attention, the thicker the more weight, with several heads their mean; weights below 0.05 are
    not drawn. They end at the state that was the query: the one before the step, in a Luong decoder the one after it.
    Plain seq2seq has no such arrows: every step is given the thought vector instead.

    Args:
        steps: `DecodingSteps`, of `trace_steps`.
        labels: `romanize` and `glosses`, as in `plot_attention`; they stand below target tokens.

    Raises:
        ValueError: there is no token on one side, the weights do not fit the tokens, or no installed font has the
            glyphs of a token.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    weights, shape = np.asarray(steps.weights), (len(steps.target_tokens), len(steps.source_tokens))
    if weights.shape != shape or not weights.size:
        raise ValueError(f"steps.weights: expected shape {shape}, with tokens on both sides, got {weights.shape}")
    written = Labels(**labels).write(steps.target_tokens, "\n")
    texts = [*steps.source_tokens, "<start>", *written]
    pitch = max(0.85, 0.08 * max(len(line) for text in texts for line in text.split("\n")))  # from box to box
    reading = pitch * np.arange(1, len(steps.source_tokens) + 1)
    writing = pitch * np.arange(len(written) + 1)
    above = 0.45 + _LINE * (1 + max(text.count("\n") for text in written))
    width, height = max(reading[-1], writing[-1]) + pitch + 0.4, 0.45 + _DECODER + _TALL + above
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-0.4 - pitch / 2, width - 0.4 - pitch / 2), ylim=(-0.45, height - 0.45))
    axes.set_axis_off()
    figure.set_label(_describe_steps(steps))
    style = {"color": DARK, **text_style("".join(texts).replace("\n", ""))}

    middle = (_TALL + _DECODER) / 2
    _draw_row(axes, reading, 0.0, "encoder", "<|-|>" if steps.bidirectional else "-|>", ENCODER, style)
    _draw_row(axes, writing, _DECODER, "decoder", "-|>", DECODER, style)
    for x, token in zip(reading, steps.source_tokens, strict=True):
        axes.text(x, -0.08, token, ha="center", va="top", **style)
    top = _DECODER + _TALL
    for x, token in zip(writing, ["<start>", *written], strict=True):
        axes.text(x, top + 0.4, token, ha="center", va="bottom", linespacing=0.75, **style)
    for before, x in pairwise(writing):
        _draw_arrow(axes, (x, top), (x, top + 0.38), color=DECODER)
        _draw_arrow(axes, (before + _BOX / 4, top + 0.36), (x - _BOX / 4, top), color=PALE)
    # the thought vector: one end of the encoder, or both if it reads in both directions
    ends = reading[[0, -1]] if steps.bidirectional else reading[-1:]
    given = (writing if steps.plain else writing[:1]) - 0.4 * _BOX  # to the left of what attention brings
    for x, end in product(ends, given[[0, -1]]):
        _draw_arrow(axes, (x, _TALL), (x, middle), (end, middle), arrowstyle="-", color=PLAIN)
    for x in given:
        _draw_arrow(axes, (x, middle), (x, _DECODER), color=PLAIN, gid="thought vector")
    beside: dict[str, Any] = {"ha": "right", "linespacing": 0.75, **style, "color": PLAIN}
    axes.text(given[0] - 0.06, middle, "thought\nvector", **beside)
    looks_first = np.array_equal(steps.queries, steps.states[:-1])
    asking = writing[:-1] if looks_first else writing[1:]  # the state that was the query
    for row, box in zip(weights, asking, strict=True) if not steps.plain else ():
        looked = np.flatnonzero(row >= LEAST_WEIGHT)
        for j, end in zip(looked, box + _BOX / 2 * np.linspace(-1, 1, len(looked) + 2)[1:-1], strict=True):
            thick, size = max(1, 6 * row[j]), 7 + 12 * row[j]  # a hair would not be seen
            way = np.array([end - reading[j], _DECODER - _TALL])
            head = {"marker": (3, 0, -np.degrees(np.arctan2(*way))), "markersize": size, "markeredgewidth": 0}
            x, y = (end, _DECODER) - size / 144 * way / np.hypot(*way)  # the tip touches the box
            line = {"color": ATTENTION, "linewidth": thick, "alpha": 0.8, "zorder": 0}
            axes.plot([reading[j], x], [_TALL, y], **line, **head, markevery=[1], solid_capstyle="butt")
    return figure


def _describe_steps(steps: "DecodingSteps") -> str:
    """Returns the diagram in words."""
    between = "The thought vector leads from encoder to decoder, and is given to every step."
    if not steps.plain:
        looked = looked_most(steps.target_tokens, steps.source_tokens, steps.weights)
        between = f"The decoder attends to the encoder: {looked}."
    reads, writes = (" ".join(tokens) for tokens in (steps.source_tokens, steps.target_tokens))
    return f"Diagram: the encoder reads: {reads} The decoder writes: {writes} {between}"


def _draw_row(
    axes: Axes, places: np.ndarray, base: float, name: str, arrow: str, color: str, style: Mapping[str, Any]
) -> None:
    """Draws a box for each state, and arrows from each to the next."""
    for x in places:
        box = FancyBboxPatch((x - _BOX / 2, base), _BOX, _TALL, "round,pad=0,rounding_size=0.06", edgecolor=color)
        axes.add_patch(box).set(facecolor=(color, 0.15), linewidth=1.3)
    for before, after in pairwise(places):
        right, left = (before + _BOX / 2, base + _TALL / 2), (after - _BOX / 2, base + _TALL / 2)
        _draw_arrow(axes, right, left, color=color, arrowstyle=arrow)
    x = places[0] - _BOX / 2 - 0.06
    axes.text(x, base + _TALL / 2, name, rotation=90, ha="right", va="center", **{**style, "color": color})


def _draw_arrow(
    axes: Axes, *points: tuple[float, float], color: str, arrowstyle: str = "-|>", gid: str | None = None
) -> None:
    """Draws an arrow through points; its group id names it in an .svg file."""
    style: dict[str, Any] = {"arrowstyle": arrowstyle, "mutation_scale": 8, "color": color, "gid": gid}
    axes.add_patch(FancyArrowPatch(path=Path(points), **style))


def plot_beam_tree(nodes: Sequence["BeamNode"]) -> Figure:
    """Draws the tokens that a beam search considered: a column per step, and lines from each token to the next ones.

    Dark tokens were kept as hypotheses, pale ones discarded; the hypothesis that won is blue. The number is the
    hypothesis's log-probability so far, in nats: the sum along its path. Below Marathi stand Latin letters, and
    the gloss of a word that has one.

    Args:
        nodes: list of `BeamNode`, of `trace_beam`; parents before children.

    Raises:
        ValueError: there is no node, or no installed font has the glyphs of a token.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    if not nodes:
        raise ValueError("nodes: expected at least one")
    columns = [[i for i, node in enumerate(nodes) if node.step == t] for t in range(max(n.step for n in nodes) + 1)]
    heights = _stack(nodes, columns)
    figure = Figure(dpi=100)
    figure.set_label(_describe_tree(nodes, columns))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    written = Labels(romanize=True, glosses=True).write([node.token for node in nodes])
    labels = []
    for node, text in zip(nodes, written, strict=True):
        total = f"{node.total:.2f}".replace("-", "−")
        below = text.removeprefix(node.token).strip()
        labels.append(f"{node.token}  {total}\n{below}".strip())
    fonts = {"linespacing": 0.75, **text_style("".join(labels).replace("\n", ""))}

    def write(x: float, y: float, text: str, color: str) -> float:
        """Writes a text and returns where it ends, in inches."""
        return x + axes.text(x, y, text, va="center", color=color, **fonts).get_window_extent().width / figure.dpi

    ends: dict[int | None, float] = {None: write(0.0, 0.0, "<start>", DARK)}
    for column in columns:
        before, x = max(ends.values()) + 0.1, max(ends.values()) + 0.6  # end of the column before, and start of this
        for i in column:
            parent, y = nodes[i].parent, heights[i]
            color, width = (ATTENTION, 2.0) if nodes[i].in_best else (DARK, 1.0) if nodes[i].kept else (PALE, 0.5)
            line = [ends[parent] + _GAP, before, x - _GAP], [heights[parent], heights[parent], y]
            axes.plot(*line, color=color, linewidth=width, zorder=2 if nodes[i].in_best else 1)
            ends[i] = write(x, y, labels[i], color)
    wide, high, low = max(ends.values()), max(heights.values()), min(heights.values())
    figure.set_size_inches(wide + 2 * _SIDE, high - low + 2 * _ROW)
    axes.set(xlim=(-_SIDE, wide + _SIDE), ylim=(low - _ROW, high + _ROW))
    return figure


def _describe_tree(nodes: Sequence["BeamNode"], columns: Sequence[Sequence[int]]) -> str:
    """Returns a tree in words: what each step kept, and what won."""
    parts = []
    for t, column in enumerate(columns, 1):
        kept = sorted((nodes[i] for i in column if nodes[i].kept), key=lambda node: -node.total)
        tokens = ", ".join(node.token for node in kept) or "none"
        parts.append(f"step {t} kept {tokens}, of {len(column)} candidates")
    best = [node for node in nodes if node.in_best]
    total = f"{best[-1].total:.2f}".replace("-", "−") if best else ""
    won = f" The best: {' '.join(node.token for node in best)}, log-probability {total}." if best else ""
    return f"Tree of a beam search: {capped(parts, between='; ')}.{won}"


def _stack(nodes: Sequence["BeamNode"], columns: Sequence[list[int]]) -> dict[int | None, float]:
    """Returns the height of every node: columns in their parents' order, so that no lines cross, around the middle."""
    heights: dict[int | None, float] = {None: 0.0}
    for column in columns:
        column.sort(key=lambda i: (-heights[nodes[i].parent], -nodes[i].total))
        steps = [_ROW + 0.1 * (nodes[i].parent != nodes[j].parent) for i, j in pairwise(column)]  # between families
        places = np.cumsum([0.0, *steps])
        heights.update(zip(column, places[-1] / 2 - places, strict=True))
    return heights
