"""Presets, their overrides, and what they make of a small corpus."""

import dataclasses

from nmt_attention import ModelConfig, TrainConfig, make_config, make_settings
from nmt_attention.runs.settings import CONFIGS, PRESETS, USUAL_PAIRS, VOCABULARY_SIZES, setting_fields


def test_every_setting_has_a_name_of_its_own_and_in_every_preset_a_valid_value():
    names = [field.name for config in CONFIGS.values() for field in dataclasses.fields(config)]
    assert len(names) == len(set(names)) == len(setting_fields()) + len(VOCABULARY_SIZES)
    for preset in PRESETS:
        settings = make_settings(preset, {})  # which makes every configuration
        assert settings.keys() == setting_fields().keys() and settings | PRESETS[preset] == settings
    sizes = {"source_vocabulary_size": 10, "target_vocabulary_size": 20}
    assert make_config(ModelConfig, settings, **sizes).target_vocabulary_size == 20


def test_an_override_comes_before_the_preset_and_the_preset_before_the_default(monkeypatch):
    monkeypatch.setitem(PRESETS, "quick", {"units": 64, "epochs": 3})
    settings = make_settings("quick", {"units": 32})
    assert (settings["units"], settings["epochs"]) == (32, 3)
    assert settings["batch_size"] == TrainConfig().batch_size
    assert PRESETS["quick"] == {"units": 64, "epochs": 3}


def test_a_small_corpus_is_passed_more_often_but_not_if_epochs_are_asked_for():
    usual = make_settings("quick", {})["epochs"]
    for pairs, times in ((10**6, 1), (40_000, 1), (20_000, 2), (100, 2), (0, 2)):
        assert make_settings("quick", {}, pairs)["epochs"] == times * usual
    assert make_settings("quick", {"epochs": 2}, 100)["epochs"] == 2
    assert f"fewer than {USUAL_PAIRS:,} pairs" in setting_fields()["epochs"].metadata["meaning"]  # what --help shows


def test_a_preset_guides_attention_and_has_a_lexical_model_on_a_corpus_of_usual_size_alone():
    names = "guidance", "decoder", "lexical"
    usual, small = (0.5, "conditional", True), (0.0, "bahdanau", False)
    for pairs, expected in ((40_000, usual), (20_000, usual), (19_999, small)):
        settings = make_settings("quick", {}, pairs)
        assert tuple(settings[name] for name in names) == expected
    assert make_settings("quick", {"guidance": 0.5}, 100)["guidance"] == 0.5
    linked = make_settings("quick", {}, 100, linked=True)  # the aligner is not needed
    assert linked["guidance"] == 0.2 and linked["lexical"]
    assert not make_settings("quick", {"attention": "none"})["lexical"]


def test_a_preset_starts_from_a_dictionary_only_where_there_is_one(monkeypatch):
    monkeypatch.setitem(PRESETS, "quick", PRESETS["quick"] | {"dictionary_start": True})
    assert make_settings("quick", {})["dictionary_start"] and make_settings("quick", {}, 9, True)["dictionary_start"]
    for without in ({"lexical": False}, {"guidance": 0.0}, {"attention": "uniform"}, {"start": "pretrained"}):
        assert make_settings("quick", without)["dictionary_start"] is False
    assert make_settings("quick", {}, 100)["dictionary_start"] is False
