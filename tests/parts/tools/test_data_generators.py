"""The generators of data files: their output, and what must not be in it."""

import os
import re
import subprocess
import sys

import pytest

from nmt_attention.corpus import Pair, sentence_words
from nmt_attention.marathi.gloss import read_glosses
from nmt_attention.names.lists import held_out, read_names
from nmt_attention.text import WordTokenizer
from tools.data import glosses
from tools.data.phrasebook import compose, grammar_frames
from tools.data.phrasebook.lexicon import NAMES
from tools.demo import DEMO, FREE, read_sentences

ENGLISH = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"], fold_case=True)
MARATHI = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"])


@pytest.fixture(scope="module")
def phrases():
    return compose.build_phrasebook()


def test_the_stored_phrasebook_is_what_the_generator_writes(tmp_path):
    """Another process, another hash seed: the same bytes; nothing temporary is left."""
    path = tmp_path / "new" / "phrasebook.tsv"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "tools.data.phrasebook", str(path)]
    subprocess.run(command, check=True, env=environment, capture_output=True)
    assert path.read_bytes() == compose.DEFAULT_PATH.read_bytes()
    assert list(path.parent.iterdir()) == [path]


def test_links_cover_every_word_and_marks_link_to_marks(phrases):
    for p in phrases:
        english, marathi, links = ENGLISH.tokenize(p.english), MARATHI.tokenize(p.marathi), p.sure + p.possible
        assert {i for i, _ in links} == set(range(len(english))), p
        unlinked = set(range(len(marathi))) - {j for _, j in links}
        assert {marathi[j + 1] for j in unlinked} <= {"कारण"}, p  # after an unlinked comma
        assert all((english[i] in ".,?!") == (marathi[j] in ".,?!") for i, j in links), p


def test_no_sentence_that_is_shown_occurs_with_whatever_name(phrases):
    """Training swaps names of one gender, so that "Amit can't swim." would become "Tom can't swim."."""
    english = re.compile(rf"\b({'|'.join(name.lower() for name in NAMES)})\b")
    seen = {f" {english.sub('X', sentence_words(p.english))} " for p in phrases}
    shown = {f" {english.sub('X', sentence_words(text))} " for text in compose.SHOWN}
    assert not any(text in sentence for sentence in seen for text in shown), "not as a part of one, either"
    assert {sentence.english for sentence in read_sentences(DEMO)} <= compose.SHOWN.keys()
    assert not {sentence.english for sentence in read_sentences(FREE)} & {p.english for p in phrases}


@pytest.mark.parametrize(
    ("words", "agreement", "expected"),
    [
        ("गेलो", "1mp", "गेलो"),
        ("गेलो", "3fs", "गेली"),
        ("उभा~ राहिलो", "3fp", "उभ्या राहिल्या"),
        ("असतो", "3np", "असती"),
        ("करतो", "3mp", "करतात"),
        ("येईल", "1mp", "येऊ"),
        ("होईल", "3mp", "होतील"),
        ("राहील", "1mp", "राहू"),
        ("हा", "3fs", "ही"),
        ("तो", "3mp", "ते"),
        ("मोठा", "3np", "मोठी"),
        ("सुंदर", "3ns", "सुंदर"),
        ("नाही", "3mp", "नाहीत"),
    ],
)
def test_words_in_slots_agree_in_person_gender_and_number(words, agreement, expected):
    assert grammar_frames.inflected(words, agreement) == expected


def test_each_frame_of_one_construction_is_full_and_many_sentences_are_long(phrases):
    own = {name: [p for p in phrases if p.frame == name] for name in grammar_frames.frames()}
    assert {name: len(own[name]) for name in own} == {
        name: quota for name, (quota, _) in grammar_frames.frames().items()
    }
    assert sum(len(p.english.split()) >= 12 for rows in own.values() for p in rows) >= 300
    assert not [p for rows in own.values() for p in rows if set("{}/|+") & set(p.english + p.marathi)]


def test_no_name_that_counts_as_unseen_occurs(phrases):
    """The phrasebook may be trained on besides the corpus, and names that are held out must stay unseen."""
    unseen = {name.english for name in read_names() if name.kind != "word" and held_out(name)}
    assert unseen and not [p for p in phrases if unseen & set(re.findall(r"\w+", p.english))]


def test_a_form_gets_the_word_it_is_linked_to_as_sentences_write_it_unless_it_is_rare():
    rows = [("I saw Ravi.", "मी रवी पाहिला."), ("I saw a lion.", "मी सिंह पाहिला."), ("I saw a dog.", "मी कुत्रा पाहिला.")]
    pairs = [Pair(*row, "") for row in rows]
    found = glosses.make_glosses(pairs * glosses.FEWEST)
    assert found["सिंह"] == "lion" and found["रवी"] == "Ravi"
    assert "सिंह" not in glosses.make_glosses(pairs * (glosses.FEWEST - 1))
    given = [Pair("A cat.", "मांजर.", "1-0 2-1")] * glosses.FEWEST
    assert glosses.make_glosses(pairs, given)["मांजर"] == "cat"


def test_glosses_by_hand_come_first():
    written = read_glosses()
    assert {form: written[form] for form in glosses.by_hand()} == glosses.by_hand()
