"""What commands write, and where it goes: encodings, full disks, closed streams, pipes, terminals."""

import io
import json
import logging
import os
import select
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from command_line import stdin_of

import nmt_attention
from nmt_attention.cli.console import note
from nmt_attention.cli.main import main
from nmt_attention.runs.machine import show_messages
from nmt_attention.runs.run_files import write_history
from nmt_attention.translate import Translation

ROOT = Path(nmt_attention.__file__).parent.parent


class Translator:
    """Says what it was given."""

    preprocessor = None

    @classmethod
    def load(cls, *runs, **options):
        return cls()

    def n_best(self, sentences, **settings):
        nothing = np.zeros((0, 0), np.float32)
        return [[Translation(sentence, f"मराठी:{sentence}", [], [], nothing, 0.0)] for sentence in sentences]


@pytest.fixture
def echo(monkeypatch):
    """The translator of the command line only repeats what it is given, and TensorFlow is not imported."""
    monkeypatch.setattr("nmt_attention.cli.translate.import_tensorflow", lambda: None)
    monkeypatch.setattr("nmt_attention.translate.Translator", Translator)


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_output_is_utf_8_whatever_the_stream_was(echo, monkeypatch, encoding):
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}", io.TextIOWrapper(io.BytesIO(), encoding, newline="\n"))
    assert main(["translate", "--run", "/", "go now", "\udcff"]) == 0
    assert sys.stdout.buffer.getvalue().decode("utf-8") == "मराठी:go now\nमराठी:\\udcff\n"
    assert main(["translate", "--run", "/", "--file", "नाही.txt"]) == 1
    assert "नाही.txt" in sys.stderr.buffer.getvalue().decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("redirect", "status", "out", "err"),
    [
        (">/dev/full", 1, b"", b"nmt-attention: standard output: No space left on device\n"),
        (">&-", 1, b"", b"nmt-attention: standard output is closed\n"),
        ("2>&-", 0, b"usage: nmt-attention translate", b""),
    ],
)
def test_a_full_disk_or_a_closed_stream_gives_one_line_and_costs_no_result(redirect, status, out, err):
    command = ["sh", "-c", f'exec "$@" {redirect}', "sh", sys.executable, "-m", "nmt_attention"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stdout[: len(out) or None], done.stderr) == (status, out, err)


def test_a_line_is_answered_before_the_next_is_sent(echo, monkeypatch):
    reading, asking = os.pipe()
    answering, writing = os.pipe()
    with (
        open(reading, "rb") as stdin,
        open(writing, "w", encoding="utf-8") as stdout,
        open(answering, "rb", 0) as answers,
    ):
        monkeypatch.setattr("sys.stdin", stdin_of(stdin))
        monkeypatch.setattr("sys.stdout", stdout)
        thread = threading.Thread(target=main, args=(["translate", "--run", "/"],))
        thread.start()
        try:
            for typed, expected in ((b"one\n", ["one"]), (b"tw", []), (b"o\r\nthree\n", ["two", "three"])):
                os.write(asking, typed)
                for line in expected:
                    assert select.select([answers], [], [], 30)[0], f"no answer to {line}"
                    assert answers.readline().decode() == f"मराठी:{line}\n"
        finally:
            os.close(asking)
            thread.join(30)


@pytest.mark.parametrize(
    ("bad", "said"),
    [(b"\xff\n", "line 3: not UTF-8 (byte 1 of the line)"), (b"a" * 1_000_001, "line 3: longer than 1,000,000 bytes")],
)
def test_lines_before_a_bad_one_are_answered(echo, monkeypatch, capsys, bad, said):
    monkeypatch.setattr("sys.stdin", stdin_of(b"one\ntwo\n" + bad + b"four\n"))
    assert main(["translate", "--run", "/"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == ["मराठी:one", "मराठी:two"] and f"standard input, {said}" in err


OBEYED = "a\x1b[2J\x9b2J\x7f\u2028\u2029\x85\r\u202eb\u2066"


def test_a_json_value_is_one_line_to_every_program(echo, capsys):
    assert main(["translate", "--run", "/", "--json", OBEYED, "\udcff"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["source"] for line in lines] == [OBEYED, "\udcff"]
    assert "मराठी" in lines[0] and not {"\x9b", "\x7f", "\x1b"} & set(lines[0])


@pytest.mark.parametrize("json_lines", [[], ["--json"]])
def test_a_terminal_is_sent_nothing_that_it_obeys(echo, monkeypatch, json_lines):
    monkeypatch.setattr("sys.stdout", Screen())
    assert main(["translate", "--run", "/", *json_lines, OBEYED + "\tक्ष\u200d"]) == 0
    line = sys.stdout.getvalue().removesuffix("\n")
    assert all(letter.isprintable() or letter in "\t\u200d" for letter in line) and "क्ष\u200d" in line
    if json_lines:
        assert json.loads(line)["source"] == OBEYED + "\tक्ष\u200d"
    else:
        assert line.startswith(r"मराठी:a\u001b[2J\u009b2J\u007f\u2028\u2029\u0085\u000d\u202eb\u2066")


def test_a_line_of_progress_is_taken_off_a_terminal_before_anything_else_is_written(monkeypatch):
    monkeypatch.setattr("sys.stderr", Screen())
    show_messages()
    logging.getLogger("nmt_attention.alignment").info("pass 1", extra={"transient": True})
    for text in ("done", "more"):
        note(text)
    assert sys.stderr.getvalue() == "\r\x1b[Kpass 1\r\x1b[Kdone\nmore\n"


@pytest.mark.parametrize(("module", "command"), [("tensorflow", "translate go"), ("matplotlib", "plot --history")])
def test_a_missing_package_is_named_with_what_to_run(tmp_path, monkeypatch, capsys, module, command):
    write_history(tmp_path / "history.csv", [{"epoch": 1, "loss": 3.0, "dev_chrf": 2.0}])
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    assert main([*command.split(), "--run", str(tmp_path)]) == 1
    said = f"nmt-attention: {module} is missing: run make setup, or pip install -r requirements.txt\n"
    assert capsys.readouterr().err == said
