"""What the lessons share: a corpus, models that are trained once, and figures that every notebook viewer shows.

A lesson has its own settings, which take minutes. `NMT_PRESET=quick` in the environment, as the tests set it, makes
a lesson show the same on fewer sentences and with a smaller model, in about a minute.
"""

import functools
import logging
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..config import UNGUIDED, make_settings
from ..corpus import DOWNLOAD_DIRECTORY, Pair, corpus_hash, split_pairs, write_pairs
from ..fetch import load_corpus
from ..files import read_json, write_json
from ..runs.quiet import import_tensorflow
from ..vocabulary import END_ID, PAD_ID, START_ID
from ..word_links import given_links

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..figures.animation import Animation
    from ..text import Tokenizer
    from ..translate import Translator

RUNS = DOWNLOAD_DIRECTORY.parent / "runs"
PICTURES = DOWNLOAD_DIRECTORY.parent / "notebooks" / "pictures"
QUICK_PAIRS = 2_500
QUICK_SETTINGS: dict[str, Any] = {
    "tokenizer": "word",
    "vocabulary_size": 2_000,
    "units": 128,
    "embedding_units": 128,
    "dropout": 0.1,
    "label_smoothing": 0.0,
    "warmup_steps": 50,
    "epochs": 10,
    "batch_size": 64,
    "placeholders": 0.0,  # a small corpus has too few names to spare
    "concatenation": 0.0,  # and a short lesson no time for longer sentences
    "encoder_layers": 1,
    "decoder_layers": 1,
}
QUICK_RATES = {"quick": 8e-3, "transformer": 2.5e-3}  # at 8e-3 a transformer learns hardly anything

logger = logging.getLogger(__name__)


def set_up_figures() -> None:
    """Makes a notebook show each cell's figure in high resolution, and every letter as its readers write it.

    If matplotlib cannot shape Devanagari, before 3.11 as in Colab, figures are SVG and the browser shapes the text.
    `NMT_FIGURES=svg` in the environment makes them SVG, too, whose letters are curves if matplotlib can shape them.
    A figure's label, if it has one, becomes the picture's alternative text; those of this package describe themselves.
    TensorFlow is imported here too, without its log lines, which would look like errors in a lesson.
    """
    import_tensorflow()
    import matplotlib
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    shapes = "text.language" in matplotlib.rcParams
    if not shapes:
        matplotlib.rcParams["svg.fonttype"] = "none"
    set_matplotlib_formats("retina" if shapes and os.environ.get("NMT_FIGURES") != "svg" else "svg")
    _describe_figures()


def _describe_figures() -> None:
    """Makes a notebook store each figure's label as the alternative text of its picture; elsewhere does nothing."""
    from IPython import get_ipython
    from matplotlib.figure import Figure

    shell = get_ipython()
    for kind in ("image/png", "image/svg+xml") if shell else ():
        formatter = shell.display_formatter.formatters[kind]
        draw = formatter.type_printers.get(Figure)
        if draw:
            formatter.for_type(Figure, functools.partial(_with_alt, draw))


def _with_alt(draw: Callable[["Figure"], Any], figure: "Figure") -> Any:
    """Returns what IPython's formatter `draw` returns of a figure: a picture, perhaps with a dict of metadata.

    A figure with a label has it as "alt" in the metadata.
    """
    drawn, label = draw(figure), str(figure.get_label())
    if drawn is None or not label:
        return drawn
    data, metadata = drawn if isinstance(drawn, tuple) else (drawn, {})
    return data, metadata | {"alt": label}


def preset() -> str:
    """Returns "quick" or "full": whether `NMT_PRESET` asks for a short lesson, or the lesson has its own settings.

    Raises:
        ValueError: `NMT_PRESET` is something else.
    """
    name = os.environ.get("NMT_PRESET") or "full"
    if name not in ("quick", "full"):
        raise ValueError(f"NMT_PRESET: expected quick or full, got {name!r}")
    return name


def lesson_corpus() -> list[Pair]:
    """Returns the pairs that lessons train on, a list of `Pair`.

    They are those of `load_corpus`: real sentences if they are available, else the phrasebook. Quick lessons take the
    first sentences of the phrasebook: they are the same everywhere, and a small model learns them in a minute.
    """
    return load_corpus("phrasebook")[:QUICK_PAIRS] if preset() == "quick" else load_corpus()


def run_directory(name: str) -> Path:
    """Returns the directory of the run of this name: `runs/NAME`, or `runs/lessons-quick/NAME` for quick lessons."""
    return (RUNS / "lessons-quick" if preset() == "quick" else RUNS) / name


def trained(name: str, base: str = "quick", **overrides: Any) -> "Translator":
    """Returns a `Translator` with the model of this name: the one in its run directory, or a new one, trained now.

    It is trained on `lesson_corpus` with the settings of `python -m nmt_attention train --preset BASE` and `UNGUIDED`,
    with the preset quick some minutes on two cores. Progress is shown below the cell and cleared at the end, like
    everything that the cell has printed before. `run_directory(name)` has the rest: history, scores, the split.

    Args:
        name: str. Lessons with the same name and settings share the model. "ready" is the model that comes with the
            package: it needs no training, and a warning says if it was trained on another copy of the corpus.
        base: str. The preset that its settings come from.
        **overrides: settings, such as `attention="none"`.

    Raises:
        ValueError: there is no such preset or setting, the run directory holds a run with other settings, or "ready" is
            given settings.
    """
    import portalocker
    from IPython.display import clear_output

    from ..runs.messages import show_messages
    from ..runs.run import run_training
    from ..translate import Translator

    show_messages()
    directory, pairs = run_directory(name), lesson_corpus()
    if given_links(pairs):  # the phrasebook's; in the lessons an aligner has to find them
        pairs = [pair._replace(attribution="") for pair in pairs]
    directory.parent.mkdir(parents=True, exist_ok=True)
    # two lessons at the same time: one trains, the other waits and finds the run done
    lock = portalocker.Lock(directory.with_name(f"{directory.name}.lock"), timeout=3600, check_interval=1)
    if name == "ready":
        if overrides:
            raise ValueError(f"{', '.join(overrides)}: no effect on the model that comes with the package")
        with lock:
            _copy_ready(directory, pairs)
        return Translator.load(directory)
    usual = UNGUIDED | ({"learning_rate": QUICK_RATES[base], **QUICK_SETTINGS} if preset() == "quick" else {})
    overrides = usual | overrides
    settings = make_settings(base, overrides, len(pairs))
    with lock:
        run_training(directory, pairs, settings)
    clear_output()  # at once: the next output may be another cell's
    return Translator.load(directory)


def _copy_ready(directory: Path, pairs: Sequence[Pair]) -> None:
    """Makes a run directory of the model that comes with the package: with its scores, and with the pairs split."""
    from ..bundle import READY

    if (directory / "run.json").exists():
        raise ValueError(f"{directory}: holds a run of your own; rename it, because 'ready' means the package's model")
    shutil.copytree(READY, directory, copy_function=shutil.copyfile, dirs_exist_ok=True)
    card, split = read_json(READY / "scores.json"), split_pairs(pairs)._asdict()
    write_json(directory / "scores.json", {"test": card["eight_bits"]})
    for part, part_pairs in split.items():
        write_pairs(directory / f"{part}.tsv", part_pairs)
    if any(corpus_hash(split[part]) != card["training"]["split_sha256"][f"{part}.tsv"] for part in ("dev", "test")):
        logger.warning(
            "the model that comes with the package was trained on another copy of the corpus, perhaps on dev and test"
            " sentences of this one: its scores here may be too high"
        )


def plot_empty_heatmap(
    source_words: Sequence[str],
    target_words: Sequence[str],
    titles: Sequence[str] = ("",),
    columns: int = 3,
    romanize: bool = False,
    glosses: bool = False,
) -> "Figure":
    """Draws a table for learners to darken: what `plot_attention` will draw, without its weights.

    Args:
        source_words, target_words: lists of str, the columns and the rows.
        titles: one for each table; tables are drawn side by side.
        columns: maximum number of tables per line.
        romanize, glosses: as in `plot_attention`.

    Returns:
        matplotlib `Figure`.
    """
    from ..figures.heatmap import plot_attentions
    from ..translate import Translation

    weights = np.zeros((len(target_words), len(source_words)))  # (T, S)
    empty = Translation("", "", list(source_words), list(target_words), weights, 0.0)
    tables = dict.fromkeys(titles, empty)
    figure = plot_attentions(tables, show_end=True, columns=columns, romanize=romanize, glosses=glosses)
    names = ", ".join(title for title in titles if title)
    sides = f"columns {', '.join(source_words)}; rows {', '.join(target_words)}"
    figure.set_label(f"Empty table{'s' * (len(titles) > 1)}{f' {names}' * bool(names)}: {sides}.")
    *panels, _ = figure.axes
    # If only its axes were removed, matplotlib 3.10 would still look for the bar.
    next(bar for axes in panels for image in axes.images if (bar := image.colorbar)).remove()
    line: dict[str, Any] = {"color": "#888888", "linewidth": 0.8}
    for axes in panels:
        axes.grid(which="minor", **line)
        axes.spines[:].set(visible=True, **line)
    return figure


def step_through(name: str) -> "Animation":
    """Returns a moving picture of the lessons, to be played and stepped through: a button, a slider, its pictures.

    Args:
        name: str. Of the file in `notebooks/pictures`, without `.gif`.

    Raises:
        OSError: there is no such picture.
    """
    from ..figures.animation import Animation, read_animation

    moving = read_animation(PICTURES / f"{name}.gif")
    frames, captions = moving.frames[1:], moving.captions[1:]  # the file begins with its last picture
    return Animation(frames, captions, moving.seconds)


def plot_batch(ids: np.ndarray, tokenizer: "Tokenizer") -> "Figure":
    """Draws a batch of ids: one row per sentence, one cell per position with its token and its id.

    Args:
        ids: `(B, T)` int. Padding is drawn grey, start and end in another colour than words.
        tokenizer: whose ids these are.

    Returns:
        matplotlib `Figure`.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    from ..figures.describe import ROWS
    from ..figures.fonts import text_style

    colours = {PAD_ID: "#eeeeee", START_ID: "#f6d6b8", END_ID: "#f6d6b8"}
    rows, columns = ids.shape
    figure = Figure(figsize=(1.15 * columns, 0.7 * rows), layout="constrained")
    lines = [" ".join(f"{tokenizer.vocabulary[i]} {i}" for i in row) for row in ids[:ROWS]]
    figure.set_label(f"Table of tokens and their ids, {rows} by {columns}: {'; '.join(lines)}.")
    axes = figure.add_subplot(xlim=(0, columns), ylim=(rows, 0))
    axes.set_axis_off()
    style = text_style("".join(tokenizer.tokens(ids.flatten())))
    for (row, column), i in np.ndenumerate(ids):
        colour = colours.get(int(i), "#cfe3f3")
        axes.add_patch(Rectangle((column + 0.03, row + 0.05), 0.94, 0.9, color=colour, linewidth=0))
        axes.text(column + 0.5, row + 0.36, tokenizer.vocabulary[i], ha="center", va="center", size=13, **style)
        axes.text(column + 0.5, row + 0.76, str(i), ha="center", va="center", size=9, color="#555555", **style)
    return figure
