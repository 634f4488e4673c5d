"""Labels of words, and the table of words and weights that every picture of attention shows."""

import numpy as np
import pytest

from nmt_attention import plot_attention
from nmt_attention.figures.labels import Labels, attention_table

WORDS = ["घेतला", "झुबिन", ".", "<end>"]


@pytest.mark.parametrize(
    ("labels", "written"),
    [
        (Labels(romanize=True), ["घेतला ghetlā", "झुबिन jhubin"]),
        (Labels(glosses=True), ["घेतला (took)", "झुबिन"]),
        (Labels(romanize=True, glosses=True), ["घेतला ghetlā (took)", "झुबिन jhubin"]),
    ],
)
def test_marathi_is_followed_by_what_is_asked_for(labels, written):
    assert labels.write(WORDS) == [*written, ".", "<end>"]
    assert labels.write(["she"]) == ["she"]
    assert labels.write(WORDS[:1], "\n") == [written[0].replace(" ", "\n")]


def test_pieces_of_words_have_no_gloss():
    pieces = ["▁का", "ही", "▁घेतला", "."]
    assert Labels(glosses=True).write(pieces) == pieces
    assert Labels(romanize=True, glosses=True).write(["▁का", "▁घेतला"]) == ["▁का kā", "▁घेतला ghetlā"]


def test_the_end_marker_is_shown_where_asked_for(translation):
    rows, columns, weights = attention_table(translation)
    assert (rows, columns) == (translation.target_tokens[:-1], translation.source_tokens)
    np.testing.assert_array_equal(weights, translation.attention[:-1])
    rows, _, weights = attention_table(translation, show_end=True)
    assert rows == translation.target_tokens and weights.shape == (7, 6)


@pytest.mark.parametrize(
    ("text", "tokens", "typed"),
    [
        ("I met NASA's Tom.", ["i", "met", "nasa's", "tom", "."], ["I", "met", "NASA's", "Tom", "."]),
        ("Unhelpful Tom", ["▁un", "help", "ful", "▁tom"], ["▁Un", "help", "ful", "▁Tom"]),
        ("U r Tom", ["you", "are", "tom"], ["you", "are", "Tom"]),  # another spelling
        ("İt is", ["it", "is"], ["it", "is"]),  # has three small letters
    ],
)
def test_source_tokens_have_the_capitals_of_their_sentence(translation, text, tokens, typed):
    shown = translation._replace(source=text, source_tokens=tokens, attention=np.ones((7, len(tokens))))
    assert attention_table(shown)[1] == typed


def test_what_is_no_translation_and_what_does_not_fit_is_refused(translation):
    with pytest.raises(TypeError, match=r"expected a Translation, got list; .* take one: translations\[0\]"):
        plot_attention([translation])
    empty = translation._replace(source="", source_tokens=[], target_tokens=[], attention=np.zeros((0, 0)))
    with pytest.raises(ValueError, match="nothing to draw: '' has an empty translation"):
        attention_table(empty)
    with pytest.raises(ValueError, match=r"attention: expected shape \(6, 5\), got \(6, 6\)"):
        attention_table(translation._replace(source_tokens=translation.source_tokens[:-1]))
