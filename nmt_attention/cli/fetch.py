"""The `fetch` command."""

import argparse

from ..disk.fetch import download_anki
from ..disk.pairs import read_pairs
from .common import named_as_options
from .console import say


def run(options: argparse.Namespace) -> None:
    """Downloads a corpus and prints where it is."""
    with named_as_options(["language"]):
        path = download_anki(options.language)
    say(f"{path}: {len(read_pairs(path)):,} pairs")
