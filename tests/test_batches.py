import collections
import os
import subprocess
import sys

import numpy as np
import pytest

from nmt_attention.batches import make_dataset
from nmt_attention.disk.fetch import load_corpus
from nmt_attention.text import WordTokenizer
from nmt_attention.vocabulary import END_ID, PAD_ID, START_ID, RaggedIds


def rows_of(number, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(4, 1000, rng.integers(1, 12)).tolist() for _ in range(number)]


def unpadded(ids):
    return [tuple(int(i) for i in row if i != PAD_ID) for row in np.asarray(ids)]


def pairs_of(dataset):
    """Every (source, target) of a dataset, as tuples without padding, start and end."""
    return [
        (source, target[1:])
        for batch in dataset
        for source, target in zip(unpadded(batch.source_ids), unpadded(batch.target_in), strict=True)
    ]


def test_flat_ids_hold_rows_one_after_the_other():
    flat = RaggedIds.of([[5, 6], [], [7]])
    assert flat.values.tolist() == [5, 6, 7] and flat.splits.tolist() == [0, 2, 2, 3]
    assert len(flat) == 3 and flat.lengths.tolist() == [2, 0, 1]


def test_rows_are_cut_to_a_length():
    cut = RaggedIds.of([[5, 6, 7], [], [8], [9, 4]]).truncate(2)
    assert cut.values.tolist() == [5, 6, 8, 9, 4] and cut.splits.tolist() == [0, 2, 2, 3, 5]


MILLION = """
import re, resource
from pathlib import Path
from nmt_attention.batches import make_dataset
from nmt_attention.vocabulary import RaggedIds

def used():
    # Linux counts the parent's memory in ru_maxrss; its own account of a process does not
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * int(re.search("VmHWM: *([0-9]+)", status.read_text().replace(chr(9), " "))[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

few = RaggedIds.of([4, 5, 6] for _ in range(100))
next(iter(make_dataset(few, few, 10, seed=1)))
before = used()
many = [RaggedIds.of(list(range(1000, 1010)) for _ in range(1_000_000)) for _ in "st"]
next(iter(make_dataset(*many, 128, seed=1)))
print(used() - before)
"""


def test_a_million_pairs_cost_less_than_500_mb():
    done = subprocess.run([sys.executable, "-c", MILLION], capture_output=True, text=True, check=True)
    assert 50e6 < int(done.stdout) < 500e6


def test_target_in_starts_and_target_out_ends_the_same_sentence():
    (batch,) = make_dataset(RaggedIds.of([[9, 8], [7]]), RaggedIds.of([[4, 5, 6], [4]]), 2)
    np.testing.assert_array_equal(batch.target_in, [[START_ID, 4, PAD_ID, PAD_ID], [START_ID, 4, 5, 6]])
    np.testing.assert_array_equal(batch.target_out, [[4, END_ID, PAD_ID, PAD_ID], [4, 5, 6, END_ID]])
    np.testing.assert_array_equal(batch.source_ids, [[7, PAD_ID], [9, 8]])


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("batch_size", [1, 7, 500])
def test_every_pair_occurs_once_an_epoch(seed, batch_size):
    source, target = rows_of(100), rows_of(100, seed=1)
    dataset = make_dataset(RaggedIds.of(source), RaggedIds.of(target), batch_size, seed)
    expected = [(tuple(s), tuple(t)) for s, t in zip(source, target, strict=True)]
    assert collections.Counter(pairs_of(dataset)) == collections.Counter(expected)


def test_epochs_differ_and_repeat_from_their_seed():
    flat = RaggedIds.of(rows_of(300))
    orders = {(seed, epoch): pairs_of(make_dataset(flat, flat, 8, seed, epoch)) for seed in (1, 2) for epoch in (0, 1)}
    assert len({tuple(order) for order in orders.values()}) == 4
    assert pairs_of(make_dataset(flat, flat, 8, 1, 1)) == orders[1, 1]


def test_batches_of_like_length_have_little_padding():
    pairs = load_corpus(os.environ.get("NMT_ATTENTION_CORPUS") or "phrasebook")
    source, target = (
        WordTokenizer.learn([pair[side] for pair in pairs], 10**6).encode_all([pair[side] for pair in pairs])
        for side in (0, 1)
    )
    batches = [np.asarray(batch.target_out) for batch in make_dataset(source, target, 64, seed=1)]
    padding = sum((ids == PAD_ID).sum() for ids in batches) / sum(ids.size for ids in batches)
    assert padding < 0.1


def test_lists_of_different_length_and_empty_ones_are_refused():
    with pytest.raises(ValueError, match="expected the same, non-zero number of rows, got 1 and 2"):
        make_dataset(RaggedIds.of([[4]]), RaggedIds.of([[4], [5]]), 8)
    with pytest.raises(ValueError, match="got 0 and 0"):
        make_dataset(RaggedIds.of([]), RaggedIds.of([]), 8)


def test_what_is_no_flat_ids_is_refused_and_says_where_they_come_from():
    flat = RaggedIds.of([[4]])
    with pytest.raises(TypeError, match=r"target: expected RaggedIds from tokenizer\.encode_all, got list"):
        make_dataset(flat, [[4]], 8)
    with pytest.raises(ValueError, match="batch_size: expected at least 1, got 0"):
        make_dataset(flat, flat, 0)


def test_a_dataset_knows_its_length_and_maps_over_whole_batches():
    flat = RaggedIds.of(rows_of(10))
    dataset = make_dataset(flat, flat, 4).map(lambda batch: (batch[:2], batch.target_out))
    assert len(dataset) == len(list(dataset)) == 3
    (_, target_in), target_out = next(iter(dataset))
    np.testing.assert_array_equal(target_in[:, 1:], np.where(target_out == END_ID, PAD_ID, target_out)[:, :-1])
