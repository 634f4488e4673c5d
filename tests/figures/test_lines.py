import itertools
import types

import numpy as np
import pytest

from nmt_attention.alignment.scores import GoldAlignment
from nmt_attention.figures import fonts
from nmt_attention.figures.heatmap import save_figure
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
    return Translation("She is reading a book.", "ती पुस्तक वाचत आहे.", SOURCE, TARGET, attention, -1.0)


def words(figure):
    """Returns the texts of the upper and the lower row, each from left to right, with their boxes in pixels."""
    figure.draw_without_rendering()
    rows = {}
    for text in figure.axes[0].texts:
        rows.setdefault(text.get_position()[1], []).append((text.get_text(), text.get_window_extent()))
    return [rows[y] for y in sorted(rows, reverse=True)]


def lines(figure):
    """Returns the places of the words that each line joins, and the line."""
    places = [[box.x0 + box.width / 2 for _, box in row] for row in words(figure)[-2:]]
    found = []
    for line in figure.axes[0].patches:
        (x0, y0), (x1, y1) = figure.axes[0].transData.transform([line.xy1, line.xy2])
        assert y0 > y1, "from the source, above, to the target, below"
        ends = (int(np.abs(np.array(row) - x).argmin()) for row, x in zip(places, (x0, x1), strict=True))
        found.append((*ends, line))
    return found


def test_words_stand_in_their_order_and_none_lies_over_another(translation):
    figure = plot_attention_lines(translation, title="She reads", romanize=True)
    (title,), source, target = words(figure)
    described = "ती looked most at she 0.95, पुस्तक at book 0.66, वाचत at reading 0.95, आहे at is 0.95, . at . 0.95"
    assert figure.get_label() == f"Lines between two sentences, source above target: {described}."
    assert title[0] == "She reads" and [text for text, _ in source] == SOURCE
    assert [text for text, _ in target] == ["ती\ntī", "पुस्तक\npustak", "वाचत\nvāchat", "आहे\nāhe", "."]
    for row in ([title], source, target):
        for _, box in row:
            assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
            assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert all(a.x1 < b.x0 for (_, a), (_, b) in itertools.pairwise(row))
    assert title[1].y0 > max(box.y1 for _, box in source)
    (target,) = words(plot_attention_lines(translation, romanize=True, glosses=True))[-1:]
    assert [text for text, _ in target][:2] == ["ती\ntī\n(she)", "पुस्तक\npustak\n(book)"]


def test_a_line_for_every_weight_that_counts_as_wide_as_the_weight(translation):
    found = lines(plot_attention_lines(translation))
    assert {(s, t) for s, t, _ in found} == {*LINKS, (3, 1)}
    widths = {(s, t): line.get_linewidth() for s, t, line in found}
    assert widths[4, 1] / widths[3, 1] == pytest.approx(0.66 / 0.3)
    crossing = [(a, b) for a, b in itertools.combinations(LINKS, 2) if (a[0] - b[0]) * (a[1] - b[1]) < 0]
    assert len(crossing) == 3


def test_the_end_marker_is_shown_where_asked_for(translation):
    figure = plot_attention_lines(translation, show_end=True)
    assert [text for text, _ in words(figure)[-1]] == TARGET
    assert (5, 5) in {(s, t) for s, t, _ in lines(figure)}


def test_gold_links_are_drawn_too_sure_ones_by_a_line(translation):
    gold = GoldAlignment(None, frozenset({(0, 0), (4, 1)}), frozenset({(0, 0), (4, 1), (3, 1)}))
    over = [(s, t, line.get_linestyle()) for s, t, line in lines(plot_attention_lines(translation, gold=gold))[-3:]]
    assert over == [(0, 0, "-"), (3, 1, ":"), (4, 1, "-")]
    with pytest.raises(ValueError, match=r"gold: link \(6, 1\) is outside 6 and 5 words"):
        plot_attention_lines(translation, gold=gold._replace(possible=frozenset({(6, 1)})))


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_it_is_saved_without_a_missing_glyph_and_dollars_stay_dollars(translation, tmp_path, suffix):
    shown = translation._replace(source_tokens=["$5-$6", "$_$", *SOURCE[2:]])
    save_figure(plot_attention_lines(shown, title="$5 or $6?", romanize=True), tmp_path / f"lines{suffix}")
    assert (tmp_path / f"lines{suffix}").stat().st_size > 1000


def test_one_word_on_each_side_and_none(translation):
    one = translation._replace(source_tokens=["go"], target_tokens=["जा"], attention=np.ones((1, 1)))
    assert [(s, t) for s, t, _ in lines(plot_attention_lines(one))] == [(0, 0)]
    with pytest.raises(ValueError, match="nothing to draw: '' has an empty translation"):
        plot_attention_lines(Translation("", "", [], [], np.zeros((0, 0)), 0.0))


@pytest.mark.parametrize("letters", ["path", "none"])
def test_without_shaping_it_is_refused_or_left_to_a_browser(translation, monkeypatch, letters):
    older = types.SimpleNamespace(__version__="3.10.0", rcParams={"svg.fonttype": letters})
    monkeypatch.setattr(fonts, "matplotlib", older)
    if letters == "none":  # letters stay letters
        assert len(lines(plot_attention_lines(translation))) == 6
    else:
        with pytest.raises(RuntimeError, match=r"3\.10\.0 cannot shape Devanagari"):
            plot_attention_lines(translation)
