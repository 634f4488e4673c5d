import json
from pathlib import Path

import pytest

from nmt_attention.corpus import Pair
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs, write_pairs
from tools.measure import processes, results
from tools.measure.results import PAIR_SPLIT, SEEDS, SYSTEMS, chain_sentences, make_results
from tools.measure.results_table import SHORT, TABLES, around_table, to_markdown

PAIRS = [Pair(f"Sentence {i}.", f"वाक्य {i}.") for i in range(10)]


@pytest.mark.parametrize("length", [1, 3])
def test_chains_hold_every_sentence_once_with_its_own_translation(length):
    chains = chain_sentences(PAIRS, length)
    assert len(chains) == 10 // length
    by_source = {pair.source: pair.target for pair in PAIRS}
    found = [[f"{s.strip()}." for s in source.split(".")[:-1]] for source, _ in chains]
    assert [" ".join(by_source[s] for s in sentences) for sentences in found] == [target for _, target in chains]
    flat = [s for sentences in found for s in sentences]
    assert len(set(flat)) == len(flat) == len(chains) * length


def test_a_chain_takes_the_first_of_several_translations():
    pairs = [("One.", "एक."), ("One.", "दुसरं."), ("Two.", "दोन.")]
    ((source, target),) = chain_sentences(pairs, 2)
    assert dict(zip(source.split(), target.split(), strict=True)) == {"One.": "एक.", "Two.": "दोन."}


def scores(bleu=30.0):
    return {
        "bleu": bleu, "bleu_interval": [bleu - 1, bleu + 1], "chrf": 50.0, "sentences_per_second": 500.0,
        "bleu_signature": "nrefs:1", "chrf_signature": "nc:6", "bleu_first": bleu - 2, "chrf_first": bleu + 10,
        "perplexity": 200 / bleu,
    }  # fmt: skip


def of_seeds(*bleu, error_rate=0.25):
    more = {"parameters": 3_300_000, "minutes": 3.0, "alignment_error_rate": error_rate, "machine": "2 cores"}
    return [{**scores(score), **more, "seed": seed} for seed, score in enumerate(bleu, 1)]


def test_the_table_has_the_mean_and_the_range_of_the_seeds():
    result = {
        "corpus": "9 pairs",
        "systems": [
            results._row("plain", of_seeds(20.0, 23.0, 21.5, error_rate=None)),
            results._row("Bahdanau", of_seeds(30.0, 28.0, 29.0)),
        ],
        "aligner": {"error_rate": 0.1512},
        "careless": of_seeds(45.5)[0],
        "chains": {
            "plain": {
                "1": {"1": scores(21.0), "2": scores(3.25)},
                "2": {"1": scores(22.0), "2": scores(5.25)},
                "3": {"1": scores(29.0), "2": scores(3.5)},
            },
            "Bahdanau": {"1": {"1": scores(31.5), "2": scores(20.0)}},
        },
    }
    table = to_markdown(result)
    assert "| plain | 3 | 21.5 (20.0–23.0) | 50.0 (50.0–50.0) | – | 3.3 M | 3.0 |" in table.splitlines()
    assert "| Bahdanau | 3 | 29.0 (28.0–30.0) | 50.0 (50.0–50.0) | 0.250 (0.250–0.250) |" in table
    assert "| statistical aligner | – | – | – | 0.151 |" in table
    systems, _, chains = table.partition("in a row")
    assert "| plain | 3 | 24.0 (21.0–29.0) | 4.0 (3.2–5.2) |" in chains.splitlines()
    assert "| Bahdanau | 1 | 31.5 | 20.0 |" in chains.splitlines()
    assert len({line.count("|") for line in systems.splitlines() if line.startswith("|")}) == 1


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
            assert "plain" not in run.name and "uniform" not in run.name, "no attention to score"
            return json.dumps({"argmax": {"error_rate": 0.4}, "aligner": {"error_rate": 0.15}})
        return json.dumps(
            {
                **scores(),
                "sentences": 10,
                "breakdown": {
                    "length": [
                        {"name": "1–3", "bleu": 9.0, "sentences": 20},
                        {"name": "4–6", "bleu": 1.0, "sentences": 19},
                    ]
                },
            }
        )

    monkeypatch.setattr(processes, "call", call)
    monkeypatch.setattr(results, "translate_whole", lambda run, texts: [t.replace("Sentence", "वाक्य") for t in texts])
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", "phrasebook")
    return made


MARKS = "<!-- {0}: by a tool -->", "<!-- end of {0} -->"


def test_every_system_is_trained_and_scored_once_and_each_table_put_between_its_marks(calls, tmp_path):
    docs = [tmp_path / "results.md", tmp_path / "README.md"]
    for path, table in zip(docs, TABLES, strict=True):
        path.write_text(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter\n".format(table), encoding="utf-8")
    found = make_results(tmp_path / "runs", tmp_path / "results.json", docs)
    trained = [call for call in calls if call[0] == "train"]
    runs = {f"{system.run}-{seed}" for system in SYSTEMS for seed in SEEDS} | {f"{PAIR_SPLIT.run}-1"}
    assert {call[2] for call in trained} == {str(tmp_path / "runs" / run) for run in runs}
    assert all(call[call.index("--seed") + 1] == call[2].rpartition("-")[2] for call in trained)
    rates = {row["name"]: row["alignment_error_rate"] for row in found["systems"]}
    assert rates["Bahdanau"] == pytest.approx(0.4)
    assert rates["plain seq2seq"] is rates["average of all words"] is rates["… beam of 5"] is None
    assert found["aligner"]["error_rate"] == 0.15
    assert [[row["name"] for row in rows] for rows in found["lengths"].values()] == [["1–3"], ["1–3"]]
    assert {tuple(of_seeds) for of_seeds in found["chains"].values()} == {("1", "2", "3")}
    assert {tuple(one) for of in found["chains"].values() for one in of.values()} == {("1", "2", "3", "4", "5")}
    of_plain = found["chains"]["plain seq2seq"]["1"]
    assert [of_plain[n]["sentences"] for n in "12345"] == [10, 5, 3, 2, 2]
    assert of_plain["2"]["bleu"] == pytest.approx(100)
    assert [r["name"] for r in found["systems"]] == [system.name for system in SYSTEMS]
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8")) == found
    for path, (table, text_of) in zip(docs, TABLES.items(), strict=True):
        before, after = (f"before\n{MARKS[0]}\n", f"{MARKS[1]}\nafter\n")
        assert path.read_text(encoding="utf-8") == before.format(table) + text_of(found) + after.format(table)
    assert docs[1].read_text(encoding="utf-8").count("\n") == 7 + len(SHORT)

    calls.clear()
    assert make_results(tmp_path / "runs", tmp_path / "results.json", docs) == found
    assert {command for command, *_ in calls} == {"train"}  # which sees for itself that all is done


def test_named_systems_are_measured_and_the_rows_of_the_others_kept(calls, tmp_path):
    output = tmp_path / "results.json"
    complete = make_results(tmp_path / "runs", output)
    for row in complete["systems"]:
        row["seeds"] = [scores | {"bleu": 1.0} for scores in row["seeds"]]
    complete["careless"]["bleu_first"] = 2.0
    chains = complete["chains"]
    chains["plain seq2seq"].pop("1")
    chains["Bahdanau"]["1"]["2"]["bleu"] = 1.0
    output.write_text(json.dumps(complete), encoding="utf-8")
    calls.clear()
    found = make_results(tmp_path / "runs", output, names=["plain", "careless", "uniform-2"])
    made = [call[2].rpartition("/")[2] for call in calls]
    assert made == ["plain-1", "careless-1", "plain-2", "uniform-2", "plain-3"]
    plain, uniform, *others = ([scores["bleu"] for scores in row["seeds"]] for row in found["systems"])
    assert plain == [30.0] * 3 and uniform == [1.0, 30.0, 1.0] and others == [[1.0] * 3] * (len(SYSTEMS) - 2)
    assert found["systems"][1]["bleu"] == pytest.approx(32 / 3) and found["systems"][1]["bleu_range"] == [1.0, 30.0]
    assert found["careless"]["bleu_first"] == 28.0
    assert {part: found[part] for part in ("aligner", "lengths")} == {
        part: complete[part] for part in ("aligner", "lengths")
    }
    assert list(found["chains"]["plain seq2seq"]) == ["1", "2", "3"]  # the first seed was measured again
    assert found["chains"]["Bahdanau"] == chains["Bahdanau"]


def test_rows_of_another_corpus_are_not_mixed_in_and_unknown_systems_named(calls, tmp_path):
    output = tmp_path / "results.json"
    make_results(tmp_path / "runs", output, names=["luong-dot"])
    calls.clear()
    with pytest.raises(ValueError, match="no such system: luong; there are plain, uniform, bahdanau"):
        make_results(tmp_path / "runs", output, names=["luong", "plain"])
    size = f"{len(read_pairs(DATA_DIRECTORY / 'phrasebook.tsv')):,} pairs"
    output.write_text(output.read_text(encoding="utf-8").replace(f'"{size}"', '"9 pairs"'), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"results\.json: its rows are of 9 pairs, not of {size}"):
        make_results(tmp_path / "runs", output, names=["plain"])
    assert calls == []


def test_a_file_without_a_place_for_the_table_is_refused_before_anything_is_trained(calls, tmp_path):
    (tmp_path / "README.md").write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md: expected the lines"):
        make_results(tmp_path / "runs", tmp_path / "results.json", [tmp_path / "README.md"])
    assert calls == []


@pytest.mark.parametrize("name", ["docs/results.md", "README.md"])
def test_the_stored_tables_are_those_of_the_stored_results(name):
    result = json.loads((DATA_DIRECTORY / "results.json").read_text(encoding="utf-8"))
    before, table, after = around_table(DATA_DIRECTORY.parent / name)
    assert (DATA_DIRECTORY.parent / name).read_text(encoding="utf-8") == before + TABLES[table](result) + after
