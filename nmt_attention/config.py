"""Every setting of a run, with its default, its meaning and its range; no TensorFlow, so that `--help` is quick."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

ATTENTION_NAMES = [  # `register_attention` adds others
    *("bahdanau", "dot", "scaled-dot", "general", "concat", "cosine", "location", "local-p", "multi-head"),
    *("uniform", "none"),
]
UNTAUGHT = "uniform", "none"  # attentions whose weights are fixed, so that there is nothing to guide
ARCHITECTURE_NAMES = ("rnn", "transformer")
DECODER_NAMES = ("bahdanau", "conditional", "luong", "luong-input-feeding")
CELL_NAMES = ("gru", "lstm")
SPLIT_NAMES = ("group", "pair")
TOKENIZER_NAMES = ("subword", "word", "character")
PRECISIONS = ("auto", "float32", "mixed_bfloat16", "mixed_float16")
STRATEGY_NAMES = ("single", "mirrored", "multiworker")
USUAL_PAIRS = 40_000  # the presets' epochs are for a corpus of this size or more


def _setting(
    default: Any,
    meaning: str,
    minimum: float | None = None,
    below: float | None = None,
    choices: Sequence[str] | None = None,
    maximum: float | None = None,
) -> Any:
    """Returns a field; the range of a number ends just below `below` or, if `maximum` is given, with `maximum`."""
    rule = {"meaning": meaning, "minimum": minimum, "below": below, "choices": choices, "maximum": maximum}
    return dataclasses.field(default=default, metadata=rule)


@dataclasses.dataclass(frozen=True)
class _Checked:
    """Checks each field's type and range when an instance is made."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, rule = getattr(self, field.name), field.metadata
            kind: Any = field.type
            kinds = (int, float) if kind is float else (kind,)
            expected = ""
            if not isinstance(value, kinds) or (kind is not bool and isinstance(value, bool)):
                expected = f"a value of type {kind.__name__}"
            elif rule["choices"] and value not in rule["choices"]:
                expected = f"one of {', '.join(rule['choices'])}"
            elif kind in (int, float):
                minimum, below, maximum = rule["minimum"], rule["below"], rule["maximum"]
                if not (minimum <= value and (value < below if maximum is None else value <= maximum)):
                    expected = f"from {minimum:,} to " + (f"below {below:,}" if maximum is None else f"{maximum:,}")
            if expected:
                raise ValueError(f"{field.name}: expected {expected}, got {value!r}")


_Config = TypeVar("_Config", bound=_Checked)


@dataclasses.dataclass(frozen=True)
class DataConfig(_Checked):
    """How sentences become ids. A field of the wrong type or out of range raises a ValueError that names it."""

    split: str = _setting(
        "group", "group: no test sentence occurs in training; pair: most do, which inflates scores", choices=SPLIT_NAMES
    )
    tokenizer: str = _setting("subword", "kind of tokens", choices=TOKENIZER_NAMES)
    vocabulary_size: int = _setting(4000, "maximum number of entries in each language's vocabulary", 10, 1_000_000)
    sampling_alpha: float = _setting(
        0.0,
        "above 0: draw a new segmentation into subwords in every epoch; lower values are more random (Kudo 2018)",
        0,
        10,
    )
    plain_epochs: int = _setting(2, "number of final epochs trained on the most probable subwords only", 0, 10_000)
    placeholders: float = _setting(
        0.0,
        "fraction of the known names, loan words and numbers in training pairs that a placeholder stands for, so that "
        "the model can translate sentences with unknown ones",
        0,
        maximum=1,
    )
    concatenation: float = _setting(
        0.0,
        "fraction of training pairs to which each epoch appends one to three others, so that the model sees longer "
        "texts (Kondo 2021)",
        0,
        maximum=1,
    )
    most_tokens: int = _setting(
        100, "maximum number of tokens per side of a training pair; longer pairs are left out", 1, 10_000
    )


@dataclasses.dataclass(frozen=True)
class ModelConfig(_Checked):
    """Sizes and parts of a model; models with equal configurations can exchange weights.

    A field of the wrong type or out of range raises a ValueError that names it.
    """

    source_vocabulary_size: int = _setting(4000, "entries of the source vocabulary", 4, 1_000_000)
    target_vocabulary_size: int = _setting(4000, "entries of the target vocabulary", 4, 1_000_000)
    attention: str = _setting("bahdanau", "score function of attention; none is plain seq2seq", choices=ATTENTION_NAMES)
    decoder: str = _setting(
        "bahdanau",
        "when a step attends: bahdanau before reading the previous token, conditional after that, luong after the cell",
        choices=DECODER_NAMES,
    )
    cell: str = _setting("gru", "recurrent cell of encoder and decoder", choices=CELL_NAMES)
    units: int = _setting(256, "width of encoder values, decoder state and scoring network", 1, 20_000)
    embedding_units: int = _setting(256, "width of token vectors and of the features before the vocabulary", 1, 20_000)
    encoder_layers: int = _setting(1, "layers of the encoder", 1, 100)
    decoder_layers: int = _setting(1, "layers of the decoder", 1, 100)
    bidirectional: bool = _setting(True, "whether the encoder reads in both directions")
    dropout: float = _setting(0.3, "fraction of activations zeroed in training", 0, 1)
    architecture: str = _setting(
        "rnn",
        "rnn: recurrent layers, and attention from the decoder to the encoder; transformer: attention in every layer",
        choices=ARCHITECTURE_NAMES,
    )
    lexical: bool = _setting(
        False, "whether the source tokens under attention, one by one, help to choose each target token (Nguyen 2018)"
    )
    heads: int = _setting(4, "heads of each attention of a transformer, which divide its units", 1, 257)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.architecture == "transformer":
            self._check_transformer()
        elif self.lexical and self.attention == "none":
            raise ValueError("lexical: it needs attention, got attention none")
        elif self.heads != ModelConfig.heads:
            raise ValueError(f"heads: no effect unless architecture is transformer, got {self.heads}")
        elif self.bidirectional and self.units % 2:
            raise ValueError(f"units: expected an even number, half for each direction, got {self.units}")

    def _check_transformer(self) -> None:
        for name in ("attention", "decoder", "cell", "bidirectional", "lexical"):
            value = getattr(self, name)
            if value != getattr(ModelConfig, name):
                raise ValueError(f"{name}: no effect if architecture is transformer, got {value!r}; try its own preset")
        if self.embedding_units != self.units:
            raise ValueError(
                f"embedding_units: a transformer's equal its units, {self.units}, got {self.embedding_units}"
            )
        if self.units % 2 or self.units % self.heads:
            raise ValueError(f"units: expected an even number that {self.heads} heads divide, got {self.units}")


@dataclasses.dataclass(frozen=True)
class TrainConfig(_Checked):
    """How a model is trained. A field of the wrong type or out of range raises a ValueError that names it.

    `run_training` draws everything random from `seed`. If you call `train` with your own model and batches, call
    `keras.utils.set_random_seed(config.seed)` before you make the model, and pass the seed to `make_dataset`; `train`
    itself draws dropout and the positions of scheduled sampling from it. Likewise `precision` is the model's `dtype`,
    and `strategy` is the one in whose scope the model was made.
    """

    epochs: int = _setting(
        10,
        f"passes over the training pairs; a preset makes up to twice as many for fewer than {USUAL_PAIRS:,} pairs",
        1,
        10_000,
    )
    batch_size: int = _setting(128, "pairs per step", 1, 100_000)
    learning_rate: float = _setting(
        1e-3, "learning rate of Adam after the warm-up; from there it falls along half a cosine", 1e-9, 10
    )
    warmup_steps: int = _setting(400, "steps over which the learning rate rises from 0", 0, 1_000_000)
    label_smoothing: float = _setting(0.1, "fraction of the target probability spread over the vocabulary", 0, 1)
    scheduled_sampling: float = _setting(
        0.0,
        "fraction of target inputs that are the model's own predictions by the end of training (Bengio 2015)",
        0,
        maximum=1,
    )
    guidance: float = _setting(
        0.0, "weight of guided alignment: attention learns the corpus's own links, or an aligner's (Chen 2016)", 0, 100
    )
    clip_norm: float = _setting(1.0, "maximum global norm of the gradient", 1e-9, 1e9)
    patience: int = _setting(6, "epochs without a better dev score (chrF) after which training stops", 1, 10_000)
    seed: int = _setting(
        1, "random seed for weights, batch order, dropout, sampled subwords and placeholders", 0, 2**31
    )
    precision: str = _setting("auto", "auto: bfloat16 if the GPU or CPU supports it", choices=PRECISIONS)
    strategy: str = _setting(
        "single",
        "mirrored: all GPUs of this machine; multiworker: all devices of the workers in TF_CONFIG",
        choices=STRATEGY_NAMES,
    )
    jit: bool = _setting(False, "compile the step with XLA, once per batch shape; widths are padded to multiples of 8")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strategy != "single" and self.precision == "mixed_float16":
            raise ValueError(f"precision: mixed_float16 cannot be combined with strategy {self.strategy}")
        if self.strategy != "single" and self.jit:
            raise ValueError(f"jit: cannot be combined with strategy {self.strategy}")


@dataclasses.dataclass(frozen=True)
class SearchConfig(_Checked):
    """How translations are found with a trained model.

    A field of the wrong type or out of range, or one that has no effect with the others, raises a ValueError that names
    it.
    """

    beam_size: int = _setting(1, "hypotheses kept per step; 1 is greedy search", 1, 10_000)
    length_penalty: float = _setting(
        1.0, "exponent of the length penalty in beam search; higher values favour long sentences (Wu 2016)", 0, 10
    )
    samples: int = _setting(
        0, "above 0: draw that many translations at random instead of searching for the best", 0, 100_000
    )
    temperature: float = _setting(1.0, "when sampling, values below 1 draw probable tokens more often", 1e-3, 1e3)
    top_k: int = _setting(0, "when sampling, restrict to the k most probable tokens (0: no limit)", 0, 1_000_000)
    top_p: float = _setting(
        1.0, "when sampling, restrict to the most probable tokens that together reach p (1: no limit)", 1e-9, maximum=1
    )
    no_repeat_ngrams: int = _setting(0, "above 0: never write the same sequence of that many tokens twice", 0, 1_000)
    minimum_bayes_risk: bool = _setting(False, "choose the hypothesis most similar to all others, by chrF")
    replace_unknown: bool = _setting(False, "in a word model, replace <unknown> with the most attended source word")
    seed: int = _setting(1, "random seed for samples", 0, 2**31)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.samples and self.beam_size > 1:
            got = f"samples {self.samples} and beam_size {self.beam_size}"
            raise ValueError(f"samples: use either samples or beam_size above 1, got {got}")
        needed = {"length_penalty": ("beam_size", 1)}
        needed |= dict.fromkeys(("temperature", "top_k", "top_p", "seed"), ("samples", 0))
        for name, (other, idle) in needed.items():
            if getattr(self, name) != getattr(SearchConfig, name) and getattr(self, other) == idle:
                raise ValueError(f"{name}: no effect unless {other} is above {idle}, got {other} {idle}")
        if self.minimum_bayes_risk and max(self.samples, self.beam_size) == 1:
            raise ValueError("minimum_bayes_risk: no effect unless beam_size or samples is above 1")


CONFIGS: dict[str, type[_Checked]] = {"data": DataConfig, "model": ModelConfig, "train": TrainConfig}
VOCABULARY_SIZES = ("source_vocabulary_size", "target_vocabulary_size")  # known only after the tokenisers have learned

PRESETS: dict[str, dict[str, Any]] = {
    "quick": {
        "decoder": "conditional",
        "attention": "general",
        "lexical": True,
        "guidance": 0.5,
        "epochs": 6,
        "batch_size": 128,
        "learning_rate": 3e-3,
        "warmup_steps": 200,
        "dropout": 0.2,
        "placeholders": 0.3,
        "concatenation": 0.05,
    },
    "full": {
        "decoder": "conditional",
        "attention": "general",
        "lexical": True,
        "guidance": 0.5,
        "units": 384,
        "dropout": 0.3,
        "epochs": 14,
        "batch_size": 128,
        "learning_rate": 2e-3,
        "warmup_steps": 400,
        "sampling_alpha": 0.3,
        "plain_epochs": 3,
        "placeholders": 0.3,
        "concatenation": 0.1,
        "patience": 14,  # the final epochs on plain subwords gain most, so training must not stop before them
    },
    "transformer": {
        "architecture": "transformer",
        "encoder_layers": 3,
        "decoder_layers": 3,
        "guidance": 0.5,
        "epochs": 12,
        "batch_size": 128,
        "learning_rate": 1e-3,
        "warmup_steps": 400,
        "dropout": 0.3,
        "placeholders": 0.3,
    },
}


# Bahdanau's attention in his decoder, left alone: for small corpora without links, and for the lessons' models.
UNGUIDED = {"decoder": "bahdanau", "attention": "bahdanau", "guidance": 0.0, "lexical": False}
GIVEN_LINKS = {"guidance": 0.2}  # links given with the corpus need less weight than an aligner's; chosen on dev


def setting_fields() -> dict[str, dataclasses.Field]:
    """Returns the `dataclasses.Field` of every setting a user may choose, by name."""
    fields = {field.name: field for config in CONFIGS.values() for field in dataclasses.fields(config)}
    return {name: field for name, field in fields.items() if name not in VOCABULARY_SIZES}


def make_settings(
    preset: str, overrides: Mapping[str, Any], pairs: int = USUAL_PAIRS, linked: bool = False
) -> dict[str, Any]:
    """Returns every setting's value: the overrides', else the preset's, else the default.

    Args:
        preset: "quick", "full" or "transformer".
        overrides: settings that replace those of the preset; without attention there is no lexical model, unless they
            ask for it.
        pairs: size of the corpus; for a smaller one than usual a preset has more epochs, up to twice as many, and for
            one of less than half the usual size no guidance, because the aligner would learn too little from it, no
            lexical model, and Bahdanau's decoder and attention.
        linked: whether the corpus gives the links of its words, as the phrasebook does; they guide attention then.

    Raises:
        ValueError: an unknown preset or setting, or a value out of range; the message names it.
    """
    if preset not in PRESETS:
        raise ValueError(f"preset: expected one of {', '.join(PRESETS)}, got {preset!r}")
    fields = setting_fields()
    unknown = sorted(set(overrides) - set(fields))
    if unknown:
        raise ValueError(f"no such setting: {', '.join(unknown)}; settings are {', '.join(fields)}")
    chosen: dict[str, Any] = {name: field.default for name, field in fields.items()} | PRESETS[preset]
    if linked:
        chosen |= GIVEN_LINKS
    elif pairs < USUAL_PAIRS / 2:
        chosen |= UNGUIDED
    if overrides.get("attention") == "none":
        chosen["lexical"] = False  # without attention it has nothing to translate
    chosen["epochs"] = round(chosen["epochs"] * min(2.0, max(1.0, USUAL_PAIRS / pairs)))
    settings = {**chosen, **overrides}
    for config in CONFIGS.values():
        part(config, settings)
    return settings


def part(config: type[_Config], settings: Mapping[str, Any], **more: Any) -> _Config:
    """Returns the configuration of this class that the settings hold, with `more` fields added."""
    names = {field.name for field in dataclasses.fields(config)}
    return config(**{name: value for name, value in settings.items() if name in names}, **more)
