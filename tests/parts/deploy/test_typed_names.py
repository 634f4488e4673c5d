"""The page hides and spells what people type as Python does."""

import pytest
from page_models import named
from typed import COPIED, ENTITIES, FULL_NAMES, LETTERS, LISTS, NOT_COPIED, NUMBERS

SENTENCES = [
    *(row[0] for table in (LETTERS, LISTS, NUMBERS, ENTITIES, FULL_NAMES) for row in table),
    *(f"See {copied}. {copied} is good" for copied in COPIED),
    *NOT_COPIED,
    "The café is naïve.",
    *(
        "I met Girl.",
        "Girl is my friend.",
        "New York and Navi Mumbai are far from New Zealand",
        "I live in West Bengal.",
    ),
    "I met Boy Rahul, Rahul Girl and Shah Rukh",  # boy and girl are known
    "I saw Zor, Bor, Dor that saw Gor that saw Kor and Lor and Mor met Nor's Por with Qor at Ror by Sor",
]


@pytest.mark.parametrize("spelled_by", ["trained", "untrained"])
def test_the_page_hides_what_python_hides(spelled_by):
    engine, translator = named(spelled_by)
    for sentence, hidden in zip(SENTENCES, translator.preprocessor.protect(SENTENCES), strict=True):
        assert engine.mask(sentence) == [hidden.read, hidden.words, hidden.spelled], sentence
