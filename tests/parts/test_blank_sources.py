"""No sentence without a token reaches an encoder: on a GPU, cuDNN's recurrent layers would refuse its whole batch."""

import numpy as np
import pytest
import tensorflow as tf
from command_line import write_lines

from nmt_attention.analysis.evaluate import evaluate, perplexity
from nmt_attention.config import ModelConfig
from nmt_attention.deploy.export import ExportedTranslator
from nmt_attention.disk.pairs import read_pairs, writable_pairs
from nmt_attention.encoder import Encoder
from nmt_attention.model import Seq2Seq
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator

SENTENCES, TARGET = ["He drinks tea.", "She sings a song."], "तो चहा पितो."
BLANK = ["\u200d", "", " ", "\u200b\u200c\u200d", "\u2065"]  # the first is a joiner, which no tokeniser reads


@pytest.fixture
def translator(monkeypatch):
    """A new model, whose encoder refuses what cuDNN refuses."""
    call = Encoder.call

    def strict(self, source_ids, source_mask, training=False):
        tf.debugging.assert_equal(tf.reduce_any(source_mask, axis=1), True, "a row has no token")
        return call(self, source_ids, source_mask, training=training)

    monkeypatch.setattr(Encoder, "call", strict)
    tokenizers = [WordTokenizer.learn(texts, 20) for texts in (SENTENCES, [TARGET])]
    return Translator(Seq2Seq(ModelConfig(*map(len, tokenizers), units=8, embedding_units=8)), *tokenizers)


def export(translator, sentences):
    parts = translator.model, translator.source_tokenizer, translator.target_tokenizer
    return ExportedTranslator(*parts)(tf.constant(sentences))["text"]


def test_an_encoder_reads_no_sentence_without_a_token(translator):
    for texts in (BLANK, [SENTENCES[0], *BLANK, SENTENCES[1]]):
        for search in ({}, {"beam_size": 2}, {"samples": 2}):
            translator.n_best(texts, **search)
        perplexity(translator, [(text, TARGET) for text in texts])
        evaluate(translator, texts, [[TARGET]] * len(texts))
        export(translator, texts)
    with pytest.raises(tf.errors.InvalidArgumentError, match="a row has no token"):  # so it would have been noticed
        translator.teacher_force(np.array([[4], [0]], np.int32), np.ones((2, 1), np.int32))


def test_a_pair_without_a_source_token_does_not_count_in_perplexity(translator):
    pairs = [(text, TARGET) for text in SENTENCES]
    assert perplexity(translator, [*pairs, (BLANK[0], TARGET)]) == perplexity(translator, pairs)
    assert np.isnan(perplexity(translator, [(BLANK[0], TARGET)]))


def test_no_training_pair_lacks_a_source_token(tmp_path):
    for blank in BLANK:
        with pytest.raises(ValueError, match=r"pairs\.tsv, line 1: "):
            read_pairs(write_lines(tmp_path / "pairs.tsv", [f"{blank}\t{TARGET}"]))
        with pytest.raises(ValueError, match="corpus"):
            writable_pairs([(blank, TARGET)], "corpus")
