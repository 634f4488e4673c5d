"""Attention, from plain seq2seq to heatmaps, on English-Marathi sentence pairs.

Read the files beside this one in the order of the course:

    spelling, text, vocabulary   strings to tokens to ids
    corpus, batches              sentence pairs, split without a leak, in padded batches
    recurrent, encoder           GRU and LSTM cells; the source sentence as vectors
    attention                    where to look: score functions, one masked softmax, one weighted mean
    decoder, model               one target step, and the same step over a whole sentence; encoder and decoder as one
    train                        the loss and one training step
    search, translate            greedy and beam search; sentences to `Translation`s
    metrics                      BLEU and chrF
    config, parts                settings of model, training and search, and the parts that they name
    fast                         what serves speed only

Folders hold the rest, and no file above imports them: `variants` (other attentions and decoders, the Transformer),
`decoding` (sampling, ensembles, minimum Bayes risk), `preprocess` (texts as people type them), `alignment` (word links,
guided attention), `names`, `disk`, `runs` (training on disk: presets, exact resume), `analysis`, `marathi`, `figures`,
`deploy`, `lesson` and `cli`.

`from nmt_attention import NAME` works for each name below. A module is loaded when one of its names is first used, and
TensorFlow only with a module that needs it.
"""

import importlib
import os
import sys
from typing import Any

__version__ = "0.1.0"


def check_backend() -> None:
    """Raises an ImportError if Keras computes, or was told to compute, with something else than TensorFlow."""
    keras = sys.modules.get("keras")
    backend = keras.config.backend() if keras else os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    if backend != "tensorflow":
        how = "set KERAS_BACKEND=tensorflow, and restart Python or the kernel"
        raise ImportError(f"nmt_attention needs Keras with the backend tensorflow, but it is {backend}: {how}")


check_backend()

_NAMES = {
    "vocabulary": "PAD_ID START_ID END_ID UNKNOWN_ID",
    "spelling": "normalize",
    "text": "CharacterTokenizer SubwordTokenizer WordTokenizer",
    "corpus": "Pair Split sentence_key split_by_pair split_pairs",
    "batches": "Batch make_dataset",
    "recurrent": "CellStack GRUCell",
    "encoder": "Encoder TokenEmbedding",
    "attention": "Attention BahdanauAttention ConcatAttention DotAttention GeneralAttention Memory ScaledDotAttention "
    "masked_softmax",
    "decoder": "BahdanauDecoder",
    "model": "Seq2Seq",
    "train": "cross_entropy make_optimizer make_train_step",
    "search": "beam_search greedy_search length_penalty step_of",
    "translate": "Translation Translator",
    "metrics": "group_references score",
    "config": "ModelConfig SearchConfig TrainConfig",
    "parts": "PARTS part_of register",
    "variants.attentions": "CosineAttention LocationAttention MultiHeadAttention",
    "variants.decoders": "ConditionalDecoder InputFeedingDecoder LuongDecoder",
    "variants.lexical": "with_lexical_model",
    "variants.transformer": "sinusoids",
    "decoding.mbr": "minimum_bayes_risk",
    "decoding.sampling": "keep_top_k keep_top_p sample",
    "alignment.aligner": "Aligner",
    "alignment.guidance": "guidance_loss",
    "alignment.links": "given_links",
    "alignment.scores": "GoldAlignment align_by_attention align_by_statistics attention_entropy evaluate_alignments "
    "links_by_argmax read_alignments score_alignments",
    "names.lists": "held_out read_names score_names",
    "names.pretrained": "as_unlisted load_transliterator",
    "disk.fetch": "load_corpus",
    "disk.pairs": "DATA_DIRECTORY read_pairs",
    "runs.bundle": "load_bundle load_preprocessor save_bundle",
    "runs.run_files": "read_history",
    "runs.run": "run_training",
    "runs.splits": "make_corpus",
    "runs.training": "train_model",
    "runs.settings": "DataConfig make_config make_settings",
    "analysis.breakdown": "breakdown source_words",
    "analysis.evaluate": "evaluate perplexity",
    "analysis.significance": "compare interval resampled_scores with_intervals",
    "marathi.error_rules": "learn_names",
    "marathi.errors": "error_report",
    "marathi.gloss": "gloss",
    "marathi.romanize": "romanize",
    "figures.animation": "animate_attentions",
    "figures.curves": "plot_history plot_score_by_length",
    "figures.diagram": "plot_beam_tree plot_unrolled",
    "figures.fonts": "text_style",
    "figures.heatmap": "plot_attention plot_attentions plot_heads save_figure",
    "figures.html": "attention_html",
    "figures.trace": "DecodingSteps trace_beam trace_steps",
    "lesson.backwards": "plot_right train_backwards",
    "lesson.by_hand": "compare_in_a_row copy_weights learn_to_look short_pairs softmax train_on_pairs write_greedily",
    "lesson.ladder": "diagnose",
    "lesson.figures": "plot_batch plot_empty_heatmap plot_losses set_up_figures step_through",
    "lesson.one_stack": "PhrasebookTexts letter_batches train_stack train_without",
    "lesson.own_work": "borrowed",
    "lesson.quiz": "show_quiz",
    "lesson.reversal": "ready_to_fit some_words",
    "lesson.runs": "guessed_links lesson_corpus preset run_directory trained unseen_gold",
    "lesson.widgets": "attention_widget beam_widget bugs_widget predict_widget push_widget step_player",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = [*_MODULE_OF, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
