"""Of the hypotheses of a search the one that loses nothing comes first; what is doubtful in it is said."""

import re

import numpy as np
import pytest

from nmt_attention.config import SearchConfig
from nmt_attention.preprocess.doubts import BANDS, Doubts, band_of, nearest_word, unknown_words, unsaid
from nmt_attention.preprocess.verify import lost_and_added, unlooped, verify
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Piece, Translation
from nmt_attention.vocabulary import SPECIAL_TOKENS
from tools.measure.certainty import count

NAME = "\ue000"


def written(*texts, seen=()):
    return [Translation("", text, list(seen), ["b"], np.zeros((1, 1)), 0.0) for text in texts]


@pytest.mark.parametrize(
    ("read", "texts", "first"),
    [
        (f"Is it {NAME}?", ["ते आहे?", f"ते {NAME} आहे?"], 1),
        (f"Is it {NAME}?", [f"ते {NAME} {NAME}?", f"ते {NAME} आहे?"], 1),
        ("I have 45 books.", ["माझ्याकडे ४ पुस्तकं आहेत.", "माझ्याकडे ४५ पुस्तकं आहेत."], 1),
        ("I have 45 books.", ["माझ्याकडे ४५ पुस्तकं आहेत.", "४५"], 0),
        ("It goes.", ["ते ते ते जातं", "ते जातं"], 1),
    ],
)
def test_the_hypothesis_that_loses_and_repeats_least_is_first(read, texts, first):
    piece = Piece(read, read, words={NAME: "Tom"} if NAME in read else {})
    _, (found,) = verify([piece], [written(*texts)], None, SearchConfig(beam_size=2))
    assert found[0].text == texts[first]


@pytest.mark.parametrize("seen", [["Is", "it"], ["▁is", "▁it", "▁4"]])
def test_what_was_cut_off_is_not_looked_for(seen):
    piece = Piece("Is it 45 Tom?", f"Is it 45 {NAME}?", words={NAME: "Tom"})
    _, (found,) = verify([piece], [written("ते आहे?", "४५", seen=seen)], None, SearchConfig(beam_size=2))
    assert (found[0].text, Doubts([], None, None).about(piece, found[0])) == ("ते आहे?", ())


def test_a_greedy_search_looks_again_with_a_beam_and_says_what_is_lost():
    piece = Piece("Tom goes.", f"{NAME} goes.", words={NAME: "Tom"})

    def search(pieces, config):
        assert pieces == [piece] and config.beam_size == 8
        return [written("जातो", "जा")]

    _, (found,) = verify([piece], [written("गेला")], search, SearchConfig())
    assert found[0].text == "गेला"
    assert Doubts([], None, None).about(piece, found[0]) == ("the translation lacks Tom: Tom goes.",)


@pytest.mark.parametrize(
    ("read", "text", "lost", "added"),
    [
        ("I have 5 books.", "माझ्याकडे पाच पुस्तकं आहेत.", [], []),
        ("I have 5 books.", "माझ्याकडे ५० पुस्तकं आहेत.", ["5"], ["50"]),
        ("It is page 45.", "पान ४५ ४५ आहे.", [], ["45"]),
        ("It is 1,000.", "१००० आहेत.", [], []),
        ("Tom is 5.", "मेरी ५ वर्षांची आहे.", ["Tom"], []),  # a name that is not hidden
        ("We have two dogs and 3 cats.", "२ कुत्रे आणि ३ मांजरी.", [], []),
        ("I have books.", "माझ्याकडे ५ पुस्तकं आहेत.", [], []),  # which no number of the text says
        (f"I saw {NAME}.", f"मी {NAME} {NAME} बघितलं.", [], ["4"]),
    ],
)
def test_numbers_of_both_sides_are_compared(read, text, lost, added):
    piece = Piece(read, read, words={NAME: "4"} if NAME in read else {}, names={"Tom": re.compile("टॉम")})
    assert lost_and_added(piece, written(text)[0]) == (lost, added)


def test_where_a_number_is_lost_all_are_hidden_and_searched_again():
    piece = Piece("I have 8.", "I have 8.")
    hidden = piece._replace(read=f"I have {NAME}.", words={NAME: "8"}, spelled={NAME: "८"})
    again = iter([[written("८० आहेत.")], [written(f"{NAME} आहेत.")]])  # with a wider beam, then of the hidden one
    pieces, (found,) = verify(
        [piece], [written("८० आहे.")], lambda *_: next(again), SearchConfig(), hide_all=lambda pieces: [hidden]
    )
    assert pieces == [hidden] and [each.text for each in found] == [f"{NAME} आहेत."]


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("सुमारे सुमारे सुमारे दिवस", "About a day.", "सुमारे दिवस"),
        ("ये ये", "Come, come.", "ये ये"),
        ("जेमी जॉन, जेमी जॉन, जेमी जॉनचं घर", "Jamie's house.", "जेमी जॉनचं घर"),
        ("नाही, नाही, नाही.", "Never.", "नाही."),
        ("मी घरीून इटलीमध्येून आशियााच", "I am from home.", "मी घरून इटलीमध्यून आशियाच"),
        ("सफरचंद सफरचंद.", "Apple.", "सफरचंद."),
        ("ते ३ मार्चमध्ये आहे, मार्चमध्ये.", "On 3 March.", "ते ३ मार्चला आहे, मार्चमध्ये."),
        ("नाही नाही नाही", "no no no", "नाही नाही नाही"),
    ],
)
def test_nothing_is_said_more_than_twice_in_a_row(text, source, expected):
    assert unlooped(text, source) == expected


KNOWN = {"friend", "book", "box", "boot", "where", "when", "her", "tomorrow", "go", "good"}
IDS = {"▁when": 5, "▁her": 6, "▁where": 7, "▁box": 8, "▁book": 9, "▁boot": 10}


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("frined", "friend"),
        ("bok", "book"),  # a letter too few before another one, box
        ("booo", "book"),  # of two the frequent one
        ("wher", "where"),
        ("physics", ""),
        ("b" * 100_000, ""),  # which nobody means
    ],
)
def test_the_nearest_known_word_has_one_letter_more_less_or_another_or_two_swapped(typed, meant):
    assert nearest_word(typed, KNOWN, IDS) == meant


def test_names_short_words_haste_and_addresses_are_no_errors():
    text = "Sachin dont wrok it's an ok a.bcd me@home.org sites/xyz, frined."
    assert list(unknown_words(text, KNOWN)) == ["wrok", "frined"]


@pytest.mark.parametrize(
    ("apples", "mother", "text", "lacks"),
    [
        (0.2, 0.1, "त्याने घेतली", ["apples", "mother"]),
        (0.2, 0.4, "त्याने घेतली", ["apples"]),  # it looked at mother, and may mean her
        (0.2, 0.1, "त्याने आईसाठी सफरचंद-बिफरचंद घेतली", []),  # it has a word for both, one of them with a hyphen
    ],
)
def test_a_word_seems_lacking_if_nothing_written_means_it_and_no_step_looked_at_it(apples, mother, text, lacks):
    words = WordTokenizer(SPECIAL_TOKENS)
    attention = np.array([[0.5, 0.1, 0.3, 0.1], [0, apples, 0.1, mother]])
    translation = Translation("", text, ["He", "apples", "for", "mother"], text.split(), attention, 0.0)
    assert unsaid((words, words), translation) == lacks


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
def test_a_guess_is_said_once_and_one_longer_than_training_is_beyond_the_model(sentence, certainty, doubts):
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
