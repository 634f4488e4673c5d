"""Sentences and pairs come as any iterable; what is none is named by its number."""

import types
from pathlib import Path

import numpy as np
import pytest

from nmt_attention.corpus import Pair, Split, add_training_pairs, as_pairs, split_by_pair, split_pairs
from nmt_attention.metrics import group_references, score
from nmt_attention.text import CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.vocabulary import UNKNOWN_ID

PAIRS = [Pair("Go.", "जा."), Pair("Run!", "पळ!"), Pair("I read a book.", "मी पुस्तक वाचतो.")]
PLAIN = [tuple(pair[:2]) for pair in PAIRS]
SENTENCES = [source for source, _ in PLAIN]


class Frame:
    """What a DataFrame has."""

    def itertuples(self, index):
        assert index is False
        row = types.SimpleNamespace
        return iter([Pair(*row(source=s, target=t).__dict__.values()) for s, t in PLAIN])


KINDS = {
    "pairs": lambda rows: [Pair(*row) for row in rows],
    "tuple of tuples": tuple,
    "lists": lambda rows: [list(row) for row in rows],
    "generator": iter,
    "items of a dict": lambda rows: dict(rows).items(),
    "values of a dict": lambda rows: dict(enumerate(rows)).values(),
    "array": np.array,
    "array of objects": lambda rows: np.array(rows, object),
    "table": lambda rows: Frame(),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "use",
    [
        as_pairs,
        split_pairs,
        split_by_pair,
        group_references,
        lambda pairs: add_training_pairs(Split([], [], []), pairs),
    ],
)
def test_pairs_may_be_anything_that_yields_pairs(use, kind):
    assert use(KINDS[kind](PLAIN)) == use(PAIRS)


@pytest.mark.parametrize(
    ("pairs", "what"),
    [
        ("Go.", "got a str as no. 1: 'G'"),
        (PLAIN[0], "got a str as no. 1: 'Go.'"),
        (dict(PLAIN), "got a str as no. 1: 'Go.'"),
        ([*PLAIN, ("Go.",)], r"got a tuple as no. 4: \('Go.',\)"),
        ([*PLAIN, ("a", "b", "c", "d")], "got a tuple as no. 4"),
        ([PLAIN[0], ("Go.", None)], "got a tuple as no. 2: .*None"),
        ([PLAIN[0], ("Go.", "जा.", float("nan"))], "got a tuple as no. 2: .*nan"),
        ([{"en": "Go.", "mr": "जा."}], "got a dict as no. 1"),
        ([{"Go.", "जा."}], "got a set as no. 1"),
        ([3], "got a int as no. 1: 3"),
        ([b"Go.", b"x"], "got a bytes as no. 1"),
    ],
)
def test_what_is_no_pair_is_named(pairs, what):
    for use in (split_pairs, split_by_pair, group_references):
        with pytest.raises(TypeError, match=rf"^pairs: expected \(source, target\) pairs, {what}"):
            use(pairs)


TEXTS = [
    list,
    tuple,
    iter,
    lambda texts: dict.fromkeys(texts).keys(),
    np.array,
    lambda texts: dict(enumerate(texts)).values(),
]


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("tokenizer", [WordTokenizer, CharacterTokenizer, SubwordTokenizer])
def test_texts_may_be_anything_that_yields_texts(tokenizer, kind):
    learned = tokenizer.learn(kind(SENTENCES), 60)
    assert learned.vocabulary == tokenizer.learn(SENTENCES, 60).vocabulary
    for alpha in (0.0, 0.3):
        assert learned.encode_all(kind(SENTENCES), alpha).values.tolist() == (
            learned.encode_all(SENTENCES, alpha).values.tolist()
        )


@pytest.mark.parametrize("tokenizer", [WordTokenizer, CharacterTokenizer, SubwordTokenizer])
def test_what_is_no_text_is_named(tokenizer):
    learned = tokenizer.learn(SENTENCES, 60)
    for use in (lambda texts: tokenizer.learn(texts, 60), learned.encode_all):
        for texts in ("Go.", b"Go.", {"1": "Go."}, None, 3, Path("go.txt")):
            with pytest.raises(TypeError, match=f"^texts: expected a list of str, got a {type(texts).__name__};"):
                use(texts)
        with pytest.raises(TypeError, match="^texts: expected str, but element 2 is NoneType"):
            use(["Go.", None])


@pytest.mark.parametrize("kind", TEXTS)
def test_scores_take_any_iterables(kind):
    expected = score(SENTENCES, [[text, "x"] for text in SENTENCES])
    assert expected.exact == 100
    assert score(kind(SENTENCES), (kind([text, "x"]) for text in SENTENCES)) == expected


@pytest.mark.parametrize(
    ("hypotheses", "references", "what"),
    [
        (["a b"], ["a b"], "references of source 1: expected a list of str, got a str"),
        (["a b"], "a b", "references of source 1: expected a list of str, got a str"),
        ("a b", [["a b"]], "hypotheses: expected a list of str, got a str"),
        (["a", "b"], [["a"], "b"], "references of source 2: .* got a str"),
        ({"1": "a b"}, [["a b"]], "hypotheses: expected a list of str, got a dict"),
        (["a", 3], [["a"], ["b"]], "hypotheses: expected str, but element 2 is int"),
        (["a"], [None], "references of source 1: expected a list of str, got a NoneType"),
        (["a"], [["a", None]], "references of source 1: expected str, but element 2 is NoneType"),
    ],
)
def test_flat_references_and_what_is_no_text_are_refused(hypotheses, references, what):
    with pytest.raises(TypeError, match=f"^{what}"):
        score(hypotheses, references)


def test_a_long_text_teaches_subwords_too():
    """sentencepiece by itself leaves out texts of more than 4,192 bytes."""
    paragraph = "मुलगा शाळेत जातो. " * 400
    pieces = SubwordTokenizer.learn([paragraph, "नदी"], 60)
    assert UNKNOWN_ID not in pieces.encode("मुलगा शाळेत जातो.")
