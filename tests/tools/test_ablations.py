import json
from pathlib import Path

import pytest

from tools import ablations, processes
from tools.ablations import SEEDS, VARIANTS, make_ablations, to_markdown

DEV = {"baseline": 30.0, "concatenation": 29.0, "concatenation-phrasebook": 32.0, "scheduled-sampling": 31.5}
DEV |= {"vocabulary-1000": 28.0, "vocabulary-2000": 29.5, "vocabulary-8000": 29.0}


@pytest.fixture
def calls(monkeypatch):
    """The commands that are run, in place of running them; a training leaves its scores."""
    made = []

    def call(command, *arguments):
        made.append((command, *map(str, arguments)))
        run = Path(arguments[arguments.index("--run") + 1])
        name, _, seed = run.name.partition("-")[2].rpartition("-")
        run.mkdir(parents=True, exist_ok=True)
        bleu = DEV[name] + int(seed)
        dev, test = {"bleu": bleu, "chrf": bleu + 20}, {"bleu": 77.7, "chrf": 77.7}
        (run / "scores.json").write_text(json.dumps({"training_minutes": 9.0, "dev": dev, "test": test}))
        return ""

    monkeypatch.setattr(processes, "call", call)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", "phrasebook")
    return made


def test_every_variant_is_trained_with_every_seed_and_scored_on_dev_alone(calls, tmp_path):
    output = tmp_path / "ablations.json"
    found = make_ablations(list(VARIANTS), "full", tmp_path / "runs", output)
    assert {call[2] for call in calls} == {
        str(tmp_path / "runs" / f"full-{name}-{seed}") for name in VARIANTS for seed in SEEDS
    }
    assert all("--preset full --seed" in " ".join(call) for call in calls)
    assert json.loads(output.read_text(encoding="utf-8")) == found and "77.7" not in output.read_text(encoding="utf-8")
    assert [row["name"] for row in found["variants"]] == list(VARIANTS)
    (dropping,) = (row for row in found["variants"] if row["name"] == "scheduled-sampling")
    assert (dropping["bleu"], dropping["chrf"], dropping["bleu_gain"], dropping["chrf_gain"]) == (33.0, 53.0, 1.5, 1.5)
    trained = [row["train"].split() for row in dropping["seeds"]]
    assert [train[train.index("--seed") + 1] for train in trained] == ["1", "2"]
    assert all(train[-2:] == ["--scheduled-sampling", "0.2"] for train in trained)
    assert sorted(tuple(train) for train in trained) == sorted(
        call for call in calls if "scheduled-sampling" in call[2]
    )
    rows = to_markdown(found).splitlines()
    assert (
        "| baseline | 31.5 | – | 51.5 | – | 9.0 |" in rows
        and "| concatenation | 30.5 | -1.0 | 50.5 | -1.0 | 9.0 |" in rows
    )
    assert len({row.count("|") for row in rows}) == 1


def test_the_first_seed_of_all_comes_before_the_second_of_any(calls, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "MOST_AT_A_TIME", 1)
    make_ablations(["baseline", "concatenation"], "quick", tmp_path, tmp_path / "ablations.json")
    assert [Path(call[2]).name for call in calls] == [
        f"quick-{name}-{seed}" for seed in SEEDS for name in ("baseline", "concatenation")
    ]


def test_scores_are_written_as_they_come_so_that_a_failure_loses_none(calls, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "MOST_AT_A_TIME", 1)
    monkeypatch.setitem(DEV, "concatenation", None)  # fails
    output = tmp_path / "ablations.json"
    with pytest.raises(TypeError):
        make_ablations(["scheduled-sampling", "baseline", "concatenation"], "quick", tmp_path, output)
    (dropping, baseline) = json.loads(output.read_text(encoding="utf-8"))["variants"]
    assert dropping["bleu_gain"] == 1.5 and len(baseline["seeds"]) == 1


def test_what_was_left_out_of_the_package_stays_in_the_table(calls, tmp_path):
    output = tmp_path / "ablations.json"
    row = {"name": "gone", "minutes": 8.0, "bleu": 29.0, "chrf": 49.0, "bleu_gain": -1.0, "chrf_gain": -1.0}
    output.write_text(json.dumps({"left_out": {"commit": "abc", "variants": [row]}}))
    found = make_ablations(["baseline"], "quick", tmp_path, output)
    assert (
        json.loads(output.read_text(encoding="utf-8"))["left_out"]
        == found["left_out"]
        == {"commit": "abc", "variants": [row]}
    )
    assert to_markdown(found).endswith("| gone | 29.0 | -1.0 | 49.0 | -1.0 | 8.0 |\n")


def test_a_variant_without_a_baseline_has_no_gain(calls, tmp_path):
    found = make_ablations(["concatenation"], "quick", tmp_path, tmp_path / "ablations.json")
    assert found["variants"][0]["bleu_gain"] is None
    assert "| concatenation | 30.5 | – | 50.5 | – | 9.0 |" in to_markdown(found)


def test_every_variant_has_the_techniques_of_its_name_and_the_baseline_none():
    from nmt_attention.runs.settings import make_settings

    techniques = ("concatenation", "scheduled_sampling")
    for preset in ("quick", "full"):
        for name, options in VARIANTS.items():
            assert "--no-lexical" in options
            others = options.replace("--no-lexical", "").split()
            pairs = dict(zip(others[::2], others[1::2], strict=True))
            extra, size = pairs.pop("--extra", ""), pairs.pop("--vocabulary-size", "")
            overrides = {option.removeprefix("--").replace("-", "_"): float(value) for option, value in pairs.items()}
            settings = make_settings(preset, overrides)
            has = [technique.replace("_", "-") for technique in techniques if settings[technique]]
            has += [extra] * bool(extra) + ["vocabulary", size] * bool(size)
            assert "-".join(has) == name.replace("baseline", "")


def test_the_command_line_takes_variants_by_name(calls, tmp_path, capsys):
    where = ["--runs", str(tmp_path), "--output", str(tmp_path / "ablations.json")]
    ablations.main(["baseline", "concatenation", *where])
    assert "| concatenation |" in capsys.readouterr().out and len(calls) == 4
    with pytest.raises(SystemExit, match="ablations: no such variant: nonsense; variants are baseline, concatenation,"):
        ablations.main(["nonsense", *where])
    ablations.main(where)
    assert {Path(call[2]).name for call in calls} == {f"quick-{name}-{seed}" for name in VARIANTS for seed in SEEDS}
