"""What glosses are learned from, and which forms get none."""

from nmt_attention.corpus import Pair
from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.marathi.gloss import read_glosses
from nmt_attention.spelling import normalize
from tools import glosses


def learn(*rows):
    pairs = [Pair(english, marathi, "") for english, marathi in rows]
    return {form: word for form, word in glosses.make_glosses(pairs).items() if form not in glosses.by_hand()}


def test_a_form_gets_the_word_it_is_linked_to_as_sentences_write_it():
    rows = [("I saw Ravi.", "मी रवी पाहिला."), ("I saw a lion.", "मी सिंह पाहिला."), ("I saw a dog.", "मी कुत्रा पाहिला.")]
    found = learn(*rows * 3)
    assert found["सिंह"] == "lion" and found["रवी"] == "Ravi"


def test_rare_forms_get_none():
    rows = [("I saw a lion.", "मी सिंह पाहिला."), ("I saw a dog.", "मी कुत्रा पाहिला.")]
    assert "सिंह" not in learn(*rows * (glosses.FEWEST - 1))
    assert "सिंह" in learn(*rows * glosses.FEWEST)


def test_links_that_come_with_pairs_are_used():
    given = [Pair("A lion.", "सिंह.", "1-0 2-1")] * glosses.FEWEST
    others = [Pair("I saw a dog.", "मी कुत्रा पाहिला.", "")]
    assert glosses.make_glosses(others, given)["सिंह"] == "lion"


def test_forms_of_a_word_agree_and_different_words_do_not():
    assert glosses._gloss({"think": 2.0, "thinking": 2.0, "sea": 3.0}, 10) == ""
    assert glosses._gloss({"think": 3.0, "thinking": 2.0, "sea": 2.0}, 10) == "think"
    assert glosses._gloss({"the": 9.0, "?": 9.0}, 10) == ""


def test_the_past_of_you_has_the_gloss_of_the_past(monkeypatch):
    monkeypatch.setattr(glosses, "BY_HAND", "का question")
    given = [Pair("I saw.", "मी पाहिला.", "0-0 1-1 2-2"), Pair("Did you see?", "तू पाहिलास?", "1-0 2-1 3-2")]
    found = glosses.make_glosses([Pair("A dog.", "कुत्रा.", "")], given * glosses.FEWEST)
    assert found["पाहिला"] == found["पाहिलास"] == "saw"


def test_glosses_by_hand_come_first_and_stand_in_the_list_once():
    entries = [entry.split()[0] for line in glosses.BY_HAND.strip().splitlines() for entry in line.split(";")]
    assert len(entries) == len(set(entries))
    assert all(form == normalize(form) for form in entries)
    written = read_glosses()
    assert {form: written[form] for form in entries} == glosses.by_hand()


def test_the_readme_counts_them():
    text = " ".join((DATA_DIRECTORY / "README.md").read_text(encoding="utf-8").split())
    assert f"an English word for each of {len(read_glosses()):,} Marathi word forms" in text
    assert f"{len(glosses.by_hand())} forms are glossed by hand" in text
