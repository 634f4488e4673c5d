import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import ArrowStyle

from nmt_attention.figures.diagram import plot_beam_tree, plot_unrolled
from nmt_attention.figures.heatmap import DARK, PALE, PALETTE, save_figure
from nmt_attention.figures.trace import BeamNode, DecodingSteps

SOURCE, TARGET = ["dad", "bought", "it", "."], ["बाबांनी", "विकत", "घेतलं", ".", "<end>"]
ONE = np.ones((1, 12))
LEAST = DecodingSteps(["go"], ["जा"], ONE, np.ones((2, 12)), ONE, np.ones((1, 1)), np.ones((1, 1)), ONE, False)


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


def test_every_position_is_a_box_of_its_real_activations_the_first_on_top(steps, tmp_path):
    figure = plot_unrolled(steps, units=8)
    boxes = figure.axes[0].collections
    shown = [np.asarray(box.get_array())[:, 0] for box in boxes]
    np.testing.assert_array_equal(shown, np.concatenate([steps.values, steps.states])[:, :8])
    limit = np.abs(shown).max()
    assert {box.get_clim() for box in boxes} == {(-limit, limit)}
    heights = boxes[0].get_coordinates()[:, 0, 1]
    assert (np.diff(heights) < 0).all() and len(heights) == 9
    assert {*SOURCE, *TARGET, "<start>", "thought vector", "encoder", "decoder"} == set(texts(figure))
    assert figure.axes[1].get_title() == "activation, first 8 of 12 units"
    save_figure(figure, tmp_path / "unrolled.png")


@pytest.mark.parametrize("scores", ["one", "none", "three heads"])
def test_attention_is_a_line_for_each_weight_as_thick_as_it_and_ends_at_the_query(steps, scores):
    changed = {"one": steps.scores, "none": None, "three heads": np.stack([steps.scores] * 3)}[scores]
    figure = plot_unrolled(steps._replace(scores=changed))
    lines = figure.axes[0].lines
    weights = [w for row in steps.weights for w in row if w >= 0.05]
    np.testing.assert_allclose([line.get_linewidth() for line in lines], [6 * w for w in weights])
    places = {text.get_text(): text.get_position()[0] for text in figure.axes[0].texts}
    for line, ends in zip(lines, [("dad", "<start>"), ("bought", "बाबांनी")], strict=False):
        np.testing.assert_allclose(line.get_xdata(), [places[token] for token in ends])
    after = plot_unrolled(steps._replace(queries=steps.states[1:])).axes[0].lines
    np.testing.assert_allclose(after[0].get_xdata(), [places["dad"], places["बाबांनी"]])
    assert "thought vector, given to every step" not in texts(figure)


def test_plain_seq2seq_has_no_attention_but_the_thought_vector_at_every_step(steps):
    figure = plot_unrolled(steps._replace(scores=None, plain=True))
    assert not figure.axes[0].lines and "thought vector, given to every step" in texts(figure)
    assert [patch.get_gid() for patch in figure.axes[0].patches].count("thought vector") == len(TARGET)


def test_latin_letters_stand_between_marathi_tokens_and_what_is_below(either, assert_readable):
    tokens = ["विद्यार्थ्यांना", "▁बाबा", "ंनी", ".", "<end>"]  # the third begins with a sign
    steps = either._replace(target_tokens=tokens)
    without, figure = plot_unrolled(steps), plot_unrolled(steps, romanize=True)
    latin = [text for text in figure.axes[0].texts if text.get_text() not in texts(without)]
    assert [text.get_text() for text in latin] == ["vidyārthyānnā", "bābā"]
    assert {(text.get_fontsize(), text.get_color()) for text in latin} == {(8, PALE)}
    assert_readable(figure, figure.axes[0].texts)
    arrows = [arrow.get_window_extent() for arrow in figure.axes[0].patches]
    assert not any(text.get_window_extent().overlaps(arrow) for text in latin for arrow in arrows)
    assert figure.get_figheight() > without.get_figheight()
    english = [plot_unrolled(either._replace(target_tokens=[*"abcde"]), romanize=value) for value in (False, True)]
    assert len({(*texts(figure), *figure.get_size_inches()) for figure in english}) == 1  # no Latin letters, no room


def test_diagrams_say_what_they_show(steps):
    start = "Diagram: the encoder reads: dad bought it . The decoder writes: बाबांनी विकत घेतलं . <end> "
    looked = "बाबांनी looked most at dad 1.00, विकत at bought 0.90, घेतलं at bought 0.50, . at . 1.00, <end> at . 1.00"
    assert plot_unrolled(steps).get_label() == f"{start}The decoder attends to the encoder: {looked}."
    plain = plot_unrolled(steps._replace(scores=None, plain=True)).get_label()
    assert plain.startswith(start) and "thought vector" in plain and "looked" not in plain
    silent = plot_unrolled(steps, links=False).get_label()
    assert silent.startswith(start) and "question mark" in silent and "looked" not in silent
    assert plot_beam_tree(NODES).get_label() == (
        "Tree of a beam search: step 1 kept तो, ती, of 2 candidates; step 2 kept जाते, जातो, of 4 candidates."
        " The best: ती जाते, log-probability −1.10."
    )


def test_without_links_the_halves_stand_alone_and_a_question_mark_asks(either):
    linked, alone = plot_unrolled(either), plot_unrolled(either, links=False)
    assert [text for text in texts(alone) if text not in texts(linked)] == ["?"]
    assert not any("thought vector" in text for text in texts(alone)) and not alone.axes[0].lines
    # an arrow from box to box, and two for each token that is written
    assert len(alone.axes[0].patches) == len(SOURCE) - 1 + 3 * len(TARGET)


@pytest.mark.parametrize(("bidirectional", "arrows"), [(True, len(SOURCE) - 1), (False, 0)])
def test_arrows_tell_in_which_directions_the_encoder_reads(steps, bidirectional, arrows):
    patches = plot_unrolled(steps._replace(bidirectional=bidirectional)).axes[0].patches
    assert sum(isinstance(patch.get_arrowstyle(), ArrowStyle.CurveFilledAB) for patch in patches) == arrows


@pytest.mark.parametrize("plain", [False, True])
def test_a_diagram_of_one_token_has_its_words_beside_its_scale(tmp_path, assert_readable, plain):
    figure = plot_unrolled(LEAST._replace(scores=None, plain=True) if plain else LEAST)
    assert {"go", "जा"} <= set(texts(figure))
    main, scale = figure.axes
    boxes = assert_readable(figure, main.texts)
    assert not any(box.overlaps(scale.get_tightbbox()) for box in boxes)
    assert 0 < figure.bbox.y1 - max(box.y1 for box in boxes) < 0.2 * figure.dpi
    save_figure(figure, tmp_path / "one.png")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": np.zeros((3, 11))}, r"steps\.values: expected shape \(4, 11\), got"),
        ({"states": np.zeros((6, 11))}, r"steps\.states: expected shape \(6, 12\), got"),
        ({"queries": np.zeros((5, 11))}, r"steps\.queries: expected shape \(5, 12\), got"),
        ({"scores": np.zeros((5, 3))}, r"steps\.scores: expected shape \(5, 4\), got"),
        ({"weights": np.zeros((5, 3))}, r"steps\.weights: expected shape \(5, 4\), got"),
        ({"contexts": np.zeros((5, 11))}, r"steps\.contexts: expected shape \(5, 12\), got"),
        ({"source_tokens": []}, "steps: nothing to draw"),
        ({"source_tokens": ["\U0010ffff", *SOURCE[1:]]}, r"U\+10FFFF"),
    ],
)
def test_what_does_not_fit_and_missing_glyphs_are_refused_by_name(steps, change, message):
    with pytest.raises(ValueError, match=message):
        plot_unrolled(steps._replace(**change))


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
    winner, kept, given_up = (to_hex(colour) for colour in (PALETTE[0], DARK, PALE))
    assert colours == {
        "<start>": kept,
        "तो  −0.50": kept,
        "ती  −0.90": winner,
        "जातो  −2.00": kept,
        "गेला  −3.00": given_up,
        "जाते  −1.10": winner,
        "गेली  −3.90": given_up,
    }
    assert_readable(figure, figure.axes[0].texts)
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
    assert len({places[token][0] for token in tokens[:2]}) == 1 and places["जातो"][0] > places["तो"][0]
    # followers stand in the order of what they follow, better ones above
    assert places["तो"][1] > places["ती"][1]
    assert [places[token][1] for token in tokens[2:]] == sorted((places[t][1] for t in tokens[2:]), reverse=True)


def test_a_tree_that_is_none_is_refused():
    with pytest.raises(ValueError, match="nodes: expected at least one"):
        plot_beam_tree([])
    with pytest.raises(ValueError, match=r"nodes\[1\]: its step is 2 and its parent 0; see BeamNode"):
        plot_beam_tree([NODES[0], NODES[2]._replace(step=2)])
    with pytest.raises(ValueError, match=r"nodes\[0\]: its step is 1 and its parent 1; see BeamNode"):
        plot_beam_tree([NODES[2]._replace(parent=1), NODES[0]])
