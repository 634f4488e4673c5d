import json
import os

import pytest

from nmt_attention.disk.files import atomic_write, write_json
from nmt_attention.runs.history import read_history, write_history

HISTORY = [
    {"epoch": 1, "loss": 3.125, "dev_bleu": 0.1 + 0.2},
    {"epoch": 2, "loss": 1e-300, "dev_bleu": 12.0},
]


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_a_file_gets_its_name_when_the_block_ends(tmp_path):
    path = tmp_path / "notes.txt"
    with atomic_write(path) as partial:
        partial.write_text("मराठी", encoding="utf-8")
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "मराठी"
    assert names(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_the_old_file_survives_a_block_that_raises(tmp_path, error):
    path = tmp_path / "notes.txt"
    path.write_text("old")
    with pytest.raises(error), atomic_write(path) as partial:
        partial.write_text("half")
        raise error
    assert path.read_text() == "old"
    assert names(tmp_path) == ["notes.txt"]


def test_a_block_that_raises_before_it_writes_leaves_nothing(tmp_path):
    with pytest.raises(ValueError), atomic_write(tmp_path / "notes.txt"):
        raise ValueError
    assert names(tmp_path) == []


def test_json_is_written_readably_and_read_back(tmp_path):
    value = {"name": "क्षत्रिय", "list": [1, 2.5, None, True]}
    write_json(tmp_path / "value.json", value)
    text = (tmp_path / "value.json").read_text(encoding="utf-8")
    assert json.loads(text) == value
    assert "क्षत्रिय" in text and text.endswith("}\n")


def test_a_value_that_is_no_json_leaves_the_old_file(tmp_path):
    path = tmp_path / "value.json"
    write_json(path, [1])
    with pytest.raises(TypeError):
        write_json(path, {"a": object()})
    assert json.loads(path.read_text()) == [1]
    assert names(tmp_path) == ["value.json"]


def test_history_is_read_back_as_it_was_written(tmp_path):
    write_history(tmp_path / "history.csv", HISTORY)
    rows = read_history(tmp_path / "history.csv")
    assert rows == HISTORY
    assert [type(value) for value in rows[0].values()] == [int, float, float]
    write_history(tmp_path / "history.csv", HISTORY[:1])
    assert read_history(tmp_path / "history.csv") == HISTORY[:1]


def test_history_that_was_not_written_yet_has_no_rows(tmp_path):
    assert read_history(tmp_path / "history.csv") == []


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("epoch,loss\n1\n", id="a row cut short"),
        pytest.param("epoch,loss\n1,2.0,3.0\n", id="a row too long"),
        pytest.param("epoch,loss\n1,abc\n", id="not a number"),
    ],
)
def test_damaged_history_is_an_error_that_names_the_file(tmp_path, content):
    (tmp_path / "history.csv").write_text(content)
    with pytest.raises(ValueError, match="history.csv"):
        read_history(tmp_path / "history.csv")


def test_a_move_that_fails_leaves_no_part(tmp_path):
    (tmp_path / "notes").mkdir()
    with pytest.raises(OSError, match="notes"), atomic_write(tmp_path / "notes") as partial:
        partial.write_text("whole")
    assert names(tmp_path) == ["notes"]


def test_a_pipe_or_a_device_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="pipe: expected a file"), atomic_write(tmp_path / "pipe") as partial:
        partial.write_text("whole")
    assert names(tmp_path) == ["pipe"] and not (tmp_path / "pipe").is_file()
