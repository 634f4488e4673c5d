"""Training on the pairs that people have: what is changed, left out or looks wrong is said before it starts."""

import logging
import random
import re

import pytest

from nmt_attention.config import TrainConfig
from nmt_attention.corpus import Pair
from nmt_attention.disk.fetch import load_corpus
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.runs.data import prepare
from nmt_attention.runs.settings import DataConfig, make_config, make_settings
from nmt_attention.runs.splits import corpus_hash, hash_split, make_corpus

BOOK = load_corpus("phrasebook")[:1500]
PLAIN = [tuple(pair[:2]) for pair in BOOK]
DRAW = random.Random(1)
PARAGRAPHS = [tuple(map(" ".join, zip(*DRAW.sample(PLAIN, 100), strict=True))) for _ in range(60)]


def prepared(pairs, split):
    settings = make_settings("quick", {"vocabulary_size": 600, "placeholders": 0.0}, len(BOOK))
    configs = (make_config(config, settings) for config in (DataConfig, TrainConfig))
    return prepare(make_corpus(pairs, split), *configs)


@pytest.mark.parametrize("kind", [iter, lambda pairs: map(list, pairs), lambda pairs: dict(enumerate(pairs)).values()])
def test_pairs_and_extra_pairs_may_be_anything_that_yields_pairs(kind):
    more = [("A new sentence about tea.", "चहाबद्दल एक नवीन वाक्य.")]
    found = make_corpus(kind(PLAIN), extra={"more.tsv": kind(more)})
    expected = make_corpus([Pair(*pair) for pair in PLAIN], extra={"more.tsv": [Pair(*pair) for pair in more]})
    assert found == expected and found.about["extra"] == {"more.tsv": 1}


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("Go\nthere.", "तिथे\tजा."), *PLAIN], "corpus: 1 of 1501 pairs are read without tabs, line ends"),
        ([(t, s) for s, t in PLAIN], "corpus: English stands on the right"),
        ([(s, t.encode().decode("latin-1")) for s, t in PLAIN], "corpus: the second column is UTF-8 that was read as"),
        ([*BOOK[:300], *PLAIN[300:]], "the links in the corpus are not used: .* pairs have some, fewer than half"),
    ],
)
def test_what_is_changed_not_used_or_looks_wrong_is_said(pairs, message, caplog, tmp_path):
    corpus = make_corpus(pairs)
    assert any(re.match(message, line) for line in caplog.messages)
    corpus.write(tmp_path)  # what the other commands read is what was trained on
    assert hash_split(corpus.split) == {
        name: corpus_hash(read_pairs(tmp_path / name)) for name in hash_split(corpus.split)
    }


@pytest.fixture(autouse=True)
def heard(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("nmt_attention"), "propagate", True)
    caplog.set_level("INFO", "nmt_attention")


def test_paragraphs_alone_are_refused_with_advice():
    assert len(PARAGRAPHS[0][1].encode()) > 4_192  # what sentencepiece would leave out by itself
    with pytest.raises(ValueError, match="most_tokens: expected at least .*; or split the texts into sentences"):
        prepared(PARAGRAPHS, "pair")
