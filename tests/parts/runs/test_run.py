"""A whole run: the files that it leaves, how it is resumed, and what makes it another run."""

import json

import numpy as np
import pytest
import tensorflow as tf
from command_line import content
from tensorflow.python.framework.config import disable_op_determinism, is_op_determinism_enabled

from nmt_attention import Translator, make_corpus, read_pairs, run_training, split_pairs
from nmt_attention.runs.machine import processor_name
from nmt_attention.runs.run_files import WRITTEN


def test_training_leaves_a_run_directory_whose_account_names_the_machine_and_scores_few_first(trained):
    assert {path.name for path in trained.run.iterdir()} == {"lock", *WRITTEN}
    split = split_pairs(read_pairs(trained.corpus))
    assert [read_pairs(trained.run / f"{name}.tsv") for name in ("dev", "test")] == [split.dev, split.test]
    found = json.loads((trained.run / "run.json").read_text())["machine"]
    gpus = tf.config.get_visible_devices("GPU")
    assert found["processor"] == processor_name() and len(found["gpus"]) == len(gpus)
    assert found["cudnn"] == bool(gpus)
    dev, test = (len({p.source for p in read_pairs(trained.run / f"{name}.tsv")}) for name in ("dev", "test"))
    assert dev > 2 and trained.scored == [2, dev, dev, test]  # a few before the first step, all after it, at the end


def test_the_model_of_every_epoch_is_kept_where_asked_for(trained):
    assert sorted(path.name for path in (trained.run / "epochs").iterdir()) == ["0", "1"]
    before, after, last = (np.load(trained.run / place / "weights.npz") for place in ("epochs/0", "epochs/1", "."))
    assert all(np.array_equal(after[name], last[name]) for name in last.files)
    assert not any(np.array_equal(before[name], last[name]) for name in last.files if "kernel" in name)
    assert len(Translator.load(trained.run / "epochs" / "1").translate(["Rahul drinks tea."])) == 1


def test_training_goes_on_from_the_weights_and_tokens_of_another_model(trained, tmp_path):
    trained.train(tmp_path / "more", "--start", trained.run, "--keep-epochs")
    for name in ("source.json", "target.json", "config.json"):
        assert content(tmp_path / "more" / name) == content(trained.run / name)
    places = tmp_path / "more" / "epochs" / "0", trained.run, tmp_path / "more"
    first, start, last = (np.load(place / "weights.npz") for place in places)
    assert all(np.array_equal(first[name], start[name]) for name in start.files)
    assert not all(np.array_equal(last[name], start[name]) for name in start.files)
    (tmp_path / "empty").mkdir()
    for options, said in (
        ((trained.run, "--units", "16"), f"--units: the model in {trained.run} has 8, got 16"),
        ((tmp_path / "empty",), f"{tmp_path / 'empty'}: not a trained model"),
    ):
        assert said in trained.train(tmp_path / "other", "--start", *options).err


def test_a_run_starts_from_a_dictionary_and_one_of_before_the_setting_is_resumed(trained, tmp_path, copy):
    options, other = ("--dictionary-start", "--lexical", "--guidance", "0.5"), tmp_path / "other"
    assert trained.train(other, *options, "--keep-epochs").status == 0
    first = np.load(other / "epochs" / "0" / "weights.npz")
    assert first["decoder/output_bias"].any()  # at random it begins with zeros
    about = json.loads((copy / "run.json").read_text())
    assert about["settings"].pop("dictionary_start") is False
    (copy / "run.json").write_text(json.dumps(about))
    assert trained.train(copy).status == 0
    assert "dictionary_start is None, asked for True" in trained.train(copy, *options).err


def test_training_again_prints_the_same_scores_and_changes_nothing(trained, monkeypatch):
    monkeypatch.setattr("nmt_attention.runs.run.make_strategy", None)  # a finished run waits for no worker
    before = content(trained.run)
    again = trained.train(trained.run)
    assert (again.status, again.out) == (0, trained.result.out) and "epoch" not in again.err
    assert content(trained.run) == before


def test_deterministic_operations_are_asked_for(trained):
    try:
        assert trained.train(trained.run, "--deterministic").status == 0
        assert is_op_determinism_enabled()
    finally:
        disable_op_determinism()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"corpus_sha256": "4"}, r"another run \(corpus is 4, asked for"),
        ({"split_sha256": {"train.tsv": "1", "test.tsv": "4"}}, r"another run \(.*test\.tsv is 4, asked for"),
        ({"links_sha256": "4"}, r"another run \(links is 4, asked for"),
        ({"split_sha256": None}, r"run\.json: damaged or not of a run; use another --run"),
    ],
)
def test_another_corpus_split_or_other_links_are_another_run(trained, copy, change, said):
    about = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps(about | change))
    with pytest.raises(ValueError, match=said):
        run_training(copy, make_corpus(read_pairs(trained.corpus)), about["settings"])
