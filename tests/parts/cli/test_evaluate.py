"""The command evaluate: scores, tables, comparisons, errors, alignments, and warnings about sentences trained on."""

import collections
import json
import math
import re

import pytest
from command_line import call, output, refusal, write_lines

from nmt_attention import Translator, read_pairs
from nmt_attention.analysis.everyday import read_everyday
from nmt_attention.marathi.error_rules import make_rules


@pytest.fixture
def evaluate(run):
    """Returns what the command prints as JSON."""
    return lambda *arguments: json.loads(output("evaluate", "--run", run, "--json", *arguments)[0])


@pytest.fixture
def lines(tmp_path):
    """Writes a text file of lines."""
    return lambda name, *texts: write_lines(tmp_path / name, texts)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_evaluating_a_run_gives_the_scores_that_training_gave(run, evaluate, split):
    scores, expected = evaluate("--split", split), json.loads((run / "scores.json").read_text())[split]
    assert scores["sentences"] == len({pair.source for pair in read_pairs(run / f"{split}.tsv")})
    assert scores.keys() == expected.keys()
    for name, value in expected.items():
        if value is not None and name != "sentences_per_second":  # nor does training work out all of them
            assert scores[name] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-4)), name
    assert scores["bleu_interval"][0] <= scores["bleu"] <= scores["bleu_interval"][1]
    assert scores["sentences_per_second"] > 0


def test_scores_are_printed_for_people_and_broken_down(run, evaluate):
    result, printed = evaluate("--breakdown"), output("evaluate", "--run", run, "--breakdown")
    assert printed[0] == f"{result['sentences']:,} sentences, {result['references']:,} references"
    assert [line.split()[0] for line in printed[1:6]] == ["BLEU", "chrF", "exact", "perplexity", "speed"]
    assert f" {result['chrf']:.1f} " in printed[2] and result["bleu_signature"] in printed[1]
    assert list(result["breakdown"]) == ["length", "unseen_words", "references"]
    titles = ("words in the source", "words in no training sentence of the corpus", "references")
    for title, rows in zip(titles, result["breakdown"].values(), strict=True):
        (start,) = [i for i, line in enumerate(printed) if line.startswith(f"{title}  ")]
        column_end = printed[start].index("BLEU") + len("BLEU")
        assert printed[start - 1] == "" and printed[start + 1][:column_end].endswith(f"  {rows[0]['bleu']:.1f}")


def test_errors_are_reported_with_examples(run, lines):
    source = lines("source.txt", "Rahul will come home.", "Rahul goes.")
    right, other = lines("right.txt", "तुम्ही घरी येणार आहेस का?", "राहुल गेला."), lines("other.txt", "तू घरी येणार का?", "")
    command = ["evaluate", "--run", run, "--source", source, "--reference", right, other, "--errors"]
    kinds = json.loads(output(*command, "--json")[0])["errors"]
    assert [kind["name"] for kind in kinds] == [rule.name for rule in make_rules({})]
    assert all(0 <= kind["errors"] <= kind["judged"] <= 2 for kind in kinds)
    assert (kinds[0]["references_errors"], kinds[0]["references_judged"]) == (1, 2)
    printed = output(*command)
    assert any(re.match(re.escape(kinds[0]["name"]) + r"  .*50\.0 ?% of 2$", line) for line in printed)
    assert all(f"{kind['name']}: {kind['description']}" in printed for kind in kinds)


def test_everyday_sentences_are_scored_by_kind_and_the_worst_are_printed(run):
    _, out, _ = call("evaluate", "--run", run, "--everyday", "--json")  # it says what such a model leaves out
    sentences, result = read_everyday(), json.loads(out)
    printed = call("evaluate", "--run", run, "--everyday")[1].splitlines()
    assert result["sentences"] == len(sentences) == 300
    assert collections.Counter(s.kind for s in sentences) == {row["name"]: 15 for row in result["kinds"]}
    assert sum(row["exact"] for row in result["kinds"]) / 20 == pytest.approx(result["exact"])
    (start,) = [i for i, line in enumerate(printed) if line.startswith("kind of sentence ")]
    shown = [line.strip().split("  ")[0] for line in printed[start + 1 : start + 21]]
    assert shown == [row["name"] for row in result["kinds"]]
    ten, references = result["worst"], {s.english: s.references for s in sentences}
    assert [row["chrf"] for row in ten] == sorted(row["chrf"] for row in ten) and len(ten) == 10
    for row in ten:
        assert row["reference"] == references[row["english"]][0]
        place = printed.index(f"  {row['english']}")
        assert printed[place + 1] == f"    translation: {row['text']}  (chrF {row['chrf']:.1f})"


def test_two_runs_are_compared_and_scored_together_on_the_same_sentences(trained, copy, monkeypatch):
    loaded, load = [], Translator.load
    monkeypatch.setattr(Translator, "load", lambda *runs: loaded.append(runs) or load(trained.run))
    both = [output("evaluate", "--run", trained.run, option, copy, "--json") for option in ("--compare", "--run")]
    compared = json.loads(both[0][0])
    assert loaded == [(trained.run,), (copy,), (trained.run, copy)]  # the last is an ensemble
    assert [row["metric"] for row in compared["comparison"]] == ["BLEU", "chrF"]
    for row, name in zip(compared["comparison"], ("bleu", "chrf"), strict=True):
        assert row["first"] == row["second"] == pytest.approx(compared[name])
        assert (row["difference"], row["p_value"]) == (0, 1)  # both translate alike
    write_lines(copy / "test.tsv", (copy / "test.tsv").read_text(encoding="utf-8").splitlines()[1:])
    for option in ("--compare", "--run"):
        line = refusal("evaluate", "--run", trained.run, option, copy)
        assert f"{trained.run} and {copy}: expected the same test split" in line


def test_a_search_is_compared_with_greedy_search(run, evaluate):
    beam, greedy = evaluate("--compare", "greedy", "--beam-size", 3, "--length-penalty", 0.5), evaluate()
    for row, name in zip(beam["comparison"], ("bleu", "chrf"), strict=True):
        assert row["first"] == pytest.approx(beam[name]) and row["second"] == pytest.approx(greedy[name])
    assert beam["sentences"] == greedy["sentences"]


# --- files


def test_files_are_scored_against_all_their_references(run, evaluate, lines):
    sentences = [pair.source for pair in read_pairs(run / "test.tsv")[:3]]  # of others a warning says they were seen
    translations = output("translate", "--run", run, "--beam-size", 1, *sentences)  # as `evaluate` does
    source, right = lines("source.txt", *sentences), lines("right.txt", *(text or "।" for text in translations))
    wrong = lines("wrong.txt", *["क्षत्रिय"] * 2, "")
    for references, number in (([right], 3), ([wrong, right], 5)):
        scores = evaluate("--source", source, "--reference", *references)
        assert (scores["sentences"], scores["references"]) == (3, number)
        assert scores["exact"] == pytest.approx(100 * sum(map(bool, translations)) / 3)
        assert math.isfinite(scores["perplexity"])


@pytest.mark.parametrize(
    ("source", "references", "what"),
    [
        (["a", "b"], [["क"]], "reference0.txt has 1 lines, but .*source.txt has 2"),
        (["a"], [["क"], ["क", "ख"]], "reference1.txt has 2 lines"),
        (["a"], [[]], "reference0.txt has 0 lines"),
        ([], [[]], "source.txt: no sentences"),
        (["a", "b"], [["क", ""], ["", " "]], "source.txt, line 2: no reference"),
        (["a", " "], [["क", "ख"]], "source.txt, line 2: an empty sentence"),
        (["", " "], [["", ""]], "source.txt: no sentences"),
        (["\u200b", "b"], [["क", "ख"]], "source.txt, line 1: an empty"),
        (["a"], [["\ufeff"]], "source.txt, line 1: no reference"),
        (["a"], [["\udcff"]], "reference0.txt, line 1: not UTF-8"),
    ],
)
def test_files_that_do_not_fit_together_are_named(run, tmp_path, lines, source, references, what):
    paths = [tmp_path / f"reference{i}.txt" for i in range(len(references))]
    for path, texts in zip(paths, references, strict=True):
        path.write_bytes("".join(f"{text}\n" for text in texts).encode(errors="surrogateescape"))
    files = ["--source", lines("source.txt", *source), "--reference", *paths]
    assert re.search(what, refusal("evaluate", "--run", run, *files))


# --- sentences that were trained on


@pytest.fixture
def pairs(run):
    """A training pair and a held-out one."""
    return read_pairs(run / "train.tsv")[0], read_pairs(run / "test.tsv")[0]


def test_scores_on_a_changed_split_come_with_a_warning(run, copy):
    kept = read_pairs(copy / "test.tsv")
    changed = [*kept, *read_pairs(copy / "train.tsv")[:2]]
    write_lines(copy / "test.tsv", [f"{pair.source}\t{pair.target}" for pair in changed])
    status, out, err = call("evaluate", "--run", copy)
    seen = f"it was trained on 2 of {len(changed)} sentences or on translations of them"
    assert (status, err) == (0, f"warning: {copy}: test.tsv is not what training wrote; {seen}\n")
    assert out.startswith(f"{len(changed)} sentences")


def test_gold_alignments_of_sentences_trained_on_are_left_out(run, evaluate, pairs, lines):
    (known, new), respelled = pairs, "{}\t{}\t0-0".format(pairs[0].source.lower(), "अ")
    gold = lines("gold.tsv", f"{new.source}\t{new.target}\t0-0", respelled, f"No!\t{known.target}\t0-0")
    scores = evaluate("--alignments", gold)
    assert scores["argmax"]["pairs"] == scores["threshold"]["pairs"] == scores["aligner"]["pairs"] == 1
    assert 0 <= scores["argmax"]["error_rate"] <= 1 and scores["entropy"] > 0
    assert set(scores["shifted_error_rates"]) == {"-1", "1", "2"}
    assert (scores["trained_on"], scores["missing"]) == (2, 0)
    first, *_ = output("evaluate", "--run", run, "--alignments", gold)
    assert first == "1 gold alignments; left out: 2 with a sentence that was trained on"

    gold = lines("gold.tsv", "Where is my book?\tमाझं पुस्तक कुठे आहे?\t0-2", "11\t22\tS:0-0")
    scores = evaluate("--alignments", gold)
    assert (scores["argmax"]["pairs"], scores["trained_on"], scores["missing"]) == (1, 0, 1)
    line = refusal("evaluate", "--run", run, "--alignments", lines("gold.tsv", respelled))
    assert f"{gold}: no alignment is left to score; left out: 1 with a sentence that was trained on" in line
