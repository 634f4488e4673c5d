"""The `plot` command."""

import argparse
from pathlib import Path

from ..runs.machine import import_tensorflow
from .console import say
from .options import add_beam, add_command, add_merge, add_run


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers,
        "plot",
        run,
        "draw a heatmap of attention, or a training history",
        '--run runs/mine "Dad bought me a camera."',
    )
    add_run(parser)
    parser.add_argument("sentence", nargs="?", default=argparse.SUPPRESS, help="sentence to translate and draw")
    parser.add_argument(
        "--history", action="store_true", help="draw losses and dev scores by epoch instead of a heatmap"
    )
    parser.add_argument(
        "--output",
        "-o",
        default=argparse.SUPPRESS,
        metavar="FILE",
        help=".png, .svg or .pdf (default: heatmap.png or history.png, in the run directory if there is one)",
    )
    parser.add_argument("--show-end", action="store_true", help="show the row of the end marker")
    parser.add_argument("--romanize", action="store_true", help="write each Marathi word in Latin letters too")
    parser.add_argument("--glosses", action="store_true", help="write an English word for each Marathi word too")
    add_merge(parser)
    add_beam(parser)


def run(options: argparse.Namespace) -> None:
    """Draws a heatmap or a history to a file and prints its name."""
    if options.history == hasattr(options, "sentence"):
        raise ValueError("plot: give a sentence or --history")
    if options.history and not hasattr(options, "run"):
        raise ValueError("--history: expected --run; the model that comes with the package has no history")
    from ..figures.curves import plot_history
    from ..figures.heatmap import plot_attention, save_figure

    usual = getattr(options, "run", Path()) / ("history.png" if options.history else "heatmap.png")
    path = Path(getattr(options, "output", usual))
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
        from ..runs.bundle import READY, check_marathi
        from ..translate import Translator

        for name in ("romanize", "glosses"):
            if getattr(options, name):
                check_marathi([getattr(options, "run", READY)], f"--{name}")
        translator = Translator.load(getattr(options, "run", READY))
        (translation,) = translator.translate(
            [options.sentence], merge_subwords=options.merge_subwords, beam_size=options.beam_size
        )
        figure = plot_attention(translation, options.show_end, romanize=options.romanize, glosses=options.glosses)
        lines = [translation.text]
    save_figure(figure, path)
    say(*lines, str(path))
