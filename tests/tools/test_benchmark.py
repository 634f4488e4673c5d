import contextlib
import io
import json
import statistics
from types import SimpleNamespace

import numpy as np
import pytest

from nmt_attention.batches import Batch
from nmt_attention.config import ModelConfig
from nmt_attention.corpus import split_pairs
from nmt_attention.disk.fetch import load_corpus
from nmt_attention.disk.pairs import write_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.spelling import normalize
from nmt_attention.text import WordTokenizer
from tools.benchmark import bench, workloads
from tools.benchmark.__main__ import main
from tools.benchmark.bench import Size, describe_machine, run_benchmark, to_table
from tools.benchmark.workers import mebibytes, peak_memory
from tools.benchmark.workloads import sample_batches, train_package

TINY = Size(units=8, embedding_units=8, batch_size=4, tokenizer="word", vocabulary_size=bench.ALL_WORDS, batches=3)
ROUNDS = 2


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Short sentences, for the textbook loop takes long to trace for long ones."""
    path = tmp_path_factory.mktemp("corpus") / "pairs.tsv"
    short = [pair for pair in load_corpus("phrasebook") if max(len(side.split()) for side in pair[:2]) <= 3]
    write_pairs(path, short[:: len(short) // 60])
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory, corpus):
    """An untrained model, and sentences to translate."""
    directory = tmp_path_factory.mktemp("run")
    pairs = load_corpus(corpus)
    source, target = (WordTokenizer.learn([pair[side] for pair in pairs], 100, side == 0) for side in (0, 1))
    model = Seq2Seq(ModelConfig(len(source), len(target), units=8, embedding_units=8))
    save_bundle(directory, model, source, target)
    write_pairs(directory / "test.tsv", pairs[:5] * 2)
    return directory


@contextlib.contextmanager
def here(workload, *arguments):
    """In place of `worker`: the workload in this process, which has imported TensorFlow already."""
    about, do_round = getattr(workloads, workload)(*arguments)
    yield about, lambda number: {**do_round(number), "peak_memory": peak_memory()}


@pytest.fixture(scope="module", params=["here", pytest.param("in processes", marks=pytest.mark.marathon)])
def printed(request, corpus, run):
    """What the command prints, as JSON."""
    out, err = io.StringIO(), io.StringIO()
    options = ["--size", "256", "--rounds", str(ROUNDS), "--corpus", str(corpus), "--run", str(run), "--json"]
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setitem(bench.SIZES, "256", TINY)
        if request.param == "here":
            patch.setattr(bench, "worker", here)
            patch.setattr(workloads, "_TEXTBOOK_SECONDS", 0.1)
            patch.setattr(bench, "OTHERS", dict(list(bench.OTHERS.items())[:1]))  # each has to be traced
        main(options)
        return SimpleNamespace(out=out.getvalue(), err=err.getvalue(), others=list(bench.OTHERS))


@pytest.fixture(scope="module")
def result(printed):
    return json.loads(printed.out)


def error(options):
    """Returns what the command says when it fails."""
    with contextlib.redirect_stderr(io.StringIO()) as err, pytest.raises(SystemExit) as stop:
        main(options)
    return f"{err.getvalue()}{stop.value}"


def test_the_command_prints_one_json_object_and_its_progress_elsewhere(printed, result):
    assert printed.out.count("\n") == 1
    assert set(result) == {"machine", "sizes", "translation"}
    assert f"round {ROUNDS} of {ROUNDS}" in printed.err


def test_the_machine_is_described(result, corpus):
    machine = result["machine"]
    assert machine["corpus"] == str(corpus) and machine["pairs"] == len(load_corpus(corpus))
    assert machine["rounds"] == ROUNDS and machine["threads"] >= 1 and machine["load"] >= 0
    assert {"python", "keras", "numpy"} < set(machine["versions"]) and machine["versions"] == describe_machine()[
        "versions"
    ]


def test_every_part_is_measured_and_every_number_is_positive(result, printed):
    (size,) = result["sizes"]
    assert size["name"] == "256" and size["size"] == TINY._asdict()
    assert size["model"]["units"] == TINY.units and 4 < size["model"]["target_vocabulary_size"] < 200
    parts = size["parts"]
    assert set(parts) - {"mixed_bfloat16"} == {"float32", *printed.others, "textbook"}
    for part, row in parts.items():
        assert statistics.median(row["repeats"]) == row["tokens_per_second"] and len(row["repeats"]) == ROUNDS
        common = {"sentences_per_second", "tokens_per_second", "first_step_seconds", "peak_memory", "parameters"}
        ours = set() if part == "textbook" else {"ratio"}
        counted = {"operations_per_second", "share_of_shapes", "share_of_square"} if part in size["matrix"] else set()
        assert set(row) == {"repeats"} | common | ours | counted
        assert all(row[name] > 0 for name in set(row) - {"repeats"}), part


def test_quotients_are_those_of_the_numbers_next_to_them(result, corpus):
    (size,) = result["sizes"]
    textbook, matrix = size["parts"]["textbook"], size["matrix"]
    words = [WordTokenizer.split(normalize(pair.target)) for pair in split_pairs(load_corpus(corpus)).train]
    mean = np.mean([len(sentence) + 1 for sentence in words])  # END is a token too
    for part, row in size["parts"].items():
        tokens = row["tokens_per_second"] / row["sentences_per_second"]
        assert tokens == pytest.approx(mean)
        if part != "textbook":
            assert row["ratio"] == row["sentences_per_second"] / textbook["sentences_per_second"]
        if part in matrix:
            assert row["share_of_shapes"] == row["operations_per_second"] / matrix[part]["shapes"]
            assert row["share_of_square"] == row["operations_per_second"] / matrix[part]["square"]
    assert set(matrix) == set(size["parts"]) & {"float32", "mixed_bfloat16"}


def test_parts_have_the_size_that_is_asked_for(result):
    (size,) = result["sizes"]
    v, w, h = *(size["model"][f"{side}_vocabulary_size"] for side in ("source", "target")), TINY.units
    gru = 3 * h * (h + h + 2)
    # embeddings; encoder; decoder with context and token; its output layer; attention
    expected = (v + w) * h + gru + gru + 3 * h * h + (h + 1) * w + 2 * (h + 1) * h + h + 1
    assert size["parts"]["textbook"]["parameters"] == expected
    model = Seq2Seq(ModelConfig(**size["model"]))
    assert size["parts"]["float32"]["parameters"] == model.count_params()


def test_translation_is_measured(result, run):
    translation = result["translation"]
    assert (translation["run"], translation["sentences"]) == (str(run), 5) and translation["peak_memory"] > 0
    assert set(translation["searches"]) == {"greedy", "beam of 5"}
    for row in translation["searches"].values():
        assert row["sentences_per_second"] > 0 and 0 < row["milliseconds"] <= row["milliseconds_95"]


def test_the_table_is_aligned_and_has_the_numbers(result):
    lines = to_table(result).splitlines()
    (start,) = (i for i, line in enumerate(lines) if line.startswith("training"))
    (size,) = result["sizes"]
    table = lines[start : start + 1 + len(size["parts"])]
    assert len({len(line) for line in table}) == 1
    for line, (part, row) in zip(table[1:], size["parts"].items(), strict=True):
        cells = line.removeprefix(part).split()
        assert line.startswith(part) and cells[0] == f"{row['sentences_per_second']:,.1f}"
        assert cells[-1] == f"{row['parameters']:,}"
        assert cells[2] == (f"{row['ratio']:.1f}" if "ratio" in row else "1")
    assert any(line.startswith("beam of 5") for line in lines)
    assert "not measured" in to_table({**result, "translation": None})


def test_a_run_that_is_none_is_said_before_anything_is_measured(corpus, tmp_path):
    message = error(["--corpus", str(corpus), "--run", str(tmp_path)])
    assert f"{tmp_path}: not a trained model" in message and "round" not in message


def test_at_least_one_round(corpus):
    with pytest.raises(ValueError, match="rounds: expected at least 1, got 0"):
        run_benchmark(corpus, ["256"], rounds=0)


def test_sampled_batches_are_of_all_lengths():
    batches = [Batch(None, None, np.full((2, length), 5)) for length in (3, 9, 1, 8, 2, 7)]
    lengths = [batch.target_out.shape[1] for batch in sample_batches(batches, 3)]
    assert lengths[0] in (1, 2) and lengths[1] in (3, 7) and lengths[2] in (8, 9)
    assert len(sample_batches(batches, 100)) == 6


def test_a_corpus_smaller_than_a_batch_is_an_error(corpus):
    with pytest.raises(ValueError, match=f"{corpus}: .* do not fill a batch of 500"):
        train_package(corpus, TINY._replace(batch_size=500), "float32")


def test_memory_is_counted_in_mebibytes(monkeypatch):
    assert 50 < peak_memory() < 100_000  # a Python process with TensorFlow is in between
    usage = SimpleNamespace(ru_maxrss=3 * 2**20)
    for platform, expected in (("linux", 3 * 1024), ("darwin", 3)):
        monkeypatch.setattr("sys.platform", platform)
        assert mebibytes(usage) == expected
