"""What a minute of training buys: the quality of several choices of settings against the minutes of their steps.

ONEDNN_MAX_CPU_ISA=AVX2 python -m tools.measure.minutes --docs docs/speed.md --figure docs/minutes.png

The steps of all choices are timed in turns in one process, in float32 with all cores. The trainings are those of
`train`, one per core; how long they take is not looked at, so other work may run beside them.
"""

import argparse
import itertools
import shlex
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import atomic_write, read_json
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.figures.heatmap import save_figure
from nmt_attention.figures.palette import of_systems
from nmt_attention.runs.settings import DataConfig, make_config
from tools.measure import processes
from tools.measure.results import EQUAL
from tools.measure.results_table import around_table

SHORT = "--epochs 4 --learning-rate 4e-3 --dropout 0.1 --sampled 0.1 --units 256 --embedding-units 256"
CHOICES = {  # options of `train`, and what a row says of them, by the name of the run
    "256-full": (EQUAL, "256 units, full softmax, 6 epochs"),
    "256": (SHORT, "256 units, a tenth of the softmax, 4 epochs"),
    "256-dropout": (f"{SHORT} --dropout 0.2", "… dropout 0.2 instead of 0.1"),
    "256-unchained": (f"{SHORT} --concatenation 0", "… no chains of sentences"),
    "192": ("--epochs 5", "192 units, a tenth of the softmax, 5 epochs"),
    "192-rate": ("--epochs 5 --learning-rate 6e-3", "… learning rate 6e-3 instead of 4e-3"),
    "quick": ("", "… 6 epochs: the quick preset"),
    "full": ("--preset full", "384 units, a fifth of the softmax, 10 epochs: the full preset"),
}
ROUNDS, STEPS = 5, 24  # of one choice at a time


class Row(NamedTuple):
    """A choice, what it costs and what it brings."""

    name: str
    steps: int
    milliseconds: float  # of a step, the median of all rounds
    dev: dict[str, float]
    test: dict[str, float]

    @property
    def minutes(self) -> float:
        """The minutes of all steps."""
        return self.steps * self.milliseconds / 60_000


def measure(runs: Path) -> list[Row]:
    """Trains what is not trained yet, times the steps, and returns a row for each choice.

    Raises:
        RuntimeError: a training failed; its own message has been shown.
    """

    def train(name: str) -> Path:
        processes.train(runs / name, [*shlex.split(CHOICES[name][0]), "--extra", "phrasebook"])
        return runs / name

    trained = list(processes.one_per_core(train, CHOICES))
    scores = [read_json(run / "scores.json") for run in trained]
    return [
        Row(name, steps, 1000 * seconds, of_run["dev"], of_run["test"])
        for (_, name), of_run, (steps, seconds) in zip(CHOICES.values(), scores, time_steps(trained), strict=True)
    ]


def time_steps(runs: list[Path]) -> list[tuple[int, float]]:
    """Returns for each run how many steps it trained for, and the median seconds of one, measured in turns."""
    from nmt_attention.model import Seq2Seq
    from nmt_attention.runs.data import make_corpus, prepare
    from nmt_attention.runs.distribute import make_replicated_step
    from nmt_attention.train import make_optimizer

    pairs, extra = read_pairs(find_corpus()), {"phrasebook": read_pairs(find_corpus("phrasebook"))}
    prepared, workloads = {}, []
    for run in runs:
        settings = read_json(run / "run.json")["settings"]
        data, config = make_config(DataConfig, settings), make_config(TrainConfig, settings)
        if data not in prepared:
            prepared[data] = prepare(make_corpus(pairs, settings, extra), data, config)
        of_run = prepared[data]
        model = Seq2Seq(make_config(ModelConfig, settings, **of_run.vocabulary_sizes))
        steps = of_run.steps(config)
        step = make_replicated_step(model, make_optimizer(model, steps, config), config)
        batches = list(itertools.islice(of_run.batches(0, data, config), STEPS))
        workloads.append((steps * config.epochs, step, batches, []))
    for number in range(ROUNDS + 1):
        for _, step, batches, seconds in workloads:
            started = time.perf_counter()
            for batch in batches:
                results = step(*batch)
            float(results[0])  # waits until it is done
            if number:  # the first traces
                seconds.append((time.perf_counter() - started) / len(batches))
    return [(steps, statistics.median(seconds)) for steps, _, _, seconds in workloads]


def to_table(rows: list[Row]) -> str:
    """Returns the rows as Markdown."""
    lines = ["| choice | steps | ms per step | minutes | dev BLEU / chrF | test BLEU / chrF |", "|" + " --- |" * 6]
    for row in rows:
        scores = (f"{scores['bleu']:.1f} / {scores['chrf']:.1f}" for scores in (row.dev, row.test))
        cells = (row.name, f"{row.steps:,}", f"{row.milliseconds:.0f}", f"{row.minutes:.1f}", *scores)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{processes.describe_machine()}, float32; seed 1.", ""])


def draw(rows: list[Row]) -> Figure:
    """Draws dev BLEU against minutes, a point for each choice."""
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.add_subplot(xlabel="minutes of training steps", ylabel="dev BLEU")
    points = "; ".join(f"{row.name} {row.dev['bleu']:.1f} after {row.minutes:.1f}" for row in rows)
    figure.set_label(f"Dev BLEU against minutes of training: {points}.")
    for place, (row, color) in enumerate(zip(rows, of_systems(row.name for row in rows), strict=True)):
        axes.plot(row.minutes, row.dev["bleu"], "os^Dv<>P"[place % 8], color=color, label=row.name)
    axes.set_xlim(0, None)
    axes.legend(fontsize=8, frameon=False)
    return figure


def main(arguments: list[str] | None = None) -> None:
    """Prints the table; an error ends the process with one line and status 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure.minutes", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=Path, default=Path("runs/minutes"), metavar="DIRECTORY", help="where runs are")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="Markdown file to put the table into")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="image to draw")
    options = parser.parse_args(arguments)
    try:
        before, _, after = around_table(options.docs, ["minutes"]) if options.docs else ("", "", "")
        rows = measure(options.runs)
        table = to_table(rows)
        if options.docs:
            with atomic_write(options.docs) as partial:
                partial.write_text(before + table + after, encoding="utf-8", newline="\n")
        if options.figure:
            save_figure(draw(rows), options.figure)
        print(table, end="")
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"minutes: {error}")


if __name__ == "__main__":
    main()
