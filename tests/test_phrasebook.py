"""The embedded corpus: what its file promises, checked on the generator's output."""

import collections
import os
import subprocess
import sys

import pytest

from nmt_attention import phrasebook
from nmt_attention.corpus import Pair, sentence_key, split_pairs
from nmt_attention.phrasebook import build_phrasebook, write_phrasebook
from nmt_attention.phrasebook_grammar import agree, ergative_past, future, past, present
from nmt_attention.phrasebook_lexicon import VERBS
from nmt_attention.text import WordTokenizer, normalize

ENGLISH = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"], fold_case=True)
MARATHI = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"])
UNALIGNED = {"a", "an", "the", "it"}


@pytest.fixture(scope="module")
def phrases():
    return build_phrasebook()


@pytest.fixture(scope="module")
def by_english(phrases):
    table = collections.defaultdict(list)
    for phrase in phrases:
        table[phrase.english].append(phrase)
    return table


def test_file_is_what_the_generator_writes(tmp_path):
    """Another process, another hash seed: the same bytes; nothing temporary is left."""
    path = tmp_path / "new" / "phrasebook.tsv"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(
        [sys.executable, "-m", "nmt_attention.phrasebook", str(path)], check=True, env=environment, capture_output=True
    )
    assert path.read_bytes() == phrasebook.DEFAULT_PATH.read_bytes()
    assert list(path.parent.iterdir()) == [path]


def test_lines_are_the_phrases(phrases):
    lines = phrasebook.DEFAULT_PATH.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(phrases)
    for line, phrase in zip(lines, phrases, strict=True):
        links = " ".join(f"{i}-{j}" for i, j in phrase.alignment)
        assert line == f"{phrase.english}\t{phrase.marathi}\t{links}"


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "phrasebook.tsv"
    path.write_text("old")

    def fail():
        raise OSError("no")

    monkeypatch.setattr(phrasebook, "build_phrasebook", fail)
    with pytest.raises(OSError):
        write_phrasebook(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_size_and_variety(phrases):
    assert len({(p.english, p.marathi) for p in phrases}) == len(phrases) >= 12_000
    assert phrasebook.DEFAULT_PATH.stat().st_size < 1_500_000
    frames = collections.Counter(p.frame for p in phrases)
    assert len(frames) >= 60
    assert max(frames.values()) <= len(phrases) / 10
    lengths = [len(ENGLISH.tokenize(p.english)) for p in phrases]
    assert max(lengths) >= 15


@pytest.mark.parametrize("side", ["english", "marathi"])
def test_each_form_is_shown_often_enough(phrases, side):
    tokenizer = ENGLISH if side == "english" else MARATHI
    counts = collections.Counter(token for p in phrases for token in set(tokenizer.tokenize(getattr(p, side))))
    assert min(counts.values()) >= 5
    assert side == "english" or len(counts) >= 400


def test_one_translation_as_a_rule(phrases, by_english):
    several = [p for p in phrases if len(by_english[p.english]) > 1]
    assert 0 < len(several) < 0.03 * len(phrases)
    assert all(any(p.frame == "woman_speaking" for p in by_english[q.english]) for q in several)


def test_text_is_normal(phrases):
    for p in phrases:
        assert normalize(p.english) == p.english and normalize(p.marathi) == p.marathi
        assert ENGLISH.detokenize(ENGLISH.tokenize(p.english)) == normalize(p.english, fold_case=True)
        assert MARATHI.detokenize(MARATHI.tokenize(p.marathi)) == p.marathi
        assert p.english.isascii() and not any(c.isascii() and c.isalnum() for c in p.marathi)
        assert p.english[-1] == p.marathi[-1] in ".?"


def test_alignment_covers_every_word(phrases):
    for p in phrases:
        english, marathi = ENGLISH.tokenize(p.english), MARATHI.tokenize(p.marathi)
        assert list(p.alignment) == sorted(set(p.alignment))
        ones, others = ({link[side] for link in p.alignment} for side in (0, 1))
        assert {english[i] for i in set(range(len(english))) - ones} <= UNALIGNED, p
        assert others == set(range(len(marathi))), p
        assert all((english[i] in ".,?") == (marathi[j] in ".,?") for i, j in p.alignment), p
        assert all(english[i] == marathi[j] for i, j in p.alignment if english[i] in ".,?"), p


def test_order_differs(phrases):
    def crosses(links):
        return any(a < c and b > d for a, b in links for c, d in links)

    assert sum(crosses(p.alignment) for p in phrases) > 0.8 * len(phrases)


def test_split_keeps_groups_small(phrases):
    pairs = [Pair(p.english, p.marathi) for p in phrases]
    split = split_pairs(pairs)
    assert [round(100 * len(part) / len(pairs)) for part in split] == pytest.approx([90, 5, 5], abs=1)
    group = {}
    for pair in pairs:  # a sentence's group is the one list that all its partners share
        ones = group.setdefault(sentence_key(pair.source), [])
        others = group.setdefault(sentence_key(pair.target), [])
        ones.append(pair)
        if ones is not others:
            ones.extend(others)
            for other in others:
                group[sentence_key(other.source)] = group[sentence_key(other.target)] = ones
            group[sentence_key(pair.target)] = ones
    assert max(len(members) for members in group.values()) < 60


SENTENCES = [
    ("Rahul is a good boy.", "राहुल चांगला मुलगा आहे.", "0-0 1-3 3-1 4-2 5-4"),
    ("I like tea.", "मला चहा आवडतो.", "0-0 1-2 2-1 3-3"),
]


@pytest.mark.parametrize("english, marathi, links", SENTENCES)
def test_known_sentences(by_english, english, marathi, links):
    phrase = by_english[english][0]
    assert phrase.marathi == marathi
    assert " ".join(f"{i}-{j}" for i, j in phrase.alignment) == links


def test_inflection():
    assert [agree("चांगल", form) for form in ("ms", "fs", "ns", "mp", "fp", "np")] == (
        ["चांगला", "चांगली", "चांगलं", "चांगले", "चांगल्या", "चांगली"]
    )
    assert agree("पांढर", "fp") == "पांढऱ्या"
    eat, go, buy = VERBS["eat"], VERBS["go"], VERBS["buy"]
    persons = ("1ms", "1fs", "2ms", "2fs", "2mp", "3ns", "3fp")
    assert [present(eat, who) for who in persons] == ["खातो", "खाते", "खातोस", "खातेस", "खाता", "खातं", "खातात"]
    assert [future(go, who) for who in persons] == ["जाईन", "जाईन", "जाशील", "जाशील", "जाल", "जाईल", "जातील"]
    assert [past(go.past, who) for who in persons] == ["गेलो", "गेले", "गेलास", "गेलीस", "गेलात", "गेलं", "गेल्या"]
    assert ergative_past(buy, "fs") == "विकत घेतली"
    assert ergative_past(eat, "ns", "2ms") == "खाल्लंस"


def words(phrase):
    return MARATHI.tokenize(phrase.marathi)


def test_ergative(phrases):
    """मी and आम्ही take no -ने; everybody else does."""
    for p in phrases:
        if p.frame == "did":
            plain = words(p)[0] in ("मी", "आम्ही")
            assert plain == (p.english.split()[0] in ("I", "We")), p
            assert plain or any(word.endswith(("ने", "नी")) for word in words(p)[:2]), p


def test_negation_and_questions(phrases):
    for p in phrases:
        english, marathi = ENGLISH.tokenize(p.english), words(p)
        denies = {"not", "cannot", "don't"} & set(english)
        assert bool(denies) == any(w.startswith(("नाही", "नव्ह", "नको", "नका")) for w in marathi), p
        if english[0] in {"is", "are", "do", "does", "did", "will"}:
            assert marathi[-2] == "का", p
