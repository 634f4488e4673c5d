"""The `plot` command."""

import argparse
from pathlib import Path

from ..runs.machine import import_tensorflow
from .common import as_sentences, models, search_settings
from .console import note, say
from .options import BEAM_SIZE


def run(options: argparse.Namespace) -> None:
    """Draws a heatmap or a history to a file and prints its name."""
    if options.history == bool(options.sentence):
        raise ValueError('plot: give a sentence or --history, such as "Where is my book?"')
    sentences = as_sentences(options.sentence)
    if len(sentences) > 1:
        raise ValueError(f"plot: expected one sentence, got {len(sentences)}")
    search = search_settings(options, BEAM_SIZE)
    if options.history and not options.run:
        raise ValueError("--history: expected --run; the model that comes with the package has no history")
    from ..figures.curves import plot_history
    from ..figures.heatmap import plot_attention, save_figure

    output = options.output or (options.run or Path()) / ("history.png" if options.history else "heatmap.png")
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
        from ..runs.bundle import writes_marathi
        from ..translate import Translator

        (model,) = models(options)
        translator = Translator.load(model)
        (translation,) = translator.translate(sentences, merge_subwords=not options.pieces, **search)
        if not translation.target_tokens:
            raise ValueError(f"nothing to draw: {sentences[0]!r} has no word that the model learned")
        explained = writes_marathi(model)
        figure = plot_attention(translation, show_end=options.show_end, romanize=explained, glosses=explained)
        lines = [translation.text]
        note(*make_doubts(translator)(translation))
    save_figure(figure, output)
    say(*lines, str(output))
