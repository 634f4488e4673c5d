import pytest

from nmt_attention.analysis.report import error_lines
from nmt_attention.marathi.error_rules import make_rules
from nmt_attention.marathi.errors import error_report

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
    assert counts == {
        'mixed forms of "you"': (1, 1),  # तू … आहात
        "tense": (1, 4),  # "laughs"
        "names": (1, 2),
        "repeated words": (1, 4),
    }
    assert found["tense"].examples == [("Tom laughed.", "टॉम हसतो.", "टॉम हसला.")]
    # तू and तुम्ही differ, and English allows both: no rule blames either
    assert all(kind.references_errors == 0 for kind in found.values())
    assert found['mixed forms of "you"'].references_judged == 2
    assert found["names"].references_judged == 2  # the source with a single reference is left out
    assert found["dropped words"].references_judged == 6
    assert found["repeated words"].references_judged == 7  # needs no other reference


def test_a_false_alarm_is_counted_and_printed_and_what_a_reference_says_is_no_error():
    lines = error_lines(error_report(["I like it."], ["मला ते आवडतं."], [["मला ते आवडलं.", "मला ते आवडतं."]], {}))
    (line,) = [line for line in lines if line.startswith("tense  ")]
    assert line.split() == ["tense", "1", "0", "0.0", "%", "50.0", "%", "of", "2"]
    for texts in zip(*[(texts * 2)[:2] for texts in REFERENCES], strict=True):
        assert all(kind.errors == 0 for kind in report(list(texts)).values())


def test_examples_are_spread_over_the_translations():
    sources, references = [f"{i}" for i in range(10)], [["तो हसला."]] * 10
    found = error_report(sources, ["तो हसेल."] * 10, references, {}, examples=3)
    tense = next(kind for kind in found if kind.name == "tense")
    assert tense.errors == 10
    assert [source for source, _, _ in tense.examples] == ["0", "3", "6"]


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(ValueError, match="as many sources as hypotheses, got 4 and 1"):
        report(["क"])
    with pytest.raises(ValueError, match="as many references, got 1 and 2"):
        error_report(["a"], ["क"], [["क"], ["ख"]], {})
    with pytest.raises(ValueError, match="for Marathi only"):
        error_report(["a"], ["un"], [["un"]], {})
