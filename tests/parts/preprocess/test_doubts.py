"""How certain a translation is, and what a typing error was perhaps meant to be."""

import numpy as np
import pytest

from nmt_attention.preprocess.doubts import BANDS, Doubts, band_of, nearest_word, unknown_words
from nmt_attention.translate import Piece, Translation
from tools.measure.certainty import count

KNOWN = {"friend", "book", "box", "where", "when", "her", "tomorrow", "go", "good"}
IDS = {"▁when": 5, "▁her": 6, "▁where": 7, "▁box": 8, "▁book": 9}


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("frined", "friend"),
        ("bok", "book"),  # a letter too few before another one, box
        ("wher", "where"),
        ("physics", ""),
        ("b" * 100_000, ""),  # which nobody means
    ],
)
def test_the_nearest_known_word_has_one_letter_more_less_or_another_or_two_swapped(typed, meant):
    assert nearest_word(typed, KNOWN, IDS) == meant


def test_of_two_the_frequent_one_is_meant():
    assert nearest_word("boo", {"book", "boot"}, {"▁boot": 3, "▁book": 4}) == "boot"


def test_names_short_words_haste_and_addresses_are_no_errors():
    text = "Sachin dont wnat it's an ok a.bcd me@home.org sites/xyz, frined."
    assert list(unknown_words(text, KNOWN)) == ["wnat", "frined"]


CERTAINTY = {"bands": [{"from": 85}, {"from": 74}, {"from": 60}, {"from": 0}], "most_words": 9}


def translated(certainty, text="जा.", **other):
    return Translation("", text, ["a"], [text, "<end>"], np.zeros((2, 1)), -1.0, certainty, **other)


@pytest.mark.parametrize(
    ("probability", "band"),
    [(1.0, "sure"), (0.85, "sure"), (0.84, "fair"), (0.74, "fair"), (0.6, "unsure"), (0.594, "guess"), (0.0, "guess")],
)
def test_a_probability_is_in_one_of_four_bands(probability, band):
    assert band_of(CERTAINTY, probability) == band and band_of(None, probability) is None


@pytest.mark.parametrize(
    ("sentence", "certainty", "doubts"),
    [
        ("Go home.", 0.9, 0),
        ("Go home.", 0.5, 1),
        ("Go " * 10, 0.5, 1),  # one line, whatever else there is
        ("Go " * 10, 0.9, 0),
    ],
)
def test_a_guess_is_said_once_and_a_longer_one_than_training_is_beyond_the_model(sentence, certainty, doubts):
    found = Doubts([], None, CERTAINTY).about(Piece(sentence, sentence), translated(certainty))
    assert len(found) == doubts
    assert [line for line in found if "this is beyond it" in line] == list(found) * (len(sentence.split()) == 10)


def test_bands_cut_in_thirds_and_below_the_last_limit_nothing_is_right():
    right, wrong = (
        [translated(p / 100, text, probabilities=[p / 100, 1.0]) for p in percents]
        for text, percents in (("जा", range(60, 90)), ("ये", range(30, 60)))
    )
    bands = count([*right, *wrong], [["जा"]] * 60)["bands"]
    assert [band["from"] for band in bands] == [70, 50, 50, 0] and len(bands) == len(BANDS)
    assert [(band["sentences"], band["matched"]) for band in bands] == [(20, 20), (20, 10), (0, 0), (20, 0)]
    assert [(band["words"], band["found"]) for band in bands] == [(20, 20), (20, 10), (0, 0), (20, 0)]
