"""The numbers of the lessons' first examples, for pages that show their widgets without running a lesson."""

from typing import Any

import numpy as np

from ...figures.trace import trace_beam
from ...translate import Translation
from ...vocabulary import SPECIAL_TOKENS
from .attention import attention_widget
from .beam import beam_widget
from .bugs import bugs_widget
from .predict import predict_widget
from .widget import Widget

QUERY = [10.0, 5.0, 10.0]
VALUES = [[0.0, 1.0, 1.0], [5.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 5.0, 1.0]]
FOLLOWERS = {
    "<start>": {"मुलगी": 0.6, "ती": 0.4},
    "मुलगी": {"वाचते": 0.4, "गाते": 0.35, "<end>": 0.25},
    "ती": {"वाचते": 0.9, "गाते": 0.1},
    "वाचते": {"<end>": 0.9, "गाते": 0.1},
    "गाते": {"<end>": 0.9, "वाचते": 0.1},
}
REVERSED = Translation("the cat", "eht▁tac", list("the▁cat"), list("eht▁tac"), np.eye(7)[[2, 1, 0, 3, 6, 5, 4]], 0.0)
SOURCE = ["vijay", "is", "opening", "a", "cupboard", "<pad>", "<pad>"]
TARGET = ["विजय vijay", "कपाट kapāṭ", "उघडत ughḍat", "आहे āhe", "<end>"]
SCORES = [
    [3, 1, 0, 0, 1, 1, 1],
    [0, 0, 1, 2, 3, 1, 1],
    [0, 1, 3, 0, 1, 1, 1],
    [0, 3, 1, 0, 0, 1, 1],
    [1, 1, 1, 1, 2, 1, 1],
]
VECTORS = [[2, 0], [0, 2], [2, 2], [1, 1], [4, 0], [-2, -2], [-2, -2]]


def opening_widgets() -> dict[str, Widget]:
    """Returns, by the number at the start of the lesson's file name, the widgets that need no trained model.

    Lesson 3 opens with a shorter query than its text has, whose weights are not all next to 0 or 1.
    """
    by_hand = attention_widget([x / 10 for x in QUERY], VALUES, ["h₁", "h₂", "h₃", "h₄"])
    invitation = "<p><b>Drag a dot</b>, or move it with the arrow keys: which of the four words wins?</p>"
    return {
        "03": by_hand._replace(html=invitation + by_hand.html),
        "06": predict_widget(REVERSED),
        "07": beam_widget(_search_table()),
        "08b": bugs_widget(SCORES, VECTORS, SOURCE, TARGET),
    }


def _search_table() -> list[Any]:
    vocabulary = [*SPECIAL_TOKENS, "मुलगी", "ती", "वाचते", "गाते"]
    table = np.array([[FOLLOWERS.get(a, {}).get(b, 0.0) for b in vocabulary] for a in vocabulary])  # (V, V)

    def step(token_ids: np.ndarray, state: Any) -> tuple[Any, Any, Any]:
        with np.errstate(divide="ignore"):
            return np.log(table[token_ids]), state, None

    return trace_beam(step, None, limit=3, beam_size=2, vocabulary=vocabulary, alpha=0.0)
