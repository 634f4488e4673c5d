"""Laws that hold for every input: each test states one, and hypothesis makes up what it is tried with."""

import collections
import functools
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nmt_attention.alignment.scores import read_alignments
from nmt_attention.attention import masked_softmax
from nmt_attention.batches import make_dataset
from nmt_attention.corpus import Pair, sentence_key, split_pairs
from nmt_attention.decoding.sampling import sample
from nmt_attention.disk.pairs import read_pairs, write_pairs
from nmt_attention.figures.html import attention_html
from nmt_attention.metrics import score
from nmt_attention.search import beam_search, greedy_search, repeat_rows
from nmt_attention.spelling import normalize
from nmt_attention.text import TOKENIZERS
from nmt_attention.translate import Translation
from nmt_attention.vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, UNKNOWN_ID, RaggedIds

law = settings(deadline=None, derandomize=True, database=None, max_examples=60)
few = settings(law, max_examples=15)  # where TensorFlow computes

any_text = st.text(st.characters(exclude_categories=()), max_size=30)  # lone surrogates, controls and all
SIGNS = "अआएकखगतनमरलसहािीुूेो्ंँःॉ़ऱॅॲ१२३\u200c\u200d"
marathi = st.text(SIGNS + "abAB12  .,:?!'\"-–()।", max_size=30)
mixed = st.one_of(marathi, any_text)
LINES = ["मी शाळेत जातो.", "ती पुस्तक वाचते.", "Rahul is a good boy.", "किंमत १,००० रुपये आहे!", 'She said, "Go home!"']
KNOWN = [word for line in LINES for word in line.replace(",", "").replace('"', "").split() if word[-1].isalpha()]
known_words = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=12)


@functools.cache
def tokenizer(kind, fold_case):
    return TOKENIZERS[kind].learn(LINES * 3, 120, fold_case)


kinds = pytest.mark.parametrize("kind", TOKENIZERS)


def in_file(name, data, read):
    """What `read` says of a file with this content."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_bytes(data)
        return read(path)


# --- spelling


@law
@given(text=mixed, fold_case=st.booleans())
def test_a_normalised_text_is_its_own_spelling(text, fold_case):
    once = normalize(text, fold_case)
    assert normalize(once, fold_case) == once


@law
@given(text=marathi, other=marathi, invisible=st.sampled_from("\u00ad\u200b\u200e\u200f\u202a\u2060\u2069\ufeff"))
def test_what_nobody_sees_makes_no_other_text(text, other, invisible):
    assert normalize(f"{invisible}{text}{invisible}{other}{invisible}") == normalize(text + other)


@law
@given(words=st.lists(known_words.map(" ".join), min_size=1, max_size=3), joiner=st.sampled_from("\u200c\u200d"))
def test_a_joiner_at_the_edge_of_a_word_makes_no_other_word(words, joiner):
    assert normalize(" ".join(f"{joiner}{word}{joiner}" for word in words)) == " ".join(words)


# --- tokenisers


@kinds
@law
@given(words=known_words, end=st.sampled_from(["", ".", "!"]))
def test_known_text_comes_back_from_its_ids(kind, words, end):
    text = " ".join(words) + end
    found = tokenizer(kind, False)
    assert found.decode(found.encode(text)) == normalize(text) == text


@kinds
@law
@given(text=mixed, fold_case=st.booleans())
@example(text="", fold_case=True)
@example(text="\u0301 ▁▁ \ud800", fold_case=True)
def test_any_text_has_ids_in_range_and_tokens_that_spell_it(kind, text, fold_case):
    found = tokenizer(kind, fold_case)
    tokens, ids = found.tokenize(text), found.encode(text)
    assert all(UNKNOWN_ID <= i < len(found) for i in ids)
    assert ids == found.ids(tokens) == found.encode_all([text]).values.tolist()
    assert isinstance(found.decode(ids), str)
    spelled = normalize(text, fold_case)
    assert found.detokenize(tokens).replace(" ", "") == spelled.replace(" ", "")
    if kind != "word":
        assert found.detokenize(tokens) == spelled


@kinds
@law
@given(text=mixed)
def test_the_words_of_any_tokens_are_those_of_the_word_tokenizer(kind, text):
    found = tokenizer(kind, False)
    tokens = found.tokenize(text)
    groups = found.words(tokens)
    assert [word for word, _ in groups] == tokenizer("word", False).tokenize(text)
    assert {i for _, group in groups for i in group} <= set(range(len(tokens)))


@kinds
@law
@given(words=known_words, alpha=st.sampled_from([0.1, 1.0]), seed=st.integers(0, 9))
def test_a_drawn_segmentation_spells_what_the_plain_one_spells(kind, words, alpha, seed):
    found, text = tokenizer(kind, False), " ".join(words)
    drawn = found.encode_all([text], alpha, seed).values.tolist()
    assert found.decode(drawn) == found.decode(found.encode(text)) == text


# --- pairs


columns = st.lists(st.one_of(st.sampled_from([b"a", b"\xe0\xa4\x95", b" ", b"\xff", b"\0"]), st.binary()), max_size=4)
lines = st.lists(columns.map(b"\t".join), max_size=5)


@law
@given(data=st.one_of(st.binary(max_size=40), lines.map(b"\n".join)))
@example(data="I go.\tमी जातो.\n".encode("utf-16"))
@example(data="I go.\tJa.".encode("utf-16-le"))
def test_any_bytes_are_pairs_or_an_error_that_names_file_and_line(data):
    def read(path):
        try:
            return read_pairs(path)
        except ValueError as error:
            assert str(error).startswith(f"{path}, line ") or str(error) == f"{path}: holds no sentence pairs"
            assert "\n" not in str(error)

    pairs = in_file("pairs.tsv", data, read)
    for pair in pairs or ():
        assert normalize(pair.source) and normalize(pair.target)
        assert not {"\t", "\n", "\0"} & set("".join(pair))
    if pairs:
        assert len(pairs) <= data.count(b"\n") + 1


cell = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), max_size=20)
pair = st.builds(Pair, cell.filter(normalize), cell.filter(normalize), cell)


@law
@given(pairs=st.lists(pair, min_size=1, max_size=8))
def test_pairs_that_were_written_are_read_back(pairs):
    with tempfile.TemporaryDirectory() as directory:
        write_pairs(Path(directory) / "pairs.tsv", pairs)
        assert read_pairs(Path(directory) / "pairs.tsv") == pairs
        assert os.listdir(directory) == ["pairs.tsv"]


short = st.text("aAb.!क ", min_size=1, max_size=3)  # so short that they meet
shared = st.lists(st.one_of(st.builds(Pair, short, short), pair), max_size=25)


def sides(pairs):
    return {pair: name for name, part in split_pairs(pairs)._asdict().items() for pair in part}


@law
@given(pairs=shared, data=st.data())
def test_a_split_is_the_same_in_any_order_and_with_repeated_pairs(pairs, data):
    repeated = data.draw(st.permutations(pairs + pairs[: data.draw(st.integers(0, len(pairs)))]))
    assert sides(repeated) == sides(pairs)
    assert collections.Counter(pair for part in split_pairs(repeated) for pair in part) == collections.Counter(repeated)


@law
@given(pairs=shared)
def test_no_sentence_is_on_two_sides(pairs):
    found = sides(pairs)
    for column in (0, 1):
        places = collections.defaultdict(set)
        for pair, side in found.items():
            places[sentence_key(pair[column])].add(side)
        assert all(len(names) == 1 for names in places.values())


# --- batches


row = st.lists(st.integers(4, 20), max_size=5)


@few
@given(
    rows=st.lists(st.tuples(row, row), min_size=1, max_size=20),
    batch_size=st.integers(1, 8),
    seed=st.one_of(st.none(), st.integers(0, 99)),
    epoch=st.integers(0, 3),
)
def test_every_pair_is_in_one_batch_and_the_seed_says_which(rows, batch_size, seed, epoch):
    def read():
        source, target = (RaggedIds.of(side) for side in zip(*rows, strict=True))
        batches = [[ids.numpy() for ids in batch] for batch in make_dataset(source, target, batch_size, seed, epoch)]
        assert [len(source) for source, *_ in batches].count(batch_size) >= len(rows) // batch_size
        return [
            tuple(tuple(i for i in ids.tolist() if i != PAD_ID) for ids in (source, target_in[1:]))
            for batch in batches
            for source, target_in, _ in zip(*batch, strict=True)
        ]

    found = read()
    assert collections.Counter(found) == collections.Counter((tuple(s), tuple(t)) for s, t in rows)
    assert read() == found


# --- attention


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


# --- search

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
    seed=st.integers(0, 99),
)
@example(table=[[0, 0, 1, 0, 0, 0]] * VOCABULARY, limits=[2, 6], beam_size=3, alpha=0.0, seed=0)
@example(table=[[0, 0, 0, 0, 1, 0]] * VOCABULARY, limits=[2, 6], beam_size=3, alpha=1.0, seed=0)
def test_every_search_ends_within_its_limits_and_writes_nothing_after_the_end(table, limits, beam_size, alpha, seed):
    with np.errstate(divide="ignore"):
        log_probs = np.log(np.array(table, np.float32) / np.sum(table, axis=1, keepdims=True)).astype(np.float32)
    log_probs[:, PAD_ID] = -np.inf  # as in translation
    rows = len(limits)

    def step(token_ids, state):
        return tf.gather(log_probs, token_ids), state + 1, tf.one_hot(state % 3, 3)

    state, draws = tf.zeros([rows], tf.int32), np.random.default_rng(seed).random((rows, 6)).astype(np.float32)
    for ids, weights, log_prob in (
        [tensor[:, np.newaxis] for tensor in greedy_search(step, state, tf.constant(limits))],
        [tensor[:, np.newaxis] for tensor in sample(step, state, tf.constant(limits), draws)],
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


# --- scores


sentence = st.lists(st.sampled_from(["मी", "घरी", "जातो", "a", "b", "."]), min_size=4, max_size=7).map(" ".join)
scored = st.lists(st.tuples(st.one_of(mixed, sentence), st.lists(sentence, min_size=1, max_size=3)), min_size=1)


@settings(law, max_examples=25)
@given(rows=scored, data=st.data())
def test_scores_are_in_range_and_do_not_depend_on_the_order_of_sentences(rows, data):
    one, other = (score(*map(list, zip(*r, strict=True))) for r in (rows, data.draw(st.permutations(rows))))
    for name in ("bleu", "chrf", "exact"):
        assert -1e-9 <= getattr(one, name) <= 100 + 1e-6
    for value, same in zip(one[2:7], other[2:7], strict=True):
        assert value == pytest.approx(same)


@settings(law, max_examples=25)
@given(rows=scored, pick=st.integers(0, 2))
def test_a_reference_has_the_full_score(rows, pick):
    found = score([texts[pick % len(texts)] for _, texts in rows], [texts for _, texts in rows])
    assert (found.bleu, found.chrf, found.exact) == (pytest.approx(100), pytest.approx(100), 100)


# --- alignments


links = st.text("SPX:0129-० ", max_size=8)


@law
@given(
    data=st.one_of(
        st.binary(max_size=30),
        st.lists(st.lists(st.one_of(st.sampled_from(["11", "22", "a b", "क"]), links, any_text), max_size=4)).map(
            lambda rows: "\n".join("\t".join(row) for row in rows).encode("utf-8", "surrogatepass")
        ),
    )
)
@example(data=b"11\t22\tS:" + b"9" * 5000 + b"-0")
def test_any_alignments_are_read_or_an_error_names_the_line(data):
    pairs = [Pair("a b", "क", "#11 #22")]

    def read(path):
        try:
            return read_alignments(path, pairs)
        except ValueError as error:
            assert str(error).startswith(f"{path}, line ") or str(error) == f"{path}: holds no alignments"

    found = in_file("gold.tsv", data, read)
    for gold in found[0] if found else ():
        assert gold.sure <= gold.possible and gold.possible
        words = [tokenizer("word", False).tokenize(text) for text in gold.pair[:2]]
        assert all(i < len(words[0]) and j < len(words[1]) for i, j in gold.possible)


# --- heatmaps as HTML

HOSTILE = ["<script>", "</script>", "</style>", "<!--", "-->", '" onclick="x', "'", "&lt;", "<img src=x>", "\0", "\r"]
tokens = st.lists(st.one_of(st.sampled_from(HOSTILE), any_text), min_size=1, max_size=4)


def shape(page):
    """Every element with its attributes' names: what may not depend on the tokens, but for the language."""
    return [(tag, sorted(set(attributes) - {"lang"})) for tag, attributes, _ in page.found]


@law
@given(source=tokens, target=tokens)
def test_no_token_makes_an_element_or_an_attribute(source, target):
    from conftest import HtmlReader

    weights = np.full((len(target), len(source)), 1 / len(source))
    piece, plain = (
        attention_html(Translation("", "", s, t, weights, 0.0), show_end=True)
        for s, t in ((source, target), (["a"] * len(source), ["a"] * len(target)))
    )
    page, expected = HtmlReader(piece), HtmlReader(plain)
    assert shape(page) == shape(expected)
    for tag in ("style", "script"):
        assert page.all(tag) == expected.all(tag)
    assert [text for attributes, text in page.all("th") if attributes["scope"] == "col"] == source
    assert [text for attributes, text in page.all("th") if attributes["scope"] == "row"] == target
    assert [text for _, text in page.all("button")] == source + target


def test_the_special_tokens_are_what_these_laws_take_them_for():
    assert [SPECIAL_TOKENS[i] for i in (PAD_ID, END_ID, UNKNOWN_ID)] == ["<pad>", "<end>", "<unknown>"]
