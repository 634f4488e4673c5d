"""Scores by hand, and what they say where BLEU has nothing to count."""

import math

import pytest

from nmt_attention.metrics import group_references, score


def test_references_of_one_source_come_together_whatever_its_case_and_apostrophes():
    pairs = [("It's me.", "मी आहे."), ("Go.", "जा."), ("it’s me.", "तो मी आहे."), ("Go.", "जा.")]
    assert group_references(pairs) == (["It's me.", "Go."], [["मी आहे.", "तो मी आहे."], ["जा."]])


def test_perfect_translations_score_100_against_any_of_their_references():
    hypotheses = ["राहुल आज सकाळी शाळेत गेला .", "ती रोज नवीन पुस्तक वाचते ."]
    references = [["तो शाळेत गेला .", hypotheses[0]], [hypotheses[1]]]
    scores = score(hypotheses, references)
    assert scores.bleu == pytest.approx(100) and scores.chrf == pytest.approx(100) and scores.exact == 100
    assert scores.bleu_first < 100 and scores.chrf_first < 100
    assert (scores.sentences, scores.references) == (2, 3)
    assert score(iter(hypotheses), (iter(texts) for texts in references)) == scores
    assert "nrefs:" in scores.bleu_signature and "version:" in scores.chrf_signature


def test_bleu_and_chrf_by_hand():
    short, long, other = "एक दोन तीन चार पाच", "एक दोन तीन चार पाच सहा", "एक दोन तीन चार सहा"
    # the geometric mean of the matches: 4 of 5 words, 3 of 4 pairs, 2 of 3 triples, 1 of 2 fours
    scores = score([other], [[short]])
    assert scores.exact == 0 and scores.bleu == pytest.approx(100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25, abs=1e-6)
    # the brevity penalty falls on a short hypothesis and not on a short reference
    assert score([short], [[long]]).bleu == pytest.approx(100 * math.exp(1 - 6 / 5), abs=1e-6)
    assert score([long], [[short]]).bleu == pytest.approx(100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25, abs=1e-6)
    # only the single letters can match: 1 of 2 on each side, so precision, recall and F are 1/2; no pair matches
    assert score(["अब"], [["अक"]]).chrf == pytest.approx(100 * (1 / 2 + 0) / 2, abs=1e-6)
    assert score(["द\u0930\u094d\u200dया  ‘हो’"], [["दऱ्या 'हो'"]]).exact == 100  # whatever its spelling
    for texts, four_grams, bleu in ((["Go.", "Run!"], 0, 0), (["Go.", "I read a book."], 2, 100)):
        scores = score(texts, [[text] for text in texts])
        assert (scores.four_grams, scores.exact, round(scores.bleu, 6)) == (four_grams, 100, bleu)


def test_bleu_is_of_letters_where_no_space_stands_between_words():
    for reference, other, tokenizer in (
        ("私の本はどこですか。", "私の本はここですか。", "char"),
        ("หนังสือของฉันอยู่ที่ไหน", "หนังสือของฉันอยู่ที่นี่", "char"),
        ("내 책은 어디에 있나요?", "내 책은 여기에 있나요?", "13a"),
        ("Where is my book 书?", "Here is my book 书?", "13a"),
    ):
        scores = score([other], [[reference]])
        assert f"tok:{tokenizer}|" in scores.bleu_signature
        assert tokenizer == "13a" or 0 < scores.bleu < 100
