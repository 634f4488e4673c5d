"""Code of lessons runs here without their first cell, which imports `set_up`."""

import warnings

import pytest


@pytest.fixture(autouse=True)
def as_after_the_first_cell():
    warnings.filterwarnings("ignore", "Layer .* was passed an input with a mask", UserWarning)
