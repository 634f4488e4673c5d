"""Several models translate as one."""

import dataclasses

import keras
import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.decoding.ensemble import Ensemble
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator

ENGLISH = ["The boy goes to school.", "The girl reads a book.", "Where is the school?"]
MARATHI = ["मुलगा शाळेत जातो.", "मुलगी पुस्तक वाचते.", "शाळा कुठे आहे?"]


@pytest.fixture(scope="module")
def tokenizers():
    return WordTokenizer.learn(ENGLISH, 60, fold_case=True), WordTokenizer.learn(MARATHI, 60)


@pytest.fixture(scope="module")
def models(tokenizers):
    keras.utils.set_random_seed(0)
    config = ModelConfig(*map(len, tokenizers), units=16, embedding_units=16)
    found = [Seq2Seq(config), Seq2Seq(dataclasses.replace(config, units=8))]
    for weight in (weight for model in found for weight in model.weights):
        weight.assign(weight * 3.0)
    return found


@pytest.mark.parametrize("search", [{}, {"beam_size": 3}, {"samples": 3}])
def test_a_model_twice_translates_like_the_model(models, tokenizers, search):
    once, twice = Translator(models[0], *tokenizers), Translator(Ensemble([models[0]] * 2), *tokenizers)
    for alone, both in zip(once.n_best(ENGLISH, **search), twice.n_best(ENGLISH, **search), strict=True):
        assert [t.target_tokens for t in alone] == [t.target_tokens for t in both]
        for one, two in zip(alone, both, strict=True):
            np.testing.assert_allclose(one.score, two.score, rtol=1e-4)
            np.testing.assert_allclose(one.attention, two.attention, atol=1e-5)


def test_models_are_loaded_together_if_their_tokenisers_are_the_same(models, tokenizers, tmp_path):
    for name, model in zip("ab", models, strict=True):
        save_bundle(tmp_path / name, model, *tokenizers)
    loaded = Translator.load(tmp_path / "a", tmp_path / "b").translate(ENGLISH)
    expected = Translator(Ensemble(models), *tokenizers).translate(ENGLISH)
    assert [t.text for t in loaded] == [t.text for t in expected]
    assert [t.text for t in loaded] != [t.text for t in Translator(models[0], *tokenizers).translate(ENGLISH)]

    other = WordTokenizer.learn([*MARATHI, "ती घरी जाते."], 60)
    config = dataclasses.replace(models[0].config, target_vocabulary_size=len(other))
    save_bundle(tmp_path / "c", Seq2Seq(config), tokenizers[0], other)
    with pytest.raises(ValueError, match="a and .*c: an ensemble's target tokenisers must be the same"):
        Translator.load(tmp_path / "a", tmp_path / "c")
