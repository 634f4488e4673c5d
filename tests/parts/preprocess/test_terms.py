"""A user's own terms are found in texts as they are typed, hidden like names, and written as the list says."""

import pytest
from command_line import call, refusal
from page_models import named

from nmt_attention.preprocess.preprocessor import Preprocessor
from nmt_attention.preprocess.terms import Terms, read_terms, typed_again
from nmt_attention.translate import Translator

TERMS = {
    "GPU": "जीपीयू",
    "book": "ग्रंथ",
    "apple pie": "पाय",
    "apple": "फळ",
    "new york times": "",
    "C++": "",
    "Yahoo!": "याहू!",
    "U.S.": "यूएस",
    "O'Neil": "ओनील",
    "café": "कॅफे",
    "Rahul": "राहुलदादा",
}
TEXTS = [
    ("Read a book. Books, BOOK and bookish GPUs.", [("book", "ग्रंथ"), ("BOOK", "ग्रंथ")]),
    ("An apple pie, an Apple  Pie and an apple.", [("apple pie", "पाय"), ("Apple  Pie", "पाय"), ("apple", "फळ")]),
    ("The New York Times", [("New York Times", "New York Times")]),
    ("I like C++, and C++11 and C+.", [("C++", "C++")]),
    ("Yahoo! Yahoo Yahoo!s", [("Yahoo!", "याहू!")]),
    ("In the U.S. it rains.", [("U.S.", "यूएस")]),
    ("O’Neil's cafe\u0301", [("O’Neil", "ओनील"), ("café", "कॅफे")]),
    ("", []),
]
ODD = [*(text for text, _ in TEXTS), "𗀀 book", "GPU", "'GPU' (GPU); Rahul's GPU-based GPU"]
ODD += ["Rahul, GPU, book and apple."]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_terms_are_whole_words_the_longest_first_in_the_case_of_the_list(text, expected):
    (marked,), found = Terms(TERMS).mark([text])
    assert [tuple(term) for term in found.values()] == expected
    assert len(marked) <= len(text) and all(mark in marked for mark in found)
    assert typed_again(marked, found) == text.replace("e\u0301", "é")


def test_a_term_is_written_as_the_list_says_whatever_stands_around_it():
    translator = Translator.load(terms=TERMS)
    expected = {
        "Where is my book?": ["ग्रंथ"],
        "GPU": ["जीपीयू"],
        "I work at Yahoo! Is it good?": ["याहू!"],
        "The U.S. is big. My GPU is new": ["यूएस", "जीपीयू"],
        "Ich liebe GPU.": ["Ich liebe GPU."],
    }
    for translation in translator.translate(list(expected)):
        assert all(translation.text.count(term) == 1 for term in expected[translation.source]), translation.text
    (translation,) = translator.translate(["My GPU is new."])
    assert any("GPU" in token for token in translation.source_tokens)
    assert not any("GPU" in doubt for doubt in translation.doubts)


def test_a_person_who_is_a_term_stays_one():
    _, translator = named("trained")
    (piece,) = translator.preprocessor.but(terms=TERMS).protect(["Rahul reads."])
    (symbol,) = piece.words
    (as_before,) = translator.preprocessor.protect(["Rahul reads."])
    assert (symbol, piece.spelled[symbol]) == (*as_before.words, "राहुलदादा")


def test_the_page_reads_terms_as_python_does():
    engine, translator = named("trained")
    preprocessor = translator.preprocessor.but(terms=TERMS)
    terms = "\n".join(f"{term} = {target}" if target else term for term, target in TERMS.items())
    engine.answer("translate", sentence="Go.", beamSize=1, terms=terms)  # the page sends them with each text
    try:
        for sentence, hidden in zip(ODD, preprocessor.protect(ODD), strict=True):
            assert engine.mask(sentence) == [hidden.read, hidden.words, hidden.spelled], sentence
    finally:
        engine.answer("translate", sentence="Go.", beamSize=1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("GPU\ta\n\nGPU\tb\n", "line 3: 'GPU' has another translation in line 1"),
        ("GPU\ta\tb\n", "line 1: expected a term, a tab and its translation, found 3 columns"),
        ("ok\ta\n\tb\n", "line 2: expected a term with a letter or a digit"),
        (b"ok\n\xff\xfe", "line 2: not UTF-8"),
        ("\n \n", "holds no terms"),
        ("\nnode = a\nGPU = b\n", "line 2: expected a tab between a term and its translation"),
        ("go\n" + "x" * 201, "line 2: expected a term of at most 200 letters, got 201"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_line(tmp_path, data, message):
    path = tmp_path / "terms.tsv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    assert f"{path}" in (line := refusal("translate", "--terms", path, "Hello.")) and message in line
    assert refusal("plot", "--terms", path, "Hello.") == line


def test_rows_may_lack_a_target_repeat_and_end_as_on_windows(tmp_path):
    path = tmp_path / "terms.tsv"
    path.write_bytes("\ufeffGPU\tजीपीयू\r\nnode\r\nnode\t\r\n two  words \t a  b \r\nGPU\tजीपीयू".encode())
    assert read_terms(path) == {"GPU": "जीपीयू", "node": "", "two words": "a b"}


def test_a_model_without_placeholders_refuses_terms(run, tmp_path):
    translator = Translator.load(run)
    with pytest.raises(ValueError, match="placeholders"):
        Preprocessor(translator.source_tokenizer, translator.target_tokenizer, terms={"GPU": ""})
    assert call("translate", "--run", tmp_path, "--terms", tmp_path / "none.tsv", "Hi.").status == 1
