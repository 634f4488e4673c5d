import dataclasses
import math

import pytest

from nmt_attention.config import (
    ATTENTION_NAMES,
    CELL_NAMES,
    DECODER_NAMES,
    SPLIT_NAMES,
    TOKENIZER_NAMES,
    ModelConfig,
    TrainConfig,
)
from nmt_attention.runs.settings import (
    CONFIGS,
    PRESETS,
    USUAL_PAIRS,
    VOCABULARY_SIZES,
    DataConfig,
    make_config,
    make_settings,
    setting_fields,
)

FIELDS = [
    pytest.param(config, field, id=field.name) for config in CONFIGS.values() for field in dataclasses.fields(config)
]


def wrong_types(field):
    if field.type is bool:
        return [0, 1, "yes", None]
    if field.type is str:
        return [5, None, True, ["gru"]]
    return ["5", None, True, [5], *([1.5, 5.0] if field.type is int else [])]


def out_of_range(field):
    minimum, below, maximum, choices = (field.metadata[key] for key in ("minimum", "below", "maximum", "choices"))
    if choices:
        return ["", "nonsense", choices[0].upper()]
    if field.type is int:
        return [minimum - 1, below, -(10**30)]
    above = math.nextafter(maximum, math.inf) if below is None and field.type is float else below
    return [] if field.type is bool else [math.nextafter(minimum, -math.inf), float(above), math.inf, math.nan]


@pytest.mark.parametrize(("config", "field"), FIELDS)
def test_a_value_of_the_wrong_type_names_its_field(config, field):
    for value in wrong_types(field):
        with pytest.raises(ValueError, match=f"^{field.name}: expected a value of type {field.type.__name__}, got "):
            config(**{field.name: value})


@pytest.mark.parametrize(("config", "field"), [case for case in FIELDS if case.values[1].type is not bool])
def test_a_value_out_of_range_names_its_field(config, field):
    for value in out_of_range(field):
        with pytest.raises(ValueError, match=f"^{field.name}: expected (from|one of) "):
            config(**{field.name: value})


@pytest.mark.parametrize(("config", "field"), FIELDS)
def test_the_ends_of_a_range_are_accepted(config, field):
    minimum, below, maximum, choices = (field.metadata[key] for key in ("minimum", "below", "maximum", "choices"))
    inside = [minimum] if maximum is None else [minimum, maximum]
    ends = choices or ([minimum, below - 1] if field.type is int else inside if field.type is float else [True, False])
    more = {"units": {"bidirectional": False}, "heads": {"architecture": "transformer"}}.get(field.name, {})
    assert [getattr(config(**{field.name: end}, **more), field.name) for end in ends] == list(ends)


def test_a_share_may_be_all():
    assert (DataConfig(placeholders=1).placeholders, TrainConfig(scheduled_sampling=1).scheduled_sampling) == (1, 1)
    with pytest.raises(ValueError, match=r"^placeholders: expected from 0 to 1, got 1\.5$"):
        DataConfig(placeholders=1.5)


def test_an_integer_is_good_where_a_float_is_wanted():
    assert ModelConfig(dropout=0).dropout == 0
    assert TrainConfig(learning_rate=1).learning_rate == 1


def test_two_directions_need_an_even_number_of_units():
    with pytest.raises(ValueError, match=r"^units: .*even.* 7$"):
        ModelConfig(units=7)
    assert ModelConfig(units=7, bidirectional=False).units == 7


def test_a_configuration_cannot_be_changed_after_its_check():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ModelConfig().units = 0


def test_names_are_those_of_the_classes():
    from nmt_attention.corpus import SPLITS
    from nmt_attention.recurrent import CELLS
    from nmt_attention.text import TOKENIZERS
    from nmt_attention.variants.attentions import ATTENTIONS
    from nmt_attention.variants.decoders import DECODERS

    assert sorted(ATTENTION_NAMES) == sorted(ATTENTIONS)
    assert sorted(CELL_NAMES) == sorted(CELLS)
    assert sorted(DECODER_NAMES) == sorted(DECODERS)
    assert sorted(SPLIT_NAMES) == sorted(SPLITS)
    assert sorted(TOKENIZER_NAMES) == sorted(TOKENIZERS)


def test_every_setting_has_a_name_of_its_own_and_a_meaning():
    names = [field.name for config in CONFIGS.values() for field in dataclasses.fields(config)]
    assert len(names) == len(set(names)) == len(setting_fields()) + len(VOCABULARY_SIZES)
    assert all(field.metadata["meaning"] for field in setting_fields().values())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_has_a_valid_value_for_every_setting(preset):
    settings = make_settings(preset, {})
    assert settings.keys() == setting_fields().keys()
    assert set(PRESETS[preset]) <= set(settings)
    assert make_config(DataConfig, settings).vocabulary_size == settings["vocabulary_size"]
    sizes = {"source_vocabulary_size": 10, "target_vocabulary_size": 20}
    assert make_config(ModelConfig, settings, **sizes).target_vocabulary_size == 20


def test_an_override_comes_before_the_preset_and_the_preset_before_the_default(monkeypatch):
    monkeypatch.setitem(PRESETS, "quick", {"units": 64, "epochs": 3})
    settings = make_settings("quick", {"units": 32})
    assert (settings["units"], settings["epochs"]) == (32, 3)
    assert settings["batch_size"] == TrainConfig().batch_size
    assert PRESETS["quick"] == {"units": 64, "epochs": 3}


def test_an_unknown_preset_is_named():
    with pytest.raises(ValueError, match="preset: .*quick.*'slow'"):
        make_settings("slow", {})


def test_an_unknown_setting_is_named():
    with pytest.raises(ValueError, match="unitz.*units"):
        make_settings("quick", {"unitz": 5})
    with pytest.raises(ValueError, match="source_vocabulary_size"):
        make_settings("quick", {"source_vocabulary_size": 100})


def test_overrides_are_checked():
    with pytest.raises(ValueError, match="^epochs: "):
        make_settings("quick", {"epochs": 0})
    with pytest.raises(ValueError, match="^units: "):
        make_settings("full", {"units": 9, "bidirectional": True})


def test_a_small_corpus_is_passed_more_often_but_not_if_epochs_are_asked_for():
    usual = make_settings("quick", {})["epochs"]
    assert make_settings("quick", {}, 10**6)["epochs"] == make_settings("quick", {}, 40_000)["epochs"] == usual
    assert make_settings("quick", {}, 20_000)["epochs"] == 2 * usual
    assert make_settings("quick", {}, 100)["epochs"] == 2 * usual
    assert make_settings("quick", {"epochs": 2}, 100)["epochs"] == 2
    assert f"fewer than {USUAL_PAIRS:,} pairs" in setting_fields()["epochs"].metadata["meaning"]  # what --help shows


def test_a_preset_guides_attention_on_a_corpus_of_usual_size_alone():
    for pairs, guidance, decoder in (
        (40_000, 0.5, "conditional"),
        (20_000, 0.5, "conditional"),
        (19_999, 0.0, "bahdanau"),
    ):
        for preset in ("quick", "full"):
            settings = make_settings(preset, {}, pairs)
            assert (settings["guidance"], settings["decoder"]) == (guidance, decoder)
    assert make_settings("quick", {"guidance": 0.5}, 100)["guidance"] == 0.5
    assert make_settings("quick", {}, 100, linked=True)["guidance"] == 0.2  # the aligner is not needed


def test_a_preset_has_a_lexical_model_on_a_corpus_of_usual_size_and_with_attention():
    for preset in ("quick", "full"):
        assert make_settings(preset, {})["lexical"]
        assert make_settings(preset, {}, 100, linked=True)["lexical"]
        assert not make_settings(preset, {}, 100)["lexical"]
        assert not make_settings(preset, {"attention": "none"})["lexical"]
        assert make_settings(preset, {}, 20_000)["lexical"] and not make_settings(preset, {}, 19_999)["lexical"]
    with pytest.raises(ValueError, match="^lexical: it needs attention"):
        make_settings("quick", {"attention": "none", "lexical": True})
