"""Diagrams of what a model does: the network unrolled over a sentence, the tree of a beam search."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path

from .describe import capped, looked_most
from .fonts import text_style
from .heatmap import ACTIVATIONS, DARK, PALE, PALETTE
from .latin import to_latin

if TYPE_CHECKING:
    from .trace import BeamNode, DecodingSteps

_BOX, _CELL = 0.5, 0.16  # width of a box and height of a cell, in inches

_LEFT, _BELOW = 0.5, 1.25  # room to the left of the network and below it, in inches

_GAP = 0.06  # between a line and the text at its end, in inches

_ROW = 0.3  # between the tokens of a column of a tree, and above and below the tree, in inches

_SIDE = 0.2  # to the left and the right of a tree, in inches

_SMALL = 8  # font size in points

_LATIN = 0.2  # height of a line of Latin letters, in inches

_LEAST_WEIGHT = 0.05  # no line is drawn for less


def check_steps(steps: "DecodingSteps") -> None:
    """Makes sure that the arrays of `DecodingSteps` fit one another.

    Raises:
        ValueError: the message names the array, the expected shape and the shape found.
    """
    source, target = len(steps.source_tokens), len(steps.target_tokens)
    heads = () if steps.scores is None else np.shape(steps.scores)[-3:-2]
    if not source or not target:
        raise ValueError("steps: nothing to draw, there is no token on one side")
    width = np.shape(steps.values)[-1]
    for name, shape in (
        ("values", (source, width)),
        ("states", (target + 1, width)),
        ("queries", (target, width)),
        ("scores", (*heads, target, source)),
        ("weights", (target, source)),
        ("contexts", (target, width)),
    ):
        array = getattr(steps, name)
        if array is not None and np.shape(array) != shape:
            raise ValueError(f"steps.{name}: expected shape {shape}, got {np.shape(array)}")


def plot_unrolled(steps: "DecodingSteps", units: int = 8, links: bool = True, romanize: bool = False) -> Figure:
    """Draws encoder and decoder unrolled over a sentence: a box for each step, its cells coloured by activation.

    The encoder reads, one box per source token. Its summary, the thought vector, becomes the decoder's first state.
    The decoder writes, one box per target token, and each token that is written goes into the next step. Lines from
    encoder to decoder are attention, the thicker the more weight, with several heads their mean; weights below 0.05 are
    not drawn. They end at the state that was the query: the one before the step, in a Luong decoder the one after it.
    Plain seq2seq has no such lines: every step is given the thought vector instead.

    Args:
        steps: `DecodingSteps`, of `trace_steps`.
        units: int. How many numbers of each vector are drawn, from the first on.
        links: bool. False leaves out all that leads from encoder to decoder, and asks for it with a question mark.
        romanize: bool. Whether Latin letters stand below the Marathi target tokens; see `marathi.romanize`.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError: the arrays do not fit the tokens, or no installed font has the glyphs of a token.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    check_steps(steps)
    values, states = np.asarray(steps.values)[:, :units], np.asarray(steps.states)[:, :units]
    limit = float(max(np.abs(values).max(), np.abs(states).max())) or 1.0
    plain, tall = steps.plain, _CELL * values.shape[1]
    latin = [to_latin(token) if romanize else "" for token in steps.target_tokens]
    tokens = [*steps.source_tokens, *steps.target_tokens, *latin]
    pitch = max(0.8, 0.075 * max(map(len, tokens)))  # from box to box
    # plain: the decoder stands to the right of the encoder; with attention above it, its first state to the left
    reading = [pitch * (j + (not plain)) for j in range(len(values))]
    writing = [pitch * (t + (len(values) + 0.4) * plain) for t in range(len(states))]
    base = 0.0 if plain else tall + 1.2  # the lower edge of the decoder's boxes; the encoder's is at 0
    # where the words about the thought vector end; the scale is to their right
    caption = writing[0] + 2.2 if plain else 1.2
    width, height = (
        max(max(reading[-1], writing[-1]) + _BOX + 0.9, caption + 2.7),
        base + tall + 2.0 + _LATIN * any(latin),
    )
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-_LEFT, width - _LEFT), ylim=(-_BELOW, height - _BELOW))
    axes.set_axis_off()
    figure.set_label(_describe_steps(steps, links))
    style = {"color": DARK, **text_style("".join(tokens))}

    _draw_row(axes, reading, 0.0, values, limit, "encoder", "<|-|>" if steps.bidirectional else "-|>", style)
    image = _draw_row(axes, writing, base, states, limit, "decoder", "-|>", style)
    for x, token in zip(reading, steps.source_tokens, strict=True):
        axes.text(x + _BOX / 2, -0.08, token, ha="center", va="top", **style)
    _draw_written(axes, writing, base + tall, steps.target_tokens, latin, style)
    if not links:
        x = (reading[-1] + _BOX + writing[0]) / 2 if plain else (reading[0] + reading[-1] + _BOX) / 2
        y = tall / 3 if plain else (tall + base) / 2
        axes.text(x, y, "?", ha="center", va="center", fontsize=40, **{**style, "color": PALE})
    elif plain:
        _draw_thought_vector(axes, reading, writing, tall, steps.bidirectional, style)
    else:
        _draw_attention(axes, reading, writing, tall, base, steps, style)

    bar = figure.colorbar(
        image,
        cax=figure.add_axes((1 - 2.1 / width, 0.42 / height, 1.7 / width, 0.1 / height)),
        orientation="horizontal",
        ticks=[-limit, 0, limit],
        format=lambda number, _: f"{number:.2g}".replace("-", "−"),
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelfontfamily=style["family"], labelsize=_SMALL, length=2)
    bar.ax.set_title(f"activation, first {values.shape[1]} of {steps.values.shape[1]} units", fontsize=_SMALL, **style)
    return figure


def _describe_steps(steps: "DecodingSteps", links: bool) -> str:
    """Returns the diagram in words."""
    between = (
        f"The decoder attends to the encoder: {looked_most(steps.target_tokens, steps.source_tokens, steps.weights)}."
    )
    if not links:
        between = "What leads from encoder to decoder is left out; a question mark asks for it."
    elif steps.plain:
        between = "The thought vector leads from encoder to decoder, and is given to every step."
    reads, writes = (" ".join(tokens) for tokens in (steps.source_tokens, steps.target_tokens))
    return f"Diagram: the encoder reads: {reads} The decoder writes: {writes} {between}"


def _draw_row(
    axes: Axes,
    places: Sequence[float],
    base: float,
    vectors: np.ndarray,
    limit: float,
    name: str,
    arrow: str,
    style: Mapping[str, Any],
) -> QuadMesh:
    """Draws a box of coloured cells for each vector, the first number on top, and arrows from each to the next."""
    tall = _CELL * vectors.shape[1]
    colours: dict[str, Any] = {
        "cmap": ACTIVATIONS,
        "vmin": -limit,
        "vmax": limit,
        "edgecolors": "white",
        "linewidth": 0.5,
    }
    for x, vector in zip(places, vectors, strict=True):
        edges = np.linspace(base + tall, base, len(vector) + 1)
        image = axes.pcolormesh([x, x + _BOX], edges, vector[:, np.newaxis], **colours)
    for before, after in pairwise(places):
        _draw_arrow(axes, (before + _BOX, base + tall / 2), (after, base + tall / 2), arrowstyle=arrow)
    place: dict[str, Any] = {"rotation": 90, "ha": "right", "va": "top", "fontsize": 9}
    axes.text(places[0] - 0.05, base + tall, name, **place, **{**style, "color": PALE})
    return image


def _draw_written(
    axes: Axes,
    writing: Sequence[float],
    top: float,
    tokens: Sequence[str],
    latin: Sequence[str],
    style: Mapping[str, Any],
) -> None:
    """Draws the target tokens above the boxes that wrote them, with arrows into the next step.

    Where a token has Latin letters, they stand below it.
    """
    pale = {**style, "color": PALE}
    above = top + 0.4
    for x, token, letters in zip(writing, ["<start>", *tokens], ["", *latin], strict=True):
        place: dict[str, Any] = {"ha": "center", "va": "bottom"}
        axes.text(x + _BOX / 2, above + _LATIN * any(latin), token, **place, **(pale if x == writing[0] else style))
        if letters:
            axes.text(x + _BOX / 2, above, letters, fontsize=_SMALL, **place, **pale)
    for before, x in pairwise(writing):
        _draw_arrow(axes, (x + _BOX / 2, top), (x + _BOX / 2, top + 0.38))
        _draw_arrow(axes, (before + 0.8 * _BOX, top + 0.36), (x + 0.2 * _BOX, top), color=PALE)


def _draw_thought_vector(
    axes: Axes,
    reading: Sequence[float],
    writing: Sequence[float],
    tall: float,
    bidirectional: bool,
    style: Mapping[str, Any],
) -> None:
    """Draws what plain seq2seq is given: the encoder's summary, as the first state and at every step."""
    low, turn = -0.4, writing[0] - 0.25
    _draw_arrow(axes, (reading[-1] + _BOX, tall / 2), (writing[0], tall / 2))
    _draw_arrow(axes, (turn, tall / 2), (turn, low), (writing[-1] + _BOX / 2, low), arrowstyle="-")
    if bidirectional:  # the summary is both directions' ends
        start = reading[0] - 0.3
        _draw_arrow(axes, (reading[0], tall / 2), (start, tall / 2), (start, low), (turn, low), arrowstyle="-")
    for x in writing[1:]:
        _draw_arrow(axes, (x + _BOX / 2, low), (x + _BOX / 2, 0), gid="thought vector")
    axes.text(turn, low - _GAP, "thought vector, given to every step", ha="left", va="top", **style)


def _draw_attention(
    axes: Axes,
    reading: Sequence[float],
    writing: Sequence[float],
    tall: float,
    base: float,
    steps: "DecodingSteps",
    style: Mapping[str, Any],
) -> None:
    """Draws the summary as the first state alone, and a line for each weight."""
    first, low, end = writing[0] + _BOX / 2, -0.42, reading[-1] + _BOX
    round_it = (end + 0.2, tall / 2), (end + 0.2, low), (first, low), (first, base)
    _draw_arrow(axes, (end, tall / 2), *round_it)
    if steps.bidirectional:
        _draw_arrow(axes, (reading[0], tall / 2), (first, tall / 2), arrowstyle="-")
    axes.text(first, low - _GAP, "thought vector", ha="left", va="top", **style)
    before = np.array_equal(steps.queries, steps.states[:-1])  # whether the decoder looks before its step
    for x, weights in zip(writing[:-1] if before else writing[1:], steps.weights, strict=True):
        for from_x, weight in zip(reading, weights, strict=True):
            if weight >= _LEAST_WEIGHT:
                ends = [from_x + _BOX / 2, x + _BOX / 2], [tall, base]
                axes.plot(*ends, color=PALETTE[0], linewidth=6 * weight, alpha=0.8, zorder=0)


def _draw_arrow(
    axes: Axes, *points: tuple[float, float], arrowstyle: str = "-|>", color: str = DARK, gid: str | None = None
) -> None:
    """Draws an arrow through points; its group id names it in an .svg file."""
    style: dict[str, Any] = {"arrowstyle": arrowstyle, "mutation_scale": 8, "color": color, "gid": gid}
    axes.add_patch(FancyArrowPatch(path=Path(points), **style))


def plot_beam_tree(nodes: Sequence["BeamNode"]) -> Figure:
    """Draws the tokens that a beam search considered: a column per step, and lines from each token to the next ones.

    Dark tokens were kept as hypotheses, pale ones discarded; the hypothesis that won is blue. The number is the
    hypothesis's log-probability so far, in nats: the sum along its path.

    Args:
        nodes: list of `BeamNode`, of `trace_beam`, or of anything with its fields; parents before children.

    Returns:
        matplotlib `Figure`.

    Raises:
        ValueError: there is no node, a node's parent is not one of the step before it, or no installed font has the
            glyphs of a token.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    if not nodes:
        raise ValueError("nodes: expected at least one")
    for i, node in enumerate(nodes):
        if node.step != (0 if node.parent is None else nodes[node.parent].step + 1) or (node.parent or 0) > i:
            raise ValueError(f"nodes[{i}]: its step is {node.step} and its parent {node.parent}; see BeamNode")
    columns = [[i for i, node in enumerate(nodes) if node.step == t] for t in range(max(n.step for n in nodes) + 1)]
    heights = _stack(nodes, columns)
    figure = Figure(dpi=100)
    figure.set_label(_describe_tree(nodes, columns))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    labels = [f"{node.token}  " + f"{node.total:.2f}".replace("-", "−") for node in nodes]
    fonts = text_style("".join(labels))

    def write(x: float, y: float, text: str, color: str) -> float:
        """Writes a text and returns where it ends, in inches."""
        return x + axes.text(x, y, text, va="center", color=color, **fonts).get_window_extent().width / figure.dpi

    ends: dict[int | None, float] = {None: write(0.0, 0.0, "<start>", DARK)}
    for column in columns:
        before, x = max(ends.values()) + 0.1, max(ends.values()) + 0.9  # where the columns before and now end and start
        for i in column:
            parent, y = nodes[i].parent, heights[i]
            color, width = (PALETTE[0], 2.0) if nodes[i].in_best else (DARK, 1.0) if nodes[i].kept else (PALE, 0.5)
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
