"""What the package needs and brings is said once, and the same everywhere."""

import json
import tomllib

import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import nmt_attention
from tools.teaching.course import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
PYTHONS = ("3.11", "3.12", "3.13")


def requirements(lines):
    return {r.name: r for r in (Requirement(line.split("#")[0]) for line in lines if line.split("#")[0].strip())}


PARTS = (ROOT / "requirements.txt").read_text(encoding="utf-8").split("\n\n# ")
OWN, LESSONS, DEVELOPMENT = (requirements(part.splitlines()[1:]) for part in PARTS)
SITE = requirements((ROOT / "site" / "requirements.txt").read_text(encoding="utf-8").splitlines())
PINS = [Requirement(line) for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]


def test_the_package_its_lessons_and_gpus_need_what_the_requirements_say():
    extras = PROJECT["optional-dependencies"]
    assert requirements(PROJECT["dependencies"]) == OWN and requirements(extras["lessons"]) == LESSONS
    assert extras["gpu"] == ["tensorflow[and-cuda]; sys_platform == 'linux'"]  # of the same TensorFlow


def test_every_requirement_has_one_tested_version_for_every_python():
    assert PROJECT["requires-python"] == ">=3.11,<3.14"  # PYTHONS are those between
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert container["image"].removeprefix("python:") in PYTHONS and container["postCreateCommand"] == "make setup"
    assert not SITE.keys() & {**OWN, **LESSONS, **DEVELOPMENT}.keys()
    for name, required in {**OWN, **LESSONS, **DEVELOPMENT, **SITE}.items():
        for python in PYTHONS:
            where = {"python_full_version": f"{python}.0", "python_version": python}
            pins = [p for p in PINS if p.name == name and (p.marker is None or p.marker.evaluate(where))]
            assert len(pins) == 1, (name, python)
            (pin,) = pins[0].specifier
            assert pin.operator == "==" and required.specifier.contains(Version(pin.version)), (name, pin)


def test_the_package_brings_every_folder_and_file():
    built = PYPROJECT["tool"]["setuptools"]
    folders = {path.parent for path in (ROOT / "nmt_attention").rglob("*.py")}
    packages = {".".join(path.relative_to(ROOT).parts): path for path in folders}
    packages["nmt_attention.data"] = ROOT / "data"
    assert packages.keys() == set(built["packages"])
    patterns = [(packages[name], pattern) for name, found in built["package-data"].items() for pattern in found]
    brought = {path for place, pattern in patterns for path in place.glob(pattern)}
    files = [path for path in (ROOT / "nmt_attention").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    data = [path for path in (ROOT / "data").iterdir() if path.suffix in (".tsv", ".json")]
    assert {path for path in (*files, *data) if path.suffix != ".py"} - {ROOT / "data" / "ablations.json"} <= brought


def test_the_citation_is_of_this_version_and_names_the_licences():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"] == nmt_attention.__version__
    licences = [name.removeprefix("LicenseRef-").removesuffix("-FR") for name in PROJECT["license"].split(" AND ")]
    assert citation["license"] == licences
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
