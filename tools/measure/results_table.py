"""The Markdown of what `tools.results` has measured."""

import textwrap
from pathlib import Path

HONEST = "Bahdanau"  # the system to compare with the same one on a split by pair
COLUMNS = {"bleu": 1, "chrf": 1, "alignment_error_rate": 3}  # with their decimal places
MARKS = "<!-- results: written by `make results` -->", "<!-- end of results -->"


def to_markdown(result):
    """Returns the table as Markdown."""
    lines = [
        "| system | seeds | BLEU | chrF | alignment error rate | parameters | minutes |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in result["systems"]:
        scores = [_mean_and_range(row, key, places) for key, places in COLUMNS.items()]
        cells = [row["name"], str(len(row["seeds"])), *scores]
        lines.append(f"| {' | '.join(cells)} | {row['parameters'] / 1e6:.1f} M | {row['minutes']:.1f} |")
    if "aligner" in result:
        lines.append(f"| statistical aligner | – | – | – | {result['aligner']['error_rate']:.3f} | – | – |")
    of_seed = result["systems"][0]["seeds"][0]
    lines += [
        "",
        *_paragraph(
            f"{_machines(result['systems'])}, one training per core; corpus of {result['corpus']}; "
            f"{of_seed['bleu_signature']}; {of_seed['chrf_signature']}."
        ),
    ]
    honest = next((row["seeds"][0] for row in result["systems"] if row["name"] == HONEST), None)
    if honest and "careless" in result:
        lines += _leak(result["careless"], honest)
    if result["chains"]:
        lines += _chains_table(result["chains"])
    return "\n".join([*lines, ""])


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
    return [
        "",
        *_paragraph(
            f'A pair-level split inflates the scores: with seed 1, the system "{HONEST}" has {pair} with one, {group} '
            "with a split by groups (both against one reference, because a split by pair leaves fewer references of a "
            "sentence in the test split)."
        ),
    ]


def _chains_table(chains):
    """Returns the lines on several sentences in a row."""
    lengths = list(next(iter(chains.values())))
    lines = [
        "",
        *_paragraph(
            f"BLEU of test sentences one at a time, and of 2 to {lengths[-1]} in a row, against one reference each, "
            "with seed 1:"
        ),
        "",
        f"| system | {' | '.join(lengths)} |",
        f"| --- |{' --- |' * len(lengths)}",
    ]
    for name, by_length in chains.items():
        cells = (f"{scores['bleu']:.1f}" for scores in by_length.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _paragraph(text):
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)


def _mean_and_range(row, key, places):
    """Returns "37.6 (37.2–38.0)", "37.6" if there is one seed, or a dash for what a system does not have."""
    if row[key] is None:
        return "–"
    if len(row["seeds"]) == 1:
        return f"{row[key]:.{places}f}"
    low, high = row[f"{key}_range"]
    return f"{row[key]:.{places}f} ({low:.{places}f}–{high:.{places}f})"


def between_marks(readme):
    """Returns what stands before and after the table."""
    text = Path(readme).read_text(encoding="utf-8")
    before, found, rest = text.partition(MARKS[0])
    _, closed, after = rest.partition(MARKS[1])
    if not (found and closed):
        raise ValueError(f"{readme}: expected the lines {MARKS[0]} and {MARKS[1]}, between which the table goes")
    return before, after
