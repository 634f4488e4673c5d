"""The command line: parses it, runs the command, and turns what goes wrong into one line and an exit status."""

import importlib
import logging
import os
import re
import sys
from collections.abc import Sequence

from ..runs.machine import DEVICE, TrainingInterrupted, show_messages
from . import console
from .options import COMMANDS
from .parser import PROGRAM, did_you_mean, make_parser

_PACKAGE = "nmt_attention"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the process's exit status.

    0, 1 after an error, 130 after Ctrl-C, 143 after SIGTERM, 141 if the reader of its output has closed the pipe.
    """
    parser, words = make_parser(), list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["help"] and len(words) < 3:
        words = [*words[1:], "--help"]
    if words and words[0] not in COMMANDS and not words[0].startswith("-"):
        sentence = f'to translate a sentence: {PROGRAM} translate "{console.visible(" ".join(words)):.200}"'
        near = did_you_mean(words[0].lower(), COMMANDS)
        parser.error(f"no command '{words[0]}'{near}" if near else f"no such command; {sentence}")
    command = next(filter(COMMANDS.__contains__, words), "")
    if command and words[0].startswith("-") and words[0] not in ("-h", "--help", "--version"):
        parser.error(f"options stand after the command: {PROGRAM} {command} {words[0]} …")
    options = parser.parse_args(words)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns of a cache in another place
    try:
        console.prepare()
        show_messages()
        if getattr(options, "device", "auto") == "cpu":
            os.environ[DEVICE] = "cpu"
        if not options.command:
            console.say(parser.format_help().rstrip())
            return 0
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
            reason = re.sub(r"\.\d+\.part$", "", str(error.filename)) + f": {error.strerror}"  # of `atomic_write`
        return _end(1, f"nmt-attention: {console.visible(' '.join(reason.split()))}")
    return 0


def _end(status: int, text: str = "") -> int:
    """Prints a text on standard error and returns the status; what cannot be written is dropped."""
    for stream, line in ((sys.stdout, ""), (sys.stderr, text)):
        try:
            print(line, end="\n" if line else "", file=stream, flush=True)
        except OSError:
            with open(os.devnull, "w") as nowhere:  # so that Python does not fail again when it ends
                os.dup2(nowhere.fileno(), stream.fileno())
    return status
