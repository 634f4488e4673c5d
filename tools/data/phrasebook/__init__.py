"""Composes the embedded corpus, `data/phrasebook.tsv`: `python -m tools.data.phrasebook`."""
