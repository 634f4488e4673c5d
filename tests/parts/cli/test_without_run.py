"""Commands without --run use the model that comes with the package, here a tiny one in its place."""

import os
import shutil
from pathlib import Path

import pytest

from nmt_attention.cli.main import main
from nmt_attention.config import ModelConfig
from nmt_attention.deploy import export
from nmt_attention.model import Seq2Seq
from nmt_attention.runs import bundle
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator

SENTENCE = "where is the book ?"
NOTICE = "Learned from the <Tatoeba> project.\n"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    directory = tmp_path_factory.mktemp("package") / "ready"
    words = WordTokenizer.learn([SENTENCE, "good day"], 20)
    save_bundle(directory, Seq2Seq(ModelConfig(len(words), len(words), units=8, embedding_units=8)), words, words)
    (directory / "NOTICE").write_text(NOTICE, encoding="utf-8")
    return directory


@pytest.fixture
def ready(saved, tmp_path, monkeypatch):
    """The tiny model's directory; the working directory is an empty one."""
    monkeypatch.setattr(bundle, "READY", saved)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return saved


def run(capsys, *arguments):
    """Returns the lines on standard output of a command that succeeds and says no more."""
    assert main([str(argument) for argument in arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out.splitlines()


def test_translate(ready, tmp_path, capsys):
    lines = run(capsys, "translate", SENTENCE)
    copy = shutil.copytree(bundle.READY, tmp_path / "copy")  # not the package's
    assert main(["translate", "--run", str(copy), SENTENCE]) == 0
    assert capsys.readouterr() == ("\n".join([*lines, ""]), "")
    assert [translation.text for translation in Translator.load().translate([SENTENCE], beam_size=5)] == lines


def test_a_heatmap_goes_to_the_working_directory(ready, capsys):
    before = sorted(ready.iterdir())
    *_, path = run(capsys, "plot", SENTENCE, "--show-end")
    assert path == "heatmap.png" and os.listdir() == ["heatmap.png"] and sorted(ready.iterdir()) == before


def test_a_smaller_copy_has_the_notice(ready, capsys):
    assert run(capsys, "export", "--quantized", "small") == ["small"]
    with open("small/NOTICE", encoding="utf-8") as file:
        assert file.read() == NOTICE


def test_a_saved_model(ready, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(export, "export_saved_model", lambda *paths: asked.append(paths))
    assert main(["export", "exported/1"]) == 0
    assert asked == [(ready, Path("exported/1"))] and capsys.readouterr() == ("exported/1\n", "")


def test_evaluate_scores_given_files(ready, tmp_path, capsys):
    text = tmp_path / "text"
    text.write_text("good day\n", encoding="utf-8")
    assert main(["evaluate", "--source", str(text), "--reference", str(text)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("1 sentences, 1 references\nBLEU")
    assert said.err.endswith("what it was trained on is not known\n") and said.err.count("\n") == 1


def test_where_there_are_runs_a_line_says_that_none_of_them_is_used(ready, capsys):
    for name in ("a", "b"):
        shutil.copytree(bundle.READY, Path("runs", name))
    assert main(["translate", SENTENCE]) == 0
    using = "using the model that comes with the package; for your own: --run "
    assert capsys.readouterr().err == f"{using}{Path('runs', 'a')}\n"
    assert main(["translate", "--run", "runs/b", SENTENCE]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["evaluate"], "expected --run, whose held-out pairs are scored, --everyday, or --source and --reference"),
        (["evaluate", "--split", "dev"], "expected --run, whose held-out pairs are scored"),
        (["evaluate", "--alignments", "file"], "--alignments: expected --run, whose training pairs it needs"),
        (
            ["evaluate", "--source", "a", "--reference", "b", "--errors"],
            "--errors: expected --run, whose training pairs it needs",
        ),
        (["plot", "--history"], "--history: expected --run; the model that comes with the package has no history"),
    ],
)
def test_what_needs_a_run_is_refused_without_one(ready, arguments, reason, capsys):
    assert main(arguments) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"nmt-attention: {reason}") and os.listdir() == []


def test_a_package_without_the_model_is_an_error(ready, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bundle, "READY", tmp_path / "none")
    assert main(["translate", SENTENCE]) == 1
    assert (
        capsys.readouterr().err == f"nmt-attention: {tmp_path / 'none'}: not a trained model (config.json is missing)\n"
    )
