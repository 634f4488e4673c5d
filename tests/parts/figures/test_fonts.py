import matplotlib
import pytest

from nmt_attention.figures import fonts
from nmt_attention.figures.fonts import find_fonts, text_style


def test_marathi_is_drawn_in_its_own_language_with_a_font_that_shapes_it():
    figure, style = matplotlib.figure.Figure(), text_style("क्षि")
    assert style["language"] == "mr" and "language" not in text_style("camera")

    def width(text):
        return figure.text(0, 0, text, fontsize=40, **style).get_window_extent().width

    # क्षि is one shape whose sign is drawn first: it is not as wide as its letters one by one
    assert width("क्षि") < width("क") + width("ष") + width("ि")


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("क", r"has क \(U\+0915\); install one that has them \(pip install fontpkg-mukta\)$"),
        ("ش", r"has ش \(U\+0634\); install one that has them \(on Debian fonts-noto-core or -cjk\)$"),
    ],
)
def test_a_missing_font_is_named_by_what_to_install(monkeypatch, text, advice):
    monkeypatch.setattr(fonts, "_glyphs", lambda path: frozenset())
    with pytest.raises(ValueError, match=advice):
        find_fonts(text)


def test_a_font_with_all_letters_and_no_shaping_is_taken_for_others_alone(monkeypatch):
    (mukta,) = [path for path, family in fonts._candidate_fonts() if family == "Mukta"]
    assert ord("क") in fonts._glyphs.__wrapped__(mukta)
    monkeypatch.setattr("fontTools.ttLib.TTFont.__contains__", lambda font, table: False)
    assert {ord("क"), ord("a")} & fonts._glyphs.__wrapped__(mukta) == {ord("a")}


def test_a_font_that_was_installed_after_matplotlib_made_its_list_is_found(monkeypatch):
    path, family = next((path, family) for path, family in fonts._candidate_fonts() if family == "DejaVu Sans")
    manager = matplotlib.font_manager.fontManager
    monkeypatch.setattr(manager, "ttflist", [entry for entry in manager.ttflist if entry.fname != path])
    monkeypatch.setattr(fonts, "_candidate_fonts", lambda: [])
    monkeypatch.setattr(matplotlib.font_manager, "findSystemFonts", lambda: [path, __file__])
    fonts._new_fonts.cache_clear()
    assert find_fonts("a") == [family]
    fonts._new_fonts.cache_clear()
