"""The `train` command."""

import argparse
import dataclasses
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..runs.machine import import_tensorflow
from ..runs.settings import CONFIGS, PRESETS, make_settings, setting_fields
from .options import add_command, add_run, add_setting, named_as_options, not_empty

if TYPE_CHECKING:
    from ..corpus import Pair


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers, "train", run, "train a model; run it again to resume", "--run runs/mine --preset quick"
    )
    add_run(parser, required=True)
    parser.add_argument("--preset", choices=PRESETS, default="quick", help="settings to start from")
    parser.add_argument(
        "--corpus",
        type=not_empty,
        default=argparse.SUPPRESS,
        metavar="FILE",
        help='.zip, .txt or .tsv of sentence pairs, or "phrasebook" for the built-in one (default: '
        "NMT_ATTENTION_CORPUS, else the cached download, else a new one, else the phrasebook)",
    )
    parser.add_argument(
        "--dev",
        type=not_empty,
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="your own pairs to choose the best epoch on; the whole corpus is trained on then, also pairs that share a "
        "sentence with these, which are counted",
    )
    parser.add_argument(
        "--test",
        type=not_empty,
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="your own pairs to score at the end; without --dev, corpus pairs with a sentence of these on either "
        "side are left out, and dev is drawn from the others",
    )
    parser.add_argument(
        "--extra",
        type=not_empty,
        action="append",
        default=[],
        metavar="FILE",
        help='more pairs to train on, a file or "phrasebook"; those with a sentence of dev or test on either side are '
        "left out; may be given several times",
    )
    parser.add_argument("--keep-epochs", action="store_true", help="keep the model of every epoch, in RUN/epochs")
    parser.add_argument(
        "--deterministic",
        action="store_true",
        help="on a GPU, ask TensorFlow for operations that round alike every time; slower, and needless on a CPU",
    )
    for part, config in CONFIGS.items():
        group = parser.add_argument_group(
            f"{part} settings", "override those of the preset; the defaults shown are those of the quick preset"
        )
        for field in dataclasses.fields(config):
            if field.name in setting_fields():
                add_setting(group, field, make_settings("quick", {})[field.name])


def run(options: argparse.Namespace) -> None:
    """Trains a model, or resumes an interrupted run."""
    from ..alignment.links import given_links
    from ..disk.fetch import find_corpus
    from ..disk.pairs import read_pairs
    from ..runs.run_files import check_directory
    from ..runs.splits import GIVEN, remaining

    overrides = {name: getattr(options, name) for name in setting_fields() if hasattr(options, name)}
    with named_as_options(setting_fields()):
        make_settings(options.preset, overrides)  # reports a wrong setting before anything is downloaded
    check_directory(options.run)
    path = find_corpus(getattr(options, "corpus", None), overrides.get("language") or "mar")
    if (named := re.fullmatch(r"([a-z]{3})-eng\..*", path.name)) and named[1] != "mar":
        overrides.setdefault("language", named[1])  # a download of `fetch`
    check_directory(options.run, path)
    pairs = read_pairs(path)
    extra = {name: read_pairs(find_corpus(name)) for name in options.extra}
    given = {name: _read_given(options, name) for name in GIVEN if hasattr(options, name)}
    size = len(remaining(pairs, given))
    settings = make_settings(options.preset, overrides, max(1, size), linked=bool(given_links(pairs)))
    print(f"corpus {path}: {len(pairs):,} pairs", file=sys.stderr)

    import_tensorflow(look_for_devices=settings["strategy"] != "multiworker")
    if options.deterministic:
        import tensorflow as tf

        tf.config.experimental.enable_op_determinism()
    from ..runs.run import run_training

    result = run_training(options.run, pairs, settings, extra, options.keep_epochs, given)
    print(
        f"{options.run}: {result['parameters']:,} parameters, {result['training_minutes']:.1f} minutes of training, "
        f"{result['wall_minutes']:.1f} with the scoring of every epoch"
    )
    for split in (name for name in GIVEN if name in result):
        bleu = f"{result[split]['bleu']:.1f}" if result[split].get("four_grams", 1) else "–"  # says nothing without any
        print(f"{split:5} BLEU {bleu}  chrF {result[split]['chrf']:.1f}")
    if "test" not in result:
        print("test  none was given; the scores of dev flatter a little, because the best epoch was chosen on it")
    of_it = f"--run {shlex.quote(str(options.run))}"
    print(f'next: nmt-attention translate {of_it} "Where is my book?"', file=sys.stderr)
    print(f'      nmt-attention plot {of_it} "Where is my book?"', file=sys.stderr)


def _read_given(options: argparse.Namespace, name: str) -> "list[Pair]":
    """Returns the pairs of --dev or --test."""
    from ..disk.pairs import read_pairs
    from ..runs.run_files import check_directory

    path = Path(getattr(options, name)).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"--{name}: no such file: {path}")
    check_directory(options.run, path)
    return read_pairs(path)
