"""A sentence of dev or test stays out of training whatever it wears."""

import itertools
import time
import unicodedata

import pytest

from nmt_attention.corpus import Pair, Split, add_training_pairs, sentence_key, split_pairs
from nmt_attention.disk.dress import bare_key, thorough_key
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.runs.run_files import seen_in_training

S, T = "Does my sister eat bananas?", "माझी बहीण २ केळी खाते का?"
B = S[:-1]
COUNTERS = "1. 12. 1) (1) [1] 1: #1 #1: №1. a) (a) a. A. iv. IV) (iv) Ⅳ. ① ⑴ ⒈ ❶ ⓐ"
MORE_COUNTERS = "1️⃣ १. १) (१) अ) ١. 1.2. 1.2.3) Q: Q1: A: S1: 1.) 1º 1° 1st. 1/3 (1/3) 007"


def shifted(first, text=S):
    """Returns a text with other letters: `first` has the code points of A and a."""
    upper, lower = map(ord, first)
    return "".join(
        chr(ord(c) - 65 + upper) if c.isupper() else chr(ord(c) - 97 + lower) if c.islower() else c for c in text
    )


ALONE = {
    "case": [S.upper(), S.lower(), S.title(), S.swapcase()],
    "marks": [
        *(
            B,
            f"{B}.",
            f"{B} ?",
            f"{B}？",
            f"{B}。",
            f"{B}؟",
            f"{B}‽",
            f"{B}⁇",
            f"{B};",
            f"{B}\u037e",
            f"{B}…",
            f"{B}।",
            f"{B}?!",
        ),
        *(f"¿{S}", f"«{S}»", f"„{S}“", f"「{S}」", f"‹{S}›", f"‚{S}‘", f"``{S}''", f"({S})", f"— {S}", f"―{S}"),
        *("Does my sister, eat bananas?", "Does my sister… eat bananas", "Does my sister — eat — bananas"),
    ],
    "bullets": [f"{mark} {S}" for mark in "•-–*#>·▪➤→✓☐+◦‣☞\uf0b7"] + [f"- [ ] {S}", f"- [x] {S}", f"•{S}", f"## {S}"],
    "counters": [
        *(f"{counter} {S}" for counter in COUNTERS.split()),
        *(f"{counter} {S}" for counter in MORE_COUNTERS.split()),
        *(
            f"1 - {S}",
            f"1 – {S}",
            f"1 | {S}",
            f"No. 1 {S}",
            f"Nr. 1: {S}",
            f"№ 1 {S}",
            f"§ 3 {S}",
            f"Line 3: {S}",
            f"• 1. {S}",
        ),
        *(
            f"[00:12] {S}",
            f"(00:00:12,500) {S}",
            f"１．{S}",
            f"1.{S}",
            f"1)\u00a0{S}",
            f"1、{S}",
            f"一、{S}",
            f"（一）{S}",
            f"б) {S}",
        ),
    ],
    "notes": [f"{S}{note}" for note in (" [1]", " (2)", "¹", "²³", " #12", " †", " *", "™", "®")],
    "pictures": [
        f"{S}{face}" for face in ("😀", " 👩‍👩‍👧‍👦", " 👍🏽", " ❤️", " 🇮🇳", " ☺", " :)", " :-)", " :D", " ;-P", " ♪")
    ]
    + [f"😀 {S}", f"♪ {S} ♪"],
    "letters": [
        *(
            shifted("Ａａ"),
            shifted("𝐀𝐚"),
            shifted("Ⓐⓐ"),
            unicodedata.normalize("NFD", S),
            S.replace("?", "？").replace(" ", "\u3000"),
        ),
        *("".join(c + mark for c in S) for mark in ("\u0336", "\u0332", "\u20dd")),
    ],
    "spaces": [S.replace(" ", space) for space in ("  ", "\u00a0", "\u2009", "_", "-", "|", "", " \u200b", " / ")],
    "ignorable": [
        S.replace("sister", f"sis{c}ter")
        for c in "\u200b\u00ad\u2060\u200d\u200c\ufe0f\u034f\u3164\u180e\U000e0020\ufeff\u200e\ufffd"
    ]
    + [f"\u202a{S}\u202c", f"\u2066{S}\u2069", f"\x00{S}"],
    "markup": [
        *(
            f"**{S}**",
            f"_{S}_",
            f"`{S}`",
            f"~~{S}~~",
            f"<b>{S}</b>",
            f"<p>{S}</p>",
            f"{S}<br/>",
            f'<span class="x">{S}</span>',
        ),
        *(
            S.replace("my sister", "<i>my</i> sis<wbr>ter"),
            f"<!-- x -->{S}",
            f"{S}\\n",
            S.replace("?", "\\?"),
            f">>mar<< {S}",
        ),
        *(
            f"&quot;{S}&quot;",
            f"&bull; {S}",
            S.replace(" ", "&nbsp;"),
            S.replace("s", "&#115;"),
            f"&lt;b&gt;{S}&lt;/b&gt;",
        ),
        *(f"&amp;quot;{S}&amp;quot;", S.replace("s", "&#x73;"), S.replace("?", "&quest;")),
    ],
    "pieces": ["▁" + S.replace(" ", " ▁"), S.replace("bananas", "ban@@ anas")],
}
AMONG_OTHERS = [
    *(
        f"{S} Thank you.",
        f"Thank you. {S}",
        f"Hi! {S} Thank you.",
        f"{S}\nThank you.",
        f"{S}<br>Thank you.",
        f"{S} / Thank you.",
    ),
    *(
        f"{S} Where is it?",
        f"1. {S} 2. Where is it?",
        f"• {S} • Thank you.",
        f"{B}。Thank you",
        f"{B}; thank you",
        f"{B} 😀 Thank you",
    ),
    *(
        f"Tom: {S}",
        f"[Tom] {S}",
        f"[laughs] {S}",
        f"en: {S}",
        f'"{S}"@en',
        f'"{S}" she asked.',
        f"{S} [a]",
        f"{S} ({T})",
    ),
    *(f"{B}&hellip; Thank you.", f"{B} | Thank you", f"{B} – Thank you", f"Mr. A. B. Patil asked. {S}"),
]
TARGETS = [
    *(
        "माझी बहीण 2 केळी खाते का?",
        "माझी बहीण २ केळी खाते का।",
        "१. माझी बहीण २ केळी खाते का",
        f"• {T}",
        f"{T} 😀",
        T.replace(" ", ""),
    ),
    *("माझी बहीण ２ केळी खाते का？", f"{T} धन्यवाद.", f"धन्यवाद! {T}", T.replace("झ", "झ\u200c"), f"“{T}”", f"क) {T}"),
]
SPLIT = Split(
    [Pair("Go.", "जा.")], [Pair("Where is it?", "ते कुठे आहे?"), Pair("Mr. Patil came.", "पाटील आले.")], [Pair(S, T)]
)


@pytest.mark.parametrize("kind", ALONE)
def test_a_sentence_has_its_key_in_every_dress(kind):
    assert [text for text in ALONE[kind] if sentence_key(text) != sentence_key(S)] == []


@pytest.mark.parametrize("text", [*itertools.chain(*ALONE.values()), *AMONG_OTHERS])
def test_no_dress_lets_a_held_out_source_into_training(text):
    assert add_training_pairs(SPLIT, [Pair(text, "नवीन"), Pair("New", text)]) == SPLIT


@pytest.mark.parametrize("text", TARGETS)
def test_no_dress_lets_a_held_out_target_into_training(text):
    assert add_training_pairs(SPLIT, [Pair("New", text), Pair(text, "नवीन")]) == SPLIT


def test_what_only_resembles_a_held_out_sentence_is_added():
    texts = [
        "My sister eats bananas.",
        "Does my sister eat 2 bananas?",
        "Is it? Where?",
        "Patil came.",
        "1.",
        "•",
        "Where it is?",
    ]
    extra = [Pair(text, f"नवीन {n}") for n, text in enumerate(texts)]
    assert add_training_pairs(SPLIT, extra).train == [*SPLIT.train, *extra]
    assert (
        add_training_pairs(SPLIT, [Pair("Hi! Mr. Patil came. Thank you!", "नवीन"), Pair("Mr. Patil came", "न")])
        == SPLIT
    )


@pytest.mark.parametrize(
    "text", [*ALONE["counters"], *ALONE["bullets"], *ALONE["marks"], *ALONE["markup"], f"{S} Thank you."]
)
def test_a_scored_sentence_that_was_trained_on_in_another_dress_is_seen(text):
    assert seen_in_training([(S, ["x"]), ("y", [S]), ("Where is it?", ["z"])], [Pair(text, text)]) == [
        True,
        True,
        False,
    ]
    assert seen_in_training([(text, ["x"]), ("y", [text])], [Pair(S, S), Pair("Go.", "Go.")]) == [True, True]


def test_a_text_is_seen_if_most_of_it_was_trained_on():
    train = [Pair("Go.", "जा."), Pair("Wait for me!", "थांब!"), Pair("Stop! There is a deer on the road.", "थांब! हरण.")]
    scored = {
        "Go. Wait for me.": True,
        "Go. She has a long way to go.": False,
        "Stop!": False,
        "There is a deer on the road!": True,
    }
    assert seen_in_training([(text, []) for text in scored], train) == list(scored.values())


def test_the_quick_way_to_a_key_and_the_thorough_one_agree():
    pairs = read_pairs(DATA_DIRECTORY / "phrasebook.tsv")[::10]
    letters = [chr(c) for c in [*range(0xD800), *range(0xE000, 0x20000)][::53]]
    forms = ("ab{}cd ef", "{} abcdefg", "Ω{}", "е{} x.", "abc{}")
    for text in [text for pair in pairs for text in pair[:2]] + [form.format(c) for c in letters for form in forms]:
        assert sentence_key(text) == bare_key(text) == thorough_key(text), repr(text)


@pytest.mark.parametrize(
    "text", ["&amp;" * 20_000, "." * 99_999, "1. " * 30_000, " " * 99_999 + "x", "<!--" * 3_000, "((" * 40_000]
)
def test_the_time_is_about_linear_in_a_text_s_length(text):
    start = time.process_time()
    add_training_pairs(SPLIT, [Pair(f"a{text}b", f"{text} a")])
    assert time.process_time() - start < 10


def test_a_split_of_sentences_in_all_dresses_keeps_each_on_one_side():
    sentences = [f"The number of house {chr(97 + i // 26)}{chr(97 + i % 26)} is unknown" for i in range(300)]
    forms = ("{}.", "1. {}!", "• {}", "({})", "{} 😀", "<b>{}</b>", "{}。")
    pairs = [Pair(form.format(s), f"{i} {n}") for i, s in enumerate(sentences) for n, form in enumerate(forms)]
    train, dev, test = ({pair.target.split()[0] for pair in part} for part in split_pairs(pairs))
    assert not train & test and not train & dev and not dev & test and len(dev) > 5 and len(test) > 5
