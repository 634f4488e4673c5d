"""What a run trains on: the split and its hashes, what is learned from it, and the batches of an epoch."""

from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from nmt_attention import PARTS, Pair, Split, TrainConfig, WordTokenizer, make_corpus, sentence_key, split_pairs
from nmt_attention.runs import data as run_data
from nmt_attention.runs.data import Ahead, append_pairs, prepare
from nmt_attention.runs.settings import DataConfig, make_config, make_settings

PAIRS = [Pair(f"Tom {i} sees {i % 7} dogs .", f"टॉम {i} ला {i % 7} कुत्रे {i} दिसतात .") for i in range(200)]
NAMES = {"Rahul": "राहुल", "Priya": "प्रिया", "Ganesh": "गणेश", "Asha": "आशा", "Vijay": "विजय"}
NAMED = [
    Pair(f"{name} {verb} .", f"{written} {other} .")
    for name, written in NAMES.items()
    for verb, other in (("runs", "धावतो"), ("sleeps", "झोपतो"), ("sings", "गातो"))
]


def prepared(pairs, split="group", **settings):
    settings = make_settings("quick", {"tokenizer": "word", "placeholders": 0.0, "guidance": 0.0} | settings)
    return prepare(make_corpus(pairs, split), make_config(DataConfig, settings), make_config(TrainConfig, settings))


def test_extra_pairs_are_trained_on_unless_they_are_there_or_scored(capsys):
    split, new, newer = split_pairs(PAIRS), Pair("A dog sleeps .", "कुत्रा झोपतो ."), Pair("It rains .", "पाऊस पडतो .")
    extra = {"one": [new, Pair(split.test[0].source, "नाही ."), Pair("No .", split.dev[0].target)], "two": [new, newer]}
    corpus = make_corpus(PAIRS, extra=extra)
    assert corpus.split.train == [*split.train, new, newer] and corpus.about["extra"] == {"one": 1, "two": 1}
    one, two = capsys.readouterr().err.splitlines()
    assert one.startswith("one: 1 more pairs to train on; left out: 2 ") and two.startswith("two: 1 more pairs")


def test_pairs_that_are_too_long_are_counted_and_left_out(capsys):
    train = split_pairs(PAIRS).train
    long = [Pair(pair.source, pair.target + " आणि मांजर") for pair in train[:3]]
    pairs = long + [pair for pair in PAIRS if pair not in train[:3]]
    short = prepared(pairs, most_tokens=8)
    assert short.left_out == 3 and [*map(list, short.parts)] == [[*range(3, len(train))]]
    assert short.bounds[:3].tolist() == short.lengths([0, 1, 2]).tolist() == [10, 10, 10]
    assert f"3 of {len(train)} training pairs are left out" in capsys.readouterr().err
    assert prepared(pairs).left_out == 0 and capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="most_tokens: expected at least 8, .* got 7"):
        prepared(PAIRS, most_tokens=7)


def test_runs_with_different_seeds_learn_the_same_tokenizers_so_that_they_can_be_an_ensemble():
    first, second = (prepared([*PAIRS, *NAMED], placeholders=0.5, seed=seed) for seed in (1, 2))
    assert first.preprocessor.placeholders is not None
    for one, other in zip(first.tokenizers, second.tokenizers, strict=True):
        assert one.to_config() == other.to_config()


def test_a_corpus_of_which_no_subwords_can_be_learned_is_named(monkeypatch):
    learn = Mock(side_effect=RuntimeError("Internal: no sentences"))
    monkeypatch.setitem(PARTS["tokenizer"], "word", SimpleNamespace(learn=learn))
    with pytest.raises(ValueError, match="corpus: no subwords can be learned from it .*; split long texts"):
        prepared(PAIRS)


def test_tokenizers_learn_from_evenly_spaced_pairs_of_a_large_corpus(monkeypatch):
    learned = []

    class Spy(WordTokenizer):
        @classmethod
        def learn(cls, texts, *rest):
            learned.append(list(texts))
            return WordTokenizer.learn(texts, *rest)

    monkeypatch.setitem(PARTS["tokenizer"], "word", Spy)
    monkeypatch.setattr(run_data, "MOST_LEARNED", 5)
    prepared(PAIRS)
    train = split_pairs(PAIRS).train
    every = -(-len(train) // 5)
    assert sorted(learned) == sorted([pair[side] for pair in train[::every]] for side in (0, 1))


def test_links_of_the_corpus_need_no_aligner(monkeypatch, capsys):
    monkeypatch.setattr(run_data, "Aligner", None)
    linked, others = ([pair._replace(attribution=links) for pair in PAIRS] for links in ("0-0", "0-0 1-1"))
    assert set(map(frozenset, prepared(linked, guidance=0.5).links(0))) == {frozenset({(0, 0)})}
    assert capsys.readouterr().err == "attention is guided by the links in the corpus\n"
    hashes = {make_corpus(pairs).about["links_sha256"] for pairs in (linked, others, PAIRS)}
    assert len(hashes) == 3 and "" in hashes  # so that other links are another run
    with pytest.raises(TypeError):  # no links, so the aligner is called
        prepared(PAIRS, guidance=0.5)


def test_a_large_corpus_comes_in_evenly_spaced_parts_that_an_aligner_of_some_pairs_links(monkeypatch):
    monkeypatch.setattr(run_data, "MOST_ALIGNED", 3)
    monkeypatch.setattr(run_data, "MOST_AT_ONCE", 3)
    pairs = [Pair(f"{word} sleeps", f"{word} झोपतो") for word in "abcdefg"]
    monkeypatch.setitem(PARTS["split"], "group", lambda pairs: Split(pairs[:5], pairs[5:6], pairs[6:]))
    found = prepared(pairs, guidance=0.5, concatenation=0.0, batch_size=2, epochs=2)
    assert [*map(list, found.parts)] == [[0, 2, 4], [1, 3]] and found.steps_per_epoch == 3
    assert [len(found.links(part)) for part in (0, 1)] == [3, 2] and all(found.links(0))
    orders = [[[*map(tuple, batch.source_ids.numpy())] for batch in Ahead(found)(epoch)] for epoch in range(2)]
    rows = [sorted(row for batch in order for row in batch) for order in orders]
    assert rows[0] == rows[1] and len(rows[0]) == 5
    assert [len(batch) for batch in orders[0]] in ([2, 1, 2], [1, 2, 2])
    ahead = Ahead(found)  # both epochs, of which the second was made above as where a training resumes
    assert [[[*map(tuple, batch.source_ids.numpy())] for batch in ahead(epoch)] for epoch in range(2)] == orders


# --- pairs appended to pairs

TEXTS = [(f"a{chr(97 + i // 10)} b{chr(97 + i % 10)}", f"क{chr(97 + i // 10)}{chr(97 + i % 10)}") for i in range(100)]
ROWS = np.arange(len(TEXTS))
LINKS = [{(0, 0), (1, 0)}] * len(TEXTS)  # both words of the source are one of the target


@pytest.fixture(scope="module")
def linked():
    """Pairs with links, all of them for training, and each of ten tokens."""
    made = prepared(PAIRS, concatenation=1.0)
    corpus = made.corpus._replace(held_out=set())
    return with_lengths(made, np.full(len(TEXTS), 10))._replace(
        corpus=corpus, links=lambda part: LINKS, texts=lambda seed, rows: [TEXTS[i] for i in rows], parts=[ROWS]
    )


def with_lengths(made, lengths):
    """Returns prepared pairs that have so many tokens, which only some bounds tell."""
    bounds = np.where(ROWS % 3, lengths, 1000)
    return made._replace(bounds=bounds, lengths=lambda rows: lengths[rows])


def test_appended_pairs_have_the_words_and_links_of_whole_pairs(linked):
    longer, links = append_pairs(TEXTS, LINKS, ROWS, linked, "1")
    for (source, target), own, of_both in zip(longer, TEXTS, links, strict=True):
        chain = [(f"{a} {b}", f"क{a[1]}{b[1]}") for a, b in zip(source.split()[::2], source.split()[1::2], strict=True)]
        assert chain[0] == own and target == " ".join(text for _, text in chain) and set(chain) <= set(TEXTS)
        assert of_both == {(2 * i + j, i) for i in range(len(chain)) for j in (0, 1)}
    assert {len(target.split()) for _, target in longer} == {2, 3, 4}


def test_no_pair_gets_longer_than_allowed(linked):
    lengths, data = np.array([4, 6] * (len(TEXTS) // 2)), DataConfig(concatenation=1.0, most_tokens=10)
    longer, _ = append_pairs(TEXTS, [], ROWS, with_lengths(linked, lengths)._replace(data=data), "1")
    changed = [both != pair for both, pair in zip(longer, TEXTS, strict=True)]
    for some_fit in (changed[::2], changed[1::2]):  # 4 + 4, 4 + 6 and 6 + 4 tokens are few enough, 6 + 6 are not
        assert any(some_fit) and not all(some_fit)


@pytest.mark.parametrize("side", [0, 1])
def test_no_sentence_that_is_scored_is_made(linked, side):
    longer, links = append_pairs(TEXTS, LINKS, ROWS, linked, "1")
    scored = {sentence_key(longer[i][side].upper()) for i in (3, 7)}
    others = linked._replace(corpus=linked.corpus._replace(held_out=scored))
    kept, same_links = append_pairs(TEXTS, LINKS, ROWS, others, "1")
    assert [i for i in range(len(TEXTS)) if kept[i] != longer[i]] == [3, 7]
    assert [(kept[i], same_links[i]) for i in (3, 7)] == [(TEXTS[i], LINKS[i]) for i in (3, 7)]
    assert same_links[0] == links[0]


def test_epochs_append_other_pairs_and_have_as_many_batches(linked):
    tokenizers = tuple(WordTokenizer.learn([pair[side] for pair in TEXTS], 300) for side in (0, 1))
    own = linked._replace(tokenizers=tokenizers, config=TrainConfig(batch_size=16))

    def tokens(share, epoch):
        batches = Ahead(own._replace(data=DataConfig(concatenation=share)))(epoch)
        return [(np.count_nonzero(batch.source_ids), float(np.sum(batch.links))) for batch in batches]

    plain, longer, again, other = (tokens(share, epoch) for share, epoch in ((0, 0), (0.25, 0), (0.25, 0), (0.25, 1)))
    assert longer == again != other and len(plain) == len(longer) == len(other)
    assert 1.3 * np.sum(plain) < np.sum(longer) < 1.7 * np.sum(plain)
