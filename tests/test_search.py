import numpy as np
import tensorflow as tf

from nmt_attention.search import beam_search, greedy_search, length_penalty, repeat_rows
from nmt_attention.text import END_ID, PAD_ID, START_ID

A, B = 4, 5


def table_step(table):
    """A step function that looks the next token's distribution up by the last token alone."""
    log_probs = np.full((6, 6), -np.inf, np.float32)
    for token, row in table.items():
        for following, probability in row.items():
            log_probs[token, following] = np.log(probability)

    def step(token_ids, state):
        weights = tf.one_hot(state % 3, 3)  # looks one position further at every step
        return tf.gather(tf.constant(log_probs), token_ids), state + 1, weights

    return step


def test_greedy_takes_the_best_token_at_every_step_and_adds_up_its_log_probabilities():
    step = table_step({START_ID: {A: 0.6, B: 0.4}, A: {B: 0.7, END_ID: 0.3}, B: {END_ID: 0.9, A: 0.1}})
    ids, weights, log_prob = greedy_search(step, tf.constant([0]), tf.constant([10]))
    np.testing.assert_array_equal(ids, [[A, B, END_ID]])
    np.testing.assert_array_equal(weights, [np.eye(3)])
    np.testing.assert_allclose(log_prob, [np.log(0.6 * 0.7 * 0.9)], rtol=1e-6)


def test_a_row_that_has_ended_stays_ended_while_others_go_on():
    # the second row starts as if A had been written before: state decides
    def step(token_ids, state):
        ended = tf.one_hot(tf.where(state >= 2, END_ID, A), 6, on_value=0.0, off_value=-50.0)
        return ended, state + 1, tf.ones((2, 1))

    ids, weights, log_prob = greedy_search(step, tf.constant([0, 2]), tf.constant([9, 9]))
    np.testing.assert_array_equal(ids, [[A, A, END_ID], [END_ID, PAD_ID, PAD_ID]])
    np.testing.assert_array_equal(weights[1, :, 0], [1, 0, 0])
    np.testing.assert_array_equal(log_prob, [0, 0])


def test_search_ends_at_each_rows_limit_even_if_the_model_never_ends():
    step = table_step({START_ID: {A: 1.0}, A: {A: 1.0}})
    ids, weights, _ = greedy_search(step, tf.constant([0, 0, 0]), tf.constant([1, 4, 0]))
    np.testing.assert_array_equal(ids, [[A, 0, 0, 0], [A, A, A, A], [0, 0, 0, 0]])
    assert weights.shape == (3, 4, 3) and not np.any(weights[2])


def test_search_is_the_same_inside_a_graph():
    step = table_step({START_ID: {A: 0.6, B: 0.4}, A: {B: 0.7, END_ID: 0.3}, B: {END_ID: 0.9, A: 0.1}})
    search = tf.function(lambda state, limits: greedy_search(step, state, limits))
    for outside, inside in zip(
        greedy_search(step, tf.constant([0]), tf.constant([10])),
        search(tf.constant([0]), tf.constant([10])),
        strict=True,
    ):
        np.testing.assert_array_equal(outside, inside)


TRAP = {START_ID: {A: 0.6, B: 0.4}, A: {A: 0.5, END_ID: 0.5}, B: {END_ID: 1.0}}  # greedy: A, then a coin's throw


def run_beam(table, beam_size, limits=(10,), alpha=0.0, **options):
    state = repeat_rows(tf.zeros([len(limits)], tf.int32), beam_size)
    return beam_search(table_step(table), state, tf.constant(limits), beam_size, alpha, **options)


def test_beam_2_finds_what_greedy_provably_misses():
    # greedy goes A (0.6) and has at most 0.6 · 0.5 = 0.3; B END has 0.4
    ids, _, log_prob = run_beam(TRAP, 2)
    np.testing.assert_array_equal(ids[0, 0][:2], [B, END_ID])
    np.testing.assert_allclose(log_prob[0, 0], np.log(0.4), rtol=1e-6)
    np.testing.assert_array_equal(ids[0, 1][:2], [A, END_ID])
    np.testing.assert_allclose(log_prob[0, 1], np.log(0.3), rtol=1e-6)
    greedy_ids, _, greedy_log_prob = greedy_search(table_step(TRAP), tf.constant([0]), tf.constant([10]))
    assert greedy_ids[0, 0] == A and greedy_log_prob[0] < log_prob[0, 0]


def test_a_beam_of_1_is_greedy():
    table = {START_ID: {A: 0.6, B: 0.4}, A: {B: 0.7, END_ID: 0.3}, B: {END_ID: 0.9, A: 0.1}}
    ids, weights, log_prob = run_beam(table, 1, alpha=1.0)
    expected = greedy_search(table_step(table), tf.constant([0]), tf.constant([10]))
    for found, wanted in zip((ids, weights, log_prob), expected, strict=True):
        np.testing.assert_allclose(found[:, 0], wanted, rtol=1e-6)


def test_a_beam_as_wide_as_the_space_finds_the_best_of_all_sentences():
    # every sentence of at most 3 tokens over A, B, END, by brute force
    rng = np.random.default_rng(0)
    table = {token: dict(zip((A, B, END_ID), rng.dirichlet(np.ones(3)), strict=True)) for token in (START_ID, A, B)}
    sentences = [()]
    found = {}
    for _ in range(3):
        sentences = [(*s, t) for s in sentences if s[-1:] != (END_ID,) for t in (A, B, END_ID)]
        found |= {s: None for s in sentences if s[-1] == END_ID}
    found |= {s: None for s in sentences}
    for s in found:
        found[s] = sum(np.log(table[before][token]) for before, token in zip((START_ID, *s), s, strict=False))
    best = max(found, key=found.get)
    ids, _, log_prob = run_beam(table, 27, limits=(3,))
    assert tuple(int(i) for i in ids[0, 0] if i) == best
    np.testing.assert_allclose(log_prob[0, 0], found[best], rtol=1e-5)


def test_every_hypothesis_carries_the_attention_of_its_own_steps():
    # the state is the last token, and a step looks at position (token - 3): A at 1, B at 2
    step = table_step(TRAP)

    def looking_step(token_ids, state):
        log_probs, _, _ = step(token_ids, tf.zeros_like(token_ids))
        return log_probs, token_ids, tf.one_hot(tf.maximum(token_ids - 3, 0), 3)

    ids, weights, _ = beam_search(looking_step, tf.zeros([3], tf.int32), tf.constant([3]), 3, 0.0)
    for hypothesis, attention in zip(np.asarray(ids[0]), np.asarray(weights[0]), strict=True):
        before = START_ID
        for token, row in zip(hypothesis, attention, strict=True):
            expected = np.eye(3)[max(before - 3, 0)] if token != PAD_ID else np.zeros(3)
            np.testing.assert_array_equal(row, expected)
            before = token


def test_the_length_penalty_prefers_longer_sentences_as_alpha_grows():
    # END at once: ln 0.4. A END: ln (0.6 · 0.6) = ln 0.36, one token more
    table = {START_ID: {END_ID: 0.4, A: 0.6}, A: {END_ID: 0.6, B: 0.4}, B: {END_ID: 1.0}}
    assert run_beam(table, 3, alpha=0.0)[0][0, 0, 0] == END_ID
    assert run_beam(table, 3, alpha=1.0)[0][0, 0, 0] == A
    np.testing.assert_allclose(length_penalty(tf.constant([1, 7]), 1.0), [1.0, 2.0])


def test_rows_of_a_beam_end_at_their_own_limits_and_do_not_mix():
    table = {START_ID: {A: 0.6, B: 0.4}, A: {A: 0.9, B: 0.1}, B: {B: 0.9, A: 0.1}}
    ids, _, log_prob = run_beam(table, 2, limits=(1, 3))
    np.testing.assert_array_equal(ids[0], [[A, 0, 0], [B, 0, 0]])
    np.testing.assert_array_equal(ids[1], [[A, A, A], [B, B, B]])
    alone = run_beam(table, 2, limits=(3,))
    np.testing.assert_array_equal(ids[1], alone[0][0])
    np.testing.assert_allclose(log_prob[1], alone[2][0])


def test_beam_search_is_the_same_inside_a_graph():
    def search(limits):
        return beam_search(table_step(TRAP), tf.zeros([2], tf.int32), limits, 2, 0.6)

    in_graph = tf.function(search, input_signature=[tf.TensorSpec([None], tf.int32)])
    limits = tf.constant([9])
    for outside, inside in zip(search(limits), in_graph(limits), strict=True):
        np.testing.assert_allclose(outside, inside)
