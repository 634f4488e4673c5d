"""The transliterator that comes with the package: its scores are those that it was stored with."""

import json

import numpy as np
import pytest

from nmt_attention.config import TrainConfig
from nmt_attention.names.lists import KINDS, Name, held_out, read_names
from nmt_attention.names.ready import DIRECTORY, load_transliterator
from nmt_attention.names.transliterator import Transliterator
from nmt_attention.translate import Translator
from tools.transliterator import score, train


def test_the_stored_scores_are_those_of_the_stored_model():
    stored = json.loads((DIRECTORY / "scores.json").read_text(encoding="utf-8"))
    found = score(load_transliterator(), [name for name in read_names() if held_out(name)])
    assert list(stored) == list(found) == [*KINDS, "all"]
    for kind, row in stored.items():
        assert found[kind] == pytest.approx(row, abs=1), kind  # another processor may decide a near tie otherwise


NAMES = [
    Name("Tom", "टॉम", "m"),
    Name("Mary", "मेरी", "f"),
    Name("Boston", "बॉस्टन", "place"),
    Name("bus", "बस", "word"),
]
TRAINING = TrainConfig(epochs=40, batch_size=2, learning_rate=1e-2, warmup_steps=10, precision="float32")


def test_a_small_model_learns_to_write_what_it_is_shown():
    model, source, target = train(NAMES, TRAINING)
    transliterator = Transliterator(Translator(model, source, target), {}, beam_size=1)
    found = [t[:3] for t in transliterator.transliterate([name.english for name in NAMES])]
    assert found == [(name.english, name.marathi, name.kind) for name in NAMES]


@pytest.mark.marathon
def test_two_trainings_give_the_same_weights():
    first, second = (train(NAMES, TRAINING)[0] for _ in range(2))
    for weights, again in zip(first.get_weights(), second.get_weights(), strict=True):
        np.testing.assert_array_equal(weights, again)
