"""What each trick of `nmt_attention.fast` saves of a training step: the step with the plain line in its place.

Run `python -m tools.benchmark.tricks quick`, or `full`, on a quiet machine. The variants take turns; the figures are
medians.
"""

import argparse
import contextlib
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from unittest import mock

import keras
import tensorflow as tf

from nmt_attention import fast
from nmt_attention.batches import Batch, make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.corpus import split_pairs
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.machine import processor_name, resolve_precision
from nmt_attention.runs.settings import VOCABULARY_SIZES, make_config, make_settings
from nmt_attention.text import SubwordTokenizer
from nmt_attention.train import make_optimizer, make_train_step

BATCHES, ROUNDS = 16, 11


def plain_nll(logits: tf.Tensor, labels: tf.Tensor, smoothing: float) -> tuple[tf.Tensor, tf.Tensor]:
    nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    right = tf.gather(logits, labels, axis=1, batch_dims=1)
    return nll + smoothing * (right - tf.reduce_mean(logits, axis=1)), nll


def no_cast(layer: keras.layers.Layer) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


def one_by_one(results: Iterator) -> Iterator[list[list[float]]]:
    for result in results:
        yield [[float(value) for value in result]]


PLAIN: dict[str, list[tuple[str, object]]] = {
    "cast_once": [("nmt_attention.decoder.cast_once", no_cast), ("nmt_attention.encoder.cast_once", no_cast)],
    "RowDense": [("nmt_attention.fast.RowDense.call", keras.layers.Dense.call)],
    "smoothed_nll": [("nmt_attention.train.smoothed_nll", plain_nll)],
    "FusedAdam": [("nmt_attention.train.FusedAdam", keras.optimizers.Adam)],
    "fetch_results": [],
}


def make_batches(config: TrainConfig) -> tuple[list[Batch], list[int]]:
    """Returns batches of the corpus, and the sizes of the vocabularies."""
    pairs = split_pairs(read_pairs(find_corpus())).train
    tokenizers = [SubwordTokenizer.learn([p[side] for p in pairs], 4000, fold_case=side == 0) for side in (0, 1)]
    ids = [tokenizer.encode_all([p[side] for p in pairs]) for side, tokenizer in enumerate(tokenizers)]
    batches = random.Random(1).sample(list(make_dataset(*ids, config.batch_size, 1)), BATCHES)
    return batches, [len(tokenizer) for tokenizer in tokenizers]


def make_round(
    plain: str | None, model_config: ModelConfig, config: TrainConfig, batches: Sequence[Batch]
) -> Callable[[], float]:
    """Returns a function that trains on the batches and returns the milliseconds per step."""
    with contextlib.ExitStack() as stack:
        for name, replacement in PLAIN.get(plain or "", []):
            stack.enter_context(mock.patch(name, replacement))
        model = Seq2Seq(model_config, resolve_precision("auto"))
        step = make_train_step(model, make_optimizer(model, 300, config), config, 3000)
        step(*batches[0])  # traced with the plain line
    fetch = one_by_one if plain == "fetch_results" else fast.fetch_results

    def do_round() -> float:
        started = time.perf_counter()
        for _ in fetch(step(*batch) for batch in batches):
            pass
        return 1000 * (time.perf_counter() - started) / len(batches)

    return do_round


def main() -> None:
    """Prints a line per trick."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=("quick", "full"))
    settings = make_settings(parser.parse_args().preset, {"guidance": 0.0})
    config = make_config(TrainConfig, settings)
    batches, sizes = make_batches(config)
    model_config = make_config(ModelConfig, settings, **dict(zip(VOCABULARY_SIZES, sizes, strict=True)))
    rounds = {name: make_round(name, model_config, config, batches) for name in (None, *PLAIN)}
    times: dict[str | None, list[float]] = {name: [] for name in rounds}
    for _ in range(ROUNDS + 1):
        for name, do_round in rounds.items():
            times[name].append(do_round())
    medians = {name: statistics.median(found[1:]) for name, found in times.items()}  # the first warms up
    print(f"{processor_name()}, {resolve_precision('auto')}: {medians[None]:.1f} ms per step")
    for name in PLAIN:
        print(f"{name:14} saves {medians[name] - medians[None]:6.1f} ms")


if __name__ == "__main__":
    main()
