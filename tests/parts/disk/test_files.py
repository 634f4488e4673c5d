import contextlib
import json
import os
import re
from pathlib import Path

import pytest

from nmt_attention.disk.files import atomic_write, in_brief, read_json, write_json


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_a_file_gets_its_name_when_the_block_ends(tmp_path):
    with atomic_write(tmp_path / "notes.txt") as partial:
        partial.write_text("मराठी", encoding="utf-8")
        assert names(tmp_path) == [partial.name]
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "मराठी" and names(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("written", ["half", None])
def test_the_old_file_survives_a_block_that_raises(tmp_path, error, written):
    path = tmp_path / "notes.txt"
    path.write_text("old")
    with pytest.raises(error), atomic_write(path) as partial:
        if written:
            partial.write_text(written)
        raise error
    assert path.read_text() == "old"
    assert names(tmp_path) == ["notes.txt"]


def test_a_move_that_fails_leaves_no_part(tmp_path):
    with pytest.raises(OSError, match="notes"), atomic_write(tmp_path / "notes") as partial:
        partial.write_text("whole")
        (tmp_path / "notes").mkdir()
    assert names(tmp_path) == ["notes"]


@pytest.mark.parametrize("times", [1, 4, 5])
def test_a_move_waits_for_a_program_that_has_the_file_open(tmp_path, monkeypatch, times):
    refusals, waits, replace = [PermissionError("in use")] * times, [], Path.replace
    monkeypatch.setattr("time.sleep", waits.append)

    def refuse(path, target):
        if refusals:
            raise refusals.pop()
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with contextlib.suppress(PermissionError):
        write_json(tmp_path / "value.json", 1)
    assert names(tmp_path) == (["value.json"] if times < 5 else [])
    assert waits == [0.1, 0.2, 0.4, 0.8][:times]


@pytest.mark.parametrize("kind", ["device or a pipe", "directory"])
def test_what_is_no_file_is_refused_before_anything_is_written(tmp_path, kind):
    if kind != "directory" and not hasattr(os, "mkfifo"):
        pytest.skip("Windows has no pipes in directories")
    (os.mkdir if kind == "directory" else os.mkfifo)(tmp_path / "other")
    with pytest.raises(OSError, match=f"other: expected a file, got a {kind}"), atomic_write(tmp_path / "other"):
        raise AssertionError("the block has begun")
    assert names(tmp_path) == ["other"] and not (tmp_path / "other").is_file()


def test_json_is_written_readably_and_read_back(tmp_path):
    path, value = tmp_path / "value.json", {"name": "क्षत्रिय", "list": [1, 2.5, None, True]}
    write_json(path, value)
    text = path.read_text(encoding="utf-8")
    assert json.loads(text) == read_json(path) == value
    assert "क्षत्रिय" in text and text.endswith("}\n")
    with pytest.raises(TypeError):
        write_json(path, {"a": object()})
    assert read_json(path) == value and names(tmp_path) == ["value.json"]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"\0", b"[" * 100_000, b"9" * 5000, b'{"a": 1}' * 20])
def test_what_is_no_json_or_too_much_of_it_is_one_line_that_names_the_file(tmp_path, data):
    path = tmp_path / "value.json"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: (not JSON|more than 100 bytes)") as caught:
        read_json(path, max_bytes=100 if len(data) == 160 else None)
    assert str(caught.value).isprintable() and len(str(caught.value)) < len(str(path)) + 300


def test_an_error_that_quotes_a_file_is_short_and_commands_no_terminal():
    assert in_brief(ValueError("a\x1b[2J\n\tb")) == "a [2J b"
    assert in_brief(KeyError()) == "KeyError" and len(in_brief("x" * 999)) == 200
