import math

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.analysis.evaluate import evaluate, perplexity
from nmt_attention.analysis.report import score_lines
from nmt_attention.metrics import group_references, score
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import MAX_SOURCE_LENGTH, Translation


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


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        # two of five words are wrong: चार and पाच for सहा, one replaced and one inserted
        ("एक दोन तीन सहा", ["एक दोन तीन चार पाच"], 100 * 2 / 5),
        # nearest is the reference that one word less makes; the references have 4 words on average
        ("एक दोन तीन सहा", ["एक दोन तीन चार पाच", "एक दोन तीन"], 100 * 1 / 4),
        ("दोन तीन एक चार", ["एक दोन तीन चार"], 100 * 1 / 4),  # one shift
        ("एक", ["एक"], 0),
        ("एक दोन तीन", ["चार"], 100 * 3 / 1),
    ],
)
def test_ter_by_hand(hypothesis, references, expected):
    scores = score([hypothesis], [references], thorough=True)
    assert scores.ter == pytest.approx(expected)
    assert "tok:tercom" in scores.ter_signature


def test_a_thorough_scoring_adds_to_the_plain_one():
    hypotheses = ["राहुल आज सकाळी शाळेत गेला.", "ती रोज पुस्तक वाचते.", "मी चहा पितो.", "ते घरी आहेत का?"] * 20
    references = [["राहुल आज सकाळी शाळेत गेला."], ["ती रोज नवीन पुस्तक वाचते.", "ती वाचते."], ["मी येतो."], ["ते नाहीत."]] * 20
    plain, thorough = (score(hypotheses, references, thorough=flag) for flag in (False, True))
    more = ("ter", "ter_signature", "bleu_interval", "chrf_interval")
    assert all(getattr(plain, name) is None for name in more)
    assert thorough._replace(**dict.fromkeys(more)) == plain
    for value, (low, high) in ((plain.bleu, thorough.bleu_interval), (plain.chrf, thorough.chrf_interval)):
        assert 0 < low < value < high < 100
    wide = score(hypotheses[:8], references[:8], thorough=True).bleu_interval  # of a tenth of the sentences
    assert wide[1] - wide[0] > 2 * (thorough.bleu_interval[1] - thorough.bleu_interval[0])


def test_ter_is_left_out_where_sentences_are_too_long_for_it(monkeypatch):
    asked = []
    monkeypatch.setattr("sacrebleu.metrics.ter.translation_edit_rate", lambda *words: asked.append(words) or (1, 2))
    for words, computed in ((2_000, True), (2_100, False)):
        scores = score(["एक दोन तीन चार " * 60], [["चार " * words]], thorough=True)
        assert (len(asked), scores.ter) == ((1, 50) if computed else (0, None))
        assert (scores.ter_signature is not None) == computed and scores.chrf_interval is not None
        lines = score_lines(scores._replace(perplexity=1.0, sentences_per_second=1.0))
        assert any(line.startswith("TER         skipped: ") for line in lines) != computed
        asked.clear()


def test_many_references_count_for_ter_as_one_long_one(monkeypatch):
    monkeypatch.setattr("nmt_attention.metrics.MAX_TER_WORD_PAIRS", 11)
    assert score(["एक दोन"], [["एक दोन तीन", "दोन तीन"]], thorough=True).ter is not None  # 2 * 3 + 2 * 2
    assert score(["एक दोन"], [["एक दोन तीन", "दोन तीन चार"]], thorough=True).ter is None
    assert score(["एक दोन"] * 2, [["एक दोन तीन"]] * 2, thorough=True).ter is None


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
        self.answers, self.asked = answers, []

    def translate(self, sentences, **search):
        self.asked.append((list(sentences), search))
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
    assert seen == [(MAX_SOURCE_LENGTH, MAX_SOURCE_LENGTH + 1)]


def test_each_source_is_translated_once_and_scored_against_all_its_targets():
    pairs = [("Come here.", "इथे ये."), ("Go.", "जा."), ("Come here.", "ये इथे.")]
    sources, references = group_references(pairs)
    assert references == [["इथे ये.", "ये इथे."], ["जा."]]
    translator = Echo({"Come here.": "ये इथे.", "Go.": "ये."})
    scores, translations = evaluate(translator, sources, references)
    assert [t.source for t in translations] == ["Come here.", "Go."]
    assert scores.exact == 50 and scores.perplexity == pytest.approx(8)
    assert translator.asked == [(sources, {})]
    assert scores.ter is None and scores.sentences_per_second is None


def test_search_settings_are_passed_on_and_speed_is_taken_after_a_first_batch(monkeypatch):
    clock = iter([100.0, 150.0])  # 50 seconds for 200 sentences
    monkeypatch.setattr("nmt_attention.analysis.evaluate.time.perf_counter", lambda: next(clock))
    sources = [f"{i}" for i in range(200)]
    translator = Echo(dict.fromkeys(sources, "जा."))
    scores, translations = evaluate(translator, sources, [["जा."]] * 200, thorough=True, beam_size=3)
    assert translator.asked == [(sources[:64], {"beam_size": 3}), (sources, {"beam_size": 3})]
    assert scores.sentences_per_second == 4 and scores.ter == 0 and len(translations) == 200
