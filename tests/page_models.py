"""Tiny models as the exported page has them, and as a `Translator` that has the same 8-bit numbers."""

import functools
from types import SimpleNamespace

import keras
import numpy as np

from nmt_attention.alignment.scores import GoldAlignment
from nmt_attention.config import ModelConfig
from nmt_attention.corpus import Pair
from nmt_attention.model import Seq2Seq
from nmt_attention.names.pretrained import load_transliterator
from nmt_attention.preprocess.preprocessor import Preprocessor
from nmt_attention.preprocess.protect import ALL_SYMBOLS, Placeholders, known_words
from nmt_attention.preprocess.transliterator import Spelled, Transliterator
from nmt_attention.runs.bundle import is_matrix, quantize
from nmt_attention.text import CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.translate import Translator
from tools.browser.javascript import Engine, differs
from tools.models.learning import Recorder

ENGLISH = ["The boy goes to school.", "The girl reads a book.", "Where is the school?", "I read books."]
MARATHI = ["मुलगा शाळेत जातो.", "मुलगी पुस्तक वाचते.", "शाळा कुठे आहे?", '"मी" पुस्तकं वाचतो.']
MODELS = {  # every part that the page has; some matrices are square, so that rows are not taken for columns
    "conditional": (SubwordTokenizer, {"decoder": "conditional", "attention": "general", "lexical": True}),
    "scaled-dot": (WordTokenizer, {"decoder": "conditional", "attention": "scaled-dot", "cell": "lstm"}),
    "bahdanau": (SubwordTokenizer, {"lexical": True, "encoder_layers": 2, "decoder_layers": 2, "cell": "lstm"}),
    "luong": (WordTokenizer, {"decoder": "luong", "attention": "none", "bidirectional": False, "encoder_layers": 2}),
    "concat": (WordTokenizer, {"decoder": "luong", "attention": "concat", "lexical": True}),
    "transformer": (
        SubwordTokenizer,
        {"architecture": "transformer", "encoder_layers": 2, "decoder_layers": 3, "heads": 2},
    ),
    "input-feeding": (CharacterTokenizer, {"decoder": "luong-input-feeding", "attention": "dot", "decoder_layers": 2}),
}


def untrained(tokenizer, settings, texts=(ENGLISH, MARATHI), symbols=ALL_SYMBOLS):
    """A model whose distributions are nearly flat, with its tokenisers: the hardest case for equal answers."""
    keras.utils.set_random_seed(0)
    size = 60 + len(symbols)
    source = tokenizer.learn(texts[0], size, fold_case=True, symbols=symbols)
    target = tokenizer.learn(texts[1], size, symbols=symbols)
    model = Seq2Seq(ModelConfig(len(source), len(target), units=16, embedding_units=16, **settings))
    for weight in model.weights:
        weight.assign(weight * 3.0 if "kernel" in weight.path or "embeddings" in weight.path else weight + 0.1)
    return model, source, target


def record_training(path):
    """Leaves what a model writes that learns for two steps, and returns its recorder."""
    model, *tokenizers = untrained(*MODELS["conditional"])
    pairs = [Pair(*texts) for texts in zip(ENGLISH, MARATHI, strict=True)]
    links = frozenset({(1, 0), (2, 2), (4, 1)})
    gold = [GoldAlignment(pairs[0], links, links), GoldAlignment(pairs[3], frozenset({(0, 1)}), frozenset({(0, 1)}))]
    corpus = SimpleNamespace(split=SimpleNamespace(dev=pairs))
    recorder = Recorder(path, model, SimpleNamespace(tokenizers=tokenizers, preprocessor=None, corpus=corpus), gold)
    recorder.found["training"] = {"pairs": 1234, "parameters": 56_789_000}
    recorder.found["training"]["settings"] = {"units": 16, "seed": 7, "guidance": 0.0}
    for step in (0, 300):
        recorder.record(step)
        model.weights[0].assign(-model.weights[0])
    return recorder


def rounded(model, *tokenizers):
    """A `Translator` with the 8-bit numbers of the page."""
    for weight in model.weights:
        if is_matrix(weight.path):
            numbers, scale = quantize(weight.path, np.asarray(weight))
            weight.assign(numbers * scale)
    return Translator(model, *tokenizers, Preprocessor(*tokenizers, marked=0.0))


@functools.cache
def made(name):
    translator = rounded(*untrained(*MODELS[name]))
    return Engine(translator), translator


def assert_same(engine, translator, sentences, beam_size):
    """Holds the page against Python: the hypotheses of a beam, by their tokens and by their words."""
    expected = translator.n_best(sentences, beam_size=beam_size)
    merged = translator.n_best(sentences, beam_size=beam_size, merge_subwords=True)
    for sentence, translations, of_words in zip(sentences, expected, merged, strict=True):
        found = engine.translate(sentence, beamSize=beam_size)
        said = differs(found, translations) or differs([each | each["words"] for each in found], of_words)
        assert said == "", f"{sentence}: {said}"


LISTED = {
    "Rahul": Spelled("राहुल", "m"),
    "Hunt": Spelled("हंट", "surname"),
    "scooter": Spelled("स्कूटर", "word"),
    "Satara": Spelled("सातारा", "place"),
    "Thane": Spelled("ठाणे", "surname"),
    "Boy": Spelled("बॉय", "m"),
    "Girl": Spelled("गर्ल", "surname"),
    "Shahrukh": Spelled("शाहरुख", "m"),
}


@functools.cache
def named(spelled_by):
    """A model with placeholders, and the transliterator of the package or one that has not been trained."""
    if spelled_by == "trained":
        letters = load_transliterator().translator
    else:
        letters = rounded(*untrained(WordTokenizer, MODELS["conditional"][1], (["z o r b a"], ["m f झ ो र ् ब ा"]), []))
    placeholders = Placeholders(known_words(ENGLISH), Transliterator(lambda: letters, LISTED), unwritten=["Girl"])
    _, plain = made("conditional")
    tokenizers = plain.source_tokenizer, plain.target_tokenizer
    translator = Translator(plain.model, *tokenizers, Preprocessor(*tokenizers, placeholders, marked=0.0))
    return Engine(translator), translator
