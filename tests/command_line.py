"""Runs the command line in this process, for tests of its commands; and files for it."""

import contextlib
import io
import zipfile
from types import SimpleNamespace
from typing import NamedTuple

from nmt_attention.cli.main import main


class Result(NamedTuple):
    status: int
    out: str
    err: str


def call(*arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stopped:  # of help and of usage errors
            status = stopped.code
    return Result(status, out.getvalue(), err.getvalue())


def output(*arguments):
    """Returns the lines that a command that succeeds prints."""
    result = call(*arguments)
    assert (result.status, result.err) == (0, "")
    return result.out.splitlines()


def refusal(*arguments):
    """Returns the line on standard error of a command that fails, and prints nothing else but `corpus …`."""
    result = call(*arguments)
    assert (result.status, result.out) == (1, ""), result
    *before, line = result.err.splitlines()
    assert line.startswith("nmt-attention: ") and all(earlier.startswith("corpus ") for earlier in before)
    return line


def content(directory):
    """Returns the bytes of every file in a directory."""
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def stdin_of(data):
    """Returns standard input with these bytes, or of this binary file, that no terminal is."""
    return SimpleNamespace(buffer=io.BytesIO(data) if isinstance(data, bytes) else data, isatty=lambda: False)


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def zip_of(members, compression=zipfile.ZIP_DEFLATED):
    """Returns a zip without the time of day, so that equal members make equal bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name), data, compression)
    return file.getvalue()
