import contextlib
import io
import json
import logging
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

import nmt_attention
from nmt_attention.cli import lines as text_lines
from nmt_attention.cli.main import main
from nmt_attention.corpus import split_pairs
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.marathi.romanize import romanize
from nmt_attention.spelling import has_devanagari

ROOT = Path(nmt_attention.__file__).parent.parent  # other processes find the package from there
COMMANDS = ["fetch", "train", "translate", "evaluate", "plot", "align", "export", "serve"]
MEN = {"Rahul": "राहुल", "Amit": "अमित", "Rohan": "रोहन", "Vijay": "विजय", "Samir": "समीर", "Ajay": "अजय"}
WOMEN = {"Sita": "सीता", "Mina": "मीना", "Rekha": "रेखा", "Anita": "अनिता", "Kavita": "कविता", "Lata": "लता"}
DOINGS = {
    "goes to school": ("शाळेत", "जातो", "जाते"),
    "reads a book": ("पुस्तक", "वाचतो", "वाचते"),
    "drinks tea": ("चहा", "पितो", "पिते"),
    "comes home": ("घरी", "येतो", "येते"),
    "sings a song": ("गाणे", "गातो", "गाते"),
    "learns Marathi": ("मराठी", "शिकतो", "शिकते"),
    "writes a letter": ("पत्र", "लिहितो", "लिहिते"),
    "drinks water": ("पाणी", "पितो", "पिते"),
}
PAIRS = [
    (f"{name} {doing}{when}.", f"{marathi_name}{marathi_when} {what} {verbs[form]}.")
    for form, names in enumerate((MEN, WOMEN))
    for name, marathi_name in names.items()
    for doing, (what, *verbs) in DOINGS.items()
    for when, marathi_when in (("", ""), (" every day", " रोज"))
]
SENTENCES = ["Rahul goes to school.", "Lata reads a book every day.", "Sita drinks tea."]
SETTINGS = [
    *("--vocabulary-size", "60", "--units", "8", "--embedding-units", "8", "--no-bidirectional"),
    *("--epochs", "1", "--batch-size", "64", "--precision", "float32"),
]
BUNDLE = ["config.json", "source.json", "target.json", "weights.npz"]


class Result(NamedTuple):
    status: int
    out: str
    err: str


def call(*arguments):
    """Runs the command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return Result(status, out.getvalue(), err.getvalue())


def output(*arguments):
    """Returns the lines that a command that succeeds prints."""
    result = call(*arguments)
    assert (result.status, result.err) == (0, "")
    return result.out.splitlines()


def error(*arguments):
    """Returns the one line on standard error of a command that fails."""
    result = call(*arguments)
    assert result.status == 1 and result.err.endswith("\n")
    *before, line = result.err.splitlines()
    assert line.startswith("nmt-attention: ")
    assert all(earlier.startswith("corpus ") for earlier in before)  # what `train` says when it has read the corpus
    return line


def content(directory):
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def write_corpus(path, pairs=PAIRS):
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), encoding="utf-8")
    return path


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def train(run, corpus_file, *more):
    return call("train", "--run", run, "--corpus", corpus_file, *SETTINGS, *more)


class Trained(NamedTuple):
    run: Path
    corpus: Path
    result: Result


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A tiny run, trained once for the tests of this file; they must not change it."""
    logging.getLogger("tensorflow").setLevel("ERROR")  # it warns of many translators in one process
    directory = tmp_path_factory.mktemp("trained")
    corpus_file = write_corpus(directory / "corpus.tsv")
    result = train(directory / "run", corpus_file)
    assert result.status == 0, result.err
    return Trained(directory / "run", corpus_file, result)


@pytest.fixture(scope="session")
def translator(trained):
    from nmt_attention.translate import Translator

    return Translator.load(trained.run)


@pytest.fixture
def run(trained, translator, monkeypatch):
    """The run directory; its translator is loaded once instead of by every command."""

    def load(directory):
        assert directory == trained.run
        return translator

    monkeypatch.setattr("nmt_attention.translate.Translator.load", load)
    return trained.run


@pytest.fixture
def copy(trained, tmp_path):
    """A copy of the run that a test may damage."""
    return Path(shutil.copytree(trained.run, tmp_path / "copy"))


def give_stdin(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False))


# --- help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert f"example: python -m nmt_attention {command} " in " ".join(capsys.readouterr().out.split())


def test_help_does_not_import_tensorflow():
    program = f"""
import sys
from nmt_attention.cli.main import main
for command in {[[], *([name] for name in COMMANDS)]}:
    try:
        main([*command, "--help"])
    except SystemExit as stopped:
        assert stopped.code == 0, command
    assert "tensorflow" not in sys.modules and "keras" not in sys.modules, command
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("example:") == len(COMMANDS)


def test_a_command_that_does_not_exist_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["transalte"])
    assert stopped.value.code == 2 and "translate" in capsys.readouterr().err


# --- fetch


def test_fetch_says_what_it_got(tmp_path, monkeypatch):
    path = write_corpus(tmp_path / "fra-eng.tsv", PAIRS[:3])
    monkeypatch.setattr("nmt_attention.disk.fetch.download_anki", {"fra": path}.__getitem__)
    assert output("fetch", "--language", "fra") == [f"{path}: 3 pairs"]


def test_fetch_of_a_bad_language_is_an_error():
    assert "'xx'" in error("fetch", "--language", "xx")


# --- train


def test_training_leaves_a_run_directory(trained):
    files = ["lock", "run.json", "history.csv", "checkpoints", "scores.json", *BUNDLE]
    files += ["train.tsv", "dev.tsv", "test.tsv", "placeholders.json", "transliterator"]
    assert sorted(path.name for path in trained.run.iterdir()) == sorted(files)
    split = split_pairs(read_pairs(trained.corpus))
    assert read_pairs(trained.run / "dev.tsv") == split.dev
    assert read_pairs(trained.run / "test.tsv") == split.test


def test_the_best_epoch_of_a_run_is_chosen_by_chrf(trained):
    columns = (trained.run / "history.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert next(column for column in columns if column.startswith("dev_")) == "dev_chrf"  # what `train` maximises


def test_training_says_what_it_read_and_what_it_reached(trained):
    assert f"corpus {trained.corpus}: {len(PAIRS)} pairs" in trained.result.err.splitlines()
    assert "epoch 1/1" in trained.result.err
    scores = json.loads((trained.run / "scores.json").read_text())
    first, dev, test = trained.result.out.splitlines()
    assert first.startswith(f"{trained.run}: {scores['parameters']:,} parameters")
    for name, line in (("dev", dev), ("test", test)):
        assert line.split() == [name, "BLEU", f"{scores[name]['bleu']:.1f}", "chrF", f"{scores[name]['chrf']:.1f}"]


def test_training_again_prints_the_same_scores_and_changes_nothing(trained):
    before = content(trained.run)
    again = train(trained.run, trained.corpus)
    assert (again.status, again.out) == (0, trained.result.out)
    assert "epoch" not in again.err
    assert content(trained.run) == before


def test_a_run_that_another_process_ends_while_this_one_starts_is_not_trained_again(trained, tmp_path, monkeypatch):
    from nmt_attention.runs.distribute import make_strategy

    def meanwhile(name):
        shutil.copytree(trained.run, tmp_path / "run")
        return make_strategy(name)

    monkeypatch.setattr("nmt_attention.runs.run.make_strategy", meanwhile)
    monkeypatch.setattr("nmt_attention.runs.run._train_and_score", None)
    assert train(tmp_path / "run", trained.corpus).out == trained.result.out.replace(
        str(trained.run), str(tmp_path / "run")
    )


@pytest.mark.parametrize(("setting", "value"), [("units", "10"), ("epochs", "2"), ("tokenizer", "word")])
def test_other_settings_are_refused_on_the_same_directory(trained, setting, value):
    before = content(trained.run)
    line = error("train", "--run", trained.run, "--corpus", trained.corpus, *SETTINGS, f"--{setting}", value)
    assert str(trained.run) in line and setting in line and value in line
    assert content(trained.run) == before


def test_another_corpus_is_refused_on_the_same_directory(trained, tmp_path):
    before = content(trained.run)
    other = write_corpus(tmp_path / "other.tsv", PAIRS[:-1])
    line = error("train", "--run", trained.run, "--corpus", other, *SETTINGS)
    assert str(trained.run) in line and "corpus" in line
    assert content(trained.run) == before


def test_a_corpus_of_wrong_lines_is_named_with_the_line(tmp_path):
    path = tmp_path / "bad.tsv"
    path.write_bytes(b"I go.\t" + "मी जातो.".encode() + b"\nno tab\n")
    line = error("train", "--run", tmp_path / "run", "--corpus", path)
    assert f"{path}, line 2" in line and not (tmp_path / "run").exists()


def test_a_missing_corpus_is_named(tmp_path, monkeypatch):
    assert "none.tsv" in error("train", "--run", tmp_path / "run", "--corpus", tmp_path / "none.tsv")
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "elsewhere.zip"))
    line = error("train", "--run", tmp_path / "run")
    assert "NMT_ATTENTION_CORPUS" in line and "elsewhere.zip" in line
    assert not (tmp_path / "run").exists()


def test_a_corpus_too_small_to_split_is_an_error(tmp_path):
    path = write_corpus(tmp_path / "small.tsv", PAIRS[:1])
    assert "too few" in error("train", "--run", tmp_path / "run", "--corpus", path)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("setting", "value"), [("units", "0"), ("dropout", "1.5"), ("epochs", "-1"), ("learning-rate", "nan")]
)
def test_a_setting_out_of_range_is_named_before_anything_is_read(tmp_path, setting, value):
    line = error("train", "--run", tmp_path / "run", "--corpus", tmp_path / "none.tsv", f"--{setting}", value)
    assert f"{setting.replace('-', '_')}: expected" in line


def test_damaged_scores_are_named(copy, trained):
    for text in ('{"dev": ', "{}", "[]"):
        (copy / "scores.json").write_text(text)
        assert str(copy / "scores.json") in error("train", "--run", copy, "--corpus", trained.corpus, *SETTINGS)


def test_a_damaged_account_of_the_run_is_named(copy, trained):
    for text in ('{"settings": ', "{}", "[]"):
        (copy / "run.json").write_text(text)
        assert str(copy / "run.json") in error("train", "--run", copy, "--corpus", trained.corpus, *SETTINGS)


def test_ctrl_c_stops_with_a_word_and_status_130(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("nmt_attention.disk.fetch.find_corpus", interrupt)
    result = call("train", "--run", tmp_path / "run")
    assert result.status == 130 and result.out == ""
    (line,) = result.err.split("\n")[1:-1]
    assert line.startswith("nmt-attention: stopped")


# --- translate


def test_arguments_are_translated_in_their_order(run):
    def translations(*sentences):
        return [json.loads(line) for line in output("translate", "--run", run, "--json", *sentences)]

    together = translations(*SENTENCES)
    assert [row["source"] for row in together] == SENTENCES
    for row, (alone,) in zip(together, map(translations, SENTENCES), strict=True):
        assert row["target_tokens"] == alone["target_tokens"]
        assert row["score"] == pytest.approx(alone["score"], rel=1e-4)
    assert len({row["score"] for row in together}) == 3


def test_a_translation_is_followed_by_its_romanization_where_asked_for(run):
    texts = output("translate", "--run", run, *SENTENCES)
    latin = [romanize(text) for text in texts]
    assert not has_devanagari("".join(latin)) and any(has_devanagari(text) for text in texts)
    command = ("translate", "--run", run, "--romanize", *SENTENCES)
    assert output(*command) == [f"{text}\t{word}" for text, word in zip(texts, latin, strict=True)]
    rows = [line.split("\t") for line in output(*command, "--n-best")]
    assert [row[-2:] for row in rows] == [list(both) for both in zip(texts, latin, strict=True)]
    assert [json.loads(line)["romanized"] for line in output(*command, "--json")] == latin


LINES = ["", SENTENCES[0], "", "", SENTENCES[1], "🙂", " ", "मी शाळेत जातो.", "\ufeff", SENTENCES[2], ""]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_of_a_file_gives_a_line(run, tmp_path, end):
    expected = output("translate", "--run", run, *LINES)
    assert len(expected) == len(LINES) and not any(expected[i] for i in (0, 2, 3, 6, 8, 10))
    (tmp_path / "lines.txt").write_bytes(end.join([*LINES, ""]).encode())
    assert output("translate", "--run", run, "--file", tmp_path / "lines.txt") == expected
    (tmp_path / "lines.txt").write_bytes(end.join(LINES[:-1]).encode())  # the last line without its end
    assert output("translate", "--run", run, "--file", tmp_path / "lines.txt") == expected[:-1]


def test_a_line_of_standard_input_gives_a_line(run, monkeypatch):
    expected = output("translate", "--run", run, *LINES)
    give_stdin(monkeypatch, "\n".join([*LINES, ""]).encode())
    assert output("translate", "--run", run) == expected


def test_nothing_in_gives_nothing_out(run, monkeypatch):
    give_stdin(monkeypatch, b"")
    assert output("translate", "--run", run) == []


def test_a_long_file_is_translated_in_parts_without_a_gap(run, tmp_path, monkeypatch):
    expected = output("translate", "--run", run, *SENTENCES)
    monkeypatch.setattr(text_lines, "_LINES_AT_A_TIME", 2)
    for number in (1, 2, 3, 4, 5):
        path = write_lines(tmp_path / "lines.txt", (SENTENCES * 2)[:number])
        assert output("translate", "--run", run, "--file", path) == (expected * 2)[:number]


def test_another_process_gives_the_same_translations(run):
    expected = output("translate", "--run", run, *SENTENCES, "")
    done = subprocess.run(
        [sys.executable, "-m", "nmt_attention", "translate", "--run", run],
        input="\n".join([*SENTENCES, "", ""]).encode(),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert done.stdout.decode().splitlines() == expected


def test_typed_sentences_are_translated_until_an_empty_line(run, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    expected = output("translate", "--run", run, *SENTENCES[:2])
    screen, stderr = Terminal(), io.StringIO()
    monkeypatch.setattr("sys.stdin", Terminal("\n".join([*SENTENCES[:2], "", SENTENCES[2]])))
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stderr", stderr)
    assert main(["translate", "--run", str(run)]) == 0
    assert screen.getvalue() == "".join(f"> {line}\n" for line in expected) + "> "
    assert len(stderr.getvalue().splitlines()) == 1


@pytest.mark.parametrize("merge", [[], ["--merge-subwords"]])
def test_json_holds_tokens_and_attention(run, merge):
    sentences = [*SENTENCES, "", "🙂"]
    lines = output("translate", "--run", run, "--json", *merge, *sentences)
    found = [json.loads(line) for line in lines]
    assert [row["source"] for row in found] == sentences
    assert [row["text"] for row in found] == output("translate", "--run", run, *sentences)
    for row in found:
        assert list(row) == ["source", "text", "source_tokens", "target_tokens", "attention", "score"]
        assert len(row["attention"]) == len(row["target_tokens"])
        assert all(len(weights) == len(row["source_tokens"]) for weights in row["attention"])
        assert all(abs(sum(weights) - 1) < 1e-4 for weights in row["attention"])
    assert all(row["source_tokens"] and row["score"] < 0 for row in found[:3])
    assert merge or all(row["target_tokens"] for row in found[:3])
    assert list(found[3].values()) == ["", "", [], [], [], 0.0]


def test_merging_adds_up_columns_and_averages_rows_of_a_words_pieces(run, translator):
    (pieces,), (words,) = (
        [json.loads(line) for line in output("translate", "--run", run, "--json", *merge, SENTENCES[0])]
        for merge in ([], ["--merge-subwords"])
    )
    end = pieces["target_tokens"][-1:] == ["<end>"]
    sources = translator.source_tokenizer.words(pieces["source_tokens"])
    targets = translator.target_tokenizer.words(pieces["target_tokens"][: -1 if end else None])
    targets += [("<end>", [len(pieces["target_tokens"]) - 1])] * end
    assert words["source_tokens"] == [word for word, _ in sources] == ["rahul", "goes", "to", "school", "."]
    assert words["target_tokens"] == [word for word, _ in targets]
    assert len(pieces["source_tokens"]) > 5
    number_of_words = [sum(i in group for _, group in sources) for i in range(len(pieces["source_tokens"]))]
    expected = [
        [
            sum(pieces["attention"][t][s] / number_of_words[s] for t in rows for s in columns) / len(rows)
            for _, columns in sources
        ]
        for _, rows in targets
    ]
    np.testing.assert_allclose(
        np.reshape(words["attention"], (len(targets), 5)), np.reshape(expected, (-1, 5)), atol=1e-4
    )


def test_a_sentence_cut_between_two_words_can_be_merged(run):
    for start in range(3):
        (line,) = output("translate", "--run", run, "--json", "--merge-subwords", "a" * start + " g o" * 200)
        assert all(abs(sum(weights) - 1) < 1e-4 for weights in json.loads(line)["attention"])


def test_a_sentence_of_ten_thousand_words_is_translated_as_far_as_the_limit(run):
    long = "Rahul goes " * 5000
    first, second, third = output("translate", "--run", run, "--json", SENTENCES[0], long, SENTENCES[1])
    assert len(json.loads(second)["source_tokens"]) == 250
    assert json.loads(second)["source"] == long
    texts = [json.loads(line)["text"] for line in (first, third)]
    assert texts == output("translate", "--run", run, *SENTENCES[:2])


@pytest.mark.parametrize(
    "sentence",
    ["😀🫠", "<pad>", "<start> <end>", "\x00\x07", "漢字", "?", "'", "a\u200db", "\udcff bytes that are no text"],
)
def test_unusual_sentences_give_a_line_too(run, sentence):
    before, line, after = output("translate", "--run", run, SENTENCES[0], sentence, SENTENCES[1])
    assert [before, after] == output("translate", "--run", run, *SENTENCES[:2])
    assert output("translate", "--run", run, sentence) == [line]


def test_input_that_is_not_utf_8_is_named_with_its_line(run, tmp_path, monkeypatch):
    data = b"I go.\n\n" + "मी".encode()[:-1] + b"\nI go.\n"
    (tmp_path / "lines.txt").write_bytes(data)
    assert f"{tmp_path / 'lines.txt'}, line 3: not UTF-8" in error(
        "translate", "--run", run, "--file", tmp_path / "lines.txt"
    )
    give_stdin(monkeypatch, data)
    assert "standard input, line 3: not UTF-8" in error("translate", "--run", run)


def test_a_missing_input_file_is_named(run, tmp_path):
    assert "none.txt" in error("translate", "--run", run, "--file", tmp_path / "none.txt")


def test_a_file_given_with_sentences_is_not_ignored(run, tmp_path):
    (tmp_path / "lines.txt").write_text("I go.\n")
    assert "not both" in error("translate", "--run", run, "--file", tmp_path / "lines.txt", "I go.")


@pytest.mark.parametrize("arguments", [["translate", "I go."], ["evaluate"], ["plot", "I go."], ["plot", "--history"]])
def test_a_missing_run_directory_is_named(tmp_path, arguments):
    assert str(tmp_path / "none") in error(arguments[0], "--run", tmp_path / "none", *arguments[1:])
    assert not (tmp_path / "none").exists()


# --- bundles that are damaged


@pytest.mark.parametrize("name", BUNDLE)
def test_a_missing_part_of_a_bundle_is_named(copy, name):
    (copy / name).unlink()
    line = error("translate", "--run", copy, "I go.")
    assert str(copy) in line and name in line


@pytest.mark.parametrize("name", BUNDLE)
def test_a_part_of_a_bundle_that_was_cut_short_is_named(copy, name):
    data = (copy / name).read_bytes()
    for length in (0, len(data) // 2, len(data) - 2):
        (copy / name).write_bytes(data[:length])
        assert str(copy / name) in error("translate", "--run", copy, "I go.")


def as_npy(value):
    file = io.BytesIO()
    np.save(file, value)
    return file.getvalue()


def as_npz(**values):
    file = io.BytesIO()
    np.savez(file, **values)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("config.json", b"\xff\xfe", id="config not UTF-8"),
        pytest.param("config.json", b"[1, 2]", id="config a list"),
        pytest.param("config.json", b"null", id="config null"),
        pytest.param("config.json", b'{"layers": 3}', id="config of other settings"),
        pytest.param("config.json", b'{"units": "many"}', id="config of a wrong type"),
        pytest.param("config.json", b'{"units": 0}', id="config out of range"),
        pytest.param("source.json", b"{}", id="source empty"),
        pytest.param("source.json", b'{"kind": "subword", "fold_case": true, "model": "AAAA"}', id="source no model"),
        pytest.param("target.json", b'"text"', id="target a string"),
        pytest.param("weights.npz", b"hello", id="weights of text"),
        pytest.param("weights.npz", as_npy(np.zeros(3)), id="weights of one array"),
        pytest.param("weights.npz", as_npy(np.array([{}])), id="weights of a pickle"),
        pytest.param("weights.npz", as_npz(a=np.zeros(3)), id="weights of another model"),
        pytest.param("weights.npz", as_npz(), id="weights of nothing"),
    ],
)
def test_a_part_of_a_bundle_with_other_content_is_named(copy, name, data):
    (copy / name).write_bytes(data)
    assert str(copy / name) in error("translate", "--run", copy, "I go.")


def test_parts_that_do_not_fit_together_are_named(copy):
    target = (copy / "target.json").read_bytes()
    (copy / "target.json").write_bytes((copy / "source.json").read_bytes())
    assert "target.json" in error("translate", "--run", copy, "I go.")
    (copy / "target.json").write_bytes(target)
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "units": 10}))
    assert "weights.npz" in error("translate", "--run", copy, "I go.")


def test_damaged_weights_are_named(copy):
    path = copy / "weights.npz"
    data = path.read_bytes()
    directory = data.rindex(b"PK\x01\x02")  # a member's entry in the zip's directory
    for position in (len(data) // 2, directory + 8, directory + 10):  # 8: flags, 10: method
        path.write_bytes(data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :])
        assert str(path) in error("translate", "--run", copy, "I go.")


# --- evaluate


@pytest.mark.parametrize("split", ["dev", "test"])
def test_evaluating_a_run_gives_the_scores_that_training_gave(run, split):
    (line,) = output("evaluate", "--run", run, "--split", split, "--json")
    found, expected = json.loads(line), json.loads((run / "scores.json").read_text())[split]
    assert found["sentences"] == len({pair.source for pair in read_pairs(run / f"{split}.tsv")})
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        if value is not None and name != "sentences_per_second":  # nor does training work out all of them
            assert found[name] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-4)), name
    assert found["bleu_interval"][0] <= found["bleu"] <= found["bleu_interval"][1]
    assert found["ter"] >= 0 and found["sentences_per_second"] > 0


def test_scores_are_printed_for_people(run):
    lines = output("evaluate", "--run", run)
    scores = json.loads((run / "scores.json").read_text())["test"]
    assert lines[0] == f"{scores['sentences']:,} sentences, {scores['references']:,} references"
    assert [line.split()[0] for line in lines[1:]] == ["BLEU", "chrF", "TER", "exact", "perplexity", "speed"]
    assert f" {scores['chrf']:.1f} " in lines[2] and scores["bleu_signature"] in lines[1]


def test_scores_are_broken_down(run):
    (line,) = output("evaluate", "--run", run, "--json", "--breakdown")
    result = json.loads(line)
    assert list(result["breakdown"]) == ["length", "unseen_words", "references"]
    for rows in result["breakdown"].values():
        assert sum(row["sentences"] for row in rows) == result["sentences"]
    lines = output("evaluate", "--run", run, "--breakdown")
    titles = ("words in the source", "words in no training sentence of the corpus", "references")
    for title, rows in zip(titles, result["breakdown"].values(), strict=True):
        (start,) = [i for i, line in enumerate(lines) if line.startswith(f"{title}  ")]
        assert lines[start - 1] == ""
        column_end = lines[start].index("BLEU") + len("BLEU")
        assert lines[start + 1][:column_end].endswith(f"  {rows[0]['bleu']:.1f}")
    row = result["breakdown"]["length"][0]
    assert any(line.split()[:3] == [row["name"], str(row["sentences"]), f"{row['bleu']:.1f}"] for line in lines)


def test_errors_are_reported_with_examples(run, tmp_path):
    from nmt_attention.marathi.error_rules import make_rules

    source = write_lines(tmp_path / "source.txt", ["Rahul will come home.", "Rahul goes."])
    right = write_lines(tmp_path / "right.txt", ["तुम्ही घरी येणार आहेस का?", "राहुल गेला."])
    other = write_lines(tmp_path / "other.txt", ["तू घरी येणार का?", ""])
    arguments = evaluate_files(run, source, right, other)
    found = json.loads(output(*arguments, "--errors")[0])["errors"]
    assert [kind["name"] for kind in found] == [rule.name for rule in make_rules({})]
    assert all(0 <= kind["errors"] <= kind["judged"] <= 2 for kind in found)
    assert (found[0]["references_errors"], found[0]["references_judged"]) == (1, 2)
    lines = output(*[argument for argument in arguments if argument != "--json"], "--errors")
    (line,) = [line for line in lines if line.startswith(found[0]["name"] + "  ")]
    assert line.endswith("50.0 % of 2")
    for kind in found:
        assert f"{kind['name']}: {kind['description']}" in lines
        for sentence, text, reference in kind["examples"]:
            place = lines.index(f"  {sentence}")
            assert lines[place + 1 : place + 3] == [f"    translation: {text}", f"    reference:   {reference}"]


def test_two_runs_are_compared_on_the_same_sentences(trained, copy):
    result = json.loads(output("evaluate", "--run", trained.run, "--compare", copy, "--json")[0])
    assert [found["metric"] for found in result["comparison"]] == ["BLEU", "chrF"]
    for found, name in zip(result["comparison"], ("bleu", "chrf"), strict=True):
        assert found["first"] == found["second"] == pytest.approx(result[name])
        assert (found["difference"], found["p_value"]) == (0, 1)  # the copy translates alike
    lines = output("evaluate", "--run", trained.run, "--compare", copy)
    assert f"compared with {copy}" in lines and lines[-1].endswith("p = 1.000")


def test_a_search_is_compared_with_greedy_search(run):
    search = ["--beam-size", 3]
    result = json.loads(output("evaluate", "--run", run, "--compare", "greedy", "--json", *search)[0])
    greedy = json.loads(output("evaluate", "--run", run, "--json")[0])
    for found, name in zip(result["comparison"], ("bleu", "chrf"), strict=True):
        assert found["first"] == pytest.approx(result[name]) and found["second"] == pytest.approx(greedy[name])
    assert "compared with greedy search" in output("evaluate", "--run", run, "--compare", "greedy", *search)


def test_a_run_may_be_called_greedy_where_its_name_is_written_as_a_path(run):
    assert "greedy/test.tsv" in error("evaluate", "--run", run, "--compare", "./greedy")
    assert "greedy alone" in error("evaluate", "--run", run, "--compare", "greedy", "--compare", run)


def test_greedy_search_is_compared_under_the_same_conditions(run, translator, monkeypatch):
    searches, translate = [], translator.translate

    def remember(sentences, **search):
        searches.append(search)
        return translate(sentences, **search | {"replace_unknown": False})  # a model of subwords has no unknown words

    monkeypatch.setattr(translator, "translate", remember)
    conditions = ["--no-repeat-ngrams", 1, "--replace-unknown"]
    arguments = ["evaluate", "--run", run, "--json", *conditions, "--compare", "greedy", "--beam-size", 3]
    found = json.loads(output(*arguments, "--length-penalty", 0.5)[0])["comparison"]
    given = {"no_repeat_ngrams": 1, "replace_unknown": True}
    assert searches[-1] == given and searches[0] == {"beam_size": 3, "length_penalty": 0.5, **given}
    greedy = json.loads(output("evaluate", "--run", run, "--json", "--no-repeat-ngrams", 1)[0])
    assert [c["second"] for c in found] == pytest.approx([greedy["bleu"], greedy["chrf"]])


def test_runs_with_other_held_out_pairs_are_not_compared(trained, copy):
    test = (copy / "test.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (copy / "test.tsv").write_text("".join(test[1:]), encoding="utf-8")
    for option in ("--compare", "--run"):
        line = error("evaluate", "--run", trained.run, option, copy)
        assert f"{trained.run} and {copy}: expected the same test split" in line


def test_models_are_scored_together_when_run_is_given_again(trained, copy):
    alone, together = (
        json.loads(output("evaluate", "--run", trained.run, *more, "--json")[0]) for more in ([], ["--run", copy])
    )
    assert together["exact"] == alone["exact"]
    assert together["perplexity"] == pytest.approx(alone["perplexity"], rel=1e-4)


def test_gold_alignments_are_scored_alone(run, tmp_path):
    path = write_lines(tmp_path / "lines.txt", ["a"])
    reports = ["--errors"], ["--breakdown"], ["--compare", run], ["--source", path, "--reference", path]
    for more in (*reports, ["--split", "dev"], ["--beam-size", "5"], ["--no-repeat-ngrams", "2"]):
        assert f"--alignments and {more[0]} cannot be combined" in error(
            "evaluate", "--run", run, "--alignments", path, *more
        )


def evaluate_files(run, source, *references):
    return ["evaluate", "--run", run, "--json", "--source", source, "--reference", *references]


def test_files_are_scored_against_all_their_references(run, tmp_path):
    sentences = [pair.source for pair in read_pairs(run / "test.tsv")[:3]]  # of others a warning says they were seen
    translations = output("translate", "--run", run, *sentences)
    source = write_lines(tmp_path / "source.txt", sentences)
    right = write_lines(tmp_path / "right.txt", [text or "।" for text in translations])
    wrong = write_lines(tmp_path / "wrong.txt", ["क्षत्रिय"] * 2 + [""])
    (line,) = output(*evaluate_files(run, source, right))
    scores = json.loads(line)
    assert (scores["sentences"], scores["references"]) == (3, 3)
    assert scores["exact"] == pytest.approx(100 * sum(map(bool, translations)) / 3)
    (line,) = output(*evaluate_files(run, source, wrong, right))
    scores = json.loads(line)
    assert (scores["sentences"], scores["references"]) == (3, 5)
    assert scores["exact"] == pytest.approx(100 * sum(map(bool, translations)) / 3)
    assert math.isfinite(scores["perplexity"])


@pytest.mark.parametrize(
    ("source", "references", "what"),
    [
        pytest.param(["a", "b"], [["क"]], "reference0.txt has 1 lines, but .*source.txt has 2", id="too few lines"),
        pytest.param(["a"], [["क"], ["क", "ख"]], "reference1.txt has 2 lines", id="too many lines"),
        pytest.param(["a"], [[]], "reference0.txt has 0 lines", id="empty reference file"),
        pytest.param([], [[]], "source.txt: no sentences", id="empty files"),
        pytest.param(["a", "b"], [["क", ""], ["", " "]], "source.txt, line 2: no reference", id="no reference"),
        pytest.param(["a", " "], [["क", "ख"]], "source.txt, line 2: an empty sentence", id="a sentence of spaces"),
        pytest.param(["\u200b", "b"], [["क", "ख"]], "source.txt, line 1: an empty", id="a zero-width sentence"),
        pytest.param(["a"], [["\ufeff"]], "source.txt, line 1: no reference", id="a zero-width reference"),
    ],
)
def test_files_that_do_not_fit_together_are_named(run, tmp_path, source, references, what):
    paths = [write_lines(tmp_path / f"reference{i}.txt", lines) for i, lines in enumerate(references)]
    line = error(*evaluate_files(run, write_lines(tmp_path / "source.txt", source), *paths))
    assert re.search(what, line)


def test_source_and_reference_go_together(run, tmp_path):
    path = write_lines(tmp_path / "lines.txt", ["a"])
    for option in ("--source", "--reference"):
        assert "--source and --reference" in error("evaluate", "--run", run, option, path)


def test_missing_and_undecodable_files_are_named(run, tmp_path):
    path = write_lines(tmp_path / "lines.txt", ["a"])
    (tmp_path / "bad.txt").write_bytes(b"\xff\n")
    assert "none.txt" in error(*evaluate_files(run, path, tmp_path / "none.txt"))
    assert f"{tmp_path / 'bad.txt'}, line 1: not UTF-8" in error(*evaluate_files(run, path, tmp_path / "bad.txt"))


# --- plot

BEGINNINGS = {".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_a_heatmap_is_written(run, tmp_path, suffix):
    path = tmp_path / "figures" / f"heatmap{suffix}"
    lines = output("plot", "--run", run, SENTENCES[0], "--show-end", "--output", path)
    assert lines == [*output("translate", "--run", run, SENTENCES[0]), str(path)]
    assert path.read_bytes().startswith(BEGINNINGS[suffix])


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_a_history_is_drawn(trained, tmp_path, suffix):
    path = tmp_path / f"history{suffix}"
    assert output("plot", "--run", trained.run, "--history", "-o", path) == [str(path)]
    assert path.read_bytes().startswith(BEGINNINGS[suffix])


def test_a_figure_without_a_name_goes_to_the_run_directory(copy):
    assert output("plot", "--run", copy, "--history") == [str(copy / "history.png")]
    assert (copy / "history.png").read_bytes().startswith(BEGINNINGS[".png"])


def test_a_figure_of_an_unknown_kind_is_an_error(run, tmp_path):
    for what in (["--history"], [SENTENCES[0], "--show-end"]):
        line = error("plot", "--run", run, *what, "--output", tmp_path / "figure.gif")
        assert "figure.gif" in line and ".png, .svg, .pdf" in line
    assert list(tmp_path.iterdir()) == []


def test_a_heatmap_can_have_its_marathi_in_latin_letters_and_english_words_too(monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setattr("nmt_attention.figures.heatmap.save_figure", lambda figure, path: drawn.append(figure))
    for options in ([], ["--romanize"], ["--glosses"]):
        assert (
            main(["plot", "Where is my book?", "--merge-subwords", *options, "-o", str(tmp_path / "figure.png")]) == 0
        )
    plain, romanized, glossed = (
        " ".join(label.get_text() for label in figure.axes[0].get_yticklabels()) for figure in drawn
    )
    assert "पुस्तक" in plain and "pustak" not in plain
    assert "पुस्तक" in romanized and "pustak" in romanized
    assert "पुस्तक (book)" in glossed and "book" not in romanized


def test_plot_wants_either_a_sentence_or_the_history(run):
    for what in ([], [SENTENCES[0], "--history"]):
        assert "give a sentence or --history" in error("plot", "--run", run, *what)


def test_there_is_nothing_to_draw_of_an_empty_sentence(run, tmp_path):
    assert "nothing to draw" in error("plot", "--run", run, "", "--output", tmp_path / "figure.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["epoch,loss\n", "epoch,loss\n1,2.0\n", "epoch,loss,dev_perplexity\n1,2.0\n", "hello\n"]
)
def test_a_damaged_history_is_an_error(copy, text):
    (copy / "history.csv").write_text(text)
    assert "history" in error("plot", "--run", copy, "--history")


def test_a_reader_that_has_seen_enough_ends_it_in_silence(trained, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    command = ["plot", "--run", trained.run, "--history", "-o", tmp_path / "history.png"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "nmt_attention", *command],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")  # 128 + SIGPIPE, as of `yes | head`


# --- gold alignments


def test_attention_is_scored_against_gold_alignments_of_held_out_pairs_alone(run, tmp_path):
    from nmt_attention.disk.pairs import read_pairs

    (trained_on,) = [p for p in read_pairs(run.parent / "corpus.tsv") if p not in read_pairs(run / "test.tsv")][:1]
    held_out = read_pairs(run / "test.tsv")[0]
    gold = tmp_path / "gold.tsv"
    gold.write_text("".join(f"{p.source}\t{p.target}\t0-0\n" for p in (held_out, trained_on)), encoding="utf-8")
    result = call("evaluate", "--run", run, "--alignments", gold, "--json")
    assert result.status == 0
    scores = json.loads(result.out)
    assert scores["argmax"]["pairs"] == scores["threshold"]["pairs"] == 1
    assert 0 <= scores["argmax"]["error_rate"] <= 1 and scores["entropy"] > 0 and scores["aligner"]["pairs"] == 1
    assert set(scores["shifted_error_rates"]) == {"-1", "1", "2"}
    assert (scores["trained_on"], scores["missing"]) == (1, 0)
    first, *_ = output("evaluate", "--run", run, "--alignments", gold)
    assert first == "1 gold alignments; left out: 1 with a sentence that was trained on"

    gold.write_text("Where is my book?\tमाझं पुस्तक कुठे आहे?\t0-2\n11\t22\tS:0-0\n", encoding="utf-8")
    scores = json.loads(call("evaluate", "--run", run, "--alignments", gold, "--json").out)
    assert (scores["argmax"]["pairs"], scores["trained_on"], scores["missing"]) == (1, 0, 1)

    gold.write_text(f"{trained_on.source}\t{trained_on.target}\t0-0\n", encoding="utf-8")
    assert "no alignment is left to score; left out: 1 with" in error("evaluate", "--run", run, "--alignments", gold)
    assert "no such file" in error("evaluate", "--run", run, "--alignments", tmp_path / "none.tsv")


def test_a_file_without_line_ends_is_refused_instead_of_filling_the_memory(run, tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"Rahul goes to school.\n" + b"a" * 1_000_001)
    assert "lines.txt, line 2: longer than 1,000,000 bytes" in error("translate", "--run", run, "--file", lines)


# --- beam search


def test_a_beam_can_be_asked_for_wherever_sentences_are_translated(run, tmp_path):
    greedy, beam = (
        [json.loads(line) for line in output("translate", "--run", run, "--json", "--beam-size", size, *SENTENCES)]
        for size in (1, 3)
    )
    assert [found["source"] for found in beam] == [found["source"] for found in greedy] == SENTENCES
    assert all(len(found["attention"]) == len(found["target_tokens"]) for found in beam)
    scores = json.loads(output("evaluate", "--run", run, "--beam-size", 3, "--json")[0])
    assert scores["sentences"] == json.loads(output("evaluate", "--run", run, "--json")[0])["sentences"]


# --- search settings


def test_all_hypotheses_are_printed_with_the_number_of_their_sentence(run):
    search = ["--run", run, "--beam-size", 3, SENTENCES[0], "", SENTENCES[1]]
    best = output("translate", *search)
    rows = [line.split("\t") for line in output("translate", "--n-best", *search)]
    assert [number for number, _, _ in rows] == ["1"] * 3 + ["2"] + ["3"] * 3
    assert [rows[i][2] for i in (0, 3, 4)] == best
    assert rows[3][1:] == ["0.0000", ""] and all(float(score) < 0 for _, score, text in rows if text)
    found = [json.loads(line) for line in output("translate", "--n-best", "--json", *search)]
    assert [row["rank"] for row in found] == [1, 2, 3, 1, 1, 2, 3]
    assert [row["text"] for row in found] == [text for _, _, text in rows]
    assert [f"{row['score']:.4f}" for row in found] == [score for _, score, _ in rows]


def test_sentences_are_numbered_through_all_parts_of_a_file(run, tmp_path, monkeypatch):
    monkeypatch.setattr(text_lines, "_LINES_AT_A_TIME", 2)
    path = write_lines(tmp_path / "lines.txt", SENTENCES * 2)
    lines = output("translate", "--run", run, "--n-best", "--file", path)
    assert [line.split("\t")[0] for line in lines] == ["1", "2", "3", "4", "5", "6"]


def test_samples_can_be_asked_for_and_come_back_the_same(run):
    search = ["--run", run, "--samples", 4, "--temperature", 2, "--top-k", 20, "--top-p", 0.95, *SENTENCES]
    first = output("translate", "--n-best", *search)
    assert len(first) == 4 * len(SENTENCES)
    assert output("translate", "--n-best", *search) == first
    assert output("translate", "--n-best", "--seed", 2, *search) != first
    texts = {(line.split("\t")[0], line.split("\t")[2]) for line in first}
    for number, chosen in enumerate(output("translate", "--minimum-bayes-risk", *search), start=1):
        assert (str(number), chosen) in texts


def test_no_repeated_ngrams_can_be_asked_for(run):
    for line in output("translate", "--run", run, "--json", "--no-repeat-ngrams", 1, *SENTENCES):
        tokens = [token for token in json.loads(line)["target_tokens"] if token != "<unknown>"]  # may be repeated
        assert len(set(tokens)) == len(tokens) > 0


def test_models_translate_together_when_run_is_given_again(trained):
    alone = output("translate", "--run", trained.run, "--json", *SENTENCES)
    twice = output("translate", "--run", trained.run, "--run", trained.run, "--json", *SENTENCES)
    for one, two in zip(map(json.loads, alone), map(json.loads, twice), strict=True):
        assert one["target_tokens"] == two["target_tokens"]
        assert one["score"] == pytest.approx(two["score"], rel=1e-4)


def test_models_with_other_tokenisers_do_not_translate_together(trained, copy):
    target = json.loads((copy / "target.json").read_text())
    (copy / "target.json").write_text(json.dumps({**target, "fold_case": True}))
    line = error("translate", "--run", trained.run, "--run", copy, "go")
    assert f"{trained.run} and {copy}: an ensemble's target tokenisers must be the same" in line


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--beam-size", 0], "beam_size: expected from 1 to below 10,000, got 0"),
        (
            ["--samples", 2, "--beam-size", 2],
            "samples: use either samples or beam_size above 1, got samples 2 and beam_size 2",
        ),
        (["--top-p", 0.5], "top_p: no effect unless samples is above 0"),
        (["--top-p", 2, "--samples", 2], "top_p: expected from 1e-09 to 1, got 2"),
        (["--length-penalty", 0.5], "length_penalty: no effect unless beam_size is above 1"),
        (["--seed", 2], "seed: no effect unless samples is above 0"),
        (["--minimum-bayes-risk"], "minimum_bayes_risk: no effect unless beam_size or samples is above 1"),
    ],
)
@pytest.mark.parametrize("command", ["translate", "evaluate"])
def test_a_search_setting_that_is_wrong_is_named_before_the_model_is_loaded(tmp_path, command, arguments, what):
    assert what in error(command, "--run", tmp_path / "none", *arguments)


def test_a_model_of_subwords_has_no_unknown_words_to_replace(run):
    assert "replace_unknown: expected a word model" in error("translate", "--run", run, "--replace-unknown", "go")
