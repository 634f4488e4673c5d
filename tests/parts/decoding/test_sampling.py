import numpy as np
import pytest
import tensorflow as tf
from tiny import parts, table_step

from nmt_attention import END_ID, START_ID, Translator, greedy_search, keep_top_k, keep_top_p, sample
from nmt_attention.decoding import sampling

A, B = 4, 5


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


@pytest.mark.parametrize(
    ("keep", "limit", "expected"),
    [
        (keep_top_k, 1, [[0], [2]]),
        (keep_top_k, 2, [[0, 2], [1, 2]]),
        (keep_top_k, 3, [[0, 1, 2, 3], [1, 2]]),  # two tokens are third
        (keep_top_k, 9, [[0, 1, 2, 3], [1, 2]]),
        (keep_top_p, 0.5, [[0], [2]]),
        (keep_top_p, 0.51, [[0, 2], [2]]),
        (keep_top_p, 0.75, [[0, 2], [2]]),
        (keep_top_p, 0.94, [[0, 1, 2, 3], [1, 2]]),
    ],
)
def test_the_most_probable_are_kept_as_they_are(keep, limit, expected):
    log_probs = tf.math.log([[0.5, 0.125, 0.25, 0.125], [0.0, 0.0625, 0.9375, 0.0]])
    found = keep(log_probs, limit)
    kept = [np.flatnonzero(np.isfinite(row)).tolist() for row in found.numpy()]
    assert kept == expected and float(found[0, 0]) == float(log_probs[0, 0])


def test_in_a_graph_too_nothing_is_drawn_that_was_left_out():
    draws = np.linspace(0.0, 0.9999999, 1001)[:, np.newaxis]
    for run in (run_sample, lambda *args, **options: tf.function(lambda: run_sample(*args, **options))()):
        ids, _, log_prob = run(draws, top_k=2)
        assert set(ids.numpy().ravel()) == {A, B}
        assert (ids.numpy() == A).mean() == pytest.approx(0.5 / 0.8, abs=0.01)
        assert set(np.round(np.exp(log_prob), 5)) == {np.float32(0.5), np.float32(0.3)}
        assert set(run(draws, top_p=0.5)[0].numpy().ravel()) == {A}


def test_one_graph_serves_all_temperatures_and_limits(monkeypatch):
    traced, translator = [], Translator(*parts(units=8))
    monkeypatch.setattr(sampling, "sample", lambda *given: traced.append(given) or sample(*given))
    texts = {
        (temperature, k): translator.translate(["I read"], samples=3, temperature=temperature, top_k=k, top_p=0.9)[
            0
        ].text
        for temperature in (1, 0.5, 40.0)
        for k in (1, 2)
    }
    assert len(traced) == 1 and len({texts[temperature, 1] for temperature in (1, 0.5, 40.0)}) == 1
