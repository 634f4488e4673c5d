import matplotlib
import pytest
from matplotlib.ft2font import FT2Font

from nmt_attention.figures import fonts
from nmt_attention.figures.fonts import find_fonts, text_style


def test_marathi_is_drawn_in_its_own_language_with_a_font_that_shapes_it():
    style = text_style("कॅमेरा")
    assert style["language"] == "mr" and "language" not in text_style("camera")
    (path,) = [path for path, family in fonts._candidate_fonts() if family == style["family"][0]]
    assert fonts._shapes_devanagari(path)
    assert all(FT2Font(path).get_char_index(ord(c)) for c in "क्षिंॅळ१")


def test_a_vowel_sign_written_before_its_consonant_is_drawn_there():
    # कि is two letters of which the second is drawn first: shaped text is not as wide as its letters one by one
    figure = matplotlib.figure.Figure()
    style = text_style("क्षि")
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else figure._get_renderer()

    def width(text):
        return figure.text(0, 0, text, fontsize=40, **style).get_window_extent(renderer).width

    assert width("क्षि") < width("क") + width("ष") + width("ि")


def test_a_font_with_all_letters_and_no_shaping_is_not_taken(monkeypatch):
    monkeypatch.setattr(fonts, "_shapes_devanagari", lambda path: False)
    with pytest.raises(ValueError, match=r"U\+0915"):
        find_fonts("क")


def test_matplotlib_that_cannot_shape_is_an_error_that_says_what_to_do(monkeypatch):
    older = {name: value for name, value in matplotlib.rcParams.items() if name != "text.language"}
    monkeypatch.setattr(matplotlib, "rcParams", older)
    with pytest.raises(RuntimeError, match=r"cannot shape Devanagari; install matplotlib 3\.11"):
        text_style("कॅमेरा")
    assert text_style("camera")["family"]


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("क", r"has क \(U\+0915\); install one: pip install fontpkg-mukta$"),
        ("漢", r"has 漢 \(U\+6F22\); install one that does$"),
        ("漢字", r"has 字 \(U\+5B57\), 漢 \(U\+6F22\); install one that does$"),
    ],
)
def test_a_devanagari_font_is_advised_for_devanagari_alone(monkeypatch, text, advice):
    monkeypatch.setattr(fonts, "_has_glyph", lambda path, character: False)
    with pytest.raises(ValueError, match=advice):
        find_fonts(text)
