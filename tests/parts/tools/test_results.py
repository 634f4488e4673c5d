import json
from pathlib import Path

import pytest

from nmt_attention.corpus import Pair
from nmt_attention.disk.pairs import DATA_DIRECTORY, write_pairs
from tools.measure import processes, results
from tools.measure.results import PAIR_SPLIT, SEEDS, SYSTEMS, chain_sentences, make_results
from tools.measure.results_table import TABLES, around_table, to_markdown

PAIRS = [Pair(f"Sentence {i}.", f"वाक्य {i}.") for i in range(10)]


def test_chains_hold_every_sentence_once_with_its_first_translation():
    chains = chain_sentences([*PAIRS, Pair(PAIRS[0].source, "दुसरं.")], 3)
    by_source = {pair.source: pair.target for pair in reversed(PAIRS)}
    found = [[f"{s.strip()}." for s in source.split(".")[:-1]] for source, _ in chains]
    assert [" ".join(by_source[s] for s in sentences) for sentences in found] == [target for _, target in chains]
    assert [len(set(sentences)) for sentences in found] == [3] * 3 and len({s for of in found for s in of}) == 9


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
    plain, attending = of_seeds(20.0, 23.0, 21.5, error_rate=None), of_seeds(30.0, 28.0, 29.0)
    of_plain = {n: {"1": scores(x), "2": scores(3.25)} for n, x in zip("123", (21.0, 22.0, 29.0), strict=True)}
    result = {"corpus": "9 pairs", "aligner": {"error_rate": 0.1512}, "careless": of_seeds(45.5)[0]}
    result["systems"] = [results._row("plain", plain), results._row("Bahdanau", attending)]
    result["chains"] = {"plain": of_plain, "Bahdanau": {"1": {"1": scores(31.5), "2": scores(20.0)}}}
    systems, _, chains = to_markdown(result).partition("in a row")
    assert "| plain | 3 | 21.5 (20.0–23.0) | 50.0 (50.0–50.0) | – | 3.3 M | 3.0 |" in systems
    assert "| Bahdanau | 3 | 29.0 (28.0–30.0) | 50.0 (50.0–50.0) | 0.250 (0.250–0.250) |" in systems
    assert "| plain | 3 | 24.0 (21.0–29.0) | 3.2 (3.2–3.2) |" in chains and "| Bahdanau | 1 | 31.5 | 20.0 |" in chains


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
        lengths = [{"name": name, "bleu": 9.0, "sentences": n} for name, n in (("1–3", 20), ("4–6", 19))]
        return json.dumps({**scores(), "sentences": 10, "breakdown": {"length": lengths}})

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
    assert list(rates) == [system.name for system in SYSTEMS] and rates["Bahdanau"] == pytest.approx(0.4)
    assert rates["plain seq2seq"] is rates["average of all words"] is rates["… beam of 5"] is None
    assert [[row["name"] for row in rows] for rows in found["lengths"].values()] == [["1–3"], ["1–3"]]  # not of few
    of_plain = found["chains"]["plain seq2seq"]["1"]
    assert [of_plain[n]["sentences"] for n in "12345"] == [10, 5, 3, 2, 2]
    assert of_plain["2"]["bleu"] == pytest.approx(100)
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8")) == found
    for path, (table, text_of) in zip(docs, TABLES.items(), strict=True):
        before, after = (f"before\n{MARKS[0]}\n", f"{MARKS[1]}\nafter\n")
        assert path.read_text(encoding="utf-8") == before.format(table) + text_of(found) + after.format(table)
    calls.clear()
    assert make_results(tmp_path / "runs", tmp_path / "results.json", docs) == found
    assert {command for command, *_ in calls} == {"train"}  # which sees for itself that all is done


def test_named_systems_are_measured_and_the_rows_of_the_others_kept(calls, tmp_path):
    output = tmp_path / "results.json"
    complete = make_results(tmp_path / "runs", output)
    for row in complete["systems"]:
        row["seeds"] = [scores | {"bleu": 1.0} for scores in row["seeds"]]
    del complete["chains"]["plain seq2seq"]["1"]
    output.write_text(json.dumps(complete), encoding="utf-8")
    calls.clear()
    found = make_results(tmp_path / "runs", output, names=["plain", "careless", "uniform-2"])
    made = [call[2].rpartition("/")[2] for call in calls]
    assert made == ["plain-1", "careless-1", "plain-2", "uniform-2", "plain-3"]
    plain, uniform, *others = ([scores["bleu"] for scores in row["seeds"]] for row in found["systems"])
    assert plain == [30.0] * 3 and uniform == [1.0, 30.0, 1.0] and others == [[1.0] * 3] * (len(SYSTEMS) - 2)
    assert all(found[part] == complete[part] for part in ("aligner", "lengths"))
    assert list(found["chains"]["plain seq2seq"]) == ["1", "2", "3"]  # the first seed was measured again


def test_what_cannot_be_added_is_refused_before_anything_is_trained(calls, tmp_path):
    output, page = tmp_path / "results.json", tmp_path / "README.md"
    make_results(tmp_path / "runs", output, names=["luong-dot"])
    calls.clear()
    with pytest.raises(ValueError, match="no such system: luong; there are plain, uniform, bahdanau"):
        make_results(tmp_path / "runs", output, names=["luong", "plain"])
    page.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md: expected the lines"):
        make_results(tmp_path / "runs", output, [page])
    of_others = json.loads(output.read_text(encoding="utf-8")) | {"corpus": "9 pairs"}
    output.write_text(json.dumps(of_others), encoding="utf-8")
    with pytest.raises(ValueError, match=r"results\.json: its rows are of 9 pairs, not of 1\d,\d+ pairs"):
        make_results(tmp_path / "runs", output, names=["plain"])
    assert calls == []


@pytest.mark.parametrize("name", ["docs/results.md", "README.md"])
def test_the_stored_tables_are_those_of_the_stored_results(name):
    result = json.loads((DATA_DIRECTORY / "results.json").read_text(encoding="utf-8"))
    before, table, after = around_table(DATA_DIRECTORY.parent / name)
    assert (DATA_DIRECTORY.parent / name).read_text(encoding="utf-8") == before + TABLES[table](result) + after


def test_jobs_keep_their_order_whichever_ends_first_and_a_command_that_fails_is_named(tmp_path):
    assert list(processes.one_per_core(lambda job: job * 2, range(20))) == list(range(0, 40, 2))
    assert "usage: " in processes.call("--help")
    with pytest.raises(RuntimeError, match="failed: python -m nmt_attention evaluate --run"):
        processes.call("evaluate", "--run", tmp_path / "none")
