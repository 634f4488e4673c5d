"""Attention by hand: numbers to drag, and the scores, weights and context that follow."""

from collections.abc import Sequence

import numpy as np

from .widget import Row, Widget, make_widget, softmax

LIMIT, STEP = 10.0, 0.5  # of the numbers that one can choose


def attention_widget(query: Sequence[float], values: Sequence[Sequence[float]], words: Sequence[str]) -> Widget:
    """Shows dot product attention as a table whose query and values readers drag, or change with the arrow keys.

    score_j = q · h_j, weights = softmax(scores), context = Σ weight_j h_j

    Args:
        query: `(H,)`. The decoder's state q.
        values: `(S, H)`. The encoder's vectors h, which are also the keys.
        words: S str. Their names.

    Raises:
        ValueError: the sizes differ, or a number is none of those that one can choose, −10 to 10 in steps of 0.5.
    """
    q, h = np.asarray(query, np.float64), np.asarray(values, np.float64)
    if q.ndim != 1 or h.shape != (len(words), len(q)) or not h.size:
        raise ValueError(f"values: expected shape {(len(words), q.size)} by words and query, got {h.shape}")
    for name, numbers in (("query", q), ("values", h)):
        if not np.all((np.abs(numbers) <= LIMIT) & (numbers % STEP == 0)):
            raise ValueError(f"{name}: expected multiples of {STEP} from {-LIMIT:g} to {LIMIT:g}")
    scores = h @ q
    weights = softmax(scores)

    def sliders(vector: np.ndarray) -> str:
        return "".join(f'<td class="number" data-value="{x}">{_number(x, 1)}</td>' for x in vector)

    rows: list[Row] = [("q", sliders(q) + "<td></td><td></td>")]
    for word, value, score, weight in zip(words, h, scores, weights, strict=True):
        results = f'<td class="score">{_number(score, 2)}</td><td class="weight">{_weight(weight)}</td>'
        rows.append((word, sliders(value) + results))
    context = "".join(f'<td class="context">{_number(x, 3)}</td>' for x in weights @ h)
    columns = [*(f"unit {i + 1}" for i in range(len(q))), "score", "weight"]
    foot = [("context", f"{context}<td></td><td></td>")]
    text = "Attention by hand: query, values, scores, weights, context"
    return make_widget("attention-by-hand", text, columns, rows, foot, buttons=["Start again"])


def _number(value: float, digits: int) -> str:
    """Returns a number with a typographic minus and at most so many digits after the point."""
    return f"{round(value, digits) + 0.0:.{digits}f}".rstrip("0").rstrip(".").replace("-", "−")


def _weight(weight: float) -> str:
    """Returns a weight as text, as attention-by-hand.js writes it."""
    if 0 < weight < 0.0005:
        mantissa, exponent = f"{weight:.1e}".split("e")
        return f"{mantissa}e−{abs(int(exponent))}"
    return f"{weight:.3f}"
