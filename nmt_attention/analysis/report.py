"""The results of `evaluate` as lines of text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..marathi.errors import ErrorCount
    from ..metrics import Scores
    from .breakdown import Row
    from .everyday import Poor
    from .significance import Comparison

_TITLES = {
    "length": "words in the source",
    "unseen_words": "words in no training sentence of the corpus",
    "references": "references",
    "kinds": "kind of sentence",
}
_WIDTH = max(map(len, _TITLES.values()))


def score_lines(scores: "Scores") -> list[str]:
    """Returns the lines of thorough `Scores`."""
    assert scores.bleu_interval and scores.chrf_interval  # a thorough scoring has them
    first = "first reference alone"
    bleu = f"{scores.bleu:5.1f}  ({_interval(scores.bleu_interval)}; {first}: {scores.bleu_first:.1f})"
    chrf = f"{scores.chrf:5.1f}  ({_interval(scores.chrf_interval)}; {first}: {scores.chrf_first:.1f})"
    no_bleu = "    –  (it counts four words in a row, but no translation has four; read chrF)"
    return [
        f"{scores.sentences:,} sentences, {scores.references:,} references",
        f"BLEU        {f'{bleu}  {scores.bleu_signature}' if scores.four_grams else no_bleu}",
        f"chrF        {chrf}  {scores.chrf_signature}",
        f"exact match {scores.exact:5.1f} %",
        f"perplexity  {scores.perplexity:5.1f}  per target token",
        f"speed       {scores.sentences_per_second:5.0f}  sentences per second",
    ]


def _interval(interval: tuple[float, float], sign: str = "") -> str:
    low, high = interval
    return f"95 %: {low:{sign}.1f} to {high:{sign}.1f}"


def breakdown_lines(breakdowns: Mapping[str, Sequence["Row"]]) -> list[str]:
    """Returns the lines of `breakdowns`' tables."""
    lines = []
    for counted, rows in breakdowns.items():
        lines += ["", f"{_TITLES[counted]:{_WIDTH}}  sentences   BLEU   chrF  exact match   BLEU's 95 %"]
        for row in rows:
            bleu, interval = "–", "   –"
            if row.four_grams:
                bleu, interval = f"{row.bleu:.1f}", f"{row.low:4.1f} to {row.high:.1f}"
            name = f"{row.name:>{_WIDTH}}  {row.sentences:9,}"
            lines.append(f"{name}  {bleu:>5}  {row.chrf:5.1f}  {row.exact:9.1f} %  {interval}")
    return lines


def worst_lines(worst: Sequence["Poor"]) -> list[str]:
    """Returns the lines of the worst translations, each with its sentence and the first reference."""
    lines = ["", f"The {len(worst)} translations that resemble their references least, by chrF"]
    for english, text, reference, chrf in worst:
        lines += [f"  {english}", f"    translation: {text}  (chrF {chrf:.1f})", f"    reference:   {reference}"]
    return lines


def comparison_lines(comparisons: Iterable["Comparison"], other: str) -> list[str]:
    """Returns the lines of `compare`'s results; `other` names the second system."""
    lines = ["", f"compared with {other}"]
    for c in comparisons:
        if c.first or c.second:
            difference = f"{c.difference:+.1f}  ({_interval((c.low, c.high), sign='+')})  p = {c.p_value:.3f}"
            lines.append(f"{c.metric}  {c.first:.1f} against {c.second:.1f}: {difference}")
        else:
            lines.append(f"{c.metric}  –  (0 for both, which compares nothing)")
    return lines


def error_lines(report: Sequence["ErrorCount"]) -> list[str]:
    """Returns the lines of an `error_report`: a table, then the description of each rule, with examples."""
    lines = ["", f"{'kind of error':22}  judged  errors   of judged  false alarms"]
    for rule in report:
        lines.append(
            f"{rule.name:22}  {rule.judged:6,}  {rule.errors:6,}  {_share(rule.errors, rule.judged):>10}  "
            f"{_share(rule.references_errors, rule.references_judged):>10} of {rule.references_judged:,}"
        )
    lines += [
        "",
        "False alarms: the share of the references that the rule blames, when each is judged like a translation by the",
        "source and its other references. A rule that blames more than 5 % of them is unreliable.",
    ]
    for rule in report:
        lines += ["", f"{rule.name}: {rule.description}"]
        for source, text, reference in rule.examples:
            lines += [f"  {source}", f"    translation: {text}", f"    reference:   {reference}"]
    return lines


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"
