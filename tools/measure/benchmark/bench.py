"""Speed and memory of training and translation, compared with a textbook loop.

Every part works in a process of its own (`workers`) and does a round when it is told to (`workloads`). The parts take
turns, so that whatever else the machine does hits all of them, and medians of the rounds are compared.
"""

import contextlib
import dataclasses
import os
import statistics
import sys
from pathlib import Path
from typing import NamedTuple

from nmt_attention.disk.pairs import read_pairs
from nmt_attention.runs.gpu import lines_of
from nmt_attention.runs.machine import installed_versions, processor_name
from nmt_attention.runs.settings import DataConfig

from .workers import worker

OTHERS = {  # also trained, in the precision that training uses here: a name, and fields of its configurations
    "Luong, concat": {"decoder": "luong", "attention": "concat"},
    "conditional, general": {"decoder": "conditional", "attention": "general"},  # the presets', less the lexical model
    "a tenth of the softmax": {"sampled": 0.1},
}


class Size(NamedTuple):
    """A model and its batches.

    units, embedding_units: int. H and E, of this package's model and of the textbook's.
    batch_size: int. Sentences a step, of both.
    tokenizer, vocabulary_size: what this package's model reads and writes, None for all words as the textbook's model.
    batches: int. Steps of this package in a round.
    """

    units: int
    embedding_units: int
    batch_size: int
    tokenizer: str
    vocabulary_size: int | None
    batches: int


SIZES = {
    "256": Size(256, 256, 128, "subword", DataConfig.vocabulary_size, 24),
    "1024": Size(1024, 256, 64, "word", None, 16),  # the size of the lesson of 2019
}


def run_benchmark(corpus, sizes, rounds=5, run=None):
    """Measures training at each size, and translation with a trained model.

    Rates are medians of the rounds. The ratio compares sentences per second, because a subword and a word are not
    the same amount of text. The ratio holds what this package does better at the same work, and also that its model
    does less of it: no padding to speak of, and a narrow readout before the vocabulary.

    Args:
        corpus: path of a corpus file; see `read_pairs`.
        sizes: list of names in `SIZES`.
        rounds: int. How often every part is measured.
        run: a run directory, whose model translates sentences of its test split; None leaves translation out.

    Returns:
        Dict, ready for JSON: "machine" (what was measured on), "sizes" (a dict for each, see `compare_training`) and
        "translation" (see `measure_translation`, or None). Rates are per second, memory is in MiB.

    Raises:
        ValueError: `rounds` is below 1, or the corpus is smaller than a batch.
    """
    if rounds < 1:
        raise ValueError(f"rounds: expected at least 1, got {rounds}")
    machine = describe_machine()
    return {
        "machine": {**machine, "corpus": str(corpus), "pairs": len(read_pairs(corpus)), "rounds": rounds},
        "translation": None if run is None else measure_translation(run, rounds),  # first: it may name no model
        "sizes": [compare_training(name, SIZES[name], corpus, rounds) for name in sizes],
    }


def describe_machine():
    """Returns what speed depends on: processor, cores, how busy they are, versions."""
    return {
        "processor": processor_name(),
        "threads": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": installed_versions(("tensorflow", "tensorflow-cpu", "keras", "numpy")),
    }


def compare_training(name, size, corpus, rounds):
    """Measures this package's training step and the textbook loop's, in alternation.

    Returns:
        Dict: "name", "size", "used" (see `gpus_used`), "model" (this package's configuration) and "parts": a dict for
        each precision of this package, for each of `OTHERS` and for the "textbook", with "tokens_per_second" (real
        target tokens, END included), "repeats" (the same, of each round), "sentences_per_second" (of average length),
        "first_step_seconds" (tracing included), "peak_memory" and "parameters". All but the textbook's have "ratio" (to
        its sentences per second).
    """
    with contextlib.ExitStack() as stack:
        workloads = {}

        def start(part, workload, *arguments):
            print(f"size {name}: starting {part}", file=sys.stderr)
            about, do_round = stack.enter_context(worker(workload, *arguments))
            workloads[part] = about, do_round, []
            return about

        about = start("float32", "train_package", corpus, size, "float32")
        precisions = list(dict.fromkeys(["float32", about["precision"]]))
        for precision in precisions[1:]:
            start(precision, "train_package", corpus, size, precision)
        for other, fields in OTHERS.items():
            start(other, "train_package", corpus, size, precisions[-1], fields)
        start("textbook", "train_textbook", corpus, size)
        for number in range(rounds):
            print(f"size {name}: round {number + 1} of {rounds}", file=sys.stderr)
            for _, do_round, found in workloads.values():
                found.append(do_round(number))

    parts = {part: _training_row(about, found) for part, (about, _, found) in workloads.items()}
    for part, row in parts.items():
        if part != "textbook":
            row["ratio"] = row["sentences_per_second"] / parts["textbook"]["sentences_per_second"]
    model = {"used": about["used"], "model": dataclasses.asdict(about["model"])}
    return {"name": name, "size": size._asdict(), **model, "parts": parts}


def _training_row(about, found):
    repeats = [one["tokens"] / one["seconds"] for one in found]
    rate = statistics.median(repeats)
    return {
        "sentences_per_second": rate / about["tokens_per_sentence"],
        "tokens_per_second": rate,
        "repeats": repeats,
        "first_step_seconds": about["first_step_seconds"],
        "peak_memory": found[-1]["peak_memory"],
        "parameters": about["parameters"],
    }


def measure_translation(run, rounds):
    """Measures translation with a trained model, in batches of 64 and one sentence at a time.

    Returns:
        Dict: "run", "sentences" (how many a round translates), "peak_memory", and "searches": for each search
        "sentences_per_second" (median of the rounds), "milliseconds" and "milliseconds_95" (median and 95th percentile
        of single sentences, of all rounds together).
    """
    print(f"translation: starting {run}", file=sys.stderr)
    with worker("translate_sentences", Path(run)) as (about, do_round):
        found = []
        for number in range(rounds):
            print(f"translation: round {number + 1} of {rounds}", file=sys.stderr)
            found.append(do_round(number))
    searches = {}
    for name in about.pop("searches"):
        single = [seconds for one in found for seconds in one[name]["single"]]
        searches[name] = {
            "sentences_per_second": statistics.median(about["sentences"] / one[name]["seconds"] for one in found),
            "milliseconds": 1000 * statistics.median(single),
            "milliseconds_95": 1000 * statistics.quantiles(single, n=20, method="inclusive")[-1],
        }
    return {"run": str(run), **about, "peak_memory": found[-1]["peak_memory"], "searches": searches}


def to_table(result):
    """Returns what `run_benchmark` found as text for a terminal."""
    machine = result["machine"]
    load = "" if machine["load"] is None else f"; load average {machine['load']:.1f} at the start"
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    lines = [
        f"{machine['processor']}, {machine['threads']} cores{load}",
        versions,
        f"{machine['corpus']}, {machine['pairs']:,} pairs; medians of {machine['rounds']} rounds",
    ]
    for found in result["sizes"]:
        size = found["size"]
        rows = [("training", "sentences/s", "tokens/s", "ratio", "peak MiB", "first step s", "parameters")]
        for part, row in found["parts"].items():
            rows.append(
                (
                    part,
                    f"{row['sentences_per_second']:,.1f}",
                    f"{row['tokens_per_second']:,.0f}",
                    f"{row['ratio']:.1f}" if "ratio" in row else "1",
                    _mebibytes(row["peak_memory"]),
                    f"{row['first_step_seconds']:.1f}",
                    f"{row['parameters']:,}",
                )
            )
        lines += [
            "",
            f"GRU {size['units']}, embedding {size['embedding_units']}, batch {size['batch_size']}, "
            f"{found['model']['target_vocabulary_size']:,} {size['tokenizer']}s; the textbook loop: all words",
            *lines_of(found["used"]),
            *_aligned(rows),
        ]
    translation = result["translation"]
    if translation is None:
        return "\n".join([*lines, "", "translation: not measured; --run DIRECTORY names a trained model"])
    rows = [("translation", "sentences/s", "ms for one", "95% within ms")]
    for name, row in translation["searches"].items():
        times = (f"{row[key]:.1f}" for key in ("milliseconds", "milliseconds_95"))
        rows.append((name, f"{row['sentences_per_second']:,.1f}", *times))
    about = f"{translation['run']}, {translation['sentences']} sentences in batches of 64, then one by one; "
    return "\n".join([*lines, "", f"{about}peak {_mebibytes(translation['peak_memory'])} MiB", *_aligned(rows)])


def _mebibytes(memory):
    return "" if memory is None else f"{memory:,.0f}"


def _aligned(rows):
    """Returns a line for each row, the first column aligned left and the others right."""
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    return [
        "  ".join([row[0].ljust(first), *(cell.rjust(width) for cell, width in zip(row[1:], others, strict=True))])
        for row in rows
    ]
