import numpy as np
import pytest
import tensorflow as tf
from tiny import ENGLISH, MARATHI, parts

from nmt_attention import ModelConfig, Seq2Seq, Translator, WordTokenizer, beam_search, plot_heads
from nmt_attention.figures.trace import trace_beam, trace_steps
from nmt_attention.preprocess.protect import ALL_SYMBOLS
from nmt_attention.vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"attention": "none"},
        {"attention": "dot", "decoder": "luong", "decoder_layers": 2, "bidirectional": False},
        {"attention": "general", "decoder": "luong-input-feeding", "cell": "lstm"},
        {"attention": "multi-head", "decoder": "luong"},
    ],
)
def test_the_steps_are_those_of_the_greedy_translation_and_follow_from_one_another(settings):
    model, source, target = parts(seed=3, units=8, **settings)
    steps = trace_steps(model, source, target, ENGLISH[0])
    (translation,) = Translator(model, source, target).translate(ENGLISH[:1])
    assert (steps.source_tokens, steps.target_tokens) == (translation.source_tokens, translation.target_tokens)
    np.testing.assert_allclose(steps.weights, translation.attention, atol=1e-5)

    written, read = len(steps.target_tokens), len(steps.source_tokens)
    assert steps.values.shape == (read, 8) and steps.states.shape == (written + 1, 8)
    assert steps.queries.shape == steps.contexts.shape == (written, 8)
    assert steps.bidirectional == settings.get("bidirectional", True)
    if settings.get("attention") == "none":
        assert steps.plain and steps.scores is None
        np.testing.assert_array_equal(steps.weights, np.tile(np.eye(read)[-1], (written, 1)))
        assert (steps.contexts == steps.contexts[0]).all()
        return
    # Bahdanau's decoder asks with the state before the step, Luong's with the one after it: its layers' sum
    if settings.get("decoder") is None:
        np.testing.assert_array_equal(steps.queries, steps.states[:-1])
    elif settings.get("decoder_layers") is None:
        np.testing.assert_array_equal(steps.queries, steps.states[1:])
    assert not steps.plain
    exp = np.exp(steps.scores)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    if settings.get("attention") == "multi-head":
        assert weights.shape == (4, written, read) and not np.allclose(weights[0], weights[1], atol=0.01)
        np.testing.assert_allclose(weights.mean(axis=0), steps.weights, atol=1e-5)
        panels = [axes for axes in plot_heads(steps, show_end=True).axes if axes.get_title()]
        assert [axes.get_title() for axes in panels] == [f"head {n}" for n in (1, 2, 3, 4)]
        np.testing.assert_allclose([axes.images[0].get_array() for axes in panels], weights, atol=1e-5)
        return
    np.testing.assert_allclose(weights, steps.weights, atol=1e-5)
    np.testing.assert_array_equal(steps.head_weights, steps.weights[np.newaxis])
    np.testing.assert_allclose(steps.weights @ steps.values, steps.contexts, atol=1e-4)


def test_a_given_translation_is_read_as_in_training():
    model, source, target = parts(seed=3, units=8)
    steps = trace_steps(model, source, target, ENGLISH[0], MARATHI[1])
    ids = target.encode(MARATHI[1])
    assert steps.target_tokens == target.tokens([*ids, END_ID])
    assert steps.target_tokens != trace_steps(model, source, target, ENGLISH[0]).target_tokens
    _, weights = model(np.array([source.encode(ENGLISH[0])]), np.array([[START_ID, *ids]]))
    np.testing.assert_allclose(steps.weights, weights[0], atol=1e-5)


def test_a_symbol_that_the_sentence_lacks_is_not_written():
    source, target = (WordTokenizer.learn([*texts, *ALL_SYMBOLS], 60) for texts in (ENGLISH, MARATHI))
    model = Seq2Seq(ModelConfig(len(source), len(target), units=8, embedding_units=8))
    model.decoder.output_bias.assign([100.0 * (token in ALL_SYMBOLS) for token in target.vocabulary])
    assert not set(trace_steps(model, source, target, ENGLISH[0]).target_tokens) & set(ALL_SYMBOLS)
    named = trace_steps(model, source, target, f"{ALL_SYMBOLS[2]} goes to school.")
    assert set(named.target_tokens) == {ALL_SYMBOLS[2]}


VOCABULARY = [*SPECIAL_TOKENS, "a", "b", "c"]


def table_step(table):
    """A step function whose state is the token before: row i of the table is what may follow token i."""
    log_probs = tf.math.log(tf.constant(table, tf.float32))

    def step(token_ids, state):
        return tf.gather(log_probs, token_ids), token_ids, tf.ones((tf.size(token_ids), 1))

    return step


def follow(nodes):
    return [node.token for node in nodes if node.in_best]


def test_a_beam_of_two_finds_what_greedy_search_gives_up():
    # after <start>: a 0.6, b 0.4; after a: a 0.4, b 0.35, <end> 0.25; after b: <end> 1. So a … has at most 0.24, b 0.4.
    table = np.zeros((7, 7))
    table[START_ID, 4:6] = 0.6, 0.4
    table[4, [4, 5, 2]] = 0.4, 0.35, 0.25
    table[5, 2] = 1.0
    nodes = trace_beam(table_step(table), 0, limit=2, beam_size=2, vocabulary=VOCABULARY, alpha=0.0)
    assert follow(nodes) == ["b", "<end>"]
    kept = [(node.parent, node.token, node.kept) for node in nodes[:4]]
    assert kept == [(None, "a", True), (None, "b", True), (0, "a", True), (0, "b", False)]
    (best,) = [node for node in nodes if node.in_best and node.token == "<end>"]
    assert best.total == pytest.approx(np.log(0.4)) and best.log_prob == pytest.approx(0.0)
    assert follow(trace_beam(table_step(table), 0, 2, 1, VOCABULARY))[0] == "a"


@pytest.mark.parametrize(("seed", "beam_size", "alpha"), [(0, 1, 1.0), (1, 3, 0.0), (2, 3, 5.0)])
def test_it_is_the_search_that_runs_in_the_graph(seed, beam_size, alpha):
    table = np.random.default_rng(seed).dirichlet(np.full(7, 0.5), size=7)
    table[:, [PAD_ID, START_ID]] = 0.0
    table /= table.sum(axis=1, keepdims=True)
    step = table_step(table)
    nodes = trace_beam(step, 0, limit=6, beam_size=beam_size, vocabulary=VOCABULARY, alpha=alpha)
    ids, _, log_prob = beam_search(step, tf.zeros(beam_size, tf.int32), tf.constant([6]), beam_size, alpha)
    best = np.array(ids[0, 0])
    assert follow(nodes) == [VOCABULARY[i] for i in best if i != PAD_ID]
    assert [node.total for node in nodes if node.in_best][-1] == pytest.approx(float(log_prob[0, 0]), rel=1e-4)
    for node in nodes:  # a total is the sum along its path, and only open kept nodes have followers
        parent = None if node.parent is None else nodes[node.parent]
        assert node.total == pytest.approx((parent.total if parent else 0.0) + node.log_prob)
        assert parent is None or (parent.kept and parent.step == node.step - 1 and parent.token != "<end>")
    assert all(sum(node.kept for node in nodes if node.step == t) <= beam_size for t in range(6))
