"""A translator that several files search with."""

import numpy as np
import pytest
from tiny import parts

from nmt_attention import PAD_ID, START_ID, CharacterTokenizer, SubwordTokenizer, Translator, WordTokenizer


@pytest.fixture(scope="session")
def translator():
    return Translator(*parts(SubwordTokenizer, lexical=True))


@pytest.fixture(scope="session", params=[SubwordTokenizer, WordTokenizer, CharacterTokenizer])
def any_translator(request, translator):
    return translator if request.param is SubwordTokenizer else Translator(*parts(request.param))


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
