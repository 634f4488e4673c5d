"""Writes the embedded corpus: `python -m tools.phrasebook [PATH]`, by default to `data/phrasebook.tsv`."""

import sys

from .compose import write_phrasebook

print(write_phrasebook(*sys.argv[1:2]))
