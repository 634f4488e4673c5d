"""How a model learns where to look: its weights, words and scores after some steps of a training from scratch.

python -m tools.models.learning --run runs/learning --preset quick

takes the options of `train`, and writes `learning.json` in the run directory, again at each step that it records. It
trains on the corpus alone, whatever `--extra` says. The same command goes on with a training that was stopped, from its
last epoch. A page that is exported of a directory with this file, such as nmt_attention/pretrained, shows it.
`--epochs 1` is a short trial.
"""

import base64
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten
from typing import Any

import keras
import numpy as np

from nmt_attention.alignment.links import pair_words
from nmt_attention.alignment.scores import GoldAlignment, align_by_attention, read_alignments, score_attention
from nmt_attention.analysis.evaluate import evaluate
from nmt_attention.cli.common import settings_in
from nmt_attention.cli.parser import make_parser
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import read_json, write_json
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.figures.labels import attention_table
from nmt_attention.metrics import Scores, group_references
from nmt_attention.model import Seq2Seq
from nmt_attention.preprocess.verify import unwarned
from nmt_attention.runs.bundle import LEARNING
from nmt_attention.runs.data import Ahead, Prepared, prepare, spacing
from nmt_attention.runs.machine import resolve_precision, show_messages
from nmt_attention.runs.settings import DataConfig, make_config, make_settings, setting_fields
from nmt_attention.runs.splits import make_corpus, seen_in_training
from nmt_attention.runs.training import train_model
from nmt_attention.translate import Translator

STEPS = 10, 30, 60, 100, 200  # of the first epoch; besides them, before it and after each
SENTENCES, MOST_WORDS = 100, 9  # shown, and words of one of these in either language
SCORED = 400  # sentences of dev
MOST_WRITTEN = 60  # letters: an untrained model writes to the limit


class Recorder:
    """Looks at a model in training, at how it reads pairs whose links are known, and keeps what it sees in a file."""

    def __init__(self, path: Path, model: Seq2Seq, prepared: Prepared, gold: list[GoldAlignment]) -> None:
        self.path, self.model, self.gold, self.began = path, model, gold, time.monotonic()
        self.plain = Translator(Seq2Seq(model.config), *prepared.tokenizers, prepared.preprocessor)  # in float32
        short = [i for i, each in enumerate(gold) if max(map(len, pair_words(each.pair))) <= MOST_WORDS]
        self.shown = short[:: max(1, len(short) // SENTENCES)][:SENTENCES]
        dev = group_references(prepared.corpus.split.dev)
        self.dev = [part[:: spacing(dev[0], SCORED)] for part in dev]
        self.found = read_json(path) if path.is_file() else {"seconds": 0, "steps": []}
        self.earlier = self.found["seconds"]

    def scores(self) -> Scores:
        """Scores the model as it is."""
        self.plain.model.set_weights(self.model.get_weights())
        return evaluate(self.plain, *self.dev)[0]

    def record(self, step: int) -> None:
        """Adds to the file what the model does after so many steps, unless it is there."""
        if any(each["step"] == step for each in self.found["steps"]):
            return
        scores, shown = self.scores(), [self.gold[i] for i in self.shown]
        alignments = align_by_attention(self.plain, [each.pair for each in self.gold])
        tables = [attention_table(alignments[i].heatmap) for i in self.shown]
        with unwarned():
            written = [t.text for t in self.plain.translate([each.pair.source for each in shown])]
        numbers = np.concatenate([weights.ravel() for _, _, weights in tables])  # of each sentence (T, S), row by row
        bleu, error_rate = round(scores.bleu, 1), round(score_attention(alignments, self.gold)[0].error_rate, 3)
        shares = base64.b64encode(np.rint(255 * numbers).astype(np.uint8).tobytes()).decode()
        this = {
            "step": step,
            "bleu": bleu,
            "error_rate": error_rate,
            "written": [shorten(text, MOST_WRITTEN, placeholder=" …") for text in written],
            "weights": shares,
        }
        self.found |= {
            "seconds": round(self.earlier + time.monotonic() - self.began),
            "counts": {"scored": scores.sentences, "aligned": len(self.gold)},
            "sentences": [
                {"source": s, "target": t, "links": sorted(each.sure), "by": each.pair.attribution.partition(": ")[2]}
                for each, (t, s, _) in zip(shown, tables, strict=True)
            ],
            "steps": [*self.found["steps"], this],
        }
        write_json(self.path, self.found, indent=None)
        print(f"step {step}: BLEU {bleu}, alignment error rate {error_rate}", flush=True)


def main(arguments: list[str]) -> None:
    """Trains, and records it; errors are those of `train`."""
    options = make_parser().parse_args(["train", *arguments])
    show_messages()
    pairs = read_pairs(find_corpus(options.corpus))
    corpus = make_corpus(pairs)
    settings = make_settings(options.preset, settings_in(options, setting_fields()), corpus.size)
    config = make_config(TrainConfig, settings)
    keras.utils.set_random_seed(config.seed)
    prepared = prepare(corpus, make_config(DataConfig, settings), config)
    sizes = make_config(ModelConfig, settings, **prepared.vocabulary_sizes)
    model = Seq2Seq(sizes, resolve_precision(settings["precision"]))
    gold, _ = read_alignments(DATA_DIRECTORY / "anki_alignments.tsv", pairs)
    seen = seen_in_training([(each.pair.source, [each.pair.target]) for each in gold], corpus.split.train)
    unseen = [each for each, was_seen in zip(gold, seen, strict=True) if not was_seen]
    recorder, steps = Recorder(options.run / LEARNING, model, prepared, unseen), prepared.steps_per_epoch
    about = {"pairs": len(corpus.split.train), "parameters": model.count_params()}
    recorder.found["training"] = about | {"preset": options.preset, "settings": settings}

    ahead = Ahead(prepared)

    def batches(epoch: int) -> Iterator[Any]:
        for step, batch in enumerate(ahead(epoch)):
            if epoch == 0 and step in STEPS:
                recorder.record(step)
            yield batch

    def scores() -> dict[str, float]:
        return {"chrf": recorder.scores().chrf}

    train_model(model, batches, steps, scores, config, options.run, lambda epoch: recorder.record(epoch * steps))


if __name__ == "__main__":
    main(sys.argv[1:])
