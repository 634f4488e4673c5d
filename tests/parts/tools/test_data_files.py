"""Data files: what must and what must not be in them, and the demo's table of some."""

import re

import pytest

from nmt_attention import DATA_DIRECTORY, WordTokenizer, held_out, read_alignments, read_names, romanize, short_pairs
from nmt_attention.corpus import Pair, sentence_words
from nmt_attention.marathi.gloss import read_glosses
from nmt_attention.spelling import has_devanagari, normalize
from tools.data import glosses
from tools.demo import DEMO, FREE, Sentence, demo_lines, read_sentences

ENGLISH = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"], fold_case=True)
MARATHI = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"])


@pytest.fixture(scope="module")
def phrases():
    return read_alignments(DATA_DIRECTORY / "phrasebook.tsv", [])[0]


def test_links_cover_every_word_and_marks_link_to_marks(phrases):
    for p in phrases:
        english, marathi, links = ENGLISH.tokenize(p.pair.source), MARATHI.tokenize(p.pair.target), p.possible
        assert {i for i, _ in links} == set(range(len(english))), p
        unlinked = set(range(len(marathi))) - {j for _, j in links}
        assert {marathi[j + 1] for j in unlinked} <= {"कारण"}, p  # after an unlinked comma
        assert all((english[i] in ".,?!") == (marathi[j] in ".,?!") for i, j in links), p


def test_no_sentence_that_is_shown_occurs_nor_a_name_that_counts_as_unseen(phrases):
    """The phrasebook may be trained on besides the corpus, and names that are held out must stay unseen."""
    seen = {f" {sentence_words(p.pair.source)} " for p in phrases}
    shown = {f" {sentence_words(sentence.english)} " for path in (DEMO, FREE) for sentence in read_sentences(path)}
    assert shown and not any(text in sentence for sentence in seen for text in shown)
    unseen = {name.english for name in read_names() if name.kind != "word" and held_out(name)}
    assert unseen and not [p for p in phrases if unseen & set(re.findall(r"\w+", p.pair.source))]
    assert not set.intersection(*({text for pair in part for text in pair[:2]} for part in short_pairs()))  # lesson 4's


def test_a_form_gets_the_word_it_is_linked_to_as_sentences_write_it_unless_it_is_rare():
    rows = [("I saw Ravi.", "मी रवी पाहिला."), ("I saw a lion.", "मी सिंह पाहिला."), ("I saw a dog.", "मी कुत्रा पाहिला.")]
    pairs = [Pair(*row, "") for row in rows]
    found = glosses.make_glosses(pairs * glosses.FEWEST)
    assert found["सिंह"] == "lion" and found["रवी"] == "Ravi"
    assert "सिंह" not in glosses.make_glosses(pairs * (glosses.FEWEST - 1))
    given = [Pair("A cat.", "मांजर.", "1-0 2-1")] * glosses.FEWEST
    assert glosses.make_glosses(pairs, given)["मांजर"] == "cat"
    written = read_glosses()  # where those by hand come first
    assert {form: written.get(form, "") for form in glosses.by_hand()} == glosses.by_hand()
    given = {"आंब्याचा": "mango's", "आंब्यात": "in mango", "फोडला": "broke", "त्यात": "in his", "त्यावर": "his"}
    found = glosses.by_ending(given, ["आंब्यापासून", "आंब्याला", "फोडली", "त्याला", "खुर्चे"])
    assert found == {"आंब्यापासून": "from mango", "आंब्याला": "mango", "फोडली": "broke"}


def test_the_stored_sentences_are_english_with_marathi_references():
    for path in (DEMO, FREE):
        sentences = read_sentences(path)
        assert len({sentence.english for sentence in sentences}) == 10
        for english, references in sentences:
            assert references and len(references) == len(set(references)) and not has_devanagari(english)
            assert all(normalize(text) == text and text[-1] == english[-1] for text in references)
            assert all(has_devanagari(word) for text in references for word in text.split())


def test_a_reference_is_ticked_and_anything_else_is_compared_with_the_nearest():
    sentences = [Sentence("Come in.", ["आत या.", "आत ये."]), Sentence("She reads.", ["ती वाचते.", "त्या वाचतात."])]
    lines = demo_lines(sentences, [" आत\u00a0ये.", "ती वाचतो."], [False, True])  # spaces do not matter
    assert lines[0].startswith("✓ Come in.  →  ")
    assert lines[1] == "  She reads.*  →  ती वाचतो.  (tī [vāchto.])"
    assert lines[2] == f"      compare  ती वाचते.  ({romanize('ती वाचते.')})"
    assert lines[3].startswith("✓ 1 of 2 are a reference") and lines[-1].startswith("* ")
