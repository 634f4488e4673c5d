"""A corpus whose columns look wrong is said so, in a line with its first pair; one that looks right is not."""

import pytest

from nmt_attention import Pair, load_corpus
from nmt_attention.disk.columns import doubts_about

BOOK = load_corpus("phrasebook")[:1000]
GERMAN = [("Where is my book?", "Wo ist mein Buch?"), ("He reads.", "Er liest."), ("I read the book.", "Ich lese es.")]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda i, s, t: (str(i), s), "the first column has no letters"),
        (lambda i, s, t: (s, "?" * len(t)), "the second column has no letters"),
        (lambda i, s, t: (s, t.encode().decode("latin-1")), "the second column is UTF-8 that was read as another"),
        (lambda i, s, t: (s, t.encode().decode("ascii", "replace")), "the second column has lost letters"),
        (lambda i, s, t: (s, "0-0 P:1-2 2-1"), "the second column holds links of words"),
        (lambda i, s, t: (f'"{s}"', t), "the first column is in quotation marks"),
        (lambda i, s, t: (t, s), "English stands on the right"),
        (lambda i, s, t: GERMAN[i % 3][::-1], "English stands on the right"),  # of one script
        (lambda i, s, t: (s, s), "both columns look like the same language"),
        (lambda i, s, t: (s, BOOK[i - 1].source), "both columns look like the same language"),
    ],
)
def test_a_column_that_looks_wrong_is_named(change, what):
    pairs = [Pair(*change(i, *pair[:2])) for i, pair in enumerate(BOOK)]
    line = next(doubts_about(pairs))
    assert line.startswith(what) and "\n" not in line
    assert pairs[0].source[:20] in line and pairs[0].target[:20] in line


@pytest.mark.parametrize(
    "pairs",
    [
        BOOK,
        [Pair(*pair) for pair in GERMAN],
        [Pair("Find 3.", "3 शोधा."), Pair("12", "१२"), Pair("Über", "ओव्हर"), Pair('"Go!"', "जा!")],
        [Pair("Call me.", "1234" + "-1234" * 40 + "न")],  # digits that would take a slow pattern forever
        [],
    ],
)
def test_a_good_corpus_is_not_doubted(pairs):
    assert list(doubts_about(pairs)) == []
