"""Every setting of a run, with its default, its meaning and its range; no TensorFlow, so that `--help` is quick."""

import dataclasses

ATTENTION_NAMES = (
    *("bahdanau", "dot", "scaled-dot", "general", "concat", "cosine", "location", "local-p", "multi-head", "none"),
)
DECODER_NAMES = ("bahdanau", "conditional", "luong", "luong-input-feeding")
CELL_NAMES = ("gru", "lstm")
SPLIT_NAMES = ("group", "pair")
TOKENIZER_NAMES = ("subword", "word", "character")
PRECISIONS = ("auto", "float32", "mixed_bfloat16", "mixed_float16")
STRATEGY_NAMES = ("single", "mirrored", "multiworker")
USUAL_PAIRS = 40_000  # the presets' epochs are for a corpus of this size or more


def _setting(default, meaning, least=None, below=None, names=None, most=None):
    """Returns a field: a number's range ends below `below`, or with `most`."""
    rule = {"meaning": meaning, "least": least, "below": below, "names": names, "most": most}
    return dataclasses.field(default=default, metadata=rule)


class _Checked:
    """Checks each field's type and range as the dataclass is made."""

    def __post_init__(self):
        for field in dataclasses.fields(self):
            value, kind, rule = getattr(self, field.name), field.type, field.metadata
            kinds = (int, float) if kind is float else (kind,)
            expected = ""
            if not isinstance(value, kinds) or (kind is not bool and isinstance(value, bool)):
                expected = f"of type {kind.__name__}"
            elif rule["names"] and value not in rule["names"]:
                expected = f"one of {', '.join(rule['names'])}"
            elif kind in (int, float):
                least, below, most = rule["least"], rule["below"], rule["most"]
                if not (least <= value and (value < below if most is None else value <= most)):
                    expected = f"from {least:,} to " + (f"below {below:,}" if most is None else f"{most:,}")
            if expected:
                raise ValueError(f"{field.name}: expected {expected}, got {value!r}")


@dataclasses.dataclass(frozen=True)
class DataConfig(_Checked):
    """How sentences become ids. A field of the wrong type or out of its range is a ValueError that names it."""

    split: str = _setting(
        "group", "group: no test sentence occurs in training; pair: most do, to see scores inflated", names=SPLIT_NAMES
    )
    tokenizer: str = _setting("subword", "what tokens are", names=TOKENIZER_NAMES)
    vocabulary_size: int = _setting(4000, "most entries of each language's vocabulary", 10, 1_000_000)
    sampling_alpha: float = _setting(
        0.0, "above 0: draw a new segmentation into subwords every epoch; the lower, the more random (Kudo 2018)", 0, 10
    )
    plain_epochs: int = _setting(2, "last epochs trained on the most probable subwords alone", 0, 10_000)
    name_swaps: float = _setting(
        0.0, "share of training pairs with a known name that get another one, so that names are spelled out", 0, most=1
    )
    most_tokens: int = _setting(100, "training pairs with a longer side are left out", 1, 10_000)


@dataclasses.dataclass(frozen=True)
class ModelConfig(_Checked):
    """What a model is made of; two with equal configurations take each other's weights.

    A field of the wrong type or out of its range is a ValueError that names it.
    """

    source_vocabulary_size: int = _setting(4000, "entries of the source vocabulary", 4, 1_000_000)
    target_vocabulary_size: int = _setting(4000, "entries of the target vocabulary", 4, 1_000_000)
    attention: str = _setting("bahdanau", "where each step looks; none is plain seq2seq", names=ATTENTION_NAMES)
    decoder: str = _setting(
        "bahdanau",
        "order of a step: bahdanau looks before it reads the last token, conditional after that, luong after the cell",
        names=DECODER_NAMES,
    )
    cell: str = _setting("gru", "recurrent cell of encoder and decoder", names=CELL_NAMES)
    units: int = _setting(256, "width of encoder values, decoder state and scoring network", 1, 20_000)
    embedding_units: int = _setting(256, "width of token vectors and of the features before the vocabulary", 1, 20_000)
    encoder_layers: int = _setting(1, "recurrent layers of the encoder", 1, 100)
    decoder_layers: int = _setting(1, "recurrent layers of the decoder", 1, 100)
    bidirectional: bool = _setting(True, "whether the encoder reads in both directions")
    dropout: float = _setting(0.3, "share of activations zeroed in training", 0, 1)

    def __post_init__(self):
        super().__post_init__()
        if self.bidirectional and self.units % 2:
            raise ValueError(f"units: expected an even number, for two directions to share, got {self.units}")


@dataclasses.dataclass(frozen=True)
class TrainConfig(_Checked):
    """How a model is trained. A field of the wrong type or out of its range is a ValueError that names it.

    `seed` is what `run_training` draws everything from. If you call `train` with your own model and batches, draw
    the first weights before, with `keras.utils.set_random_seed(config.seed)`, and give the seed to `make_dataset`;
    `train` itself draws dropout and the positions of scheduled sampling from it. Likewise `precision` is the model's
    `dtype`, and `strategy` is the one in whose scope the model was made.
    """

    epochs: int = _setting(
        10,
        f"passes over the training pairs; a preset's are up to twice as many for fewer than {USUAL_PAIRS:,} pairs",
        1,
        10_000,
    )
    batch_size: int = _setting(128, "pairs per step", 1, 100_000)
    learning_rate: float = _setting(1e-3, "Adam's rate after the warm-up; it falls along half a cosine", 1e-9, 10)
    warmup_steps: int = _setting(400, "steps over which the rate rises from 0", 0, 1_000_000)
    label_smoothing: float = _setting(0.1, "share of the target probability spread over the vocabulary", 0, 1)
    scheduled_sampling: float = _setting(
        0.0, "share of target inputs that are the model's own by the end of training (Bengio 2015)", 0, most=1
    )
    guidance: float = _setting(
        0.0, "weight of guided alignment: attention is told the links of a statistical aligner (Chen 2016)", 0, 100
    )
    clip_norm: float = _setting(1.0, "largest global norm of the gradient", 1e-9, 1e9)
    patience: int = _setting(6, "epochs without a better dev score (chrF) after which training stops", 1, 10_000)
    seed: int = _setting(
        1, "of all that is drawn: weights, order of batches, dropout, sampled subwords, swapped names", 0, 2**31
    )
    precision: str = _setting("auto", "auto: bfloat16 where GPU or processor compute in it", names=PRECISIONS)
    strategy: str = _setting(
        "single", "mirrored: on all GPUs of this machine; multiworker: of all in TF_CONFIG", names=STRATEGY_NAMES
    )

    jit: bool = _setting(False, "compile the step with XLA, once for every shape of batch; widths are multiples of 8")

    def __post_init__(self):
        super().__post_init__()
        if self.strategy != "single" and self.precision == "mixed_float16":
            raise ValueError(f"precision: expected another than mixed_float16 with strategy {self.strategy}")
        if self.strategy != "single" and self.jit:
            raise ValueError(f"jit: expected false with strategy {self.strategy}, got true")


@dataclasses.dataclass(frozen=True)
class SearchConfig(_Checked):
    """How translations are found with a trained model.

    A field of the wrong type or out of its range, or one that has no effect with the others, is a ValueError that
    names it.
    """

    beam_size: int = _setting(1, "hypotheses kept at every step; 1 is greedy search", 1, 10_000)
    length_penalty: float = _setting(1.0, "of a beam: the higher, the better for long sentences (Wu 2016)", 0, 10)
    samples: int = _setting(0, "above 0: draw that many translations at random instead", 0, 100_000)
    temperature: float = _setting(1.0, "of samples: below 1 draws probable tokens more often", 1e-3, 1e3)
    top_k: int = _setting(0, "of samples: draw among that many most probable tokens; 0 is all", 0, 1_000_000)
    top_p: float = _setting(1.0, "of samples: draw among the most probable tokens that reach this sum", 1e-9, most=1)
    no_repeat_ngrams: int = _setting(0, "above 0: never write that many tokens in a row twice", 0, 1_000)
    minimum_bayes_risk: bool = _setting(False, "take the hypothesis most like all others, by chrF")
    replace_unknown: bool = _setting(False, "of a word model: write the most attended source word for <unknown>")
    seed: int = _setting(1, "of samples", 0, 2**31)

    def __post_init__(self):
        super().__post_init__()
        if self.samples and self.beam_size > 1:
            raise ValueError(f"samples: expected 0 with a beam_size of {self.beam_size}, got {self.samples}")
        needed = {"length_penalty": ("beam_size", 1)}
        needed |= dict.fromkeys(("temperature", "top_k", "top_p", "seed"), ("samples", 0))
        for name, (other, idle) in needed.items():
            if getattr(self, name) != getattr(SearchConfig, name) and getattr(self, other) == idle:
                raise ValueError(f"{name}: expected {other} above {idle} with it, got {other} {idle}")
        if self.minimum_bayes_risk and max(self.samples, self.beam_size) == 1:
            raise ValueError("minimum_bayes_risk: expected beam_size or samples above 1, for something to choose from")


CONFIGS = {"data": DataConfig, "model": ModelConfig, "train": TrainConfig}
VOCABULARY_SIZES = ("source_vocabulary_size", "target_vocabulary_size")  # known only when the tokenisers are learned

PRESETS = {
    "quick": {
        "decoder": "conditional",
        "guidance": 1.0,
        "epochs": 5,
        "batch_size": 64,
        "learning_rate": 2e-3,
        "warmup_steps": 200,
        "dropout": 0.2,
        "name_swaps": 0.3,
    },
    "full": {
        "decoder": "conditional",
        "guidance": 1.0,
        "units": 512,
        "embedding_units": 320,
        "dropout": 0.3,
        "epochs": 14,
        "batch_size": 64,
        "learning_rate": 1.5e-3,
        "sampling_alpha": 0.3,
        "plain_epochs": 3,
        "name_swaps": 0.3,
        "patience": 14,  # the epochs on plain subwords bring most: dev must not stop training before them
    },
}


def setting_fields():
    """Returns the `dataclasses.Field` of every setting a user may choose, by name."""
    fields = {field.name: field for config in CONFIGS.values() for field in dataclasses.fields(config)}
    return {name: field for name, field in fields.items() if name not in VOCABULARY_SIZES}


def make_settings(preset, overrides, pairs=USUAL_PAIRS):
    """Returns every setting's value: the overrides', else the preset's, else the default.

    Args:
        preset: "quick" or "full".
        overrides: dict of settings that the preset does not decide.
        pairs: int. Size of the corpus; the epochs of a preset are more for a smaller one, up to twice as many.

    Raises:
        ValueError: an unknown preset or setting, or a value out of range; the message names it.
    """
    if preset not in PRESETS:
        raise ValueError(f"preset: expected one of {', '.join(PRESETS)}, got {preset!r}")
    fields = setting_fields()
    unknown = sorted(set(overrides) - set(fields))
    if unknown:
        raise ValueError(f"no such setting: {', '.join(unknown)}; there are {', '.join(fields)}")
    chosen = {name: field.default for name, field in fields.items()} | PRESETS[preset]
    chosen["epochs"] = round(chosen["epochs"] * min(2.0, max(1.0, USUAL_PAIRS / pairs)))
    settings = chosen | overrides
    for config in CONFIGS.values():
        part(config, settings)
    return settings


def part(config, settings, **more):
    """Returns the configuration of this class that the settings hold."""
    names = {field.name for field in dataclasses.fields(config)}
    return config(**{name: value for name, value in settings.items() if name in names}, **more)
