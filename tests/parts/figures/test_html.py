import subprocess
import sys

import numpy as np

from nmt_attention.figures.html import attention_html


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
    assert "कॅमेरा kêmerā" in [text for _, text in labelled.all("th")]
    assert all(attributes["type"] == "button" and "tabindex" not in attributes for attributes, _ in page.all("button"))


def test_it_loads_nothing_and_several_fit_on_a_page(translation, read_html):
    piece = attention_html(translation)
    for word in ("http", "//cdn", "@import", "url(", "src=", "href="):
        assert word not in piece
    page = read_html(piece + attention_html(translation))
    assert not [attributes["id"] for _, attributes, _ in page.found if "id" in attributes]  # so that none can clash
    assert "getElementById" not in piece and ":not([data-ready])" in piece
    assert piece == attention_html(translation)  # the same in a notebook that is run again


def test_it_needs_no_matplotlib():
    code = "import sys; from nmt_attention.figures.html import attention_html; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
