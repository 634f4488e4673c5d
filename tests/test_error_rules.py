import pytest

from nmt_attention.error_rules import (
    copied_source,
    dropped_words,
    learn_names,
    missing_name,
    mixed_registers,
    other_gender_of_i,
    other_gender_of_you,
    other_register,
    other_tense,
    repeated_words,
)


@pytest.mark.parametrize(
    ("rule", "references", "wrong", "right", "untold"),
    [
        pytest.param(
            other_register,
            ["तू कुठे राहतोस?", "तू कुठे राहतेस?"],
            ["तुम्ही कुठे राहता?"],
            ["तू कुठं राहतोस?", "तू कुठे आहेस?"],
            ["तो कुठे राहतो?"],
            id="one form of you",
        ),
        pytest.param(
            other_register,
            ["मला पाणी दे.", "मला पाणी द्या."],
            [],
            ["मला जल दे.", "तुम्ही मला पाणी द्या."],
            ["पाणी."],
            id="both forms of you",
        ),
        pytest.param(
            mixed_registers,
            ["तुम्ही कॅनेडियन आहात का?", "तू कॅनेडियन आहेस का?"],
            ["तुम्ही कॅनेडियन आहेस का?", "तू कॅनेडियन आहात का?"],
            ["तू कॅनेडियन आहेस का?"],
            ["कॅनेडियन?"],
            id="mixed forms of you",
        ),
        pytest.param(
            mixed_registers,
            ["तू आणि टॉम उद्या येत आहात का?"],
            [],
            ["तू व टॉम उद्या येत आहात का?"],
            [],
            id="mixed in a reference, too",
        ),
        pytest.param(
            other_gender_of_you,
            ["तू काय करतोस?"],
            ["तू काय करतेस?"],
            ["तू काय करतोयस?"],
            ["तुम्ही काय करता?", "तू काय केलंस?"],
            id="gender of you",
        ),
        pytest.param(
            other_gender_of_i,
            ["मी घरी गेले.", "मी घरी जाईन."],
            ["मी घरी गेलो."],
            ["मी घरी आले.", "मी घरी जाते."],
            ["घरी गेलो.", "मी घरी जाईन."],
            id="gender of I",
        ),
        pytest.param(
            other_tense,
            ["तो घरी नव्हता.", "तो घरी नाहीये."],
            ["तो घरी येणार नाही."],
            ["तो घरी नाही.", "तो घरी होता.", "तो घरी गेला आहे."],
            ["घरी."],
            id="tense",
        ),
        pytest.param(
            other_tense, ["मी पत्र लिहिलं आहे."], ["मी पत्र लिहीन."], ["मी पत्र लिहिलं.", "मी पत्र लिहितोय."], [], id="perfect"
        ),
        pytest.param(
            dropped_words,
            ["मला एक नवीन पुस्तक हवं आहे.", "एक नवीन पुस्तक हवं आहे मला!"],  # 6 words; 3 are less than 3.6
            ["पुस्तक हवं आहे.", "", "पुस्तक , हवं , आहे ."],
            ["मला पुस्तक हवं आहे."],
            [],
            id="dropped words",
        ),
        pytest.param(
            repeated_words,
            ["तो खूप हसला.", "तो ही ही करून हसला."],
            ["तो तो हसला.", "तो खूप हसला तो खूप हसला हसला.", "खूप हसला खूप हसला."],
            ["तो हळू हळू हसला.", "तो बोलता बोलता हसला.", "तो ही ही हसला.", "हसला, हसला.", "तो ... ... हसला."],
            [],
            id="repeated words",
        ),
        pytest.param(
            copied_source,
            ["माझा TV खराब आहे."],
            ["माझा television खराब आहे.", "My TV."],
            ["माझा tv खराब आहे.", "माझा टीव्ही खराब आहे."],
            [],
            id="copied source",
        ),
    ],
)
def test_a_rule_tells_wrong_translations_from_right_ones(rule, references, wrong, right, untold):
    for expected, hypotheses in ((True, wrong), (False, right), (None, untold)):
        for hypothesis in hypotheses:
            assert rule("", hypothesis, references) is expected, hypothesis
    for i in range(len(references)):
        assert rule("", references[i], references) is not True


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
    assert learn_names(PAIRS) == {"tom": "टॉम", "boston": "बॉस"}


def test_a_counterpart_is_as_faithful_as_asked_for():
    # three of four pairs with Tom have a word that begins with टॉम, no other pair has: 2 * 3 / (4 + 3) = 0.857;
    # for आहे, which two of them and another one have, it is 2 * 2 / (4 + 3)
    pairs = [*PAIRS[:3], ("I gave it to Tom.", "मी ते त्याला दिलं."), ("A towel is here.", "टॉवेल इथे आहे.")]
    assert learn_names(pairs, 0.85) == {"tom": "टॉम"}
    assert learn_names(pairs, 0.86) == {}


def test_a_name_is_missed_where_every_reference_has_it():
    def judge(source, hypothesis, *references):
        return missing_name(learn_names(PAIRS), source, hypothesis, references)

    assert judge("Tom left.", "टॉमने सोडलं.", "टॉम गेला.") is False
    assert judge("Tom left.", "Tom गेला.", "टॉम गेला.") is True
    assert judge("Tom's in Boston.", "टॉम घरी आहे.", "टॉम बॉस्टनमध्ये आहे.") is True
    assert judge("Tom left.", "तो गेला.", "टॉम गेला.", "तो निघाला.") is None
    assert judge("Mary left.", "ती गेली.", "मेरी गेली.") is None
    assert judge("A towel.", "रुमाल.", "टॉवेल.") is None
