import numpy as np
import tensorflow as tf

from nmt_attention.search import greedy_search
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
