import math

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.evaluate import evaluate, group_references, perplexity, score
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import MOST_SOURCE_TOKENS, Translation


def test_references_of_one_source_come_together_whatever_its_case_and_apostrophes():
    pairs = [("It's me.", "मी आहे."), ("Go.", "जा."), ("it’s me.", "तो मी आहे."), ("Go.", "जा.")]
    assert group_references(pairs) == (["It's me.", "Go."], [["मी आहे.", "तो मी आहे."], ["जा."]])


def test_perfect_translations_score_100_against_any_of_their_references():
    hypotheses = ["राहुल आज सकाळी शाळेत गेला .", "ती रोज नवीन पुस्तक वाचते ."]
    references = [["तो शाळेत गेला .", hypotheses[0]], [hypotheses[1]]]
    scores = score(hypotheses, references)
    assert scores.bleu == pytest.approx(100) and scores.chrf == pytest.approx(100) and scores.exact == 100
    assert scores.bleu_first < 100 and scores.chrf_first < 100
    assert (scores.sentences, scores.references) == (2, 3)
    assert "nrefs:" in scores.bleu_signature and "version:" in scores.chrf_signature


def test_bleu_by_hand():
    # one 5-token hypothesis against one 5-token reference; matches: 4 of 5 words, 3 of 4 pairs, 2 of 3, 1 of 2
    scores = score(["एक दोन तीन चार सहा"], [["एक दोन तीन चार पाच"]])
    assert scores.bleu == pytest.approx(100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25, abs=1e-6)
    assert scores.exact == 0


def test_hypotheses_and_references_are_not_interchangeable():
    # the brevity penalty exp(1 - 6/5) falls on a short hypothesis, not on a short reference
    long, short = "एक दोन तीन चार पाच सहा", "एक दोन तीन चार पाच"
    assert score([short], [[long]]).bleu == pytest.approx(100 * math.exp(1 - 6 / 5), abs=1e-6)
    assert score([long], [[short]]).bleu == pytest.approx(100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25, abs=1e-6)


def test_lists_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="as many hypotheses as references, got 1 and 2"):
        score(["क"], [["क"], ["ख"]])
    with pytest.raises(ValueError, match="got 0 and 0"):
        score([], [])
    with pytest.raises(ValueError, match="source 2 has no reference"):
        score(["क", "ख"], [["क"], []])


class Echo:
    """A translator that says what it was told, and finds every token equally likely."""

    source_tokenizer = WordTokenizer.learn(["go come here ."], 20, fold_case=True)
    target_tokenizer = WordTokenizer.learn(["जा ये इथे ."], 20)

    def __init__(self, answers):
        self.answers = answers

    def translate(self, sentences, beam_size=1):
        return [Translation(s, self.answers[s], [], [], np.zeros((0, 0)), 0.0) for s in sentences]

    def teacher_force(self, source_ids, target_in):
        rows, length = target_in.shape
        return tf.zeros((rows, length, len(self.target_tokenizer))), None


def test_perplexity_of_a_model_that_knows_nothing_is_its_vocabulary_size():
    assert perplexity(Echo({}), [("Go.", "जा."), ("Come here.", "इथे ये.")]) == pytest.approx(8)


def test_a_sentence_of_ten_thousand_words_costs_no_more_than_its_first_tokens():
    long = Echo({})
    seen = []

    def teacher_force(source_ids, target_in):
        seen.append((source_ids.shape[1], target_in.shape[1]))
        return Echo.teacher_force(long, source_ids, target_in)

    long.teacher_force = teacher_force
    assert perplexity(long, [("go " * 10_000, "जा " * 10_000)]) == pytest.approx(8)
    assert seen == [(MOST_SOURCE_TOKENS, MOST_SOURCE_TOKENS + 1)]


def test_each_source_is_translated_once_and_scored_against_all_its_targets():
    pairs = [("Come here.", "इथे ये."), ("Go.", "जा."), ("Come here.", "ये इथे.")]
    sources, references = group_references(pairs)
    assert references == [["इथे ये.", "ये इथे."], ["जा."]]
    scores, translations = evaluate(Echo({"Come here.": "ये इथे.", "Go.": "ये."}), sources, references)
    assert [t.source for t in translations] == ["Come here.", "Go."]
    assert scores.exact == 50 and scores.perplexity == pytest.approx(8)
