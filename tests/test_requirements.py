"""What an installed package needs and brings: one list of requirements, tested versions, and its data."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import nmt_attention

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = ("3.11.0", "3.12.0", "3.13.0")


def requirements(lines):
    return {r.name: r for r in (Requirement(line.split("#")[0]) for line in lines if line.split("#")[0].strip())}


REQUIRED = requirements((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())
SITE = requirements((ROOT / "site" / "requirements.txt").read_text(encoding="utf-8").splitlines())
PINS = [Requirement(line) for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]


def test_the_package_needs_what_the_requirements_say():
    extras = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    package = requirements([*PROJECT["dependencies"], *extras])
    assert package == {name: REQUIRED[name] for name in package}
    own = (ROOT / "requirements.txt").read_text(encoding="utf-8").split("# Lessons")[0]
    assert set(package) == set(requirements(own.splitlines()))


def test_every_requirement_has_one_tested_version_for_every_python():
    allowed = re.findall(r"\d+\.\d+", PROJECT["requires-python"])
    assert (allowed[0], allowed[1]) == ("3.11", "3.14")  # PYTHONS are those between
    assert not SITE.keys() & REQUIRED.keys()
    for name, required in (REQUIRED | SITE).items():
        for python in PYTHONS:
            where = {"python_full_version": python, "python_version": python[:4]}
            pins = [p for p in PINS if p.name == name and (p.marker is None or p.marker.evaluate(where))]
            assert len(pins) == 1, (name, python)
            (pin,) = pins[0].specifier
            assert pin.operator == "==" and required.specifier.contains(Version(pin.version)), (name, pin)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A directory with what the package's wheel holds."""
    place = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    source = place / "source"  # a copy, because building leaves files beside the sources
    for name in shipped_files():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([*build, "--wheel-dir", place, source], check=True)
    (wheel,) = place.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "site")
    return place / "site"


def shipped_files():
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    usual = ("pyproject.toml", "README.md", "LICENSE")
    return [name for name in names if name.startswith(("nmt_attention/", "data/")) or name in usual]


def test_a_wheel_holds_every_module_and_the_data(site):
    modules = [
        name for name in shipped_files() if name.startswith("nmt_attention/")
    ]  # templates, styles and scripts too
    assert len(modules) > 50
    for name in modules:
        assert (site / name).read_bytes() == (ROOT / name).read_bytes()
    for name in ("phrasebook.tsv", "names.tsv", "anki_alignments.tsv"):
        assert (site / "nmt_attention/data" / name).read_bytes() == (ROOT / "data" / name).read_bytes()


@pytest.mark.marathon
def test_an_installed_package_trains_far_from_the_repository(site, tmp_path):
    place = tmp_path / "elsewhere"
    place.mkdir()
    lines = (ROOT / "data" / "phrasebook.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (place / "pairs.tsv").write_text("".join(lines[:300]), encoding="utf-8")
    small = "--epochs 1 --units 8 --embedding-units 8 --vocabulary-size 300 --batch-size 64 --placeholders 0.3"
    environment = {"PYTHONPATH": str(site), "PATH": "", "HOME": str(tmp_path)}

    def call(*words):
        command = [sys.executable, "-m", "nmt_attention", *words]
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    call("train", "--run", "run", "--corpus", "pairs.tsv", *small.split())
    assert (place / "run" / "weights.npz").is_file()
    assert call("translate", "Where is my book?") == "माझं पुस्तक कुठे आहे?\n"  # with the model that comes with it
    assert len(call("translate", "--run", "run", "I am at home.", "Come in.").splitlines()) == 2
    assert call("plot", "--run", "run", "I am at home.").endswith("run/heatmap.png\n")
    assert len(call("align", "pairs.tsv", "--run", "run").splitlines()) == 300
    assert call("export", "--run", "run", "exported") == "exported\n"
    assert sorted(path.name for path in place.iterdir()) == ["exported", "pairs.tsv", "run"]


@pytest.mark.marathon
def test_an_installed_package_serves_its_page(site, tmp_path):
    code = (
        "from nmt_attention import WordTokenizer, Translator, Seq2Seq, ModelConfig\n"
        "from nmt_attention.deploy.page import make_app\n"
        "words = WordTokenizer.learn(['good day'], 10)\n"
        "model = Seq2Seq(ModelConfig(6, 6, units=8, embedding_units=8))\n"
        "page = make_app(Translator(model, words, words)).test_client().get('/')\n"
        "assert page.status_code == 200 and b'<html' in page.data\n"
    )
    environment = {"PYTHONPATH": str(site), "PATH": "", "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_the_development_container_sets_up_a_python_that_the_package_allows():
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    container = json.loads(text)
    assert len(text.splitlines()) <= 15
    assert container["image"].removeprefix("python:") in {python[:4] for python in PYTHONS}
    assert container["postCreateCommand"] == "make setup"


def test_the_citation_is_of_this_version_and_names_the_licences():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"] == nmt_attention.__version__
    licences = [name.removeprefix("LicenseRef-").removesuffix("-FR") for name in PROJECT["license"].split(" AND ")]
    assert citation["license"] == licences
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
