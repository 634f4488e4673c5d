"""Laws that hold for every input: each test states one, and hypothesis makes up what it is tried with."""

import functools

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nmt_attention import END_ID, PAD_ID, UNKNOWN_ID, masked_softmax, normalize, part_of, score
from nmt_attention.search import beam_search, greedy_search, repeat_rows
from nmt_attention.text import find_words

law = settings(deadline=None, derandomize=True, database=None, max_examples=60)
few = settings(law, max_examples=12)  # where TensorFlow computes

any_text = st.text(st.characters(exclude_categories=()), max_size=30)  # lone surrogates, controls and all
SIGNS = "अआएकखगतनमरलसहािीुूेो्ंँःॉ़ऱॅॲ१२३\u200c\u200d"
marathi = st.text(SIGNS + "abAB12  .,:?!'\"-–()।", max_size=30)
mixed = st.one_of(marathi, any_text)
LINES = ["मी शाळेत जातो.", "ती पुस्तक वाचते.", "Rahul is a good boy.", "किंमत १,००० रुपये आहे!", 'She said, "Go home!"']
KNOWN = [word for line in LINES for word in line.replace(",", "").replace('"', "").split() if word[-1].isalpha()]
known_words = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=12)
kinds = pytest.mark.parametrize("kind", ["word", "character", "subword"])


@functools.cache
def tokenizer(kind, fold_case):
    return part_of("tokenizer", kind).learn(LINES * 3, 120, fold_case)


@law
@given(text=mixed, fold_case=st.booleans())
def test_a_normalised_text_is_its_own_spelling(text, fold_case):
    once = normalize(text, fold_case)
    assert normalize(once, fold_case) == once


@law
@given(text=marathi, other=marathi, invisible=st.sampled_from("\u00ad\u200b\u200e\u200f\u202a\u2060\u2069\ufeff"))
def test_what_nobody_sees_makes_no_other_text(text, other, invisible):
    assert normalize(f"{invisible}{text}{invisible}{other}{invisible}") == normalize(text + other)


@kinds
@law
@given(words=known_words, end=st.sampled_from(["", ".", "!"]), alpha=st.sampled_from([0.0, 0.1, 1.0]))
def test_known_text_comes_back_from_its_ids_and_from_drawn_ones(kind, words, end, alpha):
    text, found = " ".join(words) + end, tokenizer(kind, False)
    assert found.decode(found.encode_all([text], alpha, 1).values.tolist()) == normalize(text) == text


@kinds
@law
@given(text=mixed, fold_case=st.booleans())
@example(text="", fold_case=True)
@example(text="\u0301 ▁▁ \ud800 <start> <unknown>", fold_case=True)
@example(text="<end>", fold_case=False)
def test_any_text_has_ids_in_range_tokens_that_spell_it_and_the_words_that_are_linked(kind, text, fold_case):
    found = tokenizer(kind, fold_case)
    tokens, ids = found.tokenize(text), found.encode(text)
    assert all(UNKNOWN_ID <= i < len(found) for i in ids)
    assert ids == found.ids(tokens) == found.encode_all([text]).values.tolist()
    spelled, again = normalize(text, fold_case), found.detokenize(tokens)
    assert again == spelled or (kind == "word" and again.replace(" ", "") == spelled.replace(" ", ""))
    groups = found.words(tokens)
    assert [word for word, _ in groups] == [word.group() for word in find_words(spelled)]
    positions = {i for _, group in groups for i in group}
    assert positions <= set(range(len(tokens)))
    assert kind != "word" or len(positions) == len(tokens)


@few
@given(
    rows=st.lists(
        st.lists(st.tuples(st.floats(-1e4, 1e4, width=32), st.booleans()), min_size=3, max_size=3),
        min_size=1,
        max_size=4,
    ),
    padding=st.integers(0, 5),
    rubbish=st.sampled_from([0.0, 1e30, -1e30, float("inf"), float("-inf")]),
)
def test_weights_sum_to_one_and_padding_has_none_however_wide(rows, padding, rubbish):
    scores = np.array([[s for s, _ in row] for row in rows], np.float32)
    mask = np.array([[m for _, m in row] for row in rows])
    mask[:, 0] |= ~mask.any(axis=1)
    weights = masked_softmax(scores, mask).numpy()
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-5)
    assert (weights >= 0).all() and not weights[~mask].any()
    more = [(0, 0), (0, padding)]
    wider = masked_softmax(np.pad(scores, more, constant_values=rubbish), np.pad(mask, more)).numpy()
    np.testing.assert_allclose(wider[:, :3], weights, atol=1e-6)
    assert not wider[:, 3:].any()


VOCABULARY = 6
tables = st.lists(
    st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0]), min_size=VOCABULARY, max_size=VOCABULARY).filter(any),
    min_size=VOCABULARY,
    max_size=VOCABULARY,
)


@few
@given(
    table=tables,
    limits=st.lists(st.integers(0, 6), min_size=1, max_size=3).filter(any),
    beam_size=st.integers(1, 4),
    alpha=st.sampled_from([0.0, 1.0]),
)
@example(table=[[0, 0, 1, 0, 0, 0]] * VOCABULARY, limits=[2, 6], beam_size=3, alpha=0.0)
@example(table=[[0, 0, 0, 0, 1, 0]] * VOCABULARY, limits=[2, 6], beam_size=3, alpha=1.0)
def test_every_search_ends_within_its_limits_and_writes_nothing_after_the_end(table, limits, beam_size, alpha):
    with np.errstate(divide="ignore"):
        log_probs = np.log(np.array(table, np.float32) / np.sum(table, axis=1, keepdims=True)).astype(np.float32)
    log_probs[:, PAD_ID] = -np.inf  # as in translation
    rows = len(limits)

    def step(token_ids, state):
        return tf.gather(log_probs, token_ids), state + 1, tf.one_hot(state % 3, 3)

    state = tf.zeros([rows], tf.int32)
    for ids, weights, log_prob in (
        [tensor[:, np.newaxis] for tensor in greedy_search(step, state, tf.constant(limits))],
        beam_search(step, repeat_rows(state, beam_size), tf.constant(limits), beam_size, alpha),
    ):
        ids, weights, log_prob = (tensor.numpy() for tensor in (ids, weights, log_prob))
        assert ids.shape[2] == weights.shape[2] <= max(limits) and not np.isnan(log_prob).any()
        assert (log_prob <= 0).all()
        for limit, *hypotheses in zip(limits, ids, weights, strict=True):
            for written, attention in zip(*hypotheses, strict=True):
                assert not written[limit:].any() and not attention[limit:].any()
                ends = np.flatnonzero(written == END_ID)
                if ends.size:
                    assert not written[ends[0] + 1 :].any() and not attention[ends[0] + 1 :].any()


sentence = st.lists(st.sampled_from(["मी", "घरी", "जातो", "a", "b", "."]), min_size=4, max_size=7).map(" ".join)
scored = st.lists(st.tuples(st.one_of(mixed, sentence), st.lists(sentence, min_size=1, max_size=3)), min_size=1)


@settings(law, max_examples=25)
@given(rows=scored, data=st.data())
def test_scores_are_in_range_in_any_order_and_full_for_a_reference(rows, data):
    one, other = (score(*map(list, zip(*r, strict=True))) for r in (rows, data.draw(st.permutations(rows))))
    assert all(-1e-9 <= value <= 100 + 1e-6 for value in one[2:7])
    assert one[2:7] == pytest.approx(other[2:7])
    full = score([texts[-1] for _, texts in rows], [texts for _, texts in rows])
    assert (full.bleu, full.chrf, full.exact) == (pytest.approx(100), pytest.approx(100), 100)
