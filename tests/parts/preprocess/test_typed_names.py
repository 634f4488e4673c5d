"""Names, numbers and addresses as people type them are hidden whole, and written without a loss."""

import re

import pytest
from typed import COPIED, FULL_NAMES, LETTERS, LISTS, NOT_COPIED, NUMBERS

from nmt_attention.preprocess.protect import ALL_SYMBOLS, SYMBOLS, Placeholders, reveal
from nmt_attention.preprocess.rules import PATTERNS
from nmt_attention.preprocess.transliterator import Spelled, letters
from nmt_attention.translate import Translation

WORDS = """
a alice and are ask at book books cafe came come costs friends have he i in is it john mary me met mother my naive of on
or read saw see that the told tom was west will brown
"""
KNOWN = set(WORDS.split())
GIVEN, SURNAMES = "Tom Mary Alice John Rahul Mark Amol Shahrukh Ram Will", "Hunt Sen Brown Shah West"
LISTED = {name: Spelled(name.lower(), "m") for name in GIVEN.split()}
LISTED |= {name: Spelled(name.lower(), "surname") for name in SURNAMES.split()} | {"Satara": Spelled("satara", "place")}


class Speller:
    """Stands for a `Transliterator`: every word is that of a man, and written in letters from a to z."""

    listed = LISTED

    def spell(self, words):
        return [Spelled(letters(word).replace(" ", ""), "f" if word == "Priya" else "m") for word in words]


def hidden_of(sentence):
    (hidden,) = Placeholders(KNOWN, Speller()).hide([sentence])
    return hidden


@pytest.mark.parametrize(("sentence", "name", "plain"), LETTERS)
def test_names_in_all_latin_letters_are_hidden_and_spelled_as_without_accents(sentence, name, plain):
    hidden = hidden_of(sentence)
    spelled = {hidden.words[symbol]: text for symbol, text in hidden.spelled.items()}
    parts = plain.lower().split()
    joint = "-" if "-" in name else " "
    assert re.split("[ -]", spelled[name]) == parts and joint.join(parts[:2]) in spelled[name]


def test_every_latin_letter_has_letters_from_a_to_z():
    every = [c for c in map(chr, range(0x41, 0x1F00)) if PATTERNS["letters"].match(c) and c.isalpha()]
    assert len(every) > 500 and all(map(letters, every))
    assert hidden_of("The café is naïve, Tom.").read == "The cafe is naive, Tom."


@pytest.mark.parametrize(("sentence", "expected"), FULL_NAMES)
def test_full_names_are_hidden_as_one_and_in_small_letters_too(sentence, expected):
    assert list(hidden_of(sentence).words.values()) == expected


@pytest.mark.parametrize(("sentence", "expected"), LISTS)
def test_of_many_names_and_numbers_none_is_lost(sentence, expected):
    hidden = hidden_of(sentence)
    assert list(hidden.words.values()) == expected
    assert len(set(hidden.words)) == len(expected)
    written = "".join(hidden.spelled.get(c, c) for c in hidden.read)
    for digits in re.findall("[0-9]+", sentence):
        assert digits not in written


def test_a_list_is_written_with_the_words_of_the_other_language():
    hidden = hidden_of("Rahul, Amit and Sunil or Vikram, and Ajay came.")
    assert list(hidden.spelled.values()) == ["rahul, amit आणि sunil किंवा vikram", "ajay"]
    first, _ = hidden_of("Priya, Amit and Sunil came.").words
    assert first in SYMBOLS["m"]  # of women and men together is said what is said of men


def test_words_beyond_the_symbols_of_their_kind_have_those_of_others_as_long_as_there_are_any():
    names = [f"{a}{b}r" for a in "BCDFGK" for b in "aeo"]
    hidden = hidden_of("I saw that " + " that ".join(names))
    assert list(hidden.words.values()) == names[: len(ALL_SYMBOLS)]
    assert all(name in hidden.read for name in names[len(ALL_SYMBOLS) :])


@pytest.mark.parametrize(("sentence", "number", "expected"), NUMBERS)
def test_a_number_of_any_form_is_one_and_keeps_its_digits(sentence, number, expected):
    hidden = hidden_of(sentence)
    assert expected in dict(zip(hidden.words.values(), hidden.spelled.values(), strict=True)).get(number, "nothing")
    assert not re.search("[0-9]", hidden.read)


@pytest.mark.parametrize("copied", COPIED)
def test_addresses_files_handles_and_codes_are_copied(copied):
    for sentence in (f"See {copied}.", f"Is it ({copied})?", f"{copied} is good, Tom."):
        hidden = hidden_of(sentence)
        assert (copied, copied) in zip(hidden.words.values(), hidden.spelled.values(), strict=True), hidden


@pytest.mark.parametrize("sentence", NOT_COPIED)
def test_ordinary_marks_make_no_address(sentence):
    assert not any(match[1] for match in PATTERNS["token"].finditer(sentence))


def test_a_case_ending_stands_apart_from_what_is_copied():
    hidden = hidden_of("Ask x@y.org.")
    (symbol,) = hidden.words
    found = reveal(Translation("", f"{symbol}ला विचार.", [], [f"{symbol}", "ला"], None, 0.0), hidden)
    assert found.text == "x@y.org ला विचार." and found.target_tokens == ["x@y.org ", "ला"]


ASKED = [  # sentence, what is hidden of it: of names that the model knows and does not write, and places of two words
    ("I met Ram yesterday.", ["Ram"]),
    ("Ram is my friend.", ["Ram"]),
    ("I read ram.", []),
    ("Mark it.", []),
    ("Mark is here.", ["Mark"]),
    ("Fox has a car.", ["Fox"]),
    ("Turkey is a country.", ["Turkey"]),
    ("Ask Mark.", ["Mark"]),
    ("Will you come?", []),
    ("Will came.", ["Will"]),
    ("West is here.", []),
    ("West is my old friend.", ["West"]),
    ("I saw Navi Mumbai and New York.", ["Navi Mumbai", "New York"]),
]


@pytest.mark.parametrize(("sentence", "expected"), ASKED)
def test_names_that_a_model_does_not_write_are_hidden_where_they_stand_as_names(sentence, expected):
    asked = Placeholders(KNOWN | {"ram", "mark", "will", "west", "mumbai", "new", "york"}, Speller(), LISTED)
    (hidden,) = asked.hide([sentence])
    assert list(hidden.words.values()) == expected
