"""The package as a library: its public names."""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nmt_attention
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.pairs import read_pairs, write_pairs

ROOT = Path(nmt_attention.__file__).parent.parent
MODULES = {path.stem for path in (ROOT / "nmt_attention").glob("*.py")}


def imported(path):
    """Returns (module, name) of everything that the cells of a lesson import from modules of the package."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    found = re.findall(r"^ *from nmt_attention\.([\w.]+) import ([\w, ]+)", code, re.MULTILINE)
    return [(module, name.strip()) for module, names in found for name in names.split(",")]


@pytest.mark.parametrize("path", sorted(ROOT.glob("notebooks/[0-9]*.ipynb")), ids=lambda path: path.stem)
def test_what_a_lesson_imports_from_a_module_is_public(path):
    names = imported(path)
    assert names
    for module, name in names:
        name = name.partition(" as ")[0]
        place = importlib.import_module(f"nmt_attention.{module}")
        home = getattr(getattr(place, name), "__module__", "")
        lives_there = home.removeprefix("nmt_attention.") in (module, home)  # or a folder's list of names has it
        assert not name.startswith("_") and (lives_there or name in place.__all__), f"{module}.{name}"


def test_every_public_name_is_there():
    for name in nmt_attention.__all__:
        assert getattr(nmt_attention, name) is not None
    assert len(set(nmt_attention.__all__)) == len(nmt_attention.__all__)


def test_tensorflow_can_be_imported_without_its_log_lines():
    code = "from nmt_attention.runs.machine import import_tensorflow; import_tensorflow(); import keras"
    environment = {name: value for name, value in os.environ.items() if name != "TF_CPP_MIN_LOG_LEVEL"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert (done.stdout, done.stderr) == ("", "")


def readme_code(name):
    """Returns the README's Python code of that name."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(f"<!-- {name} -->\n```python\n(.*?)```", readme, re.DOTALL)
    return code


def test_the_readme_trains_on_a_file_of_pairs_and_draws_a_heatmap(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_pairs("mine.tsv", read_pairs(find_corpus("phrasebook"))[:200])
    code = readme_code("own pairs")
    small = '{"epochs": 1, "units": 8, "embedding_units": 8, "tokenizer": "word"}'
    assert '{"epochs": 8}' in code
    exec(code.replace('{"epochs": 8}', small), names := {})
    assert names["translation"].source == "Dad bought me a camera."
    assert (tmp_path / "heatmap.png").is_file()


def test_the_readme_transliterates_what_it_says(capsys):
    code = readme_code("names")
    exec(code, {})
    assert code.rstrip().endswith("# " + ", ".join(capsys.readouterr().out.splitlines()))


def test_the_readme_trains_a_model_with_a_loop_of_ones_own_and_goes_on_with_fit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, names = readme_code("library"), {}
    for usual, small in (("[:3000]", "[:150]"), ("epochs=8", "epochs=1"), ("=96", "=8")):
        assert usual in code
        code = code.replace(usual, small)
    exec(code, names)
    assert len(names["history"]) == 1 and names["translation"].source == names["split"].test[0].source
    before = names["model"].get_weights()
    exec(readme_code("fit").replace("epochs=3", "epochs=1, verbose=0"), names)
    # every weight is trained by `fit` as well, and it is the translator's model
    assert not any(np.array_equal(old, new) for old, new in zip(before, names["model"].get_weights(), strict=True))
    assert names["translator"].models == [names["model"]]
