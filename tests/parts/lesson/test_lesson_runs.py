"""What the lessons train: presets, their corpus, and models that are trained once."""

import shutil

import portalocker
import pytest

from nmt_attention import DATA_DIRECTORY, Translator, load_corpus, make_settings, read_pairs, split_pairs
from nmt_attention.disk.files import read_json, write_json
from nmt_attention.lesson import runs as lesson
from nmt_attention.lesson.runs import lesson_corpus, preset, run_directory, trained
from nmt_attention.runs import bundle
from nmt_attention.runs.bundle import PRETRAINED
from nmt_attention.runs.splits import corpus_hash


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Quick lessons, quicker still, with their runs in an empty directory."""
    monkeypatch.delenv("NMT_ATTENTION_RUNS", raising=False)
    monkeypatch.setenv("NMT_PRESET", "quick")
    monkeypatch.setattr(lesson, "RUNS", tmp_path)
    monkeypatch.setattr(lesson, "QUICK_PAIRS", 150)
    tiny = {"units": 8, "embedding_units": 8, "epochs": 1, "vocabulary_size": 300, "tokenizer": "word"}
    monkeypatch.setattr(lesson, "QUICK_SETTINGS", tiny)


def test_the_environment_chooses_settings_corpus_and_directory(monkeypatch, tmp_path):
    (tmp_path / "other.tsv").write_text("Go.\tजा.\n", encoding="utf-8")
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "other.tsv"))
    monkeypatch.delenv("NMT_ATTENTION_RUNS", raising=False)
    runs, quick = DATA_DIRECTORY.parent / "runs", load_corpus("phrasebook")[: lesson.QUICK_PAIRS]
    full = "full", [("Go.", "जा.", "")], runs / "plain"
    for value, wanted in (("quick", ("quick", quick, runs / "lessons-quick" / "plain")), ("full", full), ("", full)):
        monkeypatch.setenv("NMT_PRESET", value)
        assert (preset(), lesson_corpus(), run_directory("plain")) == wanted
    monkeypatch.setenv("NMT_ATTENTION_RUNS", str(tmp_path / "runs"))
    assert run_directory("plain") == tmp_path / "runs" / "plain"
    monkeypatch.setenv("NMT_ATTENTION_RUNS", str(tmp_path / "drive" / "runs"))
    with pytest.raises(ValueError, match="NMT_ATTENTION_RUNS: .*drive does not exist; mount the drive"):
        run_directory("plain")
    monkeypatch.setenv("NMT_PRESET", "fast")
    with pytest.raises(ValueError, match="NMT_PRESET: expected quick or full, got 'fast'"):
        preset()


def test_gold_links_are_the_corpus_s_and_without_one_the_phrasebook_s(monkeypatch, tmp_path):
    monkeypatch.setenv("NMT_ATTENTION_RUNS", str(tmp_path / "runs"))
    monkeypatch.delenv("NMT_PRESET", raising=False)
    (tmp_path / "runs" / "plain").mkdir(parents=True)
    corpus_s = "a b c d e f g h i", "क ख ग घ ङ", "CC-BY 2.0 (France) Attribution: tatoeba.org #1775 (a) & #9973939 (b)"
    own, other = (pair[:2] for pair in read_pairs(DATA_DIRECTORY / "phrasebook.tsv")[:2])
    for dev, wanted in ((other, {own, other}), (corpus_s, {corpus_s[:2]})):
        for part, pair in (("dev", dev), ("test", own)):
            text = "\t".join(pair) + "\n"
            (tmp_path / "runs" / "plain" / f"{part}.tsv").write_text(text, encoding="utf-8")
        assert {gold.pair[:2] for gold in lesson.unseen_gold("plain")} == wanted


def test_a_model_is_trained_once(quick, monkeypatch, capsys):
    first = trained("plain", attention="none")
    assert first.model.config.attention == "none"
    weights = run_directory("plain") / "weights.npz"
    written = weights.stat().st_mtime_ns
    again = trained("plain", attention="none")
    assert weights.stat().st_mtime_ns == written
    assert [t.text for t in again.translate(["I am ill."])] == [t.text for t in first.translate(["I am ill."])]
    with pytest.raises(ValueError, match="attention is none, asked for dot"):
        trained("plain", attention="dot")


def test_the_pretrained_model_needs_no_training_and_warns_of_another_corpus(quick, monkeypatch, tmp_path, capsys):
    translator, run, split = trained("pretrained"), run_directory("pretrained"), split_pairs(lesson_corpus())
    assert (run / "weights.npz").read_bytes() == (PRETRAINED / "weights.npz").read_bytes()
    assert translator.translate(["Go."])[0].text == Translator.load().translate(["Go."])[0].text
    found = [[pair[:2] for pair in read_pairs(run / f"{part}.tsv")] for part in ("train", "dev", "test")]
    assert found == [[pair[:2] for pair in pairs] for pairs in split]
    assert read_json(run / "scores.json") == {"test": read_json(PRETRAINED / "scores.json")["eight_bits"]}
    assert "another copy of the corpus" in capsys.readouterr().err

    hashes = {f"{part}.tsv": corpus_hash(pairs) for part, pairs in split._asdict().items()}
    hashes["train.tsv"] = "with extra pairs"
    package = shutil.copytree(PRETRAINED, tmp_path / "package")
    write_json(package / "scores.json", {"eight_bits": {}, "training": {"split_sha256": hashes}})
    monkeypatch.setattr(bundle, "PRETRAINED", package)
    trained("pretrained")
    assert capsys.readouterr().err == ""


def test_the_pretrained_model_takes_no_settings_and_leaves_a_run_of_this_name_alone(quick):
    with pytest.raises(ValueError, match="attention: no effect on the model that comes with the package"):
        trained("pretrained", attention="dot")
    own = run_directory("pretrained") / "run.json"
    own.parent.mkdir(parents=True)
    own.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="holds a run of your own"):
        trained("pretrained")
    assert [path.name for path in own.parent.iterdir()] == ["run.json"]


def test_one_lesson_at_a_time_trains_a_model_with_the_settings_of_a_preset_without_guidance(quick, monkeypatch):
    asked = []

    def run_training(directory, pairs, settings):
        asked.append(settings)
        lock = portalocker.Lock(directory.with_name(f"{directory.name}.lock"), timeout=0)
        with pytest.raises(portalocker.LockException):
            lock.acquire()
        raise KeyboardInterrupt  # as when the learner stops the cell

    monkeypatch.setattr("nmt_attention.runs.run.run_training", run_training)
    for base in ("quick", "transformer"):
        with pytest.raises(KeyboardInterrupt):
            trained(base, base)
        with portalocker.Lock(run_directory(f"{base}.lock"), timeout=0):
            pass  # free again
        changes = lesson.UNGUIDED | lesson.QUICK_SETTINGS | {"learning_rate": lesson.QUICK_RATES[base]}
        expected = make_settings(base, changes, 150)
        assert asked.pop() == expected and expected["guidance"] == 0.0
    assert expected["architecture"] == "transformer"
