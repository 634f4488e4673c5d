"""The settings of a run: those of data, model and training, with presets; no TensorFlow, so that `--help` is quick."""

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from ..config import Checked, ModelConfig, TrainConfig, setting
from ..disk.files import PRETRAINED, read_json
from ..disk.hub import local_directory
from ..parts import PARTS

UNTAUGHT = "uniform", "none"  # attentions whose weights are fixed, so that there is nothing to guide
_IDLE = (  # settings that have no effect if another one has one of these values
    ("guidance", "attention", UNTAUGHT),
    ("sampling_alpha", "tokenizer", ("word", "character")),
)
USUAL_PAIRS = 40_000  # the presets' epochs are for a corpus of this size or more


@dataclasses.dataclass(frozen=True)
class DataConfig(Checked):
    """How sentences become ids. A field of the wrong type or out of range raises a ValueError that names it."""

    split: str = setting(
        "group",
        "group: no test sentence occurs in training; pair: most do, which inflates scores",
        choices=PARTS["split"],
    )
    tokenizer: str = setting("subword", "kind of tokens", choices=PARTS["tokenizer"])
    vocabulary_size: int = setting(4000, "maximum number of entries in each language's vocabulary", 10, 1_000_000)
    sampling_alpha: float = setting(
        0.0,
        "above 0: draw a new segmentation into subwords in every epoch; lower values are more random (Kudo 2018)",
        0,
        10,
    )
    plain_epochs: int = setting(2, "number of final epochs trained on the most probable subwords only", 0, 10_000)
    placeholders: float = setting(
        0.0,
        "fraction of the known names, loan words and numbers in training pairs that a placeholder stands for, so that "
        "the model can translate sentences with unknown ones",
        0,
        maximum=1,
    )
    concatenation: float = setting(
        0.0,
        "fraction of training pairs to which each epoch appends one to three others, so that the model sees longer "
        "texts (Kondo 2021)",
        0,
        maximum=1,
    )
    start: str = setting(
        "", "model to go on from, a run, a bundle or pretrained: the first step has its tokenisers, sizes and weights"
    )
    dictionary_start: bool = setting(
        False,
        "whether the tokens' vectors, lexical model and output bias start from the links that guide attention, in "
        "place of random numbers (Levy 2014)",
    )
    most_tokens: int = setting(
        100, "maximum number of tokens per side of a training pair; longer pairs are left out", 1, 10_000
    )
    language: str = setting(
        "",
        "three-letter code of the target language, such as deu, also of the download (mar); without one, a target in "
        "Devanagari is Marathi",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not re.fullmatch("(?:[a-z]{3})?", self.language):
            raise ValueError(f"language: expected a three-letter code such as 'deu', got {self.language!r}")


CONFIGS: dict[str, type[Checked]] = {"data": DataConfig, "model": ModelConfig, "train": TrainConfig}
VOCABULARY_SIZES = ("source_vocabulary_size", "target_vocabulary_size")  # known only after the tokenisers have learned

_GUIDED = {"guidance": 0.5, "batch_size": 128, "placeholders": 0.3}
_RECURRENT = _GUIDED | {"decoder": "conditional", "attention": "general", "lexical": True}
PRESETS: dict[str, dict[str, Any]] = {
    "quick": _RECURRENT
    | {"units": 192, "embedding_units": 192, "epochs": 6, "learning_rate": 4e-3, "warmup_steps": 200}
    | {"dropout": 0.1, "sampled": 0.1, "concatenation": 0.05},
    "full": _RECURRENT
    | {"units": 384, "epochs": 10, "learning_rate": 3e-3, "warmup_steps": 400}
    | {"dropout": 0.3, "sampled": 0.2, "concatenation": 0.1},
    "transformer": _GUIDED
    | {"architecture": "transformer", "encoder_layers": 3, "decoder_layers": 3}
    | {"epochs": 12, "learning_rate": 1e-3, "warmup_steps": 400, "dropout": 0.3},
}
PRESETS["demo"] = PRESETS["quick"] | {"epochs": 4}
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
        preset: a key of `PRESETS`.
        overrides: settings that replace those of the preset.
        pairs: size of the corpus; for a smaller one than usual a preset has more epochs, up to twice as many, and for
            one of less than half the usual size the settings of `UNGUIDED`, because an aligner would learn too little.
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
    fixed = fixed_by(str(overrides["start"])) if overrides.get("start") else {}
    chosen |= fixed
    chosen["epochs"] = round(chosen["epochs"] * min(2.0, max(1.0, USUAL_PAIRS / max(1, pairs))))
    settings = {**chosen, **overrides}
    for name, value in fixed.items():
        if settings[name] != value:
            raise ValueError(f"{name}: the model in {settings['start']} has {value!r}, got {settings[name]!r}")
    for name, other, idle in _IDLE:
        if overrides.get(name) and settings[other] in idle:
            raise ValueError(f"{name}: no effect if {other} is {settings[other]}, got {overrides[name]}")
    if why_not := _no_dictionary(settings):
        if overrides.get("dictionary_start"):
            raise ValueError(f"dictionary_start: {why_not}")
        settings["dictionary_start"] = False
    for config in CONFIGS.values():
        make_config(config, settings)
    return settings


def _no_dictionary(settings: Mapping[str, Any]) -> str:
    """Returns why a model with these settings cannot start from a dictionary; "" if it can."""
    if settings["start"]:
        return f"no effect if start is given, whose weights the model has, got {settings['start']}"
    if not settings["lexical"]:
        return "it needs the lexical model, got lexical False"
    if not settings["guidance"] or settings["attention"] in UNTAUGHT:
        return f"it needs links, got guidance {settings['guidance']} and attention {settings['attention']}"
    return ""


def start_directory(start: str) -> Path:
    """Returns the directory of the model that the setting `start` names."""
    return PRETRAINED if start in ("pretrained", "ready") else local_directory(start)  # "ready" was its name before


def fixed_by(start: str) -> dict[str, Any]:
    """Returns the settings that a model to go on from decides: its kind of tokens, and its sizes, all but the dropout.

    A FileNotFoundError or ValueError names one that is not there or damaged.
    """
    path = start_directory(start) / "config.json"
    if not path.is_file():
        raise FileNotFoundError(f"{path.parent}: not a trained model (config.json is missing)")
    config = read_json(path)
    fields = {field.name for field in dataclasses.fields(ModelConfig)} - {*VOCABULARY_SIZES, "dropout"}
    fixed = {name: value for name, value in config.items() if name in fields}
    return fixed | {"tokenizer": read_json(path.with_name("source.json")).get("kind")}


_Config = TypeVar("_Config", bound=Checked)


def make_config(config: type[_Config], settings: Mapping[str, Any], **more: Any) -> _Config:
    """Returns the configuration of this class that the settings hold, with `more` fields added."""
    names = {field.name for field in dataclasses.fields(config)}
    return config(**{name: value for name, value in settings.items() if name in names}, **more)
