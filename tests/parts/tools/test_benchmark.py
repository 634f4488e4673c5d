"""The textbook loop that the benchmark compares with, and how sentences of several lengths are timed."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from tools.measure.benchmark import lengths
from tools.measure.benchmark.textbook import TextbookDecoder, TextbookEncoder, make_textbook_step, textbook_ids


@pytest.fixture
def parts():
    keras.utils.set_random_seed(0)
    return TextbookEncoder(10, 8, 8), TextbookDecoder(10, 8, 8)


def test_the_textbook_loop_learns_a_batch_by_heart(parts):
    step = make_textbook_step(*parts, keras.optimizers.Adam(0.02))
    batch = textbook_ids([[4, 5], [7]], 4), textbook_ids([[5], [6, 7]], 4)
    losses = [float(step(*batch)) for _ in range(50)]
    assert abs(losses[0] - 2.5 * np.log(10)) < 0.4  # 2 and 3 tokens to predict, every word as likely as another
    assert losses[-1] < 0.2


def test_the_textbook_loss_is_the_cross_entropy_of_the_tokens_whatever_the_padding(parts, monkeypatch):
    monkeypatch.setattr(tf, "function", lambda step: step)  # faster than to trace it for a single call
    encoder, decoder = parts
    values, state = encoder(textbook_ids([[4, 5]], 4))
    expected = 0.0
    for before, token in ((1, 6), (6, 2)):
        logits, state = decoder(tf.constant([[before]]), state, values)
        expected -= float(tf.nn.log_softmax(logits)[0, token])
    step = make_textbook_step(encoder, decoder, keras.optimizers.SGD(0.0))
    for width in (3, 5):
        found = float(step(textbook_ids([[4, 5]], 4), textbook_ids([[6]], width)))
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_the_works_take_turns_at_every_length_and_the_first_round_only_warms_up():
    calls = []
    works = {name: lambda ids, name=name: calls.append((name, ids.shape)) for name in ("one", "other")}
    found = lengths.measure(works, (5, 7), rows=3, rounds=2)
    assert calls == [(name, (3, length)) for length in (5, 7) for name in ("one", "other")] * 3
    assert found.keys() == {(name, length) for name in works for length in (5, 7)}
