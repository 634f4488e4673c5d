"""Scores of short sentences, of any lists, and of flat references."""

import pytest

from nmt_attention.analysis.breakdown import breakdown, breakdowns
from nmt_attention.analysis.evaluate import evaluate
from nmt_attention.analysis.report import breakdown_lines, score_lines
from nmt_attention.analysis.significance import compare, resampled_scores, with_intervals
from nmt_attention.marathi.errors import error_report
from nmt_attention.metrics import make_bleu, score

SHORT = ["जा.", "पळ!", "थांब!"]
LONG = ["मी पुस्तक वाचतो.", "ती शाळेत जाते.", "तो घरी आहे."]
SOURCES = ["I read a book.", "She goes to school.", "He is at home."]
OF_LONG = [[text] for text in LONG]

USES = {
    "compare": lambda texts, references: compare(texts(LONG), texts(SHORT), references),
    "breakdown": lambda texts, references: breakdown(texts(LONG), references, texts([1, 2, 3]), (1, 3)),
    "breakdowns": lambda texts, references: breakdowns(texts(SOURCES), texts(LONG), references, texts(SOURCES)),
    "error_report": lambda texts, references: error_report(texts(SOURCES), texts(LONG), references, {}),
    "resampled_scores": lambda texts, references: resampled_scores(make_bleu(OF_LONG), texts(LONG), references)[0],
    "with_intervals": lambda texts, references: with_intervals(score(LONG, OF_LONG), texts(LONG), references),
}


@pytest.mark.parametrize("use", USES)
def test_any_iterables_are_taken(use):
    assert USES[use](iter, (tuple(texts) for texts in OF_LONG)) == USES[use](list, OF_LONG)


@pytest.mark.parametrize("use", [*USES, "evaluate"])
def test_flat_references_are_refused(use):
    run = USES.get(use, lambda texts, references: evaluate(None, SOURCES, references))  # before it translates
    with pytest.raises(TypeError, match=r"references of source 1: expected a list of str, got a str; write \["):
        run(list, LONG)


@pytest.mark.parametrize(("texts", "bleu"), [(SHORT, "–"), (LONG, "100.0")])
def test_a_bleu_without_four_grams_is_a_dash(texts, bleu):
    references = [[text] for text in texts]
    scores = with_intervals(score(texts, references), texts, references)._replace(
        perplexity=1.0, sentences_per_second=1.0
    )
    line = next(line for line in score_lines(scores) if line.startswith("BLEU"))
    assert line.split()[1] == bleu and ("four words in a row" in line) == (bleu == "–")
    (row,) = breakdown(texts, references, [1, 1, 1], (1,))
    assert breakdown_lines({"length": [row]})[-1].split()[2] == bleu
    assert bool(row.four_grams) == (bleu != "–")
