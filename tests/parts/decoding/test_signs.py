"""Emoji, bullets, arrows and markup: they stay around a text, and the model does not see them."""

import time

import pytest

from nmt_attention.decoding.signs import split_signs
from nmt_attention.translate import Translator

SPLIT = [
    ("I am happy.", ("", "I am happy.", "")),
    ("I am happy 😀", ("", "I am happy", " 😀")),
    ("I am happy. 😀🎉", ("", "I am happy.", " 😀🎉")),
    ("👨\u200d👩\u200d👧 My family.", ("👨\u200d👩\u200d👧 ", "My family.", "")),
    ("I love you ❤\ufe0f", ("", "I love you", " ❤\ufe0f")),
    ("Well done 👍🏽!", ("", "Well done !", "")),
    ("I like tea 🍵 and coffee.", ("", "I like tea and coffee.", "")),
    ("I love 🇮🇳 India.", ("", "I love India.", "")),
    ("♪ I love you ♪", ("♪ ", "I love you", " ♪")),
    ("▬▬ Go home. ▬▬", ("▬▬ ", "Go home.", " ▬▬")),
    ("→ Go home.", ("→ ", "Go home.", "")),
    ("• Go home.", ("• ", "Go home.", "")),
    ("## **Go home.**", ("## **", "Go home.", "**")),
    ("> `Go home.`", ("> `", "Go home.", "`")),
    ("<p><i>Go home.</i></p>", ("<p><i>", "Go home.", "</i></p>")),
    ("Nice to meet you :-)", ("", "Nice to meet you", " :-)")),
    ("I love you <3", ("", "I love you", " <3")),
    ("It is 30°C.", ("", "It is 30°C.", "")),  # a unit belongs to the sentence
    ("It costs $5.", ("", "It costs $5.", "")),
    ("क्\u200dष आहे.", ("", "क्\u200dष आहे.", "")),  # the joiner shapes a letter
    ("I am happy 😊 I love you", ("", "I am happy. I love you", "")),
    ("I like <b>tea</b>.", ("", "I like tea.", "")),
    ("I like <b>tea</b>", ("", "I like tea", "")),
    ("<i>I like</i> tea", ("", "I like tea", "")),
    ("I am here.<br/>You are there.", ("", "I am here. You are there.", "")),
    ("I like **tea**.", ("", "I like tea.", "")),
    ("**I like** tea.", ("", "I like tea.", "")),
    ("I like *green* `tea`", ("", "I like green tea", "")),
    ("2 * 3 * 4 is 24.", ("", "2 * 3 * 4 is 24.", "")),
    ("I like tea [1] and coffee.[12]", ("", "I like tea and coffee.", "[12]")),
    ("[1] Go home.", ("", "[1] Go home.", "")),  # a counter
    ('"Go home."', ("", "Go home.", "")),
    ("“Go home.”", ("", "Go home.", "")),
    ("«Go home.»", ("", "Go home.", "")),
    ("'I don't know.'", ("", "I don't know.", "")),
    ('"Go home," he said, "now."', ("", '"Go home," he said, "now."', "")),
    ('He said "Go home."', ("", 'He said "Go home."', "")),
    ("😀😀", ("", "😀😀", "")),
    ("1 + 1", ("", "1 + 1", "")),
    ("", ("", "", "")),
]


@pytest.mark.parametrize(("text", "parts"), SPLIT, ids=[text or "nothing" for text, _ in SPLIT])
def test_what_stands_around_a_text_is_split_off(text, parts):
    assert split_signs(text) == parts


def test_the_translation_is_that_of_the_bare_text_with_its_signs():
    bare, *signed = Translator.load().translate(["Go home.", "Go home. 🏠", "• Go home.", "<b>Go home.</b>"])
    assert bare.text
    assert [each.source for each in signed] == ["Go home. 🏠", "• Go home.", "<b>Go home.</b>"]
    assert [each.text for each in signed] == [f"{bare.text} 🏠", f"• {bare.text}", f"<b>{bare.text}</b>"]


@pytest.mark.parametrize("unit", [" *", " ", "😀", "<a", " <a", "a>", "* a", " :)", " *a", " `a", "<b>a", " [1]"])
def test_the_time_is_linear(unit):
    def seconds(number):
        start = time.perf_counter()
        split_signs("a" + unit * number)
        return time.perf_counter() - start

    seconds(1_000)
    assert seconds(80_000) < 12 * max(seconds(20_000), 0.005)
