"""The Markdown of what `tools.measure.results` has measured."""

import json
import re
import statistics
import textwrap
from pathlib import Path

import nmt_attention

HONEST = "Bahdanau"  # the system to compare with the same one on a split by pair
COLUMNS = {"bleu": 1, "chrf": 1, "alignment_error_rate": 3}  # with their decimal places
SHORT = {  # the rows of the short table, and what those call them who have read nothing else
    "plain seq2seq": "no attention",
    "Bahdanau": "Bahdanau's attention",
    "quick preset, trained on the phrasebook, too": "`train --extra phrasebook`",
    "Transformer, guided": "a small Transformer",
    "full preset, trained on the phrasebook, too": "`train --preset full --extra phrasebook`",
}
PRETRAINED = Path(nmt_attention.__file__).parent / "pretrained" / "scores.json"


def to_markdown(result):
    """Returns the table as Markdown."""
    lines = [
        "| system | seeds | BLEU | chrF | alignment error rate | parameters | minutes |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in result["systems"]:
        scores = [_mean_and_range([seed[key] for seed in row["seeds"]], places) for key, places in COLUMNS.items()]
        cells = [row["name"], str(len(row["seeds"])), *scores]
        lines.append(f"| {' | '.join(cells)} | {row['parameters'] / 1e6:.1f} M | {row['minutes']:.1f} |")
    if "aligner" in result:
        lines.append(f"| statistical aligner | – | – | – | {result['aligner']['error_rate']:.3f} | – | – |")
    of_seed = result["systems"][0]["seeds"][0]
    where = f"{_machines(result['systems'])}, one training per core; corpus of {result['corpus']}"
    lines += ["", *_paragraph(f"{where}; {of_seed['bleu_signature']}; {of_seed['chrf_signature']}.")]
    honest = next((row["seeds"][0] for row in result["systems"] if row["name"] == HONEST), None)
    if honest and "careless" in result:
        lines += _leak(result["careless"], honest)
    if result["chains"]:
        lines += _chains_table(result["chains"])
    return "\n".join([*lines, ""])


def to_short_table(result):
    """Returns a short table of means as Markdown, with the model in the package as its last row."""
    ours = json.loads(PRETRAINED.read_text(encoding="utf-8"))
    rate = ours["alignments"]["argmax"]["error_rate"]
    package = {**ours["eight_bits"], "alignment_error_rate": rate, "parameters": ours["training"]["parameters"]}
    rows = {SHORT[row["name"]]: row for row in result["systems"] if row["name"] in SHORT}
    lines = ["| model | BLEU | chrF | alignment error rate | parameters |", "| --- | --- | --- | --- | --- |"]
    for name, row in {**rows, "the model in the package": package}.items():
        means = [_mean_and_range([row[key]], places) for key, places in COLUMNS.items()]
        lines.append(f"| {name} | {' | '.join(means)} | {row['parameters'] / 1e6:.1f} M |")
    return "\n".join([*lines, ""])


TABLES = {"results": to_markdown, "short results": to_short_table}  # by the name that the marks give them


def _machines(rows):
    """Returns where the rows were measured; if not all at one place, then which where."""
    names = {}
    for row in rows:
        for machine in dict.fromkeys(scores["machine"] for scores in row["seeds"]):
            names.setdefault(machine, []).append(row["name"].removeprefix("… "))
    return next(iter(names)) if len(names) == 1 else "; ".join(f"{', '.join(of)}: {at}" for at, of in names.items())


def _leak(careless, honest):
    """Returns the lines on what a split by pair hides."""
    pair, group = (
        f"{row['bleu_first']:.1f} BLEU, {row['chrf_first']:.1f} chrF and a perplexity of {row['perplexity']:.1f}"
        for row in (careless, honest)
    )
    what = (
        f'What a pair-level split changes is not settled by one training: with seed 1, the system "{HONEST}" has '
        f"{pair} with one, {group} with a split by groups (both against one reference, because a split by pair "
        "leaves fewer references of a sentence in the test split)."
    )
    return ["", *_paragraph(what)]


def _chains_table(chains):
    """Returns the lines on several sentences in a row."""
    lengths = list(next(iter(next(iter(chains.values())).values())))
    what = f"BLEU of test sentences one at a time, and of 2 to {lengths[-1]} in a row, against one reference each:"
    head = [f"| system | seeds | {' | '.join(lengths)} |", f"| --- | --- |{' --- |' * len(lengths)}"]
    lines = ["", *_paragraph(what), "", *head]
    for name, of_seeds in chains.items():
        cells = (_mean_and_range([by_length[n]["bleu"] for by_length in of_seeds.values()], 1) for n in lengths)
        lines.append(f"| {name} | {len(of_seeds)} | {' | '.join(cells)} |")
    return lines


def _paragraph(text):
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)


def _mean_and_range(values, places):
    """Returns "37.6 (37.2–38.0)", "37.6" if there is one seed, or a dash for what a system does not have."""
    if None in values:
        return "–"
    mean, low, high = (f"{of(values):.{places}f}" for of in (statistics.fmean, min, max))
    return mean if len(values) == 1 else f"{mean} ({low}–{high})"


def around_table(path, names=TABLES):
    """Returns what a Markdown file has before and after the table between its marks, and in the middle its name."""
    text = Path(path).read_text(encoding="utf-8")
    found = re.fullmatch(rf"(.*<!-- ({'|'.join(names)}): .*?-->\n).*(<!-- end of \2 -->.*)", text, re.DOTALL)
    if not found:
        name = next(iter(names))
        raise ValueError(f"{path}: expected the lines <!-- {name}: … --> and <!-- end of {name} -->")
    return found.groups()
