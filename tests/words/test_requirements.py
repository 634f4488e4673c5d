"""What the package needs and brings is said once, and the same everywhere."""

import json
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import nmt_attention

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
PYTHONS = ("3.11", "3.12", "3.13")


def requirements(lines):
    return {r.name: r for r in (Requirement(line.split("#")[0]) for line in lines if line.split("#")[0].strip())}


OWN, _, OTHERS = (ROOT / "requirements.txt").read_text(encoding="utf-8").partition("# Lessons")
REQUIRED = requirements(f"{OWN}{OTHERS[OTHERS.index(chr(10)) :]}".splitlines())
SITE = requirements((ROOT / "site" / "requirements.txt").read_text(encoding="utf-8").splitlines())
PINS = [Requirement(line) for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]


def test_the_package_and_its_lessons_need_what_the_requirements_say():
    assert requirements(PROJECT["dependencies"]) == requirements(OWN.splitlines())
    lessons = OTHERS.partition("# Development")[0].splitlines()[1:]
    assert requirements(EXTRAS["lessons"]) == requirements(lessons)


def test_the_extra_for_gpus_adds_nvidias_libraries_to_the_same_tensorflow_on_linux_alone():
    (line,) = EXTRAS["gpu"]
    need = Requirement(line)
    assert (need.name, need.extras, str(need.specifier)) == ("tensorflow", {"and-cuda"}, "")
    assert [need.marker.evaluate({"sys_platform": name}) for name in ("linux", "darwin")] == [True, False]
    for name in ("README.md", "docs/install.md"):
        assert "pip install '.[gpu]'" in (ROOT / name).read_text(encoding="utf-8")


def test_every_requirement_has_one_tested_version_for_every_python():
    assert not SITE.keys() & REQUIRED.keys()
    for name, required in (REQUIRED | SITE).items():
        for python in PYTHONS:
            where = {"python_full_version": f"{python}.0", "python_version": python}
            pins = [p for p in PINS if p.name == name and (p.marker is None or p.marker.evaluate(where))]
            assert len(pins) == 1, (name, python)
            (pin,) = pins[0].specifier
            assert pin.operator == "==" and required.specifier.contains(Version(pin.version)), (name, pin)


def test_every_page_and_file_names_the_same_pythons():
    assert PROJECT["requires-python"] == ">=3.11,<3.14"  # PYTHONS are those between
    for name in ("README.md", "docs/install.md"):
        assert "Python 3.11, 3.12 or 3.13" in (ROOT / name).read_text(encoding="utf-8")
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert container["image"].removeprefix("python:") in PYTHONS and container["postCreateCommand"] == "make setup"


def test_the_package_brings_every_folder_and_file():
    built = PYPROJECT["tool"]["setuptools"]
    folders = {path.parent for path in (ROOT / "nmt_attention").rglob("*.py")}
    packages = {".".join(path.relative_to(ROOT).parts) for path in folders}
    assert {*packages, "nmt_attention.data"} == set(built["packages"])
    places = {"nmt_attention.data": ROOT / "data"}
    found = {
        path
        for package, patterns in built["package-data"].items()
        for pattern in patterns
        for path in places.get(package, ROOT / package.replace(".", "/")).glob(pattern)
    }
    files = [path for path in (ROOT / "nmt_attention").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    data = [path for path in (ROOT / "data").iterdir() if path.suffix in (".tsv", ".json")]
    assert {path for path in (*files, *data) if path.suffix != ".py"} - {ROOT / "data" / "ablations.json"} <= found


def test_the_citation_is_of_this_version_and_names_the_licences():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"] == nmt_attention.__version__
    licences = [name.removeprefix("LicenseRef-").removesuffix("-FR") for name in PROJECT["license"].split(" AND ")]
    assert citation["license"] == licences
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
