"""What users of other tools reported: environments, paths and files that are not what they seem."""

import io
import os
import runpy
import subprocess
import sys
import types

import pytest

from nmt_attention.cli.main import main
from nmt_attention.cli.options import path
from nmt_attention.runs.bundle import load_bundle

COMMAND = "import nmt_attention; nmt_attention.GRUCell; import keras; print(keras.backend.backend())"


@pytest.mark.parametrize("wish", ["variable", "file"])
def test_another_project_s_keras_backend_is_not_used(wish, tmp_path):
    (tmp_path / "keras.json").write_text('{"backend": "torch"}' if wish == "file" else "{}", encoding="utf-8")
    environment = {**os.environ, "KERAS_HOME": str(tmp_path)}
    environment.pop("KERAS_BACKEND", None)
    environment |= {"KERAS_BACKEND": "jax"} if wish == "variable" else {}
    run = subprocess.run([sys.executable, "-c", COMMAND], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "tensorflow\n"


def test_keras_that_runs_on_another_backend_already_is_refused(monkeypatch):
    keras = types.SimpleNamespace(backend=types.SimpleNamespace(backend=lambda: "jax"))
    monkeypatch.setitem(sys.modules, "keras", keras)
    with pytest.raises(ImportError, match="import nmt_attention before keras"):
        runpy.run_module("nmt_attention.__init__")


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
