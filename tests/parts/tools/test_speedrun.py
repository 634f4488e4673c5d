"""The speedrun's file: it trains, and the products that it counts are those that TensorFlow computes."""

import itertools
import math
import re

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.ops import gen_math_ops

from nmt_attention.batches import Batch
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.splits import make_corpus
from nmt_attention.train import make_optimizer, make_train_step
from speedrun import train as speedrun

WORDS = itertools.product("abcdefgh", "rst", "mpn", "xyz")
PAIRS = [(f"{who} {did} {what} {how}.", f"{who} {how} {what} {did}।") for who, did, what, how in WORDS]


@pytest.fixture
def computed(monkeypatch):
    """The multiply-adds of every product of matrices, as TensorFlow runs it."""
    found = []

    def counting(plain):
        def product(a, b, *more, **options):
            result = plain(a, b, *more, **options)
            inner = math.prod(a.shape) * math.prod(b.shape) * math.prod(result.shape)
            batch = math.prod(result.shape[:-2])
            found.append(math.isqrt(inner // batch**3) * batch)  # of (m, k), (k, n) and (m, n) the root is m k n
            return result

        return product

    for name in ("mat_mul", "batch_mat_mul_v2", "batch_mat_mul_v3"):
        monkeypatch.setattr(gen_math_ops, name, counting(getattr(gen_math_ops, name)))
    return found


def test_the_counted_products_are_those_of_a_step(computed):
    sizes = {"source_vocabulary_size": 12, "target_vocabulary_size": 20, "units": 8, "embedding_units": 6}
    model = Seq2Seq(ModelConfig(**sizes, attention="general", decoder="conditional", lexical=True))
    config = TrainConfig(batch_size=3, epochs=1)
    step = make_train_step(model, make_optimizer(model, 1, config), config)
    ids = np.random.default_rng(1).integers(4, 12, (3, 9)).astype(np.int32)
    batch = Batch(*map(tf.constant, (ids[:, :5], ids[:, 1:8], np.where(ids[:, 2:] == ids[0, 8], 0, ids[:, 2:]))))
    tf.config.run_functions_eagerly(True)
    try:
        computed.clear()
        step(*batch)
    finally:
        tf.config.run_functions_eagerly(False)
    assert speedrun.products(model, batch, 1.0) == sum(computed)


def test_a_toy_run_says_what_it_cost(capsys, monkeypatch):
    corpus = make_corpus(PAIRS[30:], extra={"phrasebook": PAIRS[:30]})
    monkeypatch.setattr(speedrun, "read_corpus", lambda path: corpus)
    usual = {"lexical": True, "guidance": 0.5, "decoder": "conditional", "attention": "general", "batch_size": 10}
    monkeypatch.setattr(speedrun, "SETTINGS", speedrun.SETTINGS | usual)  # as of a larger corpus
    speedrun.main(["--epochs", "2"])
    lines = capsys.readouterr().out.splitlines()
    chrf, missed = re.match(r"dev chrF ([\d.]+), (not )?at the target of 65.0: ", lines[-1]).groups()
    assert bool(missed) == (float(chrf) < 65), lines[-1]
    first, all_steps = (int(re.search(r"(\d+) steps", line)[1]) for line in lines if line.startswith("epoch"))
    pairs = corpus.about["pairs"]["train"]
    assert (first, all_steps - first) == (-(-pairs // 10), -(-(pairs - corpus.about["extra"]["phrasebook"]) // 10))
