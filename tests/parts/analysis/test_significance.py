import numpy as np
import pytest
import sacrebleu

from nmt_attention.analysis.significance import compare, interval, resampled_scores, with_intervals
from nmt_attention.metrics import reference_streams, score

REFERENCES = [
    ["राहुल रोज सकाळी शाळेत जातो.", "राहुल दररोज सकाळी शाळेला जातो."],
    ["सीता एक नवीन पुस्तक वाचते."],
    ["मी उद्या मुंबईला जाणार आहे.", "मी उद्या मुंबईला जाईन.", "उद्या मी मुंबईला जाणार आहे."],
    ["त्यांनी मला एक पत्र लिहिलं."],
] * 25
GOOD = [texts[-1] for texts in REFERENCES]
BAD = [" ".join([*text.split()[: 1 + i % 4], "चुकीचे", "शब्द."]) for i, text in enumerate(GOOD)]


class Share:
    """A metric whose score is the percentage of sentences that are "हो"."""

    def _extract_corpus_statistics(self, hypotheses, references):
        return [[float(text == "हो"), 1.0] for text in hypotheses]

    def _compute_score_from_stats(self, sums):
        return sacrebleu.metrics.base.Score("share", 100 * sums[0] / sums[1])


@pytest.mark.parametrize("metric", [sacrebleu.BLEU(), sacrebleu.CHRF()], ids=["BLEU", "chrF"])
def test_the_score_itself_is_what_sacrebleu_says(metric):
    score, scores = resampled_scores(metric, BAD, REFERENCES, 10)
    assert score == pytest.approx(metric.corpus_score(BAD, reference_streams(REFERENCES)).score)
    assert scores.shape == (10,) and len(set(scores)) > 1


def test_resampled_scores_vary_as_statistics_says():
    # 200 of 400 sentences count: the standard error of their share is sqrt(0.5 * 0.5 / 400) = 2.5 %,
    # so that 95 % of test sets have between 50 - 1.96 * 2.5 = 45.1 and 54.9 %
    score, scores = resampled_scores(Share(), ["हो", "नाही"] * 200, [["हो"]] * 400, 4000)
    low, high = interval(scores)
    assert score == 50
    assert low == pytest.approx(45.1, abs=0.5) and high == pytest.approx(54.9, abs=0.5)
    assert np.std(scores) == pytest.approx(2.5, abs=0.15)
    _, again = resampled_scores(Share(), ["हो", "नाही"] * 200, [["हो"]] * 400, 4000)
    np.testing.assert_array_equal(again, scores)  # the drawings are the same every time


def test_equal_translations_do_not_differ_and_one_better_everywhere_is_so_by_more_than_chance():
    for found in compare(BAD, iter(BAD), iter(REFERENCES)):
        assert found.first == found.second and found.difference == found.low == found.high == 0
        assert found.p_value == 1
    bleu, chrf = compare(GOOD, BAD, REFERENCES)
    for found in (bleu, chrf):
        assert found.first == pytest.approx(100)
        assert 0 < found.low < found.difference < found.high < 100
        assert found.p_value < 0.005


def test_exchanging_the_systems_changes_signs_alone():
    mixed = [good if i % 3 else bad for i, (good, bad) in enumerate(zip(GOOD, BAD, strict=True))]
    for one, other in zip(compare(mixed, BAD, REFERENCES), compare(BAD, mixed, REFERENCES), strict=True):
        assert (one.first, one.second, one.p_value) == (other.second, other.first, other.p_value)
        assert [one.difference, one.low, one.high] == pytest.approx([-other.difference, -other.high, -other.low])


def test_wins_that_balance_each_other_are_chance():
    # each system errs in every second occurrence of the same sentences
    halves = [
        [(good, bad)[(i // 4 + k) % 2] for i, (good, bad) in enumerate(zip(GOOD, BAD, strict=True))] for k in (0, 1)
    ]
    for found in compare(*halves, REFERENCES):
        assert found.low < 0 < found.high
        assert found.p_value > 0.5


def test_both_sides_are_normalised():
    assert compare(["नमस्ते  जग, कसं काय?"], ["चूक"], [["नमस्ते जग, कसं काय?"]])[0].first == pytest.approx(100)


def test_intervals_lie_around_the_scores_and_narrow_as_sentences_are_added():
    assert interval(np.arange(0, 1001)) == (25.0, 975.0)
    mixed = [good if i % 3 else bad for i, (good, bad) in enumerate(zip(GOOD, BAD, strict=True))]
    plain = score(mixed, REFERENCES)
    thorough = with_intervals(plain, iter(mixed), iter(REFERENCES))
    assert thorough._replace(bleu_interval=None, chrf_interval=None) == plain
    for value, (low, high) in ((plain.bleu, thorough.bleu_interval), (plain.chrf, thorough.chrf_interval)):
        assert 0 < low < value < high < 100
    low, high = with_intervals(plain, mixed[:10], REFERENCES[:10]).bleu_interval  # of a tenth of the sentences
    assert high - low > 2 * (thorough.bleu_interval[1] - thorough.bleu_interval[0])
