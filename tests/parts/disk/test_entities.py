import pytest
from typed import ENTITIES

from nmt_attention.disk.entities import unescape
from nmt_attention.disk.pairs import read_pairs


@pytest.mark.parametrize(("escaped", "plain"), ENTITIES)
def test_entities_are_written_out(escaped, plain):
    assert unescape(escaped) == plain == unescape(plain)


def test_a_corpus_is_read_without_entities_and_one_line_says_so(tmp_path, capsys):
    path = tmp_path / "corpus.tsv"
    path.write_text("I don&apos;t.\tनाही &amp; नाही.\ta&amp;b\nGo.\tजा.\n", encoding="utf-8")
    assert read_pairs(path) == [("I don't.", "नाही & नाही.", "a&amp;b"), ("Go.", "जा.", "")]
    assert capsys.readouterr().err.splitlines() == [f"{path}: HTML entities are written out in 1 pairs (&apos; is ')"]
    path.write_text("Go.\tजा.\n", encoding="utf-8")
    read_pairs(path)
    assert not capsys.readouterr().err
