"""Labels of words, and the table of words and weights that every picture of attention shows."""

import numpy as np
import pytest

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
    assert labels.write(["▁का"]) == (["▁का kā"] if labels.romanize else ["▁का"])  # pieces of words have no gloss


def test_a_gloss_is_the_sense_that_the_source_has(translation):
    account = translation._replace(
        source="an account", source_tokens=["an", "account"], target_tokens=["खातं"], attention=np.array([[0.1, 0.9]])
    )
    assert Labels(glosses=True).table(account)[0] == ["खातं (account)"]


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
