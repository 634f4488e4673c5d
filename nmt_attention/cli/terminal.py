"""A heatmap in a terminal: a row of blue cells for each target word, or of percentages where colours are not wanted."""

import os
import sys
from typing import TYPE_CHECKING

import numpy as np

from ..figures.labels import Labels, attention_table
from ..runs.machine import visible

if TYPE_CHECKING:
    from ..translate import Translation

_BLUES = (255, 153, 111, 69, 27, 20)  # of a terminal's 256 colours, from weight 0 to 1
_DARK = 3  # from this one on, white is read better than black


def heatmap_lines(translation: "Translation", labels: Labels) -> list[str]:
    """Returns the source words and a line for each target word; its cells hold weights in percent.

    The target word stands last, because terminals disagree on how wide Devanagari is.
    """
    targets, sources, weights = attention_table(translation, labels.show_end)
    sources = [visible(word) for word in sources]
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    widths = [max(4, len(word)) for word in sources]
    lines = [" ".join(word.center(width) for word, width in zip(sources, widths, strict=True))]
    for label, row in zip(labels.write(targets), np.asarray(weights, float), strict=True):
        cells = [_cell(weight, width, colours) for weight, width in zip(row, widths, strict=True)]
        lines.append(f"{' '.join(cells)}  {visible(label)}")
    return lines


def _cell(weight: float, width: int, colours: bool) -> str:
    percent = f"{100 * weight:.0f}".center(width) if weight >= 0.005 else " " * width
    if not colours:
        return percent
    shade = min(len(_BLUES) - 1, int(weight * len(_BLUES)))
    return f"\x1b[48;5;{_BLUES[shade]};38;5;{231 if shade >= _DARK else 16}m{percent}\x1b[0m"
