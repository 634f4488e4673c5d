import collections
import json
import os

import numpy as np
import pytest

from nmt_attention.corpus import split_pairs
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.figures.curves import plot_scaling
from tools.benchmark import scaling
from tools.benchmark.__main__ import main
from tools.benchmark.scaling import measure_scaling, to_table, write_synthetic_pairs

POINTS = [
    {"pairs": 100_000, "seconds": 10.0, "peak_memory": 1024.0},
    {"pairs": 200_000, "seconds": 15.0, "peak_memory": 1124.0},
    {"pairs": 500_000, "seconds": 30.0, "peak_memory": 1424.0},
]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    path = tmp_path_factory.mktemp("synthetic") / "pairs.tsv"
    write_synthetic_pairs(path, 12_345)
    return read_pairs(path)


def test_synthetic_pairs_are_as_many_as_asked_for_and_sentences_short(pairs):
    assert len(pairs) == 12_345
    lengths = np.array([[len(side.split()) for side in pair[:2]] for pair in pairs])
    assert lengths[:, 0].min() == 3 and lengths[:, 0].max() == 10
    assert np.abs(lengths[:, 0] - lengths[:, 1]).max() == 1


@pytest.mark.parametrize("side", [0, 1])
def test_words_are_spread_as_zipf_has_it(pairs, side):
    counts = collections.Counter(word for pair in pairs for word in pair[side].removesuffix(".").split())
    assert 2_000 < len(counts) <= int(100 * 12_345**0.5)
    (_, first), *_, (_, hundredth) = counts.most_common(100)
    assert 50 < first / hundredth < 200


def test_hardly_a_synthetic_sentence_occurs_twice_so_that_the_split_has_its_shares(pairs):
    train, dev, test = split_pairs(pairs)
    assert 0.88 < len(train) / len(pairs) < 0.92 and min(len(dev), len(test)) / len(pairs) > 0.04


def test_the_same_pairs_for_the_same_seed(tmp_path):
    for name, seed in (("first", 1), ("again", 1), ("other", 2)):
        write_synthetic_pairs(tmp_path / name, 20, seed)
    first, again, other = ((tmp_path / name).read_bytes() for name in ("first", "again", "other"))
    assert first == again != other


@pytest.mark.marathon
def test_the_command_measures_and_draws(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(scaling, "PAIRS", (100, 200))
    path = tmp_path / "figures" / "scaling.json"
    main(["--scaling", str(path), "--json"])
    points = json.loads(path.read_text())
    assert json.loads(capsys.readouterr().out) == points
    assert [point["pairs"] for point in points] == [100, 200]
    assert all(point["seconds"] > 0 and point["peak_memory"] > 0 for point in points)
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_a_training_that_does_not_start_is_an_error():
    with pytest.raises(RuntimeError, match="training failed: .*corpus: 1 pairs are too few"):
        measure_scaling([1])


@pytest.mark.parametrize(
    ("options", "reason"),
    [(["--scaling", "points.csv"], "ends in .json"), (["--scaling", "x.json", "--run", "x"], "do not go together")],
)
def test_options_that_make_no_sense_are_errors(options, reason):
    with pytest.raises(SystemExit, match=f"benchmark: .*{reason}"):
        main(options)


def test_without_pseudo_terminals_it_cannot_be_measured(monkeypatch):
    monkeypatch.delattr(os, "openpty")
    with pytest.raises(OSError, match="pseudo-terminal"):
        measure_scaling([100])


def test_the_table_shows_what_100000_pairs_more_cost():
    *rows, _ = [line.split() for line in to_table(POINTS).splitlines()][1:]
    assert rows == [
        ["100,000", "10.0", "1,024"],
        ["200,000", "15.0", "5.0", "1,124", "100.0"],
        ["500,000", "30.0", "5.0", "1,424", "100.0"],
    ]


def test_a_linear_cost_is_drawn_on_its_straight_line():
    for axes, expected in zip(plot_scaling(POINTS).axes, ([10, 15, 30], [1, 1124 / 1024, 1424 / 1024]), strict=True):
        measured, straight = axes.lines
        np.testing.assert_allclose(measured.get_xydata(), np.transpose([[100, 200, 500], expected]))
        np.testing.assert_allclose(straight.get_xydata(), measured.get_xydata(), rtol=1e-9)


def test_a_line_needs_two_points():
    with pytest.raises(ValueError, match="at least 2, got 1"):
        plot_scaling(POINTS[:1])
