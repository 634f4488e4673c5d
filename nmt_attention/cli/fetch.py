"""The `fetch` command."""

import argparse

from .common import named_as_options


def run(options: argparse.Namespace) -> None:
    """Downloads a corpus and prints where it is."""
    from ..disk.fetch import download_anki
    from ..disk.pairs import read_pairs

    with named_as_options(["language"]):
        path = download_anki(options.language)
    print(f"{path}: {len(read_pairs(path)):,} pairs")
