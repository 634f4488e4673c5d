"""Of the hypotheses of a search the one that loses nothing comes first; loops are never printed."""

import numpy as np
import pytest

from nmt_attention.config import SearchConfig
from nmt_attention.preprocess.doubts import Doubts
from nmt_attention.preprocess.verify import unlooped, verify, wrong_numbers
from nmt_attention.translate import Piece, Translation

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
    assert found[0].text == "ते आहे?" and Doubts([], None, None).about(piece, found[0]) == ()


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
        ("We have two dogs and 3 cats.", "२ कुत्रे आणि ३ मांजरी.", [], []),
        ("I have books.", "माझ्याकडे ५ पुस्तकं आहेत.", [], []),  # which no number of the text says
        (f"I saw {NAME}.", f"मी {NAME} {NAME} बघितलं.", [], ["4"]),
    ],
)
def test_numbers_of_both_sides_are_compared(read, text, lost, added):
    piece = Piece(read, read, words={NAME: "4"} if NAME in read else {})
    assert wrong_numbers(piece, written(text)[0]) == (lost, added)


def test_where_a_number_is_lost_all_are_hidden_and_searched_again():
    piece = Piece("I have 8.", "I have 8.")
    hidden = piece._replace(read=f"I have {NAME}.", words={NAME: "8"}, spelled={NAME: "८"})
    again = iter([[written("८० आहेत.")], [written(f"{NAME} आहेत.")]])  # with a wider beam, then of the hidden one
    pieces, (found,) = verify(
        [piece], [written("८० आहे.")], lambda *_: next(again), SearchConfig(), hide_numbers=lambda pieces: [hidden]
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
        ("नाही नाही नाही", "no no no", "नाही नाही नाही"),
    ],
)
def test_nothing_is_said_more_than_twice_in_a_row(text, source, expected):
    assert unlooped(text, source) == expected
