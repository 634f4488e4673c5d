import re
import subprocess
import sys

import numpy as np
import pytest

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
        assert attributes["style"] == f"background-color: #0072b2{round(153 * weight):02x}"


def test_every_word_can_be_reached_by_keyboard_and_says_its_weights_as_text(translation, read_html):
    page = read_html(attention_html(translation._replace(attention=np.eye(7, 6)[[0, 1, 2, 4, 3, 5, 6]] * 0.75 + 0.01)))
    titles = {text: attributes["title"] for attributes, text in page.all("button")}
    assert titles["camera"].startswith("camera was looked at by: विकत 0.76 · बाबांनी 0.01 · ")
    assert titles["विकत"].startswith("विकत looked at: camera 0.76 · dad 0.01 · ")
    assert all(attributes["type"] == "button" and "tabindex" not in attributes for attributes, _ in page.all("button"))


def test_each_language_is_marked(translation, read_html):
    page = read_html(attention_html(translation))
    assert [attributes.get("lang") for attributes, _ in page.all("p")[:2]] == ["en", "mr"]
    assert all(a["lang"] == ("en" if a["scope"] == "col" else "mr") for a, _ in page.all("th"))
    german = read_html(attention_html(translation._replace(target_tokens=[*"abcdef", "<end>"])))
    assert [attributes.get("lang") for attributes, _ in german.all("p")[:2]] == ["en", None]


def test_marathi_words_have_the_labels_that_are_asked_for(translation, read_html):
    page = read_html(attention_html(translation._replace(attention=np.eye(7, 6)), show_end=True, romanize=True))
    buttons = {text: attributes["title"] for attributes, text in page.all("button")}
    assert list(buttons)[:7] == [*translation.source_tokens, "बाबांनी bābānnī"] and list(buttons)[-1] == "<end>"
    assert buttons["dad"] == "dad was looked at by: बाबांनी bābānnī 1.00"
    assert "कॅमेरा kêmerā" in [text for _, text in page.all("th")]


HOSTILE = ["<script>alert(1)</script>", '"', "'", "&amp;", "</table>", '" onclick="x']


def test_any_text_is_only_text(translation, read_html):
    page = read_html(attention_html(translation._replace(source_tokens=HOSTILE, target_tokens=[*HOSTILE, "-->"])))
    assert words(page) == [HOSTILE, [*HOSTILE, "-->"]]
    assert len(page.all("script")) == 1 and "alert" not in page.all("script")[0][1]
    known = {"type", "title", "class", "role", "tabindex", "style", "scope", "lang", "aria-label"}
    names = {name for _, attributes, _ in page.found for name in attributes}
    assert names <= known | {"data-s", "data-t", "data-weight"}


def test_it_loads_nothing_and_several_fit_on_a_page(translation, read_html):
    piece = attention_html(translation)
    for word in ("http", "//cdn", "@import", "url(", "src=", "href="):
        assert word not in piece
    page = read_html(piece + attention_html(translation))
    assert not [attributes["id"] for _, attributes, _ in page.found if "id" in attributes]  # so that none can clash
    assert "getElementById" not in piece and ":not([data-ready])" in piece
    assert piece == attention_html(translation)  # the same in a notebook that is run again


def test_colours_are_not_of_one_theme(translation, read_html):
    style = read_html(attention_html(translation)).all("style")[0][1]
    assert "color: inherit" in style
    assert not re.search(r"#|\bwhite\b(?!-space)|\bblack\b", style)


def test_it_needs_no_matplotlib():
    code = "import sys; from nmt_attention.figures.html import attention_html; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def contrast(one, other):
    """Returns the contrast ratio of two colours (WCAG 2.2)."""
    lightness = []
    for colour in (one, other):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in colour)]
        lightness.append(0.05 + np.dot(linear, [0.2126, 0.7152, 0.0722]))
    return max(lightness) / min(lightness)


def laid_over(paper, colour, opacity):
    return [opacity * c + (1 - opacity) * p for c, p in zip(colour, paper, strict=True)]


@pytest.mark.parametrize(("paper", "ink"), [((255, 255, 255), (0, 0, 0)), ((18, 18, 18), (255, 255, 255))])
def test_numbers_can_be_read_on_the_darkest_cell_in_light_and_dark(translation, read_html, paper, ink):
    style = read_html(attention_html(translation)).all("style")[0][1]
    (opacity,) = re.findall(r"rgb\(var\(--attention\) / calc\(var\(--w, 0\) \* ([.\d]+)\)\)", style)
    assert contrast(ink, laid_over(paper, (0, 114, 178), float(opacity))) >= 4.5
    (small,) = re.findall(r"\.small \{ opacity: ([.\d]+)", style)
    assert contrast(laid_over(paper, ink, float(small)), paper) >= 4.5
