import collections
import re

import pytest

from nmt_attention.corpus import Pair, sentence_key
from nmt_attention.marathi.names import (
    KINDS,
    SUFFIXES,
    Name,
    find_names,
    held_out,
    name_sentences,
    read_names,
    score_names,
    swap_names,
)

TOM, MARY, RAHUL, PRIYA = (
    Name("Tom", "टॉम", "m"),
    Name("Mary", "मेरी", "f"),
    Name("Rahul", "राहुल", "m"),
    Name("Priya", "प्रिया", "f"),
)
FOUR = [TOM, MARY, RAHUL, PRIYA]  # so that Tom can only become Rahul, and Mary Priya
PAIRS = [
    Pair("Tom is tall.", "टॉम उंच आहे."),
    Pair("I'll see Tom.", "मी टॉमला भेटेन."),
    Pair("It rains.", "पाऊस पडतोय."),
    Pair("Tom's cat likes Mary.", "टॉमच्या मांजरीला मेरी आवडते."),
]


@pytest.mark.parametrize(
    ("pair", "swapped"),
    [
        (("Tom is tall.", "टॉम उंच आहे."), ("Rahul is tall.", "राहुल उंच आहे.")),
        (("I saw Tom's cat.", "मी टॉमची मांजर पाहिली."), ("I saw Rahul's cat.", "मी राहुलची मांजर पाहिली.")),
        (("Mary said it.", "मेरीने ते म्हटलं."), ("Priya said it.", "प्रियाने ते म्हटलं.")),
        (("It was Tom.", "टॉमनेच केलं!"), ("It was Rahul.", "राहुलनेच केलं!")),
        (("Even Mary came.", '"मेरीही" आली.'), ("Even Priya came.", '"प्रियाही" आली.')),
        (("Tom loves Mary.", "टॉमचं मेरीवर प्रेम आहे."), ("Rahul loves Priya.", "राहुलचं प्रियावर प्रेम आहे.")),
        (("Tom, Tom!", "टॉम, अरे टॉम!"), ("Rahul, Rahul!", "राहुल, अरे राहुल!")),
    ],
)
def test_a_name_is_swapped_on_both_sides_and_keeps_what_is_written_onto_it(pair, swapped):
    assert swap_names([pair], FOUR, 1, seed=0) == [swapped]


@pytest.mark.parametrize(
    "pair",
    [
        ("He is tall.", "टॉम उंच आहे."),  # the name on one side alone
        ("Tom is tall.", "तो उंच आहे."),
        ("Tom is here.", "टॉमी इथे आहे."),  # another name
        ("Jim likes the gym.", "जिमखाना आवडतो."),  # another word
        ("I gave Mary a book.", "मी मेरींना पुस्तक दिलं."),  # an ending that the name changes for
        ("Tom and Tommy left.", "टॉम आणि टॉमी गेले."),  # which of the two words is Tom?
        ("tom is a word.", "टॉम हा शब्द आहे."),
        ("Tomtom is new.", "टॉम नवीन आहे."),
        ("Call Mary-Ann.", "मेरीला बोलव."),
        ("Tom Jackson was born in 1940.", "टॉम जॅक्सन १९४० साली जन्मला."),  # one certain Tom
    ],
)
def test_what_may_be_no_name_or_no_translation_of_it_stays(pair):
    names = [*FOUR, Name("Jim", "जिम", "m")]
    assert swap_names([pair], names, 1, seed=0) == [pair]


def test_a_word_that_only_begins_like_the_name_needs_a_known_suffix():
    by_english = {"Tom": TOM}
    assert "खाना" not in SUFFIXES and {"", "ला", "च्या", "नेच", "लाही", "साठी", "बरोबर"} <= SUFFIXES
    assert find_names(("Tom ate.", "टॉमने खाल्लं."), by_english) == [TOM]
    assert find_names(("Tom ate.", "टॉमखाना खाल्लं."), by_english) == []


def test_names_come_in_the_order_of_the_english_side():
    by_english = {name.english: name for name in FOUR}
    assert find_names(("Mary met Tom, and Tom left.", "मेरी टॉमला भेटली, आणि टॉम गेला."), by_english) == [MARY, TOM]


def test_a_new_name_has_the_same_gender_is_not_held_out_and_is_not_there_already():
    names = read_names()
    by_english = {name.english: name for name in names}
    pair = ("Tom and Mary know John.", "टॉम आणि मेरी जॉनला ओळखतात.")
    seen = set()
    for seed in range(300):
        ((source, target),) = swap_names([pair], names, 1, seed)
        new = [by_english[word] for word in re.findall(r"[A-Z]\w+", source)]
        assert [name.kind for name in new] == ["m", "f", "m"]
        assert len({name.english for name in new} | {"Tom", "Mary", "John"}) == 6
        assert not any(held_out(name) for name in new)
        assert target == f"{new[0].marathi} आणि {new[1].marathi} {new[2].marathi}ला ओळखतात."
        seen.update(new)
    assert len(seen) > 400  # out of 900 draws


def test_two_people_do_not_get_two_spellings_of_one_name():
    ann, anne = Name("Ann", "ॲन", "f"), Name("Anne", "ॲन", "f")
    for pair in (("Mary met Ann.", "मेरी ॲनला भेटली."), ("Mary met Priya.", "मेरी प्रियाला भेटली.")):
        for seed in range(20):
            ((source, target),) = swap_names([pair], [MARY, PRIYA, ann, anne], 1.0, seed)
            assert not {"Ann", "Anne"} <= set(re.findall(r"\w+", source)), source
            assert target.count("ॲन") <= 1


def test_names_of_other_kinds_are_not_swapped():
    others = [Name("Boston", "बॉस्टन", "place"), Name("Patil", "पाटील", "surname"), Name("bus", "बस", "word")]
    pairs = [("Tom went to Boston.", "टॉम बॉस्टनला गेला."), ("Patil left.", "पाटील गेला."), ("Stop the bus.", "बस थांबव.")]
    more = [*others, Name("Mumbai", "मुंबई", "place"), Name("Kulkarni", "कुलकर्णी", "surname"), Name("car", "कार", "word")]
    assert swap_names(pairs, more, 1, seed=0) == pairs
    for seed in range(20):
        first, *rest = swap_names(pairs, [*FOUR, *more], 1, seed)
        assert first == ("Rahul went to Boston.", "राहुल बॉस्टनला गेला.") and rest == pairs[1:]


def test_a_name_stays_where_there_is_no_other_of_its_gender():
    assert swap_names([("Tom left.", "टॉम गेला.")], [TOM, MARY, PRIYA], 1, seed=0) == [("Tom left.", "टॉम गेला.")]


def test_pairs_keep_their_number_and_order_and_those_without_names_their_text():
    swapped = swap_names(PAIRS, read_names(), 1, seed=3)
    assert len(swapped) == len(PAIRS)
    assert swapped[2] == ("It rains.", "पाऊस पडतोय.")
    assert [old[:2] == new for old, new in zip(PAIRS, swapped, strict=True)] == [False, False, True, False]


def test_a_share_of_the_pairs_is_swapped():
    pairs = [PAIRS[0]] * 2000
    assert swap_names(pairs, FOUR, 0, seed=1) == [PAIRS[0][:2]] * 2000
    changed = sum(source != "Tom is tall." for source, _ in swap_names(pairs, FOUR, 0.3, seed=1))
    assert 500 < changed < 700  # 600 expected; the standard deviation is 20
    for share in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="share: expected a number from 0 to 1, got"):
            swap_names(pairs, FOUR, share, seed=1)


def test_a_pair_stays_where_a_swap_would_make_a_sentence_to_avoid():
    swapped = swap_names(PAIRS, FOUR, 1.0, 1)
    for i in (0, 1, 3):
        for side in (0, 1):
            avoiding = swap_names(PAIRS, FOUR, 1.0, 1, {sentence_key(swapped[i][side].upper())})
            assert avoiding[i] == PAIRS[i][:2]
            assert avoiding[:i] + avoiding[i + 1 :] == swapped[:i] + swapped[i + 1 :]


def test_a_name_is_found_and_swapped_however_it_is_spelled():
    names = [Name("Anna", "ॲना", "f"), PRIYA]
    for anna in ("ॲना", "अ\u200dॅना", "अॅना"):
        pair = "Anna is here.", f"{anna}ला बोलव."
        assert swap_names([pair], names, 1, 0) == [("Priya is here.", "प्रियाला बोलव.")]
        assert score_names(lambda sentences, anna=anna: [f"{anna} इथे"] * len(sentences), names[:1]) == 1


@pytest.mark.parametrize("alan", ["ॲलन", "अॅलन", "अ\u200dॅलन"])
def test_a_name_is_read_in_any_spelling_of_its_first_letter(tmp_path, alan):
    path = tmp_path / "names.tsv"
    path.write_text(f"Alan\t{alan}\tm\n", encoding="utf-8")
    assert read_names(path) == [Name("Alan", "ॲलन", "m")]


def test_seed_and_place_decide():
    names = read_names()
    first = swap_names(PAIRS, names, 0.7, seed=5)
    assert swap_names(PAIRS, names, 0.7, seed=5) == first
    assert swap_names(PAIRS[:2], names, 0.7, seed=5) == first[:2]  # no other pair has a say
    assert swap_names(PAIRS, names, 1, seed=5) != swap_names(PAIRS, names, 1, seed=6)
    (one, other) = swap_names([PAIRS[0]] * 2, names, 1, seed=5)
    assert one != other


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
    assert not any(held_out(name) for name in FOUR)
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


@pytest.mark.parametrize("marathi", ["ॲलन", "ऍन", "गोऱ्हे", "दुःखी", "ज़ोया", "अँजेला", "ऑस्कर"])
def test_every_standard_spelling_is_a_name(tmp_path, marathi):
    path = tmp_path / "names.tsv"
    path.write_text(f"Someone\t{marathi}\tm\n", encoding="utf-8")
    assert read_names(path) == [Name("Someone", marathi, "m")]


def test_another_spelling_of_a_name_is_the_same_name_in_the_file_and_in_the_pairs(tmp_path):
    path, composed, decomposed = tmp_path / "names.tsv", "गो\u0931्हे", "गो\u0930\u093c्हे"
    path.write_text(f"Gorhe\t{decomposed}\tm\n", encoding="utf-8")
    (gorhe,) = read_names(path)
    assert gorhe.marathi == composed
    for spelling in (composed, decomposed):
        swapped = swap_names([("I saw Gorhe.", f"मी {spelling}ला पाहिलं.")], [gorhe, RAHUL], 1, seed=0)
        assert swapped == [("I saw Rahul.", "मी राहुलला पाहिलं.")]


def test_the_file_has_the_usual_forms():
    usual = {"Alan": "ॲलन", "Alexander": "अलेक्झांडर", "Alfred": "आल्फ्रेड", "Benjamin": "बेंजामिन", "Harvey": "हार्व्ही"}
    assert usual.items() <= {name[:2] for name in read_names()}


def test_notes_empty_lines_and_line_ends_are_passed_over(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_bytes("# Names\r\n\r\nTom\tटॉम\tm\r\nMary\tमेरी\tf".encode())
    assert read_names(path) == [TOM, MARY]


@pytest.mark.parametrize("first", ["", "# a note\n"])
def test_a_byte_order_mark_belongs_to_no_name(tmp_path, first):
    (tmp_path / "names.tsv").write_text(f"\ufeff{first}Tom\tटॉम\tm\r\n", encoding="utf-8")
    assert read_names(tmp_path / "names.tsv") == [TOM]


def test_a_file_that_is_absent_empty_or_no_text_is_named(tmp_path):
    path = tmp_path / "names.tsv"
    with pytest.raises(FileNotFoundError, match=re.escape(f"names: no such file: {path}")):
        read_names(path)
    path.write_text("# a note\n", encoding="utf-8")
    with pytest.raises(ValueError, match="holds no names"):
        read_names(path)
    path.write_bytes(b"Tom\t\xff\tm\n")
    with pytest.raises(ValueError, match="line 1: not a name"):
        read_names(path)


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
    assert score_names(lambda sentences: [answers[s] for s in sentences], [RAHUL, PRIYA]) == 4 / 8
    assert score_names(lambda sentences: [answers[s] for s in sentences], [PRIYA]) == 2 / 4
    assert score_names(lambda sentences: sentences, [RAHUL]) == 0


def test_a_score_needs_names_and_a_translation_each():
    with pytest.raises(ValueError, match="names: expected at least one"):
        score_names(list, [])
    with pytest.raises(ValueError, match="translate: expected 4 translations, got 3"):
        score_names(lambda sentences: sentences[1:], [TOM])
