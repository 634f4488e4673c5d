"""A dictionary to start with: counted links, their factors, and the first weights of a model."""

import numpy as np
import pytest
import tensorflow as tf
from tiny import parts, random

from nmt_attention.alignment.dictionary import count_links, factorise, start_from_dictionary
from nmt_attention.alignment.guidance import GuidedBatch
from nmt_attention.vocabulary import END_ID


def batch(source, target, links):
    """A batch of one pair, with its links (source position, target position)."""
    dense = np.zeros((1, len(target) + 1, len(source)), np.float32)
    for s, t in links:
        dense[0, t, s] = 1 / sum(t == other for _, other in links)
    ids = [source], [1, *target], [*target, END_ID]
    return GuidedBatch(*(tf.constant(row, tf.int32, (1, len(np.ravel(row)))) for row in ids), tf.constant(dense))


def test_links_are_counted_by_their_tokens_and_a_target_token_with_several_counts_once():
    batches = [batch([4, 5, 6], [7, 8], [(0, 0), (1, 1), (2, 1)]), batch([6, 4, 0], [7], [(1, 0)])]
    (source, target), counts, occurrences = count_links(batches, (7, 9))
    found = dict(zip(zip(source.tolist(), target.tolist(), strict=True), counts.tolist(), strict=True))
    assert found == {(4, 7): 2, (5, 8): 0.5, (6, 8): 0.5}
    assert occurrences.tolist() == [0, 0, 2, 0, 0, 0, 0, 2, 1]


def test_factors_are_the_first_singular_vectors():
    matrix = random(9, 4, seed=1) @ random(4, 7, seed=2)
    matrix[np.abs(matrix) < 0.5] = 0
    places = np.array(np.nonzero(matrix))
    for rank in (3, 7, 12):
        left, right = factorise(places, matrix[tuple(places)].astype(float), matrix.shape, rank)
        u, values, v = np.linalg.svd(matrix, full_matrices=False)
        assert left.shape == (9, rank) and right.shape == (7, rank)
        np.testing.assert_allclose(left @ right.T, (u[:, :rank] * values[:rank]) @ v[:rank], atol=1e-4)
        lengths = np.pad(values, (0, 12))[:rank]
        np.testing.assert_allclose((left**2).sum(axis=0), lengths, rtol=1e-3, atol=1e-4)
        np.testing.assert_allclose((right**2).sum(axis=0), lengths, rtol=1e-3, atol=1e-4)


@pytest.fixture
def started():
    """A model whose source token i is always linked with target token i, for 4 to 9, and the weights before."""
    model, _, _ = parts(lexical=True)
    before = model.get_weights()
    batches = [batch([i, i + 1], [i + 1, i], [(0, 1), (1, 0)]) for i in range(4, 9)]
    start_from_dictionary(model, batches)
    return model, before, batches


def test_the_lexical_model_begins_with_the_dictionary_and_the_output_bias_with_counts(started):
    model, _, _ = started
    tokens = model.encoder.embedding(tf.range(4, 10)[:, tf.newaxis])  # (B, 1, E)
    assert abs(np.std(tokens) - 0.12) < 1e-3 > abs(np.std(model.decoder.embedding(tf.range(4, 10))) - 0.12)
    seen = model.decoder.lexical(tf.ones((6, 1, 1)), tokens)[:, 0]  # (B, E)
    logits = tf.matmul(seen, model.decoder.lexical.words.embeddings, transpose_b=True).numpy()  # (B, V)
    assert logits[:, 4:10].argmax(axis=1).tolist() == [*range(6)]
    bias = np.asarray(model.decoder.output_bias)
    assert abs(bias.mean()) < 1e-6
    np.testing.assert_allclose(np.exp(bias[[4, 5, 0, END_ID]] - bias[3]), [2, 3, 1, 6], rtol=1e-5)


def test_all_other_weights_and_tokens_stay_as_they_are_drawn_and_equal_links_give_equal_weights(started):
    model, before, batches = started
    changed = [w.path for w, old in zip(model.weights, before, strict=True) if not np.array_equal(w, old)]
    assert changed == [
        "seq2seq/encoder/embedding/embeddings",
        "decoder/output_bias",
        "seq2seq/decoder/embedding/embeddings",
        "seq2seq/decoder/lexical/hidden/kernel",
        "seq2seq/decoder/lexical/words/embeddings",
    ]
    np.testing.assert_array_equal(model.encoder.embedding.embeddings[:4], before[0][:4])
    again, _, _ = parts(lexical=True)
    start_from_dictionary(again, batches)
    assert all(map(np.array_equal, again.get_weights(), model.get_weights()))


def test_links_that_tell_nothing_are_named():
    model, _, _ = parts(lexical=True)
    for links in ([], [(0, 0)]):
        with pytest.raises(ValueError, match="dictionary_start: no links of the training pairs tell tokens apart"):
            start_from_dictionary(model, [batch([4], [5], links)])
