"""Curves of a training run, and of scores by sentence length."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .fonts import text_style
from .palette import of_systems

MARKERS = "osD^vP"  # shapes that print without colour


def plot_history(history: Iterable[Mapping[str, float]]) -> Figure:
    """Draws a training run: the loss of every epoch on the left, the dev scores on the right.

    A value that is not finite, such as the loss of a run that diverged, leaves a gap.

    Args:
        history: list of dicts, the rows of `history.csv`: "epoch", "loss" and a column for each score that
            `dev_scores` of `train` returned. "dev_perplexity", if there is one, is drawn with the loss, as its
            logarithm; all others are drawn on the right.

    Raises:
        ValueError: there is no row yet, or no column of a score.
    """
    history = list(history)
    if not history:
        raise ValueError("history: no epoch has been finished yet")
    epochs = [row["epoch"] for row in history]
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    lines: list[tuple[Axes, str, Any]] = [(left, "training", [row["loss"] for row in history])]
    if "dev_perplexity" in history[0]:
        with np.errstate(divide="ignore", invalid="ignore"):  # what has no logarithm leaves a gap
            lines.append((left, "dev", np.log([row["dev_perplexity"] for row in history])))
    for name in history[0]:
        if name.startswith("dev_") and name != "dev_perplexity":
            title = {"dev_bleu": "BLEU", "dev_chrf": "chrF"}.get(name, name.removeprefix("dev_"))
            lines.append((right, title, [row[name] for row in history]))
    if not any(axes is right for axes, *_ in lines):
        raise ValueError("history: expected a column of a dev score besides the perplexity, such as dev_chrf")
    described: dict[Axes, list[str]] = {left: [], right: []}
    for color, (axes, label, numbers) in zip(of_systems(label for _, label, _ in lines), lines, strict=True):
        values = np.array(numbers, float)
        values[~np.isfinite(values)] = np.nan
        marker = MARKERS[len(axes.lines) % len(MARKERS)]
        axes.plot(epochs, values, color=color, marker=marker, markersize=4, label=label)
        finite = values[np.isfinite(values)]
        ends = f"from {finite[0]:.2f} to {finite[-1]:.2f}" if finite.size else "without a number"
        described[axes].append(f"{label} {ends}")
    right.set_ylim(0, None)
    for axes in (left, right):
        axes.xaxis.get_major_locator().set_params(integer=True)
    _finish(left, xlabel="epoch", ylabel="nats per target token", title="loss")
    _finish(right, xlabel="epoch", ylabel="score", title="dev scores")
    losses, scores = (", ".join(parts) for parts in described.values())
    figure.set_label(f"Curves over {len(epochs)} epochs. Loss: {losses}. Dev scores: {scores}.")
    return figure


def plot_score_by_length(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Figure:
    """Draws the BLEU of systems on short and on long sentences: one line per system.

    Plain seq2seq squeezes every sentence into one vector, so its line falls where sentences get long; attention is
    meant to prevent that.

    Args:
        rows: dict from a system's name, of at most six, to its list of dicts, one for each bucket of source lengths, in
            order: "name" (str, such as "4–6" words), "bleu", and, if they are known, "low" and "high" (its 95 %
            interval) and "sentences" (how many are in the bucket); what `breakdown.Row._asdict` gives. All systems
            have the same buckets.

    Raises:
        ValueError: nothing to draw, or systems of different buckets.
    """
    first = next(iter(rows.values()), [])
    names = [bucket["name"] for bucket in first]
    if not names or any([bucket["name"] for bucket in buckets] != names for buckets in rows.values()):
        raise ValueError("rows: expected at least one system with at least one bucket, and the same buckets for all")

    figure = Figure(figsize=(2.4 + 0.9 * len(names), 3.6), layout="constrained")
    described = (
        f"{system} " + ", ".join(f"{bucket['bleu']:.1f} at {bucket['name']}" for bucket in buckets)
        for system, buckets in rows.items()
    )
    figure.set_label(f"Curves of BLEU by words of the source: {'; '.join(described)}.")
    axes = figure.add_subplot()
    for i, (color, (system, buckets)) in enumerate(zip(of_systems(rows), rows.items(), strict=True)):
        aside = 0.08 * (i - (len(rows) - 1) / 2)  # side by side, so that no bar hides another
        places = np.arange(len(names)) + aside
        style: dict[str, Any] = {"color": color, "marker": MARKERS[i], "markersize": 5, "label": system}
        axes.plot(places, [bucket["bleu"] for bucket in buckets], **style)
        low, high = ([bucket.get(end, np.nan) for bucket in buckets] for end in ("low", "high"))
        axes.vlines(places, low, high, color=color, linewidth=1)  # none where the interval is not known
    labels = [f"{b['name']}\n{b['sentences']:,}" if "sentences" in b else b["name"] for b in first]
    axes.set_xticks(range(len(names)), labels)
    counts = " (and how many sentences)" if "sentences" in first[0] else ""
    axes.set_ylim(0, None)
    _finish(axes, xlabel=f"words of the source{counts}", ylabel="BLEU")
    return figure


def _finish(axes: Axes, **labels: str) -> None:
    """Labels the axes, removes superfluous lines, and uses the figure's own font everywhere."""
    axes.set(**labels)
    axes.spines[["top", "right"]].set_visible(False)
    legend = axes.legend(frameon=False, labelspacing=0.1)  # this font's lines are far apart by themselves
    axes.xaxis.labelpad = 1
    texts = [axes.title, axes.xaxis.label, axes.yaxis.label, *legend.get_texts()]
    fonts = text_style("".join(text.get_text() for text in [*texts, *axes.get_xticklabels()]))
    for text in texts:
        text.set(**fonts)
    axes.tick_params(labelfontfamily=fonts["family"])
    for label in axes.get_yticklabels():
        label.set_verticalalignment("center")  # of this font the middle of a line is not the middle of its digits
