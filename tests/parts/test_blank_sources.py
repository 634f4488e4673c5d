"""No sentence without a token reaches an encoder: on a GPU, cuDNN's recurrent layers would refuse its whole batch."""

import numpy as np
import pytest
import tensorflow as tf
from tiny import ENGLISH, MARATHI, parts

from nmt_attention import Encoder, Translator, evaluate, perplexity
from nmt_attention.deploy.export import ExportedTranslator

BLANK = ["\u200d", "", " ", "\u200b\u200c\u200d", "\u2065"]  # the first is a joiner, which no tokeniser reads


@pytest.fixture
def translator(monkeypatch):
    """A new model, whose encoder refuses what cuDNN refuses."""
    call = Encoder.call

    def strict(self, source_ids, source_mask, training=False):
        tf.debugging.assert_equal(tf.reduce_any(source_mask, axis=1), True, "a row has no token")
        return call(self, source_ids, source_mask, training=training)

    monkeypatch.setattr(Encoder, "call", strict)
    return Translator(*parts(units=8))


def test_an_encoder_reads_no_sentence_without_a_token(translator):
    exported = ExportedTranslator(translator.model, translator.source_tokenizer, translator.target_tokenizer)
    for texts in (BLANK, [ENGLISH[0], *BLANK, ENGLISH[1]]):
        for search in ({}, {"beam_size": 2}, {"samples": 2}):
            translator.n_best(texts, **search)
        perplexity(translator, [(text, MARATHI[0]) for text in texts])
        evaluate(translator, texts, [[MARATHI[0]]] * len(texts))
        exported(tf.constant(texts))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a row has no token"):  # so it would have been noticed
        translator.teacher_force(np.array([[4], [0]], np.int32), np.ones((2, 1), np.int32))


def test_a_pair_without_a_source_token_does_not_count_in_perplexity(translator):
    pairs = [(text, MARATHI[0]) for text in ENGLISH]
    assert perplexity(translator, [*pairs, (BLANK[0], MARATHI[0])]) == perplexity(translator, pairs)
    assert np.isnan(perplexity(translator, [(BLANK[0], MARATHI[0])]))
