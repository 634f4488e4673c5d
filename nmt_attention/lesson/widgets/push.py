"""What a step of training does to scores: readers choose the gradient by the context, and take steps."""

from collections.abc import Sequence

import numpy as np

from .widget import Widget, make_widget


def push_widget(values: Sequence[Sequence[float]], words: Sequence[str]) -> Widget:
    """Shows words with equal weights; readers choose g, the gradient of the loss by the context, and take steps.

    push_j = −weight_j g · (h_j − context), and a step adds it to score j

    Args:
        values: `(S, H)`. The encoder's vectors h. At first g asks for more of their first unit.
        words: S str. Their names.

    Raises:
        ValueError: the sizes differ.
    """
    h = np.asarray(values, np.float64)
    if h.ndim != 2 or len(h) != len(words):
        raise ValueError(f"values: expected {len(words)} vectors, one for each word, got shape {h.shape}")
    g, weights = -np.eye(h.shape[1])[0], np.full(len(h), 1 / len(h))
    pushes = -weights * ((h - weights @ h) @ g)

    def cells(kind: str, numbers: np.ndarray, **results: float) -> str:
        own = "".join(f'<td class="{kind}" data-value="{x}">{_written(x)}</td>' for x in numbers)
        return own + "".join(f'<td class="{result}">{_written(x)}</td>' for result, x in results.items())

    each = zip(words, h, weights, pushes, strict=True)
    rows = [(word, cells("number", value, score=0, weight=a, push=p)) for word, value, a, p in each]
    columns = [*(f"unit {i + 1}" for i in range(len(g))), "score", "weight", "push"]
    foot = [("context", cells("context", weights @ h)), ("g", cells("number", g))]
    text = "Values, scores, weights and pushes of words, for a gradient to choose"
    return make_widget("push", text, columns, rows, foot, "{buttons}", ["One step", "Start again"])


def _written(x: float) -> str:
    return f"{round(x, 3) + 0:.3f}".replace("-", "−")  # no minus before a 0
