"""Every pair in one batch, little padding, and an order that the seed decides."""

import collections
import os

import numpy as np
import pytest

from nmt_attention import WordTokenizer, load_corpus, make_dataset
from nmt_attention.vocabulary import END_ID, PAD_ID, START_ID, RaggedIds


def rows_of(number, seed=0):
    draw = np.random.default_rng(seed)
    return [draw.integers(4, 1000, draw.integers(1, 12)).tolist() for _ in range(number)]


def pairs_of(dataset):
    """Every (source, target) of a dataset, as tuples without padding, start and end."""
    return [
        tuple(tuple(int(i) for i in row if i not in (PAD_ID, START_ID)) for row in rows)
        for batch in dataset
        for rows in zip(batch.source_ids.numpy(), batch.target_in.numpy(), strict=True)
    ]


def test_target_in_starts_and_target_out_ends_the_same_sentence():
    (batch,) = make_dataset(RaggedIds.of([[9, 8], [7]]), RaggedIds.of([[4, 5, 6], [4]]), 2)
    np.testing.assert_array_equal(batch.target_in, [[START_ID, 4, PAD_ID, PAD_ID], [START_ID, 4, 5, 6]])
    np.testing.assert_array_equal(batch.target_out, [[4, END_ID, PAD_ID, PAD_ID], [4, 5, 6, END_ID]])
    np.testing.assert_array_equal(batch.source_ids, [[7, PAD_ID], [9, 8]])


@pytest.mark.parametrize(("seed", "batch_size"), [(None, 7), (3, 1), (3, 7), (3, 500)])
def test_every_pair_occurs_once_an_epoch(seed, batch_size):
    source, target = rows_of(100), rows_of(100, seed=1)
    dataset = make_dataset(RaggedIds.of(source), RaggedIds.of(target), batch_size, seed)
    expected = [(tuple(s), tuple(t)) for s, t in zip(source, target, strict=True)]
    assert collections.Counter(pairs_of(dataset)) == collections.Counter(expected)
    assert len(dataset) == -(-100 // batch_size)


def test_epochs_differ_and_repeat_from_their_seed():
    ids = RaggedIds.of(rows_of(100))
    orders = {(seed, epoch): pairs_of(make_dataset(ids, ids, 8, seed, epoch)) for seed in (1, 2) for epoch in (0, 1)}
    assert len({tuple(order) for order in orders.values()}) == 4
    assert pairs_of(make_dataset(ids, ids, 8, 1, 1)) == orders[1, 1]


def test_less_than_a_tenth_of_a_real_corpus_s_batches_is_padding():
    pairs = load_corpus(os.environ.get("NMT_ATTENTION_CORPUS") or "phrasebook")[::4]
    source, target = (
        WordTokenizer.learn([pair[side] for pair in pairs], 10**6).encode_all([pair[side] for pair in pairs])
        for side in (0, 1)
    )
    batches = [batch.target_out.numpy() for batch in make_dataset(source, target, 64, seed=1)]
    assert sum((ids == PAD_ID).sum() for ids in batches) < 0.1 * sum(ids.size for ids in batches)
