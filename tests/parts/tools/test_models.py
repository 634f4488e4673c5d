"""Making the model in the package: what it learns from itself, what is measured, what is refused, and the card."""

import json
from pathlib import Path

import keras
import pytest

from nmt_attention.analysis.everyday import read_everyday
from nmt_attention.config import ModelConfig
from nmt_attention.corpus import Pair, Split
from nmt_attention.disk.files import write_json
from nmt_attention.disk.pairs import write_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.names.lists import KINDS, held_out, read_names
from nmt_attention.names.pretrained import DIRECTORY as TRANSLITERATOR
from nmt_attention.names.pretrained import load_transliterator, without_held_out
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.runs.settings import make_settings
from nmt_attention.runs.splits import hash_split
from nmt_attention.text import WordTokenizer
from tools.demo import read_sentences
from tools.measure import processes
from tools.models import model, run_on
from tools.models.model import make_model, measure_again, train_command, train_model
from tools.models.model_card import model_card
from tools.models.transliterator import score

PAIRS = [
    Pair(f"Tom has {number} books.", f"टॉमकडे {number} पुस्तकं आहेत.", f"CC-BY (A) & #{number} ({writer})")
    for number, writer in (("one", "B"), ("two", "B"), ("three", "B"), ("four", "C"))
]
SPLIT = Split(PAIRS[:2], PAIRS[2:3], PAIRS[3:])
LONGER = SPLIT._replace(train=[*SPLIT.train, Pair("Of the phrasebook.", "पुस्तकातलं.")])


def leave_run(run, split=SPLIT, seed=1, extra=None):
    """Leaves a run directory as training does, of a model that was not trained."""
    keras.utils.set_random_seed(seed)
    words = [WordTokenizer.learn([pair[side] for pair in PAIRS], 20, fold_case=True) for side in (0, 1)]
    untrained = Seq2Seq(ModelConfig(*map(len, words), units=8, embedding_units=8))
    untrained.decoder.output_bias.assign([0.0] * 4 + [3.0] * (len(words[1]) - 4))  # so that it writes words
    save_bundle(run, untrained, *words)
    for name, pairs in split._asdict().items():
        write_pairs(run / f"{name}.tsv", pairs)
    about = {"settings": make_settings("quick", {"units": 8}), "precision": "mixed_bfloat16", "corpus_sha256": "c0"}
    about |= {"split_sha256": hash_split(split), "extra": extra or {}, "versions": {"tensorflow": "2.21.0"}}
    write_json(run / "run.json", about)
    write_json(run / "scores.json", {"parameters": 1_234_567, "epochs": 6, "training_minutes": 3.9})
    return run


def scores(bleu):
    found = {"sentences": 1, "references": 1, "exact": 0.0, "perplexity": 9.0}
    for name, value in (("bleu", bleu), ("chrf", 50.0)):
        found |= {name: value, f"{name}_interval": [value - 1, value + 1], f"{name}_signature": f"{name}:1"}
    row = {"name": "food", "sentences": 1, "bleu": bleu, "chrf": 50.0, "exact": 0.0, "low": 1.0, "high": 2.0}
    error = {"name": "tense", "description": "It is another.", "judged": 5, "errors": 1}
    error |= {"references_judged": 4, "references_errors": 0, "examples": [["a sentence", "of the", "corpus"]]}
    worst = {"english": "how r u", "text": "तू", "reference": "तू कसा आहेस", "chrf": 12.34}
    breakdown = {"length": [row], "unseen_words": [row]}
    return {**found, "breakdown": breakdown, "errors": [error], "kinds": [row], "worst": [worst]}


@pytest.fixture
def rounded(monkeypatch, tmp_path):
    """Has `evaluate` answer with 40 BLEU in float32, and in 8 bits with the number in this list."""
    answers = [39.96]
    links = {"pairs": 7, "error_rate": 0.25, "precision": 0.8, "recall": 0.7}

    def call(command, *arguments):
        run = Path(arguments[arguments.index("--run") + 1])
        assert (run / "test.tsv").is_file() and (run / "run.json").is_file()  # it is scored as a run
        if "--alignments" in arguments:
            return json.dumps({"argmax": links, "aligner": links})
        return json.dumps(scores(40.0 if run.parent == tmp_path else answers[0]))

    unseen = [name for name in read_names() if held_out(name) and name.kind == "m"][:2]
    monkeypatch.setattr(processes, "call", call)
    monkeypatch.setattr(model, "read_names", lambda: unseen)
    return answers


@pytest.fixture
def place(tmp_path):
    """The directory of the model in the package."""
    (tmp_path / "pretrained").mkdir()
    for name in ("NOTICE", "learning.json", "old.json"):
        (tmp_path / "pretrained" / name).write_text("Keep this.", encoding="utf-8")
    return tmp_path / "pretrained"


def test_the_copy_of_a_run_replaces_what_was_there_with_a_card_of_what_was_measured(tmp_path, place, rounded):
    composed = [Pair("Mary reads.", "मेरी वाचते."), Pair("Mary writes.", "मेरी लिहिते.")]
    split = SPLIT._replace(train=[*SPLIT.train, *composed])
    measured = make_model(leave_run(tmp_path / "model", split, extra={"phrasebook": 2}), place)
    bundle = {"config.json", "source.json", "target.json", "sentences.json", "weights.npz"}
    assert {path.name for path in place.iterdir()} == bundle | {"NOTICE", "README.md", "learning.json", "scores.json"}
    assert (place / "NOTICE").read_text(encoding="utf-8") == "Keep this." and measured["sha256"].keys() == bundle
    assert json.loads((place / "scores.json").read_text(encoding="utf-8")) == json.loads(json.dumps(measured))
    assert "examples" not in measured["errors"][0]  # they would be sentences of the corpus
    card = (place / "README.md").read_text(encoding="utf-8")
    assert "$" not in card and card == model_card(measured)
    assert "| this model, greedy | 40.0 (39.0 to 41.0) | 50.0 (49.0 to 51.0) |" in card
    rounded[0] = 41.0
    measure_again(tmp_path / "model", place)
    again = json.loads((place / "scores.json").read_text(encoding="utf-8"))
    assert again["eight_bits"]["bleu"] == 41.0 and again["training"] == measured["training"]
    assert "| this model, greedy | 41.0" in model_card(again) == (place / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="its test.tsv is not what"):
        measure_again(leave_run(tmp_path / "other", SPLIT._replace(test=PAIRS[:1])), place)


UNSEEN = {
    "was trained on 'My sister works in a bank.' .*free.tsv": read_sentences(model.FREE)[0].references[0],
    "was trained on 'Good evening, uncle!' .*everyday.tsv": read_everyday()[0].references[0],
}
REFUSED = "8 bits cost 0.35 BLEU", "bytes in 8 bits, more than 5,000", "test.tsv is not what", *UNSEEN


@pytest.mark.parametrize("reason", REFUSED)
def test_a_run_that_must_not_be_shipped_is_refused(reason, tmp_path, place, rounded, monkeypatch):
    split = SPLIT
    if reason in UNSEEN:
        split = SPLIT._replace(train=[*PAIRS[:2], Pair("Another.", UNSEEN[reason])])
    run = leave_run(tmp_path / "model", split)
    if "test.tsv" in reason:
        write_pairs(run / "test.tsv", PAIRS[:1])
    rounded[0] = 39.65 if "BLEU" in reason else 39.96
    monkeypatch.setattr(model, "MOST_BYTES", 5000 if "bytes" in reason else 10**7)
    before = sorted(place.rglob("*"))
    with pytest.raises(ValueError, match=reason):
        make_model(run, place)
    assert sorted(place.rglob("*")) == before


def test_the_model_is_trained_further_on_talk_and_on_run_ons(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(run_on, "main", lambda arguments: write_pairs(Path(arguments[1]), PAIRS[:1]))
    monkeypatch.setattr(processes, "call", lambda *call: calls.append(call) or (leave_run(call[2], LONGER) and ""))
    assert train_model(tmp_path) == tmp_path / "model"
    extra = ["--extra", model.TALK, "--extra", "phrasebook", "--extra", str(tmp_path / "run_on.tsv")]
    assert calls == [("train", "--run", tmp_path / "model", "--start", "pretrained", *model.FURTHER.split(), *extra)]
    settings = make_settings("quick", {"bidirectional": False, "epochs": 1}, 44_486)
    assert train_command("mine", settings, 44_486).endswith("runs/mine --preset quick --no-bidirectional --epochs 1")


def test_the_stored_scores_are_those_of_the_stored_model():
    stored = json.loads((TRANSLITERATOR / "scores.json").read_text(encoding="utf-8"))
    found = score(without_held_out(load_transliterator()), [name for name in read_names() if held_out(name)])
    assert list(stored) == list(found) == [*KINDS, "all"]
    for kind, row in stored.items():
        assert found[kind] == pytest.approx(row, abs=1), kind  # another processor may decide a near tie otherwise


def test_run_ons_lose_the_mark_between_sentences_and_keep_those_of_the_target():
    joined = run_on.run_on(Pair("He lies, I think.", "तो खोटं बोलतो."), Pair("Go!", "जा!"))
    assert joined == Pair("he lies i think go!", "तो खोटं बोलतो. जा!")
    made = run_on.make([Pair(f"Yes, {word}.", f"हो, {word}.") for word in "abc"])
    assert len(made) == run_on.RUN_ONS + 3 and all("," not in pair.source for pair in made)
