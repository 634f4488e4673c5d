"""What a benchmark does over and over: train and translate.

Each function here prepares such a workload. It returns a dict about it, which goes to another process, and a function
of a round's number that does the round and returns a dict of what it measured, in seconds.
"""

import math
import random
import time
from types import MappingProxyType

import keras
import numpy as np

from nmt_attention.batches import make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.corpus import split_pairs
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.parts import part_of
from nmt_attention.runs.epoch import train_epoch
from nmt_attention.runs.gpu import gpus_used
from nmt_attention.runs.history import Progress
from nmt_attention.runs.run import resolve_precision
from nmt_attention.runs.settings import make_config
from nmt_attention.text import WordTokenizer
from nmt_attention.train import make_optimizer, make_train_step
from nmt_attention.translate import Translator
from nmt_attention.vocabulary import PAD_ID

from .textbook import TextbookDecoder, TextbookEncoder, make_textbook_step, textbook_ids

ALL_WORDS = 999_999  # more than any corpus here has
SEARCHES = {"greedy": {}, "beam of 5": {"beam_size": 5}}
_TEXTBOOK_SECONDS = 3.0  # a round of the textbook loop: as many steps as fit in, and one at least
_SENTENCES, _SINGLE_SENTENCES = 512, 32  # translated in a round in batches, and one by one


def train_package(corpus, size, precision, fields=MappingProxyType({})):
    """Makes the workload of training this package's model: batches of all lengths a round.

    Args:
        corpus: path of a corpus file.
        size: `bench.Size`.
        precision: Keras dtype policy.
        fields: dict of fields of `ModelConfig` and `TrainConfig` other than the sizes; Bahdanau's decoder and score by
            default.
    """
    pairs = _training_pairs(corpus, size)
    words = size.vocabulary_size or ALL_WORDS
    source_tokenizer, target_tokenizer = (
        part_of("tokenizer", size.tokenizer).learn([pair[side] for pair in pairs], words, fold_case=side == 0)
        for side in (0, 1)
    )
    source = source_tokenizer.encode_all([pair.source for pair in pairs])
    target = target_tokenizer.encode_all([pair.target for pair in pairs])
    config = make_config(TrainConfig, fields, batch_size=size.batch_size)
    batches = sample_batches(make_dataset(source, target, size.batch_size, config.seed), size.batches)
    sizes = {"source_vocabulary_size": len(source_tokenizer), "target_vocabulary_size": len(target_tokenizer)}
    sizes |= {"units": size.units, "embedding_units": size.embedding_units}
    model_config = make_config(ModelConfig, fields, **sizes)
    keras.utils.set_random_seed(config.seed)
    model = Seq2Seq(model_config, precision)
    steps = -(-len(pairs) // size.batch_size)
    train_step = make_train_step(model, make_optimizer(model, steps, config), config)
    progress = Progress(config.epochs, len(batches), 0)
    progress.interval = math.inf  # says nothing

    def do_round(number):
        order = random.Random(number).sample(batches, len(batches))
        started = time.perf_counter()
        _, _, tokens = train_epoch(train_step, order, progress)
        return {"tokens": tokens, "seconds": time.perf_counter() - started}

    started = time.perf_counter()
    float(train_step(*batches[0])[0])
    first_step_seconds = time.perf_counter() - started
    do_round(0)  # warms up: every shape of batch has been seen
    about = {
        "precision": resolve_precision("auto"),
        "used": gpus_used(model),
        "model": model_config,
        "parameters": model.count_params(),
        "first_step_seconds": first_step_seconds,
        "tokens_per_sentence": float(target.lengths.mean()) + 1,
    }
    return about, do_round


def sample_batches(batches, count):
    """Returns some of an epoch's batches, as long as batches are on the whole.

    Sorted by their number of target tokens they are cut into `count` equal parts, and one is drawn from each.
    """
    batches = sorted(batches, key=lambda batch: np.count_nonzero(batch.target_out != PAD_ID))
    count = min(count, len(batches))
    parts = [batches[i * len(batches) // count : (i + 1) * len(batches) // count] for i in range(count)]
    draw = random.Random(1)
    return [draw.choice(part) for part in parts]


def train_textbook(corpus, size):
    """Makes the workload of training the textbook loop: some steps a round, each of which takes the same time.

    Args: as `train_package`.
    """
    pairs = _training_pairs(corpus, size)
    ids, vocabulary_sizes = [], []
    for side in (0, 1):
        texts = [pair[side] for pair in pairs]
        tokenizer = WordTokenizer.learn(texts, ALL_WORDS, fold_case=side == 0)
        vocabulary_sizes.append(len(tokenizer))
        rows = tokenizer.encode_all(texts)
        ids.append(textbook_ids(np.split(rows.values, rows.splits[1:-1]), rows.lengths.max() + 2))  # start and end
    tokens_per_sentence = np.count_nonzero(ids[1][:, 1:] != PAD_ID, axis=1).mean()  # START is given, not predicted
    keras.utils.set_random_seed(1)
    encoder = TextbookEncoder(vocabulary_sizes[0], size.embedding_units, size.units)
    decoder = TextbookDecoder(vocabulary_sizes[1], size.embedding_units, size.units)
    train_step = make_textbook_step(encoder, decoder, keras.optimizers.Adam())
    shuffled = np.random.default_rng(1).permutation(len(pairs))
    steps = 0

    def step():
        nonlocal steps
        rows = np.take(shuffled, range(steps * size.batch_size, (steps + 1) * size.batch_size), mode="wrap")
        steps += 1
        float(train_step(*(side[rows] for side in ids)))

    def do_round(number):
        started, before = time.perf_counter(), steps
        while steps == before or time.perf_counter() - started < _TEXTBOOK_SECONDS:
            step()
        seconds = time.perf_counter() - started
        return {"tokens": (steps - before) * size.batch_size * tokens_per_sentence, "seconds": seconds}

    started = time.perf_counter()
    step()
    first_step_seconds = time.perf_counter() - started
    about = {
        "parameters": encoder.count_params() + decoder.count_params(),
        "first_step_seconds": first_step_seconds,
        "tokens_per_sentence": float(tokens_per_sentence),
    }
    return about, do_round


def _training_pairs(corpus, size):
    """Returns the training split of a corpus."""
    pairs = split_pairs(read_pairs(corpus)).train
    if len(pairs) < size.batch_size:
        raise ValueError(f"{corpus}: {len(pairs)} training pairs do not fill a batch of {size.batch_size}")
    return pairs


def translate_sentences(run):
    """Makes the workload of translating sentences of a run's test split, in batches of 64 and one by one."""
    translator = Translator.load(run)
    sources = sorted({pair.source for pair in read_pairs(run / "test.tsv")})
    sources = random.Random(1).sample(sources, min(_SENTENCES, len(sources)))

    def seconds(sentences, search):
        started = time.perf_counter()
        translator.translate(sentences, batch_size=64, **search)
        return time.perf_counter() - started

    def do_round(number):
        return {
            name: {
                "seconds": seconds(sources, search),
                "single": [seconds([sentence], search) for sentence in sources[:_SINGLE_SENTENCES]],
            }
            for name, search in SEARCHES.items()
        }

    do_round(0)  # traces and warms up
    return {"sentences": len(sources), "searches": list(SEARCHES)}, do_round
