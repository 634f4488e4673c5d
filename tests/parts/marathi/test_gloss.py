"""English words for Marathi ones."""

import re

from nmt_attention import DATA_DIRECTORY, WordTokenizer, read_pairs
from nmt_attention.marathi.gloss import gloss, read_glosses
from nmt_attention.spelling import has_devanagari, normalize


def test_a_word_form_has_a_gloss_however_it_is_spelled_and_other_words_have_none():
    expected = {"घेतला": "took", "कॅमेरा": "camera", "मला": "to me", "आहेत": "are", "टॉमला": "Tom", "उद्या": "tomorrow"}
    assert {word: gloss(word) for word in expected} == expected
    assert gloss("बर्\u200dया") == gloss("बऱ्या") != ""
    assert {gloss(word) for word in ("झुबिन", "camera", "", ".")} == {""}
    others = {"बाबांचं": "Dad's", "फोडल्या": "broke", "आंब्यांपेक्षा": "than mangoes", "भाची": "niece", "बसला": ""}
    assert {word: gloss(word) for word in others} == others  # भाचा is a nephew, and बस a bus


def test_of_several_senses_that_of_the_word_that_was_looked_at_most_is_given():
    seen = ["He", "eats", "at", "the", "account", "office"]
    assert gloss("खातं", seen, [0, 0.1, 0, 0, 0.9, 0]) == gloss("खातं", ["Accounts", "eat"], [0.6, 0.4]) == "account"
    assert gloss("खातं", seen, [0, 0.9, 0, 0, 0.1, 0]) == gloss("खातं", ["Eating"], [1.0]) == "eats"
    assert gloss("खातं") == gloss("खातं", ["the", "ate"], [0.5, 0.5]) == "eats"  # the first, where no word decides
    assert gloss("बागेत", ["in", "the", "parks"], [1, 0, 0]) == "in park"  # by its last word


def test_every_row_is_a_form_of_marathi_and_plain_english_and_most_words_of_the_phrasebook_have_one():
    glosses = read_glosses()
    assert len(glosses) > 15_000 and list(glosses) == sorted(glosses)
    for form, english in glosses.items():
        assert has_devanagari(form) and form == normalize(form) and WordTokenizer.split(form) == [form]
        for sense in (senses := english.split("|")):
            assert re.fullmatch(r"[A-Za-z][A-Za-z'-]*( [A-Za-z][A-Za-z'-]*)*", sense), english
        assert len(set(senses)) == len(senses)
    pairs = read_pairs(DATA_DIRECTORY / "phrasebook.tsv")
    marathi = [word for pair in pairs for word in WordTokenizer.split(pair.target) if has_devanagari(word)]
    assert sum(bool(gloss(word)) for word in marathi) / len(marathi) > 0.95
