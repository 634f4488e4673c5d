import base64
import itertools
import random

import pytest
import tensorflow as tf
import unicodedata2
from sentencepiece import sentencepiece_model_pb2

from nmt_attention.deploy.text_graph import MOST_SUBWORD_LETTERS, Normalizer, SourceText, TargetText
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.spelling import normalize
from nmt_attention.text import CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.vocabulary import UNKNOWN_ID

TOKENIZERS = {kind.kind: kind for kind in (CharacterTokenizer, SubwordTokenizer, WordTokenizer)}
PAIRS = read_pairs("data/phrasebook.tsv")[::20]
ENGLISH, MARATHI = (sorted({pair[side] for pair in PAIRS}) for side in (0, 1))
CODE_POINTS = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
MARKS = [c for c in CODE_POINTS if unicodedata2.combining(c)]
CHANGED = [c for c in CODE_POINTS[:0xF800] if unicodedata2.normalize("NFD", c) != c]
DECOMPOSED = [unicodedata2.normalize("NFD", c) for c in CHANGED]
LETTERS = [
    *(CHANGED, DECOMPOSED, "aeiou tnsr", "O'’▁` \t\u200b", 'the.,:!?…"“”()«»0123456789१२', "क्षत्र्‍‌िअमळूऱ", "가각각"),
    *("अआएॲरकखाॅॉेौिंँ़््::''–-. (\u200c\u200d\u200d", "\u200b\u2060\ufeff\u00ad\u200f", "‘’—`"),
    ["🇮🇳", "👨‍👩‍👧", "👍🏽", "क्षि", "र्‍य", "👧्क्षि", "🇮", "1,000.5", "p.m", "<end>", "..", '""'],
]


@pytest.fixture(scope="module")
def hard():
    """Texts that break what is nearly right: composed and not, jamo, flags, families, marks between digits."""
    numbers = random.Random(1)
    texts = [
        "".join(numbers.choice(numbers.choice(LETTERS)) for _ in range(numbers.randrange(20))) for _ in range(2000)
    ]
    return list(filter(in_order, texts))


def in_order(text):
    """Whether no letter has two marks, of which one may be typed first that Unicode puts second."""
    classes = [unicodedata2.combining(c) for c in "".join(unicodedata2.normalize("NFD", c) for c in text)]
    return not any(one > 0 and two > 0 for one, two in itertools.pairwise(classes))


def strings(tensor):
    return [text.decode() for text in tensor.numpy()]


def rows(ragged):
    return [[token.decode() for token in row] for row in ragged.to_list()]


@pytest.mark.parametrize("fold_case", [False, True])
def test_texts_are_normalised_as_in_python(fold_case, hard):
    normalizer = tf.function(Normalizer(fold_case))
    alone = [f"a{letter}b" for letter in CODE_POINTS[::97] + CHANGED[::5] + MARKS + DECOMPOSED]
    crowded = ["a" + "\u0301" * 500 + "e" + "\u0327" * 300]
    for texts in (alone, hard, ENGLISH, MARATHI, crowded):
        assert strings(normalizer(tf.constant(texts))) == [normalize(text, fold_case) for text in texts]


@pytest.mark.parametrize(
    "given, expected",
    [
        ("a\u0301\u0301", "\u00e1\u0301"),  # there is no letter with two
        ("a\u0310\u0301", "a\u0310\u0301"),  # the first keeps the second from the letter
        ("e\u0323\u0302", "\u1ec7"),
        ("\u1112\u1161\u11ab", "한"),
        ("क\u093c ऩ", "क\u093c ऩ"),  # NFC leaves क़ apart and puts ऩ together
        ("Tom’s \t\u200b CAFÉ ", "tom's café"),
        (b"a\xff\xfeb \xe0\xa4", "a b"),  # bytes that are no text
        ("", ""),
    ],
)
def test_normalisation_by_hand(given, expected):
    assert strings(Normalizer(True)(tf.constant([given]))) == [expected]


def test_the_time_is_linear_in_the_marks_of_a_letter():
    marks = ["\u0301", "\u093c", "\u1161", "\u200d"]
    texts = ["a" + mark * (300_000 // len(mark)) for mark in marks]  # a step for each of them would take minutes
    assert strings(tf.function(Normalizer(False))(tf.constant(texts))) == [normalize(text) for text in texts]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("kind", TOKENIZERS)
def test_tokens_and_ids_are_those_of_the_tokeniser(kind, side, hard):
    learned = (ENGLISH, MARATHI)[side]
    tokenizer = TOKENIZERS[kind].learn(learned[::2], 900, fold_case=side == 0)
    source = SourceText(tokenizer)
    encode = tf.function(lambda texts: (lambda tokens: (tokens, source.ids(tokens)))(source.tokenize(texts)))
    for texts in (learned, hard[side::2]):
        tokens, ids = encode(tf.constant(texts))
        assert rows(tokens) == [tokenizer.tokenize(text) for text in texts]
        assert ids.to_list() == [tokenizer.ids(tokenizer.tokenize(text)) for text in texts]


def test_unknown_letters_in_a_row_are_one_token():
    tokenizer = SubwordTokenizer.learn(ENGLISH, 200, fold_case=True)
    tokens = rows(SourceText(tokenizer).tokenize(tf.constant(["漢字 漢a漢漢"])))
    assert tokens == [["▁", "漢字", "▁", "漢", "a", "漢漢"]]
    assert tokenizer.ids(tokens[0]).count(UNKNOWN_ID) == 3


def test_of_equally_good_segmentations_the_one_of_sentencepiece_is_taken():
    config = SubwordTokenizer.learn(["ab ba"] * 5 + ["aabb abab"] * 5, 30).to_config()
    model = sentencepiece_model_pb2.ModelProto.FromString(base64.b64decode(config["model"]))
    for piece in model.pieces[4:]:
        piece.score = -len(piece.piece)  # so that all segmentations are equally good
    tokenizer = SubwordTokenizer(model.SerializeToString())
    texts = ["".join(random.Random(i).choices("ab ", k=30)) for i in range(300)]
    assert max(len(tokenizer.tokenize(text)) for text in texts) < 30
    assert rows(SourceText(tokenizer).tokenize(tf.constant(texts))) == [tokenizer.tokenize(text) for text in texts]


def test_a_very_long_text_is_read_as_far_as_its_first_letters():
    tokenizer = SubwordTokenizer.learn(ENGLISH, 200, fold_case=True)
    text = "the boy reads " * 400
    (tokens,) = rows(tf.function(SourceText(tokenizer).tokenize)(tf.constant([text])))
    assert sum(map(len, tokens)) == MOST_SUBWORD_LETTERS < len(text)
    assert tokens[:500] == tokenizer.tokenize(text)[:500]


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_ids_become_the_tokens_and_the_text_of_the_tokeniser(kind):
    tokenizer = TOKENIZERS[kind].learn([*MARATHI, '"x" ("y") «z» – ‘x’ …'] * 2, 900)
    target = TargetText(tokenizer)
    ids = [[*tokenizer.encode(text), 2] for text in MARATHI]
    numbers = random.Random(2)
    some = [numbers.randrange(3, len(tokenizer)) for _ in range(40)]
    marks = [i for i in range(4, len(tokenizer)) if tokenizer.vocabulary[i][0] in '"(«»).…–‘’']
    ids += [[numbers.choice(numbers.choice([some, marks])) for _ in range(numbers.randrange(12))] for _ in range(500)]
    padded = tf.ragged.constant(ids, tf.int32).to_tensor(0)
    assert strings(target.decode(padded)) == [tokenizer.decode(row) for row in ids]
    assert [[t.decode() for t in row if t] for row in target.tokens(padded).numpy()] == [
        tokenizer.tokens(r) for r in ids
    ]
