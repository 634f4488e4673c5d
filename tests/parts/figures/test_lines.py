"""Attention as lines between two sentences; what it has in common with heatmaps is in `test_heatmap`."""

import numpy as np
import pytest

from nmt_attention.alignment.scores import GoldAlignment
from nmt_attention.figures.lines import plot_attention_lines
from nmt_attention.translate import Translation

SOURCE = ["she", "is", "reading", "a", "book", "."]
TARGET = ["ती", "पुस्तक", "वाचत", "आहे", ".", "<end>"]
LINKS = [(0, 0), (4, 1), (2, 2), (1, 3), (5, 4)]


@pytest.fixture
def translation():
    attention = np.full((6, 6), 0.01, np.float32)
    for source, target in [*LINKS, (5, 5)]:
        attention[target, source] = 0.95
    attention[1, 3:5] = 0.3, 0.66
    return Translation("she is reading a book.", "ती पुस्तक वाचत आहे.", SOURCE, TARGET, attention, -1.0)


def rows_of(figure):
    """Returns the texts of each row from left to right, the upper row first."""
    rows = {}
    for text in figure.axes[0].texts:
        rows.setdefault(text.get_position()[1], []).append(text)
    return [rows[y] for y in sorted(rows, reverse=True)]


def lines(figure):
    """Returns the places of the words that each line joins, and the line."""
    figure.draw_without_rendering()
    boxes = [[text.get_window_extent() for text in row] for row in rows_of(figure)[-2:]]
    places = [np.array([box.x0 + box.width / 2 for box in row]) for row in boxes]
    joined = []
    for line in figure.axes[0].patches:
        (x0, y0), (x1, y1) = figure.axes[0].transData.transform([line.xy1, line.xy2])
        assert y0 > y1, "from the source, above, to the target, below"
        joined.append((*(int(np.abs(row - x).argmin()) for row, x in zip(places, (x0, x1), strict=True)), line))
    return joined


def test_words_stand_in_their_order_and_none_lies_over_another(translation, assert_readable):
    figure = plot_attention_lines(translation, title="She reads", romanize=True)
    rows = [[text.get_text() for text in row] for row in rows_of(figure)]
    assert rows == [["She reads"], SOURCE, ["ती\ntī", "पुस्तक\npustak", "वाचत\nvāchat", "आहे\nāhe", "."]]
    assert "ती looked most at she 0.95, पुस्तक at book 0.66, वाचत at reading 0.95" in figure.get_label()
    assert_readable(figure, figure.axes[0].texts)


def test_a_line_for_every_weight_that_counts_as_wide_as_the_weight(translation):
    widths = {(s, t): line.get_linewidth() for s, t, line in lines(plot_attention_lines(translation))}
    assert widths.keys() == {*LINKS, (3, 1)}
    assert widths[4, 1] / widths[3, 1] == pytest.approx(0.66 / 0.3)
    with_end = plot_attention_lines(translation, show_end=True)
    assert (5, 5) in {(s, t) for s, t, _ in lines(with_end)}
    # gold links are drawn over them, sure ones by a line
    gold = GoldAlignment(None, frozenset({(0, 0), (4, 1)}), frozenset({(0, 0), (4, 1), (3, 1)}))
    over = [(s, t, line.get_linestyle()) for s, t, line in lines(plot_attention_lines(translation, gold=gold))[-3:]]
    assert over == [(0, 0, "-"), (3, 1, ":"), (4, 1, "-")]
