"""What fuzzing found, kept: each case is accepted, or refused in one line that names the file."""

import sys
from pathlib import Path

import pytest

from nmt_attention import corpus

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import fuzz

CASES = [pytest.param(path, id=f"{path.parent.name}-{path.name}") for path in sorted(fuzz.CASES.glob("*/*"))]


@pytest.fixture(scope="module", autouse=True)
def tiny_bundle():
    return fuzz.tiny_bundle()  # so that what TensorFlow says when it starts is in no test's output


@pytest.mark.parametrize("path", CASES)
def test_a_kept_case_is_accepted_or_refused_as_its_name_says(path, tmp_path, capfd):
    said = fuzz.TARGETS[path.parent.name](path.read_bytes(), tmp_path)
    assert path.name.startswith("refused" if said else "accepted"), said
    assert capfd.readouterr().err == ""


def test_both_outcomes_of_both_targets_are_kept():
    found = {(path.parent.name, path.name.split("-")[0]) for path in fuzz.CASES.glob("*/*")}
    assert found == {(target, outcome) for target in fuzz.TARGETS for outcome in ("accepted", "refused")}


def test_a_model_of_many_layers_is_refused_before_it_is_made(tmp_path):
    _, make_model = fuzz.tiny_bundle()
    before = make_model.cache_info()
    assert fuzz.read_bundle((fuzz.CASES / "bundle" / "refused-config-many-layers").read_bytes(), tmp_path)
    assert make_model.cache_info() == before


@pytest.mark.parametrize("said", ["{path}: bad\nworse", "{path}: " + "bad" * 101, "bad: {path}", "bad", ""])
def test_a_message_of_several_lines_or_without_the_file_is_a_finding(tmp_path, monkeypatch, said):
    def read_pairs(path):
        raise ValueError(said.format(path=path))

    monkeypatch.setattr(corpus, "read_pairs", read_pairs)
    with pytest.raises(AssertionError):
        fuzz.read_corpus(b"0a\tb", tmp_path)


def test_another_error_and_pairs_that_do_not_come_back_are_findings(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus, "write_pairs", lambda path, pairs: path.write_text("c\td\n"))
    with pytest.raises(AssertionError):
        fuzz.read_corpus(b"0a\tb", tmp_path)
    monkeypatch.setattr(corpus, "read_pairs", lambda path: {}[path])
    with pytest.raises(KeyError):
        fuzz.read_corpus(b"0a\tb", tmp_path)
