"""What a figure shows, in words, for readers who do not see it. `figure.get_label()` returns it."""

from collections.abc import Sequence

import numpy as np

ROWS = 10  # of a figure that are described


def looked_most(rows: Sequence[str], columns: Sequence[str], weights: np.ndarray, most: int = ROWS) -> str:
    """Returns where each target token looked most: *ती looked most at she 0.81, गाते at sings 0.90*.

    Args:
        rows, columns: target and source tokens, T and S of them.
        weights: `(T, S)`.
        most: int. Of how many rows, from the first on.
    """
    parts: list[str] = []
    for row, row_weights in zip(rows, weights, strict=True):
        best = int(np.argmax(row_weights))
        parts.append(f"{row} {'at' if parts else 'looked most at'} {columns[best]} {row_weights[best]:.2f}")
    return capped(parts, most)


def capped(parts: Sequence[str], most: int = ROWS, between: str = ", ") -> str:
    """Returns the first parts as a list in a sentence, and how many more there are."""
    more = [f"and {len(parts) - most} more"] if len(parts) > most else []
    return between.join([*parts[:most], *more])


def run(name: str, values: Sequence[float] | np.ndarray) -> str:
    """Returns how a curve begins and ends: *training from 4.00 to 1.25*; values that are not finite are left out."""
    finite = [float(value) for value in values if np.isfinite(value)]
    return f"{name} from {finite[0]:.2f} to {finite[-1]:.2f}" if finite else f"{name} without a number"
