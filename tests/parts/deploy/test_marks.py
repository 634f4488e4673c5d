"""Python, the graph of a SavedModel and the page's JavaScript agree on what is punctuation."""

import json

import py_mini_racer
import pytest
import tensorflow as tf

from nmt_attention.deploy.browser import _rules, engine
from nmt_attention.deploy.text_graph import SourceText
from nmt_attention.spelling import IN_WORDS, JOINTS, PUNCTUATION
from nmt_attention.text import WordTokenizer

MARKS = [*PUNCTUATION, *IN_WORDS, *"".join(JOINTS), "𑅀", "\U0001e95e", "€", "+"]
TEXTS = [form.format(m=mark) for mark in MARKS for form in ("a{m}b {m}c{m}", "{m}{m}1{m}२ x'{m}{m}'y", "{m}'a'{m} {m}")]
TOKENIZER = WordTokenizer.learn(TEXTS, 300)
EXPECTED = [TOKENIZER.tokenize(text) for text in TEXTS]


def test_the_graph_has_the_tokens_of_python():
    tokens = tf.function(SourceText(TOKENIZER).tokenize)(tf.constant(TEXTS))
    assert [[token.decode() for token in row] for row in tokens.to_list()] == EXPECTED


@pytest.fixture(scope="module")
def page():
    context = py_mini_racer.MiniRacer()
    rules = json.dumps(_rules(False, False))
    context.eval(f"{engine()}\nconst tokenizer = {{kind: 'word', foldCase: false, rules: compileRules({rules})}}; 0")
    return lambda code: json.loads(context.eval(f"JSON.stringify({code})"))


def test_the_page_has_the_tokens_and_texts_of_python(page):
    assert page(f"{json.dumps(TEXTS)}.map((text) => tokenize(text, tokenizer))") == EXPECTED
    texts = page(f"{json.dumps(EXPECTED)}.map((tokens) => detokenize(tokens, tokenizer))")
    assert texts == [TOKENIZER.detokenize(tokens) for tokens in EXPECTED]
