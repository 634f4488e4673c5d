"""Commands without --run use the model that comes with the package, here a tiny one in its place."""

import functools
import shutil
from pathlib import Path

import pytest
from command_line import call, content, output
from tiny import parts

from nmt_attention import Translator, save_bundle
from nmt_attention.cli import common
from nmt_attention.deploy import export
from nmt_attention.runs import bundle

SENTENCE = "Where is the school?"
NOTICE = "Learned from the <Tatoeba> project.\n"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    directory = tmp_path_factory.mktemp("package") / "pretrained"
    save_bundle(directory, *parts(units=8))
    (directory / "NOTICE").write_text(NOTICE, encoding="utf-8")
    return directory


load = functools.cache(Translator.load)  # once, for all tests


@pytest.fixture
def pretrained(saved, tmp_path, monkeypatch):
    """The tiny model's directory; the working directory is an empty one."""
    for module in (bundle, common):
        monkeypatch.setattr(module, "PRETRAINED", saved)
    monkeypatch.setattr(Translator, "load", load)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return saved


def test_translate_and_say_where_there_are_runs_of_one_s_own(pretrained):
    lines = output("translate", SENTENCE)
    assert [translation.text for translation in Translator.load().translate([SENTENCE], beam_size=5)] == lines
    for name in ("a", "b"):
        shutil.copytree(pretrained, Path("runs", name))
    using = "using the model that comes with the package; for your own: --run "
    assert call("translate", SENTENCE).err == f"{using}{Path('runs', 'a')}\n"
    assert output("translate", "--run", "runs/b", SENTENCE) == lines


def test_a_heatmap_goes_to_the_working_directory(pretrained):
    before = content(pretrained)
    *_, path = output("plot", SENTENCE, "--show-end")
    assert path == "heatmap.png" and [*map(str, content(Path()))] == ["heatmap.png"] and content(pretrained) == before


def test_exports_have_the_notice(pretrained, monkeypatch):
    for form in ("--quantized", "--upload"):
        assert output("export", form, f"my{form}") == [f"my{form}"]
        assert Path(f"my{form}", "NOTICE").read_text(encoding="utf-8") == NOTICE
    asked = []
    monkeypatch.setattr(export, "export_saved_model", lambda *paths: asked.append(paths))
    assert output("export", "exported/1") == ["exported/1"] and asked == [(pretrained, Path("exported/1"))]


def test_a_package_without_the_model_is_an_error(pretrained, monkeypatch):
    monkeypatch.setattr(common, "PRETRAINED", Path("none"))
    assert call("translate", SENTENCE) == (1, "", "nmt-attention: none: not a trained model (config.json is missing)\n")
