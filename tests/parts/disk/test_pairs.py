"""Pairs in files: what people bring is read, or refused in one line that says what to do; what is written is read."""

import gzip
import re
import tracemalloc
import zipfile

import pytest
from command_line import zip_of

from nmt_attention import Pair, load_corpus
from nmt_attention.disk import zips
from nmt_attention.disk.pairs import parse_rows, read_pairs, writable_pairs, write_pairs

NOTE = "CC-BY 2.0 (France) Attribution: tatoeba.org #1234 (somebody) & #5678 (someone)"
PAIRS = [Pair("I go to school.", "मी शाळेत जातो.", NOTE), Pair("Run!", "पळ!"), Pair("She reads.", "ती वाचते.", NOTE)]
TEXT = "".join("\t".join(pair) + "\n" for pair in PAIRS)
TSV, ENGLISH, MARATHI = TEXT.encode(), b"Go.\nRun!\n", "जा.\nपळ!\n".encode()
ZIP = zip_of({"mar.txt": TSV})
TWO = [Pair("Go.", "जा."), Pair("Run!", "पळ!")]


@pytest.mark.parametrize("name", ["pairs.txt", "PAIRS.TSV", "pairs.zip", "PAIRS.ZIP"])
@pytest.mark.parametrize(
    "data",
    [
        TSV.replace(b"\n", b"\r\n"),
        TSV.replace(b"\n", b"\r"),
        TSV.rstrip(b"\n"),
        "English\tमराठी\n".encode() + TSV,
        b"\xef\xbb\xbf source\tTarget\tnote\r\n" + TSV,
        b"\n \t\n" + TSV.replace(b"\n", b"\n\r\n\t\t\n"),
        b"#separator:tab\n#columns:Front\tBack\n#tags column:3\n" + TSV,  # what Anki says first
    ],
)
def test_marks_line_ends_and_headers_are_not_part_of_a_sentence(tmp_path, name, data):
    member = "MAR.TXT" if name.isupper() else "mar.txt"
    path = tmp_path / name
    path.write_bytes(zip_of({member: data, "_about.txt": b"CC-BY"}) if name.lower().endswith("zip") else data)
    assert read_pairs(path) == read_pairs(str(path)) == load_corpus(path) == PAIRS


ZIPS = {
    "folder": {"mar-eng/mar.txt": TSV, "mar-eng/_about.txt": b"CC-BY"},
    "readme": {"README.txt": b"Hello", "LICENSE.txt": b"", "mar.txt": TSV, "__MACOSX/._mar.txt": b"\0"},
    "beside others": {"mar.txt": TSV, "flag.jpg": b"\0", "prepare.py": b"import os"},
    "two and notes": {"c.en-mr.en": ENGLISH, "c.en-mr.mr": MARATHI, "notes.txt": b"Hello"},
    "opus": {"X.en-mr.mr": MARATHI, "X.en-mr.en": ENGLISH, "README": b"", "X.en-mr.xml": b"", "X.en-mr.ids": b""},
    "two texts": {"d/marathi.txt": MARATHI, "d/english.txt": ENGLISH},
    "two tsv": {"talks.aa.tsv": MARATHI, "talks.en.tsv": b"\xef\xbb\xbf" + ENGLISH.replace(b"\n", b"\r\n")},
    "no last line end": {"a.en": ENGLISH[:-1], "a.mr": MARATHI},
    "blank in both": {"a.en": b"Go.\n\nRun!\n", "a.mr": "जा.\n\nपळ!".encode()},
}


@pytest.mark.parametrize("name", ZIPS)
def test_zips_of_one_file_or_of_two_languages_are_read(tmp_path, name):
    (tmp_path / "corpus.zip").write_bytes(zip_of(ZIPS[name]))
    assert read_pairs(tmp_path / "corpus.zip") == (PAIRS if TSV in ZIPS[name].values() else TWO)


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ('"A ""quoted"" one."', 'A "quoted" one.'),
        ('"""Go,"" he said."', '"Go," he said.'),
        ('"Go," he said, "now."', '"Go," he said, "now."'),
        ('"Go home."', '"Go home."'),
        ("Go.[sound:a.mp3]", "Go."),
        ("{{c1::Go.}} {{c2::Now!::when}}", "Go. Now!"),
        ("<div>Go<b>!</b></div>", " Go! "),
        ("Go.<br />Now!", "Go. Now!"),
        ("&lt;b&gt;Tom &amp;amp; I&lt;/b&gt; don &apos;t.", "Tom & I don't."),
        ("1 < 2 and 3 > 2 <end>", "1 < 2 and 3 > 2 <end>"),
    ],
)
def test_what_spreadsheets_and_anki_add_is_taken_off(tmp_path, cell, sentence):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{cell}\t{cell}\ta&amp;b\n", encoding="utf-8")
    assert read_pairs(path) == [Pair(sentence, sentence, "a&amp;b")]
    write_pairs(path, writable_pairs([(cell, cell)]))
    assert read_pairs(path) == writable_pairs([(cell, cell)]) == [Pair(sentence, sentence)]


def test_one_line_says_that_markup_was_there(tmp_path, capsys):
    path, marked = tmp_path / "corpus.tsv", "I don&apos;t.\tनाही.\nGo.\tजा.<br>\nRun!\tपळ!\n"
    for text, said in ((marked, f"{path}: in 2 pairs markup is taken "), (TEXT, "")):
        path.write_text(text, encoding="utf-8")
        read_pairs(path)
        assert capsys.readouterr().err[: len(said) or None] == said


def test_every_line_has_a_row_and_a_later_header_is_a_pair():
    rows = parse_rows("pairs.tsv", b"\nEnglish\tMarathi\n" + TSV + b"\n \nEnglish\tMarathi\n#html\ttrue\n")
    assert rows == [None, None, *PAIRS, None, None, Pair("English", "Marathi"), Pair("#html", "true")]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("Go\nnow.", "आता\tजा."), ("Go now.", "आता जा.")),
        (("Go\r\nnow.", "जा.", "a\nb"), ("Go now.", "जा.", "a b")),
        (("\ufeffGo.", "जा."), ("Go.", "जा.")),
        (("Go.\0", "जा.\ud800"), ("Go. ", "जा. ")),
        (["Go\rnow.", "जा.\r"], ("Go now.", "जा.")),
        ((" “Don’t!”  he said ", "र\u093c\u094dहास असणार्\u200dया १२३ ", "\u2028"),) * 2,
    ],
)
def test_written_pairs_are_what_is_read(tmp_path, pair, expected):
    write_pairs(tmp_path / "pairs.tsv", writable_pairs(iter([pair, *PAIRS])))
    assert read_pairs(tmp_path / "pairs.tsv") == writable_pairs([pair, *PAIRS]) == [Pair(*expected), *PAIRS]
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.tsv"]


LINK = zipfile.ZipInfo("mar.txt")
LINK.create_system, LINK.external_attr = 3, 0o120777 << 16  # a symbolic link


def patched(data, place, value):
    """A zip with other bytes at a place of its member's header, and at that of its entry in the directory."""
    for start in (place, data.index(b"PK\1\2") + place + 2):
        data = data[:start] + value + data[start + len(value) :]
    return data


REFUSED = [
    ("pairs.csv", TSV, "expected a .zip, .txt or .tsv file; save a table as text with tabs"),
    ("pairs.tsv", gzip.compress(TSV), "not UTF-8"),
    ("pairs.tsv", TSV + "Wait.;थांब.\n".encode(), "line 4: .* found 1; save it as text with tabs"),
    ("pairs.tsv", TSV + b"a\tb\tc\td\n", "line 4: .*found 4; to keep the first two: cut"),
    ("pairs.tsv", TSV + "Für\tFor\n".encode("cp1252"), "line 4: not UTF-8 .*; save it as UTF-8"),
    ("pairs.tsv", TSV + "I go.\t \u200b\u00a0\u200d\tc\n".encode(), "line 4: an empty sentence"),
    ("pairs.tsv", TSV + b"Go.\t[sound:a.mp3]\n", "line 4: an empty sentence"),
    ("pairs.tsv", b"", "holds no sentence pairs"),
    ("zip.zip", ZIP[:-40], "not a readable zip"),
    ("zip.zip", zip_of({"a.en": ENGLISH, "a.mr": MARATHI + b"x\n"}), "a.en has 2 lines and a.mr 3; .*paste a.en a.mr"),
    ("zip.zip", zip_of({"a.en": b"Go.\n\n", "a.mr": MARATHI}), "zip:a.en and a.mr, line 2: an empty sentence"),
    ("zip.zip", zip_of({"a.txt": TSV, "b.tsv": MARATHI}), "expected one .txt .*, found 2; or two of a language each"),
    ("zip.zip", zip_of({"../mar.txt": TSV, "a/b/mar.txt": TSV, "m\x1b[2J\nar.txt": TSV, "a.csv": TSV}), "found 0"),
    ("zip.zip", zip_of({"x.en": ENGLISH, "y.mr": MARATHI}), "found 0; or two of a language each"),
    ("zip.zip", zip_of({LINK: "/etc/passwd"}), "line 1: .*found 1"),
    ("zip.zip", patched(ZIP, 8, b"\x0e"), "mar.txt uses an unsupported compression method"),  # LZMA
    ("zip.zip", patched(ZIP, 6, b"\1"), "not a readable zip"),  # encrypted
]


@pytest.mark.parametrize(("name", "data", "what"), REFUSED, ids=[what for *_, what in REFUSED])
def test_what_is_not_read_is_refused_in_one_line_with_what_to_do(tmp_path, name, data, what):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ValueError, match=what) as caught:
        read_pairs(path)
    said = str(caught.value)
    assert said.startswith(str(path)) and said.isprintable() and len(said) < len(str(path)) + 300
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("declared", "what"), [(4_000_000_000, "holds more than"), (1000, "not a readable zip")])
def test_a_zip_that_unpacks_to_much_is_refused_and_takes_little_memory(tmp_path, declared, what):
    zeros = zip_of({"mar.txt": bytes(50 << 20)})
    (tmp_path / "bomb.zip").write_bytes(patched(zeros, 22, declared.to_bytes(4, "little")))
    tracemalloc.start()
    with pytest.raises(ValueError, match=what):
        read_pairs(tmp_path / "bomb.zip")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6  # of 50 megabytes


def test_a_zip_with_any_byte_changed_is_read_or_refused(tmp_path):
    data, path = zip_of({"mar.txt": "Go.\tजा.\n".encode()}), tmp_path / "bad.zip"
    for place in range(len(data)):
        for value in (0, 0xFF, data[place] ^ 1):
            path.write_bytes(data[:place] + bytes([value]) + data[place + 1 :])
            try:
                assert len(read_pairs(path)) == 1
            except ValueError as error:
                assert str(error).startswith(str(path)) and str(error).isprintable()


@pytest.mark.parametrize(
    ("place", "value", "what"),
    [
        ("pairs._MAX_LINES", 2, "more than 2 lines"),
        ("files.MAX_LINE_BYTES", 20, "line 1: longer than 20 bytes"),
        ("zips.MAX_BYTES", 100, "more than 100 bytes"),
    ],
)
def test_text_without_end_is_refused(tmp_path, monkeypatch, place, value, what):
    monkeypatch.setattr(f"nmt_attention.disk.{place}", value)
    monkeypatch.setattr("nmt_attention.disk.pairs.MAX_BYTES", zips.MAX_BYTES)
    for name, data in (("mar.tsv", TSV), ("mar.zip", ZIP)):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match=f"{name}.*{what}"):
            read_pairs(tmp_path / name)


def test_a_missing_file_is_named(tmp_path):
    for name in ("none.zip", "."):
        with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path / name))):
            read_pairs(tmp_path / name)
