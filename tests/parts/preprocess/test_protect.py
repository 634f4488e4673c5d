import re

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import Translation, load_transliterator
from nmt_attention.preprocess.protect import SYMBOLS, Placeholders, known_words, make_never, protect_target, reveal
from nmt_attention.preprocess.transliterator import Spelled
from nmt_attention.runs.bundle import load_placeholders, save_placeholders
from nmt_attention.search import forbid
from nmt_attention.vocabulary import SPECIAL_TOKENS

ROWS = "Rahul राहुल m|Amit अमित m|Priya प्रिया f|Hunt हंट m|scooter स्कूटर word|Pune पुणे place|Thane ठाणे surname"
LISTED = {english: Spelled(*written) for english, *written in map(str.split, ROWS.split("|"))}
KNOWN = {*re.findall(r"\w+", "is a good boy doctor met and tom in the poem i it at came 20 she said")}
M, F, PLACE, WORD, NUMBER = (SYMBOLS[kind] for kind in ("m", "f", "place", "word", "number"))


class Speller:
    """Stands for a `Transliterator`; every word that it does not list is a place called नाव."""

    listed = LISTED

    def spell(self, words):
        return [LISTED.get(word, Spelled("नाव", "place")) for word in words]


def hidden_in(sentence):
    (hidden,) = Placeholders(KNOWN, Speller()).hide([sentence])
    return hidden


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Rahul is a good boy.", f"{M[0]} is a good boy."),
        ("Doctor Rahul met Amit and Miss Sharma.", f"{M[0]} met {M[1]} and {F[0]}."),  # titles with their names
        ("Is Rahul's scooter good?", f"Is {M[0]}'s {WORD[0]} good?"),
        ("Tom met Rahul Sharma.", f"Tom met {M[0]}."),  # one name, not two
        ("Kolhapur is in the poem.", f"{PLACE[0]} is in the poem."),
        ("Recite the poem.", "Recite the poem."),  # a verb, although no training sentence has it
        ('She said. "Recite the poem."', 'She said. "Recite the poem."'),
        ("It came at 7:45, 20 and 1,000.", f"It came at {NUMBER[0]} and {NUMBER[1]}."),
        ("I met a Doctor I hunt.", "I met a Doctor I hunt."),  # Hunt is a name, hunt is none; and I no doctor's
        ("NASA is good.", f"{WORD[0]} is good."),
        ("She met Gen Rahul.", f"She met {M[0]}."),
        ("Rahul, Amit, Rahul, Amit.", f"{M[0]}, {M[1]}."),  # as many as there are symbols
        (f"Tom {M[1]} is Rahul", f"Tom   is {M[0]}"),  # a symbol in the user's own text is no placeholder
    ],
)
def test_unknown_names_loan_words_and_numbers_are_hidden(sentence, expected):
    assert hidden_in(sentence).read == expected


def test_known_words_have_a_small_letter_or_occur_often():
    sentences = ["Tom met Rahul at 20."] * 4 + ["Will Tom hope it will, at 20?"]
    assert known_words(sentences) == {"tom", "met", "at", "20", "it", "hope", "will"}


def written(text, source_tokens=(), tokens=(), attention=None):
    return Translation("", text, list(source_tokens), list(tokens), attention, -1.0)


def test_words_are_written_out_in_text_and_tokens():
    hidden, attention = hidden_in("Rahul met Priya"), np.eye(3)
    tokens = [f"{F[0]}ला", f"{M[0]}ने", "<end>"]
    found = reveal(written(" ".join(tokens), hidden.read.split(), tokens, attention), hidden)
    assert found == written("प्रियाला राहुलने <end>", ["Rahul", "met", "Priya"], found.text.split(), attention)


# The tokens that follow the symbol, and the text.
PUNE_FORMS = {"ला": "पुण्याला", "त ून": "पुण्यातून", "मध्ये ही": "पुण्यामध्येही", "▁मध्ये": "पुणे मध्ये"}
PUNE_FORMS |= {".": "पुणे.", "च": "पुणेच", "ही ▁नाही": "पुणेही नाही"}


def joined(tokens):
    return "".join(tokens).replace("▁", " ").strip()


@pytest.mark.parametrize(("following", "expected"), PUNE_FORMS.items())
def test_a_place_has_its_oblique_before_a_case_ending_in_the_next_token_too(following, expected):
    tokens = ["▁तो", "▁", PLACE[0], *following.split()]
    found = reveal(written(joined(tokens), tokens=tokens), hidden_in("It is in Pune"))
    assert found.text == joined(found.target_tokens) == f"तो {expected}"
    assert found.target_tokens[3:] == tokens[3:]


@pytest.mark.parametrize(
    ("sentence", "tokens", "expected"),
    [
        ("I met Thane", [f"{M[0]}ला"], ["ठाणेला"]),  # a surname, which has no oblique
        ("I met Boston", [f"{PLACE[0]}ला"], ["नावला"]),  # nor has a place that is not listed
        (
            "Pune is in Pune",
            [f"{PLACE[0]}हून", PLACE[1], f"{PLACE[0]}, {PLACE[1]}ला", f"{PLACE[1]}{PLACE[0]}त"],
            ["पुण्याहून", "पुणे", "पुणे, पुण्याला", "पुणेपुण्यात"],
        ),
    ],
)
def test_each_symbol_has_its_own_form(sentence, tokens, expected):
    found = reveal(written(" ".join(tokens), tokens=tokens), hidden_in(sentence))
    assert found.target_tokens == expected and found.text == " ".join(expected)


class Vocabulary:
    """Stands for a tokeniser."""

    def __init__(self, *tokens):
        self.vocabulary = [*SPECIAL_TOKENS, *tokens]

    def __len__(self):
        return len(self.vocabulary)


def test_a_translation_has_no_symbol_that_its_source_lacks():
    source, target = Vocabulary("met", M[0], M[1]), Vocabulary("भेटला", M[0], f"{M[1]}ने", F[0], "आणि")
    never = make_never(source, target)(np.array([[4, 5, 0], [6, 4, 5], [4, 0, 0]]))
    assert never.shape == (3, 8)  # the last token may always be written
    forbidden = {tuple(np.flatnonzero(row)) for row in np.isneginf(never)}
    assert forbidden == {(0, 1, 6, 7), (0, 1, 7), (0, 1, 5, 6, 7)}
    logits = forbid(tf.zeros([6, 9]), never).numpy()  # two hypotheses of each
    np.testing.assert_array_equal(logits[:, :8], np.repeat(never, 2, axis=0))
    np.testing.assert_array_equal(logits[:, 8], 0)


def test_of_a_given_translation_what_both_sides_have_is_hidden():
    kept, target = protect_target(hidden_in("Rahul met Priya at 7:45"), f"राहुलला {M[1]}७:४५ ला पियू भेटली")
    assert target == f"{M[0]}ला {NUMBER[0]} ला पियू भेटली"  # a symbol in the given text is no placeholder
    spelled = {M[0]: "राहुल", NUMBER[0]: "७:४५"}
    assert kept.read == f"{M[0]} met Priya at {NUMBER[0]}"
    assert (kept.words, kept.spelled) == ({M[0]: "Rahul", NUMBER[0]: "7:45"}, spelled)


def test_of_a_given_translation_a_place_is_hidden_in_the_form_that_is_written_out_and_other_forms_stay():
    for expected in PUNE_FORMS.values():
        hidden, target = protect_target(hidden_in("It is in Pune"), f"तो {expected}")
        assert target == f"तो {PLACE[0]}{expected.removeprefix('पुण्या').removeprefix('पुणे')}"
        assert reveal(written(target), hidden).text == f"तो {expected}"
    for target in ("पुणेला", "पुण्या", "पुण्याच"):
        kept, same = protect_target(hidden_in("It is in Pune"), target)
        assert (kept.read, kept.words, kept.spelled, same) == ("It is in Pune", {}, {}, target)


def test_saved_placeholders_hide_and_write_the_same(tmp_path):
    save_placeholders(made := Placeholders(KNOWN, load_transliterator()), tmp_path)
    sentences = ["Rahul met Zubin at 7:45.", "The scooter is good."]
    assert load_placeholders(tmp_path).hide(sentences) == made.hide(sentences)
