"""Pairs in files: what is read and written, and which files are refused."""

import gzip
import io
import re
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from nmt_attention.corpus import Pair
from nmt_attention.disk import pairs as module
from nmt_attention.disk.fetch import load_corpus
from nmt_attention.disk.pairs import read_pairs, write_pairs

ATTRIBUTION = "CC-BY 2.0 (France) Attribution: tatoeba.org #1234 (somebody) & #5678 (someone)"
PAIRS = [
    Pair("I go to school.", "मी शाळेत जातो.", ATTRIBUTION),
    Pair("She reads a book.", "ती पुस्तक वाचते.", ATTRIBUTION),
    Pair("Dad bought me a camera.", "बाबांनी मला कॅमेरा विकत घेतला.", ATTRIBUTION),
]
LICENCE = b"About these files: CC-BY 2.0 (France).\n"


def as_text(pairs, end="\n"):
    return "".join("\t".join(pair) + end for pair in pairs).encode()


def as_zip(*members, compression=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members:
            archive.writestr(name, data, compression)
    return file.getvalue()


GOOD = as_text(PAIRS)
GOOD_ZIP = as_zip(("mar.txt", GOOD), ("_about.txt", LICENCE))


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ('"A ""quoted"" one."', 'A "quoted" one.'),
        ('"""Go,"" he said."', '"Go," he said.'),
        ('"Go," he said, "now."', '"Go," he said, "now."'),
        ('"Go home."', '"Go home."'),
        ('He said "".', 'He said "".'),
    ],
)
def test_a_spreadsheets_doubled_quotation_marks_are_single(tmp_path, cell, sentence):
    (tmp_path / "pairs.tsv").write_text(f"{cell}\t{cell}\n", encoding="utf-8")
    assert read_pairs(tmp_path / "pairs.tsv") == [Pair(sentence, sentence)]


@pytest.mark.parametrize("name", ["pairs.txt", "PAIRS.TSV", "pairs.zip", "PAIRS.ZIP"])
@pytest.mark.parametrize("columns", [2, 3])
def test_pairs_are_read_in_file_order(tmp_path, name, columns):
    data = as_text([pair[:columns] for pair in PAIRS])
    member = "MAR.TXT" if name.isupper() else "mar.txt"
    path = tmp_path / name
    path.write_bytes(as_zip((member, data), ("_about.txt", LICENCE)) if name.lower().endswith("zip") else data)
    assert read_pairs(path) == read_pairs(str(path)) == load_corpus(path) == [Pair(*pair[:columns]) for pair in PAIRS]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf" + GOOD, id="byte order mark"),
        pytest.param(as_text(PAIRS, "\r\n"), id="CRLF"),
        pytest.param(as_text(PAIRS, "\r"), id="CR"),
        pytest.param("English\tमराठी\n".encode() + GOOD, id="header"),
        pytest.param(b"\n\n" + as_text(PAIRS, "\n\n\r\n"), id="empty lines"),
        pytest.param(GOOD.rstrip(b"\n"), id="no last line end"),
    ],
)
def test_marks_and_line_ends_are_not_part_of_a_sentence(tmp_path, data):
    for name, content in (("pairs.tsv", data), ("pairs.zip", as_zip(("mar.txt", data)))):
        (tmp_path / name).write_bytes(content)
        assert read_pairs(tmp_path / name) == PAIRS


def test_written_pairs_are_read_back_letter_by_letter(tmp_path):
    pairs = [*PAIRS, Pair(" “Don’t!”  he said ", "\u0930\u093c\u094dहास असणार्\u200dया १२३ "), Pair("a", "b", "\u2028")]
    write_pairs(tmp_path / "pairs.tsv", pairs)
    assert read_pairs(tmp_path / "pairs.tsv") == pairs
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.tsv"]


# --- damaged files: what the one error says of each


def link():
    """A zip whose member is a symbolic link."""
    member = zipfile.ZipInfo("mar.txt")
    member.create_system, member.external_attr = 3, 0o120777 << 16
    return as_zip((member, "/etc/passwd"))


def encrypted():
    data = bytearray(GOOD_ZIP)
    data[6] |= 1  # of the first member's own header
    data[data.index(b"PK\1\2") + 8] |= 1  # and of its entry in the directory
    return bytes(data)


def bomb(declared, megabytes=50):
    """A zip whose one member unpacks to so many zeros, whatever size it declares."""
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(pack.compress(bytes(1 << 20)) for _ in range(megabytes)) + pack.flush()
    sizes = struct.pack("<III", 0, len(packed), declared)
    local = struct.pack("<4s5H", b"PK\3\4", 20, 0, 8, 0, 0) + sizes + struct.pack("<HH", 7, 0) + b"mar.txt"
    entry = struct.pack("<4s6H", b"PK\1\2", 20, 20, 0, 8, 0, 0) + sizes
    entry += struct.pack("<5HII", 7, 0, 0, 0, 0, 0, 0) + b"mar.txt"
    end = struct.pack("<4s4HIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local) + len(packed), 0)
    return local + packed + entry + end


DAMAGED = [
    pytest.param("tsv", GOOD + b"\nOnly English.\n", "line 5: .*found 1", id="one column"),
    pytest.param("tsv", GOOD + b"a\tb\tc\td\n", "line 4: .*found 4; to keep the first two: cut", id="four columns"),
    pytest.param("tsv", GOOD + "I go.\tमी".encode()[:-1], "line 4: not UTF-8", id="half a letter"),
    pytest.param("tsv", "I go.\tGå.\n".encode("latin-1"), "line 1: not UTF-8", id="Latin-1"),
    pytest.param("tsv", GOOD.decode().encode("utf-16"), "line 1: not UTF-8", id="UTF-16"),
    pytest.param("tsv", "I go.\tJa.\n".encode("utf-16-le"), "line 1: not UTF-8", id="UTF-16 without a mark"),
    pytest.param("tsv", GOOD + b"a\0\tb\n", "line 4: .*byte 2 .* is 0", id="a zero byte"),
    pytest.param("tsv", b"\tno English\n", "line 1: an empty sentence", id="empty first sentence"),
    pytest.param("tsv", GOOD + "I go.\t \u200b\u00a0\tc\n".encode(), "line 4: an empty sentence", id="only spaces"),
    pytest.param("tsv", b"", "no sentence pairs", id="nothing"),
    pytest.param("txt", b"\n\r\n", "no sentence pairs", id="empty lines alone"),
    pytest.param("csv", GOOD, r"\.zip, \.txt or \.tsv", id="another suffix"),
    pytest.param("zip", b"<html>Not Acceptable</html>", "not a readable zip", id="no zip"),
    pytest.param("zip", GOOD_ZIP[:-40], "not a readable zip", id="a zip cut short"),
    pytest.param("tsv", gzip.compress(GOOD), "gzip file .*unpack it", id="a gzip file"),
    pytest.param("tsv", GOOD_ZIP, "zip file .*unpack it", id="a zip called tsv"),
    pytest.param("zip", as_zip(("_about.txt", LICENCE)), "found 0", id="a zip without pairs"),
    pytest.param("zip", as_zip(("a.txt", GOOD), ("b.tsv", GOOD)), "found 2", id="a zip of two files"),
    pytest.param("zip", as_zip(("mar.txt", GOOD + b"bad\n")), "mar.txt, line 4: .*found 1", id="a bad line in a zip"),
    pytest.param("zip", as_zip(("mar.txt", b"")), "no sentence pairs", id="a zip of an empty file"),
    pytest.param("zip", as_zip(("../mar.txt", GOOD)), "found 0", id="a path outside"),
    pytest.param("zip", as_zip(("m\x1b[2J\nar.txt", GOOD)), "found 0", id="an unprintable name"),
    pytest.param("zip", link(), "line 1: .*found 1", id="a link"),
    pytest.param("zip", as_zip(("mar.zip", GOOD_ZIP)), "found 0", id="a zip in a zip"),
    pytest.param(
        "zip", as_zip(("mar.txt", GOOD), compression=zipfile.ZIP_BZIP2), "unsupported compression", id="bzip2"
    ),
    pytest.param("zip", encrypted(), "not a readable zip", id="encrypted"),
    pytest.param("zip", bomb(declared=4_000_000_000), "holds more than", id="too large when unpacked"),
    pytest.param("zip", bomb(declared=1000), "not a readable zip", id="larger than it says"),
]


@pytest.mark.parametrize(("suffix", "data", "what"), DAMAGED)
def test_a_damaged_file_is_refused_in_one_line_that_names_it(tmp_path, suffix, data, what):
    path = tmp_path / f"pairs.{suffix}"
    path.write_bytes(data)
    with pytest.raises(ValueError) as caught:
        read_pairs(path)
    said = str(caught.value)
    assert said.startswith(str(path)) and re.search(what, said)
    assert said.isprintable() and len(said) < len(str(path)) + 300
    assert list(tmp_path.iterdir()) == [path]


def test_a_zip_with_any_byte_changed_is_read_or_refused(tmp_path):
    data, path = as_zip(("mar.txt", as_text(PAIRS[:1]))), tmp_path / "bad.zip"
    for place in range(len(data)):
        for value in (0, 0xFF, data[place] ^ 1):
            path.write_bytes(data[:place] + bytes([value]) + data[place + 1 :])
            try:
                assert len(read_pairs(path)) == 1
            except ValueError as error:
                assert str(error).startswith(str(path)) and str(error).isprintable()


@pytest.mark.parametrize("declared", [4_000_000_000, 1000])
def test_a_zip_that_unpacks_to_much_takes_little_memory(tmp_path, declared):
    path = tmp_path / "bomb.zip"
    path.write_bytes(bomb(declared))
    tracemalloc.start()
    with pytest.raises(ValueError):
        read_pairs(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6  # of 50 megabytes


@pytest.mark.parametrize(
    ("limit", "value", "what"),
    [
        ("_MAX_PAIRS", 2, "line 3: more than 2 pairs"),
        ("_MAX_LINES", 2, "more than 2 lines"),
        ("_MAX_LINE_BYTES", 20, "line 1: longer than 20 bytes"),
        ("MAX_BYTES", 100, "more than 100 bytes"),
    ],
)
def test_text_without_end_is_refused(tmp_path, monkeypatch, limit, value, what):
    monkeypatch.setattr(module, limit, value)
    for name, data in (("mar.tsv", GOOD), ("mar.zip", GOOD_ZIP)):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match=f"{name}.*{what}"):
            read_pairs(tmp_path / name)


@pytest.mark.parametrize("name", ["none.zip", "none.tsv", "."])
def test_a_missing_file_is_named(tmp_path, name):
    with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path / name))):
        read_pairs(tmp_path / name)
