"""The `evaluate` command: scores, tables, comparisons and error reports of a run, or its alignment error."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..analysis import report
from ..analysis.breakdown import breakdowns
from ..analysis.everyday import by_kind, read_everyday, worst
from ..analysis.significance import compare
from ..corpus import Pair
from ..disk.pairs import read_pairs
from ..marathi.error_rules import learn_names
from ..marathi.errors import error_report
from ..metrics import group_references
from ..runs.machine import import_tensorflow
from ..runs.run_files import SPLIT_FILES, doubts, scored_splits
from ..runs.splits import seen_in_training
from ..spelling import normalize
from .common import exclude, models, search_settings
from .console import file_lines, note, say, to_json

_REPORTS = ("breakdown", "compare", "errors", "everyday", "source", "reference")
_SHIFTS = -1, 1, 2  # steps before and after the one that writes a token


def run(options: argparse.Namespace) -> None:
    """Prints scores on held-out pairs, on files, or against gold alignments."""
    _check(options)
    result, lines = _evaluate_alignments(options) if options.alignments else _evaluate_translations(options)
    say(*([to_json(result)] if options.json else lines))


def _check(options: argparse.Namespace) -> None:
    """Raises a ValueError if options are missing or do not go together."""
    if bool(options.source) != bool(options.reference):
        raise ValueError("--source and --reference must be given together")
    exclude(options, "everyday", "source")
    exclude(options, "alignments", *_REPORTS)
    if options.alignments and options.split != "test":
        raise ValueError("--alignments and --split cannot be combined")
    if options.alignments and search_settings(options):
        raise ValueError("--alignments: no effect of search settings, because nothing is searched")
    for name in ("alignments", "breakdown", "errors"):
        if getattr(options, name) and not options.run:
            raise ValueError(f"--{name}: expected --run, whose training pairs it needs")
    if not (options.run or options.everyday or options.source):
        raise ValueError("expected --run, whose held-out pairs are scored, --everyday, or --source and --reference")
    if "greedy" in (systems := options.compare or []) and len(systems) > 1:
        raise ValueError("--compare: expected greedy alone or run directories, got both")


def _evaluate_translations(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Scores translations, and adds the tables that are asked for; returns a JSON object and lines of text."""
    search, systems = search_settings(options), options.compare or []
    texts = _read_texts(options.source, options.reference) if options.source else None
    import_tensorflow()
    from ..analysis.evaluate import evaluate
    from ..runs.bundle import check_marathi
    from ..translate import Translator

    everyday = read_everyday() if options.everyday else []
    if everyday:
        texts = [sentence.english for sentence in everyday], [sentence.references for sentence in everyday]
    own, greedy = models(options), systems == ["greedy"]
    runs = own if greedy else [*own, *systems]
    sources, references = texts or group_references(_held_out(runs, options.split))
    translator = Translator.load(*own)
    if options.everyday or options.errors:
        check_marathi(translator.preprocessor, own[0], "--everyday" if options.everyday else "--errors")
    _warn(runs, ["train.tsv", *([] if texts else [f"{options.split}.tsv"])], [*zip(sources, references, strict=True)])
    scores, translations = evaluate(translator, sources, references, thorough=True, **search)
    found = [translation.text for translation in translations]
    result, lines = scores._asdict(), report.score_lines(scores)

    def add(name: str, rows: Sequence[Any], more: list[str]) -> None:
        result[name] = [row._asdict() for row in rows]
        lines.extend(more)

    if everyday:
        kinds, poor = by_kind(everyday, found), worst(everyday, found)
        add("kinds", kinds, report.breakdown_lines({"kinds": kinds}))
        add("worst", poor, report.worst_lines(poor))
    needed = options.run if options.breakdown or options.errors else []
    trained_on = [pair for run in needed for pair in read_pairs(run / "train.tsv")]
    if options.breakdown:
        tables = breakdowns(sources, found, references, [pair.source for pair in trained_on])
        result["breakdown"] = {title: [row._asdict() for row in rows] for title, rows in tables.items()}
        lines += report.breakdown_lines(tables)
    if systems:
        second, how = (translator, {}) if greedy else (Translator.load(*systems), search)
        others = [translation.text for translation in second.translate(sources, **how)]
        comparisons = compare(found, others, references)
        name = "greedy search" if greedy else " and ".join(map(str, systems))
        add("comparison", comparisons, report.comparison_lines(comparisons, name))
    if options.errors:
        errors = error_report(sources, found, references, learn_names(trained_on))
        add("errors", errors, report.error_lines(errors))
    return result, lines


def _warn(runs: Iterable[Path], names: Sequence[str], sentences: Sequence[tuple[str, Sequence[str]]] = ()) -> None:
    """Prints a line on standard error for each run whose scores may not be of unseen sentences, with the reasons."""
    for run in dict.fromkeys(runs):
        if reasons := doubts(run, names, sentences):
            note(f"warning: {run}: {'; '.join(reasons)}")


def _held_out(runs: Sequence[Path], split: str) -> list[Pair]:
    """Returns the pairs of a split, having made sure that all runs have the same, so that none was trained on it."""
    first, *others = runs
    if split not in scored_splits(first):
        raise ValueError(f"{first}: no {split} pairs, because training had --dev without --test; score --split dev")
    pairs = read_pairs(first / f"{split}.tsv")
    for run in others:
        if read_pairs(run / f"{split}.tsv") != pairs:
            raise ValueError(f"{first} and {run}: expected the same {split} split, but they differ")
    return pairs


def _evaluate_alignments(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Scores attention and an aligner against gold alignments; returns a JSON object and lines of text."""
    import_tensorflow()
    from ..alignment import scores
    from ..alignment.aligner import Aligner
    from ..preprocess.verify import unwarned
    from ..translate import Translator

    held_out = [pair for name in scored_splits(options.run[0]) for pair in _held_out(options.run, name)]
    _warn(options.run, SPLIT_FILES)
    trained_on = list(dict.fromkeys(pair for run in options.run for pair in read_pairs(run / "train.tsv")))
    gold, missing = scores.read_alignments(options.alignments, trained_on + held_out)
    seen = seen_in_training([(g.pair.source, [g.pair.target]) for g in gold], trained_on)
    unseen = [alignment for alignment, was_seen in zip(gold, seen, strict=True) if not was_seen]
    left_out = f"{sum(seen):,} with a sentence that was trained on"
    if missing:
        left_out += f", {len(missing):,} with numbers that the run's corpus lacks"
    if not unseen:
        raise ValueError(f"{options.alignments}: no alignment is left to score; left out: {left_out}")

    translator = Translator.load(*options.run)
    pairs = [alignment.pair for alignment in unseen]
    with unwarned():
        attended = translator.attend(pairs)
    aligned = {shift: [scores.align_words(one, translator, shift) for one in attended] for shift in (0, *_SHIFTS)}
    argmax, above, entropy = scores.score_attention(aligned[0], unseen)
    shifts = {shift: scores.score_attention(aligned[shift], unseen)[0].error_rate for shift in _SHIFTS}
    on_marks = scores.punctuation_weight(alignment.heatmap for alignment in aligned[0])
    aligner = scores.score_alignments(Aligner(trained_on).align(pairs), unseen)
    result = {
        **{"trained_on": sum(seen), "missing": len(missing)},
        **{"argmax": argmax._asdict(), "threshold": above._asdict(), "aligner": aligner._asdict()},
        **{"shifted_error_rates": shifts, "punctuation": on_marks, "entropy": entropy},
    }
    before, after, later = shifts.values()
    kinds = {
        "most attended word": argmax,
        f"weight at least {scores.LINK_THRESHOLD}": above,
        "statistical aligner": aligner,
    }
    return result, [
        f"{len(unseen):,} gold alignments; left out: {left_out}",
        *(
            f"{name:20}  alignment error rate {r.error_rate:.3f}  precision {r.precision:.3f}  recall {r.recall:.3f}"
            for name, r in kinds.items()
        ),
        f"error rate of the step before {before:.3f}, of the step after {after:.3f}, two steps after {later:.3f}",
        f"entropy of attention  {entropy:.2f} nats; weight of words on punctuation  {on_marks:.2f}",
    ]


def _read_texts(source: Path, references: Sequence[Path]) -> tuple[list[str], list[list[str]]]:
    """Returns the sentences of a file, and for each sentence its lines in the files of references."""
    sources, *columns = ([line for lines in file_lines(path) for line in lines] for path in (source, *references))
    for name, lines in zip(references, columns, strict=True):
        if len(lines) != len(sources):
            raise ValueError(f"{name} has {len(lines)} lines, but {source} has {len(sources)}")
    filled = []  # a line that is empty in all files separates paragraphs
    for number, (sentence, *row) in enumerate(zip(sources, *columns, strict=True), start=1):
        texts = list(filter(normalize, row))
        if bool(normalize(sentence)) != bool(texts):
            what = "an empty sentence, which has a reference" if texts else "no reference"
            raise ValueError(f"{source}, line {number}: {what}")
        if texts:
            filled.append((sentence, texts))
    if not filled:
        raise ValueError(f"{source}: no sentences")
    return [sentence for sentence, _ in filled], [texts for _, texts in filled]
