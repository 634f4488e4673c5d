"""What the lessons draw: figures that show everywhere, with alternative texts."""

import base64
import io
import types
from random import Random

import matplotlib
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import select_figure_formats
from matplotlib.figure import Figure
from PIL import Image, ImageColor

from nmt_attention import WordTokenizer, some_words, text_style
from nmt_attention.figures.palette import PAPER
from nmt_attention.lesson import figures as lesson
from nmt_attention.lesson.figures import plot_batch, plot_empty_heatmap, set_up_figures
from nmt_attention.vocabulary import SPECIAL_TOKENS


def test_figures_are_png_or_where_letters_need_a_browser_svg(monkeypatch):
    formats = []
    monkeypatch.setattr("matplotlib_inline.backend_inline.set_matplotlib_formats", formats.append)
    now = dict(matplotlib.rcParams)
    monkeypatch.setattr(matplotlib, "rcParams", now)
    set_up_figures()
    assert formats == ["retina"] and now["svg.fonttype"] == "path"
    del now["text.language"]  # matplotlib before 3.11
    with pytest.raises(RuntimeError, match="cannot shape"):
        text_style("कॅमेरा")
    set_up_figures()
    monkeypatch.setenv("NMT_FIGURES", "svg")  # as anyone may ask for
    set_up_figures()
    assert formats == ["retina", "svg", "svg"]
    assert text_style("कॅमेरा") == {"family": ["Mukta", "sans-serif"], "parse_math": False}


@pytest.fixture
def shown(monkeypatch):
    """Returns what a notebook stores of a figure in a format, as (data, metadata)."""

    def show(figure, kind):
        shell = types.SimpleNamespace(display_formatter=DisplayFormatter())
        select_figure_formats(shell, kind)
        monkeypatch.setattr("IPython.get_ipython", lambda: shell)
        lesson._describe_figures()
        return shell.display_formatter.format(figure)

    return show


def drawn(label=""):
    figure = Figure(figsize=(2, 1))
    figure.add_subplot().plot([1, 2])
    figure.set_label(label)
    return figure


@pytest.mark.parametrize(("kind", "store"), [("retina", "image/png"), ("svg", "image/svg+xml")])
def test_a_label_becomes_the_alternative_text(shown, kind, store):
    data, metadata = shown(drawn('a line, "rising"'), kind)
    assert data[store] and metadata[store]["alt"] == 'a line, "rising"'
    assert kind == "svg" or metadata[store]["width"] > metadata[store]["height"] > 0
    data, metadata = shown(drawn(), kind)
    assert data[store] and "alt" not in metadata.get(store, {})


def test_a_figure_stands_on_paper_with_round_corners(shown):
    """The corner, the margin and the curve of a PNG; an SVG multiplies its colours with the sheet's."""
    stored = shown(drawn(), "retina")[0]["image/png"]
    pixels = np.array(Image.open(io.BytesIO(base64.b64decode(stored))))
    assert pixels[0, 0, 3] == 0 and tuple(pixels[20, 20]) == (*ImageColor.getrgb(PAPER), 255)
    assert pixels[..., :3].min() < 150
    picture = shown(drawn(), "svg")[0]["image/svg+xml"]
    assert picture.index(PAPER) < picture.index('style="mix-blend-mode: multiply" id="figure_1"')


def test_an_empty_heatmap_has_all_words_and_no_weight():
    figure = plot_empty_heatmap(["where", "is", "it"], ["ते", "<end>"], ["dot", "concat"])
    assert [axes.get_title() for axes in figure.axes] == ["dot", "concat"]  # and no bar of colours
    assert figure.get_label() == "Empty tables dot, concat: columns where, is, it; rows ते, <end>."
    for axes in figure.axes:
        assert axes.images[0].get_array().shape == (2, 3) and not axes.images[0].get_array().any()


def test_a_batch_is_drawn_cell_by_cell():
    figure = plot_batch(np.array([[1, 4, 5], [1, 5, 0]]), WordTokenizer([*SPECIAL_TOKENS, "जा", "."]))
    (axes,) = figure.axes
    rows = "<start> 1 जा 4 . 5; <start> 1 . 5 <pad> 0"
    assert figure.get_label() == f"Table of tokens and their ids, 2 by 3: {rows}."
    cells = ["<start>\n1", "जा\njā\n(go)\n4", ".\n5", "<start>\n1", ".\n5", "<pad>\n0"]
    assert [text.get_text() for text in axes.texts] == cells
    start, word, _, _, _, padding = (patch.get_facecolor() for patch in axes.patches)
    assert len({start, word, padding}) == 3


def test_jumbled_words_are_no_real_ones_and_the_same_twice():
    random, real = Random(1), {"a", "on", "cat", "act"}
    for _ in range(50):
        words = some_words("a cat on a cat", 5, real, random).split(" ")
        assert 1 <= len(words) <= 5 and not real & set(words) and (len(words) < 5 or words[:2] == words[3:])
