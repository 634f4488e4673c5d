import re
import types

import matplotlib
import numpy as np
import pytest

from nmt_attention.alignment.scores import GoldAlignment
from nmt_attention.figures import fonts
from nmt_attention.figures.fonts import find_fonts
from nmt_attention.figures.heatmap import plot_attention, plot_attentions, save_figure
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


def test_heatmaps_say_where_each_token_looked_most_several_of_them_more_briefly(translation):
    single = plot_attention(translation, romanize=True).get_label()
    assert single.startswith(f"Heatmap: {TARGET[0]} looked most at {SOURCE[translation.attention[0].argmax()]} ")
    assert all(f"{word} " in single for word in TARGET[:-1]) and "<end>" not in single
    both = plot_attentions({"one": translation, "two": translation}).get_label()
    assert re.fullmatch(r"Heatmaps: one: .* looked .*, and 3 more; two: .* looked .*, and 3 more\.", both)
    words = [f"word{i}" for i in range(12)]
    long = translation._replace(target_tokens=words, attention=np.full((12, len(SOURCE)), 1 / len(SOURCE)))
    assert plot_attention(long).get_label().endswith(", word9 at dad 0.17, and 2 more.")


def test_axes_say_which_side_is_read_and_which_is_written(translation):
    one, two, three, _, bar = plot_attentions(dict.fromkeys("abc", translation), columns=2).axes
    titles = [(axes.get_xlabel(), axes.get_ylabel()) for axes in (one, two, three)]
    assert titles == [("source", "target"), ("source", ""), ("", "target")]
    assert one.xaxis.get_label_position() == "top" and bar.get_xlabel() == ""


def test_marathi_labels_are_followed_by_their_romanization_where_asked_for(translation, tmp_path):
    figure = plot_attention(translation, romanize=True, show_end=True)
    latin = ["bābānnī", "malā", "kêmerā", "vikat", "ghetlā"]
    assert labels(figure) == (SOURCE, [*(f"{a} {b}" for a, b in zip(TARGET, latin, strict=False)), ".", "<end>"])
    save_figure(figure, tmp_path / "heatmap.png")  # a missing glyph would be an error
    figure.draw_without_rendering()
    assert all(label.get_window_extent().x0 >= figure.bbox.x0 for label in figure.axes[0].get_yticklabels())
    to_english = translation._replace(
        source_tokens=TARGET[:-1], target_tokens=[*SOURCE, "<end>"], attention=np.ones((7, 6)) / 6
    )
    assert labels(plot_attentions({"": to_english}, romanize=True))[0][:2] == ["बाबांनी bābānnī", "मला malā"]


def test_marathi_labels_are_followed_by_an_english_word_where_asked_for(translation, tmp_path):
    figure = plot_attention(translation, glosses=True)
    assert labels(figure)[1][:3] == ["बाबांनी (Dad)", "मला (to me)", "कॅमेरा (camera)"]
    save_figure(figure, tmp_path / "heatmap.png")
    both = plot_attentions({"": translation}, romanize=True, glosses=True)
    assert labels(both)[1][:2] == ["बाबांनी bābānnī (Dad)", "मला malā (to me)"]


def test_the_end_marker_is_shown_where_asked_for(translation):
    figure = plot_attention(translation, show_end=True)
    assert labels(figure)[1] == TARGET
    assert figure.axes[0].images[0].get_array().shape == (7, 6)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_heatmap_is_saved_without_a_missing_glyph(translation, tmp_path, suffix):
    # matplotlib warns of every missing glyph, and a warning is an error here
    save_figure(plot_attention(translation, title="बाबांनी कॅमेरा घेतला"), tmp_path / "new" / f"heatmap{suffix}")
    assert (tmp_path / "new" / f"heatmap{suffix}").stat().st_size > 1000


def test_a_character_without_a_glyph_is_an_error_that_names_it(translation):
    nothing = "\U0010ffff"  # no character, for ever
    with pytest.raises(ValueError, match=r"no font on this machine has .*U\+10FFFF"):
        find_fonts(f"a{nothing}")
    tokens = [nothing, *SOURCE[1:]]
    with pytest.raises(ValueError, match=r"U\+10FFFF"):
        plot_attention(translation._replace(source_tokens=tokens))


def test_nothing_to_draw_and_shapes_that_do_not_fit_are_refused(translation):
    with pytest.raises(ValueError, match="nothing to draw: '' has an empty translation"):
        plot_attention(Translation("", "", [], [], np.zeros((0, 0)), 0.0))
    with pytest.raises(ValueError, match=r"attention: expected shape \(6, 5\), got \(6, 6\)"):
        plot_attention(translation._replace(source_tokens=SOURCE[:-1]))


def test_dollar_signs_in_tokens_and_titles_are_drawn_as_they_are(translation, tmp_path):
    source = ["$5-$6", "$_$", *SOURCE[2:]]
    figure = plot_attention(translation._replace(source_tokens=source), title="$5 or $6?")
    assert labels(figure)[0] == source
    axes = figure.axes[0]
    assert not any(text.get_parse_math() for text in [axes.title, *axes.get_xticklabels(), *axes.get_yticklabels()])
    save_figure(figure, tmp_path / "heatmap.png")  # as a formula, the second token would be an error


def test_one_token_on_each_side_can_be_drawn(translation, tmp_path):
    one = translation._replace(source_tokens=["go"], target_tokens=["जा"], attention=np.ones((1, 1)))
    save_figure(plot_attention(one), tmp_path / "one.png")
    assert labels(plot_attention(one)) == (["go"], ["जा"])


def test_gold_links_are_framed_sure_ones_by_a_line(translation):
    gold = GoldAlignment(None, frozenset({(0, 0), (4, 2)}), frozenset({(0, 0), (4, 2), (1, 4)}))
    frames = plot_attention(translation, gold=gold).axes[0].patches
    found = {(round(f.get_x() + f.get_width() / 2), round(f.get_y() + f.get_height() / 2)) for f in frames}
    assert found == gold.possible
    assert sorted(frame.get_linestyle() for frame in frames) == ["-", "-", ":"]
    with pytest.raises(ValueError, match=r"gold: link \(1, 6\) is outside 6 and 6 words"):
        plot_attention(translation, gold=gold._replace(possible=frozenset({(1, 6)})))


def test_heatmaps_to_compare_are_drawn_side_by_side(translation, tmp_path):
    other = translation._replace(attention=translation.attention[::-1])
    figure = plot_attentions({"one": translation, "दोन": other, "three": translation}, columns=2)
    one, two, three, empty, bar = figure.axes
    assert [axes.get_title() for axes in (one, two, three)] == ["one", "दोन", "three"]
    np.testing.assert_array_equal(two.images[0].get_array(), other.attention[:-1])
    assert not empty.axison and bar.get_ylabel() == "attention weight"
    save_figure(figure, tmp_path / "three.png")
    with pytest.raises(ValueError, match="translations: expected at least one"):
        plot_attentions({})


@pytest.mark.parametrize(("words", "angle"), [(SOURCE, 0), (["grandmother", *SOURCE[1:]], 45)])
def test_words_too_long_for_their_columns_are_turned(translation, words, angle):
    axes = plot_attention(translation._replace(source_tokens=words)).axes[0]
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {angle}


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 2), (24, 20)])
def test_no_label_is_cut_off_and_none_lies_over_another(translation, width, height):
    words = [f"word{i}" for i in range(24)]
    shown = translation._replace(
        source_tokens=words[:width], target_tokens=words[:height], attention=np.ones((height, width)) / width
    )
    figure = plot_attention(shown)
    figure.draw_without_rendering()
    axes, bar = figure.axes
    named = [[*axis.get_ticklabels(), axis.label] for axis in (axes.xaxis, axes.yaxis)]
    for labels in (*named, bar.get_yticklabels()):
        boxes = [label.get_window_extent() for label in labels]
        for i, box in enumerate(boxes):
            assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
            assert not any(box.overlaps(other) for other in boxes[i + 1 :])


@pytest.fixture
def older_matplotlib(monkeypatch):
    """A matplotlib that cannot shape, after `lesson.set_up_figures`."""
    older = types.SimpleNamespace(__version__="3.10.0", rcParams={"svg.fonttype": "none"})
    monkeypatch.setattr(fonts, "matplotlib", older)
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")


@pytest.mark.parametrize("suffix", [".png", ".pdf"])
def test_unshaped_letters_are_not_written_to_a_file(translation, tmp_path, older_matplotlib, suffix):
    with pytest.raises(RuntimeError, match=r"3\.10\.0 cannot shape Devanagari; install matplotlib 3\.11"):
        save_figure(plot_attention(translation), tmp_path / "new" / f"heatmap{suffix}")
    assert not list(tmp_path.iterdir())
    save_figure(plot_attention(translation._replace(target_tokens=[*"abcdefg"])), tmp_path / f"latin{suffix}")


def test_letters_left_to_a_browser_are_written_to_a_file(translation, tmp_path, older_matplotlib, monkeypatch):
    figure = plot_attention(translation)
    save_figure(figure, tmp_path / "heatmap.svg")
    assert "बाबांनी" in (tmp_path / "heatmap.svg").read_text(encoding="utf-8")
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "path")  # shapes of letters, and wrong ones
    with pytest.raises(RuntimeError, match="cannot shape"):
        save_figure(figure, tmp_path / "paths.svg")


def test_a_figure_of_unknown_format_is_refused_and_not_written(translation, tmp_path):
    with pytest.raises(ValueError, match=r"heatmap\.jpg: expected a file name that ends in \.png, \.svg, \.pdf"):
        save_figure(plot_attention(translation), tmp_path / "heatmap.jpg")
    assert not list(tmp_path.iterdir())
