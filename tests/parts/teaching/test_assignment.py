"""The assignment's holes."""

import re

from tools.teaching import autograde, course, hidden_checks

NOTEBOOK = course.read(course.ASSIGNMENT)
CODE = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code"]
HOLES = {hole.name: hole for hole in autograde.exercises(NOTEBOOK)}


def test_each_hole_says_what_comes_in_and_goes_out():
    assert len(HOLES) == 8 and HOLES.keys() <= hidden_checks.CHECKS.keys()
    for number, hole in enumerate(HOLES.values(), 1):
        assert hole.text.startswith(f"**A.{number} ") and "*In:*" in hole.text and "*Out:*" in hole.text


def test_the_package_s_own_parts_are_not_at_hand():
    """Only checks import them, so that a learner writes a hole and does not look it up."""
    for name in ("masked_softmax", "Encoder", "BahdanauAttention", "cross_entropy", "greedy_search"):
        first = next(cell for cell in CODE if re.search(rf"import .*\b{name}\b", cell.source))
        assert course.is_check(first)
