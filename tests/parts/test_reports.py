"""What users of other tools reported: environments, paths and files that are not what they seem."""

import io
import sys

import pytest

from nmt_attention.cli.main import main
from nmt_attention.cli.options import path
from nmt_attention.runs.bundle import load_bundle


def test_a_tilde_that_the_shell_left_is_the_home_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert path("~/runs/mine") == tmp_path / "runs" / "mine"
    assert str(path("a~b")) == "a~b"


def test_a_pointer_of_git_lfs_is_named(copy):
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    (copy / "weights.npz").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"weights\.npz: .*Git LFS; run git lfs pull"):
        load_bundle(copy)


def test_the_file_called_dash_is_standard_input(run, capsys, monkeypatch):
    def translated(*options):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Go home.\nI see.\n")))
        assert main(["translate", "--run", str(run), *options]) == 0
        return capsys.readouterr().out

    assert translated("--file", "-") == translated() != ""
