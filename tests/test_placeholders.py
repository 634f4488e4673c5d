import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.names.placeholders import (
    FILE,
    SYMBOLS,
    Placeholders,
    Spelled,
    known_words,
    make_never,
)
from nmt_attention.names.ready import load_transliterator
from nmt_attention.search import forbid
from nmt_attention.translate import Translation, Translator
from nmt_attention.vocabulary import SPECIAL_TOKENS

LISTED = {
    "Rahul": Spelled("राहुल", "m"),
    "Amit": Spelled("अमित", "m"),
    "Priya": Spelled("प्रिया", "f"),
    "Hunt": Spelled("हंट", "m"),
    "scooter": Spelled("स्कूटर", "word"),
    "Pune": Spelled("पुणे", "place"),
    "Thane": Spelled("ठाणे", "surname"),
}
KNOWN = {
    "is",
    "a",
    "good",
    "boy",
    "met",
    "and",
    "tom",
    "in",
    "the",
    "poem",
    "i",
    "it",
    "at",
    "came",
    "20",
    "she",
    "said",
}
M, F, PLACE, WORD, NUMBER = (SYMBOLS[kind] for kind in ("m", "f", "place", "word", "number"))


class Speller:
    """Stands for a `Transliterator`; every word that it does not list is a place called नाव."""

    listed = LISTED

    def spell(self, words):
        return [LISTED.get(word, Spelled("नाव", "place")) for word in words]


placeholders = Placeholders(KNOWN, Speller())


def masked_text(sentence):
    (masked,) = placeholders.hide([sentence])
    return masked.text


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Rahul is a good boy.", f"{M[0]} is a good boy."),
        ("Rahul met Amit and Priya.", f"{M[0]} met {M[1]} and {F[0]}."),
        ("Is Rahul's scooter good?", f"Is {M[0]}'s {WORD[0]} good?"),
        ("Tom met Rahul Sharma.", f"Tom met {M[0]}."),  # one name, not two
        ("Tom met Sharma Rahul.", f"Tom met {M[0]}."),  # of a man, although the first word could be a place
        ("Kolhapur is in the poem.", f"{PLACE[0]} is in the poem."),
        ("Recite the poem.", "Recite the poem."),  # a verb, although no training sentence has it
        ("Recite!", "Recite!"),
        ('She said. "Recite the poem."', 'She said. "Recite the poem."'),
        ("It came at 7:45, 20 and 1,000.", f"It came at {NUMBER[0]}, 20 and {NUMBER[1]}."),
        ("I hunt.", "I hunt."),  # Hunt is a name, hunt is none
        ("NASA is good.", "NASA is good."),
        ("Tom is good.", "Tom is good."),
        ("", ""),
    ],
)
def test_mask_replaces_unknown_names_loan_words_and_numbers(sentence, expected):
    assert masked_text(sentence) == expected


def test_mask_remembers_what_each_symbol_stands_for():
    (masked,) = placeholders.hide(["Rahul Sharma came at 7:45."])
    assert masked.words == {M[0]: "Rahul Sharma", NUMBER[0]: "7:45"}
    assert masked.spelled == {M[0]: "राहुल नाव", NUMBER[0]: "७:४५"}


def test_words_beyond_the_symbols_of_their_kind_stay():
    sentence = "Rahul, Amit, Rahul, Amit."
    assert masked_text(sentence) == f"{M[0]}, {M[1]}, {M[2]}, Amit."


def test_a_symbol_in_the_users_own_text_is_no_placeholder():
    assert masked_text(f"Tom {M[1]} is Rahul") == f"Tom   is {M[0]}"


def test_known_words_have_a_small_letter_or_occur_often():
    sentences = ["Tom met Rahul at 20."] * 4 + ["Will Tom hope it will, at 20?"]
    assert known_words(sentences) == {"tom", "met", "at", "20", "it", "hope", "will"}


def translated(masked, target_tokens, attention):
    source_tokens = masked.text.split()
    return Translation(masked.text, " ".join(target_tokens), source_tokens, target_tokens, np.array(attention), -1.0)


def test_unmask_writes_words_out_in_text_and_tokens():
    (masked,) = placeholders.hide(["Rahul met Priya"])
    attention = np.eye(3)
    found = reveal(translated(masked, [f"{F[0]}ला", f"{M[0]}ने", "<end>"], attention), "Rahul met Priya", masked)
    assert found.source == "Rahul met Priya"
    assert found.text == "प्रियाला राहुलने <end>"
    assert found.source_tokens == ["Rahul", "met", "Priya"]
    assert found.target_tokens == ["प्रियाला", "राहुलने", "<end>"]
    assert found.attention is not None and (found.attention == attention).all()


PUNE_FORMS = [
    (["ला"], "पुण्याला"),
    (["त", "ून"], "पुण्यातून"),
    (["मध्ये", "ही"], "पुण्यामध्येही"),
    (["ची", "▁हवा"], "पुण्याची हवा"),
    (["हून", "."], "पुण्याहून."),
    (["▁मध्ये"], "पुणे मध्ये"),
    (["."], "पुणे."),
    ([], "पुणे"),
    (["च"], "पुणेच"),
    (["ही", "▁नाही"], "पुणेही नाही"),
    (["सुद्धा", "?"], "पुणेसुद्धा?"),
]


def pieces(symbol, following):
    tokens = ["▁तो", "▁", symbol, *following]
    return Translation("", "".join(tokens).replace("▁", " ").strip(), [], tokens, np.zeros((0, 0)), 0.0)


@pytest.mark.parametrize(("following", "expected"), PUNE_FORMS)
def test_a_place_has_its_oblique_before_a_case_ending_in_the_next_token_too(following, expected):
    (masked,) = placeholders.hide(["It is in Pune"])
    found = reveal(pieces(PLACE[0], following), "It is in Pune", masked)
    assert found.text == f"तो {expected}"
    assert "".join(found.target_tokens).replace("▁", " ").strip() == found.text
    assert found.target_tokens[3:] == following


def test_names_of_people_and_unlisted_places_have_no_oblique():
    for sentence, symbol, expected in (("I met Thane", M[0], "ठाणेला"), ("I met Boston", PLACE[0], "नावला")):
        (masked,) = placeholders.hide([sentence])
        assert reveal(pieces(symbol, ["ला"]), sentence, masked).text == f"तो {expected}"


def test_each_of_two_symbols_has_its_own_form():
    sentence = "Pune is in Pune"
    (masked,) = placeholders.hide([sentence])
    a, b = PLACE[:2]
    tokens = [f"{a}हून", b, f"{a}, {b}ला", f"{b}{a}त"]
    found = reveal(Translation("", " ".join(tokens), [a, "is"], tokens, np.zeros((4, 2)), 0.0), sentence, masked)
    assert found.target_tokens == ["पुण्याहून", "पुणे", "पुणे, पुण्याला", "पुणेपुण्यात"]
    assert found.text == " ".join(found.target_tokens)
    assert found.source_tokens == ["Pune", "is"]


class Vocabulary:
    """Stands for a tokeniser."""

    def __init__(self, *tokens):
        self.vocabulary = [*SPECIAL_TOKENS, *tokens]

    def __len__(self):
        return len(self.vocabulary)


@pytest.mark.parametrize("used", [True, False])
def test_a_translation_has_no_symbol_that_its_source_lacks(used):
    source, target = Vocabulary("met", M[0], M[1]), Vocabulary("भेटला", M[0], f"{M[1]}ने", F[0], "आणि")
    never = make_never(source, target, used)(np.array([[4, 5, 0], [6, 4, 5], [4, 0, 0]]))
    assert never.shape == (3, 8)  # the last token may always be written
    forbidden = {tuple(np.flatnonzero(row)) for row in np.isneginf(never)}
    assert forbidden == ({(0, 1, 6, 7), (0, 1, 7), (0, 1, 5, 6, 7)} if used else {(0, 1, 5, 6, 7)})
    logits = forbid(tf.zeros([6, 9]), never).numpy()  # two hypotheses of each
    np.testing.assert_array_equal(logits[:, :8], np.repeat(never, 2, axis=0))
    np.testing.assert_array_equal(logits[:, 8], 0)


def test_mask_target_masks_what_both_sides_have():
    (masked,) = placeholders.hide(["Rahul met Priya at 7:45"])
    kept, target = hide_target(masked, "राहुलला ७:४५ ला पियू भेटली")
    assert target == f"{M[0]}ला {NUMBER[0]} ला पियू भेटली"
    assert kept == Hidden(
        f"{M[0]} met Priya at {NUMBER[0]}", {M[0]: "Rahul", NUMBER[0]: "7:45"}, {M[0]: "राहुल", NUMBER[0]: "७:४५"}
    )


@pytest.mark.parametrize("expected", [expected for _, expected in PUNE_FORMS])
def test_mask_target_masks_a_place_in_the_form_that_unmask_writes(expected):
    (of_source,) = placeholders.hide(["It is in Pune"])
    masked, target = hide_target(of_source, f"तो {expected}")
    assert target == f"तो {PLACE[0]}{expected.removeprefix('पुण्या').removeprefix('पुणे')}"
    found = reveal(Translation("", target, [], target.split(), np.zeros((0, 0)), 0.0), "It is in Pune", masked)
    assert found.text == f"तो {expected}"


@pytest.mark.parametrize("target", ["पुणेला", "पुण्या", "पुण्याच"])
def test_mask_target_leaves_other_forms_of_a_place(target):
    (of_source,) = placeholders.hide(["It is in Pune"])
    assert hide_target(of_source, target) == (Hidden("It is in Pune", {}, {}), target)


def test_a_symbol_in_a_given_translation_is_no_placeholder():
    (masked,) = placeholders.hide(["Rahul met Tom"])
    assert hide_target(masked, f"राहुल {M[1]}टॉमला भेटला")[1] == f"{M[0]} टॉमला भेटला"


def test_saved_placeholders_mask_and_write_the_same(tmp_path):
    sentences = ["Rahul met Zubin at 7:45.", "The scooter is good."]
    made = Placeholders(KNOWN, load_transliterator())
    made.save(tmp_path)
    assert Placeholders.load(tmp_path, Translator.load).hide(sentences) == made.hide(sentences)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"known": [1], "listed": {}}',
        '{"known": [], "listed": {"Tom": "m"}}',
        '{"known": [], "listed": {"": ["", ""]}}',
    ],
)
def test_damaged_placeholders_are_named(tmp_path, text):
    Placeholders(KNOWN, load_transliterator()).save(tmp_path)
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"{FILE}: not a model's placeholders"):
        Placeholders.load(tmp_path, Translator.load)
