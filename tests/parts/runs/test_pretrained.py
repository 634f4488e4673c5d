"""The model that comes with the package: its card and its scores are those of the very files beside them."""

import json
import re
import sys

import pytest
import yaml

from nmt_attention.cli.common import settings_in
from nmt_attention.cli.main import main, make_parser
from nmt_attention.config import ModelConfig
from nmt_attention.runs.bundle import NOTICE, PRETRAINED
from nmt_attention.runs.settings import VOCABULARY_SIZES, make_config, make_settings, setting_fields
from nmt_attention.translate import Translator
from tools.demo import DEMO, FREE, read_sentences
from tools.models.model import FURTHER, hash_files
from tools.models.model_card import CARD, SCORES, model_card


@pytest.fixture(scope="module")
def stored():
    return json.loads((PRETRAINED / SCORES).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def card():
    return (PRETRAINED / CARD).read_text(encoding="utf-8")


def test_the_scores_are_those_of_the_stored_files_and_make_model_trains_one_of_this_configuration(stored):
    assert stored["sha256"] == hash_files(PRETRAINED)
    assert {"config.json", "source.json", "target.json", "weights.npz"} <= stored["sha256"].keys()
    assert stored["config"] == json.loads((PRETRAINED / "config.json").read_text(encoding="utf-8"))
    options = make_parser().parse_args(["train", "--run", "runs/model", "--start", "pretrained", *FURTHER.split()])
    given = settings_in(options, setting_fields())
    sizes = {name: stored["config"][name] for name in VOCABULARY_SIZES}
    assert make_config(ModelConfig, make_settings(options.preset, given), **sizes) == ModelConfig(**stored["config"])


def test_the_card_is_made_of_the_scores_alone(stored, card):
    assert card == model_card(stored)
    head = yaml.safe_load(card.split("---\n")[1])
    assert head["language"] == ["en", "mr"] and head["license"] == "cc-by-2.0"
    values = [metric["value"] for metric in head["model-index"][0]["results"][0]["metrics"]]
    assert values == [round(stored["eight_bits"][name], 1) for name in ("bleu", "chrf")]


def test_the_stored_model_writes_the_examples_of_its_card(stored):
    examples = stored["examples"]
    sentences = [*read_sentences(DEMO), *read_sentences(FREE)]
    assert [(e["english"], e["references"]) for e in examples] == [(s.english, s.references) for s in sentences]
    found = Translator.load().translate([sentence.english for sentence in sentences])
    assert [translation.text for translation in found] == [example["text"] for example in examples]


def test_the_attribution_comes_with_the_files_and_no_path_of_the_machine_that_trained_it(card):
    notice = (PRETRAINED / NOTICE).read_text(encoding="utf-8")
    for text in (notice, card):
        assert "https://tatoeba.org" in text and "https://creativecommons.org/licenses/by/2.0/fr/" in text
    for path in PRETRAINED.rglob("*"):
        if path.suffix in (".json", ".md"):
            assert not re.search(r"/(home|root|tmp|work|Users)/", path.read_text(encoding="utf-8")), path


def test_a_terminal_translates_with_it_as_the_readme_says(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)  # where no other runs are
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    text = (PRETRAINED.parent.parent / "README.md").read_text(encoding="utf-8")
    (command, answer) = re.findall(r"```\n(.*?)```", text.partition("<!-- translate now -->")[2], re.DOTALL)[:2]
    (sentence,) = re.findall(r'^.venv/bin/nmt-attention translate "(.*)"$', command, re.MULTILINE)
    assert main(["translate", sentence]) == 0
    said = capsys.readouterr()
    assert said.out == answer and said.err == ""
