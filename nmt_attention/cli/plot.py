"""The `plot` command."""

import argparse
import sys
from pathlib import Path

from ..runs.machine import import_tensorflow
from .console import say
from .options import add_beam, add_command, add_run, as_sentences, path, run_or, search_settings


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers,
        "plot",
        run,
        "draw where the model looked for each word that it wrote, or a training history",
        '"Dad bought me a camera."',
    )
    add_run(parser)
    parser.add_argument("sentence", nargs="*", help="sentence to translate and draw")
    parser.add_argument(
        "--history", action="store_true", help="draw losses and dev scores by epoch instead of a heatmap"
    )
    parser.add_argument(
        "--output",
        "-o",
        type=path,
        default=argparse.SUPPRESS,
        metavar="FILE",
        help=".png, .svg or .pdf (default: heatmap.png or history.png, in the run directory if there is one)",
    )
    parser.add_argument("--show-end", action="store_true", help="show the row of the end marker")
    parser.add_argument("--pieces", action="store_true", help="show the model's own tokens, pieces of words")
    add_beam(parser)


def run(options: argparse.Namespace) -> None:
    """Draws a heatmap or a history to a file and prints its name."""
    if options.history == bool(options.sentence):
        raise ValueError('plot: give a sentence or --history, such as "Where is my book?"')
    sentences = as_sentences(options.sentence)
    if len(sentences) > 1:
        raise ValueError(f"plot: expected one sentence, got {len(sentences)}")
    search = search_settings(options)
    if options.history and not hasattr(options, "run"):
        raise ValueError("--history: expected --run; the model that comes with the package has no history")
    from ..figures.curves import plot_history
    from ..figures.heatmap import plot_attention, save_figure

    usual = getattr(options, "run", Path()) / ("history.png" if options.history else "heatmap.png")
    output = getattr(options, "output", usual)
    if options.history:
        from ..runs.history import read_history

        history = options.run / "history.csv"
        rows = read_history(history)
        if not history.is_file() and not (options.run / "run.json").is_file():
            raise FileNotFoundError(f"{options.run}: not a run directory, which has a history.csv")
        if not rows:
            raise ValueError(f"{history}: no epoch has been finished yet")
        try:
            figure = plot_history(rows)
        except KeyError as error:
            raise ValueError(f"{history}: no column {error}") from None
        lines = []
    else:
        import_tensorflow()
        from ..decoding.doubts import make_doubts
        from ..runs.bundle import READY, writes_marathi
        from ..translate import Translator

        model = run_or(options, READY)
        translator = Translator.load(model)
        (translation,) = translator.translate(sentences, merge_subwords=not options.pieces, **search)
        if not translation.target_tokens:
            raise ValueError(f"nothing to draw: {sentences[0]!r} has no word that the model learned")
        explained = writes_marathi(model)
        figure = plot_attention(translation, show_end=options.show_end, romanize=explained, glosses=explained)
        lines = [translation.text]
        for doubt in make_doubts(translator)(translation):
            print(doubt, file=sys.stderr)
    save_figure(figure, output)
    say(*lines, str(output))
