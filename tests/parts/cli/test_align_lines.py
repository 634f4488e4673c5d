"""`align` writes a line for each line of its file, and shows the words that its links count."""

import re

import pytest

from nmt_attention.cli.main import main
from nmt_attention.disk.pairs import DATA_DIRECTORY

PAIR = "good day .\tशुभ दिवस ."


@pytest.mark.parametrize(
    ("text", "aligned"),
    [
        (f"{PAIR}\n\n{PAIR}\n", [True, False, True]),
        (f"\n{PAIR}\r\n\r\n", [False, True, False]),
        (f"English\tMarathi\n{PAIR}", [False, True]),
        (f"{PAIR}\n \t \n\t\n{PAIR}", [True, False, False, True]),
        (f"\ufeff\n{PAIR}\n", [False, True]),
    ],
)
def test_there_is_a_line_for_each_line(tmp_path, capsys, text, aligned):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(text.encode())
    assert main(["align", str(path), "--html", str(tmp_path / "page.html")]) == 0
    lines = capsys.readouterr().out.split("\n")[:-1]
    assert [bool(line) for line in lines] == aligned and len(set(filter(None, lines))) == 1


def test_the_words_that_links_count_can_be_shown(tmp_path, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text("Mr. Day is in the U.S. now .\tश्री. डे आता अमेरिकेत आहेत .\n", encoding="utf-8")
    assert main(["align", str(path), "--tokens"]) == 0
    links, source, target = capsys.readouterr().out.rstrip("\n").split("\t")
    assert source == "mr . day is in the u.s . now ." and target == "श्री . डे आता अमेरिकेत आहेत ."
    last = max(int(link.split("-")[1]) for link in links.split())
    assert last < len(target.split())


def test_an_empty_side_is_refused_with_its_line(tmp_path, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{PAIR}\n\nGo.\t\n", encoding="utf-8")
    assert main(["align", str(path)]) == 1
    assert "line 3: an empty sentence" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "line", "reader"),
    [
        ("demo.tsv", "line 2: .*, found 5; ", "`make demo`"),
        ("everyday.tsv", "line 1: .*, found 5; ", "`nmt-attention evaluate --everyday`"),
        ("anki_alignments.tsv", "line 1: .*, found 1; ", "`nmt-attention evaluate --alignments`"),
    ],
)
def test_a_file_that_another_command_reads_is_refused_with_its_name(capsys, name, line, reader):
    assert main(["align", str(DATA_DIRECTORY / name)]) == 1
    assert re.search(f"{name}, {line}{reader} reads such a file$", capsys.readouterr().err, re.MULTILINE)


def test_a_user_s_file_of_that_name_is_no_such_file(tmp_path, capsys):
    path = tmp_path / "demo.tsv"
    path.write_text(f"{PAIR}\ta\tb\tc\n", encoding="utf-8")
    assert main(["align", str(path)]) == 1
    assert re.search(r"found 5; to keep the first two: cut -f1,2 FILE > pairs\.tsv$", capsys.readouterr().err.strip())


@pytest.mark.parametrize(
    ("target", "doubt"), [("0-0 1-1", "the second column holds links"), ("शुभ दिवस", "1 pairs are too few: ")]
)
def test_columns_that_look_wrong_are_named(tmp_path, capsys, target, doubt):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"good day\t{target}\n", encoding="utf-8")
    assert main(["align", str(path)]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"{path}: {doubt}")
