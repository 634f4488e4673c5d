"""Every search of a translator: hypotheses with their own attention and score, which nothing around them changes."""

import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator
from nmt_attention.vocabulary import END_ID

SENTENCES = [
    *("The boy goes to school.", "The girl reads a book.", "Where is the school?", "the school"),
    "Is the boy reading the book the girl reads at school?",
]
BEAM, SAMPLES = {"beam_size": 3}, {"samples": 3, "temperature": 1.5, "top_p": 0.9}
SEARCHES = {}, BEAM, SAMPLES


def texts(found):
    return [[t.text for t in translations] for translations in found]


@pytest.mark.parametrize("search", SEARCHES)
def test_score_and_attention_of_every_hypothesis_are_those_of_writing_it(translator, score_of_writing, search):
    for found in translator.n_best(SENTENCES[:3], **search):
        assert len(found) == (search.get("samples") or search.get("beam_size", 1))
        for t in found:
            score, attention = score_of_writing(translator, t)
            np.testing.assert_allclose(t.score, score, rtol=1e-4)
            np.testing.assert_allclose(t.attention, attention, atol=1e-5)
            np.testing.assert_allclose(t.attention.sum(axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_translation_depends_on_neither_order_nor_batch(translator, search):
    together = translator.n_best(SENTENCES, **search)
    assert texts(translator.n_best(SENTENCES[::-1], 2, **search))[::-1] == texts(together)
    assert [t.source for t in translator.translate(SENTENCES, **search)] == SENTENCES
    assert [t.text for t in translator.translate(SENTENCES, **search)] == [found[0].text for found in together]
    for found, sentence in zip(together[-2:], SENTENCES[-2:], strict=True):
        (alone,) = translator.n_best([sentence], **search)
        np.testing.assert_allclose([t.score for t in found], [t.score for t in alone], rtol=1e-4)


def test_hypotheses_of_a_beam_are_distinct_and_samples_come_best_first(translator):
    assert all(len({tuple(t.target_tokens) for t in found}) == 3 for found in translator.n_best(SENTENCES, **BEAM))
    for found in translator.n_best(SENTENCES, **SAMPLES):
        assert [t.score for t in found] == sorted((t.score for t in found), reverse=True)


def test_samples_are_drawn_by_the_seed_and_without_freedom_are_greedy(translator):
    three, other = (texts(translator.n_best(SENTENCES, **SAMPLES, seed=seed)) for seed in (1, 2))
    five = texts(translator.n_best(SENTENCES, **SAMPLES | {"samples": 5}))
    assert three != other and all(set(few) <= set(many) for few, many in zip(three, five, strict=True))
    assert texts(translator.n_best(SENTENCES, samples=1, top_k=1)) == texts(translator.n_best(SENTENCES))


@pytest.mark.parametrize("search", [BEAM, SAMPLES])
def test_minimum_bayes_risk_ranks_the_distinct_texts_of_a_search(translator, search):
    plain, ranked = (texts(translator.n_best(SENTENCES, minimum_bayes_risk=r, **search)) for r in (False, True))
    assert plain != ranked
    for before, after in zip(plain, ranked, strict=True):
        assert set(before) == set(after) and len(set(after)) == len(after)


def test_a_model_whose_numbers_overflow_is_refused():
    tokenizer = WordTokenizer.learn(["a b"], 6)
    model = Seq2Seq(ModelConfig(6, 6, units=2, embedding_units=2))
    for weight in model.weights:
        weight.assign(np.full(weight.shape, 3e38))
    with pytest.raises(ValueError, match="'a b': no translation has a probability"):
        Translator(model, tokenizer, tokenizer).translate(["a b"], beam_size=2)


def test_a_sentence_that_cannot_be_written_is_no_hypothesis():
    tokenizer = WordTokenizer.learn(["a b"], 6)
    model = Seq2Seq(ModelConfig(6, 6, units=2, embedding_units=2))
    model.decoder.output_bias.assign(np.where(np.arange(6) == END_ID, 0.0, -np.inf))
    (found,) = Translator(model, tokenizer, tokenizer).n_best(["a b"], beam_size=5)
    assert [t.target_tokens for t in found] == [["<end>"]]
