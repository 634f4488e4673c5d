import itertools

import pytest
import sacrebleu

from nmt_attention.decoding.mbr import chrf_matrix, minimum_bayes_risk
from nmt_attention.translate import Translation

MARATHI = ["मी शाळेत जातो.", "मी शाळेत जाते.", "मी शाळेत जातोय.", "तू कोण आहेस?"]


def candidates(*texts, scores=None):
    scores = scores or [0.0] * len(texts)
    return [Translation("source", t, [], [str(i)], None, s) for i, (t, s) in enumerate(zip(texts, scores, strict=True))]


def test_chrf_of_all_pairs_is_sacrebleus_sentence_score():
    texts = [*MARATHI, "", "a", "aa", "aaa b", "ab ab ab", "ab  abab", "क", "Ab", "\u200d"]
    found = chrf_matrix(texts)
    for (i, hypothesis), (j, reference) in itertools.product(enumerate(texts), repeat=2):
        expected = sacrebleu.CHRF().sentence_score(hypothesis, [reference]).score
        assert found[i, j] == pytest.approx(expected, abs=1e-9), (hypothesis, reference)


@pytest.mark.parametrize(("of_a", "best"), [(0.5, "ab"), (0.8, "a")])
def test_the_choice_weighs_likeness_by_probability(of_a, best):
    # "a" is like "ab" by 5/9, and "ab" like "a" by 5/6
    # 0.5: "a" is worth (1 + 5/9) / 2 = 0.78, "ab" (1 + 5/6) / 2 = 0.92
    # 0.8: "a" is worth 0.8 + 0.2 · 5/9 = 0.91, "ab" 0.2 + 0.8 · 5/6 = 0.87
    found = minimum_bayes_risk(candidates("a", "ab"), [of_a, 1 - of_a])
    assert found[0].text == best and len(found) == 2


def test_equal_texts_add_up_and_the_most_probable_stands_for_them():
    found = minimum_bayes_risk(candidates("x", "y", "y", "z", scores=[-1.0, -3.0, -2.0, -1.0]), [0.3, 0.2, 0.2, 0.3])
    assert [t.text for t in found] == ["y", "x", "z"]  # nothing alike: what is said most often, then in order
    assert found[0].score == -2.0 and found[0].target_tokens == ["2"]
    assert [t.text for t in minimum_bayes_risk(candidates("क"), [1.0])] == ["क"]
    assert [t.text for t in minimum_bayes_risk(candidates("", "क"), [0.9, 0.1])] == ["क", ""]
