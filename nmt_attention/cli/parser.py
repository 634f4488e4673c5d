"""The parser of the command line, made from the table of `options`; its errors are one line that says what to type."""

import argparse
import difflib
import functools
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from .. import __version__
from .options import COMMANDS, Option

PROGRAM = "nmt-attention"
_SWITCHES = {bool: "store_true", argparse.BooleanOptionalAction: argparse.BooleanOptionalAction}
_WIDE = functools.partial(argparse.HelpFormatter, max_help_position=16)


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the whole command line."""
    parser = Parser(
        prog=PROGRAM,
        usage='%(prog)s translate "Where is my book?"',
        description="Translates English into Marathi, shows where the model looks, and trains models that do so.",
        formatter_class=_WIDE,
        epilog=f"{PROGRAM} COMMAND --help shows the options of a command.",
    )
    shells = ("bash", "zsh", "tcsh")
    parser.add_argument("--print-completion", choices=shells, action=_Completion, help="for the shell's start-up file")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog=PROGRAM)
    for name, (summary, example, options) in COMMANDS.items():
        described = f"{summary[0].upper()}{summary[1:]}."
        command = subparsers.add_parser(name, help=summary, description=described, usage=f"%(prog)s {example}")
        for option in options:
            command.add_option(option)
        rare = sum(option.rare for option in options)
        about = f"show {rare} rarer options too" if rare else argparse.SUPPRESS
        command.add_argument("--help-all", nargs=0, action=_HelpAll, help=about)
    return parser


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with what a mistyped word is most like, and an example."""

    def add_option(self, option: Option) -> None:
        """Adds a row of the table; the option's value is its default, None or False where it is not given."""
        names, meaning, kind, shown, default, many, group, rare = option
        if kind in _SWITCHES:
            more: dict[str, Any] = {"action": _SWITCHES[kind]}
        else:
            more = {"metavar": shown, "default": default, "choices" if isinstance(kind, tuple) else "type": kind}
        if many == "again":
            more["action"] = "append"
        elif many in {*"+*?"}:
            more["nargs"] = many
        elif shown in ("FILE", "DIRECTORY"):
            more |= {"action": _Once, "required": many == "1"}
        meaning += f" (default: {default})" if default is not None else ""
        place: Any = next((one for one in self._action_groups if one.title == group), None)
        place = self if not group else place or self.add_argument_group(group)
        action = place.add_argument(*names.split(), help=argparse.SUPPRESS if rare else meaning, **more)
        action.meaning = meaning

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def, override]
        """Refuses what is left over here, where the options are known that it may be a mistyped one of."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            near = did_you_mean(left[0], self._option_string_actions) if left[0].startswith("-") else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{near}")
        return found, left

    def error(self, message: str) -> NoReturn:
        """Ends the process with status 2."""
        if found := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            message += did_you_mean(found[1], re.findall(r"[\w-]+", found[2]))
        example = self.format_usage().partition(" ")[2].strip()
        self.exit(2, f"{self.prog}: {message}; example: {example}; see {self.prog} --help\n")


class _Once(argparse.Action):
    """An option that must not be given twice. In other commands two runs are an ensemble; here one would be ignored."""

    def __call__(self, parser, namespace, values, option_string=None):  # type: ignore[no-untyped-def]
        if (before := getattr(namespace, self.dest)) is not None:
            raise argparse.ArgumentError(self, f"expected one, got {before} and {values}")
        setattr(namespace, self.dest, values)


class _HelpAll(argparse.Action):
    """Help that leaves no option out."""

    def __call__(self, parser, *_):  # type: ignore[no-untyped-def]
        for action in parser._actions:  # noqa: SLF001 - argparse lists its options nowhere else
            action.help = getattr(action, "meaning", action.help)
        parser.print_help()
        parser.exit()


class _Completion(argparse.Action):
    """Prints what makes a shell complete commands and options, if the package shtab is there."""

    def __call__(self, parser, namespace, shell, option_string=None):  # type: ignore[no-untyped-def]
        try:
            import shtab
        except ModuleNotFoundError:
            parser.error("--print-completion: this needs shtab: pip install shtab")
        print(shtab.complete(parser, shell))
        parser.exit()


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Returns a question that names the one of the words that a mistyped one is most like; "" if none is like it.

    Dashes before a word say nothing, and of an option's name people type as little as they must: `--beem` is most like
    the beginning of `--beam-size`.
    """
    typed = word.lstrip("-").partition("=")[0]
    meant = {name.lstrip("-"): name for name in words}
    if len(typed) > 2:
        meant = {whole[: len(typed)]: name for whole, name in meant.items() if name != whole} | meant
    near = difflib.get_close_matches(typed, meant, 1, 0.65)
    return f" (did you mean {meant[near[0]]}?)" if near else ""
