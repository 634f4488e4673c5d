"""Measures how fast training and translation are.

python -m tools.measure.benchmark --size 256 --run runs/mine
"""

import argparse
import json
import sys
from pathlib import Path

from nmt_attention.disk.fetch import find_corpus

from .bench import SIZES, run_benchmark, to_table


def main(arguments=None):
    """Prints what was measured; an error ends the process with one line and status 1."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.measure.benchmark",
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--size", choices=(*SIZES, "both"), default="both", help="units of the models")
    parser.add_argument("--rounds", type=int, default=5, help="number of measurement rounds")
    parser.add_argument("--corpus", metavar="FILE", help="sentence pairs to train on, found as train finds them")
    parser.add_argument("--run", type=Path, metavar="DIRECTORY", help="a trained model to translate with")
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    options = parser.parse_args(arguments)
    sizes = list(SIZES) if options.size == "both" else [options.size]
    try:
        result = run_benchmark(find_corpus(options.corpus), sizes, options.rounds, options.run)
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"benchmark: {error}")
    print(json.dumps(result, ensure_ascii=False) if options.json else to_table(result))


if __name__ == "__main__":
    main()
