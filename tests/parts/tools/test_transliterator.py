"""The transliterator that comes with the package: its scores are those that it was stored with."""

import json

import pytest

from nmt_attention.names.lists import KINDS, held_out, read_names
from nmt_attention.names.ready import DIRECTORY, load_transliterator, without_held_out
from tools.models.transliterator import score


def test_the_stored_scores_are_those_of_the_stored_model():
    stored = json.loads((DIRECTORY / "scores.json").read_text(encoding="utf-8"))
    found = score(without_held_out(load_transliterator()), [name for name in read_names() if held_out(name)])
    assert list(stored) == list(found) == [*KINDS, "all"]
    for kind, row in stored.items():
        assert found[kind] == pytest.approx(row, abs=1), kind  # another processor may decide a near tie otherwise
