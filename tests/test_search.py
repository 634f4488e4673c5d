import itertools

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.decoding.sampling import keep_top_k, keep_top_p, sample
from nmt_attention.search import beam_search, greedy_search, length_penalty, repeat_rows, without_repeats
from nmt_attention.vocabulary import END_ID, PAD_ID, START_ID, UNKNOWN_ID

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
        return ended, state + 1, tf.ones((tf.size(state), 1))

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


# --- rows that have ended


def counting_down_step(seen):
    """Row r ends after r tokens; fails if a row does not have its own memory; notes how many rows each step has."""

    def step(token_ids, state, memory):
        rows, left = state
        seen.append(int(tf.size(rows)))
        np.testing.assert_array_equal(rows, np.repeat(memory, tf.size(rows) // tf.size(memory)))
        log_probs = tf.where(left[:, tf.newaxis] > 1, tf.one_hot(A, 6), tf.one_hot(END_ID, 6)) + 0.5 * tf.one_hot(B, 6)
        return tf.nn.log_softmax(5 * log_probs), (rows, left - 1), tf.one_hot(rows, 4)

    return step


def beam_of_1_from(search):
    return lambda *args, **memory: [tensor[:, tf.newaxis] for tensor in search(*args, **memory)]


@pytest.mark.parametrize(
    ("hypotheses", "search"),
    [
        (1, beam_of_1_from(greedy_search)),
        (1, beam_of_1_from(lambda *args, **memory: sample(*args, tf.zeros((4, 9)), **memory))),
        (3, lambda *args, **memory: beam_search(*args, 3, **memory)),
    ],
    ids=["greedy", "sample", "beam"],
)
def test_rows_that_have_ended_leave_with_their_memory_and_change_no_other(hypotheses, search):
    def run(rows, lengths, limits):
        seen = []
        state = repeat_rows((tf.constant(rows), tf.constant(lengths)), hypotheses)
        return search(counting_down_step(seen), state, tf.constant(limits), memory=(tf.constant(rows),)), seen

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


# --- sampling

COINS = {START_ID: {END_ID: 0.2, A: 0.5, B: 0.3}, A: {A: 0.25, END_ID: 0.75}, B: {END_ID: 1.0}}


def run_sample(draws, table=COINS, **options):
    draws = tf.constant(draws, tf.float32)
    rows, steps = draws.shape
    return sample(table_step(table), tf.zeros([rows], tf.int32), tf.fill([rows], steps), draws, **options)


def test_a_draw_takes_the_token_in_whose_stretch_it_falls():
    # at first END has 0 to 0.2, A 0.2 to 0.7, B 0.7 to 1; after A, END has 0 to 0.75
    draws = [[0.0, 0.5], [0.19, 0.5], [0.21, 0.74], [0.69, 0.76], [0.71, 0.5], [0.9999999, 0.9999999]]
    ids, weights, log_prob = run_sample(draws)
    np.testing.assert_array_equal(ids, [[END_ID, 0], [END_ID, 0], [A, END_ID], [A, A], [B, END_ID], [B, END_ID]])
    np.testing.assert_allclose(np.exp(log_prob), [0.2, 0.2, 0.5 * 0.75, 0.5 * 0.25, 0.3, 0.3], rtol=1e-5)
    np.testing.assert_array_equal(weights[2], np.eye(3)[:2])
    np.testing.assert_array_equal(weights[0], [[1, 0, 0], [0, 0, 0]])


def test_sentences_are_drawn_as_often_as_the_model_finds_them_probable():
    rows = 20_000
    ids, _, _ = run_sample(np.random.default_rng(0).random((rows, 3)))
    expected = {
        (END_ID, 0, 0): 0.2,
        (B, END_ID, 0): 0.3,
        (A, END_ID, 0): 0.5 * 0.75,
        (A, A, END_ID): 0.5 * 0.25 * 0.75,
        (A, A, A): 0.5 * 0.25 * 0.25,
    }
    counts = {sentence: 0 for sentence in expected}
    for row in ids.numpy().tolist():
        counts[tuple(row)] += 1
    chi_square = sum((counts[s] - rows * p) ** 2 / (rows * p) for s, p in expected.items())
    assert chi_square < 18.5  # four degrees of freedom: exceeded once in a thousand seeds


def test_a_row_is_drawn_by_its_own_numbers_whatever_the_other_rows():
    draws = np.random.default_rng(1).random((8, 4))
    ids, _, log_prob = run_sample(draws)
    for order in (range(7, -1, -1), [3, 5], [6]):
        some, _, some_log_prob = run_sample(draws[list(order)])
        wanted = np.array(ids)[list(order)]
        np.testing.assert_array_equal(some, wanted[:, : some.shape[1]])
        assert not wanted[:, some.shape[1] :].any()
        np.testing.assert_array_equal(some_log_prob, np.array(log_prob)[list(order)])


@pytest.mark.parametrize("options", [{"top_k": 1}, {"top_p": 0.01}, {"temperature": 0.001}])
def test_sampling_without_freedom_is_greedy(options):
    ids, weights, log_prob = run_sample(np.random.default_rng(2).random((50, 6)), **options)
    expected = greedy_search(table_step(COINS), tf.zeros([50], tf.int32), tf.fill([50], 6))
    for found, wanted in zip((ids, weights, log_prob), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_a_temperature_changes_what_is_drawn_and_not_what_the_model_says_of_it():
    # at temperature 1/2 probabilities are squared: 0.04, 0.25, 0.09 of 0.38, so that A has 0.105 to 0.763
    ids, _, log_prob = run_sample([[0.10], [0.11], [0.76], [0.77]], temperature=0.5)
    np.testing.assert_array_equal(ids[:, 0], [END_ID, A, A, B])
    np.testing.assert_allclose(np.exp(log_prob), [0.2, 0.5, 0.5, 0.3], rtol=1e-5)


def test_nothing_is_drawn_that_was_left_out():
    draws = np.linspace(0.0, 0.9999999, 1001)[:, np.newaxis]
    ids, _, log_prob = run_sample(draws, top_k=2)
    assert set(ids.numpy().ravel()) == {A, B}
    assert (ids.numpy() == A).mean() == pytest.approx(0.5 / 0.8, abs=0.01)
    assert set(np.round(np.exp(log_prob), 5)) == {np.float32(0.5), np.float32(0.3)}
    assert set(run_sample(draws, top_p=0.5)[0].numpy().ravel()) == {A}


def kept(log_probs):
    return [np.flatnonzero(np.isfinite(row)).tolist() for row in np.array(log_probs)]


def test_the_k_most_probable_are_kept_as_they_are():
    log_probs = tf.math.log([[0.5, 0.125, 0.25, 0.125], [0.1, 0.2, 0.3, 0.4]])
    assert kept(keep_top_k(log_probs, 1)) == [[0], [3]]
    assert kept(keep_top_k(log_probs, 2)) == [[0, 2], [2, 3]]
    assert kept(keep_top_k(log_probs, 3)) == [[0, 1, 2, 3], [1, 2, 3]]  # two tokens are third
    np.testing.assert_array_equal(keep_top_k(log_probs, 9), log_probs)
    np.testing.assert_array_equal(keep_top_k(log_probs, 1)[0, 0], log_probs[0, 0])


def test_the_nucleus_is_the_fewest_tokens_that_reach_p():
    log_probs = tf.math.log([[0.5, 0.125, 0.25, 0.125], [0.0, 0.0625, 0.9375, 0.0]])
    assert kept(keep_top_p(log_probs, 0.3)) == [[0], [2]]
    assert kept(keep_top_p(log_probs, 0.5)) == [[0], [2]]
    assert kept(keep_top_p(log_probs, 0.51)) == [[0, 2], [2]]
    assert kept(keep_top_p(log_probs, 0.75)) == [[0, 2], [2]]
    assert kept(keep_top_p(log_probs, 0.94)) == [[0, 1, 2, 3], [1, 2]]
    np.testing.assert_array_equal(keep_top_p(log_probs, 0.5)[0, 0], log_probs[0, 0])


def test_sampling_is_the_same_inside_a_graph():
    draws = np.random.default_rng(3).random((6, 5))
    in_graph = tf.function(lambda: run_sample(draws, temperature=2.0, top_k=3, top_p=0.9))
    for outside, inside in zip(run_sample(draws, temperature=2.0, top_k=3, top_p=0.9), in_graph(), strict=True):
        np.testing.assert_allclose(outside, inside, rtol=1e-6)


# --- no n tokens twice

LOOP = {START_ID: {A: 1.0}, A: {A: 0.5, B: 0.3, END_ID: 0.2}, B: {A: 0.8, END_ID: 0.2}}  # greedy: A A A A …


def run_without_repeats(search, table, n, limits=(8,), beam_size=1, in_graph=False):
    """Searches the table without repeats; `search` is given step, state and limits."""

    def run(limits):
        state = repeat_rows(tf.zeros_like(limits), beam_size)
        return search(*without_repeats(table_step(table), state, limits, n), limits)

    if in_graph:
        run = tf.function(run, input_signature=[tf.TensorSpec([None], tf.int32)])
    return run(tf.constant(limits))


@pytest.mark.parametrize(
    ("n", "sentence", "probability"),
    [
        (1, [A, B, END_ID], 0.3 * 0.2),
        (2, [A, A, B, A, END_ID], 0.5 * 0.3 * 0.8 * 0.2),  # after "A A B A" both "A A" and "A B" have been said
        (3, [A, A, A, B, A, A, END_ID], 0.5 * 0.5 * 0.3 * 0.8 * 0.5 * 0.2),
        (9, [A] * 8, 0.5**7),  # no sentence is long enough
    ],
)
def test_a_loop_is_left_by_the_best_token_that_says_something_new(n, sentence, probability):
    for search in (
        greedy_search,
        lambda step, state, limits: sample(step, state, limits, tf.random.uniform([1, 8], seed=1), temperature=0.01),
        lambda step, state, limits: [t[:, 0] for t in beam_search(step, state, limits, 1)],
    ):
        for in_graph in (False, True):
            ids, _, log_prob = run_without_repeats(search, LOOP, n, in_graph=in_graph)
            np.testing.assert_array_equal(ids, [sentence])
            np.testing.assert_allclose(np.exp(log_prob), [probability], rtol=1e-5)  # as the model says, not rescaled


def test_what_was_written_follows_its_hypothesis_when_a_beam_reorders():
    # A (0.6) leads B (0.4), then B B (0.36) leads A A (0.33): they change places, and both may not go on as they were
    table = {START_ID: {A: 0.6, B: 0.4}, A: {A: 0.55, END_ID: 0.45}, B: {B: 0.9, END_ID: 0.1}}
    ids, _, log_prob = run_without_repeats(lambda *args: beam_search(*args, 2, 0.0), table, 2, beam_size=2)
    np.testing.assert_array_equal(ids, [[[A, A, END_ID], [B, B, END_ID]]])
    np.testing.assert_allclose(np.exp(log_prob), [[0.33 * 0.45, 0.36 * 0.1]], rtol=1e-5)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_wide_beam_without_repeats_finds_the_best_of_all_sentences_without_them(n):
    rng = np.random.default_rng(n)
    table = {token: dict(zip((A, B, END_ID), rng.dirichlet([3, 3, 0.3]), strict=True)) for token in (START_ID, A, B)}
    found = {}
    for length in range(1, 6):
        for words in itertools.product((A, B), repeat=length - 1):
            for end in (END_ID,) if length < 5 else (A, B, END_ID):
                sentence = (*words, end)
                ngrams = list(zip(*(sentence[i:] for i in range(n)), strict=False))
                if len(set(ngrams)) == len(ngrams):
                    steps = zip((START_ID, *sentence), sentence, strict=False)
                    found[sentence] = np.prod([table[before][token] for before, token in steps])
    ids, _, log_prob = run_without_repeats(lambda *args: beam_search(*args, 64, 0.0), table, n, (5,), beam_size=64)
    beam = {
        tuple(int(i) for i in row if i): np.exp(p) for row, p in zip(ids[0], log_prob[0], strict=True) if p > -np.inf
    }
    assert beam == pytest.approx(found, rel=1e-4)
    assert next(iter(beam.values())) == max(beam.values())


def test_rows_do_not_forbid_each_other_anything():
    ids, _, _ = run_without_repeats(greedy_search, LOOP, 2, limits=(8, 3, 8))
    np.testing.assert_array_equal(ids, [[A, A, B, A, END_ID], [A, A, B, 0, 0], [A, A, B, A, END_ID]])


def test_unknown_words_may_follow_each_other_for_they_need_not_be_the_same():
    table = {
        START_ID: {UNKNOWN_ID: 1.0},
        UNKNOWN_ID: {UNKNOWN_ID: 0.4, A: 0.6},
        A: {UNKNOWN_ID: 0.7, A: 0.2, END_ID: 0.1},
    }
    for n, sentence in (
        (1, [UNKNOWN_ID, A, *[UNKNOWN_ID] * 6]),  # A is said once
        (2, [UNKNOWN_ID, A] * 4),
        (3, [UNKNOWN_ID, A] * 4),
    ):
        np.testing.assert_array_equal(run_without_repeats(greedy_search, table, n)[0], [sentence])
    loop = {**table, A: {A: 0.7, UNKNOWN_ID: 0.2, END_ID: 0.1}}  # A A is forbidden after A A, whatever stands between
    ids, _, _ = run_without_repeats(greedy_search, loop, 2)
    np.testing.assert_array_equal(ids, [[UNKNOWN_ID, A, A, UNKNOWN_ID, A, UNKNOWN_ID, A, UNKNOWN_ID]])
