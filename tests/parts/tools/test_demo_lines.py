"""The demo's table: what is ticked, what is compared with a reference, and what training had."""

from nmt_attention.marathi.romanize import romanize
from nmt_attention.spelling import has_devanagari, normalize
from tools.demo import DEMO, FREE, Sentence, demo_lines, read_sentences

SENTENCES = [Sentence("Come in.", ["आत या.", "आत ये."]), Sentence("She reads.", ["ती वाचते.", "त्या वाचतात."])]


def test_a_reference_is_ticked_and_anything_else_is_compared_with_the_nearest():
    lines = demo_lines(SENTENCES, [" आत\u00a0ये.", "ती वाचतो."], [False, True])  # spaces do not matter
    assert lines[0].startswith("✓ Come in.  →  ")
    assert lines[1] == "  She reads.*  →  ती वाचतो.  (tī [vāchto.])"
    assert lines[2] == f"      compare  ती वाचते.  ({romanize('ती वाचते.')})"
    assert lines[3].startswith("✓ 1 of 2 are a reference") and lines[-1].startswith("* ")


def test_the_stored_sentences_are_english_with_marathi_references():
    for path in (DEMO, FREE):
        sentences = read_sentences(path)
        assert len({sentence.english for sentence in sentences}) == 10
        for english, references in sentences:
            assert references and len(references) == len(set(references)) and not has_devanagari(english)
            assert all(normalize(text) == text and text[-1] == english[-1] for text in references)
            assert all(has_devanagari(word) for text in references for word in text.split())
