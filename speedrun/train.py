"""Trains a translator to a dev chrF of 65.0 at the least cost: the record of `speedrun/README.md`, in one file.

    python speedrun/train.py --seed 1

The parts are the package's: its split, tokenisers, aligner, model, loss and scores. What is here is what a record may
change. The file prints the dev chrF after each epoch and, at the end, what the training has cost.
"""

import argparse
import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np

from nmt_attention.alignment.dictionary import MORE_COLUMNS, ROUNDS, start_from_dictionary
from nmt_attention.alignment.guidance import guided
from nmt_attention.analysis.evaluate import evaluate
from nmt_attention.batches import Batch
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.data import Prepared, prepare
from nmt_attention.runs.machine import processor_name, resolve_precision
from nmt_attention.runs.settings import DataConfig, make_config, make_settings
from nmt_attention.runs.splits import Corpus, make_corpus
from nmt_attention.runs.training import seed_dropout
from nmt_attention.train import make_optimizer, make_train_step
from nmt_attention.translate import Translator

TARGET = 65.0  # chrF on dev, greedy search
# What differs from the quick preset: no chains of sentences, because they cost a twentieth and dev has few long ones;
# and twice its label smoothing.
SETTINGS = {"epochs": 6, "batch_size": 64, "concatenation": 0.0, "dictionary_start": True, "label_smoothing": 0.2}
DROPOUT = 0.0, 0.05, 0.1  # of the first passes, which learn what is new; the last value is that of all others, too
BOOK_PASSES = 1  # passes that have the phrasebook, a third of the pairs; the others have the corpus alone


@dataclasses.dataclass
class Cost:
    """What a training has cost so far."""

    steps: int = 0
    tokens: int = 0  # target tokens, END included, padding not
    products: float = 0.0  # multiply-adds of the products of matrices, forward and backward
    seconds: float = 0.0  # of the steps
    processor: float = 0.0  # seconds of the steps on all cores together

    def __str__(self) -> str:
        counts = f"{self.steps:,} steps  {self.tokens:,} target tokens  {self.products / 1e12:.2f} T products"
        return f"{counts}  {self.seconds:.0f} s of steps  {self.processor:.0f} s of processor time"


def read_corpus(path: Path | str | None = None) -> Corpus:
    """Returns the fixed split: of the corpus that the package finds, or of a file; with the phrasebook in training."""
    return make_corpus(read_pairs(find_corpus(path)), extra={"phrasebook": read_pairs(find_corpus("phrasebook"))})


def products(model: Seq2Seq, batch: Batch, share: float) -> float:
    """Returns how many numbers a training step multiplies and adds in its products of matrices.

    Padding counts, because it is computed. Each product forward means two backward: the gradients of its two factors.

    Args:
        model: recurrent, with a lexical model, and attention that compares a query with projected values.
        batch: source ids `(B, S)`, target ids `(B, T)`.
        share: fraction of the words outside the batch whose logits are computed.
    """
    config = model.config
    (rows, positions), steps = batch[0].shape, batch[1].shape[1]
    words = batch[2].numpy()
    real = words[words > 0]  # (N,)
    own = len(np.unique(real))
    logits = own + share * (config.target_vocabulary_size - own)  # on average
    total = rows * steps * positions * (2 * config.units + config.embedding_units)  # scores, contexts, lexical means
    for weight in model.trainable_weights:
        if len(weight.shape) < 2 or "bias" in weight.path:
            continue
        if "embeddings" in weight.path:  # the source's vectors are only looked up
            total += 0 if "encoder" in weight.path else real.size * logits * weight.shape[1]
        elif "bridge" in weight.path:
            total += rows * math.prod(weight.shape)
        elif "encoder" in weight.path or "/key/" in weight.path:
            total += rows * positions * math.prod(weight.shape)
        else:
            total += rows * steps * math.prod(weight.shape)
    return 3 * total


def start_products(model: Seq2Seq, pairs: int) -> int:
    """Returns the multiply-adds with which a dictionary start factorises a table of so many linked pairs of tokens."""
    columns = model.config.embedding_units + MORE_COLUMNS
    sizes = model.config.source_vocabulary_size + model.config.target_vocabulary_size
    return ROUNDS * columns * (2 * pairs + 2 * sizes * columns)  # products with the table, and orthogonal columns


def passes(prepared: Prepared) -> list[Prepared]:
    """Returns what each pass trains on: all pairs in the first `BOOK_PASSES`, later those of the corpus alone."""
    (rows,), links = prepared.parts, prepared.links(0)
    about = prepared.corpus.about
    kept = np.flatnonzero(rows < about["pairs"]["train"] - sum(about["extra"].values()))  # extra pairs are the last
    kept_links = [links[i] for i in kept if links]
    corpus_alone = prepared._replace(parts=[rows[kept]], links=lambda part: kept_links)
    return [prepared if number < BOOK_PASSES else corpus_alone for number in range(prepared.config.epochs)]


def train_epoch(model: Seq2Seq, step: Callable[..., Any], batches: Sequence[Batch], share: float, cost: Cost) -> float:
    """Takes a step with each batch and adds to the cost; returns the epoch's nats per target token."""
    nats = tokens = 0.0
    started, processor = time.perf_counter(), time.process_time()
    for batch in batches:
        nll, count, _ = step(*batch)
        nats, tokens = nats + float(nll), tokens + float(count)
    cost.seconds += time.perf_counter() - started
    cost.processor += time.process_time() - processor
    cost.steps += len(batches)
    cost.tokens += int(tokens)
    cost.products += sum(products(model, batch, share) for batch in batches)
    return nats / tokens


def run(corpus: Corpus, seed: int = 1, **overrides: int | float) -> tuple[float, Cost]:
    """Trains on a corpus; returns the dev chrF after the last step, and what the steps have cost."""
    settings = make_settings("quick", SETTINGS | overrides | {"seed": seed}, corpus.size)
    config = make_config(TrainConfig, settings)
    keras.utils.set_random_seed(seed)
    started = time.perf_counter()
    prepared: Prepared = prepare(corpus, make_config(DataConfig, settings), config)
    print(f"tokenisers and links: {time.perf_counter() - started:.0f} s", flush=True)
    model = Seq2Seq(
        make_config(ModelConfig, settings, **prepared.vocabulary_sizes), resolve_precision(settings["precision"])
    )
    # a copy in float32, which translates
    translator = Translator(Seq2Seq(model.config), *prepared.tokenizers, prepared.preprocessor)
    cost, each_pass = Cost(), passes(prepared)
    if settings["dictionary_start"]:
        cost.products += start_products(model, start_from_dictionary(model, prepared.batches_of(0)))
    steps = sum(part.steps_per_epoch for part in each_pass)
    optimizer = make_optimizer(model, steps, dataclasses.replace(config, epochs=1))  # one fall of the rate
    for epoch, of_pass in enumerate(each_pass):
        model.encoder.dropout.rate = model.decoder.dropout.rate = DROPOUT[min(epoch, len(DROPOUT) - 1)]
        if epoch < len(DROPOUT):  # a step is compiled with its rate
            step = make_train_step(model, optimizer, config, **guided(config))
        seed_dropout(model, seed, epoch)
        loss = train_epoch(model, step, list(of_pass.batches_of(epoch)), config.sampled, cost)
        translator.model.set_weights(model.get_weights())
        scores, _ = evaluate(translator, *corpus.references["dev"])
        dev = f"dev chrF {scores.chrf:.2f}  BLEU {scores.bleu:.1f}  perplexity {scores.perplexity:.2f}"
        print(f"epoch {epoch + 1}/{config.epochs}  loss {loss:.3f}  {dev}  {cost}", flush=True)
    return scores.chrf, cost


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs once and says whether the target was reached."""
    parser = argparse.ArgumentParser(description="Train to a dev chrF of 65.0 at the least cost.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", help="pairs of another file; a record needs the release of 44,486 pairs")
    parser.add_argument("--epochs", type=int, default=SETTINGS["epochs"])
    options = parser.parse_args(arguments)
    corpus = read_corpus(options.corpus)
    print(f"{corpus.about['pairs']['train']:,} training pairs, seed {options.seed}, {processor_name()}", flush=True)
    chrf, cost = run(corpus, options.seed, epochs=options.epochs)
    print(f"dev chrF {chrf:.2f}, {'' if chrf >= TARGET else 'not '}at the target of {TARGET}: {cost}", flush=True)


if __name__ == "__main__":
    main()
