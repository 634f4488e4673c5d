"""Training with Keras' `fit`, as lesson 6 shows it, against the package's own step."""

import dataclasses
import json
from pathlib import Path

import keras
import numpy as np
import pytest

from nmt_attention import CharacterTokenizer, ModelConfig, Seq2Seq, TrainConfig, make_dataset
from nmt_attention.train import make_optimizer, make_train_step

LESSON = Path(__file__).parents[2] / "notebooks" / "06_word_reversal.ipynb"
TEXTS = ["ab", "abc a", "c b"]  # some letters more than once
TOKENIZER = CharacterTokenizer.learn(TEXTS, 20)


def make_model(attention):
    keras.utils.set_random_seed(1)
    sizes = {"units": 8, "embedding_units": 8, "bidirectional": False, "dropout": 0.0}
    return Seq2Seq(ModelConfig(len(TOKENIZER), len(TOKENIZER), attention=attention, **sizes))


def batches(texts):
    return make_dataset(TOKENIZER.encode_all(texts), TOKENIZER.encode_all([text[::-1] for text in texts]), 64)


def test_a_step_of_lesson_6_s_fit_is_a_step_of_the_package():
    """The same loss, and the same weights, moments and step count after one batch, with a gradient that is clipped."""
    cells = json.loads(LESSON.read_text(encoding="utf-8"))["cells"]
    (source,) = ("".join(cell["source"]) for cell in cells if cell["id"] == "fit")
    assert source.count("epochs=100") == 2  # of the configuration, and of `fit`
    names = {"keras": keras, "TrainConfig": TrainConfig}
    names |= {"make_model": make_model, "batches": batches, "passes": [TEXTS, ["a cb"]]}
    exec(source.replace("epochs=100", "epochs=1").replace("epochs=1,", "epochs=1, clip_norm=0.01,", 1), names)

    model, config = make_model("bahdanau"), dataclasses.replace(names["config"], label_smoothing=0.0)
    optimizer = make_optimizer(model, 1, config)
    nll, tokens, norm = make_train_step(model, optimizer, config)(*next(iter(batches(TEXTS))))
    assert norm > 10 * config.clip_norm
    assert names["history"]["loss"] == pytest.approx([float(nll / tokens)], rel=1e-5)
    for one, other in zip(names["fitted"].get_weights(), model.get_weights(), strict=True):
        assert np.allclose(one, other, atol=1e-5)
    for one, other in zip(names["fitted"].optimizer.variables, optimizer.variables, strict=True):
        assert np.allclose(one, other, atol=1e-6), one.path
