"""The split keeps every sentence, of either language, on one side; it depends on nothing but the sentences."""

import collections
import hashlib
import itertools
import os
import random
import time
import types
import unicodedata

import numpy as np
import pytest

from nmt_attention import Pair, Split, group_references, load_corpus, sentence_key, split_by_pair, split_pairs
from nmt_attention.corpus import add_training_pairs, as_pairs, sentence_keys
from nmt_attention.spelling import IN_WORDS, PUNCTUATION, normalize

PLAIN = [("Go.", "जा."), ("Run!", "पळ!"), ("I read a book.", "मी पुस्तक वाचतो.")]
KINDS = {
    "lists": lambda rows: [list(row) for row in rows],
    "generator": iter,
    "items of a dict": lambda rows: dict(rows).items(),
    "array of objects": lambda rows: np.array(rows, object),
    "table": lambda rows: types.SimpleNamespace(itertuples=lambda index: map(Pair._make, [(*row, "") for row in rows])),
}


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_may_be_anything_that_yields_pairs_and_are_read_once(kind):
    assert as_pairs(KINDS[kind](PLAIN)) == [Pair(*row) for row in PLAIN]
    for use in (split_pairs, split_by_pair, group_references):
        assert use(KINDS[kind](PLAIN)) == use(PLAIN)


def shared_keys(split):
    keys = [{(side, sentence_key(pair[side])) for pair in part for side in (0, 1)} for part in split]
    return keys[0] & keys[1] | keys[0] & keys[2] | keys[1] & keys[2]


@pytest.fixture(scope="module")
def pairs():
    return load_corpus(os.environ.get("NMT_ATTENTION_CORPUS") or "phrasebook")


def test_no_sentence_is_on_two_sides_and_no_pair_is_lost(pairs):
    split = split_pairs(pairs)
    assert not shared_keys(split)
    lost = collections.Counter(pairs) - collections.Counter(pair for part in split for pair in part)
    assert len(lost) < 0.002 * len(pairs) and add_training_pairs(split, lost) == split
    shares = [100 * len(part) / len(pairs) for part in split]
    assert 86 < shares[0] < 94 and 3 < shares[1] < 7 and 3 < shares[2] < 7

    careless = split_by_pair(pairs)
    assert not set(careless.train) & set(careless.test) and shared_keys(careless)


def test_no_sentence_of_dev_or_test_stands_among_others_in_training():
    alone = [Pair(f"This is number {i}.", f"हा क्रमांक {i} आहे.") for i in range(1000)]
    pairs = alone + [Pair(f"{a.source} {b.source}", f"{a.target} {b.target}") for a, b in itertools.pairwise(alone)]
    split = split_pairs(pairs)
    held_out = split.held_out()
    assert all(held_out.isdisjoint(sentence_keys(text)) for pair in split.train for text in pair[:2])
    assert len(split.test) > 50


def test_a_group_goes_where_the_hash_of_its_smallest_source_says():
    """Groups made the plain way: as long as two share a sentence, they are one."""
    draw = random.Random(3)
    for number in range(100):
        most = draw.randrange(1, 30)
        pairs = [
            Pair(f"{number}{draw.choice('aA')}{draw.randrange(most)}", f"क{draw.randrange(most)}{draw.choice('.!')}")
            for _ in range(draw.randrange(25))
        ]
        groups = []  # sets of (side, key)
        for pair in pairs:
            keys = {(side, sentence_key(pair[side])) for side in (0, 1)}
            keys = keys.union(*(group for group in groups if group & keys))
            groups = [group for group in groups if not group & keys] + [keys]
        leaders = {key: min(group)[1] for group in groups for key in group}
        expected = Split([], [], [])
        for pair in pairs:
            leader = leaders[0, sentence_key(pair.source)]
            percentile = int(hashlib.sha256(leader.encode()).hexdigest()[:8], 16) % 100
            expected[(percentile >= 90) + (percentile >= 95)].append(pair)
        assert split_pairs(pairs) == expected


def test_the_key_of_a_sentence_forgets_case_punctuation_and_spacing():
    assert sentence_key("Don’t  GO!") == sentence_key("don't go") == sentence_key("Don't - go.")
    assert sentence_key("ऱ्हास") == sentence_key("\u0930\u093c\u094dहास।")
    for one, other in (
        *(("Es ist schon da.", "Es ist schön da."), ("It costs 3 rupees.", "It costs 4 rupees.")),
        *(("हो", "ही"), ("मी घरी जातो.", "मी घरी जाते."), ("?", "!")),  # the last of punctuation alone
    ):
        assert sentence_key(one) != sentence_key(other)
    nothing, draw = str.maketrans(dict.fromkeys(PUNCTUATION + IN_WORDS + "’^ ")), random.Random(4)
    for _ in range(1000):
        text = f"word {''.join(draw.choices(PUNCTUATION + IN_WORDS + ' aAक_^', k=draw.randrange(8)))}"
        assert sentence_key(text) == normalize(text, fold_case=True).translate(nothing)


def test_extra_training_pairs_share_no_sentence_with_dev_or_test_and_repeat_nothing():
    split = Split([Pair("one", "एक", "A")], [Pair("two", "दोन")], [Pair("three", "तीन")])
    extra = [Pair("One!", "तीन."), Pair("TWO", "२"), Pair("four", "चार"), Pair("one", "एक", "B"), Pair("one", "एकच")]
    assert add_training_pairs(split, extra).train == [*split.train, extra[2], extra[4]]
    assert add_training_pairs(split, extra)[1:] == split[1:]


S = "Does Mr. A. Patil eat bananas?"
AMONG_OTHERS = "Hi! S Thank you.|Listen.S|SS|Listen → S|Listen—S|S\nThank you.|Thank you.\u2028S|1. S 2. Where is it?"
AMONG_OTHERS += '|१. S|(12) S|• S • OK|00:00:01,000 --> 00:00:04,000 S|Tom: S|[laughs] S|"S" she asked.|<b>S</b>'
AMONG_OTHERS += "|&quot;S&quot;|धन्यवाद! S 😀|「S」|S [1]|S<br>Thank you."


def test_no_sentence_of_test_is_added_to_training_among_others_and_what_only_resembles_it_is():
    split = Split([Pair("Go.", "जा.")], [], [Pair(S, "New")])
    for text in AMONG_OTHERS.replace("S", S).split("|"):
        assert sentence_key(S) in sentence_keys(text), text
        assert add_training_pairs(split, [Pair(text, "नवीन"), Pair("Other", text)]) == split, text
    texts = ["Does he eat bananas?", "Does Mr. A. Patil eat 2 bananas?", "Patil? Eat bananas!", "Mr. A. Patil", "1."]
    split, extra = Split([], [], [Pair(S, "३ केळी.")]), [Pair(text, f"नवीन {n}") for n, text in enumerate(texts)]
    assert add_training_pairs(split, extra).train == extra


LANGUAGES = [  # a question, a command, one with a name and one with a clause
    "¿Dónde está la estación?|¡Corre!|¡Tom, espera!|No lo sé, creo.",
    "Où est la gare ?|Cours !|« Tom, attends ! »|Je ne sais pas, je crois.",
    "Wo ist der Bahnhof?|Lauf!|„Tom, warte!“|Ich weiß nicht, glaube ich.",
    "Где вокзал?|Беги!|«Том, подожди!»|Не знаю, наверное.",
    "Πού είναι ο σταθμός;|Τρέξε!|Τομ, περίμενε!|Δεν ξέρω, νομίζω.",
    "Որտե՞ղ է կայարանը։|Վազի՛ր։|Թո՛մ, սպասի՛ր։|Չգիտեմ, կարծում եմ։",
    "ጣቢያው የት ነው?|ሩጥ!|ቶም፣ ጠብቅ!|አላውቅም፣ ይመስለኛል።",
    "أين المحطة؟|اركض!|توم، انتظر!|لا أعرف، أظن؛ ربما.",
    "איפה התחנה?|רוץ!|תום, חכה!|אני לא יודע, נדמה לי.",
    "车站在哪里？|快跑！|汤姆，等等！|我不知道，我想……",
    "駅はどこですか？|走れ！|「トム、待って！」|わかりません、たぶん…",
    "स्टेशन कहाँ है?|भागो!|टॉम, रुको!|मुझे नहीं पता, शायद।",
]
MARKS = "¿¡.?!,;:…。！？，、；：؟،؛።፣፧։।॥·‽⁇«»‹›„‚“”‘’「」『』()（）・၊།—–"
DRESSES = [f"{{}}{mark}" for mark in ("", "!", " ?", "。", "？", "؟", "።", "։", "।", ";", "…", " 😀", "\u00a0!")]
DRESSES += ["¿{}?", "¡{}!", "« {} »", "„{}“", "‹{}›", "「{}」", "『{}』", "（{}）", "— {}", "•{}", "・{}", "\u200f{}"]


def dressed(sentence):
    """Returns a sentence with other punctuation, or in another dress."""
    plain = " ".join("".join(" " if c in MARKS else c for c in sentence).split())
    others = [plain.upper(), plain.title(), unicodedata.normalize("NFD", sentence), sentence.replace(" ", "  ")]
    return [*(dress.format(plain) for dress in DRESSES), *others, f"{sentence}{sentence[-1]}"]


@pytest.mark.parametrize("sentences", LANGUAGES)
def test_a_sentence_of_test_is_kept_out_of_training_in_every_language_and_dress(sentences):
    sentences = sentences.split("|")
    assert len({*map(sentence_key, sentences)}) == 4
    for sentence in sentences:
        others, split = dressed(sentence), Split([], [], [Pair("test", sentence)])
        assert [other for other in others if sentence_key(other) != sentence_key(sentence)] == []
        beside = [f"{sentence} {sentences[0]}", f"{sentence}\n{sentence}", f"OK. {sentence}"]
        assert add_training_pairs(split, [Pair("new", text) for text in (*others, *beside)]) == split
        other_word = Pair("new", sentence.replace(sentence[1:4], "xyz"))
        assert add_training_pairs(split, [other_word]).train == [other_word]


@pytest.mark.parametrize("text", ["&amp;" * 20_000, "1. " * 30_000, " " * 99_999 + "x"])
def test_the_time_for_the_keys_is_about_linear_in_a_text_s_length(text):
    start = time.process_time()
    sentence_keys(f"a{text}b")
    assert time.process_time() - start < 5
