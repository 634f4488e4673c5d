"""Wrong calls and their answers: one line that says what to type; no model is loaded and no file is touched."""

import shlex
from pathlib import Path

import pytest
from command_line import call, content

from nmt_attention.preprocess.rules import read_sections
from nmt_attention.translate import Translator

CALLS, _ = read_sections(Path(__file__).with_name("wrong_calls.tsv"))
STATUS = {"usage": 2, "refused": 1}
FILES = {
    "in.txt": "I go.\n",
    "pairs.tsv": "I go.\tमी जातो.\n",
    "photo.png": "a photograph",
    "theirs.html": "<p>mine",
    "theirs/train.tsv": "mine",
    "mine/config.json": "{}",
    "begun/history.csv": "epoch,loss\n",
    "without-scores/history.csv": "epoch,loss,dev_perplexity\n1,2.0\n",
    "no-history/history.csv": "hello\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working directory, with files of a user."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(Translator, "load", None)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "pairs.tsv"))
    return tmp_path


@pytest.mark.parametrize(("typed", "answer", "status"), [(*row, STATUS[kind]) for kind in CALLS for row in CALLS[kind]])
def test_a_wrong_call_is_answered_in_one_line(here, typed, answer, status):
    before = content(here)
    result = call(*shlex.split(typed))
    *notes, line = result.err.splitlines()
    assert (result.status, result.out) == (status, "") and line.startswith("nmt-attention") and answer in line
    assert all(note.startswith(("corpus ", "pairs.tsv: ", "using the model")) for note in notes)
    assert content(here) == before and not (here / "r").exists()
