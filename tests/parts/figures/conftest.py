"""What several figures' tests share."""

import types

import matplotlib
import numpy as np
import pytest

from nmt_attention.figures import fonts
from nmt_attention.translate import Translation


@pytest.fixture
def translation():
    """A translation with random attention."""
    source, target = (
        ["dad", "bought", "me", "a", "camera", "."],
        ["बाबांनी", "मला", "कॅमेरा", "विकत", "घेतला", ".", "<end>"],
    )
    attention = np.random.default_rng(0).dirichlet(np.ones(6), size=7).astype(np.float32)
    return Translation("dad bought me a camera.", "बाबांनी मला कॅमेरा विकत घेतला.", source, target, attention, -1.0)


@pytest.fixture
def older_matplotlib(monkeypatch):
    """A matplotlib that cannot shape, and leaves letters to a browser, as `lesson.set_up_figures` asks for."""
    older = types.SimpleNamespace(__version__="3.10.0", rcParams={"svg.fonttype": "none"})
    monkeypatch.setattr(fonts, "matplotlib", older)
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")


@pytest.fixture
def assert_readable():
    """A function that checks that texts lie within their figure and none over another; returns their boxes."""

    def check(figure, texts):
        figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in texts if text.get_text()]
        for i, box in enumerate(boxes):
            assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
            assert not any(box.overlaps(other) for other in boxes[i + 1 :])
        return boxes

    return check
