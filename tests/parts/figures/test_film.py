"""Heatmaps one after another."""

import numpy as np
import pytest

from nmt_attention.figures.film import animate_attentions
from nmt_attention.translate import Translation

WEIGHTS = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])


@pytest.fixture
def films():
    shown = Translation("go home", "घरी जा", ["go", "home"], ["घरी", "जा", "<end>"], WEIGHTS, 0.0)
    return {"epoch 0": shown, "epoch 1": shown._replace(attention=WEIGHTS[::-1])}


def test_there_is_a_picture_for_each_heatmap_of_one_size_with_a_text_that_says_what_it_shows(films):
    animation = animate_attentions(films, seconds=0.5)
    first, second = (np.asarray(frame.convert("RGB")) for frame in animation.frames)
    assert first.shape == second.shape and not np.array_equal(first, second)
    assert animation.seconds == 0.5
    assert animation.captions == [
        "epoch 0: घरी looked most at go 0.90, जा at home 0.80",
        "epoch 1: घरी looked most at go 0.50, जा at home 0.80",
    ]
    with_end = animate_attentions(films, show_end=True)
    assert with_end.captions[1] == "epoch 1: घरी looked most at go 0.50, जा at home 0.80, <end> at go 0.90"


def test_nothing_to_show_and_other_tokens_are_refused(films):
    with pytest.raises(ValueError, match="translations: expected at least one"):
        animate_attentions({})
    films["epoch 2"] = films["epoch 0"]._replace(source_tokens=["go", "away"])
    with pytest.raises(ValueError, match="translations: 'epoch 2' has other tokens than the first"):
        animate_attentions(films)
