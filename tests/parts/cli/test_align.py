"""The `align` command: links in the form of Pharaoh, by statistics and by attention."""

import numpy as np
import pytest
from command_line import call, output, refusal, write_lines

from nmt_attention.cli import align
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translation, Translator

PAIRS = [("good day", "शुभ दिवस"), ("good night", "शुभ रात्री"), ("day", "दिवस"), ("night", "रात्री"), ("good", "शुभ")]


@pytest.fixture
def pairs(tmp_path):
    return write_lines(tmp_path / "pairs.tsv", map("\t".join, PAIRS))


class Model:
    """Writes a target word for each source word and looks at the source from its end to its start."""

    source_tokenizer = WordTokenizer.learn([source for source, _ in PAIRS], 10)
    target_tokenizer = WordTokenizer.learn([target for _, target in PAIRS], 10)

    def attend(self, pairs):
        for source, target, *_ in pairs:
            tokens, written = source.split(), [*target.split(), "<end>"]
            yield Translation(
                source, target, tokens, written, np.eye(len(tokens))[::-1][[*range(len(tokens)), -1]], 0.0
            )


@pytest.fixture(autouse=True)
def few_are_enough(monkeypatch):
    monkeypatch.setattr(align, "_ENOUGH", len(PAIRS))


def test_statistics_need_no_model(pairs):
    assert output("align", pairs) == ["0-0 1-1", "0-0 1-1", "0-0", "0-0", "0-0"]


def test_too_few_pairs_are_aligned_and_named(pairs):
    write_lines(pairs, map("\t".join, PAIRS[1:]))
    result = call("align", pairs)
    assert result.status == 0 and len(result.out.splitlines()) == 4
    assert result.err.startswith(f"{pairs}: 4 pairs are too few: ")


def test_pairs_of_another_script_than_the_model_s_are_named(pairs, monkeypatch):
    monkeypatch.setattr(Translator, "load", lambda run: Model())
    write_lines(pairs, ["good day\tguten Tag"])
    said = call("align", pairs, "--by", "attention").err
    assert f"{pairs}: the second column has Latin letters, the model writes Devanagari" in said


def test_a_run_s_training_pairs_teach_it_too(pairs, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "train.tsv").write_bytes(pairs.read_bytes())
    pairs.write_text("night day\tदिवस रात्री\n", encoding="utf-8")
    assert output("align", pairs, "--run", run) == ["0-1 1-0"]


def test_attention_aligns_with_the_run_s_model_and_draws_a_page(pairs, tmp_path, monkeypatch, read_html):
    monkeypatch.setattr(Translator, "load", lambda run: Model())
    page, run = tmp_path / "page.html", tmp_path / "run"
    run.mkdir()
    (run / "train.tsv").write_bytes(pairs.read_bytes())
    lines = output("align", pairs, "--run", run, "--by", "attention", "--html", page)
    assert lines == ["0-1 1-0", "0-1 1-0", "0-0", "0-0", "0-0"]
    found = read_html(page.read_text(encoding="utf-8").replace("<!DOCTYPE html>", ""))
    assert len(found.all("table")) == len(PAIRS)
    assert [text for _, text in found.all("button")][:4] == ["good", "day", "शुभ", "दिवस"]
    assert "looked at" in page.read_text(encoding="utf-8")


def test_a_page_of_the_aligner_speaks_of_links(pairs, tmp_path):
    page = tmp_path / "page.html"
    output("align", pairs, "--html", page)
    text = page.read_text(encoding="utf-8")
    assert "day is linked with" in text and "Rows need not sum to 1" in text and "looked" not in text
    assert text.count("@font-face") == 1, "for readers without a font for Marathi"


def test_the_pairs_are_never_overwritten(pairs):
    before = pairs.read_bytes()
    assert f"{pairs}: a web page is written to a file that ends in .html" in refusal("align", pairs, "--html", pairs)
    assert pairs.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--by", "attention", "--run", ".", "--direction", "forward"], "attention has one direction"),
        (["--run", "nowhere"], "--run nowhere: no such directory"),
        (["--run", "."], ".: not a run directory"),
        (["--by", "attention", "--run", "."], ".: not a trained model"),
    ],
)
def test_what_does_not_go_together_is_refused(pairs, options, reason):
    assert reason in refusal("align", pairs, *options)
