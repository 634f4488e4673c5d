"""Which errors a system makes: how many of each kind, by the simple rules of `error_rules`, and examples."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..metrics import References, normalize_all
from ..spelling import as_texts, has_devanagari
from .error_rules import Judge, make_rules

Row = tuple[str, str, Sequence[str]]  # source, translation, references


class ErrorCount(NamedTuple):
    """How many times a rule found its error.

    name: str. Of the kind of error.
    description: str. What counts as one.
    judged: int. Translations that the rule could judge.
    errors: int. Those of them that it blames.
    references_judged, references_errors: int. The same counts for the references, each judged as if it were a
        translation, by the source and its other references. People wrote them, so what the rule blames there is a
        false alarm.
    examples: list of (source, translation, first reference), spread evenly over those that were blamed.
    """

    name: str
    description: str
    judged: int
    errors: int
    references_judged: int
    references_errors: int
    examples: list[tuple[str, str, str]]


def error_report(
    sources: Iterable[str],
    hypotheses: Iterable[str],
    references: References,
    names: Mapping[str, str],
    examples: int = 3,
) -> list[ErrorCount]:
    """Counts the errors of translations into Marathi, by kind.

    Args:
        sources: list of str.
        hypotheses: list of str. A translation of each source.
        references: list of lists of str. All references of each source, at least one.
        names: dict. How names are written, from `learn_names` of the training pairs.
        examples: int. Maximum number of examples of each kind.

    Returns:
        List of `ErrorCount`, one for each of `error_rules.make_rules`.

    Raises:
        TypeError, ValueError: as `score`; or no reference is in Devanagari.
    """
    sources, hypotheses = as_texts(sources, "sources"), as_texts(hypotheses, "hypotheses")
    if len(sources) != len(hypotheses):
        raise ValueError(f"expected as many sources as hypotheses, got {len(sources)} and {len(hypotheses)}")
    hypotheses, references = normalize_all(hypotheses, references)
    if not any(has_devanagari(text) for texts in references for text in texts):
        raise ValueError("references: the error rules are for Marathi only, but no reference has a Devanagari letter")
    translations = list(zip(sources, hypotheses, references, strict=True))
    left_out = [
        (source, text, [*texts[:i], *texts[i + 1 :]])
        for source, texts in zip(sources, references, strict=True)
        for i, text in enumerate(texts)
    ]
    report = []
    for rule in make_rules(names):
        judged, blamed = _apply(rule.judge, translations)
        apart = max(1, len(blamed) // max(1, examples))  # rows from one example to the next
        shown = [(source, text, texts[0]) for source, text, texts in blamed[::apart][:examples]]
        fair, alarms = _apply(rule.judge, left_out)
        counts = len(judged), len(blamed), len(fair), len(alarms)
        report.append(ErrorCount(rule.name, rule.description, *counts, shown))
    return report


def _apply(judge: Judge, rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Returns the rows that a rule could judge, and those that it blames."""
    verdicts = [(row, judge(*row)) for row in rows]
    return [row for row, verdict in verdicts if verdict is not None], [row for row, verdict in verdicts if verdict]
