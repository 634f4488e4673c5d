"""The everyday sentences: their file, what must not hold them, and their scores by kind."""

import re

import pytest

from nmt_attention import DATA_DIRECTORY, read_names, read_pairs
from nmt_attention.analysis.everyday import read_everyday
from nmt_attention.corpus import sentence_words
from nmt_attention.runs.splits import seen_in_training
from nmt_attention.spelling import has_devanagari, normalize
from tools.demo import DEMO, FREE, read_sentences


@pytest.fixture(scope="module")
def stored():
    return read_everyday()


def test_every_stored_sentence_has_references_with_its_final_mark(stored):
    for english, _, references in stored:
        assert 1 <= len(references) == len(set(references)) <= 3 and not has_devanagari(english), english
        for text in references:
            assert normalize(text) == text and has_devanagari(text) and not re.search("[A-Za-z0-9]", text), text
            assert re.findall("[.?!]$", text) == re.findall("[.?!]$", english), text


def test_everyday_talk_for_training_has_no_sentence_of_a_test_set_and_is_written_as_it_will_be_read(stored):
    pairs = read_pairs(DATA_DIRECTORY / "talk.tsv")
    for english, marathi, _ in pairs:
        assert (normalize(english), normalize(marathi)) == (english, marathi) and not has_devanagari(english), english
        assert not re.search("[A-Za-z0-9]", marathi) and english[-1] == marathi[-1] in ".?!", english
    assert len({sentence_words(pair.source) for pair in pairs}) == len(pairs)
    held_out = [(s.english, s.references) for s in (*stored, *read_sentences(DEMO), *read_sentences(FREE))]
    assert not any(seen_in_training(held_out, pairs))


def test_no_sentence_is_in_another_file_whatever_its_names(stored):
    pairs = read_pairs(DATA_DIRECTORY / "phrasebook.tsv")
    pairs += [(english, text) for path in (DEMO, FREE) for english, texts in read_sentences(path) for text in texts]
    names = {name.english.casefold() for name in read_names() if name.kind != "word"}

    def unnamed(text):
        return ["X" if word in names else word for word in sentence_words(text).split()]

    known = [unnamed(pair[0]) for pair in pairs]
    seen = seen_in_training([(s.english, s.references) for s in stored], pairs)
    assert not [s.english for s, was in zip(stored, seen, strict=True) if was or unnamed(s.english) in known]


@pytest.mark.parametrize("line", ["Hello.\tgreetings", "Hello.\tgreetings\t", "\tgreetings\tनमस्कार."])
def test_a_line_without_a_column_is_named(line, tmp_path):
    path = tmp_path / "everyday.tsv"
    path.write_text(f"Hi.\tgreetings\tहाय.\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="everyday.tsv, line 2: expected English, kind and references"):
        read_everyday(path)
