"""Encoder and decoder as one model, in every combination that a configuration can name."""

import contextlib
import os
import re
import sys
from types import SimpleNamespace

import keras
import numpy as np
import pytest
import tensorflow as tf

import nmt_attention
from nmt_attention import ModelConfig, Seq2Seq

SMALL = {"source_vocabulary_size": 9, "target_vocabulary_size": 7, "units": 8, "embedding_units": 6}
VARIANTS = [
    {"attention": "none", "bidirectional": False},
    {"decoder": "luong-input-feeding", "cell": "lstm", "encoder_layers": 3, "decoder_layers": 3},
    {"decoder": "conditional", "lexical": True},
    {"architecture": "transformer", "embedding_units": 8, "heads": 2},
]


@pytest.fixture(scope="module", params=VARIANTS, ids=str)
def model(request):
    keras.utils.set_random_seed(0)
    return Seq2Seq(ModelConfig(**{**SMALL, **request.param}))


def ids(*rows):
    return keras.utils.pad_sequences(rows, padding="post", dtype="int32")


BATCH = ids([4, 5, 6], [7, 8]), ids([1, 4], [1, 5])


def test_before_training_every_token_is_about_as_likely_as_any_other(model):
    logits, weights = model(*BATCH)
    assert logits.shape == (2, 2, 7) and logits.dtype == tf.float32 and weights.shape == (2, 2, 3)
    np.testing.assert_allclose(np.mean(tf.nn.log_softmax(logits)), -np.log(7), atol=0.1)


def test_step_features_and_call_agree(model):
    logits, weights = model(*BATCH)
    features, same_weights = model.features(*BATCH)
    some = np.array([[True, True], [False, True]])
    np.testing.assert_allclose(model.logits(tf.boolean_mask(features, some)), logits[some], atol=1e-6)
    np.testing.assert_array_equal(same_weights, weights)
    state, memory = model.encode(BATCH[0])
    for t in range(2):
        step_logits, state, step_weights = model.step(BATCH[1][:, t], state, memory)
        np.testing.assert_allclose(step_logits, logits[:, t], atol=1e-5)
        np.testing.assert_allclose(step_weights, weights[:, t], atol=1e-5)


def test_the_seed_decides_the_weights_and_names_do_not_depend_on_earlier_models():
    models = []
    for seed in (1, 1, 2):
        keras.utils.set_random_seed(seed)
        models.append({weight.path: np.asarray(weight) for weight in Seq2Seq(ModelConfig(**SMALL)).trainable_weights})
    first, same, other = models
    assert first.keys() == same.keys() and len(first) == len(Seq2Seq(ModelConfig(**SMALL)).trainable_weights)
    assert all(np.array_equal(first[path], same[path]) for path in first)
    assert not all(np.array_equal(first[path], other[path]) for path in first)


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # Keras, with newer NumPys
def test_keras_saves_and_loads_the_model_in_its_own_file(tmp_path):
    config = ModelConfig(12, 13, "multi-head", "conditional", units=8, embedding_units=6, encoder_layers=2)
    model = Seq2Seq(config)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert loaded.config == config
    for one, other in zip(model(*BATCH), loaded(*BATCH), strict=True):
        np.testing.assert_array_equal(one, other)
    for name in ("from nmt_attention import", "import nmt_attention", "nmt_attention"):  # now, and in earlier versions
        assert keras.saving.get_registered_object(f"{name}>Seq2Seq") is Seq2Seq


def test_keras_exports_the_call_with_a_signature_and_what_it_cannot_do_names_what_to_use(tmp_path):
    model, path = Seq2Seq(ModelConfig(**SMALL)), tmp_path / "exported"
    for method, instead in (("fit", r"use train_model, or fit keras\.Model"), ("export", "the command `nmt-attention")):
        with pytest.raises(NotImplementedError, match=f"^Seq2Seq.{method}: {instead}"):
            getattr(model, method)(path)
    signature = [keras.InputSpec(shape=(None, None), dtype="int32", name=name) for name in ("source_ids", "target_in")]
    model.export(path, input_signature=signature, verbose=False)
    exported = tf.saved_model.load(path)  # the function does not keep the weights alive
    for one, other in zip(model(*BATCH), exported.serve(*map(tf.constant, BATCH)), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize(
    ("imported", "wish", "wrong"),
    [(None, None, None), (None, "jax", "jax"), ("torch", "tensorflow", "torch"), ("tensorflow", "jax", None)],
)
def test_another_backend_of_keras_is_an_error_and_no_wish_is_overruled(monkeypatch, imported, wish, wrong):
    module = imported and SimpleNamespace(config=SimpleNamespace(backend=lambda: imported))
    monkeypatch.setitem(sys.modules, "keras", module)
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    if wish:
        monkeypatch.setenv("KERAS_BACKEND", wish)
    how = f"^nmt_attention needs Keras with the backend tensorflow, but it is {wrong}: set KERAS_BACKEND=tensorflow"
    with pytest.raises(ImportError, match=how) if wrong else contextlib.nullcontext():
        nmt_attention.check_backend()
    assert os.environ.get("KERAS_BACKEND") == (wish or "tensorflow")


def test_the_summary_lists_every_weight_and_their_sum():
    model, lines = Seq2Seq(ModelConfig(12, 13, units=8, embedding_units=6)), []
    model.summary(print_fn=lines.append)
    counts = [int(line.split()[-1].replace(",", "")) for line in lines]
    assert len(lines) == len(model.trainable_weights) + 1 and sum(counts[:-1]) == counts[-1] == model.count_params()
    assert re.search(r"encoder/embedding/embeddings +12 × 6 +72$", lines[0])
