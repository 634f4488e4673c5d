"""A split that the user gives, and pairs as people have them: what is trained on, counted, changed, said, refused."""

import logging
import re

import pytest
from command_line import call, write_lines

from nmt_attention import Pair, load_corpus, make_corpus, read_pairs, sentence_key, split_pairs
from nmt_attention.disk.files import read_json
from nmt_attention.runs.splits import corpus_hash, hash_split

PAIRS = [Pair(f"Tom {i} sees {i % 7} dogs .", f"Tom {i} sieht {i % 7} Hunde {i} .") for i in range(200)]
DEV = [Pair("We drink tea .", "Wir trinken Tee ."), Pair("tom 3 sees 3 dogs!", "Tom sieht drei .")]
TEST = [Pair("It rains .", "Es regnet ."), Pair("New .", PAIRS[5].target), Pair("Tom 9 sees 2 dogs", "Neu .")]


def test_given_dev_and_test_leave_the_corpus_whole_and_what_they_share_is_counted(capsys):
    corpus = make_corpus(PAIRS, given={"dev": DEV, "test": iter(TEST)})
    assert corpus.split == (PAIRS, DEV, TEST)
    assert corpus.about["given"]["dev"] == {"shared_with_training": 1}
    assert corpus.about["given"]["test"] == {"shared_with_training": 2, "shared_with_dev": 0}
    assert corpus.about["pairs"] == {"train": 200, "dev": 2, "test": 3}
    assert capsys.readouterr().err.splitlines() == [
        "dev: 1 of 2 given pairs share a sentence with training",
        "test: 2 of 3 given pairs share a sentence with training",
        "test: 0 of 3 given pairs share a sentence with dev",
    ]


def test_a_given_test_alone_is_kept_out_of_training_of_dev_and_of_extra_pairs(capsys):
    extra = [Pair("It rains!", "Regen ."), Pair("It snows .", "Es schneit ."), Pair("Yes. It rains.", "Ja .")]
    corpus = make_corpus(PAIRS, "group", {"more": extra}, {"test": TEST})
    held_out = {sentence_key(text) for pair in TEST for text in pair[:2]}
    rest = [pair for pair in PAIRS if held_out.isdisjoint(map(sentence_key, pair[:2]))]
    assert len(rest) == corpus.size == 198
    assert corpus.split.test == TEST and corpus.split.dev == split_pairs(rest).dev
    assert sorted(corpus.split.train) == sorted({*rest, extra[1]} - {*corpus.split.dev})
    assert corpus.about["given"] == {"test": {"left_out_of_corpus": 2}} and corpus.about["extra"] == {"more": 1}
    assert "2 pairs of the corpus have a sentence of theirs and are left out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"dev": []}, "group", "^dev: expected pairs, got none"),
        ({"dev": DEV, "test": DEV[::-1]}, "group", "^test: these are pairs of dev"),
        ({"valid": DEV}, "group", "^given: expected dev or test, got 'valid'"),
        ({"dev": DEV}, "pair", "^split: 'pair' has no effect if dev"),
        ({"test": PAIRS}, "group", "^corpus: 0 pairs are too few"),
        ({}, "group", "^corpus: 200 pairs are too few, or share too many sentences; the dev split is empty"),
        ({"dev": [Pair("Go.", "")]}, "group", "^dev: pair 1 has an empty sentence"),
    ],
)
def test_a_given_split_that_cannot_be_used_is_refused(given, kind, message):
    pairs = PAIRS if given else [Pair("Go.", pair.target) for pair in PAIRS]
    with pytest.raises(ValueError, match=message):
        make_corpus(pairs, kind, given=given)


def test_a_run_with_a_given_dev_alone_scores_it_once_and_says_so(trained, tmp_path):
    lines, run = trained.corpus.read_text(encoding="utf-8").splitlines(), tmp_path / "run"
    train, given = write_lines(tmp_path / "train.tsv", lines[20:]), write_lines(tmp_path / "dev.tsv", lines[:22])
    result = trained.train(run, "--dev", given, corpus=train)
    assert " of 22 given pairs share a sentence with training" in result.err
    _, dev, none = result.out.splitlines()
    assert dev.startswith("dev ") and none.startswith("test  none was given")
    assert read_pairs(run / "dev.tsv") == read_pairs(given) and not (run / "test.tsv").exists()
    assert read_pairs(run / "train.tsv") == read_pairs(train) and "test" not in read_json(run / "scores.json")
    scored = call("evaluate", "--run", run, "--split", "dev")
    assert scored.status == 0 and "warning" in scored.err  # the shared sentences
    line = call("evaluate", "--run", run).err
    assert f"{run}: no test pairs, because training had --dev without --test; score --split dev" in line


# --- pairs as people have them

BOOK = load_corpus("phrasebook")[:1500]
PLAIN = [tuple(pair[:2]) for pair in BOOK]


@pytest.fixture
def heard(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("nmt_attention"), "propagate", True)
    caplog.set_level("INFO", "nmt_attention")
    return caplog


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("Go\nthere.", "तिथे\tजा."), *PLAIN], "corpus: 1 of 1501 pairs are read without tabs, line ends"),
        ([(t, s) for s, t in PLAIN], "corpus: English stands on the right"),
        ([*BOOK[:300], *PLAIN[300:]], "the links in the corpus are not used: .* pairs have some, fewer than half"),
    ],
)
def test_what_is_changed_not_used_or_looks_wrong_is_said(pairs, message, heard, tmp_path):
    corpus = make_corpus(pairs)
    assert any(re.match(message, line) for line in heard.messages)
    corpus.write(tmp_path)  # what the other commands read is what was trained on
    assert all(corpus_hash(read_pairs(tmp_path / name)) == found for name, found in hash_split(corpus.split).items())
