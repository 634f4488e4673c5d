"""The benchmark from corpus to table, with a tiny model."""

import contextlib
import json
import statistics

import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.disk.fetch import load_corpus
from nmt_attention.disk.pairs import write_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.text import WordTokenizer
from tools.measure.benchmark import bench, workloads
from tools.measure.benchmark.__main__ import main
from tools.measure.benchmark.workers import peak_memory

TINY = bench.Size(units=8, embedding_units=8, batch_size=4, tokenizer="word", vocabulary_size=None, batches=3)


@contextlib.contextmanager
def here(workload, *arguments):
    """In place of `worker`: the workload in this process, which has imported TensorFlow already."""
    about, do_round = getattr(workloads, workload)(*arguments)
    yield about, lambda number: {**do_round(number), "peak_memory": peak_memory()}


def test_the_command_measures_training_and_translation_and_compares_with_the_textbook(tmp_path, monkeypatch, capsys):
    short = [pair for pair in load_corpus("phrasebook") if max(len(side.split()) for side in pair[:2]) <= 3]
    pairs = short[:: len(short) // 60]  # the textbook loop takes long to trace for long sentences
    write_pairs(tmp_path / "pairs.tsv", pairs)
    words = [WordTokenizer.learn([pair[side] for pair in pairs], 100, side == 0) for side in (0, 1)]
    save_bundle(tmp_path, Seq2Seq(ModelConfig(*map(len, words), units=8, embedding_units=8)), *words)
    write_pairs(tmp_path / "test.tsv", pairs[:5] * 2)
    monkeypatch.setitem(bench.SIZES, "256", TINY)
    monkeypatch.setattr(bench, "worker", here)
    monkeypatch.setattr(bench, "OTHERS", dict(list(bench.OTHERS.items())[:1]))  # each has to be traced
    monkeypatch.setattr(workloads, "_TEXTBOOK_SECONDS", 0.1)
    options = ["--size", "256", "--rounds", "2", "--corpus", str(tmp_path / "pairs.tsv"), "--run", str(tmp_path)]
    main([*options, "--json"])
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    assert "round 2 of 2" in printed.err and result["machine"]["pairs"] == len(pairs)
    (size,) = result["sizes"]
    textbook = size["parts"]["textbook"]
    assert set(size["parts"]) - {"mixed_bfloat16"} == {"float32", *bench.OTHERS, "textbook"}
    for part, row in size["parts"].items():
        assert statistics.median(row["repeats"]) == row["tokens_per_second"] > 0
        assert min(row["first_step_seconds"], row["peak_memory"], row["parameters"]) > 0
        if part != "textbook":
            assert row["ratio"] == row["sentences_per_second"] / textbook["sentences_per_second"]
    assert size["parts"]["float32"]["parameters"] == Seq2Seq(ModelConfig(**size["model"])).count_params()
    assert size["used"].keys() == {"gpus", "cudnn"}
    size["used"] = {"gpus": [{"name": "Tesla T4", "memory_mib": 15360, "compute_capability": "7.5"}], "cudnn": True}
    assert "\nTesla T4, 15,360 MiB, compute capability 7.5, cuDNN's recurrent layers\n" in bench.to_table(result)
    assert result["translation"]["sentences"] == 5
    for row in result["translation"]["searches"].values():
        assert row["sentences_per_second"] > 0 and 0 < row["milliseconds"] <= row["milliseconds_95"]
    lines = bench.to_table(result).splitlines()
    (start,) = (i for i, line in enumerate(lines) if line.startswith("training"))
    assert len({len(line) for line in lines[start : start + 1 + len(size["parts"])]}) == 1, "aligned"


def test_a_run_that_is_none_is_said_before_anything_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "worker", here)
    with pytest.raises(SystemExit, match=f"benchmark: {tmp_path}: not a trained model"):
        main(["--corpus", "phrasebook", "--run", str(tmp_path)])
