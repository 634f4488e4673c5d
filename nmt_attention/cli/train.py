"""The `train` command."""

import argparse
import logging
import re
import shlex

from ..disk.fetch import find_corpus
from ..disk.pairs import read_pairs
from ..runs.machine import import_tensorflow
from ..runs.run_files import check_directory
from ..runs.settings import make_settings, setting_fields
from ..runs.splits import GIVEN, make_corpus
from .common import named_as_options, settings_in
from .console import note, say

logger = logging.getLogger(__name__)


def run(options: argparse.Namespace) -> None:
    """Trains a model, or resumes an interrupted run."""
    overrides = settings_in(options, setting_fields())
    with named_as_options(setting_fields()):
        make_settings(options.preset, overrides)  # reports a wrong setting before anything is downloaded
    check_directory(options.run)
    path = find_corpus(options.corpus, overrides.get("language") or "mar")
    if (named := re.fullmatch(r"([a-z]{3})-eng\..*", path.name)) and named[1] != "mar":
        overrides.setdefault("language", named[1])  # a download of `fetch`
    more = {str(name): find_corpus(name) for name in options.extra or []}
    files = {name: getattr(options, name) for name in GIVEN if getattr(options, name)}
    check_directory(options.run, path, *more.values(), *files.values())
    logger.info("reading %s …", path, extra={"transient": True})
    pairs = read_pairs(path)
    extra = {name: read_pairs(file) for name, file in more.items()}
    given = {name: read_pairs(file) for name, file in files.items()}
    note(f"corpus {path}: {len(pairs):,} pairs")
    logger.info("splitting them, so that no sentence of dev and test is trained on …", extra={"transient": True})
    corpus = make_corpus(pairs, overrides.get("split") or "group", extra, given)
    settings = make_settings(options.preset, overrides, corpus.size, linked=bool(corpus.links))

    import_tensorflow(look_for_devices=settings["strategy"] != "multiworker")
    if options.deterministic:
        import tensorflow as tf

        tf.config.experimental.enable_op_determinism()
    from ..runs.run import run_training

    result = run_training(options.run, corpus, settings, options.keep_epochs)
    minutes = f"{result['training_minutes']:.1f} minutes of training, {result['wall_minutes']:.1f} with the scoring"
    say(f"{options.run}: {result['parameters']:,} parameters, {minutes} of every epoch")
    for split in (name for name in GIVEN if name in result):
        bleu = f"{result[split]['bleu']:.1f}" if result[split].get("four_grams", 1) else "–"  # says nothing without any
        say(f"{split:5} BLEU {bleu}  chrF {result[split]['chrf']:.1f}")
    if "test" not in result:
        say("test  none was given; the scores of dev flatter a little, because the best epoch was chosen on it")
    for before, command in (("next:", "translate"), ("     ", "plot")):
        note(f'{before} nmt-attention {command} --run {shlex.quote(str(options.run))} "Where is my book?"')
