import json
from pathlib import Path

import pytest

from nmt_attention.corpus import Pair, write_pairs
from tools import processes, results
from tools.results import MARKS, PAIR_SPLIT, SEEDS, SYSTEMS, concatenate_sentences, make_results, to_markdown

PAIRS = [Pair(f"Sentence {i}.", f"वाक्य {i}.") for i in range(10)]


def test_chains_hold_every_sentence_once_a_length_with_its_own_translation():
    chains = concatenate_sentences(PAIRS, most=3)
    assert len(chains) == 10 // 2 + 10 // 3
    by_source = {pair.source: pair.target for pair in PAIRS}
    for source, target in chains:
        sentences = [f"{s}." for s in source.split(".")[:-1]]
        assert " ".join(by_source[s.strip()] for s in sentences) == target
    of_two = [s.strip() for source, _ in chains[:5] for s in source.split(".")[:-1]]
    assert sorted(f"{s}." for s in of_two) == sorted(by_source)


def test_a_chain_takes_the_first_of_several_translations():
    pairs = [("One.", "एक."), ("One.", "दुसरं."), ("Two.", "दोन.")]
    ((source, target),) = concatenate_sentences(pairs, most=2)
    assert dict(zip(source.split(), target.split(), strict=True)) == {"One.": "एक.", "Two.": "दोन."}


def scores(bleu=30.0):
    return {
        "bleu": bleu, "bleu_interval": [bleu - 1, bleu + 1], "chrf": 50.0, "sentences_per_second": 500.0,
        "bleu_signature": "nrefs:1", "chrf_signature": "nc:6", "bleu_first": bleu - 2, "chrf_first": bleu + 10,
        "perplexity": 200 / bleu,
    }  # fmt: skip


def of_seeds(*bleu, error_rate=0.25):
    more = {"parameters": 3_300_000, "minutes": 3.0, "alignment_error_rate": error_rate}
    return [{**scores(score), **more, "seed": seed} for seed, score in enumerate(bleu, 1)]


def test_the_table_has_the_mean_and_the_range_of_the_seeds():
    result = {
        "machine": "2 cores",
        "corpus": "9 pairs",
        "systems": [
            results._row("plain", of_seeds(20.0, 23.0, 21.5, error_rate=None)),
            results._row("Bahdanau", of_seeds(30.0, 28.0, 29.0)),
        ],
        "aligner": {"error_rate": 0.1512},
        "careless": of_seeds(45.5)[0],
    }
    table = to_markdown(result)
    assert "| plain | 21.5 (20.0–23.0) | 50.0 (50.0–50.0) | – | 3.3 M | 3.0 |" in table.splitlines()
    assert "| Bahdanau | 29.0 (28.0–30.0) | 50.0 (50.0–50.0) | 0.250 (0.250–0.250) |" in table
    assert "| statistical aligner | – | – | 0.151 |" in table
    assert "seed 1" in table and "43.5 BLEU, 55.5 chrF and a perplexity of 4.4\nwith one" in table
    assert "28.0 BLEU, 40.0 chrF and a perplexity of 6.7 with a split by groups" in table
    assert "2 cores" in table and "nrefs:1" in table and "nc:6" in table
    columns = {line.count("|") for line in table.splitlines() if line.startswith("|")}
    assert len(columns) == 1


@pytest.fixture
def calls(monkeypatch):
    """The commands that are run, in place of running them: train leaves its files, evaluate prints scores."""
    made = []

    def call(command, *arguments):
        made.append((command, *map(str, arguments)))
        run = Path(arguments[arguments.index("--run") + 1])
        if command == "train":
            run.mkdir(parents=True, exist_ok=True)
            write_pairs(run / "test.tsv", PAIRS)
            trained = {"parameters": 5, "training_minutes": 1.5, "dev": {"bleu": 10.0}}
            (run / "scores.json").write_text(json.dumps(trained))
            return ""
        if "--alignments" in arguments:
            assert "plain" not in run.name, "no attention to score"
            return json.dumps({"argmax": {"error_rate": 0.4}, "aligner": {"error_rate": 0.15}})
        return json.dumps(
            {
                **scores(),
                "breakdown": {
                    "length": [
                        {"name": "1–3", "bleu": 9.0, "sentences": 20},
                        {"name": "4–6", "bleu": 1.0, "sentences": 19},
                    ]
                },
            }
        )

    monkeypatch.setattr(processes, "call", call)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", "phrasebook")
    return made


def test_every_system_is_trained_and_scored_once_and_the_table_put_between_the_marks(calls, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter\n", encoding="utf-8")
    found = make_results(tmp_path / "runs", tmp_path / "results.json", readme)
    trained = [call for call in calls if call[0] == "train"]
    runs = {f"{system.run}-{seed}" for system in SYSTEMS for seed in SEEDS} | {f"{PAIR_SPLIT.run}-1"}
    assert {call[2] for call in trained} == {str(tmp_path / "runs" / run) for run in runs}
    assert all(call[call.index("--seed") + 1] == call[2].rpartition("-")[2] for call in trained)
    assert found["systems"][1]["alignment_error_rate"] == pytest.approx(0.4)
    assert found["systems"][0]["alignment_error_rate"] is None and found["aligner"]["error_rate"] == 0.15
    assert [[row["name"] for row in rows] for rows in found["lengths"].values()] == [["1–3"], ["1–3"]]
    assert [r["name"] for r in found["systems"]] == [system.name for system in SYSTEMS]
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8")) == found
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{MARKS[0]}\n| system") and text.endswith(f"{MARKS[1]}\nafter\n")
    assert "old" not in text

    calls.clear()
    assert make_results(tmp_path / "runs", tmp_path / "results.json", readme) == found
    assert {command for command, *_ in calls} == {"train"}  # which sees for itself that all is done


def test_a_readme_without_a_place_for_the_table_is_refused_before_anything_is_trained(calls, tmp_path):
    (tmp_path / "README.md").write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md: expected the lines"):
        make_results(tmp_path / "runs", tmp_path / "results.json", tmp_path / "README.md")
    assert calls == []
