"""One table of many systems, each trained and scored by the commands that the JSON file gives with its numbers.

python -m tools.measure.results --docs docs/results.md --docs README.md --figure docs/score_by_length.png
python -m tools.measure.results luong-dot luong-concat-2    these alone, the second with seed 2; the others stay
"""

import argparse
import json
import os
import random
import shlex
import statistics
import sys
from pathlib import Path
from typing import NamedTuple

from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import atomic_write, write_json
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.runs.machine import processor_name
from nmt_attention.runs.settings import UNTAUGHT
from tools.measure import processes
from tools.measure.results_table import TABLES, around_table, to_markdown


class System(NamedTuple):
    """A row of the table.

    name: str. What it is, in words.
    run: str. Name of its run directories; each has the seed after it.
    train, evaluate: str. Options of the two commands that make it; a system without a preset is trained with `EQUAL`.
    """

    name: str
    run: str
    train: str = ""
    evaluate: str = ""


SEEDS = 1, 2, 3
EQUAL = "--units 256 --embedding-units 256 --epochs 6 --learning-rate 3e-3 --dropout 0.2 --sampled 1"
ROWS = Path(__file__).with_name("systems.tsv").read_text(encoding="utf-8").splitlines()
*SYSTEMS, PAIR_SPLIT = (System(*row.split("\t")) for row in ROWS)  # the last one has no row in the table
PLAIN, ATTENTION, LEXICAL, LONGEST = (
    next(system for system in SYSTEMS if system.run == run) for run in ("plain", "bahdanau", "lexical", "long")
)
CHAINED = 1, 2, 3, 4, 5  # sentences in a row
ALIGNMENTS = DATA_DIRECTORY / "anki_alignments.tsv"
FEWEST = 20  # sentences of a length, for a score that says anything


def make_results(runs, output, docs=(), figure=None, names=()):
    """Trains and scores systems with every seed, and writes the table and a figure of scores by length.

    What is done already under `runs` is not done again, so that an interrupted call resumes where it stopped: trained
    models by the `train` command itself, scores by the file they are kept in.

    Args:
        runs: directory of the runs.
        output: the JSON file to write.
        docs: Markdown files that each have one of the `TABLES`, between marks with its name.
        figure: image file to draw `lengths` to, plain seq2seq next to attention; None draws nothing.
        names: what to measure, "luong-dot" (with all seeds) or "luong-dot-2" (with seed 2); `output` keeps what it
            has of the rest. None named: everything, and nothing is kept.

    Returns:
        Dict, as in `output`.

    Raises:
        ValueError: one of `docs` has no marks; there is no such system; the rows of `output` are of another corpus.
        RuntimeError: a command failed; its own message has been shown.
    """
    runs = Path(runs)
    for path in docs:
        around_table(path)  # is there a place for it?
    jobs = _jobs(names)
    corpus = f"{len(read_pairs(find_corpus())):,} pairs"
    kept = _kept(output, corpus) if names else {}
    found = processes.one_per_core(lambda job: _measure_run(*job, runs), jobs)
    measured = {key: scores for of_run in found for key, scores in of_run.items()}
    result = {**kept, "corpus": corpus, "systems": _rows(measured, kept.get("systems", []))}
    if (ATTENTION, SEEDS[0]) in measured:
        result["aligner"] = _alignment(runs / f"{ATTENTION.run}-{SEEDS[0]}")["aligner"]
    if (PAIR_SPLIT, SEEDS[0]) in measured:
        result["careless"] = measured[PAIR_SPLIT, SEEDS[0]]
    lengths = kept.get("lengths", {}) | {
        system.name: _by_length(system, runs) for system in (PLAIN, ATTENTION) if (system, SEEDS[0]) in measured
    }
    result["lengths"] = {system.name: lengths[system.name] for system in SYSTEMS if system.name in lengths}
    result["chains"] = {}
    for system in (PLAIN, ATTENTION, LEXICAL, LONGEST):
        of_seeds = kept.get("chains", {}).get(system.name, {})
        of_seeds |= {str(seed): _chain_scores(system, seed, runs) for seed in SEEDS if (system, seed) in measured}
        if of_seeds:
            result["chains"][system.name] = dict(sorted(of_seeds.items()))
    write_json(output, result)
    if figure is not None and result["lengths"]:
        from nmt_attention.figures.curves import plot_score_by_length
        from nmt_attention.figures.heatmap import save_figure

        save_figure(plot_score_by_length(result["lengths"]), figure)
    for path in docs:
        before, table, after = around_table(path)
        with atomic_write(path) as partial:
            partial.write_text(f"{before}{TABLES[table](result)}{after}", encoding="utf-8", newline="\n")
    return result


def _jobs(names):
    """Returns the runs and seeds that are named, all with the first seed before any with the second."""
    runs = dict.fromkeys(system.run for system in SYSTEMS)
    jobs = [(run, seed) for seed in SEEDS for run in runs]
    jobs.insert(len(runs), (PAIR_SPLIT.run, SEEDS[0]))
    called = {job: {job[0], f"{job[0]}-{job[1]}"} for job in jobs}
    if unknown := set(names) - set().union(*called.values()):
        known = ", ".join((*runs, PAIR_SPLIT.run))
        raise ValueError(f"no such system: {', '.join(sorted(unknown))}; there are {known}")
    return [job for job in jobs if not names or called[job] & set(names)]


def _measure_run(run, seed, runs):
    """Returns the commands and scores of all systems that a run serves, by system and seed."""
    return {(system, seed): _measure(system, seed, runs) for system in (*SYSTEMS, PAIR_SPLIT) if system.run == run}


def _measure(system, seed, runs):
    """Trains a system with a seed if need be, scores it if need be, and returns its commands and scores."""
    run = runs / f"{system.run}-{seed}"
    equal = "" if "--preset" in system.train else EQUAL
    options = f"--seed {seed} {equal} {system.train}"  # of two that are the same the second counts
    train, evaluate = shlex.split(options), shlex.split(system.evaluate)
    trained = processes.train(run, train)
    chooses = not set(UNTAUGHT) & set(train)  # where it looks
    looks_once = chooses and not evaluate  # the other searches write with the same attention
    return {
        "seed": seed,
        "machine": f"{os.cpu_count()} cores, {processor_name()}",
        "train": " ".join(["train --run", str(run), *train]),
        "evaluate": " ".join(["evaluate --run", str(run), *evaluate]),
        "parameters": trained["parameters"],
        "minutes": trained["training_minutes"],
        "dev_bleu": trained["dev"]["bleu"],
        **_scores(run, evaluate),
        "alignment_error_rate": _alignment(run)["argmax"]["error_rate"] if looks_once else None,
    }


def _alignment(run):
    return _scores(run, ["--alignments", str(ALIGNMENTS)], "alignments")


def _kept(output, corpus):
    """Returns what the output says, or nothing if there is none yet."""
    if not Path(output).exists():
        return {}
    kept = json.loads(Path(output).read_text(encoding="utf-8"))
    if kept["corpus"] != corpus:
        raise ValueError(f"{output}: its rows are of {kept['corpus']}, not of {corpus}; measure all systems again")
    return kept


def _rows(measured, kept):
    """Returns the rows of the table, of what is measured now and what was kept of other seeds and systems."""
    by_name = {row["name"]: {scores["seed"]: scores for scores in row["seeds"]} for row in kept}
    for (system, seed), scores in measured.items():
        by_name.setdefault(system.name, {})[seed] = scores
    found = ((system.name, by_name.get(system.name, {})) for system in SYSTEMS)
    return [_row(name, [of_seeds[seed] for seed in sorted(of_seeds)]) for name, of_seeds in found if of_seeds]


def _row(name, of_seeds):
    """Returns a row of the table: means over the seeds, and the smallest and largest score."""
    row = {"name": name, "seeds": of_seeds, "parameters": of_seeds[0]["parameters"]}
    row["minutes"] = statistics.fmean(scores["minutes"] for scores in of_seeds)
    for key in ("bleu", "chrf", "alignment_error_rate"):
        values = [scores[key] for scores in of_seeds if scores[key] is not None]
        row[key] = statistics.fmean(values) if values else None
        row[f"{key}_range"] = [min(values), max(values)] if values else None
    return row


def _scores(run, options, name=None):
    """Returns what `evaluate --json` with these options prints, from the run directory if it is kept there."""
    kept = run / ("_".join(["evaluate", *([name] if name else (option.strip("-") for option in options))]) + ".json")
    if not kept.is_file():
        write_json(kept, json.loads(processes.call("evaluate", "--run", run, *options, "--json")))
    return json.loads(kept.read_text(encoding="utf-8"))


def chain_sentences(pairs, length, seed=1):
    """Joins `length` sentences at a time, in a random order, and their translations likewise.

    A corpus of short sentences has too few long ones to say how a model does on them. Of pairs with the same source the
    first counts. Every sentence is in one chain, but for a rest that fills none.
    """
    distinct = list({pair[0]: (pair[0], pair[1]) for pair in reversed(pairs)}.values())
    shuffled = random.Random(seed + length).sample(distinct, len(distinct))
    starts = range(0, len(shuffled) - length + 1, length)
    return [tuple(" ".join(side) for side in zip(*shuffled[i : i + length], strict=True)) for i in starts]


def _by_length(system, runs):
    """Returns the scores of a system's test sentences by source length, where there are enough of a length."""
    rows = _scores(runs / f"{system.run}-{SEEDS[0]}", ["--breakdown"])["breakdown"]["length"]
    return [row for row in rows if row["sentences"] >= FEWEST]


def _chain_scores(system, seed, runs):
    """Returns the scores of a system with a seed on chains of test sentences, by the number of sentences in a chain.

    There is one reference for each, also for chains of a single sentence, so that the scores can be compared. A chain
    is translated whole, as users' texts are not: they are taken apart into sentences.
    """
    from nmt_attention.metrics import score

    run, found = runs / f"{system.run}-{seed}", {}
    pairs = read_pairs(run / "test.tsv")
    chains = {length: chain_sentences(pairs, length) for length in CHAINED}
    translations = iter(translate_whole(run, [source for rows in chains.values() for source, _ in rows]))
    for length, rows in chains.items():
        scores = score([next(translations) for _ in rows], [[target] for _, target in rows])
        found[str(length)] = {"sentences": len(rows), "bleu": scores.bleu, "chrf": scores.chrf}
    return found


def translate_whole(run, sources):
    """Returns the translations of texts by a run's model, which reads each as one sentence."""
    from nmt_attention.translate import Translator

    typed = Translator.load(run)
    read_whole = typed.preprocessor.but(marked=0.0)
    whole = Translator(typed.model, typed.source_tokenizer, typed.target_tokenizer, read_whole)
    return [translation.text for translation in whole.translate(sources)]


def main(arguments=None):
    """Prints the table; an error ends the process with one line and status 1."""
    what = "Train and score many systems for one table. Finished runs are skipped."
    how = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser("python -m tools.measure.results", description=what, formatter_class=how)
    named = "what to measure, such as luong-dot, or luong-dot-2 for seed 2; the rest stays"
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=named)
    parser.add_argument("--runs", type=Path, default=Path("runs/results"), metavar="DIRECTORY", help="where runs are")
    parser.add_argument("--output", type=Path, default=Path("data/results.json"), metavar="FILE", help="JSON to write")
    docs = "Markdown file to put a table into"
    parser.add_argument("--docs", type=Path, action="append", default=[], metavar="FILE", help=docs)
    parser.add_argument("--figure", type=Path, metavar="FILE", help="image of scores by length to draw")
    options = parser.parse_args(arguments)
    try:
        found = make_results(options.runs, options.output, options.docs, options.figure, options.systems)
        print(to_markdown(found), end="")
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"results: {error}")


if __name__ == "__main__":
    main()
