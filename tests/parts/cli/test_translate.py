"""The command translate: one line in, one line out, whatever the line is."""

import io
import json

import pytest
from command_line import call, output, refusal, stdin_of, write_lines

from nmt_attention.cli import console
from nmt_attention.cli.main import main
from nmt_attention.marathi.romanize import romanize
from nmt_attention.spelling import has_devanagari
from nmt_attention.text import find_words

SENTENCES = ["Rahul goes to school.", "Lata reads a book every day.", "Sita drinks tea."]
LINES = ["", SENTENCES[0], "", "", SENTENCES[1], "🙂", " ", "I go to school.", "\ufeff", SENTENCES[2], ""]


@pytest.fixture
def translate(run):
    """Runs the command; returns the lines that it prints."""
    return lambda *arguments: output("translate", "--run", run, *arguments)


@pytest.fixture
def as_json(translate):
    return lambda *arguments: [json.loads(line) for line in translate("--json", *arguments)]


def test_a_translation_is_followed_by_its_latin_letters_where_asked_for(translate, as_json):
    texts = translate(*SENTENCES)
    latin = [romanize(text) for text in texts]
    assert not has_devanagari("".join(latin)) and any(has_devanagari(text) for text in texts)
    assert translate("--romanize", *SENTENCES) == [f"{text}\t{word}" for text, word in zip(texts, latin, strict=True)]
    rows = [line.split("\t") for line in translate("--romanize", *SENTENCES, "--n-best")]
    rows = [row for row, before in zip(rows, [["0"], *rows], strict=False) if row[0] != before[0]]  # the best of each
    assert [row[-2:] for row in rows] == [list(both) for both in zip(texts, latin, strict=True)]
    assert [row["romanized"] for row in as_json("--romanize", *SENTENCES)] == latin


def test_a_line_of_a_file_or_of_standard_input_gives_a_line(translate, tmp_path, monkeypatch):
    expected, path = translate(*LINES), tmp_path / "lines.txt"
    assert len(expected) == len(LINES) and not any(expected[i] for i in (0, 2, 3, 6, 10))
    for end, lines, answers in (("\r\n", [*LINES, ""], expected), ("\n", LINES[:-1], expected[:-1])):
        path.write_bytes(end.join(lines).encode())  # the last one without its end
        assert translate("--file", path) == answers
        for options in ([], ["--file", "-"]):
            monkeypatch.setattr("sys.stdin", stdin_of(end.join(lines).encode()))
            assert translate(*options) == answers


def test_lines_of_a_paragraph_give_one_line_and_subtitles_keep_what_a_player_reads(translate, tmp_path):
    path, times = tmp_path / "film.srt", "00:00:01,000 --> 00:00:02,500"
    path.write_text(f"\ufeff1\n{times}\nRahul goes\nto school.\n\n2\n{times}\nSita drinks tea.\n", encoding="utf-8")
    expected = ["1", times, *translate("Rahul goes to school."), "", "2", times, *translate("Sita drinks tea.")]
    assert translate("--file", path, "--paragraphs") == expected


def test_a_long_file_is_translated_and_numbered_in_parts_without_a_gap(translate, tmp_path, monkeypatch):
    path, expected = write_lines(tmp_path / "lines.txt", [*SENTENCES * 2, "🙂"]), translate(*SENTENCES)
    monkeypatch.setattr(console, "_BYTES_AT_A_TIME", 40)
    assert translate("--file", path) == [*expected * 2, "🙂"]
    rows = [line.split("\t")[0] for line in translate("--n-best", "--file", path)]
    assert list(dict.fromkeys(rows)) == list("1234567") and rows == sorted(rows)


@pytest.mark.parametrize("rest", [[], ["", SENTENCES[2]]])
def test_typed_sentences_are_translated_until_an_empty_line_or_the_end(run, translate, monkeypatch, capsys, rest):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    expected, screen = translate(*SENTENCES[:2]), Terminal()
    monkeypatch.setattr("sys.stdin", Terminal("\n".join([*SENTENCES[:2], *rest])))
    monkeypatch.setattr("sys.stdout", screen)
    assert main(["translate", "--run", str(run)]) == 0
    assert screen.getvalue() == "".join(f"> {line}\t{romanize(line)}\n" for line in expected) + "> "
    assert capsys.readouterr().err.startswith("Type a sentence; an empty line or Ctrl-D ends.\n")


@pytest.mark.parametrize("merge", [[], ["--merge-subwords"]])
def test_json_has_tokens_and_attention(translate, as_json, merge):
    sentences = [*SENTENCES, "", "🙂", "g o g o."]
    rows = as_json(*merge, *sentences)
    assert [row["source"] for row in rows] == sentences
    assert [row["text"] for row in rows] == translate(*sentences)
    for row in rows:
        names = "source text source_tokens target_tokens attention score certainty doubts band words"
        assert list(row) == names.split()
        assert all(0 < word["probability"] <= 1 and word["band"] is None for word in row["words"])
        assert len(row["attention"]) == len(row["target_tokens"])
        assert all(len(weights) == len(row["source_tokens"]) for weights in row["attention"])
        assert all(abs(sum(weights) - 1) < 1e-4 for weights in row["attention"])
    assert all(row["source_tokens"] and row["score"] < 0 for row in rows[:3])
    assert [word["text"] for word in rows[0]["words"]] == [match[0] for match in find_words(rows[0]["text"])]
    assert list(rows[3].values()) == ["", "", [], [], [], 0.0, None, [], None, []]
    assert rows[0]["source_tokens"] == ["rahul", "goes", "to", "school", "."] or not merge


def test_a_very_long_sentence_is_translated_as_far_as_the_limit_with_a_warning(run):
    status, out, err = call("translate", "--run", run, "--json", "Rahul goes " * 5000 + ".")
    assert status == 0 and len(json.loads(out)["source_tokens"]) == 250
    assert "only 250 are translated" in err and "the translation lacks Rahul" in err and err.count("\n") == 2


def test_all_hypotheses_are_printed_with_the_number_of_their_sentence(translate, as_json):
    search = ["--beam-size", 3, SENTENCES[0], "", SENTENCES[1]]
    best = translate(*search)
    rows = [line.split("\t") for line in translate("--n-best", *search)]
    assert [number for number, _, _ in rows] == ["1"] * 3 + ["2"] + ["3"] * 3
    assert [rows[i][2] for i in (0, 3, 4)] == best
    assert rows[3][1:] == ["0.0000", ""] and all(float(score) < 0 for _, score, text in rows if text)
    values = as_json("--n-best", *search)
    assert [row["rank"] for row in values] == [1, 2, 3, 1, 1, 2, 3]
    assert [[f"{row['score']:.4f}", row["text"]] for row in values] == [row[1:] for row in rows]


def test_doubts_of_all_lines_are_written_to_a_file_and_the_first_few_are_shown(pretrained, tmp_path, monkeypatch):
    monkeypatch.setattr("nmt_attention.translate.Translator.load", lambda *_, **more: pretrained)
    monkeypatch.chdir(tmp_path)  # where no run is, of which a line would speak
    lines = ["Where is my book?", "My frined came.", "Bonjour mes amis.", "I like bokos.", "Ich heiße Tom.", "Xyz abc."]
    path, doubts = write_lines(tmp_path / "lines.txt", lines), tmp_path / "doubts.tsv"
    err = call("translate", "--beam-size", 1, "--file", path, "--doubts", doubts).err.splitlines()
    rows = [row.split("\t") for row in doubts.read_text(encoding="utf-8").splitlines()]
    assert [int(number) for number, _, _ in rows] == sorted({int(number) for number, _, _ in rows})
    assert all(lines[int(number) - 1] == sentence and doubt for number, sentence, doubt in rows)
    said = {number: doubt for number, _, doubt in rows}
    assert 'did you mean "friend"' in said["2"] and "left as it is" in said["3"] and "1" not in said
    assert len(err) == 4 and err[-1].startswith("and ") and err[-1].endswith(f"; {doubts} has all of them")
    assert "a file of something else" in refusal("translate", "--doubts", path, "Go.")
    assert call("translate", "--beam-size", 1, "--doubts", doubts, "Go home.").status == 0  # its own file is replaced
