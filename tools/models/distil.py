"""What several trained models agree on for the training sentences: a corpus to teach one model what all of them know.

python -m tools.models.distil --output runs/distilled.tsv runs/results/full-1 runs/results/full-2 runs/results/full-3

The model that comes with the package, which was taught in the same way, is one more teacher of its own dev and test: a
second round.

Of all hypotheses in the teachers' beams, the one that most resembles the others is written: minimum Bayes risk under
their mean distribution. A model trained on it besides the corpus (`train --extra`) learns what its teachers share, and
is no larger and no slower than one of them.

Source: Kim & Rush 2016, arXiv:1606.07947 (sequence-level distillation); Freitag et al. 2017, arXiv:1702.01802 (from an
ensemble).
"""

import argparse
import itertools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nmt_attention.decoding.mbr import minimum_bayes_risk
from nmt_attention.disk.files import read_json
from nmt_attention.disk.pairs import read_pairs, write_pairs
from nmt_attention.runs.bundle import READY
from nmt_attention.runs.run_files import SPLIT_FILES, doubts
from nmt_attention.translate import Translator

BEAM_SIZE = 5
AT_A_TIME = 2048  # sentences, whose hypotheses are in memory together


def distil(runs: Sequence[Path], output: Path) -> int:
    """Writes every training sentence of the corpus with the `consensus` of the teachers.

    Args:
        runs: directories of the teachers, trained on the same split; if it is that of the model in `READY`, this is one
            more teacher.
        output: the file to write, tab-separated.

    Returns:
        The number of pairs.

    Raises:
        FileNotFoundError, ValueError: as `Translator.load`; a run's files are not those of its training, or its dev and
            test are not those of the first run, so that one could teach what another must not see.
    """
    held_out = [_held_out(read_json(run / "run.json")) for run in runs]
    for run, its_own in zip(runs, held_out, strict=True):
        if found := doubts(run, SPLIT_FILES):
            raise ValueError(f"{run}: {'; '.join(found)}")
        if its_own != held_out[0]:
            raise ValueError(f"{run}: dev and test are not those of {runs[0]}")
    more = [READY] * (_held_out(read_json(READY / "scores.json")["training"]) == held_out[0])
    sources = [pair.source for pair in read_pairs(runs[0] / "train.tsv")]
    sources = sources[: len(sources) - sum(read_json(runs[0] / "run.json")["extra"].values())]  # they come last
    teachers = [Translator.load(run) for run in (*runs, *more)]
    sources, pairs = list(dict.fromkeys(sources)), []
    for start in range(0, len(sources), AT_A_TIME):
        some = sources[start : start + AT_A_TIME]
        pairs += [(source, text) for source, text in zip(some, consensus(teachers, some), strict=True) if text]
    write_pairs(output, pairs)
    return len(pairs)


def _held_out(about: Mapping[str, Any]) -> list[str | None]:
    return [about["split_sha256"].get(name) for name in SPLIT_FILES[1:]]


def consensus(teachers: Sequence[Translator], sources: Sequence[str]) -> list[str]:
    """Returns for each sentence, of all hypotheses in the teachers' beams, the one that most resembles the others."""
    found = []
    for beams in zip(*(teacher.n_best(sources, beam_size=BEAM_SIZE) for teacher in teachers), strict=True):
        powers = [np.exp([translation.score - beam[0].score for translation in beam]) for beam in beams]
        probabilities = np.concatenate([power / power.sum() / len(beams) for power in powers])
        found.append(minimum_bayes_risk(list(itertools.chain(*beams)), probabilities)[0].text)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes the file; an error ends the process with one line and status 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.models.distil", description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run directory of a teacher")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="pairs to write, for train --extra")
    options = parser.parse_args(arguments)
    try:
        print(f"{options.output}: {distil(options.runs, options.output):,} pairs")
    except (OSError, ValueError) as error:
        sys.exit(f"distil: {error}")


if __name__ == "__main__":
    main()
