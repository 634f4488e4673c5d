"""Options that several commands share, and how help and usage errors are written."""

import argparse
import contextlib
import dataclasses
import difflib
import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from ..config import SearchConfig
from ..runs.machine import visible

_READY = "default: the model that comes with the package, under CC-BY 2.0 France"
BEAM_SIZE = 5  # of the commands that show translations; `evaluate` is greedy, as the tables are


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with what a mistyped word is most like, or with an example."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def, override]
        """Refuses what is left over here, where the options are known that it may be a mistyped one of."""
        self._first = next(iter(args or []), "")
        found, left = super().parse_known_args(args, namespace)
        if left:
            near = did_you_mean(left[0], self._option_string_actions) or self._run_meant(left[0]) or self._example()
            self.error(f"unrecognized arguments: {' '.join(left)}{near}")
        return found, left

    def error(self, message: str) -> NoReturn:
        """Ends the process with status 2."""
        if found := re.search(r"(invalid choice: '(.*?)') \(choose from (.*)\)", message):
            near = did_you_mean(found[2], re.findall(r"[\w-]+", found[3]))
            message = message.replace(found[0], found[1] + near) if near else message
        if "are required" in message:
            message += self._run_meant(self._first) or self._example()
        message = re.sub(r"invalid (?:int|float) value: ", "expected a number, got ", message)
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")

    def _run_meant(self, word: str) -> str:
        is_path = bool(re.search(r"[/\\]", word)) or os.path.isdir(word)
        return f" (did you mean --run {word}?)" if is_path and "--run" in self._option_string_actions else ""

    def _example(self) -> str:
        return f"; example: {self.format_usage().partition(' ')[2].strip()}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Returns a question that names the one of the words that a mistyped one is most like; "" if none is like it."""
    return "".join(f" (did you mean {name}?)" for name in difflib.get_close_matches(word, words, n=1, cutoff=0.65))


class _Help(argparse.ArgumentDefaultsHelpFormatter):
    """Shows the defaults that say something."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        says_something = action.default not in (None, False, [])
        return super()._get_help_string(action) if says_something else action.help


def add_command(
    subparsers: argparse._SubParsersAction,
    name: str,
    run: Callable[[argparse.Namespace], None],
    summary: str,
    example: str,
) -> argparse.ArgumentParser:
    """Adds a command's parser and returns it.

    Args:
        subparsers: the result of `ArgumentParser.add_subparsers`.
        name: str.
        run: function of the parsed options: what the command does.
        summary, example: str, for its help.
    """
    parser = subparsers.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        usage=f"%(prog)s {example}",
        formatter_class=_Help,
    )
    parser.set_defaults(run_command=run)
    return parser


def add_device(parser: argparse.ArgumentParser) -> None:
    """Adds --device."""
    parser.add_argument(
        "--device",
        choices=("auto", "cpu"),
        default="auto",
        help="cpu: leave GPUs alone; auto: use them if there are any",
    )


class _Once(argparse.Action):
    """An option that must not be given twice. In other commands two runs are an ensemble; here one would be ignored."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if hasattr(namespace, self.dest):
            raise argparse.ArgumentError(self, f"expected one, got {getattr(namespace, self.dest)} and {values}")
        setattr(namespace, self.dest, values)


def not_empty(text: str) -> str:
    """Returns a text that must not be empty, as an option's type."""
    if not text:  # an unset shell variable, which would mean the default or the current directory
        raise argparse.ArgumentTypeError("expected a path, got an empty one")
    return text


def path(text: str) -> Path:
    """Returns the path that a text names, as an option's type; shells leave the ~ of --run=~/mine as it is."""
    return Path(not_empty(text)).expanduser()


def check_page(file: Path) -> None:
    """Refuses to write a web page to a file of another kind, which may be a user's text, by a ValueError."""
    if file.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"{file}: a web page is written to a file that ends in .html")


def add_run(parser: argparse.ArgumentParser, required: bool = False) -> None:
    """Adds --run, one run directory; see `add_runs`."""
    parser.add_argument(
        "--run",
        required=required,
        type=path,
        action=_Once,
        default=argparse.SUPPRESS,
        metavar="DIRECTORY",
        help="run directory" if required else f"run directory ({_READY})",
    )


def add_runs(parser: argparse.ArgumentParser, without: str = f" ({_READY})") -> None:
    """Adds --run, one run directory or several; its help ends with what holds `without` it."""
    parser.add_argument(
        "--run",
        type=path,
        action="append",
        default=argparse.SUPPRESS,
        metavar="DIRECTORY",
        help=f"run directory; repeat with other directories to translate with an ensemble{without}",
    )


def check_runs(options: argparse.Namespace) -> None:
    """Raises a FileNotFoundError if a run directory that a command reads is not there; it names some that are."""
    for name in ("run", "compare", "beside"):
        given = getattr(options, name, [])
        for run in given if isinstance(given, list) else [given]:
            if run != "greedy" and not run.exists():
                known = f"runs here: {', '.join(here)}" if (here := _runs_here()) else "`nmt-attention train` makes one"
                raise FileNotFoundError(f"--{name} {run}: no such directory; {known}")


def run_or(options: argparse.Namespace, ready: Any) -> Any:
    """Returns --run, or `ready`, the model that comes with the package; where there are runs, it says which."""
    if not hasattr(options, "run") and (here := _runs_here()):
        print(f"using the model that comes with the package; for your own: --run {here[0]}", file=sys.stderr)
    return getattr(options, "run", ready)


def _runs_here() -> list[str]:
    return [str(file.parent) for file in sorted(Path("runs").glob("*/config.json"))]


def as_sentences(words: list[str]) -> list[str]:
    """Returns the sentences that a command's arguments are: bare words without final marks are one, and it says so.

    Raises:
        ValueError: one is the name of a file or of a run directory; the message says what to type.
    """
    for word in words:
        typed = shlex.quote(word)
        if os.path.isfile(os.path.join(word, "config.json")):
            raise ValueError(f"{word} is a run directory; write --run {typed}")
        if os.path.isfile(word) or re.fullmatch(r"\S+\.(?:txt|tsv|csv)", word):
            raise ValueError(f"{word} is the name of a file; to translate its lines: translate --file {typed}")
    if len(words) < 2 or any(len(word.split()) != 1 for word in words) or all(word[-1] in ".?!" for word in words):
        return words
    sentence = " ".join(words)
    several = "Several sentences: each in quotation marks, with its final mark."
    print(visible(f'Read as one sentence: "{sentence}". {several}'), file=sys.stderr)
    return [sentence]


def add_beam(parser: argparse.ArgumentParser) -> None:
    """Adds --beam-size."""
    parser.add_argument(
        "--beam-size", type=int, default=BEAM_SIZE, metavar="INT", help="hypotheses kept per step; 1 is greedy"
    )


def add_search(parser: argparse.ArgumentParser, beam_size: int = 1) -> None:
    """Adds an option for each field of `SearchConfig`; the beam size is the one that `search_settings` is given."""
    group = parser.add_argument_group("search settings", "how a translation is searched for")
    for field in dataclasses.fields(SearchConfig):
        add_setting(group, field, beam_size if field.name == "beam_size" else field.default)


def add_setting(group: argparse._ArgumentGroup, field: dataclasses.Field, default: Any) -> None:
    """Adds an option for a setting, a field of one of the configurations."""
    assert isinstance(field.type, type)  # not an annotation as text
    meaning = field.metadata["meaning"] + (f" (default: {default})" if default != "" else "")
    flag = _flag(field.name)
    if field.type is bool:
        group.add_argument(
            flag,
            action=argparse.BooleanOptionalAction,
            default=argparse.SUPPRESS,
            help=meaning,
        )
        return
    group.add_argument(
        flag,
        type=field.type,
        choices=field.metadata["choices"],
        default=argparse.SUPPRESS,
        metavar=None if field.metadata["choices"] else field.type.__name__.upper(),
        help=meaning,
    )


def search_settings(options: argparse.Namespace, beam_size: int = 1) -> dict[str, Any]:
    """Returns the search settings that were given, having made sure that they are valid.

    Args:
        options: parsed, of a parser with `add_search`.
        beam_size: that of a search without `--beam-size` and `--samples`, if it is not greedy.
    """
    names = [field.name for field in dataclasses.fields(SearchConfig)]
    search = {name: getattr(options, name) for name in names if hasattr(options, name)}
    if beam_size > 1 and not search.get("samples"):
        search = {"beam_size": beam_size, **search}
    with named_as_options(names):
        SearchConfig(**search)
    return search


@contextlib.contextmanager
def named_as_options(names: Collection[str]) -> Iterator[None]:
    """Lets the message of a ValueError name settings as the command line does: --top-k for top_k."""
    try:
        yield
    except ValueError as error:
        pattern = rf"\b(?:{'|'.join(names)})\b"
        raise ValueError(re.sub(pattern, lambda name: _flag(name[0]), str(error))) from None


def _flag(setting: str) -> str:
    return "--" + setting.replace("_", "-")
