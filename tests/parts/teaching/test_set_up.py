"""The first cell of every lesson and what it imports: in the repository, in learners' copies, Colab and Kaggle."""

import importlib.metadata
import importlib.util
import logging
import re
import shutil
import subprocess
import sys
import tomllib
import types

import pytest
from packaging.requirements import Requirement

from nmt_attention.lesson import figures
from tools.teaching import course

FILE = (course.ROOT / "tools" / "teaching" / "colab.txt").read_text(encoding="utf-8")
SOURCE = next(cell.source for cell in course.read(course.lesson_paths()[0]).cells if cell.cell_type == "code")
# What of this project's needs Colab's runtime has; `set_up` brings the others.
PINS = {(found := Requirement(line)).name: found for line in FILE.splitlines() if not line.startswith("#")}


@pytest.fixture
def set_up(monkeypatch, tmp_path):
    """Runs the first cell twice in the current directory; returns the commands it gave and the module search path."""
    commands = []
    monkeypatch.chdir(tmp_path)

    def run(command, check):
        assert check, "a failed command must not pass unseen"
        commands.append(command)
        if command[0] == "git":
            (tmp_path / command[-1] / "nmt_attention").mkdir(parents=True)
            shutil.copy(course.ROOT / "pyproject.toml", command[-1])

    def system(command):  # of Colab's shell; fetches files from a copy of the repository
        assert command == "curl -sSfO https://raw.githubusercontent.com/owner/name/HEAD/notebooks/set_up.py"
        shutil.copy(course.NOTEBOOKS / "set_up.py", ".")

    def do(repository="", where=""):
        monkeypatch.setattr(subprocess, "run", run)
        if where == "Colab":
            monkeypatch.setitem(sys.modules, "google.colab", None)
        elif where:
            monkeypatch.setenv("KAGGLE_KERNEL_RUN_TYPE", "Interactive")  # there is no google.colab
        notebook, calls = types.ModuleType("__main__"), []
        notebook.get_ipython = lambda: types.SimpleNamespace(system=system)
        monkeypatch.setitem(sys.modules, "__main__", notebook)
        monkeypatch.delitem(sys.modules, "set_up", raising=False)  # as after a restart
        monkeypatch.setattr(figures, "set_up_figures", lambda: calls.append("figures"))
        monkeypatch.setattr(logging.getLogger("nmt_attention.preprocess.verify"), "filters", [])  # until afterwards
        monkeypatch.setattr(sys, "path", [""])
        for _ in range(2):  # a second run changes nothing
            exec(SOURCE.replace('""', f'"{repository}"'), vars(notebook))
        assert calls == ["figures"]
        return commands, sys.path

    return do


def test_outside_colab_it_finds_the_package_above_or_installed_or_says_there_is_none(set_up, monkeypatch, tmp_path):
    for place in ("mine/notebooks", "mine/build/student"):
        shutil.copytree(course.NOTEBOOKS, tmp_path / place, ignore=lambda *names: {*names[1]} - {"set_up.py"})
        (tmp_path / "mine" / "nmt_attention").mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / place)
        assert set_up("owner/name") == ([], [str(tmp_path / "mine"), ""])
    shutil.copy("set_up.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert set_up() == ([], [""])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match="nmt_attention is neither installed nor in a directory above"):
        set_up()


@pytest.mark.parametrize("where", ["Colab", "Kaggle"])
def test_in_an_empty_directory_it_clones_once_and_installs_what_is_missing(set_up, monkeypatch, tmp_path, where):
    names = [types.SimpleNamespace(metadata={"Name": name.upper().replace("-", "_")}) for name in PINS]
    monkeypatch.setattr(importlib.metadata, "distributions", lambda: names)
    needs = tomllib.loads((course.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    missing = [need for need in needs if re.match(r"[\w-]+", need)[0] not in PINS]
    assert 0 < len(missing) < len(needs)
    clone = ["git", "clone", "--quiet", "--depth=1", "https://github.com/owner/name", "course"]
    install = [sys.executable, "-m", "pip", "install", "--quiet", *missing]
    with pytest.raises(ModuleNotFoundError, match="set_up"):
        set_up("", where)
    assert set_up("owner/name", where) == ([clone, install], [str(tmp_path / "course"), ""])
    assert set_up("owner/name", where)[0] == [clone, install, install]  # goes on with a broken installation
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match="owner/name"):
        set_up("", where)


def test_without_a_repository_a_wheel_beside_the_notebook_is_installed_and_what_it_needs(set_up, monkeypatch, tmp_path):
    for name in ("set_up.py", "nmt_attention-1.whl"):
        shutil.copy(course.NOTEBOOKS / "set_up.py", tmp_path / name)
    specs, there = iter([None]), [types.SimpleNamespace(metadata={"Name": "NumPy"})]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: next(specs, name))
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: ["numpy>=2", "more>=1", 'b; extra == "a"'])
    monkeypatch.setattr(importlib.metadata, "distributions", lambda: there)
    pip = [sys.executable, "-m", "pip", "install", "--quiet"]
    assert set_up("", "Colab") == ([[*pip, "--no-deps", "nmt_attention-1.whl"], [*pip, "more>=1"]], [""])


def test_what_decides_what_a_lesson_shows_in_colab_is_pinned():
    for name in ("tensorflow", "keras", "numpy", "matplotlib", "protobuf", "pillow", "ipython", "ipykernel"):
        (pin,) = PINS[name].specifier
        assert pin.operator == "==" and pin.version.count(".") == 2
