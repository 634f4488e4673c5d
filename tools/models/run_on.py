"""Pairs as people type them on a phone: two sentences in a row without a mark between them, or one without its commas.

python -m tools.models.run_on --output runs/run_on.tsv

The target keeps its marks, so that a model learns where a sentence ends from its words.
"""

import argparse
import random
import re
from collections.abc import Sequence
from pathlib import Path

from nmt_attention.corpus import Pair
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs, write_pairs

RUN_ONS, WITHOUT_COMMAS = 16_000, 4_000  # pairs
MOST_WORDS = 8  # of each of two sentences in a row
_MARK = re.compile(r"[.!?]+$")


def run_on(first: Pair, second: Pair) -> Pair:
    """Returns two pairs as one, whose source has small letters and no mark between the sentences."""
    source = f"{_MARK.sub('', first.source)} {second.source}".lower().replace(",", "")
    return Pair(source, f"{first.target} {second.target}")


def make(pairs: Sequence[Pair], seed: int = 1) -> list[Pair]:
    """Returns run-ons of pairs drawn at random, and pairs with commas whose source has none."""
    draw = random.Random(seed)
    short = [pair for pair in pairs if len(pair.source.split()) <= MOST_WORDS and _MARK.search(pair.source)]
    commas = [pair for pair in pairs if "," in pair.source]
    run_ons = [run_on(*draw.sample(short, 2)) for _ in range(RUN_ONS)]
    without = draw.sample(commas, min(WITHOUT_COMMAS, len(commas)))
    return run_ons + [pair._replace(source=pair.source.replace(",", "")) for pair in without]


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes the file, from `data/talk.tsv`."""
    parser = argparse.ArgumentParser(prog="python -m tools.models.run_on", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="pairs to write, for train --extra")
    output = parser.parse_args(arguments).output
    pairs = make(read_pairs(DATA_DIRECTORY / "talk.tsv"))
    write_pairs(output, pairs)
    print(f"{output}: {len(pairs):,} pairs")


if __name__ == "__main__":
    main()
