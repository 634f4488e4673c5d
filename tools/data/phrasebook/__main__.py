"""Writes the embedded corpus: `python -m tools.data.phrasebook [PATH]`, by default to `data/phrasebook.tsv`."""

import argparse

from .compose import write_phrasebook

parser = argparse.ArgumentParser(prog="python -m tools.data.phrasebook", description="Writes the embedded corpus.")
parser.add_argument("path", nargs="?", help="file to write; data/phrasebook.tsv by default")
path = parser.parse_args().path
print(write_phrasebook(*([path] if path else [])))
