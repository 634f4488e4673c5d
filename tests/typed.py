"""What people type beside plain words, kind by kind; `typed.tsv` says what its columns are."""

from pathlib import Path

from nmt_attention.preprocess.rules import read_sections

_ROWS, _ = read_sections(Path(__file__).with_name("typed.tsv"))
LETTERS, NUMBERS, ENTITIES = (_ROWS[name] for name in ("letters", "numbers", "entities"))
FULL_NAMES, LISTS = ([(row[0], row[1:]) for row in _ROWS[name]] for name in ("fullNames", "lists"))
COPIED, NOT_COPIED = ([row[0] for row in _ROWS[name]] for name in ("copied", "notCopied"))
