"""Makes the model in the package: trains it, and stores its 8-bit copy, its scores, and a model card made from them.

python -m tools.models.model                     trains the model that is there further: an hour
python -m tools.models.model --run runs/model    takes this trained run
python -m tools.models.model --again             after new rules of text: scores the model that is there again
"""

import argparse
import collections
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nmt_attention.analysis.everyday import EVERYDAY, read_everyday
from nmt_attention.corpus import Pair
from nmt_attention.deploy.export import export_quantized
from nmt_attention.disk.files import read_json, write_json
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.names.lists import Name, held_out, name_sentences, read_names, score_names
from nmt_attention.names.pretrained import as_unlisted, listed_words
from nmt_attention.runs.bundle import CERTAINTY, LEARNING, NOTICE, PLACEHOLDERS, PRETRAINED
from nmt_attention.runs.run_files import SPLIT_FILES, doubts
from nmt_attention.runs.settings import PRESETS, make_settings, setting_fields
from nmt_attention.runs.splits import seen_in_training
from nmt_attention.translate import Translator
from tools.demo import DEMO, FREE, read_sentences
from tools.measure import processes
from tools.models import run_on
from tools.models.model_card import CARD, SCORES, write_card

FURTHER = (
    "--preset full --dropout 0.05 --sampled 0.5 --sampling-alpha 0 --patience 14 "
    "--epochs 3 --learning-rate 1e-3 --warmup-steps 200"
)
TALK = "data/talk.tsv"
ALIGNMENTS = DATA_DIRECTORY / "anki_alignments.tsv"
MOST_BYTES = 8_000_000  # of all files
MOST_LOST = 0.3  # BLEU that 8 bits may cost
_KEPT = (  # of what `evaluate` finds
    *("sentences", "references", "bleu", "bleu_interval", "bleu_signature", "chrf", "chrf_interval", "chrf_signature"),
    *("exact", "perplexity"),
)
_OF_ERRORS = ("name", "description", "judged", "errors", "references_judged", "references_errors")


def train_model(runs: Path) -> Path:
    """Goes on from the package's model, on the corpus, `talk.tsv`, the phrasebook and sentences run together.

    Args:
        runs: directory of the runs; a run there that is finished is not trained again.

    Returns:
        The model's run directory.

    Raises:
        RuntimeError: a training failed; its own message has been shown.
    """
    run_ons = runs / "run_on.tsv"
    if not run_ons.is_file():
        run_on.main(["--output", str(run_ons)])
    extra = [option for name in (TALK, "phrasebook", run_ons) for option in ("--extra", str(name))]
    processes.train(runs / "model", ["--start", "pretrained", *FURTHER.split(), *extra])
    return runs / "model"


def make_model(run: Path, directory: Path = PRETRAINED) -> dict[str, Any]:
    """Replaces the model in a directory, but for its `NOTICE` and `learning.json`, by the 8-bit copy of a trained run.

    Args:
        run: directory of the run, trained on real pairs.
        directory: where the model, `scores.json` and the card go.

    Returns:
        The contents of `scores.json`.

    Raises:
        FileNotFoundError, ValueError: as `export_quantized`.
        ValueError: the run's files are not those of its training, it was trained on a sentence of `free.tsv` or
            `everyday.tsv`, 8 bits cost too much, or the files are too large.
        RuntimeError: a command failed; its own message has been shown.
    """
    found = doubts(run, SPLIT_FILES)
    if found:
        raise ValueError(f"{run}: {'; '.join(found)}")
    _check_unseen(run)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "copy"
        export_quantized(run, copy)
        list_names(copy)
        known = {"training": _training(run), "config": read_json(copy / "config.json")}
        measured = known | {"bytes": _size(copy), "sha256": hash_files(copy)} | measure(run, copy)
        lost = _evaluate(run)["bleu"] - measured["eight_bits"]["bleu"]
        if lost > MOST_LOST:
            raise ValueError(f"{run}: 8 bits cost {lost:.2f} BLEU, more than {MOST_LOST}")
        write_json(copy / SCORES, measured)
        write_card(copy)
        for name in (NOTICE, LEARNING):
            if (directory / name).is_file():
                shutil.copyfile(directory / name, copy / name)
        if _size(copy) > MOST_BYTES:
            raise ValueError(f"{run}: {_size(copy):,} bytes in 8 bits, more than {MOST_BYTES:,}")
        shutil.rmtree(directory)
        shutil.copytree(copy, directory)
    return measured


def list_names(directory: Path) -> None:
    """Has the model in a directory look up all words of `names.tsv` as it is now, if the model has placeholders."""
    path = directory / PLACEHOLDERS
    if path.is_file():
        write_json(path, read_json(path) | {"listed": listed_words()}, indent=None)


def measure_again(run: Path, directory: Path = PRETRAINED) -> None:
    """Replaces the scores and the card of the model in a directory by what it reaches with the rules of text of now.

    Args:
        run: a run directory with the split that the model was trained on, as a training leaves it from its first step.
        directory: that of the model.

    Raises:
        FileNotFoundError, RuntimeError: as `make_model`.
        ValueError: the run has another test split.
    """
    known = read_json(directory / SCORES)
    if known["training"]["split_sha256"]["test.tsv"] != read_json(run / "run.json")["split_sha256"]["test.tsv"]:
        raise ValueError(f"{run}: its test.tsv is not what the model in {directory} was scored on")
    write_json(directory / SCORES, known | measure(run, directory))
    write_card(directory)


def _training(run: Path) -> dict[str, Any]:
    """Returns what the card says of a run's training and pairs."""
    about, trained = read_json(run / "run.json"), read_json(run / "scores.json")
    corpus = {name: read_pairs(run / name) for name in SPLIT_FILES}
    added = sum(about["extra"].values())  # they come last
    corpus["train.tsv"] = corpus["train.tsv"][: len(corpus["train.tsv"]) - added]
    return {
        "command": train_command(run.name, about["settings"], sum(map(len, corpus.values())), about["extra"]),
        "pairs": {name.removesuffix(".tsv"): len(pairs) for name, pairs in corpus.items()},
        "extra": about["extra"],
        "shares": _shares([pair for pairs in corpus.values() for pair in pairs]),
        "corpus_sha256": about["corpus_sha256"],
        "split_sha256": about["split_sha256"],
        "precision": about["precision"],
        "tensorflow": about["versions"]["tensorflow"],
        "parameters": trained["parameters"],
        "epochs": trained["epochs"],
        "minutes": trained["training_minutes"],
    }


def measure(run: Path, copy: Path) -> dict[str, Any]:
    """Returns what an 8-bit copy reaches, JSON-ready; every score is what `evaluate` prints for the test split."""
    with tempfile.TemporaryDirectory() as place:
        scored = shutil.copytree(copy, Path(place) / run.name)
        for name in (*SPLIT_FILES, "run.json"):  # with these it is scored like a run
            shutil.copyfile(run / name, scored / name)
        rounded, beam = _evaluate(scored, "--breakdown", "--errors"), _evaluate(scored, "--beam-size", "5")
        alignments, everyday = _evaluate(scored, "--alignments", ALIGNMENTS), _evaluate(scored, "--everyday")
    translator = Translator.load(copy)
    return {
        **{name: {key: scores[key] for key in _KEPT} for name, scores in (("eight_bits", rounded), ("beam", beam))},
        "lengths": rounded["breakdown"]["length"],
        "unseen_words": rounded["breakdown"]["unseen_words"],
        "errors": [{key: row[key] for key in _OF_ERRORS} for row in rounded["errors"]],
        "alignments": {key: alignments[key] for key in ("argmax", "aligner")},
        "everyday": {key: everyday[key] for key in (*_KEPT, "kinds", "worst")},
        "names": score_unseen_and_listed(translator),
        "examples": _examples(translator, run),
    }


def hash_files(directory: Path) -> dict[str, str]:
    """Returns the sha256 of each file of a model by its path, apart from those that speak of it."""
    found = {path.relative_to(directory).as_posix(): path.read_bytes() for path in _files(directory)}
    speaking = CARD, SCORES, NOTICE, CERTAINTY, LEARNING
    return {name: hashlib.sha256(found[name]).hexdigest() for name in sorted(found) if name not in speaking}


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in _files(directory))


def _files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def train_command(name: str, settings: Mapping[str, Any], pairs: int, extra: Iterable[str] = ()) -> str:
    """Returns the `train` command of these settings, with the preset that leaves the fewest to be written.

    Args:
        name: of the run directory.
        settings: those of `run.json`.
        pairs: size of the corpus.
        extra: files that were trained on besides.
    """
    settings = {name: field.default for name, field in setting_fields().items()} | dict(settings)  # some may be new
    candidates = []
    for preset in PRESETS:
        usual = make_settings(preset, {}, pairs)
        options = []
        for setting, value in settings.items():
            flag = setting.replace("_", "-")
            if value != usual.get(setting):
                switch = f"--{flag}" if value else f"--no-{flag}"
                options.append(switch if isinstance(value, bool) else f"--{flag} {value}")  # 1 is not True
        candidates.append([f"train --run runs/{name} --preset {preset}", *options])
    return " ".join([*min(candidates, key=len), *(f"--extra {name}" for name in extra)])


def _shares(pairs: Sequence[Pair]) -> dict[str, float]:
    """Returns what the corpus is like: shares of its pairs, from 0 to 1."""
    words = [pair.source.split() for pair in pairs]
    writers = collections.Counter(pair.attribution.rpartition("(")[2] for pair in pairs)
    counts = {
        "short": sum(len(sentence) <= 6 for sentence in words),
        "long": sum(len(sentence) >= 10 for sentence in words),
        "tom_or_mary": sum(bool(re.search(r"\b(Tom|Mary)\b", pair.source)) for pair in pairs),
        "one_writer": writers.most_common(1)[0][1],
    }
    return {name: count / len(pairs) for name, count in counts.items()}


def _evaluate(run: Path, *options: Any) -> dict[str, Any]:
    return json.loads(processes.call("evaluate", "--run", run, *options, "--json"))


def score_unseen_and_listed(translator: Translator) -> dict[str, Any]:
    """Returns the `NameScores` of held-out given names that are not looked up, and of all given names that are."""
    given = [name for name in read_names() if name.kind in ("m", "f")]
    unseen = [name for name in given if held_out(name)]
    return {**_score_names(as_unlisted(translator), unseen), "listed": _score_names(translator, given)}


def _score_names(translator: Translator, names: Sequence[Name]) -> dict[str, float]:
    scores = score_names(lambda sentences: [t.text for t in translator.translate(sentences)], names)
    return {"sentences": sum(len(name_sentences(name)) for name in names), **scores._asdict()}


def _check_unseen(run: Path) -> None:
    """Raises a ValueError if a run was trained on a sentence that must be new to the model, or on its translation."""
    everyday = [(sentence.english, sentence.references) for sentence in read_everyday()]
    trained_on = read_pairs(run / "train.tsv")
    for path, sentences in ((FREE, read_sentences(FREE)), (EVERYDAY, everyday)):
        for (english, _), seen in zip(sentences, seen_in_training(sentences, trained_on), strict=True):
            if seen:
                raise ValueError(f"{run}: was trained on {english!r} or its translation, which {path} holds")


def _examples(translator: Translator, run: Path) -> list[dict[str, Any]]:
    """Returns the translations of the demo's sentences, with their references and whether training had them."""
    trained_on = read_pairs(run / "train.tsv")
    sentences = [*read_sentences(DEMO), *read_sentences(FREE)]
    texts = [t.text for t in translator.translate([s.english for s in sentences])]
    return [
        {**sentence._asdict(), "text": text, "seen": was}
        for sentence, text, was in zip(sentences, texts, seen_in_training(sentences, trained_on), strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.models.model", description=__doc__.split("\n\n")[0])
    parser.add_argument("--run", type=Path, metavar="DIRECTORY", help="a trained run; without it, one is trained")
    parser.add_argument("--again", action="store_true", help="score the model that is there, on the split of --run")
    options = parser.parse_args()
    try:
        if options.again:
            measure_again(options.run or Path("runs/model"))
        else:
            make_model(options.run or train_model(Path("runs")))
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"model: {error}")
    print(f"{PRETRAINED}: {read_json(PRETRAINED / SCORES)['eight_bits']['bleu']:.2f} BLEU")


if __name__ == "__main__":
    main()
