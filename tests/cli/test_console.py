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
from types import SimpleNamespace

import numpy as np
import pytest

import nmt_attention
from nmt_attention.cli import console
from nmt_attention.cli.main import main
from nmt_attention.runs.history import write_history

ROOT = Path(nmt_attention.__file__).parent.parent
HISTORY = [
    {"epoch": i, "loss": 3.0, "dev_perplexity": 9.0, "dev_bleu": 1.0, "dev_chrf": 2.0, "seconds": 1.0} for i in (1, 2)
]


class Translation:
    """A translation that says what was given."""

    def __init__(self, source):
        self.source, self.text, self.score, self.attention = source, f"मराठी:{source}", 0.0, np.zeros((0, 0))

    def _asdict(self):
        return {"source": self.source, "text": self.text}


class Translator:
    @classmethod
    def load(cls, *runs):
        return cls()

    def n_best(self, sentences, **settings):
        return [[Translation(sentence)] for sentence in sentences]


@pytest.fixture
def echo(monkeypatch):
    """The translator of the command line only repeats what it is given, and TensorFlow is not imported."""
    monkeypatch.setitem(sys.modules, "nmt_attention.translate", SimpleNamespace(Translator=Translator))
    monkeypatch.setattr("nmt_attention.runs.machine.import_tensorflow", lambda: None)


def give_stdin(monkeypatch, file):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=file, isatty=lambda: False))


class Screen(io.StringIO):
    def isatty(self):
        return True


def run_module(redirect):
    """Runs the command line without a command, which prints its help, in a shell that redirects its streams."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirect}', "sh", sys.executable, "-m", "nmt_attention"],
        capture_output=True,
        cwd=ROOT,
    )


# --- encodings


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_output_is_utf_8_whatever_the_stream_was(echo, monkeypatch, encoding):
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}", io.TextIOWrapper(io.BytesIO(), encoding, newline="\n"))
    assert main(["translate", "--run", "run", "go", "\udcff"]) == 0
    assert sys.stdout.buffer.getvalue().decode("utf-8") == "मराठी:go\nमराठी:\\udcff\n"
    assert main(["translate", "--run", "run", "--file", "नाही.txt"]) == 1
    assert "नाही.txt" in sys.stderr.buffer.getvalue().decode("utf-8")


@pytest.mark.parametrize(
    "locale",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["PYTHONIOENCODING", "LC_ALL"],
)
def test_a_process_in_an_ascii_locale_writes_utf_8(locale):
    program = r"""
import sys, types
from nmt_attention.runs import quiet
from nmt_attention.cli.main import main

class Translator:
    def n_best(self, sentences, **settings):
        return [[types.SimpleNamespace(text="\u0918\u0930")] for sentence in sentences]

Translator.load = lambda run: Translator()
sys.modules["nmt_attention.translate"] = types.SimpleNamespace(Translator=Translator)
quiet.import_tensorflow = lambda: None
sys.exit(main(["translate", "--run", "run", "house"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT, env={**os.environ, **locale})
    assert (done.returncode, done.stdout.decode("utf-8").splitlines(), done.stderr) == (0, ["घर"], b"")


# --- streams that take nothing


@pytest.mark.parametrize(
    ("redirect", "said"),
    [
        (">/dev/full", b"nmt-attention: standard output: No space left on device\n"),
        (">&-", b"nmt-attention: standard output is closed\n"),
    ],
)
def test_a_full_disk_or_a_closed_stream_gives_one_line(redirect, said):
    done = run_module(redirect)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", said)


def test_a_closed_standard_error_costs_no_result():
    done = run_module("2>&-")
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout.startswith(b"usage: nmt-attention")


class Full(io.StringIO):
    """A stream on a full disk, which drops what it could not write, as large writes do."""

    def write(self, text):
        raise OSError(28, "No space left on device")

    def fileno(self):
        return os.dup(1)


def test_a_picture_is_saved_before_its_name_is_printed(tmp_path, monkeypatch, capfd):
    write_history(tmp_path / "history.csv", HISTORY)
    monkeypatch.setattr("sys.stdout", Full())
    monkeypatch.setattr(console, "drop_what_is_left", lambda stream: None)
    assert main(["plot", "--run", str(tmp_path), "--history"]) == 1
    assert capfd.readouterr().err == "nmt-attention: standard output: No space left on device\n"
    assert (tmp_path / "history.png").read_bytes().startswith(b"\x89PNG")


def test_a_closed_standard_input_is_named(echo, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    assert main(["translate", "--run", "run"]) == 1
    assert "standard input, which is closed" in capsys.readouterr().err


# --- lines as they come


def test_a_line_is_answered_before_the_next_is_sent(echo, monkeypatch):
    reading, asking = os.pipe()
    answering, writing = os.pipe()
    with (
        open(reading, "rb") as stdin,
        open(writing, "w", encoding="utf-8") as stdout,
        open(answering, "rb", buffering=0) as answers,
    ):
        give_stdin(monkeypatch, stdin)
        monkeypatch.setattr("sys.stdout", stdout)
        statuses = []
        thread = threading.Thread(target=lambda: statuses.append(main(["translate", "--run", "run"])))
        thread.start()
        try:
            for line in (b"one\n", b"tw", b"o\r\nthree\n"):
                os.write(asking, line)
                for expected in {b"one\n": ["one"], b"o\r\nthree\n": ["two", "three"]}.get(line, []):
                    assert select.select([answers], [], [], 30)[0], f"no answer to {expected}"
                    assert answers.readline().decode() == f"मराठी:{expected}\n"
        finally:
            os.close(asking)
            thread.join(30)
    assert statuses == [0]


def test_lines_that_are_there_are_translated_together(echo, tmp_path, monkeypatch, capsys):
    sizes = []
    monkeypatch.setattr(Translator, "n_best", lambda self, sentences, **_: sizes.append(len(sentences)) or [])
    (tmp_path / "lines.txt").write_bytes(b"go\n" * 3000)
    assert main(["translate", "--run", "run", "--file", str(tmp_path / "lines.txt")]) == 0
    assert sizes == [1024, 1024, 952]


@pytest.mark.parametrize(
    ("bad", "said"),
    [(b"\xff\n", "line 3: not UTF-8 (byte 1 of the line)"), (b"a" * 1_000_001, "line 3: longer than 1,000,000 bytes")],
)
def test_lines_before_a_bad_one_are_answered(echo, monkeypatch, capsys, bad, said):
    give_stdin(monkeypatch, io.BytesIO(b"one\ntwo\n" + bad + b"four\n"))
    assert main(["translate", "--run", "run"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == ["मराठी:one", "मराठी:two"] and f"standard input, {said}" in err


# --- letters that programs and terminals obey

OBEYED = "a\x1b[2J\x9b2J\x7f\u2028\u2029\x85\r\u202eb\u2066"


def test_a_json_value_is_one_line_to_every_program(echo, capsys):
    assert main(["translate", "--run", "run", "--json", OBEYED, "\udcff"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["source"] for line in lines] == [OBEYED, "\udcff"]
    assert "मराठी" in lines[0] and not {"\x9b", "\x7f", "\x1b"} & set(lines[0])


@pytest.mark.parametrize("json_lines", [[], ["--json"]])
def test_a_terminal_is_sent_nothing_that_it_obeys(echo, monkeypatch, json_lines):
    monkeypatch.setattr("sys.stdout", Screen())
    assert main(["translate", "--run", "run", *json_lines, OBEYED + "\tक्ष\u200d"]) == 0
    line = sys.stdout.getvalue().removesuffix("\n")
    assert all(letter.isprintable() or letter in "\t\u200d" for letter in line) and "क्ष\u200d" in line
    if json_lines:
        assert json.loads(line)["source"] == OBEYED + "\tक्ष\u200d"
    else:
        assert line.startswith(r"मराठी:a\u001b[2J\u009b2J\u007f\u2028\u2029\u0085\u000d\u202eb\u2066")


def test_a_file_gets_plain_text_as_it_is(echo, capsys):
    assert main(["translate", "--run", "run", "a\x9b\u202eb"]) == 0
    assert capsys.readouterr().out == "मराठी:a\x9b\u202eb\n"


# --- the command line itself


def test_without_a_command_there_is_help(capsys):
    assert main([]) == 0
    assert "translate sentences" in capsys.readouterr().out


def test_the_version_can_be_asked_for(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert (stopped.value.code, capsys.readouterr().out) == (0, f"nmt-attention {nmt_attention.__version__}\n")


@pytest.mark.parametrize("module", ["tensorflow", "matplotlib"])
def test_a_missing_package_is_named_with_what_to_run(tmp_path, monkeypatch, capsys, module):
    write_history(tmp_path / "history.csv", HISTORY)
    for name in [
        name for name in sys.modules if name == "nmt_attention.figures.heatmap" or name.startswith("nmt_attention.fon")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    command = {"tensorflow": ["translate", "go"], "matplotlib": ["plot", "--history"]}[module]
    assert main([*command, "--run", str(tmp_path)]) == 1
    said = f"nmt-attention: {module} is missing: run make setup, or pip install -r requirements.txt\n"
    assert capsys.readouterr().err == said


def test_a_missing_module_of_the_package_itself_is_no_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "nmt_attention.figures.heatmap", None)
    with pytest.raises(ModuleNotFoundError, match=r"nmt_attention\.figures\.heatmap"):
        main(["plot", "--run", "run", "--history"])


def test_where_matplotlib_keeps_its_cache_is_no_news(monkeypatch, caplog):
    def plot(options):
        logging.getLogger("matplotlib").warning("created a temporary cache directory")

    monkeypatch.setattr("nmt_attention.cli.plot.run", plot)
    assert main(["plot", "--run", "run"]) == 0
    assert caplog.records == []
