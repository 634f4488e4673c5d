"""An attention of one's own: named once, it is a setting like the others."""

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import register_attention
from nmt_attention.attention import Attention, DotAttention
from nmt_attention.config import ATTENTION_NAMES, ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import load_bundle, save_bundle
from nmt_attention.runs.settings import make_settings
from nmt_attention.text import WordTokenizer
from nmt_attention.variants.attentions import ATTENTIONS

SIZES = {"source_vocabulary_size": 9, "target_vocabulary_size": 9, "units": 8, "embedding_units": 8}


class Nearest(Attention):
    """The score is minus the squared distance of query and value."""

    def score(self, queries, memory):
        return -tf.reduce_sum((queries[:, :, tf.newaxis] - memory.keys[:, tf.newaxis]) ** 2, axis=-1)


@pytest.fixture(autouse=True)
def names_of_before():
    names, attentions = [*ATTENTION_NAMES], {**ATTENTIONS}
    yield
    ATTENTION_NAMES[:] = names
    ATTENTIONS.clear()
    ATTENTIONS.update(attentions)


def test_a_model_with_it_is_built_saved_and_loaded(tmp_path):
    with pytest.raises(ValueError, match="attention: expected one of"):
        make_settings("quick", {"attention": "nearest"})
    register_attention("nearest", Nearest)
    assert make_settings("quick", {"attention": "nearest"})["attention"] == "nearest"
    words = WordTokenizer.learn(["a b c d e"], 9)
    model = Seq2Seq(ModelConfig(len(words), len(words), units=8, embedding_units=8, attention="nearest"))
    assert isinstance(model.decoder.attention, Nearest)
    save_bundle(tmp_path / "run", model, words, words)
    again, *_ = load_bundle(tmp_path / "run")
    source, target = tf.constant([[4, 5, 6]]), tf.constant([[1, 7]])
    np.testing.assert_array_equal(model(source, target)[0], again(source, target)[0])
    ATTENTIONS.pop("nearest")
    ATTENTION_NAMES.remove("nearest")
    with pytest.raises(ValueError, match="attention: expected one of"):
        load_bundle(tmp_path / "run")


def test_a_cell_that_is_run_again_replaces_its_class():
    for attention in (Nearest, DotAttention):
        register_attention("mine", attention)
    assert type(Seq2Seq(ModelConfig(**SIZES, attention="mine")).decoder.attention) is DotAttention
    assert ATTENTION_NAMES.count("mine") == 1


def test_the_package_s_own_names_and_other_classes_are_refused():
    with pytest.raises(ValueError, match="has an attention 'dot'"):
        register_attention("dot", Nearest)
    for wrong in (Seq2Seq, Nearest(8)):
        with pytest.raises(TypeError, match="expected a subclass of Attention"):
            register_attention("mine", wrong)
    assert "mine" not in ATTENTIONS and "mine" not in ATTENTION_NAMES
