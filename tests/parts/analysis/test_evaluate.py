import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import WordTokenizer, evaluate, perplexity
from nmt_attention.translate import MAX_SOURCE_LENGTH, Translation


class Echo:
    """A translator that says what it was told, and finds every token equally likely."""

    source_tokenizer = WordTokenizer.learn(["go come here ."], 20, fold_case=True)
    target_tokenizer = WordTokenizer.learn(["जा ये इथे ."], 20)

    def __init__(self, answers):
        self.answers, self.asked, self.seen = answers, [], []

    def translate(self, sentences, **search):
        self.asked.append((list(sentences), search))
        return [Translation(s, self.answers[s], [], [], np.zeros((0, 0)), 0.0) for s in sentences]

    def teacher_force(self, source_ids, target_in):
        rows, length = target_in.shape
        self.seen.append((source_ids.shape[1], length))
        return tf.zeros((rows, length, len(self.target_tokenizer))), None


def test_perplexity_of_a_model_that_knows_nothing_is_its_vocabulary_size_however_long_a_sentence_is():
    assert perplexity(Echo({}), [("Go.", "जा."), ("Come here.", "इथे ये.")]) == pytest.approx(8)
    echo = Echo({})
    assert perplexity(echo, [("go " * 10_000, "जा " * 10_000)]) == pytest.approx(8)
    assert echo.seen == [(MAX_SOURCE_LENGTH, MAX_SOURCE_LENGTH + 1)]


def test_each_source_is_translated_once_and_scored_against_all_its_targets():
    sources, references = ["Come here.", "Go."], [["इथे ये.", "ये इथे."], ["जा."]]
    translator = Echo({"Come here.": "ये इथे.", "Go.": "ये."})
    scores, translations = evaluate(translator, sources, references)
    assert [t.source for t in translations] == sources
    assert scores.exact == 50 and scores.perplexity == pytest.approx(8)
    assert translator.asked == [(sources, {})]
    assert scores.bleu_interval is None and scores.sentences_per_second is None


def test_search_settings_are_passed_on_and_speed_is_taken_after_a_first_batch(monkeypatch):
    clock = iter([100.0, 150.0])  # 50 seconds for 200 sentences
    monkeypatch.setattr("nmt_attention.analysis.evaluate.time.perf_counter", lambda: next(clock))
    sources = [f"{i}" for i in range(200)]
    translator = Echo(dict.fromkeys(sources, "जा."))
    scores, translations = evaluate(translator, sources, [["जा."]] * 200, thorough=True, beam_size=3)
    assert translator.asked == [(sources[:64], {"beam_size": 3}), (sources, {"beam_size": 3})]
    assert scores.sentences_per_second == 4 and scores.bleu_interval and len(translations) == 200
