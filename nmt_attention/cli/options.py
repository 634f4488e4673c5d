"""Every command with its options: one table, from which `parser` makes the command line; no TensorFlow."""

import argparse
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..config import SearchConfig
from ..runs.settings import CONFIGS, PRESETS, make_settings

BEAM_SIZE = 5  # of the commands that show translations; `evaluate` is greedy, as the tables are
_PACKAGE = "the model that comes with the package, under CC-BY 2.0 France"
_CORPUS = (
    '.zip, .txt or .tsv of sentence pairs, or "phrasebook", the built-in one '
    "(default: NMT_ATTENTION_CORPUS, else the download, else the phrasebook)"
)
_COMPARED = (
    "test whether the difference from another run is significant; "
    "again: from an ensemble; greedy: from greedy search by the same run"
)
_LINKED_BY, _WAYS = ("statistics", "attention"), ("both", "forward", "backward")
_QUICK = make_settings("quick", {})
_COMMON = (  # settings that --help shows; --help-all shows all
    *("language", "start", "tokenizer", "vocabulary_size", "attention", "decoder", "units", "encoder_layers"),
    *("guidance", "epochs", "batch_size", "learning_rate", "dropout", "seed"),
    *("beam_size", "samples", "minimum_bayes_risk"),
)


class Option(NamedTuple):
    """A row of a command's table."""

    names: str  # as typed, `--output -o`; without dashes it is an argument
    meaning: str
    kind: Any = bool  # bool: a switch; a tuple: its choices; else a function of the text
    shown: str | None = None  # what stands for the value in help
    default: Any = None
    many: str = ""  # values: at most one; "1": exactly one; "again": it may be given again; "+", "*", "?" in one go
    group: str = ""
    rare: bool = False  # shown by --help-all, not by --help


def _command(summary: str, example: str, *options: Option) -> tuple[str, str, tuple[Option, ...]]:
    """Returns what a command does, an example of its options, and the options."""
    return summary, example, options


def path(given: str) -> Path:
    """Returns the path that a text names, as an option's type; shells leave the ~ of --run=~/mine as it is."""
    if not given:  # an unset shell variable, which would mean the default or the current directory
        raise argparse.ArgumentTypeError("expected a path, got an empty one")
    return Path(given).expanduser()


def _there(given: str) -> Path:
    """Returns the path of a run that a command reads, as an option's type."""
    if not path(given).exists():
        raise argparse.ArgumentTypeError(f"{given}: no such directory; `nmt-attention train` makes one")
    return path(given)


def _there_or_greedy(given: str) -> Path | str:
    return given if given == "greedy" else _there(given)  # ./greedy is a directory


def flag(setting: str) -> str:
    """Returns the option of a setting: --top-k for top_k."""
    return "--" + setting.replace("_", "-")


def _settings(config: type, defaults: Mapping[str, Any], group: str) -> list[Option]:
    """Returns an option for each field of a configuration that has a default."""
    rows = []
    for field in (field for field in dataclasses.fields(config) if field.name in defaults):
        default, choices, kind = defaults[field.name], field.metadata["choices"], field.type
        assert isinstance(kind, type)  # not an annotation as text
        meaning = field.metadata["meaning"] + (f" (default: {default})" if default != "" else "")
        shown = None if choices or kind is bool else kind.__name__.upper()
        form = tuple(choices) if choices else argparse.BooleanOptionalAction if kind is bool else kind
        rows.append(Option(flag(field.name), meaning, form, shown, group=group, rare=field.name not in _COMMON))
    return rows


def _search(beam_size: int) -> list[Option]:
    defaults = {field.name: field.default for field in dataclasses.fields(SearchConfig)} | {"beam_size": beam_size}
    return _settings(SearchConfig, defaults, "search settings")


_RUN = Option("--run", f"run directory (default: {_PACKAGE})", _there, "DIRECTORY")
_RUNS = Option("--run", f"run directory; again: an ensemble (default: {_PACKAGE})", _there, "DIRECTORY", many="again")
_DEVICE = Option("--device", "cpu: leave GPUs alone; auto: use them if there are any", ("auto", "cpu"), default="auto")
_OWN = "your own terms, one per line: term, tab, translation; without a translation it stays as it is"
_TERMS = Option("--terms", _OWN, path, "FILE")
COMMANDS = {  # the most needed first
    "translate": _command(
        "translate sentences; one line in, one line out",
        '"Where is my book?"',
        _RUNS,
        Option("sentences", "sentences; without any, lines of --file or standard input", str, many="*"),
        Option("--file", "text file of sentences to translate, one per line; -: standard input", path, "FILE"),
        Option("--paragraphs", "join wrapped lines; a blank line, a list marker or a deeper indent starts a paragraph"),
        _TERMS,
        Option("--doubts", "write to a file: number, sentence and doubts of each line that has any", path, "FILE"),
        Option("--json", "print one JSON object per line: text, tokens, attention, certainty of all and of each word"),
        Option("--n-best", "print all hypotheses or samples, best first: sentence's number, log-probability, text"),
        Option("--romanize", "print each translation in Latin letters too, as on a terminal: a last column"),
        Option("--merge-subwords", "with --json: attention between words instead of pieces of words"),
        *_search(BEAM_SIZE),
        _DEVICE,
    ),
    "plot": _command(
        "draw where the model looked for each word that it wrote, or a training history",
        '"Dad bought me a camera."',
        _RUN,
        Option("sentence", "sentence to translate and draw", str, many="*"),
        Option("--history", "draw losses and dev scores by epoch instead of a heatmap"),
        Option("--output -o", ".png, .svg or .pdf (default: heatmap.png or history.png, in --run)", path, "FILE"),
        Option("--open", "also show the file in the program that this machine has for it"),
        Option("--terminal", "draw in this terminal instead, in 256 colours; with NO_COLOR set, in percent"),
        Option("--show-end", "show the row of the end marker"),
        _TERMS,
        Option("--pieces", "show the model's own tokens, pieces of words"),
        _search(BEAM_SIZE)[0]._replace(group=""),
        _DEVICE,
    ),
    "serve": _command(
        "translate and show attention on a local web page",
        "--port 8000",
        _RUN,
        Option("--port", "port on this machine; 0: a free one", int, "INT", 8000),
        Option("--no-open", "do not open the page in a browser"),
        _DEVICE,
    ),
    "export": _command(
        "write a page that translates in a browser; or a SavedModel, strings in, translations out, for TensorFlow",
        "--page page.html",
        _RUN,
        Option("--quantized", "write the model for this program, with 8-bit matrices: a quarter of the size"),
        Option("--page", "write one HTML file that translates in the browser, without a server or a network"),
        Option("--upload", "write a folder for a model hub: model, card and licence, without your corpus"),
        Option("--beside", "with --page: another run, to compare with the first", _there, "DIRECTORY", many="again"),
        Option("output", "directory to write, new or empty; or a page's file", path, "OUT"),
        _DEVICE,
    ),
    "train": _command(
        "train a model; run it again to resume",
        "--run runs/mine --preset quick",
        Option("--run", "run directory", path, "DIRECTORY", many="1"),
        Option("--preset", "settings to start from", tuple(PRESETS), default="quick"),
        Option("--corpus", _CORPUS, path, "FILE"),
        Option("--dev", "your own pairs to choose the best epoch on; the whole corpus is trained on", path, "FILE"),
        Option("--test", "your own pairs to score; without --dev, training has no sentence of these", path, "FILE"),
        Option("--extra", 'more pairs, or "phrasebook"; no sentence of dev or test enters', path, "FILE", many="again"),
        Option("--keep-epochs", "keep the model of every epoch, in RUN/epochs", rare=True),
        Option("--deterministic", "on a GPU, use operations that round alike every time; slower", rare=True),
        *(row for part, config in CONFIGS.items() for row in _settings(config, _QUICK, f"{part} settings")),
        _DEVICE,
    ),
    "evaluate": _command(
        "score a model on held-out sentences",
        "--run runs/mine --split test",
        _RUNS._replace(meaning=f"{_RUNS.meaning}; without it: --everyday, or --source and --reference"),
        Option("--split", "which of the run's held-out pairs to score", ("test", "dev"), default="test"),
        Option("--source", "score a text file of sentences instead, one per line", path, "FILE"),
        Option("--reference", "translations of --source, line by line; empty: none", path, "FILE", many="+"),
        Option("--everyday", "score 300 everyday sentences of 20 kinds instead, also by kind, and print the worst"),
        Option("--alignments", "score attention instead, on gold links such as data/anki_alignments.tsv", path, "FILE"),
        Option("--breakdown", "also print scores by length, unseen words and references"),
        Option("--compare", _COMPARED, _there_or_greedy, "DIRECTORY", many="again"),
        Option("--errors", "also print errors by kind, found by simple rules for Marathi"),
        Option("--json", "print one JSON object instead of text"),
        *_search(1),
        _DEVICE,
    ),
    "align": _command(
        "align the words of sentence pairs; one line in, one line of links such as 0-0 1-2 out",
        "--run runs/mine pairs.tsv --html heatmaps.html",
        Option("pairs", ".tsv, .txt or .zip of sentence pairs; -: standard input", path, "PAIRS", many="?"),
        _RUN._replace(meaning="run whose training pairs teach the aligner too, or whose model --by attention asks"),
        Option("--by", "IBM model 1 and an HMM, or a trained model's attention", _LINKED_BY, default=_LINKED_BY[0]),
        Option("--direction", "forward: sources of target words; backward: reverse; both: mean", _WAYS, None, _WAYS[0]),
        Option("--tokens", "print after the links, in two more columns, the words that they count from 0"),
        Option("--html", "also write the heatmaps to a web page", path, "FILE"),
        _DEVICE,
    ),
    "fetch": _command(
        "download a corpus of sentence pairs from www.manythings.org/anki",
        "--language mar",
        Option("--language", "three-letter code of an Anki language", str, "CODE", "mar"),
    ),
}
