"""The translator on one page against the package: the same weights, the same numbers."""

import ast

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import END_ID, ModelConfig, Seq2Seq, copy_weights, cross_entropy, greedy_search, step_of
from tools.teaching import course

SOURCES = {c.id: c.source for c in course.read(course.NOTEBOOKS / "whole_translator.ipynb").cells if "outputs" in c}
SOURCE_IDS = tf.constant([[5, 6, 7, 4], [8, 4, 0, 0]])
TARGET_IN = tf.constant([[1, 7, 8], [1, 9, 0]])


@pytest.fixture(scope="module")
def page():
    """What the page defines, without what it does; its settings and the vocabulary's numbers."""
    names = {}
    for name, source in SOURCES.items():
        tree, kinds = ast.parse(source), (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)
        if name not in ("settings", "tokenizer"):
            tree.body = [n for n in tree.body if isinstance(n, kinds) and not getattr(n, "decorator_list", ())]
        exec(compile(tree, name, "exec"), names)
    return names


@pytest.fixture(scope="module")
def models(page):
    """The page's model and the package's, with the same weights."""
    ours, package = page["Seq2Seq"](50, 60, 16, 8), Seq2Seq(ModelConfig(50, 60, embedding_units=16, units=8))
    before, _ = ours(SOURCE_IDS, TARGET_IN)
    package.set_weights([weight + 0.1 for weight in package.get_weights()])  # biases, too, are not 0
    copy_weights(ours, package)
    assert not np.allclose(before, ours(SOURCE_IDS, TARGET_IN)[0], atol=1e-3)
    return ours, package


def test_it_is_one_page_and_imports_nothing_of_the_package():
    code = "\n".join(SOURCES.values())
    assert 300 <= len(code.splitlines()) <= 400
    assert not any(
        "nmt_attention" in ast.unparse(n) for n in ast.walk(ast.parse(code)) if isinstance(n, ast.ImportFrom)
    )
    assert "import nmt_attention" not in code and "set_up" not in code


def test_each_layer_computes_what_the_packages_does(models):
    ours, package = models
    mask = SOURCE_IDS != 0
    (values, state), (wanted, wanted_state) = (model.encoder(SOURCE_IDS, mask) for model in models)
    assert np.allclose(values[mask], wanted[mask], atol=1e-6) and np.allclose(state, wanted_state, atol=1e-6)
    mine, theirs = ours.decoder.attention, package.decoder.attention
    found = mine(state, mine.memory(values, mask))
    for one, other in zip(found, theirs(state, theirs.memory(values, mask, state)), strict=True):
        assert np.allclose(one, other, atol=1e-6)
    for one, other in zip(ours(SOURCE_IDS, TARGET_IN), package(SOURCE_IDS, TARGET_IN), strict=True):
        assert np.allclose(one, other, atol=1e-5)


def test_a_step_of_search_is_a_step_of_training(models):
    ours, _ = models
    logits, weights = ours(SOURCE_IDS, TARGET_IN)
    state, memory = ours.encode(SOURCE_IDS)
    for t in range(TARGET_IN.shape[1]):
        one, state, looked = ours.decoder.step(TARGET_IN[:, t], state, memory)
        assert np.allclose(one, logits[:, t], atol=1e-5) and np.allclose(looked, weights[:, t], atol=1e-6)


def test_the_loss_is_the_packages(page, models):
    logits, target_out = models[0](SOURCE_IDS, TARGET_IN)[0], tf.constant([[7, 8, 2], [9, 2, 0]])
    nll, tokens = page["cross_entropy"](logits, target_out)
    assert np.allclose([nll, tokens], cross_entropy(logits, target_out)[1:], rtol=1e-6)


def test_greedy_search_finds_what_the_packages_does(page, models):
    ours, package = models
    for bias in (0.0, 2.0, 4.0):  # of END: rows that never end, and rows that do
        for model in models:
            model.decoder.output_bias.assign(tf.one_hot(END_ID, 60, bias))
        page |= {"model": ours, "step": ours.decoder.step}
        ids, weights = page["greedy_search"](SOURCE_IDS)
        state, memory = package.encode(SOURCE_IDS)
        wanted, wanted_weights, _ = greedy_search(step_of(package), state, tf.fill([2], 18), (memory,))
        for row, looked, right, right_looked in zip(ids, weights, wanted.numpy(), wanted_weights, strict=True):
            length = list(right).index(END_ID) + 1 if END_ID in right else 18
            assert np.array_equal(row[:length], right[:length])
            assert np.allclose(looked[:length], right_looked[:length], atol=1e-6)


def test_pairs_that_share_a_sentence_stay_together(page):
    pairs = [("a.", "x"), ("b.", "x"), ("B.", "y"), ("c.", "y"), ("d.", "z"), ("e.", "d.")]
    keys = page["group_keys"](pairs)
    assert len(set(keys[:4])) == 1 and len(set(keys)) == 3
    parts = page["split_pairs"]([(str(i), str(i // 2)) for i in range(2000)])
    assert list(map(len, parts)) == pytest.approx([1800, 100, 100], abs=40)
    for side in (0, 1):
        seen = [{pair[side] for pair in part} for part in parts]
        assert sum(map(len, seen)) == len(set.union(*seen))


def test_a_vocabulary_is_of_words_that_occur_twice_and_marathi_words_stay_whole(page):
    tokenizer = page["WordTokenizer"].learn(["माझी बहीण, don’t!", "माझी Don't!"], fold_case=True)
    assert tokenizer.vocabulary[4:] == ["माझी", "don't", "!"]
    assert tokenizer.encode("माझी बहीण Don't!") == [4, 3, 5, 6]
    assert tokenizer.detokenize(tokenizer.tokenize("माझी बहीण, हो!")) == "माझी बहीण, हो!"
