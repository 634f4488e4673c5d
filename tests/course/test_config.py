"""Every setting is checked: its type, its range, and whether it has an effect."""

import dataclasses
import math

import pytest

from nmt_attention import DataConfig, ModelConfig, SearchConfig, TrainConfig

FIELDS = [
    pytest.param(config, field, id=f"{config.__name__}.{field.name}")
    for config in (ModelConfig, TrainConfig, SearchConfig, DataConfig)
    for field in dataclasses.fields(config)
]
NEEDED = {  # beside a field, so that another rule does not refuse its value
    "ModelConfig.units": {"bidirectional": False},
    "ModelConfig.heads": {"architecture": "transformer"},
    "SearchConfig.length_penalty": {"beam_size": 2},
    "SearchConfig.minimum_bayes_risk": {"beam_size": 2},
    **{f"SearchConfig.{name}": {"samples": 1} for name in ("temperature", "top_k", "top_p", "seed")},
}
WRONG_TYPES = {bool: [0, "yes", None], str: [5, None, True], int: ["5", None, True, 5.0], float: ["5", None, True, [5]]}


def ends_and_beyond(field):
    """Returns the values at the ends of a field's range, and values that lie just beyond it."""
    minimum, below, maximum, choices = (field.metadata[key] for key in ("minimum", "below", "maximum", "choices"))
    if choices:
        return [*choices], ["", "nonsense", next(iter(choices)).upper()]
    if field.type is bool:
        return [True, False], []
    if field.type is str:
        return ["", "deu"], ["de", "DEU", "deu "] if field.name == "language" else []  # else any text
    if field.type is int:
        return [minimum, below - 1 if maximum is None else maximum], [minimum - 1, below, -(10**30)]
    ends = [minimum] if maximum is None else [minimum, maximum]
    above = below if maximum is None else math.nextafter(maximum, math.inf)
    return ends, [math.nextafter(minimum, -math.inf), float(above), math.inf, math.nan]


@pytest.mark.parametrize(("config", "field"), FIELDS)
def test_a_value_of_the_wrong_type_or_out_of_range_names_its_field_and_the_ends_are_accepted(config, field):
    ends, beyond = ends_and_beyond(field)
    for value in WRONG_TYPES[field.type]:
        with pytest.raises(ValueError, match=f"^{field.name}: expected a value of type {field.type.__name__}, got "):
            config(**{field.name: value})
    for value in beyond:
        with pytest.raises(ValueError, match=f"^{field.name}: expected (from|one of|a three-letter code) "):
            config(**{field.name: value})
    for end in ends:
        more = NEEDED.get(f"{config.__name__}.{field.name}", {})
        assert getattr(config(**more, **{field.name: end}), field.name) == end


def test_an_integer_is_good_for_a_float_and_nothing_changes_after_the_check():
    assert (ModelConfig(dropout=0).dropout, TrainConfig(learning_rate=1).learning_rate) == (0, 1)
    assert SearchConfig(length_penalty=1, seed=1, top_p=1) == SearchConfig()  # usual values, which need no other
    with pytest.raises(dataclasses.FrozenInstanceError):
        ModelConfig().units = 0
