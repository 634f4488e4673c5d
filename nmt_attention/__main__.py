"""Command line: the commands and their options. `commands` runs them."""

import argparse
import logging
import sys
from pathlib import Path

from . import __version__, commands, console, evaluate_command
from .config import CONFIGS, PRESETS, SearchConfig, make_settings, setting_fields
from .interrupt import Stopped


def main(arguments=None):
    """Runs a command and returns the process's exit status.

    0, 1 after an error, 130 after Ctrl-C, 143 after SIGTERM, 141 if nobody reads what it writes any more.
    """
    options = _parser().parse_args(arguments)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # a cache in another place is no news
    try:
        console.prepare()
        options.run_command(options)
        console.say()  # what is still buffered
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        return _end(141)
    except Stopped as stop:
        return _end(128 + stop.number, f"nmt-attention: {stop}; the same command goes on from there")
    except KeyboardInterrupt:
        more = "; the same command goes on from what was saved last" if options.command == "train" else ""
        return _end(130, f"\nnmt-attention: stopped{more}")
    except ModuleNotFoundError as error:
        module = (error.name or __package__).partition(".")[0]
        if module == __package__:
            raise
        return _end(1, f"nmt-attention: {module} is missing: run make setup, or pip install -r requirements.txt")
    except (OSError, ValueError, FloatingPointError, RuntimeError) as error:
        reason = str(error) or type(error).__name__
        return _end(1, f"nmt-attention: {console.visible(' '.join(reason.split()))}")
    return 0


def _end(status, text=""):
    """Prints a text on standard error and returns the status; what cannot be written is dropped."""
    for stream, line in ((sys.stdout, ""), (sys.stderr, text)):
        try:
            print(line, end="\n" if line else "", file=stream, flush=True)
        except OSError:
            console.drop_what_is_left(stream)
    return status


def _parser():
    parser = argparse.ArgumentParser(
        prog="nmt-attention", description="Trains and uses attention models for translation, from the command line."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.set_defaults(run_command=lambda options: console.say(parser.format_help().rstrip()))  # of no command
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(function, summary, example):
        name = function.__name__
        sub = subparsers.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=f"example: python -m nmt_attention {name} {example}",
            formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        )
        sub.set_defaults(run_command=function)
        return sub

    fetch = command(
        commands.fetch, "download a corpus of sentence pairs from www.manythings.org/anki", "--language mar"
    )
    fetch.add_argument("--language", default="mar", help="three-letter code of an Anki language")

    train = command(commands.train, "train a model; run it again to resume", "--run runs/mine --preset quick")
    _add_run(train)
    train.add_argument("--preset", choices=PRESETS, default="quick", help="settings to start from")
    train.add_argument(
        "--corpus",
        type=_given,
        default=argparse.SUPPRESS,
        metavar="FILE",
        help=".zip, .txt or .tsv of sentence pairs, or phrasebook for the embedded one (default: NMT_ATTENTION_CORPUS, "
        "else the cached download, else a new one, else the phrasebook)",
    )
    train.add_argument("--language", default="mar", help="Anki language to download if there is no corpus yet")
    train.add_argument("--tensorboard", action="store_true", help="write event files to RUN/logs")
    for part, config in CONFIGS.items():
        group = train.add_argument_group(f"{part} settings", "override the preset's; the default is the quick preset's")
        for field in config.__dataclass_fields__.values():
            if field.name in setting_fields():
                _add_setting(group, field, make_settings("quick", {})[field.name])

    translate = command(
        commands.translate, "translate sentences; one line in, one line out", '--run runs/mine "Rahul is a good boy."'
    )
    _add_runs(translate)
    translate.add_argument("sentences", nargs="*", help="sentences; without any, lines of --file or standard input")
    translate.add_argument("--file", default=argparse.SUPPRESS, help="text file of sentences, one per line")
    translate.add_argument(
        "--json", action="store_true", help="one JSON object per line: text, tokens, score, attention"
    )
    translate.add_argument(
        "--n-best",
        action="store_true",
        help="all hypotheses of a beam or all samples, best first: number of the sentence, log-probability and text, "
        "separated by tabs; with --json their rank",
    )
    _add_merge(translate)
    _add_search(translate)

    evaluate = command(evaluate_command.evaluate, "score a model on held-out sentences", "--run runs/mine --split test")
    _add_runs(evaluate)
    evaluate.add_argument("--split", choices=("test", "dev"), default="test", help="the run's own held-out pairs")
    evaluate.add_argument("--source", default=argparse.SUPPRESS, help="instead: a text file of sentences, one per line")
    evaluate.add_argument(
        "--reference",
        nargs="+",
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="with --source: files of translations, line by line; an empty line means no reference",
    )
    evaluate.add_argument(
        "--alignments",
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="instead: compare attention with gold word alignments, of data/anki_alignments.tsv or of a file like "
        "data/phrasebook.tsv; pairs the run was trained on are left out",
    )
    evaluate.add_argument("--breakdown", action="store_true", help="scores by length, unseen words and references, too")
    evaluate.add_argument(
        "--compare",
        type=lambda text: text if text == "greedy" else _path(text),  # ./greedy is a directory
        action="append",
        default=argparse.SUPPRESS,
        metavar="DIRECTORY",
        help="another run of the same corpus (given again: an ensemble), searched alike, or greedy for the same run "
        "searched greedily: is the difference more than chance?",
    )
    evaluate.add_argument("--errors", action="store_true", help="errors by kind, by simple rules for Marathi, too")
    evaluate.add_argument("--json", action="store_true", help="print a JSON object")
    _add_search(evaluate)

    plot = command(
        commands.plot, "draw a heatmap of attention, or a training history", '--run runs/mine "Dad bought me a camera."'
    )
    _add_run(plot)
    plot.add_argument("sentence", nargs="?", default=argparse.SUPPRESS, help="the sentence to translate and draw")
    plot.add_argument("--history", action="store_true", help="draw losses and dev scores by epoch instead")
    plot.add_argument(
        "--output",
        "-o",
        default=argparse.SUPPRESS,
        metavar="FILE",
        help=".png, .svg or .pdf (default: heatmap.png or history.png in the run directory)",
    )
    plot.add_argument("--show-end", action="store_true", help="show the row of the end marker")
    _add_merge(plot)
    _add_beam(plot)
    export = command(
        commands.export,
        "write a model as a SavedModel, strings in, translations out, for programs with TensorFlow alone",
        "--run runs/mine exported/mine/1",
    )
    _add_run(export)
    export.add_argument("output", type=_path, metavar="OUT", help="directory to write, new or empty")

    serve = command(commands.serve, "translate and show attention on a local web page", "--run runs/mine")
    _add_run(serve)
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen at, such as ::1, or 0.0.0.0 for all; the default can be reached from this machine only",
    )
    serve.add_argument("--port", type=int, default=8000, metavar="INT", help="port to listen at")
    serve.add_argument(
        "--any-host",
        action="store_true",
        help="answer by whatever name the page is asked for, as behind a proxy; otherwise by IP address, as localhost, "
        "by this machine's name and by --host",
    )
    return parser


class _Once(argparse.Action):
    """An option that must not be given twice: elsewhere two runs are an ensemble; here one would be ignored."""

    def __call__(self, parser, namespace, values, option_string=None):
        if hasattr(namespace, self.dest):
            raise argparse.ArgumentError(self, f"expected one, got {getattr(namespace, self.dest)} and {values}")
        setattr(namespace, self.dest, values)


def _given(text):
    if not text:  # of a shell variable that is not set; it would stand for the default or for the current directory
        raise argparse.ArgumentTypeError("expected a path, got an empty one")
    return text


def _path(text):
    return Path(_given(text))


def _add_run(parser):
    parser.add_argument(
        "--run",
        required=True,
        type=_path,
        action=_Once,
        default=argparse.SUPPRESS,
        metavar="DIRECTORY",
        help="the run directory",
    )


def _add_runs(parser):
    parser.add_argument(
        "--run",
        required=True,
        type=_path,
        action="append",
        default=argparse.SUPPRESS,
        metavar="DIRECTORY",
        help="the run directory; given again, with another directory, the models translate together",
    )


def _add_merge(parser):
    parser.add_argument("--merge-subwords", action="store_true", help="attention between words, not pieces of words")


def _add_beam(parser):
    parser.add_argument("--beam-size", type=int, default=1, metavar="INT", help="hypotheses kept per step; 1 is greedy")


def _add_search(parser):
    group = parser.add_argument_group("search settings", "how a translation is found; by default greedily")
    for field in SearchConfig.__dataclass_fields__.values():
        _add_setting(group, field, field.default)


def _add_setting(group, field, default):
    meaning = field.metadata["meaning"]
    flag = "--" + field.name.replace("_", "-")
    if field.type is bool:
        group.add_argument(
            flag,
            action=argparse.BooleanOptionalAction,
            default=argparse.SUPPRESS,
            help=f"{meaning} (default: {default})",
        )
        return
    group.add_argument(
        flag,
        type=field.type,
        choices=field.metadata["names"],
        default=argparse.SUPPRESS,
        metavar=None if field.metadata["names"] else field.type.__name__.upper(),
        help=f"{meaning} (default: {default})",
    )


if __name__ == "__main__":
    sys.exit(main())
