import random
import re

import numpy as np
import pytest

from nmt_attention import spelling
from nmt_attention.spelling import MAX_MARKS, as_texts, is_blank, is_mark, normalize

ZWJ, ZWNJ = "\u200d", "\u200c"
RHASA = "\u0931\u094d\u0939\u093e\u0938"  # ऱ्हास with the one code point ऱ
GOOD = [
    *("मी शाळेत जातो.", "विद्यार्थ्यांना क्षत्रिय राजा आवडतो.", "किंमत १,००० रुपये आहे, १२३ नाही!", "ती म्हणाली, मी येते."),
    *("१२३ 123", RHASA, "असणाऱ्या", f"क्{ZWNJ}ष", f"क्{ZWJ}षण", "अंघोळ", "हँडल", "दुःख", "ॲप"),
    *("don't", "I'm", "rock-'n'-roll", "at 10:30 p.m.", "१०:३०", "असं: हे", "नाव : राहुल", "a-b", "👩‍👩‍👧", "नमस्‍ते"),
    *("‘सकाळ’", "my parents’ house", "एक – दोन", "Русский نمی‌خواهم"),
]
SAME = [  # what looks the same, the spelling that is kept first
    ("दऱ्या", "द\u0930\u094d\u200dया", "द\u0930\u093c\u094dया", "द\u0931\u094d\u200dया", "द\u0930\u094d\u200d\u200dया"),
    ("ॲलर्जी", "अ\u200dॅलर्जी", "अॅलर्जी", "अ\u200cॅलर्जी"),
    ("ऑफिस", "आॅफिस", "अॉफिस", "अाॅफिस"),
    ("आई", "अाई"),
    ("ओठ", "अोठ", "आेठ", "अाेठ"),
    ("औषध", "अौषध", "आैषध", "अाैषध"),
    ("ऍन", "एॅन"),
    ("ऐक", "एेक"),
    ("बँक", "बॅंक", "बॅँक"),
    ("सँडविच", "सॅँडविच"),
    ("क़ँ", "क़ॅं"),
    ("अँडोरा", "अ\u200dँडोरा", "ॲंडोरा", "अॅंडोरा", "अ\u200dॅंडोरा", "ॲँडोरा"),
    ("दुःख", "दु:ख"),
    ("अंतःकरण निःशब्द", "अंत:करण नि:शब्द"),
    ("कःकःकःक", "क:क:क:क"),  # each consonant but the last begins a match, each but the first ends one
    ("मुंबईत", "मुंबई\u2060त", "मुंबई\ufeffत", "मुंबई\u200bत", "मुंबई\u00adत", "\u2067मुंबई\u2069त\u200e"),
    ("आहे नाही.", "आहे\u200c नाही\u200d.", "\u200dआहे \u200cनाही.", "आहे \u200d नाही\u200c\u200d."),
    ("मुलगा", "मु\u200dलगा", "मुल\u200cगा"),  # neither shapes anything there
    ("आई-बाबा", "आई\u200c-बाबा"),
    ("‘सकाळ’ वाच.", "'सकाळ' वाच.", "’सकाळ‘ वाच.", "`सकाळ´ वाच.", "'\u200dसकाळ' वाच."),
    ('"‘हो’," ("‘नाही.’")', "\"'हो',\" (\"'नाही.'\")"),
    ('"सकाळ"', "''सकाळ''", "``सकाळ''"),
    ("don't", "don’t", "don‘t", "donʼt", "don´t", "don`t"),
    ("‘don't’", *(f"{mark}don{mark}t{mark}" for mark in "'’‘ʼʹ′`´＇")),  # every apostrophe
    ("हो – नाही — बरं –", "हो–नाही—बरं–", "हो – नाही—  बरं –"),
    (RHASA, "\u0930\u093c\u094d\u0939\u093e\u0938"),  # र and nukta for the one code point ऱ
    ("caf\u00e9", "cafe\u0301"),
    ("मी शाळेत", "\ufeffमी\x00\x07\x7f\x85शाळेत\u200b\u2060\ufeff", " \t मी\u00a0\u3000\r\n\u2028शाळेत \n"),
    ("", " \n\u200b", "\x00"),
]


@pytest.mark.parametrize(("kept", "others"), [(kept, others) for kept, *others in SAME], ids=lambda v: ascii(v)[:30])
def test_what_looks_the_same_is_spelled_in_one_way(kept, others):
    assert {text: normalize(text) for text in (kept, *others)} == dict.fromkeys((kept, *others), kept)


def test_good_text_stays_as_it_is_and_case_is_folded_where_asked():
    assert [normalize(text) for text in [*GOOD, "Rahul GOES"]] == [*GOOD, "Rahul GOES"]
    assert normalize("Rahul GOES", fold_case=True) == "rahul goes"
    assert normalize("STRASSE", fold_case=True) == normalize("Straße", fold_case=True)


def test_every_devanagari_sign_is_kept_and_so_is_a_joiner_behind_a_virama():
    for sign in map(chr, range(0x0900, 0x0980)):
        for text in (f"क{sign}", f"क{sign}ष", f"क\u094d{sign}ष"):
            assert normalize(text) == spelling.unicodedata2.normalize("NFC", text), f"U+{ord(sign):04X}"
    for joiner in (ZWJ, ZWNJ):
        assert normalize(f"क्{joiner}ष") == f"क्{joiner}ष"
        assert normalize(f"क{joiner}ष") == "कष"


HARD = [*"अआएॲऱरकखिॉॅेा़््ंँः:''\"–-. ,(०aé", ZWJ, ZWJ, ZWNJ, *"\u200b\u00ad\u0323\u0301\u0344\u0951\u113c2ǖ\u11a8각\n▁"]


def hard_texts(count, seed):
    """Texts in which every rule has something to do, and its neighbours are the worst ones."""
    draw = random.Random(seed)
    return ["".join(draw.choices(HARD, k=draw.randrange(14))) for _ in range(count)]


@pytest.mark.parametrize("fold_case", [False, True])
def test_the_quick_looks_before_the_rules_miss_nothing(monkeypatch, fold_case):
    texts = hard_texts(4000, 1) + ["a" + "\u0301\u0323" * n for n in range(14, 18)]
    texts += [f"{before}{chr(code)}" for code in range(0xE00) for before in ("", "क", "a्")]
    quick = [normalize(text, fold_case) for text in texts]
    monkeypatch.setattr(spelling, "_MAYBE_SPELLED", re.compile(""))
    monkeypatch.setattr(spelling, "_MAYBE_MARKS", re.compile(""))
    assert [normalize(text, fold_case) for text in texts] == quick
    assert [normalize(text, fold_case) for text in quick] == quick


def test_a_text_is_blank_if_nothing_is_left_of_it_and_writable_as_utf_8():
    for text in [*hard_texts(4000, 2), "", " \u200b", ZWJ, f" {ZWNJ}\t", "\x00", ".", "\u0301"]:
        assert is_blank(text) == (normalize(text) == "")
    for text in map(chr, range(0xD800, 0xE000)):  # undecodable bytes of a command line are lone surrogates
        assert normalize(f"मी {text} शाळेत") == "मी शाळेत"


@pytest.mark.parametrize("marks", ["\u0301", "\u0323\u0301", "\u094d", ZWJ, "\u0344", "\u1161"], ids=ascii)
def test_of_many_marks_in_a_row_the_first_stay(marks):
    text = normalize(f"q{marks * 100_000}p q{marks * 3}")
    assert len(text) <= 2 * MAX_MARKS + 6
    assert text.startswith("q") and "p q" in text
    assert normalize(text) == text


@pytest.mark.parametrize("space", [" ", "\t\x00", f" {ZWJ}"], ids=ascii)
def test_the_time_is_linear_in_the_spaces_of_a_row(space):
    for mark in ("'", "–"):
        spaces = space * 100_000  # with a step for each pair of them it would take minutes
        assert normalize(f"a{mark}{spaces}b{mark}{spaces}b") == normalize(f"a{mark} b{mark} b")


def test_texts_may_be_anything_that_yields_texts_and_a_token_of_punctuation_alone_is_a_mark():
    lines = ["Go.", "Run!"]
    for texts in (lines, tuple(lines), iter(lines), np.array(lines), dict.fromkeys(lines).keys()):
        assert as_texts(texts) == lines
    assert [is_mark(token) for token in (".", "...", "–", "", "a.", "'", "-")] == [True] * 3 + [False] * 4
