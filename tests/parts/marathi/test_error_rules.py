import re

import pytest

from nmt_attention.disk.pairs import read_pairs
from nmt_attention.marathi import error_rules
from nmt_attention.marathi.error_rules import (
    dropped_words,
    learn_names,
    make_rules,
    missing_name,
    tenses_of_source,
    wrong_tense,
)

# A rule and the source that it is given; then references, and translations about which it is sure or not. ∅ is nothing.
CASES = """
mixed_registers: Are you Canadian?
reference: तुम्ही कॅनेडियन आहात का?  तू कॅनेडियन आहेस का?
wrong: तुम्ही कॅनेडियन आहेस का?  तू कॅनेडियन आहात का?  तुम्ही कॅनेडियन होऊ नको.
right: तू भारतीय आहेस का?  तुम्ही भारतीय आहात का?
unknown: कॅनेडियन?  आपण कॅनेडियन आहोत.

mixed_registers: Are you and Tom coming tomorrow?
reference: तू आणि टॉम उद्या येत आहात का?
unknown: तू व टॉम उद्या येत आहात का?

wrong_gender: She is reading a book.
reference: ती पुस्तक वाचतेय.
wrong: ती पुस्तक वाचतोय.  तो पुस्तक वाचतोय.  ती पुस्तक वाचत होता.
right: ती पुस्तक वाचते.  ती पुस्तक वाचत होती.
unknown: ती पुस्तक वाचत आहे.  त्या पुस्तक वाचताहेत.  तिने पुस्तक वाचलं.  ती वाचते कारण तो वाचतो.  ∅

wrong_gender: He's going home.
reference: तो घरी जातोय.
wrong: तो घरी जातेय.  ती घरी गेली.
right: तो घरी गेला.
unknown: तो घरी जाईल.

wrong_gender: I see her.
reference: मी तिला बघतो.
unknown: ती बघतो.

wrong_tense: He's not at home.
reference: तो घरी नव्हता.  तो घरी नाहीये.
wrong: तो घरी येणार नाही.
right: तो घरी नाही.  तो घरी होता.  तो घरी गेला आहे.  तो घरी नसेल.
unknown: घरी.  तो घरी गेला नसेल.

wrong_tense: I need a week.
reference: मला एक आठवडा लागेल.
wrong: मला एक आठवडा लागला.
right: मला एका आठवड्याची गरज आहे.

wrong_tense: You should go.
reference: तू गेलं पाहिजेस.  तू जा.
unknown: तू जाशील.

dropped_words:
reference: मला एक नवीन पुस्तक हवं आहे.  एक नवीन पुस्तक हवं आहे मला!
wrong: पुस्तक हवं आहे.  ∅  पुस्तक , हवं , आहे .
right: मला पुस्तक हवं आहे.

repeated_words:
reference: तो खूप हसला.  तो ही ही करून हसला.
wrong: तो तो हसला.  तो खूप हसला तो खूप हसला हसला.  खूप हसला खूप हसला.
right: तो हळू हळू हसला.  तो बोलता बोलता हसला.  तो जेव्हा जेव्हा येतो तेव्हा तेव्हा हसतो.  तो ही ही हसला.
right: हसला, हसला.  तो ... ... हसला.

copied_source:
reference: माझा TV खराब आहे.
wrong: माझा television खराब आहे.  My TV.
right: माझा tv खराब आहे.  माझा टीव्ही खराब आहे.
"""


@pytest.mark.parametrize("case", CASES.strip().split("\n\n"), ids=lambda case: case.split("\n")[0])
def test_a_rule_tells_wrong_translations_from_right_ones(case):
    (name, source), *rows = [re.split(": ?", line, maxsplit=1) for line in case.split("\n")]
    sentences = [(label, sentence.strip("∅")) for label, line in rows for sentence in line.split("  ")]
    references = [sentence for label, sentence in sentences if label == "reference"]
    for label, sentence in sentences:
        verdict = getattr(error_rules, name)(source, sentence, references)
        if label == "reference":
            assert verdict is not True, sentence
        else:
            assert verdict is {"wrong": True, "right": False, "unknown": None}[label], sentence


@pytest.mark.parametrize(
    ("tenses", "sources"),
    {
        ("past",): ["I saw him.", "They were at home.", "She didn't go.", "Tom wanted it.", "He left an hour ago."],
        ("present",): ["I need a week.", "They are at home.", "He's here.", "Tom's sister sings."],
        ("future",): ["I'll come.", "It won't work."],
        ("past", "present"): ["I have eaten.", "I put it here.", "He's tired."],
        ("present", "future"): ["He is going to sing.", "I need to go.", "We are coming on Monday."],
        ("past", "present", "future"): ["You should go.", "Could he swim?", "I'd go.", "I have to go."],
    }.items(),
)
def test_the_tenses_that_an_english_sentence_allows(tenses, sources):
    for source in sources:
        assert tenses_of_source(source) == {*tenses}, source


def test_rules_that_compare_with_references_cannot_tell_without():
    assert wrong_tense("He came.", "तो येईल.", []) is None
    assert dropped_words("He came.", "तो.", []) is None
    assert missing_name({"tom": "टॉम"}, "Tom came.", "तो आला.", []) is None


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


def test_names_are_learned_from_pairs():
    # not Mary, nor Paris, which one pair has; nor Will, a word in small letters as well; nor I
    assert learn_names(iter(PAIRS)) == {"tom": "टॉम", "boston": "बॉस"}
    # three of four pairs with Tom have a word that begins with टॉम, no other pair has: 2 * 3 / (4 + 3) = 0.857
    pairs = [*PAIRS[:3], ("I gave it to Tom.", "मी ते त्याला दिलं."), ("A towel is here.", "टॉवेल इथे आहे.")]
    assert (learn_names(pairs, 0.85), learn_names(pairs, 0.86)) == ({"tom": "टॉम"}, {})
    with pytest.raises(TypeError, match="got a str as no. 1"):
        learn_names(PAIRS[0])


def test_a_name_is_missed_where_every_reference_has_it():
    def judge(source, hypothesis, *references):
        return missing_name(learn_names(PAIRS), source, hypothesis, references)

    assert judge("Tom left.", "टॉमने सोडलं.", "टॉम गेला.") is False
    assert judge("Tom left.", "Tom गेला.", "टॉम गेला.") is True
    assert judge("Tom's in Boston.", "टॉम घरी आहे.", "टॉम बॉस्टनमध्ये आहे.") is True
    assert judge("Tom left.", "तो गेला.", "टॉम गेला.", "तो निघाला.") is None
    assert judge("Mary left.", "ती गेली.", "मेरी गेली.") is None
    assert judge("A towel.", "रुमाल.", "टॉवेल.") is None
