"""What counts as borrowed from the package in a learner's answer."""

import pytest

from nmt_attention import borrowed

GIVEN = """
import functools, importlib
import numpy as np, tensorflow as tf
import nmt_attention
from nmt_attention import START_ID, Encoder
"""
BORROWED = {
    "import": "def answer():\n    from nmt_attention import Encoder\n    return Encoder",
    "module": "def answer():\n    return nmt_attention.Encoder",
    "by its name": "def answer():\n    return importlib.import_module('nmt_attention.encoder')",
    "itself": "answer = Encoder",
    "base": "class answer(Encoder):\n    pass",
    "method": "class answer:\n    def part(self):\n        return Encoder",
    "helper": "def helper():\n    return Encoder\n\ndef answer():\n    return helper()",
    "inner": "def answer():\n    return [(lambda: Encoder)() for _ in range(2)]",
    "container": "parts = {1: [Encoder]}\n\ndef answer():\n    return parts[1]",
    "default": "def answer(part=Encoder):\n    return part",
    "closure": "def make(part):\n    return lambda: part\n\nanswer = make(Encoder)",
    "partial": "answer = functools.partial(Encoder, 9)",
    "graph": "@tf.function\ndef answer():\n    return Encoder",
}
OWN = "def other():\n    return Encoder\n\ndef answer(x):\n    return np.exp(x) + START_ID"


@pytest.mark.parametrize("kind", BORROWED)
def test_a_part_is_found_wherever_an_answer_takes_it_from_and_may_be_allowed(kind):
    exec(GIVEN + BORROWED[kind], names := {})
    assert borrowed(names["answer"]) == ("nmt_attention" if kind == "by its name" else "Encoder")
    assert kind == "by its name" or borrowed(names["answer"], "Encoder") == ""


def test_numbers_libraries_and_what_is_not_used_are_free():
    exec(GIVEN + OWN, names := {})
    assert borrowed(names["answer"]) == ""
