import re
from pathlib import Path

import pytest

from nmt_attention import error_report, read_pairs
from nmt_attention.analysis.report import error_lines
from nmt_attention.marathi.error_rules import learn_names, make_rules

PAIRS = [
    ("Tom is here.", "टॉम इथे आहे."),
    ("Where is Tom?", "टॉम कुठे आहे?"),
    ("That's Tom's book.", "ते टॉमचं पुस्तक आहे."),
    ("I gave it to Tom.", "मी ते टॉमला दिलं."),
    ("He lives in Boston.", "तो बॉस्टनमध्ये राहतो."),
    ("I left Boston.", "मी बॉस्टन सोडलं."),
    ("Is Mary in Paris?", "मेरी पॅरिसमध्ये आहे का?"),
    ("Where is a towel?", "टॉवेल कुठे आहे?"),
    ("Will you come?", "तू येशील का?"),
    ("I think Will will come.", "मला वाटतं विल येईल."),
    ("I know Will will go.", "मला माहीत आहे विल जाईल."),
]

# A rule and the source that it is given; then references, and translations about which it is sure or not. ∅ is nothing.
CASES = Path(__file__).with_name("error_cases.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES.strip().split("\n\n"), ids=lambda case: case.split("\n")[0])
def test_a_rule_tells_wrong_translations_from_right_ones(case):
    (name, source), *rows = [re.split(": ?", line, maxsplit=1) for line in case.split("\n")]
    sentences = [(label, sentence.strip("∅")) for label, line in rows for sentence in line.split("  ")]
    (judge,) = [rule.judge for rule in make_rules(learn_names(PAIRS)) if rule.name == name]
    references = [sentence for label, sentence in sentences if label == "reference"]
    for label, sentence in sentences:
        verdict = judge(source, sentence, references)
        assert verdict in {"wrong": [True], "right": [False], "unknown": [None]}.get(label, [False, None]), sentence


def test_no_rule_blames_more_than_5_percent_of_right_translations():
    pairs = read_pairs("data/phrasebook.tsv")
    of_source = {}
    for pair in pairs:
        of_source.setdefault(pair.source, []).append(pair.target)
    rows = [
        (source, text, texts[:i] + texts[i + 1 :])
        for number, (source, texts) in enumerate(of_source.items())
        for i, text in enumerate(texts)
        if len(texts) > 1 or number % 10 == 0
    ]
    for rule in make_rules(learn_names(pairs[::10])):
        verdicts = [verdict for row in rows if (verdict := rule.judge(*row)) is not None]
        assert verdicts, rule.name
        assert sum(verdicts) <= 0.05 * len(verdicts), rule.name


def test_names_are_learned_from_pairs():
    # not Mary, nor Paris, which one pair has; nor Will, a word in small letters as well; nor I
    assert learn_names(iter(PAIRS)) == {"tom": "टॉम", "boston": "बॉस"}
    # three of four pairs with Tom have a word that begins with टॉम, no other pair has: 2 * 3 / (4 + 3) = 0.857
    pairs = [*PAIRS[:3], ("I gave it to Tom.", "मी ते त्याला दिलं."), ("A towel is here.", "टॉवेल इथे आहे.")]
    assert (learn_names(pairs, 0.85), learn_names(pairs, 0.86)) == ({"tom": "टॉम"}, {})


SOURCES = ["Where do you live?", "Tom laughed.", "He will come.", "Tom left."]
REFERENCES = [
    ["तू कुठे राहतोस?", "तुम्ही कुठे राहता?"],
    ["टॉम हसला."],
    ["तो येईल.", "तो येणार आहे."],
    ["टॉम निघाला.", "टॉम गेला."],
]
HYPOTHESES = ["तू कुठे राहता आहात?", "टॉम हसतो.", "तो येईल.", "तो गेला गेला."]


def report(hypotheses, **options):
    return {found.name: found for found in error_report(SOURCES, hypotheses, REFERENCES, {"tom": "टॉम"}, **options)}


def test_errors_are_counted_by_kind_and_references_judged_like_translations():
    found = report(HYPOTHESES)
    assert list(found) == [rule.name for rule in make_rules({})]
    counts = {name: (kind.errors, kind.judged) for name, kind in found.items() if kind.errors}
    you, words = 'mixed forms of "you"', "repeated words"
    assert counts == {you: (1, 1), "tense": (1, 4), "names": (1, 2), words: (1, 4)}  # तू … आहात, "laughs", गेला गेला
    assert found["tense"].examples == [("Tom laughed.", "टॉम हसतो.", "टॉम हसला.")]
    # तू and तुम्ही differ, and English allows both: no rule blames either
    assert all(kind.references_errors == 0 for kind in found.values())
    # the source with a single reference is left out, but where a rule needs no other reference
    assert [found[name].references_judged for name in (you, "names", "dropped words", words)] == [2, 2, 6, 7]


def test_a_false_alarm_is_counted_and_printed_and_what_a_reference_says_is_no_error():
    lines = error_lines(error_report(["I like it."], ["मला ते आवडतं."], [["मला ते आवडलं.", "मला ते आवडतं."]], {}))
    (line,) = [line for line in lines if line.startswith("tense  ")]
    assert line.split() == ["tense", "1", "0", "0.0", "%", "50.0", "%", "of", "2"]
    for texts in zip(*[(texts * 2)[:2] for texts in REFERENCES], strict=True):
        assert all(kind.errors == 0 for kind in report(list(texts)).values())


def test_examples_are_spread_over_the_translations():
    found = error_report([*"0123456789"], ["तो हसेल."] * 10, [["तो हसला."]] * 10, {}, examples=3)
    (tense,) = [kind for kind in found if kind.name == "tense"]
    assert tense.errors == 10 and [source for source, _, _ in tense.examples] == ["0", "3", "6"]
