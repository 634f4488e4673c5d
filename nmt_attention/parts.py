"""The parts that settings name: where each is defined. A part is loaded when it is first asked for.

The course's own parts are in the files beside this one; `variants` has the others, and imports them.
"""

import importlib
from typing import Any

PARTS: dict[str, dict[str, Any]] = {
    "attention": {
        "bahdanau": "attention:BahdanauAttention",
        "dot": "attention:DotAttention",
        "scaled-dot": "attention:ScaledDotAttention",
        "general": "attention:GeneralAttention",
        "concat": "attention:ConcatAttention",
        "cosine": "variants.attentions:CosineAttention",
        "location": "variants.attentions:LocationAttention",
        "local-p": "variants.attentions:LocalAttention",
        "multi-head": "variants.attentions:MultiHeadAttention",
        "uniform": "attention:UniformAttention",
        "none": "attention:NoAttention",
    },
    "decoder": {
        "bahdanau": "decoder:BahdanauDecoder",
        "conditional": "variants.decoders:ConditionalDecoder",
        "luong": "variants.decoders:LuongDecoder",
        "luong-input-feeding": "variants.decoders:InputFeedingDecoder",
    },
    "architecture": {
        "rnn": "model:recurrent_parts",
        "transformer": "variants.transformer:transformer_parts",
    },
    "cell": {"gru": "recurrent:GRUCell", "lstm": "recurrent:LSTMCell"},
    "tokenizer": {
        "subword": "text:SubwordTokenizer",
        "word": "text:WordTokenizer",
        "character": "text:CharacterTokenizer",
    },
    "split": {"group": "corpus:split_pairs", "pair": "corpus:split_by_pair"},
    "extension": {  # what the core calls where the setting of this name asks for it
        "lexical": "variants.lexical:with_lexical_model",
        "sampled": "variants.sampled_softmax:sampled_loss",
        "samples": "decoding.sampling:sample",
        "minimum_bayes_risk": "decoding.mbr:rank_by_risk",
        "probabilities": "decoding.words:with_probabilities",
        "merge_subwords": "decoding.words:in_words",
    },
}
_OPEN = ("attention", "decoder", "tokenizer", "split", "architecture")  # to parts of your own
_BUILT_IN = {kind: frozenset(parts) for kind, parts in PARTS.items()}


def part_of(kind: str, name: str) -> Any:
    """Returns the part of this kind and name."""
    part = PARTS[kind][name]
    if isinstance(part, str):
        module, _, attribute = part.partition(":")
        part = getattr(importlib.import_module(f".{module}", __package__), attribute)
    return part


def register(kind: str, name: str, part: Any) -> None:
    """Makes a part of your own a value of the setting `kind`, as long as this process runs.

    A model that was trained with it can be loaded where it is registered under the same name.

    Args:
        kind: "attention", "decoder", "tokenizer", "split" or "architecture".
        name: what the setting is then called.
        part: a class, or a function, with the call signature of the package's parts of this kind.

    Raises:
        TypeError: the part cannot be called.
        ValueError: there is no such kind, or the package has a part of this kind and name.
    """
    if kind not in _OPEN:
        raise ValueError(f"kind: expected one of {', '.join(_OPEN)}, got {kind!r}")
    if not callable(part):
        raise TypeError(f"part: expected a class or a function, got {type(part).__name__}")
    if name in _BUILT_IN[kind]:
        raise ValueError(f"name: the package has the {kind} {name!r}; choose another name")
    PARTS[kind][name] = part
