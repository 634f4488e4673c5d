"""What a typing error was perhaps meant to be."""

import pytest

from nmt_attention.preprocess.doubts import nearest_word, unknown_words

KNOWN = {"friend", "book", "box", "where", "when", "her", "tomorrow", "go", "good"}
IDS = {"▁when": 5, "▁her": 6, "▁where": 7, "▁box": 8, "▁book": 9}


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("freind", "friend"),
        ("bok", "book"),  # a letter too few before another one, box
        ("wher", "where"),
        ("tomorow", "tomorrow"),
        ("goood", "good"),
        ("whem", "when"),
        ("physics", ""),
    ],
)
def test_the_nearest_known_word_has_one_letter_more_less_or_another_or_two_swapped(typed, meant):
    assert nearest_word(typed, KNOWN, IDS) == meant


def test_of_two_the_frequent_one_is_meant():
    assert nearest_word("boo", {"book", "boot"}, {"▁boot": 3, "▁book": 4}) == "boot"


def test_names_short_words_haste_and_addresses_are_no_errors():
    text = "Sachin dont wnat it's an ok a.bcd me@home.org sites/xyz, freind."
    assert list(unknown_words(text, KNOWN)) == ["wnat", "freind"]
