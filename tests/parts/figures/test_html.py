"""Attention as a web page: words and weights in their places, and texts of any language in their direction."""

import json
import re
import subprocess
import sys

import numpy as np
import py_mini_racer
import pytest

from nmt_attention.deploy.browser import _PAGE
from nmt_attention.figures.html import attention_html, attention_page
from nmt_attention.figures.language import language
from nmt_attention.translate import Translation

RTL = ' lang="" dir="rtl"'
TEXTS = {  # the attributes of each
    **{"Where is my book?": "", "café Łódź": "", "123 …": "", "": "", "▁the": "", "<end>": ""},
    **{"माझं पुस्तक": ' lang="mr"', "Tom आला": ' lang="mr"', "१२": ' lang="mr"'},
    **{"أين كتابي؟": RTL, "איפה הספר שלי?": RTL, "میری کتاب کہاں ہے؟": RTL, "کتاب من کجاست": RTL, "▁الكتاب": RTL},
    **{"Tom قرأ الكتاب": RTL, "USB מחשב": RTL, "I read كتاب": ' lang=""', "ދިވެހި": RTL, "ܐܪܡܝܐ": RTL, "123 كتب": RTL},
    **dict.fromkeys(["Где моя книга?", "我的书在哪里", "책", "Πού", "মোর"], ' lang=""'),
}


def words(page):
    """Returns the words of both sides, which are the same on the buttons and in the table."""
    buttons, heads = page.all("button"), page.all("th")
    sides = [[text for attributes, text in buttons if name in attributes] for name in ("data-s", "data-t")]
    assert sides == [[text for attributes, text in heads if attributes["scope"] == scope] for scope in ("col", "row")]
    return sides


def test_words_and_weights_stand_in_their_places(translation, read_html):
    page = read_html(attention_html(translation))
    assert words(page) == [translation.source_tokens, translation.target_tokens[:-1]]
    cells = [(attributes, text) for attributes, text in page.all("td") if "data-t" in attributes]
    assert len(cells) == 6 * 6
    for attributes, text in cells:
        weight = translation.attention[int(attributes["data-t"]), int(attributes["data-s"])]
        assert text == f"{weight:.2f}" and attributes["data-weight"] == f"{weight:.4f}"


def test_every_word_can_be_reached_by_keyboard_and_says_its_weights_as_text(translation, read_html):
    page = read_html(attention_html(translation._replace(attention=np.eye(7, 6)[[0, 1, 2, 4, 3, 5, 6]] * 0.75 + 0.01)))
    titles = {text: attributes["title"] for attributes, text in page.all("button")}
    assert titles["camera"].startswith("camera was looked at by: विकत 0.76 · बाबांनी 0.01 · ")
    assert titles["विकत"].startswith("विकत looked at: camera 0.76 · dad 0.01 · ")
    labelled = read_html(attention_html(translation, show_end=True, romanize=True))
    assert {"बाबांनी bābānnī", "<end>"} <= {text for _, text in labelled.all("button")}


def test_it_loads_nothing_not_even_matplotlib_and_several_fit_on_a_page(translation, read_html):
    piece = attention_html(translation)
    for word in ("http", "//cdn", "@import", "url(", "src=", "href=", "getElementById"):
        assert word not in piece
    assert not [attributes for _, attributes, _ in read_html(piece).found if "id" in attributes]  # none can clash
    assert ":not([data-ready])" in piece and piece == attention_html(translation)  # the same when it is run again
    code = "import sys; from nmt_attention.figures.html import attention_html; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_text_has_its_direction_and_language_here_and_on_the_page():
    assert {text: language(text) for text in TEXTS} == TEXTS
    context = py_mini_racer.MiniRacer()
    context.eval((_PAGE / "stage.js").read_text(encoding="utf-8"))
    context.eval("const all = (texts) => JSON.stringify(texts.map((text) => languageOf(text)));")
    for text, attributes in zip(TEXTS, json.loads(context.call("all", list(TEXTS))), strict=True):
        assert "".join(f' {name}="{value}"' for name, value in attributes.items()) == TEXTS[text]


def some(source, target):
    weights = np.full((len(target), len(source)), 1 / len(source), np.float32)
    return Translation(" ".join(source), " ".join(target), source, target, weights, 0.0)


@pytest.mark.parametrize("side", ["target", "source"])
@pytest.mark.parametrize(
    ("words", "of_row", "of_word"),  # of the row's and the heads' attributes, and of each button's
    [
        (["أين", "كتابي", "؟"], {"lang": "", "dir": "rtl"}, "auto"),
        (["Где", "книга"], {"lang": ""}, None),
        (["माझं", "पुस्तक"], {"lang": "mr"}, None),
        (["Wo", "ist"], {}, None),
    ],
)
def test_words_and_heads_stand_in_their_direction(words, of_row, of_word, side, read_html):
    other = ["book", "is"]
    translation = some(other, words) if side == "target" else some(words, other)
    found, axis = read_html(attention_html(translation)), side[0]
    rows = [attributes for attributes, _ in found.all("p") if attributes.get("class") == "words"]
    row = rows[1 if side == "target" else 0]
    expected = {"lang": "en"} if side == "source" and not of_row else of_row
    assert row == {"class": "words", **expected}
    buttons = [attributes for attributes, _ in found.all("button") if f"data-{axis}" in attributes]
    assert [button.get("dir") for button in buttons] == [of_word] * len(words)
    heads = [attributes for attributes, _ in found.all("th") if f"data-{axis}" in attributes]
    assert all({name: head[name] for name in ("lang", "dir") if name in head} == expected for head in heads)


def test_numbers_beside_a_word_from_right_to_left_keep_their_place():
    titles = re.findall('title="(.*?)"', attention_page([some(["book", "is"], ["كتاب", "هنا"])]))
    assert "book was looked at by: \u2068كتاب\u2069 0.50 · \u2068هنا\u2069 0.50" in titles
    assert "\u2068كتاب\u2069 looked at book: 0.50" in titles
