"""What a run directory may take from its user, and whether scores of it are scores on unseen sentences."""

import contextlib
import io
import json
import os
import shutil
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import SimpleNamespace

import numpy as np
import pytest

from nmt_attention import corpus
from nmt_attention.alignment.scores import AlignmentScores
from nmt_attention.cli.main import main
from nmt_attention.corpus import Pair, Split, split_pairs
from nmt_attention.disk import fetch
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.pairs import read_pairs, write_pairs
from nmt_attention.metrics import Scores
from nmt_attention.runs import machine as quiet
from nmt_attention.runs import run as runs
from nmt_attention.runs.run import _check_resumable, _links, _read_scores, _spacing, run_training
from nmt_attention.runs.run_files import check_directory, check_path, doubts, hash_split, seen_in_training
from nmt_attention.runs.settings import make_settings
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator

COMMANDS = ["train", "translate", "evaluate", "plot", "export", "serve"]
PAIRS = [Pair(f"Tom {i} sees {i % 7} dogs .", f"टॉम {i} ला {i % 7} कुत्रे {i} दिसतात .") for i in range(200)]
SMALL = {"tokenizer": "word", "units": 4, "embedding_units": 4, "epochs": 1, "placeholders": 0.0}
WRITTEN = ["train.tsv", "dev.tsv", "test.tsv", "config.json", "source.json", "target.json", "weights.npz"]
WRITTEN += ["history.csv", "scores.json", "checkpoints", "logs", "epochs"]


def call(*arguments):
    """Runs the command line; returns its status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return status, out.getvalue(), err.getvalue()


def refusal(*arguments):
    """Returns the only line that a command which fails prints."""
    status, out, err = call(*arguments)
    assert (status, out, err.count("\n")) == (1, "", 1), err
    return err


def content(directory):
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def forbid(monkeypatch, owner, name):
    """Makes it an error that `main` does not catch to call a function."""

    def called(*_, **__):
        raise AssertionError(f"{name} was called")

    monkeypatch.setattr(owner, name, called)


# --- a user's own files


@pytest.mark.parametrize("name", [*WRITTEN, "lock"])
def test_files_that_are_not_of_a_run_are_refused_before_a_corpus_is_looked_for(tmp_path, monkeypatch, name):
    forbid(monkeypatch, fetch, "find_corpus")
    forbid(monkeypatch, quiet, "import_tensorflow")
    (tmp_path / name).write_text("mine")
    line = refusal("train", "--run", tmp_path)
    assert f"{tmp_path}: holds {name} but no run.json, so not of a run; use another --run" in line
    assert content(tmp_path) == {tmp_path / name: b"mine"}
    with pytest.raises(ValueError, match="not of a run"):  # as the lessons call it
        run_training(tmp_path, PAIRS, make_settings("quick", SMALL))
    assert content(tmp_path) == {tmp_path / name: b"mine"}


def test_a_link_that_leads_nowhere_is_a_users_file_too(tmp_path):
    (tmp_path / "train.tsv").symlink_to(tmp_path / "not mounted")
    (tmp_path / "lock").symlink_to(tmp_path / "not mounted either")
    with pytest.raises(ValueError, match=r"holds train\.tsv, lock but no"):
        check_directory(tmp_path)


def test_the_corpus_is_not_replaced_by_its_own_training_split(tmp_path):
    path = tmp_path / "train.tsv"
    write_pairs(path, PAIRS)
    before = content(tmp_path)
    assert f"{tmp_path}: holds train.tsv but no run.json" in refusal("train", "--run", tmp_path, "--corpus", path)
    assert content(tmp_path) == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("name", ["train.tsv", "lock", "history.csv"])
def test_a_corpus_that_is_a_file_of_the_run_is_refused_under_any_name(tmp_path, monkeypatch, link, name):
    forbid(monkeypatch, corpus, "read_pairs")
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text("{}")
    write_pairs(run / name, PAIRS)
    link(run / name, tmp_path / "pairs.tsv")
    before = content(tmp_path)
    line = refusal("train", "--run", run, "--corpus", tmp_path / "pairs.tsv")
    assert f"{tmp_path / 'pairs.tsv'}: training writes {run / name}, the same file; use another --run" in line
    assert content(tmp_path) == before


@pytest.mark.parametrize("lock", ["", "process 12 of laptop"])
def test_a_training_killed_before_its_first_file_is_started_again(tmp_path, lock):
    (tmp_path / "lock").write_text(lock)
    check_directory(tmp_path)


def test_directories_that_may_be_trained_in(tmp_path, monkeypatch):
    write_pairs(tmp_path / "pairs.tsv", PAIRS)
    check_directory(tmp_path / "new", tmp_path / "pairs.tsv")
    check_directory(tmp_path, tmp_path / "pairs.tsv")  # other files may stand there
    monkeypatch.chdir(tmp_path)
    check_directory(".")
    Path("train.tsv").write_text("mine")
    with pytest.raises(ValueError, match=r"^\.: holds train\.tsv"):
        check_directory(".")
    Path("run.json").write_text("{}")
    check_directory(".")


def test_a_file_is_no_run_directory(tmp_path):
    (tmp_path / "notes").write_text("mine")
    assert f"{tmp_path / 'notes'}: expected a run directory, got a file" in refusal(
        "train", "--run", tmp_path / "notes"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_name_is_not_the_current_directory(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--run", ""])
    assert stopped.value.code == 2
    assert "argument --run: expected a path, got an empty one" in capsys.readouterr().err


def test_an_empty_corpus_name_does_not_train_on_the_default_corpus(tmp_path, monkeypatch, capsys):
    forbid(monkeypatch, fetch, "find_corpus")
    with pytest.raises(SystemExit) as stopped:
        main(["train", "--run", str(tmp_path / "run"), "--corpus", ""])
    assert stopped.value.code == 2
    assert "argument --corpus: expected a path, got an empty one" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["train", "plot", "export", "serve"])
def test_a_command_of_one_run_does_not_ignore_one_of_two(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    forbid(monkeypatch, fetch, "find_corpus")
    with pytest.raises(SystemExit) as stopped:
        main([command, "--run", "one", "--run", "two"])
    assert stopped.value.code == 2
    assert "argument --run: expected one, got one and two" in capsys.readouterr().err


def test_a_path_in_which_checkpoints_are_lost_is_refused_first(tmp_path, monkeypatch):
    forbid(monkeypatch, fetch, "find_corpus")
    run = tmp_path / "b[1]"
    assert "b[1]: TensorFlow finds no checkpoints again" in refusal("train", "--run", run)
    with pytest.raises(ValueError, match="finds no checkpoints again"):
        run_training(run, PAIRS, make_settings("quick", SMALL))
    assert not run.exists()
    run.mkdir()
    (run / "run.json").write_text("{}")
    (run / "scores.json").write_text("{}")
    check_directory(run)  # a run that is finished needs no checkpoints


@pytest.mark.parametrize(("name", "what"), [("b\\c", "finds no checkpoints again"), ("b\udcff", "that is not UTF-8")])
def test_other_paths_that_tensorflow_cannot_use_are_refused(name, what):
    with pytest.raises(ValueError, match=what):
        check_path(PurePosixPath(name))  # on Windows a backslash stands between names, and is allowed
    check_path(PureWindowsPath("b\\c"))


# --- the corpus and what is left out of it


def test_another_language_with_a_named_corpus_is_refused(tmp_path, monkeypatch):
    write_pairs(tmp_path / "mar.tsv", PAIRS)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "mar.tsv"))
    line = refusal("train", "--run", tmp_path / "run", "--language", "deu")
    assert f"language: NMT_ATTENTION_CORPUS names the corpus, {tmp_path / 'mar.tsv'}; unset it to train on deu" in line
    assert find_corpus(tmp_path / "mar.tsv", "deu") == find_corpus() == tmp_path / "mar.tsv"


def test_pairs_that_form_one_group_are_said_to(tmp_path):
    pairs = [Pair("Go.", f"जा {i}") for i in range(2000)]
    with pytest.raises(ValueError, match=r"2,000 pairs share so many .* too few groups \(1\); the dev split is empty"):
        run_training(tmp_path / "run", pairs, make_settings("quick", SMALL))
    with pytest.raises(ValueError, match="2 pairs are too few; the .* split is empty"):
        run_training(tmp_path / "run", pairs[:2], make_settings("quick", {**SMALL, "split": "pair"}))
    assert not (tmp_path / "run").exists()


class Begun(Exception):
    """Training has begun."""


def begun():
    raise Begun


def begin(directory, monkeypatch, pairs, extra=None, **settings):
    """Runs a training up to its first step; returns what `run.json` says."""

    def train(*_, **__):
        raise Begun

    monkeypatch.setattr("nmt_attention.runs.run.train", train)
    for name in ("Seq2Seq", "Translator"):  # costly, and not used before
        monkeypatch.setattr(f"nmt_attention.runs.run.{name}", lambda *_, **__: None)
    with pytest.raises(Begun):
        run_training(directory, pairs, make_settings("quick", SMALL | settings), extra=extra)
    return json.loads((directory / "run.json").read_text())


def test_pairs_that_are_too_long_are_counted(tmp_path, monkeypatch, capsys):
    train = split_pairs(PAIRS).train
    long = [Pair(pair.source, pair.target + " आणि मांजर") for pair in train[:3]]
    pairs = long + [pair for pair in PAIRS if pair not in train[:3]]
    about = begin(tmp_path / "run", monkeypatch, pairs, most_tokens=8, guidance=0.0)
    line = f"3 of {len(train)} training pairs are left out: a side has more than 8 tokens (most_tokens)\n"
    assert about["left_out"] == 3 and capsys.readouterr().err == line
    assert begin(tmp_path / "other", monkeypatch, pairs, guidance=0.0)["left_out"] == 0
    assert capsys.readouterr().err == ""


def test_runs_with_different_seeds_have_the_same_tokenizers_so_that_they_can_be_an_ensemble(tmp_path, monkeypatch):
    named = [
        Pair(f"{name} {verb} .", f"{written} {other} .")
        for name, written in (
            ("Rahul", "राहुल"),
            ("Priya", "प्रिया"),
            ("Ganesh", "गणेश"),
            ("Asha", "आशा"),
            ("Vijay", "विजय"),
        )
        for verb, other in (("runs", "धावतो"), ("sleeps", "झोपतो"), ("sings", "गातो"))
    ]
    learned = []
    for seed in (1, 2):
        with pytest.raises(Begun):
            monkeypatch.setattr("nmt_attention.runs.run.Seq2Seq", lambda *_, **__: None)
            monkeypatch.setattr("nmt_attention.runs.run.Translator", lambda _, *more: learned.append(more) or begun())
            run_training(
                tmp_path / str(seed),
                [*PAIRS, *named],
                make_settings("quick", SMALL | {"placeholders": 0.5, "seed": seed}),
            )
    (source, target, placeholders), (other_source, other_target, _) = learned
    assert placeholders is not None
    assert source.to_config() == other_source.to_config() and target.to_config() == other_target.to_config()


def test_a_corpus_with_links_needs_no_aligner_and_other_links_are_another_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("nmt_attention.runs.run.Aligner", None)
    linked, others = ([pair._replace(attribution=links) for pair in PAIRS] for links in ("0-0", "0-0 1-1"))
    about = begin(tmp_path / "run", monkeypatch, linked, guidance=0.5)
    assert about["links_sha256"] and capsys.readouterr().err == "attention is guided by the links in the corpus\n"
    with pytest.raises(ValueError, match="links is [0-9a-f]{64}, asked for"):
        begin(tmp_path / "run", monkeypatch, others, guidance=0.5)
    with pytest.raises(TypeError):  # no links, so the aligner is called
        begin(tmp_path / "other", monkeypatch, PAIRS, guidance=0.5)


def test_extra_pairs_are_trained_on_unless_they_are_scored_and_others_are_another_run(tmp_path, monkeypatch, capsys):
    split, new, newer = split_pairs(PAIRS), Pair("A dog sleeps .", "कुत्रा झोपतो ."), Pair("It rains .", "पाऊस पडतो .")
    extra = {"one": [new, Pair(split.test[0].source, "नाही ."), Pair("No .", split.dev[0].target)], "two": [new, newer]}
    about = begin(tmp_path, monkeypatch, PAIRS, extra, guidance=0.0)
    why = "that are there already, or have a sentence of dev or test\n"
    lines = f"one: 1 more pairs to train on; left out: 2 {why}two: 1 more pairs to train on; left out: 1 {why}"
    assert capsys.readouterr().err == lines and about["extra"] == {"one": 1, "two": 1}
    assert read_pairs(tmp_path / "train.tsv") == [*split.train, new, newer]
    assert about["pairs"]["train"] == len(split.train) + 2
    with pytest.raises(ValueError, match=r"train.tsv is [0-9a-f]{64}, asked for"):
        begin(tmp_path, monkeypatch, PAIRS, guidance=0.0)


def test_the_command_reads_extra_pairs_from_files(tmp_path, monkeypatch):
    files = [tmp_path / "one.tsv", tmp_path / "two.tsv"]
    for path, pair in zip(files, PAIRS[:2], strict=True):
        write_pairs(path, [pair])
    scores = dict.fromkeys(("bleu", "chrf"), 0.0)
    result = {"parameters": 1, "training_minutes": 0.0, "wall_minutes": 0.0, "dev": scores, "test": scores}
    trained = []
    monkeypatch.setattr("nmt_attention.runs.run.run_training", lambda *given: trained.append(given[4]) or result)
    options = ["train", "--run", tmp_path / "run", "--corpus", "phrasebook"]
    assert call(*options, "--extra", files[0], "--extra", files[1])[0] == 0
    assert trained == [{str(path): [pair] for path, pair in zip(files, PAIRS[:2], strict=True)}]
    assert "no such file" in refusal(*options, "--extra", tmp_path / "none.tsv")


def test_the_model_of_every_epoch_can_be_kept(tmp_path):
    run_training(tmp_path, PAIRS, make_settings("quick", SMALL), keep_epochs=True)
    assert sorted(path.name for path in (tmp_path / "epochs").iterdir()) == ["0", "1"]
    before, after, last = (np.load(tmp_path / place / "weights.npz") for place in ("epochs/0", "epochs/1", "."))
    assert all(np.array_equal(after[name], last[name]) for name in last.files)
    assert not any(np.array_equal(before[name], last[name]) for name in last.files if "kernel" in name)
    assert len(Translator.load(tmp_path / "epochs" / "1").translate(["Tom 3 sees 3 dogs ."])) == 1


def test_few_dev_sentences_are_scored_before_the_first_step_and_all_after_it(tmp_path, monkeypatch):
    counts, evaluate = [], runs.evaluate

    def count(translator, sources, references, **options):
        counts.append(len(sources))
        return evaluate(translator, sources, references, **options)

    monkeypatch.setattr(runs, "evaluate", count)
    monkeypatch.setattr(runs, "FIRST_SCORED", 2)
    run_training(tmp_path, PAIRS, make_settings("quick", SMALL))
    dev, test = (len(read_pairs(tmp_path / name)) for name in ("dev.tsv", "test.tsv"))
    assert dev > 2 and counts == [2, dev, dev, test]  # before the epoch, after it, and at the end


def test_tokenisers_are_learned_from_evenly_spaced_pairs_of_a_large_corpus(tmp_path, monkeypatch):
    learned = []

    class Spy(WordTokenizer):
        @classmethod
        def learn(cls, texts, *rest):
            learned.append(list(texts))
            return WordTokenizer.learn(texts, *rest)

    monkeypatch.setitem(runs.TOKENIZERS, "word", Spy)
    monkeypatch.setattr(runs, "MOST_LEARNED", 5)
    settings = make_settings("quick", SMALL | {"tokenizer": "word", "placeholders": 0.0})
    run_training(tmp_path, PAIRS, settings)
    train = read_pairs(tmp_path / "train.tsv")
    every = -(-len(train) // 5)
    assert every > 1
    assert sorted(learned) == sorted([pair[side] for pair in train[::every]] for side in (0, 1))


def test_a_limit_that_leaves_no_pair_is_named(tmp_path):
    with pytest.raises(ValueError, match="most_tokens: expected at least 8, .* got 7"):
        run_training(tmp_path, PAIRS, make_settings("quick", SMALL | {"most_tokens": 7}))
    assert not (tmp_path / "run.json").exists()


# --- damage


@pytest.mark.parametrize(
    "change",
    [{"dev": None}, {"dev": {}}, {"test": {"bleu": "1", "chrf": 2.0}}, {"parameters": "x"}, {"wall_minutes": None}],
)
def test_scores_that_are_damaged_are_named(tmp_path, change):
    scores = {"bleu": 1.0, "chrf": 2.0}
    whole = {"parameters": 10, "training_minutes": 0.5, "wall_minutes": 1, "dev": scores, "test": scores}
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(whole))
    assert _read_scores(path) == whole
    path.write_text(json.dumps(whole | change))
    with pytest.raises(ValueError, match=r"scores\.json: damaged; delete it"):
        _read_scores(path)


@pytest.mark.parametrize("precision", [["a"], "half", "auto", None])
def test_a_precision_there_is_not_is_damage_of_the_account(tmp_path, precision):
    about = {"settings": make_settings("quick", {}), "corpus_sha256": "abc", "precision": "float32"}
    (tmp_path / "run.json").write_text(json.dumps(about | {"precision": precision}))
    with pytest.raises(ValueError, match=r"run\.json: damaged or not of a run; use another --run"):
        _check_resumable(tmp_path, about)


# --- what was trained on


def test_a_run_keeps_the_hashes_of_its_split(tmp_path, monkeypatch):
    split = split_pairs(PAIRS)
    about = begin(tmp_path / "run", monkeypatch, PAIRS)
    assert about["split_sha256"] == hash_split(split) and len(set(hash_split(split).values())) == 3
    written = Split(*(read_pairs(tmp_path / "run" / f"{name}.tsv") for name in Split._fields))
    assert hash_split(written) == hash_split(split)


def test_a_run_does_not_go_on_with_another_split(tmp_path):
    about = {"settings": make_settings("quick", {}), "corpus_sha256": "abc", "precision": "float32"}
    hashes = {"train.tsv": "1", "dev.tsv": "2", "test.tsv": "3"}
    (tmp_path / "run.json").write_text(json.dumps(about))
    assert (
        _check_resumable(tmp_path, about | {"split_sha256": hashes})["split_sha256"] == hashes
    )  # a run from before hashes
    (tmp_path / "run.json").write_text(json.dumps(about | {"split_sha256": hashes}))
    assert _check_resumable(tmp_path, about | {"split_sha256": hashes})["split_sha256"] == hashes
    with pytest.raises(ValueError, match=r"another run \(test\.tsv is 3, asked for 4\)"):
        _check_resumable(tmp_path, about | {"split_sha256": hashes | {"test.tsv": "4"}})


TRAIN = [Pair("Tom can swim.", "टॉम पोहू शकतो."), Pair("Don't go!", "जाऊ नको!")]
UNSEEN = [Pair("Where is it?", "ते कुठे आहे?"), Pair("She sings.", "ती गाते.")]


@pytest.fixture
def run(tmp_path):
    """What training leaves of its split."""
    directory = tmp_path / "run"
    directory.mkdir()
    split = Split(TRAIN, UNSEEN[:1], UNSEEN[1:])
    for name, pairs in split._asdict().items():
        write_pairs(directory / f"{name}.tsv", pairs)
    (directory / "run.json").write_text(json.dumps({"split_sha256": hash_split(split)}))
    return directory


def test_a_sentence_is_seen_however_it_is_spelled_and_on_either_side():
    seen = [
        ("tom can swim", ["कोणीतरी"]),
        (" Tom  can swim ! ", ["कोणीतरी"]),
        ("Don’t go", ["कोणीतरी"]),
        ("Somebody swims.", ["कोणीतरी", "टॉम पोहू शकतो"]),
    ]
    unseen = [("Tom can", ["कोणीतरी"]), ("टॉम पोहू शकतो.", ["Tom can swim."]), *((p[0], [p[1]]) for p in UNSEEN)]
    assert seen_in_training(seen + unseen, TRAIN) == [True] * 4 + [False] * 4


def test_a_split_as_training_left_it_raises_no_doubts(run):
    assert doubts(run, ["train.tsv", "test.tsv"], [(p.source, [p.target]) for p in UNSEEN]) == []


def test_a_split_that_was_changed_is_noticed(run):
    write_pairs(run / "test.tsv", UNSEEN)
    assert doubts(run, ["train.tsv", "dev.tsv"]) == []
    assert doubts(run, ["train.tsv", "test.tsv"]) == ["test.tsv is not what training wrote"]
    write_pairs(run / "train.tsv", TRAIN[:1])
    assert len(doubts(run, ["train.tsv", "test.tsv"])) == 2


@pytest.mark.parametrize("about", ["", '{"settings": {}}'])
def test_of_a_run_without_hashes_the_sentences_are_compared_all_the_same(run, about):
    write_pairs(run / "test.tsv", TRAIN)
    (run / "run.json").write_text(about) if about else (run / "run.json").unlink()
    (found,) = doubts(run, ["train.tsv", "test.tsv"], [(p.source, [p.target]) for p in TRAIN + UNSEEN])
    assert found == "it was trained on 2 of 4 sentences or on translations of them"


def test_where_the_training_pairs_are_missing_it_says_so(run):
    (run / "train.tsv").unlink()
    (found,) = doubts(run, ["train.tsv", "test.tsv"], [("Tom can swim.", ["a"])])
    assert found == "train.tsv is missing, so what it was trained on is not known"


@pytest.mark.parametrize("about", ["[]", '{"split_sha256": 5}', "{"])
def test_an_account_that_is_damaged_is_named(run, about):
    (run / "run.json").write_text(about)
    with pytest.raises(ValueError, match=r"run\.json: (damaged|not JSON)"):
        doubts(run, ["train.tsv"])


# --- evaluate


@pytest.fixture
def scored(monkeypatch):
    """Stands in for the model and what scores it; returns the lists of sentences or alignments that it is given."""
    given = []

    def evaluate(translator, sources, references, thorough, **search):
        given.append(sources)
        return Scores(len(sources), 1, 1.0, 2.0, 1.0, 2.0, 0.0, "", "", 3.0, 4.0, "", (0, 2), (1, 3), 5.0), []

    def attend(pairs):
        given.append([pair[:2] for pair in pairs])
        return []

    def score_attention(found, gold):
        return AlignmentScores(len(gold), 0.5, 0.5, 0.5), AlignmentScores(len(gold), 0.5, 0.5, 0.5), 1.0

    monkeypatch.setattr("nmt_attention.translate.Translator.load", lambda *runs: SimpleNamespace(attend=attend))
    monkeypatch.setattr("nmt_attention.analysis.evaluate.evaluate", evaluate)
    monkeypatch.setattr("nmt_attention.alignment.scores.score_attention", score_attention)
    return given


def test_scores_on_a_changed_split_come_with_a_warning(run, scored):
    status, unchanged, err = call("evaluate", "--run", run, "--json")
    assert (status, err, scored) == (0, "", [["She sings."]])
    write_pairs(run / "test.tsv", [*TRAIN, *UNSEEN])
    status, out, err = call("evaluate", "--run", run, "--run", run)
    seen = "it was trained on 2 of 4 sentences or on translations of them"
    assert (status, err) == (0, f"warning: {run}: test.tsv is not what training wrote; {seen}\n")
    assert out.startswith("4 sentences") and json.loads(unchanged)["sentences"] == 1


def test_scores_on_files_of_sentences_that_were_trained_on_come_with_a_warning(run, scored, tmp_path):
    write_pairs(run / "test.tsv", TRAIN)  # not asked for, so nothing is said of it
    for name, lines in (("en", "tom can swim\nShe sings.\n"), ("mr", "a\nb\n"), ("other", "tom swims\nShe sings.\n")):
        (tmp_path / name).write_text(lines, encoding="utf-8")
    status, _, err = call("evaluate", "--run", run, "--source", tmp_path / "en", "--reference", tmp_path / "mr")
    assert (status, err) == (0, f"warning: {run}: it was trained on 1 of 2 sentences or on translations of them\n")
    status, _, err = call("evaluate", "--run", run, "--source", tmp_path / "other", "--reference", tmp_path / "mr")
    assert (status, err) == (0, "")


def write_gold(path, pairs):
    path.write_text("".join(f"{source}\t{target}\t0-0\n" for source, target, *_ in pairs), encoding="utf-8")
    return path


def test_gold_alignments_of_sentences_trained_on_are_left_out_however_they_are_spelled(run, scored, tmp_path):
    respelled = [("tom can swim.", TRAIN[0].target), ("Tom can swim. ", TRAIN[0].target), ("No!", "जाऊ नको")]
    gold = write_gold(tmp_path / "gold.tsv", [*respelled, *UNSEEN])
    status, out, err = call("evaluate", "--run", run, "--alignments", gold)
    assert (status, err, scored) == (0, "", [[pair[:2] for pair in UNSEEN]])
    assert out.splitlines()[0] == "2 gold alignments; left out: 3 with a sentence that was trained on"
    with gold.open("a") as file:
        file.write("11\t22\tS:0-0\n")
    status, out, _ = call("evaluate", "--run", run, "--alignments", gold)
    assert out.splitlines()[0].endswith(" trained on, 1 with numbers that the run's corpus lacks")
    found = json.loads(call("evaluate", "--run", run, "--alignments", gold, "--json")[1])
    assert (found["trained_on"], found["missing"], found["argmax"]["pairs"]) == (3, 1, 2)
    line = refusal("evaluate", "--run", run, "--alignments", write_gold(gold, respelled))
    assert f"{gold}: no alignment is left to score; left out: 3 with a sentence that was trained on" in line


def test_gold_alignments_that_one_of_two_models_was_trained_on_are_left_out(run, scored, tmp_path):
    other = shutil.copytree(run, tmp_path / "other")
    write_pairs(other / "train.tsv", [*TRAIN, UNSEEN[0]])
    gold = write_gold(tmp_path / "gold.tsv", UNSEEN)
    status, _, err = call("evaluate", "--run", run, "--run", other, "--alignments", gold)
    assert (status, scored) == (0, [[UNSEEN[1][:2]]])
    assert err == f"warning: {other}: train.tsv is not what training wrote\n"


def test_an_aligner_links_evenly_spaced_pairs_of_a_large_corpus(monkeypatch):
    monkeypatch.setattr("nmt_attention.runs.run.MOST_LINKED", 3)
    pairs = [Pair(f"{word} sleeps", f"{word} झोपतो") for word in "abcdefg"]
    assert [len(links) for links in _links(pairs)] == [2, 0, 0, 2, 0, 0, 2]
    assert [len(links) for links in _links(pairs[:3])] == [2, 2, 2]


def test_every_nth_item_are_few_enough():
    assert [_spacing("a" * length, 3) for length in (0, 1, 3, 4, 6, 7)] == [1, 1, 1, 2, 2, 3]
