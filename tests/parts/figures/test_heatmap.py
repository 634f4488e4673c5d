"""Heatmaps, and what every picture of attention has in common."""

import re

import matplotlib
import numpy as np
import pytest

from nmt_attention import GoldAlignment, plot_attention, plot_attentions, save_figure

GOLD = GoldAlignment(None, frozenset({(0, 0), (4, 2)}), frozenset({(0, 0), (4, 2), (1, 4)}))


def labels(axes):
    return [t.get_text() for t in axes.get_xticklabels()], [t.get_text() for t in axes.get_yticklabels()]


def test_labels_are_the_models_own_tokens_in_place_and_cells_their_weights(translation):
    axes, _ = plot_attention(translation).axes
    assert labels(axes) == (translation.source_tokens, translation.target_tokens[:-1])
    np.testing.assert_array_equal(axes.images[0].get_array(), translation.attention[:-1])
    assert axes.images[0].get_clim() == (0.0, 1.0)


def test_heatmaps_say_where_each_token_looked_most_several_of_them_more_briefly(translation):
    single, source, target = plot_attention(translation, romanize=True).get_label(), *translation[2:4]
    assert single.startswith(f"Heatmap: {target[0]} looked most at {source[translation.attention[0].argmax()]} ")
    assert all(f"{word} " in single for word in target[:-1]) and "<end>" not in single
    both = plot_attentions({"one": translation, "two": translation}).get_label()
    assert re.fullmatch(r"Heatmaps: one: .* looked .*, and 3 more; two: .* looked .*, and 3 more\.", both)


def test_labels_are_those_asked_for_and_frames_stand_round_gold_links(translation, tmp_path, assert_readable):
    both = {"romanize": True, "glosses": True}
    expected = ["बाबांनी bābānnī (Dad)", "मला malā (to me)", "कॅमेरा kêmerā (camera)"]
    figure = plot_attention(translation, show_end=True, **both)
    source, target = labels(figure.axes[0])
    assert source == translation.source_tokens and target[:3] == expected and target[-2:] == [".", "<end>"]
    save_figure(figure, tmp_path / "heatmap.png")  # a missing glyph would be an error
    assert_readable(figure, figure.axes[0].get_yticklabels())
    words = translation.target_tokens[:-1], [*translation.source_tokens, "<end>"]
    to_english = translation._replace(source_tokens=words[0], target_tokens=words[1], attention=np.ones((7, 6)) / 6)
    assert labels(plot_attentions({"": to_english}, **both).axes[0])[0][:3] == expected
    frames = plot_attention(translation, title="mine", gold=GOLD, show_end=True).axes[0].patches
    centres = {(round(f.get_x() + f.get_width() / 2), round(f.get_y() + f.get_height() / 2)) for f in frames}
    assert centres == GOLD.possible
    assert sorted(frame.get_linestyle() for frame in frames) == ["-", "-", ":"]


def test_heatmaps_to_compare_are_drawn_side_by_side_and_say_which_side_is_read(translation):
    other = translation._replace(attention=translation.attention[::-1])
    figure = plot_attentions({"one": translation, "दोन": other, "three": translation}, columns=2)
    one, two, three, empty, bar = figure.axes
    assert [axes.get_title() for axes in (one, two, three)] == ["one", "दोन", "three"]
    np.testing.assert_array_equal(two.images[0].get_array(), other.attention[:-1])
    assert not empty.axison and (bar.get_xlabel(), bar.get_ylabel()) == ("", "attention weight")
    titles = [(axes.get_xlabel(), axes.get_ylabel()) for axes in (one, two, three)]
    assert titles == [("source", "target"), ("source", ""), ("", "target")]


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 2), (18, 20)])
def test_no_label_is_cut_off_and_none_lies_over_another(translation, assert_readable, width, height):
    words = [f"word{i}" for i in range(24)]
    weights = np.ones((height, width)) / width
    figure = plot_attention(
        translation._replace(source_tokens=words[:width], target_tokens=words[:height], attention=weights)
    )
    axes, bar = figure.axes
    for texts in (*([*axis.get_ticklabels(), axis.label] for axis in (axes.xaxis, axes.yaxis)), bar.get_yticklabels()):
        assert_readable(figure, texts)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_figure_is_saved_without_a_missing_glyph_and_dollars_stay_dollars(translation, tmp_path, suffix):
    source = ["$5-$6", "$_$", "me", "a", "camera", "."]  # as a formula, the second token would be an error
    figure = plot_attention(translation._replace(source_tokens=source), title="बाबांनी for $5 or $6?", romanize=True)
    path = tmp_path / "new" / f"figure{suffix}"
    save_figure(figure, path)  # matplotlib warns of missing glyphs: an error here
    assert path.stat().st_size > 1000
    with pytest.raises(ValueError, match=r"figure\.jpg: expected a file name that ends in \.png, \.svg, \.pdf"):
        save_figure(figure, tmp_path / "figure.jpg")
    assert list(tmp_path.iterdir()) == [path.parent]


def test_unshaped_letters_are_left_to_a_browser(translation, tmp_path, older_matplotlib, monkeypatch):
    figure = plot_attention(translation)
    for suffix in (".png", ".pdf"):
        with pytest.raises(RuntimeError, match=r"3\.10\.0 cannot shape Devanagari; install matplotlib 3\.11"):
            save_figure(figure, tmp_path / "new" / f"figure{suffix}")
    assert not list(tmp_path.iterdir())
    save_figure(figure, tmp_path / "figure.svg")
    assert "बाबांनी" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "path")  # shapes of letters, and wrong ones
    with pytest.raises(RuntimeError, match="cannot shape"):
        save_figure(figure, tmp_path / "paths.svg")
    save_figure(plot_attention(translation._replace(target_tokens=[*"abcdefg"])), tmp_path / "latin.png")
