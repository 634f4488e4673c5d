"""Attention, from plain seq2seq to heatmaps, on English-Marathi sentence pairs.

Read it in the order of the course:

    spelling, text, vocabulary      strings to tokens to ids
    fetch, corpus, batches          sentence pairs, split without a leak, in padded batches
    recurrent, encoder              GRU and LSTM cells; the source sentence as vectors
    attention, attention_variants   where to attend: the score functions, one masked softmax
    decoder, decoder_variants       Bahdanau's decoder, one step and a whole sentence; the other decoders
    transformer                     attention in every layer, and no recurrence
    word_links, aligner, guidance   which words translate each other; attention taught by it
    model, loss, train              the whole model; its loss; one training step
    search, translate               greedy, beam, sampling; sentences to `Translation`s
    ensemble, mbr                   several models; the hypothesis most like the others
    metrics, evaluate               BLEU, chrF, perplexity
    config, bundle, files           every setting; a model on disk
    fast                            everything that serves speed only

Folders hold the rest, and no module above imports them: `runs` (training on disk, with exact resume), `analysis`,
`marathi`, `figures`, `deploy`, `lesson` and `cli`.

`from nmt_attention import Translator` works for each name below; everything else is imported from its module. A module
is loaded when one of its names is first used, and TensorFlow only with a module that needs it.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_MODULE_OF = {
    "Pair": "corpus",
    "load_corpus": "fetch",
    "read_pairs": "corpus",
    "split_pairs": "corpus",
    "make_dataset": "batches",
    "normalize": "spelling",
    "START_ID": "vocabulary",
    "END_ID": "vocabulary",
    "SubwordTokenizer": "text",
    "WordTokenizer": "text",
    "CharacterTokenizer": "text",
    "Encoder": "encoder",
    "BahdanauAttention": "attention",
    "Memory": "attention",
    "masked_softmax": "attention",
    "register_attention": "attention_variants",
    "BahdanauDecoder": "decoder",
    "LuongDecoder": "decoder_variants",
    "ModelConfig": "config",
    "TrainConfig": "config",
    "Seq2Seq": "model",
    "cross_entropy": "loss",
    "greedy_search": "search",
    "beam_search": "search",
    "Translation": "translate",
    "Translator": "translate",
    "group_references": "metrics",
    "score": "metrics",
    "plot_attention": "figures.heatmap",
    "plot_score_by_length": "figures.curves",
    "trace_steps": "figures.trace",
    "plot_unrolled": "figures.diagram",
    "Split": "corpus",
    "Batch": "batches",
    "PAD_ID": "vocabulary",
}
__all__ = [*_MODULE_OF, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
