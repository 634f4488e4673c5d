"""The command line: parses it, runs the command, and turns what goes wrong into one line and an exit status."""

import importlib
import itertools
import logging
import os
import re
import shlex
import sys
from collections.abc import Sequence

from ..runs.machine import DEVICE, TrainingInterrupted, show_messages
from . import console
from .common import check_runs
from .options import COMMANDS
from .parser import PROGRAM, did_you_mean, make_parser

_PACKAGE = "nmt_attention"
_START = """\
Translates English into Marathi, and shows where the model looks. Begin with one of these:

  nmt-attention translate "Where is my book?"   the translation
  nmt-attention plot "Where is my book?"        a picture of where the model looked
  nmt-attention serve                           both for any sentence, on a page in your browser
  nmt-attention train --run runs/mine           a model of your own, in minutes

nmt-attention --help lists all commands, and nmt-attention translate --help the options of one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the process's exit status.

    0, 1 after an error, 130 after Ctrl-C, 143 after SIGTERM, 141 if the reader of its output has closed the pipe.
    """
    parser, words = make_parser(), list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["help"] and len(words) < 3:
        words = [*words[1:], "--help"]
    if advice := _advice(words):
        parser.error(advice)
    options = parser.parse_args(words)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns of a cache in another place
    try:
        console.prepare()
        show_messages()
        if getattr(options, "device", "auto") == "cpu":
            os.environ[DEVICE] = "cpu"
        if not options.command:
            console.say(_START)
            return 0
        if options.command != "train":  # which makes its run directory
            check_runs(options)
        importlib.import_module(f".{options.command}", __package__).run(options)
        console.say()  # what is still buffered
    except BrokenPipeError:  # the reader, perhaps `head`, has closed the pipe
        return _end(141)
    except TrainingInterrupted as stop:
        return _end(128 + stop.number, f"nmt-attention: {stop}; run the same command to resume")
    except KeyboardInterrupt:
        more = "; run the same command to resume from the last checkpoint" if options.command == "train" else ""
        return _end(130, f"\nnmt-attention: stopped{more}")
    except ModuleNotFoundError as error:
        module = (error.name or _PACKAGE).partition(".")[0]
        if module == _PACKAGE:
            raise
        return _end(1, f"nmt-attention: {module} is missing: run make setup, or pip install -r requirements.txt")
    except (OSError, ValueError, FloatingPointError, RuntimeError, MemoryError) as error:
        reason = str(error) or type(error).__name__
        if isinstance(error, OSError) and error.filename is not None:  # without its number
            relative = isinstance(error, FileNotFoundError) and not os.path.isabs(error.filename)
            name = re.sub(r"\.\d+\.part$", "", str(error.filename))  # of `atomic_write`
            reason = f"{name or repr('')}: {error.strerror}" + (f" in {os.getcwd()}" if relative else "")
        return _end(1, f"nmt-attention: {console.visible(' '.join(reason.split()))}")
    return 0


def _advice(words: list[str]) -> str:
    """Returns what to type if the first word is no command: a mistyped one, a sentence, an option; else ""."""
    sentence = " ".join(itertools.takewhile(lambda word: not word.startswith("-"), words))
    if sentence and words[0] not in COMMANDS:
        near = did_you_mean(words[0].lower(), [*COMMANDS, "help"])
        if near and words[0].lower() != "help":
            return f"no command '{words[0]}'{near}"
        return f'no such command; to translate a sentence: {PROGRAM} translate "{console.visible(sentence):.200}"'
    command = next((word for word in words if word in COMMANDS), "")
    if command and words[0].startswith("-") and words[0] not in ("-h", "--help", "--version"):
        words.remove(command)
        return f"options stand after the command: {PROGRAM} {shlex.join([command, *words])}"
    return ""


def _end(status: int, text: str = "") -> int:
    """Prints a text on standard error and returns the status; what cannot be written is dropped."""
    for stream, line in ((sys.stdout, ""), (sys.stderr, text)):
        try:
            print(line, end="\n" if line else "", file=stream, flush=True)
        except OSError:
            console.drop_what_is_left(stream)
    return status
