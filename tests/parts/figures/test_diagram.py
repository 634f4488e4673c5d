import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import ArrowStyle, FancyArrowPatch, FancyBboxPatch

from nmt_attention import plot_beam_tree, plot_unrolled, save_figure
from nmt_attention.figures.palette import ATTENTION, DARK, DECODER, ENCODER, LEAST_WEIGHT, PALE, PLAIN
from nmt_attention.figures.trace import BeamNode, DecodingSteps

SOURCE, TARGET = ["dad", "bought", "it", "."], ["बाबांनी", "विकत", "घेतलं", ".", "<end>"]


@pytest.fixture
def steps():
    random = np.random.default_rng(0)
    weights = np.array([[1, 0, 0, 0], [0, 0.9, 0.08, 0.02], [0, 0.5, 0, 0.5], [0, 0, 0, 1], [0, 0, 0, 1]])
    values, states = random.uniform(-1, 1, (4, 12)), random.uniform(-1, 1, (6, 12))
    scores = np.log(weights + 1e-3)
    return DecodingSteps(SOURCE, TARGET, values, states, states[:-1], scores, weights, weights @ values, True)


@pytest.fixture(params=["attention", "plain"])
def either(steps, request):
    """The steps of a model with attention, and of plain seq2seq."""
    return steps._replace(scores=None, plain=True) if request.param == "plain" else steps


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_every_position_is_a_box_and_each_part_has_its_colour(either):
    figure = plot_unrolled(either)
    boxes = [to_hex(patch.get_edgecolor()) for patch in figure.axes[0].patches if isinstance(patch, FancyBboxPatch)]
    assert boxes == [ENCODER] * len(SOURCE) + [DECODER] * (len(TARGET) + 1)
    assert {to_hex(line.get_color()) for line in figure.axes[0].lines} == ({ATTENTION} if not either.plain else set())
    given = [patch.get_gid() for patch in figure.axes[0].patches].count("thought vector")
    assert given == (1 + len(TARGET) if either.plain else 1), "plain seq2seq gives it to every step"
    colours = {text.get_text(): text.get_color() for text in figure.axes[0].texts}
    assert (colours["encoder"], colours["decoder"], colours["thought\nvector"]) == (ENCODER, DECODER, PLAIN)
    assert {*SOURCE, *TARGET, "<start>", "thought\nvector", "encoder", "decoder"} == set(colours)
    described = figure.get_label()
    assert "reads: dad bought it ." in described and "writes: बाबांनी विकत घेतलं . <end>" in described
    assert ("विकत at bought 0.90" in described) != either.plain


@pytest.mark.parametrize("heads", [0, 3])
def test_attention_is_a_line_for_each_weight_as_thick_as_it_and_ends_at_the_query(steps, heads):
    figure = plot_unrolled(steps._replace(scores=np.stack([steps.scores] * heads)) if heads else steps)
    lines = figure.axes[0].lines
    weights = [w for row in steps.weights for w in row if w >= LEAST_WEIGHT]
    np.testing.assert_allclose([line.get_linewidth() for line in lines], [max(1, 6 * w) for w in weights])
    places = {text.get_text(): text.get_position()[0] for text in figure.axes[0].texts}
    for line, ends in zip(lines, [("dad", "<start>"), ("bought", "बाबांनी")], strict=False):
        np.testing.assert_allclose(line.get_xdata(), [places[token] for token in ends], atol=0.2)
    after = plot_unrolled(steps._replace(queries=steps.states[1:])).axes[0].lines
    np.testing.assert_allclose(after[0].get_xdata(), [places["dad"], places["बाबांनी"]], atol=0.2)


def test_below_marathi_tokens_stand_latin_letters_and_a_gloss(either, assert_readable):
    tokens = ["विद्यार्थ्यांना", "पुस्तक", "ंनी", ".", "<end>"]  # the third begins with a sign
    figure = plot_unrolled(either._replace(target_tokens=tokens), romanize=True, glosses=True)
    assert {"विद्यार्थ्यांना\nvidyārthyānnā\n(students)", "पुस्तक\npustak\n(book)", "ंनी", "."} <= set(texts(figure))
    assert_readable(figure, [text for text in figure.axes[0].texts if text.get_text() != "thought\nvector"])


def test_arrows_tell_in_which_directions_the_encoder_reads(steps):
    for bidirectional in (True, False):
        patches = plot_unrolled(steps._replace(bidirectional=bidirectional)).axes[0].patches
        styles = [patch.get_arrowstyle() for patch in patches if isinstance(patch, FancyArrowPatch)]
        assert sum(isinstance(style, ArrowStyle.CurveFilledAB) for style in styles) == bidirectional * (len(SOURCE) - 1)


NODES = [
    BeamNode(None, 0, "तो", -0.5, -0.5, True, False),
    BeamNode(None, 0, "ती", -0.9, -0.9, True, True),
    BeamNode(0, 1, "जातो", -1.5, -2.0, True, False),
    BeamNode(0, 1, "गेला", -2.5, -3.0, False, False),
    BeamNode(1, 1, "जाते", -0.2, -1.1, True, True),
    BeamNode(1, 1, "गेली", -3.0, -3.9, False, False),
]


def test_a_beam_tree_tells_kept_from_given_up_and_the_winner_from_both(tmp_path, assert_readable):
    figure = plot_beam_tree(NODES)
    colours = {text.get_text(): to_hex(text.get_color()) for text in figure.axes[0].texts}
    winner, kept, given_up = (to_hex(colour) for colour in (ATTENTION, DARK, PALE))
    assert colours["ती  −0.90\ntī (she)"] == winner and [*colours.values()].count(winner) == 2
    assert colours["जातो  −2.00\njāto (goes)"] == colours["<start>"] == kept
    assert colours["गेला  −3.00\ngelā (went)"] == colours["गेली  −3.90\ngelī (went)"] == given_up
    assert_readable(figure, figure.axes[0].texts)
    assert "step 2 kept जाते, जातो, of 4 candidates. The best: ती जाते, log-probability −1.10" in figure.get_label()
    save_figure(figure, tmp_path / "beam.svg")
    (*_, node) = plot_beam_tree([BeamNode(None, 0, "x-ray", -0.5, -0.5, True, True)]).axes[0].texts
    assert node.get_text() == "x-ray  −0.50"  # the hyphen is no minus


def test_lines_of_a_beam_tree_run_from_each_parent_and_do_not_cross():
    axes = plot_beam_tree(NODES).axes[0]
    places = {text.get_text().split("  ")[0]: text.get_position() for text in axes.texts}
    lines = {tuple(line.get_ydata()[[0, -1]]) for line in axes.lines}
    tokens = [node.token for node in NODES]
    parents = ["<start>" if node.parent is None else NODES[node.parent].token for node in NODES]
    assert lines == {(places[parent][1], places[token][1]) for parent, token in zip(parents, tokens, strict=True)}
    # followers stand in the order of what they follow, better ones above
    assert places["तो"][1] > places["ती"][1]
    assert [places[token][1] for token in tokens[2:]] == sorted((places[t][1] for t in tokens[2:]), reverse=True)
