"""Putting a run into the package: what is measured, what is refused, and the card."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import keras
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.corpus import Pair, Split
from nmt_attention.disk.files import write_json
from nmt_attention.disk.pairs import write_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.names.lists import held_out, read_names
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.runs.run_files import hash_split
from nmt_attention.runs.settings import make_settings
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator
from tools import model, processes
from tools.demo import read_sentences
from tools.model import make_model, train_command
from tools.model_card import model_card

PAIRS = [
    Pair(f"Tom has {number} books.", f"टॉमकडे {number} पुस्तकं आहेत.", f"CC-BY (A) & #{number} ({writer})")
    for number, writer in (("one", "B"), ("two", "B"), ("three", "B"), ("four", "C"))
]
SPLIT = Split(PAIRS[:2], PAIRS[2:3], PAIRS[3:])


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run directory as training leaves it, of a model that was not trained."""
    run = tmp_path_factory.mktemp("runs") / "model"
    keras.utils.set_random_seed(1)
    words = [WordTokenizer.learn([pair[side] for pair in PAIRS], 20, fold_case=True) for side in (0, 1)]
    save_bundle(run, Seq2Seq(ModelConfig(*map(len, words), units=8, embedding_units=8)), *words)
    for name, pairs in SPLIT._asdict().items():
        write_pairs(run / f"{name}.tsv", pairs)
    about = {
        "settings": make_settings("quick", {"units": 8}),
        "precision": "mixed_bfloat16",
        "corpus_sha256": "c0",
        "split_sha256": hash_split(SPLIT),
        "pairs": {name: len(pairs) for name, pairs in SPLIT._asdict().items()},
        "extra": {},
        "versions": {"tensorflow": "2.21.0"},
    }
    write_json(run / "run.json", about)
    write_json(run / "scores.json", {"parameters": 1_234_567, "epochs": 6, "training_minutes": 3.9})
    return run


def copy_to(directory, trained):
    """Returns a copy of the run, and the directory of the model in the package."""
    place = directory / "ready"
    place.mkdir()
    (place / "NOTICE").write_text("Keep this.", encoding="utf-8")
    (place / "old.json").write_text("{}", encoding="utf-8")
    return shutil.copytree(trained, directory / "model"), place


def scores(bleu):
    found = {"sentences": 1, "references": 1, "exact": 0.0, "perplexity": 9.0, "sentences_per_second": 1.0}
    for name, value in (("bleu", bleu), ("chrf", 50.0), ("ter", 40.0)):
        found |= {name: value, f"{name}_interval": [value - 1, value + 1], f"{name}_signature": f"{name}:1"}
    row = {"name": "4–6", "sentences": 1, "bleu": bleu, "chrf": 50.0, "exact": 0.0, "low": 1.0, "high": 2.0}
    error = {"name": "tense", "description": "It is another.", "judged": 5, "errors": 1}
    error |= {"references_judged": 4, "references_errors": 0, "examples": [["a sentence", "of the", "corpus"]]}
    return {**found, "breakdown": {"length": [row], "unseen_words": [row]}, "errors": [error]}


def pretend(monkeypatch, rounded=39.96):
    """Has commands noted instead of run, with 40 BLEU in float32 and `rounded` in 8 bits; returns the list of them."""
    made = []
    links = {"pairs": 7, "error_rate": 0.25, "precision": 0.8, "recall": 0.7}
    unseen = [name for name in read_names() if held_out(name) and name.kind == "m"][:2]

    def call(command, *arguments):
        run = Path(arguments[arguments.index("--run") + 1])
        found = {path.name for path in run.iterdir()}
        assert {"train.tsv", "dev.tsv", "test.tsv", "run.json", "weights.npz"} <= found  # it is scored as a run
        made.append([command, *map(str, arguments[2:])])
        if "--alignments" in arguments:
            return json.dumps({"argmax": links, "aligner": links, "entropy": 1.0})
        return json.dumps(scores(40.0 if "scores.json" in found else rounded))

    monkeypatch.setattr(processes, "call", call)
    monkeypatch.setattr(model, "read_names", lambda: unseen)
    return made


class Made(NamedTuple):
    calls: list
    measured: dict
    place: Path


@pytest.fixture(scope="module")
def made(trained, tmp_path_factory):
    run, place = copy_to(tmp_path_factory.mktemp("made"), trained)
    with pytest.MonkeyPatch.context() as monkeypatch:
        calls = pretend(monkeypatch)
        return Made(calls, make_model(run, place), place)


def test_the_run_s_copy_replaces_what_was_there_but_for_the_notice(made):
    bundle = {"config.json", "source.json", "target.json", "weights.npz"}
    assert {path.name for path in made.place.iterdir()} == bundle | {"NOTICE", "README.md", "scores.json"}
    assert made.measured["sha256"].keys() == bundle
    stored = {name: (made.place / name).read_text(encoding="utf-8") for name in ("NOTICE", "README.md", "scores.json")}
    assert stored["NOTICE"] == "Keep this." and stored["README.md"] == model_card(made.measured)
    assert json.loads(stored["scores.json"]) == json.loads(json.dumps(made.measured))


def test_the_examples_are_translated_by_the_copy(made):
    examples = made.measured["examples"]
    found = Translator.load(made.place).translate([example["english"] for example in examples])
    assert [translation.text for translation in found] == [example["text"] for example in examples]


def test_float32_and_8_bits_are_scored_by_evaluate(made):
    assert made.calls == [
        ["evaluate", "--json"],
        ["evaluate", "--breakdown", "--errors", "--json"],
        ["evaluate", "--beam-size", "5", "--json"],
        ["evaluate", "--alignments", str(model.ALIGNMENTS), "--json"],
    ]
    measured = made.measured
    assert (measured["float32"]["bleu"], measured["eight_bits"]["bleu"]) == (40.0, 39.96)
    assert "examples" not in measured["errors"][0]  # they would be sentences of the corpus
    assert measured["training"]["shares"] == {"short": 1.0, "long": 0.0, "tom_or_mary": 1.0, "one_writer": 0.75}
    assert measured["names"]["sentences"] == 8


def test_the_card_says_what_was_measured(made):
    card = model_card(made.measured)
    for text in (
        "| float32 | 40.0 (39.0 to 41.0) | 50.0 (49.0 to 51.0) | 40.0 |",
        "8 bits change BLEU by −0.04",
        "python -m nmt_attention train --run runs/model --preset quick",
        "1.2 million parameters",
        "4 pairs, split so",
        "wrote 75.0 % of the Marathi",
        "| tense: It is another. | 1 of 5 | 0 of 4 |",
        "`bleu:1`; `chrf:1`; `ter:1`",
        "6 epochs, 4 minutes (bfloat16, TensorFlow 2.21.0)",
        "A bidirectional encoder and a `bahdanau` decoder of GRU cells",
        "| When I was a child,",
    ):
        assert text in card
    assert "$" not in card


def test_pairs_besides_the_corpus_are_counted_apart_from_it(trained, tmp_path, monkeypatch):
    run, place = copy_to(tmp_path, trained)
    composed = [Pair("Mary reads.", "मेरी वाचते."), Pair("Mary writes.", "मेरी लिहिते.")]
    split = SPLIT._replace(train=[*SPLIT.train, *composed])
    write_pairs(run / "train.tsv", split.train)
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    about |= {"split_sha256": hash_split(split), "pairs": {"train": 4, "dev": 1, "test": 1}, "extra": {"phrasebook": 2}}
    write_json(run / "run.json", about)
    pretend(monkeypatch)
    measured = make_model(run, place)
    assert measured["training"]["pairs"] == {"train": 2, "dev": 1, "test": 1}
    assert measured["training"]["shares"]["one_writer"] == 0.75
    card = " ".join(model_card(measured).split())
    assert "4 pairs, split so" in card and "--extra phrasebook" in card
    assert "Besides these it was trained on 2 pairs of `data/phrasebook.tsv`" in card


def test_a_transformer_is_described_as_one(made):
    config = {**made.measured["config"], "architecture": "transformer", "heads": 4}
    assert "A Transformer of 4 heads" in model_card({**made.measured, "config": config})


@pytest.fixture
def places(trained, tmp_path):
    return copy_to(tmp_path, trained)


def refused(places, reason):
    run, place = places
    before = sorted(place.rglob("*"))
    with pytest.raises(ValueError, match=reason):
        make_model(run, place)
    assert sorted(place.rglob("*")) == before


def test_8_bits_that_cost_too_much_are_refused(places, monkeypatch):
    pretend(monkeypatch, rounded=39.65)
    refused(places, r"8 bits cost 0\.35 BLEU, more than 0\.3")


def test_files_that_are_too_large_are_refused(places, monkeypatch):
    pretend(monkeypatch)
    monkeypatch.setattr(model, "MOST_BYTES", 5000)
    refused(places, r"[\d,]+ bytes in 8 bits, more than 5,000")


def test_a_run_whose_split_was_changed_is_refused(places, monkeypatch):
    calls = pretend(monkeypatch)
    write_pairs(places[0] / "test.tsv", PAIRS[:1])
    refused(places, r"test\.tsv is not what training wrote")
    assert calls == []


def test_a_run_that_was_trained_on_a_free_sentence_is_refused(places, monkeypatch):
    pretend(monkeypatch)
    english, (marathi, *_) = read_sentences(model.FREE)[0]
    split, run = SPLIT._replace(train=[*SPLIT.train, Pair("Another.", marathi)]), places[0]
    write_pairs(run / "train.tsv", split.train)
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    write_json(run / "run.json", {**about, "split_sha256": hash_split(split)})
    refused(places, f"was trained on {english!r} or its translation")


@pytest.mark.parametrize(
    ("preset", "overrides", "expected"),
    [
        ("full", {}, "--preset full"),
        ("transformer", {"label_smoothing": 0.2}, "--preset transformer --label-smoothing 0.2"),
        ("quick", {"bidirectional": False, "jit": True}, "--preset quick --no-bidirectional --jit"),
    ],
)
def test_the_command_of_a_run_is_found_in_its_settings(preset, overrides, expected):
    settings = make_settings(preset, overrides, 44_486)
    assert train_command("mine", settings, 44_486) == f"train --run runs/mine {expected}"


def test_a_run_that_is_older_than_a_setting_has_its_default():
    settings = make_settings("full", {"lexical": False}, 44_486)
    del settings["lexical"]
    assert train_command("mine", settings, 44_486) == "train --run runs/mine --preset full --no-lexical"
