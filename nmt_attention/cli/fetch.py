"""The `fetch` command."""

import argparse

from .options import add_command, named_as_options


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers, "fetch", run, "download a corpus of sentence pairs from www.manythings.org/anki", "--language mar"
    )
    parser.add_argument("--language", default="mar", help="three-letter code of an Anki language")


def run(options: argparse.Namespace) -> None:
    """Downloads a corpus and prints where it is."""
    from ..disk.fetch import download_anki
    from ..disk.pairs import read_pairs

    with named_as_options(["language"]):
        path = download_anki(options.language)
    print(f"{path}: {len(read_pairs(path)):,} pairs")
