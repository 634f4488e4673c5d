import collections
import re

import pytest

from nmt_attention import DATA_DIRECTORY, held_out, normalize, read_names, score_names
from nmt_attention.names.lists import KINDS, SUFFIXES, Name, NameScores, is_near, name_sentences
from nmt_attention.preprocess.rules import OBLIQUES, PATTERNS, WORDS
from nmt_attention.preprocess.transliterator import is_devanagari_word

TOM, MARY = Name("Tom", "टॉम", "m"), Name("Mary", "मेरी", "f")
RAHUL, PRIYA = Name("Rahul", "राहुल", "m"), Name("Priya", "प्रिया", "f")


def test_the_file_holds_many_names_well_spelled_and_each_once():
    names = read_names()
    assert len(names) >= 8000
    assert {TOM, MARY, RAHUL, PRIYA} <= set(names)
    assert min(collections.Counter(name.kind for name in names)[kind] for kind in KINDS) >= 1000
    # of one Marathi spelling, all given names have one gender: else a model could not know the verb
    given = {(name.marathi, name.kind) for name in names if name.kind in ("m", "f")}
    assert len(given) == len({marathi for marathi, _ in given})
    letters = set("".join(name.marathi for name in names))
    assert letters <= set("अआइईउऊऋएऐओऔऑॲकखगघचछजझञटठडढणतथदधनपफबभमयरऱलळवशषसहािीुूृेैोौॅॉंँ्")
    english = [name.english.lower() for name in names]
    assert english == sorted(set(english))


def test_about_a_tenth_is_held_out_without_those_of_the_corpus_and_in_all_its_spellings():
    names = read_names()
    kept = [name for name in names if held_out(name)]
    assert 100 <= len(kept) <= len(names) / 8
    assert min(collections.Counter(name.kind for name in kept)[kind] for kind in KINDS) >= 100
    assert not any(held_out(name) for name in (TOM, MARY, RAHUL, PRIYA))
    assert held_out(Name("Pradeep", "प्रदीप", "m")) and held_out(Name("Pradip", "प्रदीप", "m"))
    assert held_out(Name("Mill", "मिल", "surname")) == held_out(Name("mill", "मिल", "word"))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Rahul\tराहुल", "2 tab-separated columns"),
        ("rahul\tराहुल\tm", "English 'rahul'"),
        ("Rahul K\tराहुल\tm", "English 'Rahul K'"),
        ("Rahul\tRahul\tm", "Marathi 'Rahul'"),
        ("Rahul\tराहुल्\tm", "Marathi"),  # a virama with nothing to join
        ("Rahul\tराहाुल\tm", "Marathi"),  # two vowel signs
        ("Rahul\tिराहुल\tm", "Marathi"),
        ("Zara\tजा़रा\tf", "Marathi"),  # a nukta goes with a consonant
        ("Rahul\tराऱ\tm", "Marathi"),  # ऱ stands only before another consonant
        ("Rahul\tराहुल\tmale", "kind 'male'"),
        ("Bus\tबस\tword", "English 'Bus'"),  # a loan word is in lower case
        ("boston\tबॉस्टन\tplace", "English 'boston'"),
        ("Tom\tटॉम\tm", "Tom occurs twice"),
        ("tom\tटॉम\tword", "tom occurs twice"),
    ],
)
def test_a_bad_row_is_named(tmp_path, row, reason):
    path = tmp_path / "names.tsv"
    path.write_text(f"# a note\nTom\tटॉम\tm\n{row}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"{path}, line 3: not a name ({reason}")):
        read_names(path)


SPELLED = {name: name for name in ("ॲलन", "ऍन", "गोऱ्हे", "दुःखी", "ज़ोया", "अँजेला", "ऑस्कर")}
SPELLED |= {"अॅलन": "ॲलन", "अ\u200dॅलन": "ॲलन", "गो\u0930\u093c्हे": "गो\u0931्हे"}


@pytest.mark.parametrize("first", ["", "\ufeff# Names\r\n\r\n"])
def test_every_standard_spelling_is_a_name_and_marks_notes_and_empty_lines_are_passed_over(tmp_path, first):
    path, rows = tmp_path / "names.tsv", (f"A{a}\t{name}\tm" for a, name in zip("abcdefghij", SPELLED, strict=True))
    path.write_bytes((first + "\r\n".join(rows)).encode())
    assert [name.marathi for name in read_names(path)] == list(SPELLED.values())


def test_a_score_is_the_share_of_sentences_whose_translation_has_the_name():
    answers = {
        "Rahul is a good boy.": "राहुल एक चांगला मुलगा आहे.",
        "I met Rahul yesterday.": "मी काल राहुलला भेटलो.",
        "Where is Rahul?": "राहूल कुठे आहे?",  # misspelled
        "This is Rahul's book.": "हे राहुलखाना पुस्तक आहे.",  # no suffix
        "Priya is a good girl.": "प्रिया एक चांगली मुलगी आहे.",
        "I met Priya yesterday.": "मी काल सुप्रियाला भेटलो.",  # within another name
        "Where is Priya?": "ती कुठे आहे?",
        "This is Priya's book.": "हे प्रियाचं पुस्तक आहे.",
    }
    assert name_sentences(RAHUL) + name_sentences(PRIYA) == list(answers)
    assert score_names(lambda sentences: [answers[s] for s in sentences], [RAHUL, PRIYA]) == NameScores(4 / 8, 5 / 8)
    assert score_names(lambda sentences: sentences, [RAHUL]) == NameScores(0, 0)


def test_texts_are_near_that_differ_in_one_letter():
    near = [("", ""), ("राहुल", "राहुल"), ("राहुल", "राहूल"), ("टॉम", "टॉ"), ("aba", "aa"), ("aa", "aaa"), ("", "a")]
    far = [("टॉम", ""), ("ab", "ba"), ("aab", "aba"), ("aa", "aaaa"), ("kitten", "sitting"), ("abc", "adec")]
    for pairs, expected in ((near, True), (far, False)):
        assert all(is_near(a, b) is is_near(b, a) is expected for a, b in pairs)


def test_every_oblique_is_well_spelled_of_a_listed_place_and_that_of_the_phrasebook():
    places = {name.marathi for name in read_names() if name.kind == "place"}
    for place, oblique in OBLIQUES.items():
        assert place in places and place[-1] in "ाे" and oblique != place
        assert normalize(oblique) == oblique and is_devanagari_word(oblique)
    words = set(re.findall("[\u0900-\u097f]+", (DATA_DIRECTORY / "phrasebook.tsv").read_text(encoding="utf-8")))
    there = {place for place, oblique in OBLIQUES.items() if f"{oblique}ला" in words}
    assert {"पुणे", "सातारा"} <= there
    assert not words & {place + ending for place in there for ending in ("ला", "त", "हून")}


def test_what_follows_a_name_in_training_is_an_ending_or_a_particle():
    for suffix in SUFFIXES:
        assert bool(PATTERNS["ending"].search(suffix)) == (suffix not in ("", *WORDS["particles"])), suffix
