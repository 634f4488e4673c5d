"""Each source position's vector sums up the sentence around it; padding and batch mates change nothing."""

import importlib
from unittest.mock import Mock

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.encoder import Encoder, TokenEmbedding


def source(*rows, width):
    ids = np.zeros((len(rows), width), np.int32)
    for row, tokens in zip(ids, rows, strict=True):
        row[: len(tokens)] = tokens
    return tf.constant(ids), tf.constant(ids != 0)


@pytest.fixture(params=[("gru", True, 1), ("lstm", True, 2), ("gru", False, 2), ("lstm", False, 1)], ids=str)
def parts(request):
    return dict(zip(("cell", "bidirectional", "layers"), request.param, strict=True))


def test_a_token_s_vector_is_its_row_times_four():
    embedding = TokenEmbedding(3, 2)
    embedding.build()
    embedding.embeddings.assign(np.arange(6).reshape(3, 2))
    np.testing.assert_array_equal(embedding(np.array([[2, 0]])), [[[16, 20], [0, 4]]])


def test_padding_and_batch_mates_change_no_real_position_and_not_the_state(parts):
    encoder = Encoder(20, 6, 8, **parts)
    values, state = encoder(*source([5, 6, 7], width=3))
    assert values.shape == (1, 3, 8) and state.shape == (1, 8)
    others, other_states = encoder(*source([9, 9, 9, 9], [5, 6, 7], [8], width=9))
    np.testing.assert_allclose(others[1:2, :3], values, atol=1e-6)
    np.testing.assert_allclose(other_states[1:2], state, atol=1e-6)
    ids, mask = source([5, 6, 7], width=9)
    rubbish, same_state = encoder(tf.where(mask, ids, 13), mask)  # other ids on padding
    np.testing.assert_allclose(rubbish[:, :3], values, atol=1e-6)
    np.testing.assert_allclose(same_state, state, atol=1e-6)


def test_an_upper_layer_adds_to_what_it_reads():
    encoder, (ids, mask) = Encoder(20, 6, 8, layers=2, bidirectional=False), source([5, 6, 7], width=3)
    lower, _ = encoder.layers[0](encoder.embedding(ids))
    upper, last = encoder.layers[1](lower)
    values, state = encoder(ids, mask)
    np.testing.assert_allclose(values, lower + upper, atol=1e-6)
    np.testing.assert_allclose(state, last, atol=1e-6)


def test_the_state_is_what_each_direction_ends_with():
    values, state = Encoder(20, 6, 8)(*source([5, 6, 7], [8, 9], width=3))
    # left to right ends at the last real position, right to left at the first
    expected = [np.r_[values[0, 2, :4], values[0, 0, 4:]], np.r_[values[1, 1, :4], values[1, 0, 4:]]]
    np.testing.assert_allclose(state, expected, atol=1e-6)


@pytest.mark.parametrize("bidirectional", [True, False])
def test_two_directions_see_what_follows_and_dropout_acts_in_training_alone(bidirectional):
    encoder = Encoder(20, 6, 8, bidirectional=bidirectional, dropout=0.5)
    first, other = (encoder(*source([5, follows], width=2))[0] for follows in (6, 7))
    assert np.allclose(first[0, 0], other[0, 0]) != bidirectional
    np.testing.assert_array_equal(first, encoder(*source([5, 6], width=2))[0])
    dropped = np.asarray(encoder(*source([5, 6], width=2), training=True)[0])
    assert 0 < np.mean(dropped == 0) < 1


def test_a_gpu_runs_the_layers_with_cudnn_unless_told_otherwise(parts, monkeypatch):
    rnn = importlib.import_module("keras.src.backend.tensorflow.rnn")

    monkeypatch.setattr(rnn, "_is_gpu_available", lambda: True)
    monkeypatch.setattr(rnn, f"_cudnn_{parts['cell']}", Mock(side_effect=RuntimeError("cuDNN was chosen")))
    monkeypatch.setattr(tf.config, "get_visible_devices", lambda kind: [kind])
    inputs = source([5, 6, 7], [8], width=3)
    with pytest.raises(RuntimeError, match="cuDNN was chosen"):
        Encoder(20, 6, 8, **parts)(*inputs)
    assert Encoder(20, 6, 8, **parts, use_cudnn=False)(*inputs)[0].shape == (2, 3, 8)
