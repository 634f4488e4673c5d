"""BLEU counts four units in a row: where there are none, or no words between spaces, the scores say so."""

import pytest

from nmt_attention.metrics import score


@pytest.mark.parametrize(
    ("texts", "four_grams", "bleu"),
    [
        (["Go.", "Run!", "Wait!"], 0, 0.0),  # "Go." is two tokens of sacreBLEU's
        (["Go.", "I read a book."], 2, 100.0),  # I read a book, read a book .
        (["जा.", "मी पुस्तक वाचतो."], 1, 100.0),
    ],
)
def test_the_four_grams_are_counted(texts, four_grams, bleu):
    scores = score(texts, [[text] for text in texts])
    assert (scores.four_grams, scores.exact, round(scores.bleu, 6)) == (four_grams, 100, bleu)


@pytest.mark.parametrize(
    ("reference", "other", "tokenizer"),
    [
        ("我的书在哪里？", "我的书在这里？", "char"),
        ("私の本はどこですか。", "私の本はここですか。", "char"),
        ("หนังสือของฉันอยู่ที่ไหน", "หนังสือของฉันอยู่ที่นี่", "char"),
        ("សៀវភៅរបស់ខ្ញុំនៅឯណា", "សៀវភៅរបស់ខ្ញុំនៅទីនេះ", "char"),
        ("내 책은 어디에 있나요?", "내 책은 여기에 있나요?", "13a"),
        ("माझं पुस्तक कुठे आहे?", "माझं पुस्तक इथे आहे?", "13a"),
        ("أين كتابي يا صديقي؟", "هنا كتابي يا صديقي؟", "13a"),
        ("Where is my book 书?", "Here is my book 书?", "13a"),
    ],
)
def test_bleu_is_of_letters_where_no_space_stands_between_words(reference, other, tokenizer):
    scores = score([other], [[reference]])
    assert f"tok:{tokenizer}|" in scores.bleu_signature
    if tokenizer == "char":
        assert 0 < scores.bleu < 100
