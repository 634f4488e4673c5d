"""Measures how fast training and translation are, or how the start of a training scales with the corpus.

python -m tools.benchmark --size 256 --run runs/mine
python -m tools.benchmark --scaling docs/scaling.json
"""

import argparse
import json
import sys
from pathlib import Path

from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import write_json
from nmt_attention.figures.curves import plot_scaling
from nmt_attention.figures.heatmap import save_figure

from . import scaling
from .bench import SIZES, run_benchmark, to_table


def main(arguments=None):
    """Prints what was measured; an error ends the process with one line and status 1."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.benchmark",
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--size", choices=(*SIZES, "both"), default="both", help="units of the models")
    parser.add_argument("--rounds", type=int, default=5, help="number of measurement rounds")
    parser.add_argument("--corpus", metavar="FILE", help="sentence pairs to train on, found as train finds them")
    parser.add_argument("--run", type=Path, metavar="DIRECTORY", help="a trained model to translate with")
    parser.add_argument(
        "--scaling",
        type=Path,
        metavar="FILE",
        help="measure instead how long a training takes to start, on up to a million synthetic pairs; the points are "
        "written to this .json file and drawn in the .png of the same name",
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    options = parser.parse_args(arguments)
    try:
        if options.scaling:
            result, table = _measure_scaling(options), scaling.to_table
        else:
            sizes = list(SIZES) if options.size == "both" else [options.size]
            result, table = run_benchmark(find_corpus(options.corpus), sizes, options.rounds, options.run), to_table
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"benchmark: {error}")
    print(json.dumps(result, ensure_ascii=False) if options.json else table(result))


def _measure_scaling(options):
    path = options.scaling
    if path.suffix != ".json":
        raise ValueError(f"{path}: expected a file name that ends in .json")
    if options.run:
        raise ValueError("--scaling and --run do not go together")
    path.parent.mkdir(parents=True, exist_ok=True)
    points = scaling.measure_scaling(scaling.PAIRS)
    write_json(path, points)
    save_figure(plot_scaling(points), path.with_suffix(".png"))
    return points


if __name__ == "__main__":
    main()
