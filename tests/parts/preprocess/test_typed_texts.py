"""The package's model with texts as people type them: nothing lost, nothing invented."""

import re

import pytest

from nmt_attention import evaluate
from nmt_attention.preprocess.language import is_foreign, is_guessed


@pytest.fixture
def translated(pretrained):
    """Returns a function from a text to its translation."""
    return lambda text: pretrained.translate([text])[0].text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rahul, Amit, Sunil and Vikram are my friends.", "राहुल अमित सुनील विक्रम"),
        ("I have 12, 13, 14, 15 and 16 books.", "१२ १३ १४ १५ १६"),
        ("He was born in Athens in 1956.", "अथेन्स १९५६"),
        ("Mail a.b@c.org and visit x.net.", "a.b@c.org x.net"),
        ("I don&apos;t know Tom &amp; Mary.", "टॉम मेरी"),
        ("I live in Navi Mumbai.", "नवी मुंबई"),
    ],
)
def test_every_name_number_and_address_is_in_the_translation(translated, text, expected):
    found = translated(text)
    assert [word for word in expected.split() if found.count(word) != 1] == []
    assert len(re.findall("[०-९]+", found)) == len(re.findall("[०-९]+", expected))


def test_what_is_lost_is_said_but_not_of_a_sentence_among_thousands(pretrained, capsys):
    lost = "I have 21 cows, 12 goats, 13 dogs, 14 cats and 15 hens."
    pretrained.translate([lost])
    pretrained.translate([lost, *["Das ist ein guter Mann."] * 3])
    said, more = capsys.readouterr().err.splitlines()
    assert re.fullmatch(f"the translation lacks 1[2345](?: and has 1[2345] too often)?: {lost}", said)
    assert more == "4 of 4 translations lack something; their `doubts` say what"
    evaluate(pretrained, [lost], [["माझ्याकडे गाई आहेत."]])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("counter", "expected"), [("1. ", "१. "), ("(12) ", "(१२) "), ("MAN: ", "MAN: ")])
def test_the_counter_of_a_list_stays_before_the_translation(translated, counter, expected):
    assert translated(f"{counter}I like tea.") == expected + translated("I like tea.")


@pytest.mark.parametrize(
    "text", ["मी घरी जातो.", "我的书在哪里？", "Das ist ein guter Mann.", "Bonjour", "Ich heiße Tom."]
)
def test_of_another_language_nothing_is_invented_and_a_line_says_so(pretrained, text, capsys):
    capsys.readouterr()  # where its licence is
    (found,) = pretrained.translate([text])
    assert (found.source, found.text, found.target_tokens) == (text, text, [])
    assert capsys.readouterr().err.splitlines() == [f"left as it is, because no word of it is known: {text}"]


def test_what_is_known_beside_another_language_is_translated_and_of_few_words_is_called_a_guess(translated, capsys):
    assert translated("我的书在哪里？ WHERE IS MY BOOK?") == f"我的书在哪里？ {translated('Where is my book?')}"
    assert "चहा" in translated("I like चहा.")
    translated("Le chat est sur la table.")
    assert "is a guess" in capsys.readouterr().err


@pytest.mark.parametrize("sentence", ["Hello!", "I go.", "José met Zoë.", "www.example.org", "I like पोहे."])
def test_plain_sentences_are_neither_foreign_nor_guessed(pretrained, sentence):
    (hidden,) = pretrained.preprocessor.protect([sentence])
    known, letters = pretrained.preprocessor.placeholders.known, pretrained.preprocessor.letters
    assert not is_foreign(sentence, hidden.read, letters, known) and not is_guessed(hidden.read, known)
