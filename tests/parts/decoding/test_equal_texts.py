"""Among the hypotheses of a beam each text occurs once, in Python and on the page."""

import pytest

from nmt_attention.translate import Translator
from tools.browser.javascript import Engine

SENTENCES = ["They live in Mumbai.", "yes", "I like tea. They live in Mumbai"]


@pytest.fixture(scope="module")
def translator():
    return Translator.load()


def test_a_beam_has_each_text_once_and_every_sample_is_kept(translator):
    for hypotheses in translator.n_best(iter(SENTENCES), beam_size=8):
        texts = [hypothesis.text for hypothesis in hypotheses]
        assert len(texts) == len(set(texts)) > 1
    (samples,) = translator.n_best(SENTENCES[:1], samples=6, temperature=0.1)
    assert len(samples) == 6


def test_the_beam_of_the_page_has_each_text_once(translator):
    texts = [hypothesis["text"] for hypothesis in Engine(translator).translate(SENTENCES[0], beamSize=5)]
    assert len(texts) == len(set(texts)) > 1
