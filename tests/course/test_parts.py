"""The registry: every name leads to a part, and a part of one's own is a setting like the others."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import Attention, BahdanauDecoder, ModelConfig, Seq2Seq, Translator, WordTokenizer, make_settings
from nmt_attention.parts import PARTS, part_of, register
from nmt_attention.runs.bundle import load_bundle, save_bundle


class Nearest(Attention):
    """The score is minus the squared distance of query and value."""

    def score(self, queries, memory):
        return -tf.reduce_sum((queries[:, :, tf.newaxis] - memory.keys[:, tf.newaxis]) ** 2, axis=-1)


class LouderDecoder(BahdanauDecoder):
    """Its features are twice as large."""

    def read_out(self, output, tokens, context, training):
        return 2 * super().read_out(output, tokens, context, training)


class SpacedTokenizer(WordTokenizer):
    """Splits at spaces alone."""

    kind = "spaced"

    @staticmethod
    def split(text):
        return text.split()


@pytest.fixture(autouse=True)
def parts_of_before():
    before = {kind: dict(parts) for kind, parts in PARTS.items()}
    yield
    for kind, parts in before.items():  # in place, because the settings' choices are these dicts
        PARTS[kind].clear()
        PARTS[kind].update(parts)


@pytest.fixture
def own_parts(parts_of_before):
    for kind, part in (("attention", Nearest), ("decoder", LouderDecoder), ("tokenizer", SpacedTokenizer)):
        register(kind, "mine" if kind != "tokenizer" else "spaced", part)


def own_model(words):
    keras.utils.set_random_seed(1)
    sizes = {"units": 16, "embedding_units": 16, "dropout": 0.0}
    return Seq2Seq(ModelConfig(len(words), len(words), attention="mine", decoder="mine", **sizes))


def test_parts_of_one_s_own_make_a_model_that_translates_is_saved_and_loads_where_they_are(
    own_parts, tmp_path, monkeypatch
):
    words = part_of("tokenizer", "spaced").learn(["a b c ."], 10)
    model = own_model(words)
    assert isinstance(model.decoder, LouderDecoder) and isinstance(model.decoder.attention, Nearest)
    save_bundle(tmp_path / "run", model, words, words)
    again, source, _ = load_bundle(tmp_path / "run")
    assert isinstance(source, SpacedTokenizer)
    one, other = (Translator(m, words, words).translate(["b c. ."])[0] for m in (model, again))
    assert one.source_tokens == ["b", "c.", "."] and one.score == other.score
    np.testing.assert_array_equal(one.attention, other.attention)
    monkeypatch.delitem(PARTS["attention"], "mine")
    with pytest.raises(ValueError, match=r"config\.json.*attention: expected one of"):
        load_bundle(tmp_path / "run")


def test_a_setting_accepts_a_part_once_it_is_registered_and_a_cell_that_is_run_again_replaces_it():
    with pytest.raises(ValueError, match="attention: expected one of"):
        make_settings("quick", {"attention": "mine"})
    for attention in (Attention, Nearest):
        register("attention", "mine", attention)
    assert make_settings("quick", {"attention": "mine"})["attention"] == "mine"
    assert part_of("attention", "mine") is Nearest
