"""Attention, from plain seq2seq to heatmaps, on English-Marathi sentence pairs.

    text ──► corpus ──► batches ──┐
                                  ▼
    encoder ─┐                  train ──► (bundle on disk) ──► translate ──► evaluate ◄── alignment
    attention ─► decoder ─► model ┘            ▲                  │
                                         search ┘                 └──► plot

`attention` has the layers that are one score function each, `attention_variants` two that are more, and their table.
`run` ties them together for one run directory, `config` holds every setting, `phrasebook` composes the embedded corpus,
`cells` are the decoder's recurrent cells, `ensemble` has several models translate together, `risk` chooses among
translations, `words` puts tokens together. Beside `train`, `loss` is what it minimises, `optimizer` its Adam,
`checkpoint` what it continues from, `interrupt` hears Ctrl-C and `distribute` has several devices share a step; `files`
writes whole files or none, `run_files` guards those of a run directory. Beside `plot`, `html` shows attention in a page, `trace` keeps what happens in a
translation, `diagram` and `animate` draw that, all with `fonts` that have every letter. Beside `evaluate`,
`significance` tells what is chance, `breakdown` where a model is good, `errors` what it does wrong, by `error_rules`
about `marathi_forms`; `report` prints it. `lesson` is what the notebooks share. `export` takes a model elsewhere as a
SavedModel with the tokenisers of `text_graph`, `serve` shows it on a web page.
`python -m nmt_attention` is the command line: `__main__` defines commands and options, `commands` and
`evaluate_command` run them, and `console` writes what they print.

`from nmt_attention import Encoder, BahdanauAttention, Decoder, Translator` works, and so does every name below; a
module is imported when the first of its names is asked for, TensorFlow among them only where needed.
The functions `train`, `evaluate` and `breakdown` have their modules' names: `from nmt_attention.train import train`.
`import_tensorflow()`, called before anything else needs TensorFlow, imports it without its log lines.
"""

import importlib

__version__ = "0.1.0"

_NAMES = {
    "text": (
        *("normalize", "WordTokenizer", "SubwordTokenizer", "CharacterTokenizer", "load_tokenizer"),
        *("PAD_ID", "START_ID", "END_ID", "UNKNOWN_ID", "FlatIds"),
    ),
    "corpus": (
        *("Pair", "Split", "load_corpus", "download_anki", "read_pairs", "split_pairs", "split_pairs_carelessly"),
        *("SPLITS", "sentence_key", "DATA_DIRECTORY"),
    ),
    "batches": ("Batch", "make_dataset"),
    "embedding": ("TokenEmbedding",),
    "encoder": ("Encoder",),
    "attention": (
        *("Memory", "Attention", "masked_softmax", "BahdanauAttention", "DotAttention", "ScaledDotAttention"),
        *("GeneralAttention", "ConcatAttention", "CosineAttention", "LocationAttention", "LastState"),
    ),
    "attention_variants": ("LocalAttention", "MultiHeadAttention"),
    "cells": ("CELLS", "GRUCell", "LSTMCell", "CellStack"),
    "decoder": ("TargetSide", "Decoder", "LuongDecoder", "InputFeedingDecoder"),
    "config": ("DataConfig", "ModelConfig", "TrainConfig", "SearchConfig", "make_settings"),
    "model": ("Seq2Seq", "save_bundle", "load_bundle"),
    "loss": ("cross_entropy",),
    "optimizer": ("make_optimizer",),
    "train": ("make_train_step",),
    "run": ("run_training",),
    "search": (
        *("greedy_search", "beam_search", "length_penalty", "repeat_rows"),
        *("sample", "keep_top_k", "keep_top_p", "without_repeats"),
    ),
    "ensemble": ("Ensemble",),
    "translate": ("Translation", "Translator"),
    "words": ("merge_subwords", "replace_unknown"),
    "risk": ("minimum_bayes_risk", "chrf_matrix"),
    "evaluate": ("Scores", "score", "group_references", "perplexity", "evaluate_alignments"),
    "significance": ("Comparison", "compare", "interval", "resampled_scores"),
    "breakdown": ("Row", "breakdowns", "source_words"),
    "errors": ("Phenomenon", "error_report"),
    "error_rules": ("learn_names",),
    "alignment": (
        *("GoldAlignment", "AlignmentScores", "read_alignments", "score_alignments"),
        *("links_by_argmax", "links_by_threshold", "attention_entropy"),
    ),
    "phrasebook": ("build_phrasebook",),
    "plot": ("plot_attention", "plot_attentions", "plot_heads", "plot_history", "plot_score_by_length", "save_figure"),
    "fonts": ("can_shape",),
    "html": ("attention_html",),
    "export": ("ExportedTranslator", "export_saved_model"),
    "trace": ("DecodingSteps", "trace_steps", "BeamNode", "trace_beam"),
    "diagram": ("plot_unrolled", "plot_beam_tree"),
    "animate": ("animate_attention", "Animation"),
    "commands": ("import_tensorflow",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}
__all__ = ["__version__", *_MODULE_OF]


def __getattr__(name):
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)


def __dir__():
    return sorted(__all__)
