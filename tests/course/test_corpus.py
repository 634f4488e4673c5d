"""The split keeps every sentence, of either language, on one side; it depends on nothing but the sentences."""

import hashlib
import os
import random
import time

import pytest

from nmt_attention import load_corpus
from nmt_attention.corpus import (
    Pair,
    Split,
    add_training_pairs,
    sentence_key,
    sentence_keys,
    split_by_pair,
    split_pairs,
)
from nmt_attention.spelling import IN_WORDS, PUNCTUATION, normalize


def many_pairs(count=1000):
    """Sources with one to four translations, and some translations of two sources."""
    draw = random.Random(1)
    return [
        Pair(f"This is sentence {i}.", f"हे वाक्य {10 * i + n} आहे.")
        for i in range(count)
        for n in range(draw.choice((1, 1, 2, 4)))
    ] + [Pair(f"Sentence {i} it is.", f"हे वाक्य {10 * i} आहे!") for i in range(0, count, 20)]


def sides(split):
    return {pair: name for name, pairs in split._asdict().items() for pair in pairs}


def shared_keys(split):
    keys = [{(side, sentence_key(pair[side])) for pair in part for side in (0, 1)} for part in split]
    return keys[0] & keys[1] | keys[0] & keys[2] | keys[1] & keys[2]


@pytest.mark.parametrize("real", [False, True])
def test_no_sentence_is_on_two_sides_and_no_pair_is_lost(real):
    pairs = load_corpus(os.environ.get("NMT_ATTENTION_CORPUS") or "phrasebook") if real else many_pairs()
    split = split_pairs(pairs)
    assert not shared_keys(split)
    assert sorted(pair for part in split for pair in part) == sorted(pairs)
    shares = [100 * len(part) / len(pairs) for part in split]
    assert 86 < shares[0] < 94 and 3 < shares[1] < 7 and 3 < shares[2] < 7


def test_a_careless_split_keeps_pairs_apart_but_not_their_sentences():
    split = split_by_pair(many_pairs())
    assert not set(split.train) & set(split.test) and shared_keys(split)


def test_a_chain_of_shared_sentences_stays_together():
    chains = [
        [Pair(f"a{i}", f"क{i}"), Pair(f"b{i}", f"क{i}"), Pair(f"b{i}", f"ख{i}"), Pair(f"c{i}", f"ख{i}")]
        for i in range(200)
    ]
    pairs = [pair for chain in chains for pair in chain]
    random.Random(2).shuffle(pairs)
    found = sides(split_pairs(pairs))
    assert all(len({found[pair] for pair in chain}) == 1 for chain in chains)
    assert {found[chain[0]] for chain in chains} == {"train", "dev", "test"}


def test_a_group_goes_where_the_hash_of_its_smallest_source_says():
    """Groups made the plain way: as long as two share a sentence, they are one."""
    draw = random.Random(3)
    for _ in range(100):
        most = draw.randrange(1, 30)
        pairs = [
            Pair(f"{draw.choice('aA')}{draw.randrange(most)}", f"क{draw.randrange(most)}{draw.choice('.!')}")
            for _ in range(draw.randrange(25))
        ]
        groups = []  # sets of (side, key)
        for pair in pairs:
            keys = {(side, sentence_key(pair[side])) for side in (0, 1)}
            keys = keys.union(*(group for group in groups if group & keys))
            groups = [group for group in groups if not group & keys] + [keys]
        leaders = {key: min(group)[1] for group in groups for key in group}
        expected = Split([], [], [])
        for pair in pairs:
            leader = leaders[0, sentence_key(pair.source)]
            percentile = int(hashlib.sha256(leader.encode()).hexdigest()[:8], 16) % 100
            expected[(percentile >= 90) + (percentile >= 95)].append(pair)
        assert split_pairs(pairs) == expected


@pytest.mark.parametrize(
    "others",
    [
        pytest.param(lambda pairs: random.Random(0).sample(pairs, len(pairs)), id="another order"),
        pytest.param(lambda pairs: pairs + pairs[::3], id="repeated pairs"),
        pytest.param(lambda pairs: [Pair(f"other {i}", f"इतर {i}") for i in range(500)] + pairs, id="unrelated pairs"),
    ],
)
def test_the_side_of_a_pair_does_not_depend_on(others):
    pairs = many_pairs()
    assert sides(split_pairs(pairs)).items() <= sides(split_pairs(others(pairs))).items()


def test_each_part_keeps_the_order_of_the_file():
    pairs = [Pair(f"s{i}", f"व{i}") for i in range(500)]
    assert all(list(part) == sorted(part, key=pairs.index) for part in split_pairs(iter(pairs)))
    assert split_pairs([]) == ([], [], [])


def test_the_key_of_a_sentence_forgets_case_punctuation_and_spacing():
    assert sentence_key("Don’t  GO!") == sentence_key("don't go") == sentence_key("Don't - go.")
    assert sentence_key("ऱ्हास") == sentence_key("\u0930\u093c\u094dहास।")
    assert sentence_key("?") != sentence_key("!")  # sentences of punctuation alone
    assert sentence_key("हो") != sentence_key("ही")
    nothing, draw = str.maketrans(dict.fromkeys(PUNCTUATION + IN_WORDS + "’^ ")), random.Random(4)
    for _ in range(1000):
        text = f"word {''.join(draw.choices(PUNCTUATION + IN_WORDS + ' aAक_^', k=draw.randrange(8)))}"
        assert sentence_key(text) == normalize(text, fold_case=True).translate(nothing)


def test_extra_training_pairs_share_no_sentence_with_dev_or_test_and_repeat_nothing():
    split = Split([Pair("one", "एक", "A")], [Pair("two", "दोन")], [Pair("three", "तीन")])
    extra = [Pair("One!", "तीन."), Pair("TWO", "२"), Pair("four", "चार"), Pair("one", "एक", "B"), Pair("one", "एकच")]
    assert add_training_pairs(split, extra).train == [*split.train, extra[2], extra[4]]
    assert add_training_pairs(split, extra)[1:] == split[1:]


S = "Does Mr. A. Patil eat bananas?"
AMONG_OTHERS = [  # what stands before it, and what after
    *(("Hi! ", " Thank you."), ("Listen.", ""), ("", S), ("Listen → ", ""), ("Listen—", ""), ("", "\nThank you.")),
    *(("Thank you.\u2028", ""), ("1 ", ""), ("1. ", " 2. Where is it?"), ("१. ", ""), ("(12) ", ""), ("• ", " • OK")),
    *(("00:00:01,000 --> 00:00:04,000 ", ""), ("Tom: ", ""), ("[laughs] ", ""), ('"', '" she asked.')),
    *(("<b>", "</b>"), ("&quot;", "&quot;"), ("धन्यवाद! ", " 😀"), ("「", "」"), ("", " [1]"), ("", "<br>Thank you.")),
]


@pytest.mark.parametrize(("before", "after"), AMONG_OTHERS)
def test_no_sentence_of_test_is_added_to_training_among_others(before, after):
    split, text = Split([Pair("Go.", "जा.")], [], [Pair(S, "New")]), f"{before}{S}{after}"
    assert sentence_key(S) in sentence_keys(text)
    assert add_training_pairs(split, [Pair(text, "नवीन"), Pair("Other", text)]) == split


def test_what_only_resembles_a_sentence_of_test_is_added():
    texts = ["Does he eat bananas?", "Does Mr. A. Patil eat 2 bananas?", "Patil? Eat bananas!", "Mr. A. Patil", "1."]
    split, extra = Split([], [], [Pair(S, "३ केळी.")]), [Pair(text, f"नवीन {n}") for n, text in enumerate(texts)]
    assert add_training_pairs(split, extra).train == extra


@pytest.mark.parametrize("text", ["&amp;" * 20_000, "." * 99_999, "1. " * 30_000, " " * 99_999 + "x", "((" * 40_000])
def test_the_time_for_the_keys_is_about_linear_in_a_text_s_length(text):
    start = time.process_time()
    sentence_keys(f"a{text}b")
    assert time.process_time() - start < 5
