import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import ArrowStyle

from nmt_attention.figures.diagram import plot_beam_tree, plot_unrolled
from nmt_attention.figures.heatmap import DARK, PALE, PALETTE, save_figure
from nmt_attention.figures.trace import BeamNode, DecodingSteps

SOURCE, TARGET = ["dad", "bought", "it", "."], ["बाबांनी", "विकत", "घेतलं", ".", "<end>"]


@pytest.fixture
def steps():
    random = np.random.default_rng(0)
    weights = np.array([[1, 0, 0, 0], [0, 0.9, 0.08, 0.02], [0, 0.5, 0, 0.5], [0, 0, 0, 1], [0, 0, 0, 1]])
    values, states = random.uniform(-1, 1, (4, 12)), random.uniform(-1, 1, (6, 12))
    scores = np.log(weights + 1e-3)
    return DecodingSteps(SOURCE, TARGET, values, states, states[:-1], scores, weights, weights @ values, True)


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_every_position_is_a_box_of_its_real_activations(steps, tmp_path):
    figure = plot_unrolled(steps, units=8)
    boxes = figure.axes[0].collections
    shown = [np.asarray(box.get_array())[:, 0] for box in boxes]
    np.testing.assert_array_equal(shown, np.concatenate([steps.values, steps.states])[:, :8])
    limit = np.abs(shown).max()
    assert {box.get_clim() for box in boxes} == {(-limit, limit)}
    assert {*SOURCE, *TARGET, "<start>", "thought vector", "encoder", "decoder"} == set(texts(figure))
    assert figure.axes[1].get_title() == "activation, first 8 of 12 units"
    save_figure(figure, tmp_path / "unrolled.png")


def test_a_box_has_the_first_number_on_top(steps):
    box = plot_unrolled(steps, units=8).axes[0].collections[0]
    heights = box.get_coordinates()[:, 0, 1]
    assert (np.diff(heights) < 0).all() and len(heights) == 9


def test_attention_is_a_line_for_each_weight_as_thick_as_it(steps):
    lines = plot_unrolled(steps).axes[0].lines
    weights = [w for row in steps.weights for w in row if w >= 0.05]
    np.testing.assert_allclose([line.get_linewidth() for line in lines], [6 * w for w in weights])
    tokens = {text.get_text(): text.get_position()[0] for text in plot_unrolled(steps).axes[0].texts}
    np.testing.assert_allclose(lines[0].get_xdata(), [tokens["dad"], tokens["बाबांनी"]])
    np.testing.assert_allclose(lines[1].get_xdata(), [tokens["bought"], tokens["विकत"]])


def test_plain_seq2seq_has_no_attention_but_the_thought_vector_at_every_step(steps, tmp_path):
    figure = plot_unrolled(steps._replace(scores=None, plain=True))
    assert not figure.axes[0].lines
    assert "thought vector, given to every step" in texts(figure)
    given = [patch for patch in figure.axes[0].patches if patch.get_gid() == "thought vector"]
    assert len(given) == len(TARGET)
    save_figure(figure, tmp_path / "plain.png")


@pytest.mark.parametrize("plain", [True, False])
def test_latin_letters_stand_between_marathi_tokens_and_what_is_below(steps, plain):
    steps = steps._replace(
        plain=plain,
        scores=None if plain else steps.scores,
        target_tokens=["विद्यार्थ्यांना", "▁बाबा", "ंनी", ".", "<end>"],  # the third begins with a sign
    )
    without, figure = plot_unrolled(steps), plot_unrolled(steps, romanize=True)
    latin = [text for text in texts(figure) if text not in texts(without)]
    assert latin == ["vidyārthyānnā", "bābā"]
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [text.get_window_extent() for text in axes.texts]
    for i, box in enumerate(boxes):
        assert figure.bbox.contains(box.x0, box.y0) and figure.bbox.contains(box.x1, box.y1)
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
    arrows = [arrow.get_window_extent() for arrow in axes.patches]
    for text, box in zip(axes.texts, boxes, strict=True):
        if text.get_text() in latin:
            assert text.get_fontsize() == 8 and text.get_color() == PALE
            assert not any(box.overlaps(arrow) for arrow in arrows)
    assert figure.get_figheight() > without.get_figheight()


def test_without_marathi_there_are_no_latin_letters_and_no_room_for_them(steps):
    steps = steps._replace(target_tokens=list("abcde"))
    without, figure = plot_unrolled(steps), plot_unrolled(steps, romanize=True)
    assert texts(figure) == texts(without) and (figure.get_size_inches() == without.get_size_inches()).all()


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


@pytest.mark.parametrize("plain", [True, False])
def test_without_links_the_halves_stand_alone_and_a_question_mark_asks(steps, plain):
    steps = steps._replace(plain=plain, scores=None if plain else steps.scores)
    linked, alone = plot_unrolled(steps), plot_unrolled(steps, links=False)
    assert [text for text in texts(alone) if text not in texts(linked)] == ["?"]
    assert not any("thought vector" in text for text in texts(alone)) and not alone.axes[0].lines
    # an arrow from box to box, and two for each token that is written
    assert len(alone.axes[0].patches) == len(SOURCE) - 1 + 3 * len(TARGET)


@pytest.mark.parametrize("heads", [None, 3])
def test_attention_without_one_score_per_position_is_not_drawn_as_plain_seq2seq(steps, heads):
    figure = plot_unrolled(steps._replace(scores=heads and np.stack([steps.scores] * heads)))
    assert len(figure.axes[0].lines) == (steps.weights >= 0.05).sum()
    assert "thought vector, given to every step" not in texts(figure)


def test_arrows_tell_in_which_directions_the_encoder_reads(steps):
    def heads(steps):
        return sum(
            isinstance(p.get_arrowstyle(), ArrowStyle.CurveFilledAB) for p in plot_unrolled(steps).axes[0].patches
        )

    assert heads(steps) == len(SOURCE) - 1
    assert heads(steps._replace(bidirectional=False)) == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("values", r"\(4, 11\)"),
        ("states", r"\(6, 12\)"),
        ("queries", r"\(5, 12\)"),
        ("scores", r"\(5, 4\)"),
        ("weights", r"\(5, 4\)"),
        ("contexts", r"\(5, 12\)"),
    ],
)
def test_arrays_that_do_not_fit_are_refused_by_name(steps, name, expected):
    wrong = getattr(steps, name)[:, :-1] if name != "values" else getattr(steps, name)[:-1, :-1]
    with pytest.raises(ValueError, match=rf"steps\.{name}: expected shape {expected}, got"):
        plot_unrolled(steps._replace(**{name: wrong}))


def test_nothing_and_missing_glyphs_are_refused(steps):
    with pytest.raises(ValueError, match="steps: nothing to draw"):
        plot_unrolled(steps._replace(source_tokens=[]))
    with pytest.raises(ValueError, match=r"U\+10FFFF"):
        plot_unrolled(steps._replace(source_tokens=["\U0010ffff", *SOURCE[1:]]))


def test_one_token_on_each_side_can_be_drawn(steps, tmp_path):
    one = np.ones((1, 12))
    least = DecodingSteps(["go"], ["जा"], one, np.ones((2, 12)), one, np.ones((1, 1)), np.ones((1, 1)), one, False)
    save_figure(plot_unrolled(least), tmp_path / "one.png")
    assert {"go", "जा"} <= set(texts(plot_unrolled(least)))


NODES = [
    BeamNode(None, 0, "तो", -0.5, -0.5, True, False),
    BeamNode(None, 0, "ती", -0.9, -0.9, True, True),
    BeamNode(0, 1, "जातो", -1.5, -2.0, True, False),
    BeamNode(0, 1, "गेला", -2.5, -3.0, False, False),
    BeamNode(1, 1, "जाते", -0.2, -1.1, True, True),
    BeamNode(1, 1, "गेली", -3.0, -3.9, False, False),
]


def test_a_beam_tree_tells_kept_from_given_up_and_the_winner_from_both(tmp_path):
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
    save_figure(figure, tmp_path / "beam.svg")


def test_a_hyphen_in_a_token_is_no_minus():
    (*_, node) = plot_beam_tree([BeamNode(None, 0, "x-ray", -0.5, -0.5, True, True)]).axes[0].texts
    assert node.get_text() == "x-ray  −0.50"


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


def test_the_texts_of_a_beam_tree_do_not_overlap():
    figure = plot_beam_tree(NODES)
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
        assert figure.bbox.containsx(box.x0) and figure.bbox.containsx(box.x1)


def test_a_tree_that_is_none_is_refused():
    with pytest.raises(ValueError, match="nodes: expected at least one"):
        plot_beam_tree([])
    with pytest.raises(ValueError, match=r"nodes\[1\]: its step is 2 and its parent 0; see BeamNode"):
        plot_beam_tree([NODES[0], NODES[2]._replace(step=2)])
    with pytest.raises(ValueError, match=r"nodes\[0\]: its step is 1 and its parent 1; see BeamNode"):
        plot_beam_tree([NODES[2]._replace(parent=1), NODES[0]])


@pytest.mark.parametrize("plain", [False, True])
def test_a_small_diagram_has_its_words_beside_its_scale_and_nothing_above(plain):
    one = np.ones((1, 12))
    scores = None if plain else np.ones((1, 1))
    least = DecodingSteps(["go"], ["जा"], one, np.ones((2, 12)), one, scores, np.ones((1, 1)), one, False)
    figure = plot_unrolled(least)
    figure.draw_without_rendering()
    main, scale = figure.axes
    boxes = [text.get_window_extent() for text in main.texts]
    assert not any(box.overlaps(scale.get_tightbbox()) for box in boxes)
    assert all(figure.bbox.containsx(box.x0) and figure.bbox.containsx(box.x1) for box in boxes)
    assert 0 < figure.bbox.y1 - max(box.y1 for box in boxes) < 0.2 * figure.dpi
