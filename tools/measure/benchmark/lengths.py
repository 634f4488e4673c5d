"""A recurrent model and a Transformer at sentences of several lengths: a training step, and a step of greedy search.

python -m tools.measure.benchmark.lengths

Run it on a quiet machine. The two presets take turns at random sentences whose two sides have the same length; the
figures are medians of the rounds. CPU time hardly changes if others use the machine.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import keras
import numpy as np
import tensorflow as tf

from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.machine import processor_name, resolve_precision
from nmt_attention.runs.settings import make_config, make_settings
from nmt_attention.search import greedy_search
from nmt_attention.train import make_optimizer, make_train_step
from nmt_attention.vocabulary import END_ID

LENGTHS = (5, 10, 20, 40, 80)
PRESETS = ("quick", "transformer")
Work = Callable[[np.ndarray], object]  # does something with ids `(B, T)`, and waits until it is done


def make_training(preset: str, precision: str) -> tuple[Work, int]:
    """Returns the training step of a preset, and the number of the model's parameters."""
    settings = make_settings(preset, {"guidance": 0.0})
    config = make_config(TrainConfig, settings)
    keras.utils.set_random_seed(config.seed)
    model = Seq2Seq(make_config(ModelConfig, settings), precision)
    step = make_train_step(model, make_optimizer(model, 300, config), config)
    return lambda ids: float(step(ids, ids, ids)[0]), model.count_params()


def make_search(preset: str) -> Work:
    """Returns greedy search with an untrained model of a preset, which writes as many tokens as it reads."""
    model = Seq2Seq(make_config(ModelConfig, make_settings(preset, {})))
    size = model.config.target_vocabulary_size
    endless = tf.one_hot(END_ID, size, on_value=-float("inf"), off_value=0.0)

    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32)])
    def search(source_ids: tf.Tensor) -> tf.Tensor:
        state, memory = model.encode(source_ids)

        def step(token_ids: tf.Tensor, state: object) -> tuple[tf.Tensor, object, tf.Tensor]:
            features, state, weights = model.decoder.step(token_ids, state, memory)
            return tf.nn.log_softmax(model.logits(features) + endless), state, weights

        limits = tf.fill([tf.shape(source_ids)[0]], tf.shape(source_ids)[1])
        return greedy_search(step, state, limits)[0]

    return lambda ids: search(ids).numpy()


def measure(works: dict[str, Work], lengths: tuple[int, ...], rows: int, rounds: int) -> dict[tuple[str, int], tuple]:
    """Returns the median seconds, and seconds of CPU time, of each work at each length."""
    times: dict[tuple[str, int], list[tuple[float, float]]] = {}
    random = np.random.default_rng(1)
    for number in range(rounds + 1):
        for length in lengths:
            ids = random.integers(4, 4000, (rows, length), np.int32)
            for name, work in works.items():
                started, used = time.perf_counter(), time.process_time()
                work(ids)
                found = time.perf_counter() - started, time.process_time() - used
                if number:  # the first round warms up
                    times.setdefault((name, length), []).append(found)
    return {key: tuple(map(statistics.median, zip(*found, strict=True))) for key, found in times.items()}


def main() -> None:
    """Prints two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--rows", type=int, default=64, help="sentences per step")
    options = parser.parse_args()
    precision = resolve_precision("auto")
    trainings = {preset: make_training(preset, precision) for preset in PRESETS}
    print(f"{processor_name()}, {options.rows} sentences;", end=" ")
    print(", ".join(f"{preset} {parameters:,} parameters" for preset, (_, parameters) in trainings.items()))
    works = {preset: work for preset, (work, _) in trainings.items()}
    searches = {preset: make_search(preset) for preset in PRESETS}
    for title, kind in ((f"training, {precision}", works), ("greedy search, float32", searches)):
        found = measure(kind, LENGTHS, options.rows, options.rounds)
        print(f"\n{title}\nlength  preset             ms   CPU ms  tokens/s  tokens per CPU second")
        for length in LENGTHS:
            for name in PRESETS:
                wall, cpu = found[name, length]
                rates = f"{options.rows * length / wall:9,.0f} {options.rows * length / cpu:9,.0f}"
                print(f"{length:6}  {name:12} {1e3 * wall:8.0f} {1e3 * cpu:8.0f} {rates}")


if __name__ == "__main__":
    main()
