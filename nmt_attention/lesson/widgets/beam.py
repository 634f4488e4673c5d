"""A beam search that grows step by step."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .widget import Widget, are_words, escape, language, make_widget, reading_help, small_help

if TYPE_CHECKING:
    from ...figures.trace import BeamNode


def beam_widget(nodes: "Sequence[BeamNode]") -> Widget:
    """Shows the tokens that a beam search considered as a tree that grows at the push of a button.

    A step has two parts, so that readers can predict the second: the candidates appear, then the best are kept.
    Marathi tokens are followed by their Latin letters, and words by an English gloss, if there is one.
    Each token has its log-probability and the sum along its path, and says whether it was kept, dropped or won.

    Args:
        nodes: list of `BeamNode`, of `trace_beam`, parents before children. Impossible tokens are not shown.

    Raises:
        ValueError: there is no node.
    """
    shown = [i for i, node in enumerate(nodes) if node.total > -float("inf")]
    if not shown:
        raise ValueError("nodes: expected at least one")
    places: dict[int | None, int] = {None: 0}  # of each node in its column, from above
    columns: list[list[int]] = [[i for i in shown if nodes[i].step == t] for t in range(1 + nodes[shown[-1]].step)]
    for column in columns:  # in the order of their parents, so that no lines cross
        column.sort(key=lambda i: (places[nodes[i].parent], -nodes[i].total))
        places |= {i: place for place, i in enumerate(column)}
    whole = are_words(node.token for node in nodes)
    cells = "".join(f"<td>{''.join(_node(nodes, i, whole) for i in column)}</td>" for column in columns)
    start = f'<td><div class="node start" data-node="">{escape("<start>")}</div></td>'
    heads, buttons = [f"step {t + 1}" for t in range(len(columns))], ("Next", "Back", "From the start", "To the end")
    return make_widget("beam", "Beam search, step by step", heads, [("", start + cells)], buttons=buttons)


def _node(nodes: "Sequence[BeamNode]", i: int, whole: bool) -> str:
    """Returns a token with the tokens before it, its numbers and its fate."""
    node = nodes[i]
    before: list[str] = []
    parent = node.parent
    while parent is not None:
        before.insert(0, nodes[parent].token)
        parent = nodes[parent].parent
    fate = "best" if node.in_best else "kept" if node.kept else "dropped"
    sign = {"best": "★ best", "kept": "✓ kept", "dropped": "✕ dropped"}[fate]
    follows = "" if node.parent is None else node.parent
    history = f'<span class="before"{language("".join(before))}>{escape(" ".join(before))} </span>' if before else ""
    token = f"<b{language(node.token)}>{escape(node.token)}</b>{small_help(reading_help(node.token, whole))}"
    numbers = f'<span class="numbers">{_nats(node.log_prob)}, sum {_nats(node.total)}</span>'
    return (
        f'<div class="node {fate}" data-node="{i}" data-parent="{follows}">'
        f'{history}{token} <span class="fate">{sign}</span> {numbers}</div>'
    )


def _nats(log_prob: float) -> str:
    return f"{log_prob:.2f}".replace("-", "−")
