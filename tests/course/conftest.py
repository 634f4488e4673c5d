"""A translator that several files search with."""

import keras
import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.text import CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.translate import Translator
from nmt_attention.vocabulary import PAD_ID, START_ID

ENGLISH = ["The boy goes to school.", "The girl reads a book.", "Where is the school?", "I read books."]
MARATHI = ["मुलगा शाळेत जातो.", "मुलगी पुस्तक वाचते.", "शाळा कुठे आहे?", "मी पुस्तकं वाचतो."]


def make_translator(kind, **settings):
    """Untrained, so that its distributions are nearly flat: the hardest case for anything that must not change."""
    keras.utils.set_random_seed(0)
    source, target = kind.learn(ENGLISH, 60, fold_case=True), kind.learn(MARATHI, 60)
    model = Seq2Seq(ModelConfig(len(source), len(target), units=16, embedding_units=16, **settings))
    for weight in model.weights:
        weight.assign(weight * 3.0)
    return Translator(model, source, target)


@pytest.fixture(scope="session")
def translator():
    return make_translator(SubwordTokenizer, lexical=True)


@pytest.fixture(scope="session", params=[SubwordTokenizer, WordTokenizer, CharacterTokenizer])
def any_translator(request, translator):
    return translator if request.param is SubwordTokenizer else make_translator(request.param)


@pytest.fixture
def score_of_writing():
    """Returns a function from a `Translator` and a `Translation` to the score and the attention of writing it."""

    def score(translator, found):
        ids = [translator.target_tokenizer.vocabulary.index(token) for token in found.target_tokens]
        source_ids = np.array([translator.source_tokenizer.ids(found.source_tokens)])
        logits, weights = translator.teacher_force(source_ids, np.array([[START_ID, *ids[:-1]]]))
        logits = np.array(logits[0])
        logits[:, [PAD_ID, START_ID]] = -np.inf  # never written
        log_probs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return sum(row[i] for row, i in zip(log_probs, ids, strict=True)), weights[0]

    return score
