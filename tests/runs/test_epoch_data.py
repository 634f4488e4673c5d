import numpy as np
import pytest

from nmt_attention.alignment.links import given_links, pair_words
from nmt_attention.config import TrainConfig
from nmt_attention.corpus import sentence_key
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.runs.epoch_data import append_pairs, make_epochs
from nmt_attention.runs.settings import DataConfig
from nmt_attention.text import WordTokenizer

CORPUS = read_pairs(DATA_DIRECTORY / "phrasebook.tsv")[::50]
PAIRS, LINKS = [pair[:2] for pair in CORPUS], given_links(CORPUS)
LENGTHS = [10] * len(PAIRS)
ALL = DataConfig(concatenation=1.0)


def test_links_of_appended_pairs_are_between_the_same_words():
    longer, linked = append_pairs(PAIRS, LINKS, LENGTHS, ALL, "1", set())
    assert len(longer) == len(linked) == len(PAIRS)
    by_words = {tuple(map(tuple, pair_words(pair))): of_pair for pair, of_pair in zip(PAIRS, LINKS, strict=True)}
    lengths = set()
    for pair, both, of_both in zip(PAIRS, longer, linked, strict=True):
        words, expected, at, appended = pair_words(both), set(), (0, 0), 0
        while at[0] < len(words[0]):  # the next pair of the corpus that the chain goes on with
            rest = [side[start:] for side, start in zip(words, at, strict=True)]
            own = next(o for o in by_words if all(tuple(side[: len(w)]) == w for side, w in zip(rest, o, strict=True)))
            assert appended or own == tuple(map(tuple, pair_words(pair)))
            expected |= {(s + at[0], t + at[1]) for s, t in by_words[own]}
            at, appended = (at[0] + len(own[0]), at[1] + len(own[1])), appended + 1
        assert of_both == expected
        lengths.add(appended)
    assert lengths == {2, 3, 4}


def test_the_seed_says_which_pairs_are_appended_to_the_share_asked_for():
    pairs, lengths = PAIRS[:50] * 40, LENGTHS[:50] * 40
    some = DataConfig(concatenation=0.3)
    first, links = append_pairs(pairs, [], lengths, some, "1 0", set())
    assert links == []
    assert append_pairs(pairs, [], lengths, some, "1 0", set())[0] == first
    other, _ = append_pairs(pairs, [], lengths, some, "1 1", set())
    assert other != first
    # of 2,000 pairs 600 with a standard deviation of 20
    assert abs(sum(both != pair for both, pair in zip(first, pairs, strict=True)) - 600) < 100


def test_no_pair_gets_longer_than_allowed():
    lengths = [4, 6] * (len(PAIRS) // 2)
    longer, _ = append_pairs(
        PAIRS[: len(lengths)], [], lengths, DataConfig(concatenation=1.0, most_tokens=10), "1", set()
    )
    changed = [both != pair for both, pair in zip(longer, PAIRS, strict=False)]
    of_four, of_six = changed[::2], changed[1::2]
    for some_fit in (of_four, of_six):  # 4 + 4, 4 + 6 and 6 + 4 tokens are few enough, 6 + 6 and longer chains are not
        assert any(some_fit) and not all(some_fit)


@pytest.mark.parametrize("side", [0, 1])
def test_no_sentence_that_is_scored_is_made(side):
    longer, linked = append_pairs(PAIRS, LINKS, LENGTHS, ALL, "1", set())
    avoided = {sentence_key(longer[i][side].upper()) for i in (3, 7)}
    kept, same_links = append_pairs(PAIRS, LINKS, LENGTHS, ALL, "1", avoided)
    assert [i for i in range(len(PAIRS)) if kept[i] != longer[i]] == [3, 7]
    assert [kept[i] for i in (3, 7)] == [PAIRS[i] for i in (3, 7)]
    assert [same_links[i] for i in (3, 7)] == [LINKS[i] for i in (3, 7)] and same_links[0] == linked[0]


def test_epochs_append_other_pairs_and_have_as_many_batches():
    tokenizers = tuple(WordTokenizer.learn([pair[side] for pair in PAIRS], 300) for side in (0, 1))
    config = TrainConfig(batch_size=16)

    def tokens(concatenation, epoch):
        data = DataConfig(concatenation=concatenation)
        batches = make_epochs(lambda _: PAIRS, LINKS, LENGTHS, tokenizers, set(), data, config)(epoch)
        return [(np.count_nonzero(batch.source_ids), float(np.sum(batch.links))) for batch in batches]

    plain, longer, again, other = (tokens(share, epoch) for share, epoch in ((0, 0), (0.25, 0), (0.25, 0), (0.25, 1)))
    assert longer == again != other
    assert len(plain) == len(longer) == len(other)
    for column in (0, 1):
        before, after = (sum(batch[column] for batch in batches) for batches in (plain, longer))
        assert 1.3 * before < after < 1.7 * before
