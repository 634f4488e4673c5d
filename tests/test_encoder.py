import importlib

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.encoder import Encoder


def source(*rows, width):
    ids = np.zeros((len(rows), width), np.int32)
    for row, tokens in zip(ids, rows, strict=True):
        row[: len(tokens)] = tokens
    return tf.constant(ids), tf.constant(ids != 0)


VARIANTS = [("gru", True, 1), ("lstm", True, 2), ("gru", False, 2), ("lstm", False, 1)]


@pytest.fixture(params=VARIANTS, ids=str)
def encoder(request):
    cell, bidirectional, layers = request.param
    return Encoder(20, 6, 8, layers=layers, cell=cell, bidirectional=bidirectional)


def test_shapes(encoder):
    values, state = encoder(*source([5, 6, 7], [8], width=3))
    assert values.shape == (2, 3, 8) and state.shape == (2, 8)


def test_padding_changes_no_real_position_and_not_the_state(encoder):
    values, state = encoder(*source([5, 6, 7], width=3))
    padded, padded_state = encoder(*source([5, 6, 7], width=9))
    np.testing.assert_allclose(padded[:, :3], values, atol=1e-6)
    np.testing.assert_allclose(padded_state, state, atol=1e-6)


def test_a_row_does_not_depend_on_its_batch_mates(encoder):
    alone, _ = encoder(*source([5, 6], width=2))
    together, _ = encoder(*source([9, 9, 9, 9], [5, 6], width=4))
    np.testing.assert_allclose(together[1:, :2], alone, atol=1e-6)


def test_the_state_is_what_each_direction_ends_with():
    encoder = Encoder(20, 6, 8)
    values, state = encoder(*source([5, 6, 7], [8, 9], width=3))
    # left to right ends at the last real position, right to left at the first
    expected = [np.r_[values[0, 2, :4], values[0, 0, 4:]], np.r_[values[1, 1, :4], values[1, 0, 4:]]]
    np.testing.assert_allclose(state, expected, atol=1e-6)


def test_two_directions_see_what_follows_and_one_does_not():
    for bidirectional in (True, False):
        encoder = Encoder(20, 6, 8, bidirectional=bidirectional)
        first, _ = encoder(*source([5, 6], width=2))
        other, _ = encoder(*source([5, 7], width=2))
        assert np.allclose(first[0, 0], other[0, 0]) != bidirectional


def test_dropout_acts_in_training_alone():
    encoder = Encoder(20, 6, 8, dropout=0.5)
    ids, mask = source([5, 6, 7], width=3)
    np.testing.assert_array_equal(encoder(ids, mask)[0], encoder(ids, mask)[0])
    dropped = np.asarray(encoder(ids, mask, training=True)[0])
    assert 0 < np.mean(dropped == 0) < 1


def test_odd_units_cannot_be_shared_by_two_directions():
    with pytest.raises(ValueError, match="even, got 7"):
        Encoder(20, 6, 7)


def test_a_gpu_would_run_the_layers_with_cudnn_unless_told_otherwise(encoder, request, monkeypatch):
    rnn = importlib.import_module("keras.src.backend.tensorflow.rnn")
    cell, bidirectional, layers = request.node.callspec.params["encoder"]

    def refuse(*arguments, **named):
        raise RuntimeError("cuDNN was chosen")

    monkeypatch.setattr(rnn, "_is_gpu_available", lambda: True)
    monkeypatch.setattr(rnn, f"_cudnn_{cell}", refuse)
    inputs = source([5, 6, 7], [8], width=3)
    monkeypatch.setattr(tf.config, "get_visible_devices", lambda kind: [kind])
    settings = {"layers": layers, "cell": cell, "bidirectional": bidirectional}
    with pytest.raises(RuntimeError, match="cuDNN was chosen"):
        Encoder(20, 6, 8, **settings)(*inputs)
    without = Encoder(20, 6, 8, **settings, use_cudnn=False)
    assert without(*inputs)[0].shape == (2, 3, 8)
