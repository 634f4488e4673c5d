import pytest

from nmt_attention.analysis.breakdown import breakdown, breakdowns, source_words
from nmt_attention.analysis.report import breakdown_lines, score_lines
from nmt_attention.metrics import score

SOURCES = ["Go!", "?", "He reads a book.", "She doesn't read long books in the evening.", " ".join(["go"] * 20) + "."]
REFERENCES = [["जा!"], ["?"], ["तो पुस्तक वाचतो.", "तो एक पुस्तक वाचतो."], ["ती मोठी पुस्तकं वाचत नाही."] * 2, ["जा."] * 4]
REFERENCES[4] = ["जा.", "जा जा.", "जा जा जा.", "जा जा जा जा."]
HYPOTHESES = ["जा!", "!", "तो एक पुस्तक वाचतो.", "ती पुस्तक वाचते.", "जा."]


def test_every_sentence_is_in_exactly_one_row_of_each_table():
    training = ["He reads.", "Go home!", "She doesn't read a long book."]
    tables = breakdowns(iter(SOURCES), iter(HYPOTHESES), iter(REFERENCES), iter(training))
    assert list(tables) == ["length", "unseen_words", "references"]
    for rows in tables.values():
        assert sum(row.sentences for row in rows) == len(SOURCES)
        exact = sum(row.exact * row.sentences for row in rows) / len(SOURCES)
        assert exact == pytest.approx(score(HYPOTHESES, REFERENCES).exact)
    assert [(row.name, row.sentences) for row in tables["length"]] == [("1–3", 2), ("4–6", 1), ("7–9", 1), ("20+", 1)]
    # "books", "in", "the" and "evening" of the fourth sentence are nowhere in training
    assert [(row.name, row.sentences) for row in tables["unseen_words"]] == [("0", 4), ("1+", 1)]
    # the fourth sentence's references are the same twice
    assert [(row.name, row.sentences) for row in tables["references"]] == [("1", 3), ("2", 1), ("3+", 1)]


def test_a_row_has_the_scores_of_its_sentences_alone():
    first, second = breakdown(HYPOTHESES, REFERENCES, [3, 1, 3, 3, 1], (1, 3))
    expected = score([HYPOTHESES[i] for i in (0, 2, 3)], [REFERENCES[i] for i in (0, 2, 3)])
    assert (first.name, second.name) == ("1–2", "3+")
    assert (second.sentences, second.bleu, second.chrf) == (3, expected.bleu, expected.chrf)
    assert second.exact == expected.exact
    assert second.low <= second.bleu <= second.high


def test_a_range_starts_where_it_says_and_words_are_counted_without_marks_and_case():
    rows = breakdown(["क"] * 6, [["क"]] * 6, [1, 3, 4, 6, 7, 100], (1, 4, 7))
    assert [(row.name, row.sentences) for row in rows] == [("1–3", 2), ("4–6", 2), ("7+", 2)]
    assert [row.name for row in breakdown(["क"], [["क"]], [0], (0, 1))] == ["0"]
    assert source_words('"Don’t go," he said... at 2:30!') == ["don't", "go", "he", "said", "at", "2:30"]


@pytest.mark.parametrize(("text", "bleu"), [("जा.", "–"), ("मी पुस्तक वाचतो.", "100.0")])
def test_a_bleu_without_four_words_in_a_row_is_a_dash(text, bleu):
    scores = score([text], [[text]])._replace(bleu_interval=(0, 100), chrf_interval=(0, 100), perplexity=1.0)
    lines = score_lines(scores._replace(sentences_per_second=1.0))
    (line,) = [line for line in lines if line.startswith("BLEU")]
    assert line.split()[1] == bleu and ("four words in a row" in line) == (bleu == "–")
    assert breakdown_lines({"length": breakdown([text], [[text]], [1], (1,))})[-1].split()[2] == bleu
