import matplotlib
import numpy as np
import pytest
from matplotlib.ft2font import FT2Font

from nmt_attention import plot
from nmt_attention.plot import find_fonts, plot_attention, plot_history, save_figure, text_style
from nmt_attention.translate import Translation

SOURCE = ["dad", "bought", "me", "a", "camera", "."]
TARGET = ["बाबांनी", "मला", "कॅमेरा", "विकत", "घेतला", ".", "<end>"]


@pytest.fixture
def translation():
    attention = np.random.default_rng(0).dirichlet(np.ones(6), size=7).astype(np.float32)
    return Translation("Dad bought me a camera.", "बाबांनी मला कॅमेरा विकत घेतला.", SOURCE, TARGET, attention, -1.0)


def labels(figure):
    axes = figure.axes[0]
    return ([t.get_text() for t in axes.get_xticklabels()], [t.get_text() for t in axes.get_yticklabels()])


def test_labels_are_the_models_own_tokens_in_place_and_cells_their_weights(translation):
    figure = plot_attention(translation)
    assert labels(figure) == (SOURCE, TARGET[:-1])
    axes = figure.axes[0]
    assert list(axes.get_xticks()) == list(range(6)) and list(axes.get_yticks()) == list(range(6))
    np.testing.assert_array_equal(axes.images[0].get_array(), translation.attention[:-1])
    assert axes.images[0].get_clim() == (0.0, 1.0)


def test_the_end_marker_is_shown_where_asked_for(translation):
    figure = plot_attention(translation, show_end=True)
    assert labels(figure)[1] == TARGET
    assert figure.axes[0].images[0].get_array().shape == (7, 6)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_heatmap_is_saved_without_a_missing_glyph(translation, tmp_path, suffix):
    # matplotlib warns of every missing glyph, and a warning is an error here
    save_figure(plot_attention(translation, title="बाबांनी कॅमेरा घेतला"), tmp_path / "new" / f"heatmap{suffix}")
    assert (tmp_path / "new" / f"heatmap{suffix}").stat().st_size > 1000


def test_marathi_is_drawn_in_its_own_language_with_a_font_that_shapes_it():
    style = text_style("कॅमेरा")
    assert style["language"] == "mr"
    (path,) = [path for path, family in plot._candidate_fonts() if family == style["family"][0]]
    assert plot._shapes_devanagari(path)
    assert all(FT2Font(path).get_char_index(ord(c)) for c in "क्षिंॅळ१")


def test_a_vowel_sign_written_before_its_consonant_is_drawn_there():
    # कि is two letters of which the second is drawn first: shaped text is not as wide as its letters one by one
    figure = matplotlib.figure.Figure()
    style = text_style("क्षि")
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else figure._get_renderer()

    def width(text):
        return figure.text(0, 0, text, fontsize=40, **style).get_window_extent(renderer).width

    assert width("क्षि") < width("क") + width("ष") + width("ि")


def test_latin_alone_needs_no_devanagari():
    assert "language" not in text_style("camera")


def test_a_character_without_a_glyph_is_an_error_that_names_it(translation):
    nothing = "\U0010ffff"  # no character, for ever
    with pytest.raises(ValueError, match=r"no font on this machine has .*U\+10FFFF"):
        find_fonts(f"a{nothing}")
    tokens = [nothing, *SOURCE[1:]]
    with pytest.raises(ValueError, match=r"U\+10FFFF"):
        plot_attention(translation._replace(source_tokens=tokens))


def test_a_font_with_all_letters_and_no_shaping_is_not_taken(monkeypatch):
    monkeypatch.setattr(plot, "_shapes_devanagari", lambda path: False)
    with pytest.raises(ValueError, match=r"U\+0915"):
        find_fonts("क")


def test_matplotlib_that_cannot_shape_is_an_error_that_says_what_to_do(monkeypatch):
    older = {name: value for name, value in matplotlib.rcParams.items() if name != "text.language"}
    monkeypatch.setattr(matplotlib, "rcParams", older)
    with pytest.raises(RuntimeError, match=r"cannot shape Devanagari; install matplotlib 3\.11"):
        text_style("कॅमेरा")
    assert text_style("camera")["family"]


def test_nothing_to_draw_and_shapes_that_do_not_fit_are_refused(translation):
    with pytest.raises(ValueError, match="nothing to draw: '' has an empty translation"):
        plot_attention(Translation("", "", [], [], np.zeros((0, 0)), 0.0))
    with pytest.raises(ValueError, match=r"attention: expected shape \(6, 5\), got \(6, 6\)"):
        plot_attention(translation._replace(source_tokens=SOURCE[:-1]))


def test_one_token_on_each_side_can_be_drawn(translation, tmp_path):
    one = translation._replace(source_tokens=["go"], target_tokens=["जा"], attention=np.ones((1, 1)))
    save_figure(plot_attention(one), tmp_path / "one.png")
    assert labels(plot_attention(one)) == (["go"], ["जा"])


def test_history_shows_losses_and_scores():
    history = [
        {"epoch": i, "loss": 4.0 / i, "dev_perplexity": np.exp(5.0 / i), "dev_bleu": 3.0 * i, "dev_chrf": 9.0 * i}
        for i in (1, 2, 3)
    ]
    left, right = plot_history(history).axes
    np.testing.assert_allclose(left.lines[0].get_ydata(), [4.0, 2.0, 4 / 3])
    np.testing.assert_allclose(left.lines[1].get_ydata(), [5.0, 2.5, 5 / 3])
    np.testing.assert_allclose(right.lines[0].get_ydata(), [3.0, 6.0, 9.0])
    with pytest.raises(ValueError, match="no epoch has been finished"):
        plot_history([])


def test_a_figure_of_unknown_format_is_refused_and_not_written(translation, tmp_path):
    with pytest.raises(ValueError, match=r"heatmap\.jpg: expected a file name that ends in \.png, \.svg, \.pdf"):
        save_figure(plot_attention(translation), tmp_path / "heatmap.jpg")
    assert not list(tmp_path.iterdir())
