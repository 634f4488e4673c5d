"""Every setting of a run, with its default, its meaning and its range; no TensorFlow, so that `--help` is quick."""

import dataclasses
from collections.abc import Collection
from typing import Any

from .parts import PARTS

PRECISIONS = ("auto", "float32", "mixed_bfloat16", "mixed_float16")


def setting(
    default: Any,
    meaning: str,
    minimum: float | None = None,
    below: float | None = None,
    choices: Collection[str] | None = None,
    maximum: float | None = None,
) -> Any:
    """Returns a field; the range of a number ends just below `below` or, if `maximum` is given, with `maximum`."""
    rule = {"meaning": meaning, "minimum": minimum, "below": below, "choices": choices, "maximum": maximum}
    return dataclasses.field(default=default, metadata=rule)


@dataclasses.dataclass(frozen=True)
class Checked:
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


@dataclasses.dataclass(frozen=True)
class ModelConfig(Checked):
    """Sizes and parts of a model; models with equal configurations can exchange weights.

    A field of the wrong type or out of range raises a ValueError that names it.
    """

    source_vocabulary_size: int = setting(4000, "entries of the source vocabulary", 4, 1_000_000)
    target_vocabulary_size: int = setting(4000, "entries of the target vocabulary", 4, 1_000_000)
    attention: str = setting(
        "bahdanau", "score function of attention; none is plain seq2seq", choices=PARTS["attention"]
    )
    decoder: str = setting(
        "bahdanau",
        "when a step attends: bahdanau before reading the previous token, conditional after that, luong after the cell",
        choices=PARTS["decoder"],
    )
    cell: str = setting("gru", "recurrent cell of encoder and decoder", choices=PARTS["cell"])
    units: int = setting(256, "width of encoder values, decoder state and scoring network", 1, 20_000)
    embedding_units: int = setting(256, "width of token vectors and of the features before the vocabulary", 1, 20_000)
    encoder_layers: int = setting(1, "layers of the encoder", 1, 100)
    decoder_layers: int = setting(1, "layers of the decoder", 1, 100)
    bidirectional: bool = setting(True, "whether the encoder reads in both directions")
    dropout: float = setting(0.3, "fraction of activations zeroed in training", 0, 1)
    architecture: str = setting(
        "rnn",
        "rnn: recurrent layers, and attention from the decoder to the encoder; transformer: attention in every layer",
        choices=PARTS["architecture"],
    )
    lexical: bool = setting(
        False, "whether the source tokens under attention, one by one, help to choose each target token (Nguyen 2018)"
    )
    heads: int = setting(4, "heads of each attention of a transformer, which divide its units", 1, 257)

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
            got = f"{self.units}, got {self.embedding_units}"
            raise ValueError(f"embedding_units: a transformer's equal its units, {got}")
        if self.units % 2 or self.units % self.heads:
            raise ValueError(f"units: expected an even number that {self.heads} heads divide, got {self.units}")


@dataclasses.dataclass(frozen=True)
class TrainConfig(Checked):
    """How a model is trained. A field of the wrong type or out of range raises a ValueError that names it.

    `run_training` draws everything random from `seed`. If you call `train_model` with your own model and batches, call
    `keras.utils.set_random_seed(config.seed)` first, and pass the seed to `make_dataset`; dropout is drawn from it.
    Likewise `precision` is the model's `dtype`, and `strategy` is the one in whose scope the model was made.
    """

    epochs: int = setting(
        10, "passes over the training pairs; a preset makes up to twice as many for fewer than 40,000 pairs", 1, 10_000
    )
    batch_size: int = setting(128, "pairs per step", 1, 100_000)
    learning_rate: float = setting(
        1e-3, "learning rate of Adam after the warm-up; from there it falls along half a cosine", 1e-9, 10
    )
    warmup_steps: int = setting(400, "steps over which the learning rate rises from 0", 0, 1_000_000)
    label_smoothing: float = setting(0.1, "fraction of the target probability spread over the vocabulary", 0, 1)
    guidance: float = setting(
        0.0, "weight of guided alignment: attention learns the corpus's own links, or an aligner's (Chen 2016)", 0, 100
    )
    sampled: float = setting(
        1.0, "fraction drawn of the words not in a batch; the loss is computed with these (Jean 2015)", 0.01, maximum=1
    )
    clip_norm: float = setting(1.0, "maximum global norm of the gradient", 1e-9, 1e9)
    patience: int = setting(6, "epochs without a better dev score (chrF) after which training stops", 1, 10_000)
    seed: int = setting(1, "random seed for weights, batch order, dropout, sampled subwords and placeholders", 0, 2**31)
    precision: str = setting("auto", "auto: bfloat16 if the GPU or CPU supports it", choices=PRECISIONS)
    strategy: str = setting(
        "single",
        "mirrored: all GPUs of this machine; multiworker: all devices of the workers in TF_CONFIG",
        choices=("single", "mirrored", "multiworker"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strategy != "single" and self.precision == "mixed_float16":
            raise ValueError(f"precision: mixed_float16 cannot be combined with strategy {self.strategy}")


@dataclasses.dataclass(frozen=True)
class SearchConfig(Checked):
    """How translations are found with a trained model.

    A field of the wrong type or out of range, or one that has no effect with the others, raises a ValueError that names
    it.
    """

    beam_size: int = setting(1, "hypotheses kept per step; 1 is greedy search", 1, 10_000)
    length_penalty: float = setting(
        1.0, "exponent of the length penalty in beam search; higher values favour long sentences (Wu 2016)", 0, 10
    )
    samples: int = setting(
        0, "above 0: draw that many translations at random instead of searching for the best", 0, 100_000
    )
    temperature: float = setting(1.0, "when sampling, values below 1 draw probable tokens more often", 1e-3, 1e3)
    top_k: int = setting(0, "when sampling, restrict to the k most probable tokens (0: no limit)", 0, 1_000_000)
    top_p: float = setting(
        1.0, "when sampling, restrict to the most probable tokens that together reach p (1: no limit)", 1e-9, maximum=1
    )
    minimum_bayes_risk: bool = setting(False, "choose the hypothesis most similar to all others, by chrF")
    seed: int = setting(1, "random seed for samples", 0, 2**31)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.samples and self.beam_size > 1:
            got = f"samples {self.samples} and beam_size {self.beam_size}"
            raise ValueError(f"samples: use either samples or beam_size above 1, got {got}")
        if self.beam_size == 1 and self.length_penalty != SearchConfig.length_penalty:
            raise ValueError("length_penalty: no effect unless beam_size is above 1, got beam_size 1")
        for name in ("temperature", "top_k", "top_p", "seed"):
            if not self.samples and getattr(self, name) != getattr(SearchConfig, name):
                raise ValueError(f"{name}: no effect unless samples is above 0, got samples 0")
        if self.minimum_bayes_risk and max(self.samples, self.beam_size) == 1:
            raise ValueError("minimum_bayes_risk: no effect unless beam_size or samples is above 1")
