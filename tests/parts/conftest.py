"""A tiny run, trained once for the tests of runs and of commands."""

import os
import pickle
import shutil
from pathlib import Path
from typing import NamedTuple

import portalocker
import pytest
from command_line import Result, call, write_lines

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
    f"{name} {doing}{when}.\t{marathi_name}{marathi_when} {what} {verbs[form]}."
    for form, names in enumerate((MEN, WOMEN))
    for name, marathi_name in names.items()
    for doing, (what, *verbs) in DOINGS.items()
    for when, marathi_when in (("", ""), (" every day", " रोज"))
]
SETTINGS = [
    *("--vocabulary-size", "60", "--units", "8", "--embedding-units", "8", "--no-bidirectional"),
    *("--epochs", "1", "--batch-size", "64", "--precision", "float32"),
]


class Trained(NamedTuple):
    run: Path
    corpus: Path
    result: Result
    scored: list[int]  # numbers of sentences, in the order in which they were scored

    def train(self, run, *more, corpus=None):
        """Runs the same training in another directory, or with more options or another corpus."""
        return call("train", "--run", run, "--corpus", corpus or self.corpus, *SETTINGS, *more)


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A run of one epoch that keeps the model of each, made once for all workers; tests must not change it."""
    directory = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        directory = directory.parent
    made = directory / "trained.pickle"
    with portalocker.Lock(directory / "trained.lock", timeout=600):
        if not made.exists():
            made.write_bytes(pickle.dumps(train_once(directory / "trained")))
    return pickle.loads(made.read_bytes())


def train_once(directory):
    from nmt_attention.runs import run as runs

    directory.mkdir()
    scored, evaluate = [], runs.evaluate

    def count(translator, sources, references, **options):
        scored.append(len(sources))
        return evaluate(translator, sources, references, **options)

    run, corpus = directory / "run", write_lines(directory / "corpus.tsv", PAIRS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "evaluate", count)
        patch.setattr(runs, "FIRST_SCORED", 2)
        patch.setattr(runs, "ask_names", lambda translator: None)  # after one epoch it writes none, and hides them all
        result = Trained(run, corpus, None, scored).train(run, "--keep-epochs")
    assert result.status == 0, result.err
    return Trained(run, corpus, result, scored)


@pytest.fixture(scope="session")
def translator(trained):
    from nmt_attention.translate import Translator

    return Translator.load(trained.run)


@pytest.fixture(scope="session")
def pretrained():
    """The package's model, loaded once."""
    from nmt_attention.translate import Translator

    return Translator.load()


@pytest.fixture
def run(trained, translator, monkeypatch):
    """The run directory; every command gets its translator, which is loaded once."""
    monkeypatch.setattr("nmt_attention.translate.Translator.load", lambda *directories, **more: translator)
    return trained.run


@pytest.fixture
def copy(trained, tmp_path):
    """A copy of the run that a test may damage."""
    return Path(shutil.copytree(trained.run, tmp_path / "copy"))
