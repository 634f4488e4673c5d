"""The `align` command: a line of links in the form of Pharaoh for each line, by statistics and by attention."""

from types import SimpleNamespace

import pytest
from command_line import call, output, refusal, stdin_of, write_lines
from toys import Looking

from nmt_attention import Translator
from nmt_attention.cli import align

PAIRS = [("good day", "शुभ दिवस"), ("good night", "शुभ रात्री"), ("day", "दिवस"), ("night", "रात्री"), ("good", "शुभ")]
PAIR = "good day .\tशुभ दिवस ."
MODEL = Looking(PAIRS, lambda t, n: max(n - 1 - t, 0))  # from the end of the source to its start


@pytest.fixture
def pairs(tmp_path):
    return write_lines(tmp_path / "pairs.tsv", map("\t".join, PAIRS))


@pytest.fixture
def taught(pairs, tmp_path):
    """A run directory whose training pairs are those of the file."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "train.tsv").write_bytes(pairs.read_bytes())
    return tmp_path / "run"


@pytest.fixture(autouse=True)
def few_are_enough(monkeypatch):
    monkeypatch.setattr(align, "_ENOUGH", len(PAIRS))


def test_statistics_need_no_model_and_read_standard_input_and_a_run_too(pairs, taught, tmp_path, monkeypatch):
    links = ["0-0 1-1", "0-0 1-1", "0-0", "0-0", "0-0"]
    assert output("align", pairs) == links
    for name in ("-",), ():
        monkeypatch.setattr("sys.stdin", stdin_of(pairs.read_bytes()))
        assert output("align", *name) == links
    output("align", pairs, "--html", tmp_path / "page.html")
    assert "day is linked with" in (tmp_path / "page.html").read_text(encoding="utf-8")
    pairs_of_two = write_lines(tmp_path / "two.tsv", ["night day\tदिवस रात्री"])
    assert output("align", pairs_of_two, "--run", taught) == ["0-1 1-0"]  # whose pairs teach it too
    for nobody in (None, SimpleNamespace(isatty=lambda: True)):
        monkeypatch.setattr("sys.stdin", nobody)
        assert "expected a file of pairs; - is standard input" in refusal("align")


def test_attention_aligns_with_the_run_s_model_and_draws_a_page(taught, pairs, tmp_path, monkeypatch, read_html):
    monkeypatch.setattr(Translator, "load", lambda run: MODEL)
    page = tmp_path / "page.html"
    for _ in "12":  # its own page is replaced
        lines = output("align", pairs, "--run", taught, "--by", "attention", "--html", page)
    assert lines == ["0-1 1-0", "0-1 1-0", "0-0", "0-0", "0-0"]
    text = page.read_text(encoding="utf-8")
    found = read_html(text.replace("<!DOCTYPE html>", ""))
    assert len(found.all("table")) == len(PAIRS) and "looked at" in text
    assert text.count("@font-face") == 1, "for readers without a font for Marathi"
    assert [text for _, text in found.all("button")][:4] == ["good", "day", "शुभ", "दिवस"]


@pytest.mark.parametrize(
    ("line", "by", "doubt"),
    [
        ("good day\t0-0 1-1", "statistics", ": the second column holds links"),
        ("day\tदिवस\ngood\t\nday\t", "statistics", ", line 2 and 1 more: a sentence is missing, so the line stays"),
        ("good day\tशुभ दिवस", "statistics", ": 1 pairs are too few: "),
        ("day\tTag", "attention", ": the second column has Latin letters, the model writes Devanagari"),
    ],
)
def test_what_looks_wrong_is_named_beside_the_links(pairs, monkeypatch, line, by, doubt):
    monkeypatch.setattr(Translator, "load", lambda run: MODEL)
    result = call("align", write_lines(pairs, [line]), "--by", by)
    assert result.status == 0 and result.out and f"{pairs}{doubt}" in result.err


@pytest.mark.parametrize(
    ("text", "aligned"),
    [
        (f"{PAIR}\n\n{PAIR}\n", [True, False, True]),
        (f"English\tMarathi\n{PAIR}", [False, True]),
        (f"{PAIR}\n \t \n\t\n{PAIR}", [True, False, False, True]),
        (f"{PAIR}\ngood\t\n \tशुभ\n{PAIR}", [True, False, False, True]),  # without one of their sentences
    ],
)
def test_there_is_a_line_for_each_line(pairs, text, aligned):
    pairs.write_bytes(text.encode())
    lines = call("align", pairs).out.split("\n")[:-1]
    assert [bool(line) for line in lines] == aligned and len(set(filter(None, lines))) == 1


def test_the_words_that_links_count_can_be_shown(pairs):
    write_lines(pairs, ["Mr. Day is in the U.S. now .\tश्री. डे आता अमेरिकेत आहेत ."])
    links, source, target = call("align", pairs, "--tokens").out.rstrip("\n").split("\t")
    assert source == "mr . day is in the u.s . now ." and target == "श्री . डे आता अमेरिकेत आहेत ."
    assert max(int(link.split("-")[1]) for link in links.split()) < len(target.split())
