"""Trains the transliterator that comes with the package, and scores it on the words that are held out.

python -m tools.models.transliterator
"""

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import keras

from nmt_attention.batches import make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.disk.files import write_json
from nmt_attention.model import Seq2Seq
from nmt_attention.names.lists import KINDS, Name, held_out, is_near, read_names
from nmt_attention.names.pretrained import DIRECTORY, load_transliterator, without_held_out
from nmt_attention.preprocess.transliterator import BEAM_SIZE, Spelled, Transliterator, code_points, letters
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.text import WordTokenizer
from nmt_attention.train import make_optimizer, make_train_step

MODEL = {"attention": "general", "decoder": "conditional", "units": 128, "embedding_units": 96, "dropout": 0.2}
TRAINING = TrainConfig(epochs=40, batch_size=64, learning_rate=4e-3, warmup_steps=200, precision="float32")
EXAMPLES = 30


def train(names: Sequence[Name], training: TrainConfig = TRAINING) -> tuple[Seq2Seq, WordTokenizer, WordTokenizer]:
    """Trains a model on names, in an order that depends on the seed alone; returns it with its tokenisers."""
    names = random.Random(training.seed).sample(names, len(names))
    texts = [letters(name.english) for name in names], [code_points(Spelled(*name[1:])) for name in names]
    tokenizers = [WordTokenizer.learn(side, 1000) for side in texts]
    source, target = (tokenizer.encode_all(side) for tokenizer, side in zip(tokenizers, texts, strict=True))
    keras.utils.set_random_seed(training.seed)
    model = Seq2Seq(ModelConfig(*map(len, tokenizers), **MODEL))
    steps = len(make_dataset(source, target, training.batch_size))
    train_step = make_train_step(model, make_optimizer(model, steps, training), training)
    for epoch in range(training.epochs):
        nll = tokens = 0.0
        for batch in make_dataset(source, target, training.batch_size, training.seed, epoch):
            batch_nll, batch_tokens, _ = train_step(*batch)
            nll, tokens = nll + float(batch_nll), tokens + float(batch_tokens)
        print(f"epoch {epoch + 1:2} of {training.epochs}: {nll / tokens:.3f} nats per token", file=sys.stderr)
    return model, *tokenizers


def score(transliterator: Transliterator, names: Sequence[Name]) -> dict[str, dict[str, float]]:
    """Scores a transliterator that looks up none of the names.

    Returns:
        For each kind, and for "all": the number of names and the percentages of them that are exactly right, that
        differ from the right spelling by one code point at most, and whose kind is right.
    """
    found = transliterator.transliterate([name.english for name in names])
    rows = [
        (name.kind, t.text == name.marathi, is_near(t.text, name.marathi), t.kind == name.kind)
        for name, t in zip(names, found, strict=True)
    ]
    scores = {}
    for kind in (*KINDS, "all"):
        some = [row[1:] for row in rows if kind in (row[0], "all")]
        percentages = (round(100 * sum(column) / len(some), 1) for column in zip(*some, strict=True))
        scores[kind] = {"names": len(some), **dict(zip(("exact", "within_one", "kind"), percentages, strict=True))}
    return scores


def show(title: str, scores: dict[str, dict[str, float]]) -> None:
    """Prints the scores as a table."""
    print(f"{title:10} names  exact  within one letter  kind")
    for kind, row in scores.items():
        print(f"{kind:10} {row['names']:5}  {row['exact']:5.1f}  {row['within_one']:17.1f}  {row['kind']:4.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=DIRECTORY, help="where the bundle is written")
    directory = parser.parse_args().directory
    names = read_names()
    save_bundle(directory, *train([name for name in names if not held_out(name)]), quantized=True)
    unseen = [name for name in names if held_out(name)]
    transliterator = without_held_out(load_transliterator(directory))
    greedy = Transliterator(transliterator.load, {}, beam_size=1)
    show("greedy", score(greedy, unseen))
    scores = score(transliterator, unseen)
    show(f"beam of {BEAM_SIZE}", scores)
    write_json(directory / "scores.json", scores)
    some = random.Random(1).sample(unseen, EXAMPLES)
    for name, found in zip(some, transliterator.transliterate([name.english for name in some]), strict=True):
        print(f"{name.english:16} {found.text:16} {'' if found.text == name.marathi else f'not {name.marathi}'}")


if __name__ == "__main__":
    main()
