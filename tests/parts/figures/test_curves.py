import numpy as np
import pytest

from nmt_attention import plot_history, plot_score_by_length, save_figure


def test_history_shows_losses_and_scores():
    history = [
        {"epoch": i, "loss": 4.0 / i, "dev_perplexity": np.exp(5.0 / i), "dev_bleu": 3.0 * i, "dev_chrf": 9.0 * i}
        for i in (1, 2, 3)
    ]
    left, right = plot_history(history).axes
    drawn = [line.get_ydata() for axes in (left, right) for line in axes.lines]
    np.testing.assert_allclose(drawn, [[4, 2, 4 / 3], [5, 2.5, 5 / 3], [3, 6, 9], [9, 18, 27]])
    assert [line.get_label() for line in right.lines] == ["BLEU", "chrF"]
    described = plot_history(history).get_label()
    assert "dev from 5.00 to 1.67" in described and "BLEU from 3.00 to 9.00, chrF from 9.00 to 27.00" in described
    _, right = plot_history([{"epoch": 1, "loss": 4.0, "dev_accuracy": 0.5}]).axes
    assert [(line.get_label(), *line.get_ydata()) for line in right.lines] == [("accuracy", 0.5)]


@pytest.mark.parametrize(("value", "epochs"), [(np.nan, 1), (np.inf, 3), (0.0, 3)])
def test_a_history_that_diverged_is_drawn_with_gaps_and_without_a_warning(tmp_path, value, epochs):
    history = [
        {"epoch": i, "loss": value, "dev_perplexity": value if i == 1 else 9.0, "dev_bleu": value, "dev_chrf": value}
        for i in range(1, epochs + 1)
    ]
    figure = plot_history(history)
    save_figure(figure, tmp_path / "history.png")
    dev = figure.axes[0].lines[1].get_ydata()
    assert np.isnan(dev[0]) and np.allclose(dev[1:], np.log(9))
    assert np.isfinite(figure.axes[0].lines[0].get_ydata()).all() == np.isfinite(value)
    assert ("training without a number" in figure.get_label()) != np.isfinite(value)


def test_score_by_length_has_one_line_per_system_and_a_bar_where_the_interval_is_known():
    first = {"name": "1–3", "bleu": 40.0, "low": 37.0, "high": 43.0, "sentences": 1310}
    second = {"name": "4–6", "bleu": 20.0, "low": 18.0, "high": 22.0, "sentences": 702}
    others = [{"name": "1–3", "bleu": 41.0}, {"name": "4–6", "bleu": 39.0}]
    (axes,) = plot_score_by_length({"plain seq2seq": [first, second], "with attention": others}).axes
    assert [line.get_label() for line in axes.lines] == ["plain seq2seq", "with attention"]
    np.testing.assert_array_equal([line.get_ydata() for line in axes.lines], [[40, 20], [41, 39]])
    np.testing.assert_allclose([line.get_xdata() for line in axes.lines], [[0, 1], [0, 1]], atol=0.1)
    assert len({(line.get_color(), line.get_marker()) for line in axes.lines}) == 2
    known, unknown = ([bar[:, 1].tolist() for bar in bars.get_segments() if len(bar)] for bars in axes.collections)
    assert known == [[37, 43], [18, 22]] and unknown == []
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1–3\n1,310", "4–6\n702"]
    assert axes.get_ylabel() == "BLEU" and axes.get_ylim()[0] == 0
    assert "plain seq2seq 40.0 at 1–3, 20.0 at 4–6; with attention 41.0 at 1–3" in axes.figure.get_label()
