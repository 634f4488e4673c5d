"""Laws of what is read and shown: any bytes are read or refused by name, any token is only text on a page."""

import os
import tempfile
from pathlib import Path

import numpy as np
from conftest import HtmlReader
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nmt_attention import Pair, Translation, WordTokenizer, attention_html, normalize, read_alignments
from nmt_attention.disk.pairs import read_pairs, write_pairs
from nmt_attention.vocabulary import SPECIAL_TOKENS

law = settings(deadline=None, derandomize=True, database=None, max_examples=60)
any_text = st.text(st.characters(exclude_categories=()), max_size=30)  # lone surrogates, controls and all


def in_file(name, data, read):
    """What `read` says of a file with this content."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_bytes(data)
        return read(path)


columns = st.lists(st.one_of(st.sampled_from([b"a", b"\xe0\xa4\x95", b" ", b"\xff", b"\0"]), st.binary()), max_size=4)
lines = st.lists(columns.map(b"\t".join), max_size=5)


@law
@given(data=st.one_of(st.binary(max_size=40), lines.map(b"\n".join)))
@example(data="I go.\tमी जातो.\n".encode("utf-16"))
@example(data="I go.\tJa.".encode("utf-16-le"))
def test_any_bytes_are_pairs_or_an_error_that_names_file_and_line(data):
    def read(path):
        try:
            return read_pairs(path)
        except ValueError as error:
            assert str(error).startswith((f"{path}, line ", f"{path}: holds no sentence pairs"))
            assert "\n" not in str(error)

    pairs = in_file("pairs.tsv", data, read)
    for pair in pairs or ():
        assert normalize(pair.source) and normalize(pair.target)
        assert not {"\t", "\n", "\0"} & set("".join(pair))
    if pairs:
        assert len(pairs) <= data.count(b"\n") + 1


cell = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), max_size=20)
pair = st.builds(Pair, cell.filter(normalize), cell.filter(normalize), cell)


@law
@given(pairs=st.lists(pair, min_size=1, max_size=8))
def test_pairs_that_were_written_are_read_back(pairs):
    with tempfile.TemporaryDirectory() as directory:
        write_pairs(Path(directory) / "pairs.tsv", pairs)
        assert read_pairs(Path(directory) / "pairs.tsv") == pairs
        assert os.listdir(directory) == ["pairs.tsv"]


links = st.text("SPX:0129-० ", max_size=8)


@law
@given(
    data=st.one_of(
        st.binary(max_size=30),
        st.lists(st.lists(st.one_of(st.sampled_from(["11", "22", "a b", "क"]), links, any_text), max_size=4)).map(
            lambda rows: "\n".join("\t".join(row) for row in rows).encode("utf-8", "surrogatepass")
        ),
    )
)
@example(data=b"11\t22\tS:" + b"9" * 5000 + b"-0")
def test_any_alignments_are_read_or_an_error_names_the_line(data):
    pairs = [Pair("a b", "क", "#11 #22")]

    def read(path):
        try:
            return read_alignments(path, pairs)
        except ValueError as error:
            assert str(error).startswith(f"{path}, line ") or str(error) == f"{path}: holds no alignments"

    found = in_file("gold.tsv", data, read)
    for gold in found[0] if found else ():
        assert gold.sure <= gold.possible and gold.possible
        words = [WordTokenizer(SPECIAL_TOKENS).tokenize(text) for text in gold.pair[:2]]
        assert all(i < len(words[0]) and j < len(words[1]) for i, j in gold.possible)


HOSTILE = ["<script>", "</script>", "</style>", "<!--", "-->", '" onclick="x', "'", "&lt;", "<img src=x>", "\0", "\r"]
tokens = st.lists(st.one_of(st.sampled_from(HOSTILE), any_text), min_size=1, max_size=4)


def shape(page):
    """Every element with its attributes' names: what may not depend on the tokens, but for the language."""
    return [(tag, sorted(set(attributes) - {"lang"})) for tag, attributes, _ in page.found]


@law
@given(source=tokens, target=tokens)
def test_no_token_makes_an_element_or_an_attribute(source, target):
    weights = np.full((len(target), len(source)), 1 / len(source))
    piece, plain = (
        attention_html(Translation("", "", s, t, weights, 0.0), show_end=True)
        for s, t in ((source, target), (["a"] * len(source), ["a"] * len(target)))
    )
    page, expected = HtmlReader(piece), HtmlReader(plain)
    assert shape(page) == shape(expected)
    for tag in ("style", "script"):
        assert page.all(tag) == expected.all(tag)
    assert [text for attributes, text in page.all("th") if attributes["scope"] == "col"] == source
    assert [text for attributes, text in page.all("th") if attributes["scope"] == "row"] == target
    assert [text for _, text in page.all("button")] == source + target
