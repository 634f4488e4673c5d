"""What each training technique adds to a preset: the preset with and without it, scored on dev alone.

python -m tools.ablations

The test split is for the systems of the table of results, not for choosing between them. What was measured and then
left out of the package stays in the output under "left_out", with the commit that can measure it again.
"""

import argparse
import json
import shlex
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import write_json
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.runs.settings import PRESETS
from tools import processes

BASELINE = "baseline"
BARE = "--no-lexical"  # the table of results compares the quick preset with and without a lexical model
ALONE = f"{BARE} --concatenation 0"  # which both presets have above 0
VARIANTS = {  # name: options of `train` besides the preset's
    BASELINE: ALONE,
    "concatenation": BARE,
    "concatenation-phrasebook": f"{BARE} --extra phrasebook",
    "scheduled-sampling": f"{ALONE} --scheduled-sampling 0.2",
    **{f"vocabulary-{size}": f"{ALONE} --vocabulary-size {size}" for size in (1000, 2000, 8000)},  # usual: 4000
}
SEEDS = 1, 2


def make_ablations(variants: Sequence[str], preset: str, runs: Path, output: Path) -> dict[str, Any]:
    """Trains every variant of a preset with every seed and writes their dev scores, those so far after each training.

    A finished training is not repeated, so that an interrupted call resumes where it stopped. All variants have the
    first seed before any has the second.

    Args:
        variants: names from `VARIANTS`.
        preset: "quick" or "full".
        runs: directory of the runs.
        output: the JSON file to write.

    Returns:
        Dict, as in `output`.

    Raises:
        ValueError: an unknown variant.
        RuntimeError: a training failed; its own message has been shown.
    """
    if unknown := set(variants) - set(VARIANTS):
        raise ValueError(f"no such variant: {', '.join(sorted(unknown))}; variants are {', '.join(VARIANTS)}")
    about: dict[str, Any] = {
        "machine": processes.describe_machine(),
        "corpus": f"{len(read_pairs(find_corpus())):,} pairs",
    }
    jobs = [(variant, seed) for seed in SEEDS for variant in variants]
    if output.exists() and (left_out := json.loads(output.read_text(encoding="utf-8")).get("left_out")):
        about["left_out"] = left_out
    result, rows = {}, []
    for row in processes.one_per_core(lambda job: _measure(*job, preset, runs), jobs):
        rows.append(row)
        result = {**about, "preset": preset, "variants": [_mean(name, rows) for name in _names(rows)]}
        write_json(output, result)
    return result


def _measure(variant: str, seed: int, preset: str, runs: Path) -> dict[str, Any]:
    """Trains a variant with a seed if need be, and returns its command and dev scores."""
    run = runs / f"{preset}-{variant}-{seed}"
    options = shlex.split(f"--preset {preset} --seed {seed} {VARIANTS[variant]}")
    trained = processes.train(run, options)
    return {
        "name": variant,
        "seed": seed,
        "train": " ".join(["train --run", str(run), *options]),
        "minutes": trained["training_minutes"],
        "bleu": trained["dev"]["bleu"],
        "chrf": trained["dev"]["chrf"],
    }


def _names(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["name"] for row in rows))


def _mean(name: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns a variant's means over its seeds, and its mean gain over the baseline with the same seeds."""
    seeds = [row for row in rows if row["name"] == name]
    baseline = {row["seed"]: row for row in rows if row["name"] == BASELINE}
    mean: dict[str, Any] = {"name": name, "seeds": seeds}
    for score in ("minutes", "bleu", "chrf"):
        mean[score] = statistics.fmean(row[score] for row in seeds)
    for score in ("bleu", "chrf"):
        gains = [row[score] - baseline[row["seed"]][score] for row in seeds if row["seed"] in baseline]
        mean[f"{score}_gain"] = statistics.fmean(gains) if gains else None
    return mean


def to_markdown(result: dict[str, Any]) -> str:
    """Returns the dev scores as a Markdown table."""
    lines = ["| variant | dev BLEU | gain | dev chrF | gain | minutes |", "| --- | --- | --- | --- | --- | --- |"]
    for row in [*result["variants"], *result.get("left_out", {}).get("variants", [])]:
        cells = [row["name"]]
        for score in ("bleu", "chrf"):
            gain = row[f"{score}_gain"]
            cells += [f"{row[score]:.1f}", "–" if gain is None or row["name"] == BASELINE else f"{gain:+.1f}"]
        lines.append(f"| {' | '.join(cells)} | {row['minutes']:.1f} |")
    return "\n".join([*lines, ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table; an error ends the process with one line and status 1."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.ablations",
        description="Train variants of a preset and score them on dev. Finished runs are skipped.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), metavar="VARIANT", help="what to train")
    parser.add_argument("--preset", choices=PRESETS, default="quick", help="settings that all variants start from")
    parser.add_argument("--runs", type=Path, default=Path("runs/ablations"), metavar="DIRECTORY", help="where runs are")
    parser.add_argument(
        "--output", type=Path, default=Path("data/ablations.json"), metavar="FILE", help="JSON to write"
    )
    options = parser.parse_args(arguments)
    try:
        print(to_markdown(make_ablations(options.variants, options.preset, options.runs, options.output)), end="")
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"ablations: {error}")


if __name__ == "__main__":
    main()
