"""The files that people bring: read, or refused in one line that says what to do."""

import io
import logging
import zipfile

import pytest

from nmt_attention.corpus import Pair
from nmt_attention.disk.pairs import read_pairs, read_rows, writable_pairs, write_pairs

PAIRS = [Pair("Go.", "जा."), Pair("Run!", "पळ!")]
TSV = "Go.\tजा.\nRun!\tपळ!\n".encode()
ENGLISH, MARATHI = b"Go.\nRun!\n", "जा.\nपळ!\n".encode()


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


READ = {
    "header.tsv": b"English\tMarathi\n" + TSV,
    "header of three.tsv": b"\xef\xbb\xbf source\tTarget\tnote\r\n" + TSV,
    "blank.tsv": b"\n \t\n" + TSV + b"\t\t\n",
    "folder.zip": zipped({"mar-eng/mar.txt": TSV, "mar-eng/_about.txt": b"CC-BY"}),
    "readme.zip": zipped({"README.txt": b"Hello", "LICENSE.txt": b"", "mar.txt": TSV, "__MACOSX/._mar.txt": b"\0"}),
    "opus.zip": zipped(
        {"X.en-mr.mr": MARATHI, "X.en-mr.en": ENGLISH, "README": b"", "X.en-mr.xml": b"", "X.en-mr.ids": b""}
    ),
    "two texts.zip": zipped({"d/marathi.txt": MARATHI, "d/english.txt": ENGLISH}),
    "two tsv.zip": zipped({"talks.aa.tsv": MARATHI, "talks.en.tsv": b"\xef\xbb\xbf" + ENGLISH.replace(b"\n", b"\r\n")}),
    "no last line end.zip": zipped({"a.en": ENGLISH[:-1], "a.mr": MARATHI}),
    "blank in both.zip": zipped({"a.en": b"Go.\n\nRun!\n", "a.mr": "जा.\n\nपळ!".encode()}),
}


@pytest.mark.parametrize("name", READ)
def test_what_people_bring_is_read(tmp_path, name):
    (tmp_path / name).write_bytes(READ[name])
    assert [pair[:2] for pair in read_pairs(tmp_path / name)] == [pair[:2] for pair in PAIRS]


REFUSED = [
    ("pairs.csv", TSV, "expected a .zip, .txt or .tsv file; save the table as text with tabs"),
    ("pairs.xlsx", b"PK", "save the table as text with tabs"),
    ("pairs.jsonl", b"{}", "write a line for each pair"),
    ("pairs.tsv.gz", b"", "unpack it first"),
    ("talks.en", ENGLISH, "paste talks.en OTHER > pairs.tsv"),
    ("pairs.tsv", "Go.,जा.\n".encode(), "line 1: .* found 1; if ; or , separates them"),
    ("pairs.tsv", TSV + "Wait.;थांब.\n".encode(), "line 3: .* found 1; if ; or , separates them"),
    ("pairs.txt", "Go. ||| जा.\n".encode(), r"line 1: .* found 1; write a tab for \|\|\|"),
    ("pairs.txt", b'{"en": "Go."}\n', "line 1: .* found 1; this looks like JSON"),
    ("pairs.txt", b"<html>\n", "line 1: .* found 1; this looks like HTML"),
    ("pairs.txt", b"Go.\n", "line 1: .* found 1; write source, tab, target"),
    ("pairs.tsv", "1\tGo.\t2\tजा.\n".encode(), "line 1: .* found 4; .*cut -f2,4"),
    ("pairs.tsv", TSV.decode().encode("utf-16"), "line 1: not UTF-8 text .*; save it as UTF-8, or: iconv -f UTF-16"),
    ("pairs.tsv", TSV + "Für\tFor\n".encode("cp1252"), "line 3: not UTF-8 .*; save it as UTF-8; .*WINDOWS-1252"),
    ("pairs.tsv", b"source\ttarget\n", "holds no sentence pairs"),
    ("zip.zip", zipped({"a.en": ENGLISH, "a.mr": MARATHI + b"x\n"}), "a.en has 2 lines and a.mr 3; .*paste a.en a.mr"),
    ("zip.zip", zipped({"a.en": b"Go.\n\n", "a.mr": MARATHI}), "zip:a.en and a.mr, line 2: an empty sentence"),
    ("zip.zip", zipped({"a.en": ENGLISH, "a.mr": "जा.\n".encode("utf-16")}), "has 2 lines and a.mr|line 1: not UTF-8"),
    ("zip.zip", zipped({"a.txt": TSV, "b.txt": TSV}), "expected one .txt file .*, found 2; or two of a language each"),
    ("zip.zip", zipped({"a/b/mar.txt": TSV}), "expected one .txt file .*, found 0"),
    ("zip.zip", zipped({"mar.csv": TSV}), "expected one .txt file .*, found 0"),
]


@pytest.mark.parametrize(("name", "data", "what"), REFUSED, ids=[what for *_, what in REFUSED])
def test_what_is_not_read_is_refused_with_what_to_do(tmp_path, name, data, what):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=what) as refusal:
        read_pairs(tmp_path / name)
    assert str(refusal.value).startswith(str(tmp_path / name)) and "\n" not in str(refusal.value)


def test_every_line_has_a_row(tmp_path):
    (tmp_path / "pairs.tsv").write_bytes(b"\nEnglish\tMarathi\n" + TSV + b"\n \n" + TSV)
    assert read_rows(tmp_path / "pairs.tsv") == [None, None, *PAIRS, None, None, *PAIRS]


def test_a_pair_that_looks_like_a_header_elsewhere_is_a_pair(tmp_path):
    (tmp_path / "pairs.tsv").write_bytes(TSV + b"English\tMarathi\n")
    assert len(read_pairs(tmp_path / "pairs.tsv")) == 3


CLEANED = [
    (("Go\nnow.", "आता\tजा."), ("Go now.", "आता जा.")),
    (("Go\r\nnow.", "जा.", "a\nb"), ("Go now.", "जा.", "a b")),
    (("\ufeffGo.", "जा."), ("Go.", "जा.")),
    (("Go.\0", "जा.\ud800"), ("Go. ", "जा. ")),
    (["Go.", "जा.\r"], ("Go.", "जा.")),
    (("Go\rnow.", "आता जा."), ("Go now.", "आता जा.")),
    (('"Go ""now""."', "आता जा."), ('Go "now".', "आता जा.")),
]


@pytest.mark.parametrize(("pair", "expected"), CLEANED)
def test_written_pairs_are_what_is_read(tmp_path, pair, expected, caplog):
    with caplog.at_level(logging.INFO):
        write_pairs(tmp_path / "pairs.tsv", iter([pair, *PAIRS]))
    assert read_pairs(tmp_path / "pairs.tsv") == writable_pairs([pair, *PAIRS]) == [Pair(*expected), *PAIRS]


@pytest.mark.parametrize(
    ("pairs", "what"),
    [
        ([*PAIRS, ("Go.", " \n")], "corpus: pair 3 has an empty sentence: 'Go.'"),
        ([("\u200b", "जा.")], "corpus: pair 1 has an empty sentence"),
        ([*PAIRS, ("a " * 500_000, "b")], "corpus: pair 3 is longer than 1,000,000 bytes"),
    ],
)
def test_pairs_that_no_file_can_hold_are_refused_by_number(pairs, what):
    with pytest.raises(ValueError, match=what):
        writable_pairs(pairs, "corpus")
