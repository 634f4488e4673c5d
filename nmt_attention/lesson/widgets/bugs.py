"""Bugs to switch on: what each of them does to the weights and contexts of the same scores."""

from collections.abc import Sequence

import numpy as np

from ...vocabulary import PAD_ID, SPECIAL_TOKENS
from .widget import Widget, make_widget, softmax

_SWITCHES = (
    "The mask for padding is missing",
    "Softmax runs down the columns",
    "Rows are labelled with what a step reads",
    "… and the first row is deleted",
)


def bugs_widget(
    scores: Sequence[Sequence[float]], values: Sequence[Sequence[float]], source: Sequence[str], target: Sequence[str]
) -> Widget:
    """Shows the weights and contexts that a right program computes from scores, with switches for bugs.

    Readers switch on a missing mask, a softmax over the steps instead of the source, and labels that are one word late,
    without or with the row of the start marker. What changes is marked and described.

    Args:
        scores: `(T, S)`. Before the softmax.
        values: `(S, H)`. The encoder's vectors.
        source: S str. The tokens read; `<pad>` is padding.
        target: T str. The tokens written.

    Raises:
        ValueError: the sizes differ, or all tokens are padding.
    """
    e, h = np.asarray(scores, np.float64), np.asarray(values, np.float64)
    if e.shape != (len(target), len(source)) or not e.size:
        raise ValueError(f"scores: expected shape {(len(target), len(source))} by target and source, got {e.shape}")
    if h.ndim != 2 or len(h) != len(source) or not h.size:
        raise ValueError(f"values: expected shape ({len(source)}, H), got {h.shape}")
    real = np.array([token != SPECIAL_TOKENS[PAD_ID] for token in source])
    if not real.any():
        raise ValueError("source: expected at least one token that is not padding")
    weights = softmax(np.where(real, e, -1e9))
    columns = [(token, f' data-real="{int(is_real)}"') for token, is_real in zip(source, real, strict=True)]
    more = ["sum", *(f"context {i + 1}" for i in range(h.shape[1]))]
    rows = []
    for token, own, row_weights, context in zip(target, e, weights, weights @ h, strict=True):
        cells = "".join(
            f'<td class="weight" data-score="{x}"><small>{x:g} → </small><span>{weight:.2f}</span></td>'
            for x, weight in zip(own.tolist(), row_weights, strict=True)
        )
        contexts = "".join(f'<td class="context">{x:.2f}</td>'.replace("-", "−") for x in context)
        rows.append((token, f'{cells}<td class="sum">{row_weights.sum():.2f}</td>{contexts}'))
    vectors = "".join(f'<td data-value="{_list(value)}">{_list(value).replace("-", "−")}</td>' for value in h.tolist())
    switches = "".join(f'<label><input type="checkbox"> {text}</label>' for text in _SWITCHES)
    controls = f'<fieldset><legend>Bugs</legend>{switches}</fieldset><p class="readout" role="status"></p>'
    text, foot = "Scores, weights and contexts, with bugs to switch on", [("value", vectors)]
    return make_widget("bugs", text, [*columns, *more], rows, foot, controls, corner="score → weight")


def _list(value: Sequence[float]) -> str:
    return ", ".join(f"{x:g}" for x in value)
