"""Title pictures that leave out what their lesson asks for."""

import numpy as np
from matplotlib.figure import Figure

from nmt_attention import plot_empty_heatmap, plot_unrolled, romanize
from nmt_attention.figures.diagram import plot_beam_tree
from nmt_attention.figures.trace import BeamNode

from .decoder_step import steps_of_lesson_4

VIJAY = ["vijay", "is", "opening", "a", "cupboard", "."]


def table_of_lesson_0() -> Figure:
    """Returns the empty table of the lesson's sentence, to be copied and filled in."""
    words = {"आम्ही": "we", "उद्या": "tomorrow", "शाळेत": "to school", "जाणार": "going", "आहोत": "are"}
    labels = [f"{word} {romanize(word)}: {meaning}" for word, meaning in words.items()]
    return plot_empty_heatmap(["we", "are", "going", "to", "school", "tomorrow"], labels)


def table_of_lesson_3() -> Figure:
    """Returns the lesson's sentence and its translation around an empty heatmap."""
    words = ["राहुल", "चांगला", "मुलगा", "आहे", "<end>"]
    return plot_empty_heatmap(["rahul", "is", "a", "good", "boy"], words, romanize=True, glosses=True)


def halves_of_lesson_4() -> Figure:
    """Returns the lesson's own trained network, unrolled, without what leads from one half to the other."""
    return plot_unrolled(steps_of_lesson_4(), False, romanize=True, glosses=True)


def table_of_lesson_4b() -> Figure:
    """Returns the empty table of the lesson's first heatmap."""
    rows = ["माझं", "पुस्तक", "कुठे", "आहे", "?"]
    return plot_empty_heatmap(["where", "is", "my", "book", "?"], rows, romanize=True, glosses=True)


def first_words_of_lesson_7() -> Figure:
    """Returns the first step of the lesson's search: both words, and not yet which of them wins."""
    words = {"मुलगी": np.log(0.6), "ती": np.log(0.4)}
    return plot_beam_tree([BeamNode(None, 0, word, p, p, True, False) for word, p in words.items()])


def cells_of_lesson_8() -> Figure:
    """Returns an empty heatmap of a sentence and of padding, to be darkened."""
    rows = ["विजय", "कपाट", "उघडत", "आहे", "."]
    return plot_empty_heatmap([*VIJAY, *["<pad>"] * 3], rows, romanize=True, glosses=True)


def row_of_lesson_8b() -> Figure:
    """Returns an empty row of a heatmap that needs a label: what the step reads, or what it writes?"""
    return plot_empty_heatmap(VIJAY, ["विजय or कपाट?"], romanize=True)
