"""Generators of files in `data/`."""
