"""Weights that lessons copy from one implementation to another."""

from pathlib import Path

import nbformat
import numpy as np
import tensorflow as tf

from nmt_attention import ModelConfig, Seq2Seq
from nmt_attention.lesson.by_hand import copy_weights

LESSON = Path(__file__).parents[2] / "notebooks" / "04_bahdanau_attention.ipynb"


def test_lesson_4s_model_with_the_packages_weights_computes_the_same():
    names = {}
    for cell in nbformat.read(LESSON, 4).cells:
        if "needed" in cell.metadata.get("tags", []) or cell.source.startswith("class "):
            exec(compile(cell.source, LESSON.name, "exec"), names)
    ours, package = names["Seq2Seq"](50, 60, 16, 8), Seq2Seq(ModelConfig(50, 60, embedding_units=16, units=8))
    source_ids, target_in = tf.constant([[5, 6, 7, 4], [8, 4, 0, 0]]), tf.constant([[1, 7, 8], [1, 9, 0]])
    before, _ = ours(source_ids, target_in)
    package(source_ids, target_in)
    package.set_weights([weight + 0.1 for weight in package.get_weights()])  # biases, too, are not 0
    wanted, wanted_weights = package(source_ids, target_in)
    copy_weights(ours, package)
    logits, weights = ours(source_ids, target_in)
    assert not np.allclose(before, wanted, atol=1e-3)
    assert np.allclose(logits, wanted, atol=1e-5) and np.allclose(weights, wanted_weights, atol=1e-6)
