"""The demo's table: what is ticked, what is compared with a reference, and what training had."""

from nmt_attention.marathi.romanize import romanize
from nmt_attention.spelling import has_devanagari, normalize
from nmt_attention.text import WordTokenizer
from tools.demo import DEMO, FREE, Sentence, demo_lines, is_right, read_sentences

SENTENCES = [
    Sentence("Come in.", ["आत या.", "आत ये."]),
    Sentence("She reads.", ["ती वाचते.", "त्या पुस्तक वाचतात."]),
]


def test_a_reference_is_ticked_and_anything_else_is_compared_with_the_nearest():
    lines = demo_lines(SENTENCES, ["आत ये.", "ती वाचतो."], [False, True])
    assert lines[:3] == [
        f"✓ Come in.  →  आत ये.  ({romanize('आत ये.')})",
        "  She reads.*  →  ती वाचतो.  (tī [vāchto.])",
        f"      compare  ती वाचते.  ({romanize('ती वाचते.')})",
    ]
    assert lines[3].startswith("✓ 1 of 2 are a reference") and lines[-1].startswith("* ")
    assert not demo_lines(SENTENCES, ["", ""], [False, False])[-1].startswith("*")


def test_spacing_and_composition_of_letters_do_not_matter():
    assert is_right(" आत\u00a0या.", SENTENCES[0]) and not is_right("आत या", SENTENCES[0])


def test_the_stored_sentences_are_english_with_marathi_references():
    for path in (DEMO, FREE):
        sentences = read_sentences(path)
        assert len(sentences) == len({sentence.english for sentence in sentences}) == 10
        for english, references in sentences:
            assert references and len(references) == len(set(references))
            ending = english[-1]
            for text in references:
                assert normalize(text) == text and text.endswith(ending)
                words = WordTokenizer.split(text)
                assert all(has_devanagari(word) or word in ".?,:" for word in words), text
                assert not has_devanagari(english)
