"""Files that are complete or absent, and errors about them."""

import contextlib
import errno
import json
import os
import re
from pathlib import Path

import pytest
from command_line import names

from nmt_attention.disk import files
from nmt_attention.disk.files import atomic_write, in_brief, read_json, write_json


def test_json_gets_its_name_when_it_is_complete_and_is_readable(tmp_path):
    path, value = tmp_path / "value.json", {"name": "क्षत्रिय", "list": [1, 2.5, None, True]}
    with atomic_write(path) as partial:
        partial.write_text("old")
        assert names(tmp_path) == [partial.name]
    write_json(path, value)
    text = path.read_text(encoding="utf-8")
    assert json.loads(text) == read_json(path) == value and names(tmp_path) == ["value.json"]
    assert "क्षत्रिय" in text and text.endswith("}\n")


def test_what_is_replaced_keeps_its_link_and_its_mode(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.touch(0o600)
    link.symlink_to("real")
    write_json(link, 1)
    assert link.is_symlink() and real.read_text() == "1\n" and real.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("error", "write"), [(ValueError, Path.touch), (KeyboardInterrupt, str)])
def test_the_old_file_survives_a_block_that_raises(tmp_path, error, write):
    path = tmp_path / "notes.txt"
    path.write_text("old")
    with pytest.raises(error), atomic_write(path) as partial:
        write(partial)
        raise error
    assert path.read_text() == "old" and names(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize("times", [1, 4, 5])
def test_a_move_waits_for_a_program_that_has_the_file_open_and_leaves_no_part(tmp_path, monkeypatch, times):
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


@pytest.mark.parametrize("make", [os.mkdir, getattr(os, "mkfifo", os.mkdir)])  # Windows has no pipes in directories
def test_what_is_no_file_is_refused_before_anything_is_written(tmp_path, make):
    make(tmp_path / "other")
    with pytest.raises(OSError, match="other: expected a file, got a"), atomic_write(tmp_path / "other"):
        raise AssertionError("the block has begun")
    assert names(tmp_path) == ["other"] and not (tmp_path / "other").is_file()


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"\0", b"[" * 100_000, b"9" * 5000, b"1" + b" " * 100_000])
def test_what_is_no_json_or_too_much_of_it_is_one_line_that_names_the_file(tmp_path, monkeypatch, data):
    path = tmp_path / "value.json"
    path.write_bytes(data)
    monkeypatch.setattr(files, "MAX_JSON_BYTES", 100_000)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: (not JSON|more than 100,000 bytes)") as caught:
        read_json(path)
    assert str(caught.value).isprintable() and len(str(caught.value)) < len(str(path)) + 300


def test_an_error_that_quotes_a_file_is_short_and_commands_no_terminal_and_a_full_disk_names_the_file(tmp_path):
    assert in_brief(ValueError("a\x1b[2J\n\tb")) == "a [2J b"
    assert in_brief(KeyError()) == "KeyError" and len(in_brief("x" * 999)) == 200
    with pytest.raises(OSError) as full, atomic_write(tmp_path / "a"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert full.value.filename == str(tmp_path / "a") and not list(tmp_path.iterdir())
