"""Guided alignment: from links of words to the gradient of attention."""

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import CharacterTokenizer, SubwordTokenizer, WordTokenizer, make_dataset
from nmt_attention.alignment.guidance import WIDTH, GuidedBatch, dense_links, guidance_loss, token_links, with_links
from nmt_attention.runs.distribute import deal_rows
from nmt_attention.vocabulary import SPECIAL_TOKENS, RaggedIds


@pytest.mark.parametrize("tokenizer", [SubwordTokenizer, WordTokenizer, CharacterTokenizer])
def test_every_piece_of_a_word_has_the_links_of_the_word(tokenizer):
    texts = ["the cat's hat, a mother-in-law.", "  “the cat” …", "a-b 'c' d' the", "", "私は猫を見る。", "ที่นี่ 我cat。"]
    learned = tokenizer.learn(texts * 9, 60, fold_case=True)
    random = np.random.default_rng(1)
    rows = [learned.encode(text) for text in texts]
    rows += [random.integers(len(SPECIAL_TOKENS), len(learned), 12).tolist() for _ in range(200)]  # also "▁", "▁", "a"
    groups = [[positions for _, positions in learned.words(learned.tokens(ids))] for ids in rows]
    links = [{(i, i // 2) for i in range(len(words))} for words in groups]  # of two source words to a target word
    found = token_links([{*of_row, (99, 0)} for of_row in links], learned, ids := RaggedIds.of(rows), learned, ids)
    for row, (words, of_row) in enumerate(zip(groups, links, strict=True)):
        numbers = found.values[found.splits[row] : found.splits[row + 1]]
        expected = {(s, t) for i, j in of_row for s in words[i] for t in words[j]}
        assert {(int(n) % WIDTH, int(n) // WIDTH) for n in numbers} == expected


def test_rows_are_even_and_sum_to_one_or_nothing_and_the_loss_is_their_cross_entropy():
    links = tf.RaggedTensor.from_row_lengths(tf.constant([0, 2, 2, WIDTH + 1, WIDTH], tf.int32), [4, 1])
    dense = dense_links(links, tf.constant(3), tf.constant(3)).numpy()
    np.testing.assert_array_equal(dense[0], [[0.5, 0, 0.5], [0, 1, 0], [0, 0, 0]])
    np.testing.assert_array_equal(dense[1], [[0, 0, 0], [1, 0, 0], [0, 0, 0]])
    weights = tf.constant([[[0.5, 0.25, 0.25], [0.1, 0.8, 0.1], [0.2, 0.3, 0.5]]])
    links = tf.constant([[[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]])
    expected = -0.5 * np.log(0.5) - 0.5 * np.log(0.25) - np.log(0.8)
    np.testing.assert_allclose(guidance_loss(weights, links), expected, rtol=1e-4)


def test_a_dataset_keeps_each_pair_s_links_with_it():
    rng = np.random.default_rng(0)
    rows = [rng.integers(4, 20, rng.integers(1, 6)).tolist() for _ in range(30)]
    links = [[t * WIDTH + s for t in range(len(row)) for s in range(len(row)) if s == len(row) - 1 - t] for row in rows]
    ids = RaggedIds.of(rows)
    for batch in make_dataset(ids, ids, 8, seed=1, more=with_links(RaggedIds.of(links))):
        assert isinstance(batch, GuidedBatch)
        np.testing.assert_array_equal(deal_rows(*batch)[-1], batch.links)  # one replica has all rows
        for source, target_out, dense in zip(*(tensor.numpy() for tensor in batch[::2] + batch[3:]), strict=True):
            length = np.count_nonzero(source)
            assert np.count_nonzero(target_out) == length + 1  # the end marker is told nothing
            np.testing.assert_array_equal(dense[:length, :length], np.eye(length)[::-1])
            assert dense.sum() == length
