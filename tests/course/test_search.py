"""Searches of tables of probabilities that are small enough to be searched by hand."""

import itertools

import numpy as np
import pytest
import tensorflow as tf
from tiny import table_step

from nmt_attention.search import beam_search, forbid, greedy_search, length_penalty, max_target_length, repeat_rows
from nmt_attention.vocabulary import END_ID, START_ID

A, B = 4, 5
CHAIN = {START_ID: {A: 0.6, B: 0.4}, A: {B: 0.7, END_ID: 0.3}, B: {END_ID: 0.9, A: 0.1}}


def run_greedy(table, limits=(10,)):
    return greedy_search(table_step(table), tf.zeros([len(limits)], tf.int32), tf.constant(limits))


def run_beam(table, beam_size, limits=(10,), alpha=0.0):
    state = repeat_rows(tf.zeros([len(limits)], tf.int32), beam_size)
    return beam_search(table_step(table), state, tf.constant(limits), beam_size, alpha)


def test_greedy_takes_the_best_token_at_every_step_and_adds_up_its_log_probabilities():
    ids, weights, log_prob = run_greedy(CHAIN)
    np.testing.assert_array_equal(ids, [[A, B, END_ID]])
    np.testing.assert_array_equal(weights, [np.eye(3)])
    np.testing.assert_allclose(log_prob, [np.log(0.6 * 0.7 * 0.9)], rtol=1e-6)
    assert max_target_length(5) == 20


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_beam_as_wide_as_the_space_finds_the_best_of_all_sentences(alpha):
    # every sentence of at most 3 tokens over A, B and END, by brute force
    random = np.random.default_rng(0)
    table = {token: dict(zip((A, B, END_ID), random.dirichlet(np.ones(3)), strict=True)) for token in (START_ID, A, B)}
    log_probs = {}
    for length in (1, 2, 3):
        for words in itertools.product((A, B), repeat=length - 1):
            for last in (A, B, END_ID) if length == 3 else (END_ID,):
                sentence = (*words, last)
                log_probs[sentence] = sum(
                    np.log(table[b][t]) for b, t in zip((START_ID, *words), sentence, strict=True)
                )
    order = sorted(log_probs, key=lambda s: -log_probs[s] / float(length_penalty(len(s), alpha)))
    ids, _, log_prob = run_beam(table, 27, limits=(3,), alpha=alpha)
    assert [tuple(int(i) for i in row if i) for row in ids[0, : len(order)]] == order
    np.testing.assert_allclose(log_prob[0, : len(order)], [log_probs[s] for s in order], rtol=1e-5)


def test_the_length_penalty_prefers_longer_sentences_as_alpha_grows():
    # END at once: ln 0.4. A END: ln (0.6 · 0.6) = ln 0.36, one token more
    table = {START_ID: {END_ID: 0.4, A: 0.6}, A: {END_ID: 0.6, B: 0.4}, B: {END_ID: 1.0}}
    assert run_beam(table, 3, alpha=0.0)[0][0, 0, 0] == END_ID
    assert run_beam(table, 3, alpha=1.0)[0][0, 0, 0] == A
    np.testing.assert_allclose(length_penalty(tf.constant([1, 7]), 1.0), [1.0, 2.0])


def counting_down_step(seen):
    """Row r ends after `left` tokens; fails if a row does not have its own memory; notes the rows of each step."""

    def step(token_ids, state, memory):
        rows, left = state
        seen.append(int(tf.size(rows)))
        np.testing.assert_array_equal(rows, np.repeat(memory, tf.size(rows) // tf.size(memory)))
        log_probs = tf.where(left[:, tf.newaxis] > 1, tf.one_hot(A, 6), tf.one_hot(END_ID, 6)) + 0.5 * tf.one_hot(B, 6)
        return tf.nn.log_softmax(5 * log_probs), (rows, left - 1), tf.one_hot(rows, 4)

    return step


@pytest.mark.parametrize("hypotheses", [1, 3])
def test_rows_that_have_ended_leave_with_their_memory_and_change_no_other(hypotheses):
    def run(rows, lengths, limits):
        seen, options = [], {"memory": (tf.constant(rows),)}
        state, limits = repeat_rows((tf.constant(rows), tf.constant(lengths)), hypotheses), tf.constant(limits)
        if hypotheses > 1:
            return beam_search(counting_down_step(seen), state, limits, hypotheses, **options), seen
        return [x[:, tf.newaxis] for x in greedy_search(counting_down_step(seen), state, limits, **options)], seen

    lengths, limits = [2, 6, 1, 3], [9, 9, 9, 2]
    (ids, weights, log_prob), seen = run([0, 1, 2, 3], lengths, limits)
    assert seen[0] == 4 * hypotheses and seen[-1] < 4 * hypotheses and seen == sorted(seen, reverse=True)
    for row in range(4):
        (own_ids, own_weights, own_log_prob), own_seen = run([row], [lengths[row]], [limits[row]])
        steps = len(own_seen)
        np.testing.assert_array_equal(ids[row, :, :steps], own_ids[0])
        np.testing.assert_array_equal(weights[row, :, :steps], own_weights[0])
        np.testing.assert_allclose(log_prob[row], own_log_prob[0], rtol=1e-6)
        assert not np.any(ids[row, :, steps:]) and not np.any(weights[row, :, steps:])


def test_what_is_forbidden_gets_no_probability_in_any_hypothesis_of_its_row():
    never = tf.constant([[-np.inf, 0.0], [0.0, -np.inf]], tf.float32)  # of the first two tokens of each row
    logits = forbid(tf.ones((4, 3)), never)  # two hypotheses of each row
    np.testing.assert_array_equal(np.isfinite(logits), [[0, 1, 1], [0, 1, 1], [1, 0, 1], [1, 0, 1]])
