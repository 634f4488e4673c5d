import re

from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.names.lists import SUFFIXES, read_names
from nmt_attention.preprocess.rules import OBLIQUES, PATTERNS, WORDS
from nmt_attention.preprocess.transliterator import is_devanagari_word
from nmt_attention.spelling import normalize


def test_every_oblique_is_well_spelled_and_of_a_listed_place():
    places = {name.marathi for name in read_names() if name.kind == "place"}
    for place, oblique in OBLIQUES.items():
        assert place in places
        assert place[-1] in "ाे" and oblique != place
        assert normalize(oblique) == oblique and is_devanagari_word(oblique)
    assert not OBLIQUES.keys() & {"कॅनडा", "ऑस्ट्रेलिया", "नोएडा", "झिंबाब्वे", "नॉर्वे", "ताडोबा", "गोंदिया"}


def test_obliques_are_those_of_the_phrasebook():
    words = set(re.findall("[\u0900-\u097f]+", (DATA_DIRECTORY / "phrasebook.tsv").read_text(encoding="utf-8")))
    there = {place for place, oblique in OBLIQUES.items() if f"{oblique}ला" in words}
    assert {"पुणे", "सातारा"} <= there
    assert not words & {place + ending for place in there for ending in ("ला", "त", "हून")}


def test_what_follows_a_name_in_training_is_an_ending_or_a_particle():
    for suffix in SUFFIXES:
        assert bool(PATTERNS["ending"].search(suffix)) == (suffix not in ("", *WORDS["particles"])), suffix
