"""Attention, from plain seq2seq to heatmaps, on English-Marathi sentence pairs.

    text ──► corpus ──► batches ──┐
                                  ▼
    encoder ─┐                  train ──► (bundle on disk) ──► translate ──► evaluate ◄── alignment
    attention ─► decoder ─► model ┘            ▲                  │
                                         search ┘                 └──► plot

Beside these, `config` holds every setting and `run` ties the steps together for one run directory. Modules for
text: `spelling`. For training: `recurrent`, `loss`, `optimizer`, `fast`, `checkpoint`, `interrupt`, `progress`,
`distribute`, `files`, `run_files`. For translation: `ensemble`, `risk`, `words`. For scores: `significance`,
`breakdown`, `report`, and for Marathi `errors`, `error_rules`, `marathi_forms`, `names`. For figures: `plot`, `html`,
`trace`, `diagram`, `animate`, `fonts`. For more kinds of attention: `attention_variants`. To use a model elsewhere:
`export`, `text_graph`, `serve`. For the lessons: `lesson`. For the command line: `__main__`, `commands`,
`evaluate_command`, `console`.

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
    "recurrent": ("CELLS", "GRUCell", "LSTMCell", "CellStack"),
    "decoder": ("BaseDecoder", "Decoder", "LuongDecoder", "InputFeedingDecoder"),
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
    "plot": ("plot_attention", "plot_attentions", "plot_heads", "plot_history", "plot_score_by_length", "save_figure"),
    "fonts": ("can_shape", "text_style"),
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
