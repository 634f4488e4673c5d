"""The `plot` command."""

import argparse
import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures.labels import Labels
from ..preprocess.terms import read_terms
from ..runs.machine import import_tensorflow, visible
from ..runs.run_files import read_history
from .common import FIGURE, as_sentences, check_output, exclude, models, search_settings
from .console import note, say
from .options import BEAM_SIZE

if TYPE_CHECKING:
    from ..translate import Translation

_BLUES = (255, 153, 111, 69, 27, 20)  # of a terminal's 256 colours, from weight 0 to 1
_DARK = 3  # from this one on, white is read better than black


def run(options: argparse.Namespace) -> None:
    """Draws a heatmap or a history to a file and prints its name, or a heatmap in the terminal."""
    if options.history == bool(options.sentence):
        raise ValueError('plot: give a sentence or --history, such as "Where is my book?"')
    sentences = as_sentences(options.sentence)
    if len(sentences) > 1:
        raise ValueError(f"plot: expected one sentence, got {len(sentences)}")
    if options.history and not options.run:
        raise ValueError("--history: expected --run; the model that comes with the package has no history")
    exclude(options, "terminal", "history", "output", "open")
    output = options.output or (options.run or Path()) / ("history.png" if options.history else "heatmap.png")
    if not options.terminal:
        check_output(output, *FIGURE)
    figure = _history(options.run) if options.history else _heatmap(options, sentences)
    if figure:
        from ..figures.heatmap import save_figure

        save_figure(figure, output)
        say(str(output))
        if options.open and not webbrowser.open(output.resolve().as_uri()):
            note(f"--open: this machine has no program that shows {output}")


def _heatmap(options: argparse.Namespace, sentences: list[str]) -> Any:
    """Prints the translation and returns its heatmap; in a terminal it is printed, and None is returned."""
    search = search_settings(options, BEAM_SIZE)
    terms = read_terms(options.terms) if options.terms else None
    import_tensorflow()
    from ..preprocess.verify import unwarned
    from ..translate import Translator

    (model,) = models(options)
    translator = Translator.load(model, terms=terms)
    with unwarned():
        (translation,) = translator.translate(sentences, merge_subwords=not options.pieces, **search)
    if not translation.target_tokens:
        raise ValueError(f"nothing to draw: {sentences[0]!r} has no word that the model learned")
    explained, figure = getattr(translator.preprocessor, "marathi", False), None
    labels = Labels(options.show_end, romanize=explained, glosses=explained)
    if options.terminal:
        print(*heatmap_lines(translation, labels), "", sep="\n")
    else:
        from ..figures.heatmap import plot_attention

        figure = plot_attention(translation, **labels._asdict())
    note(*translation.doubts)
    say(translation.text)
    return figure


def _history(run: Path) -> Any:
    from ..figures.curves import plot_history

    history = run / "history.csv"
    rows = read_history(history)
    if not history.is_file() or not rows:
        raise ValueError(f"{history}: no epoch has been finished yet, or this is not a run directory")
    try:
        return plot_history(rows)
    except KeyError as error:
        raise ValueError(f"{history}: no column {error}") from None


def heatmap_lines(translation: "Translation", labels: Labels) -> list[str]:
    """Returns the source words and a line for each target word; its cells hold weights in percent.

    The target word stands last, because terminals disagree on how wide Devanagari is.
    """
    targets, sources, weights = labels.table(translation)
    sources = [visible(word) for word in sources]
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    widths = [max(4, len(word)) for word in sources]
    lines = [" ".join(word.center(width) for word, width in zip(sources, widths, strict=True))]
    for label, row in zip(targets, np.asarray(weights, float), strict=True):
        cells = [_cell(weight, width, colours) for weight, width in zip(row, widths, strict=True)]
        lines.append(f"{' '.join(cells)}  {visible(label)}")
    return lines


def _cell(weight: float, width: int, colours: bool) -> str:
    percent = f"{100 * weight:.0f}".center(width) if weight >= 0.005 else " " * width
    if not colours:
        return percent
    shade = min(len(_BLUES) - 1, int(weight * len(_BLUES)))
    return f"\x1b[48;5;{_BLUES[shade]};38;5;{231 if shade >= _DARK else 16}m{percent}\x1b[0m"
