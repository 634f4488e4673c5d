"""Among the hypotheses of a beam each text occurs once: in Python, on the command line and on the page."""

import json

import pytest

from nmt_attention.cli.main import main
from nmt_attention.translate import Translator
from tools.browser.javascript import Engine

SENTENCES = ["They live in Mumbai.", "They live in Mumbai", "yes", "I like tea. They live in Mumbai"]


@pytest.fixture(scope="module")
def translator():
    return Translator.load()


def test_the_beam_of_python_has_each_text_once(translator):
    for hypotheses in translator.n_best(iter(SENTENCES), beam_size=8):
        texts = [hypothesis.text for hypothesis in hypotheses]
        assert len(texts) == len(set(texts)) > 1


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_beam_of_the_command_line_has_each_text_once(form, capsys):
    assert main(["translate", "--n-best", "--beam-size", "8", *form, *SENTENCES[:2]]) == 0
    columns = (lambda line: list(json.loads(line).values())[:2]) if form else (lambda line: line.split("\t")[::2])
    rows = [tuple(columns(line)) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == len(set(rows)) > 4


def test_every_sample_is_kept(translator):
    for sentence in SENTENCES[:2]:
        (hypotheses,) = translator.n_best([sentence], samples=6, temperature=0.1)
        assert len(hypotheses) == 6


def test_the_beam_of_the_page_has_each_text_once(translator):
    found = Engine(translator).translate(SENTENCES[0], beamSize=5)
    texts = [hypothesis["text"] for hypothesis in found]
    assert len(texts) == len(set(texts)) > 1
