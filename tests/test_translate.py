import dataclasses
import itertools

import keras
import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.text import CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.translate import MAX_SOURCE_LENGTH, Translator
from nmt_attention.vocabulary import PAD_ID, START_ID, UNKNOWN_ID

ENGLISH = ["The boy goes to school.", "The girl reads a book.", "Where is the school?", "I read books."]
MARATHI = ["मुलगा शाळेत जातो.", "मुलगी पुस्तक वाचते.", "शाळा कुठे आहे?", "मी पुस्तकं वाचतो."]
SENTENCES = [*ENGLISH, "the school", "A girl.", "Is the boy reading the book the girl reads at school?"]


@pytest.fixture(scope="module", params=[SubwordTokenizer, WordTokenizer, CharacterTokenizer])
def translator(request):
    """Untrained, so that its distributions are nearly flat: the hardest case for anything that must not change."""
    keras.utils.set_random_seed(0)
    source = request.param.learn(ENGLISH, 60, fold_case=True)
    target = request.param.learn(MARATHI, 60)
    lexical = request.param is SubwordTokenizer
    model = Seq2Seq(ModelConfig(len(source), len(target), units=16, embedding_units=16, lexical=lexical))
    for weight in model.weights:
        weight.assign(weight * 3.0)
    return Translator(model, source, target)


def test_a_translation_carries_its_tokens_attention_and_score(translator):
    (translation,) = translator.translate(["The boy goes to school."])
    assert translation.source == "The boy goes to school."
    assert translation.source_tokens == translator.source_tokenizer.tokenize("The boy goes to school.")
    assert translation.attention.shape == (len(translation.target_tokens), len(translation.source_tokens))
    np.testing.assert_allclose(translation.attention.sum(axis=1), 1.0, atol=1e-5)
    assert translation.score < 0
    plain = [token for token in translation.target_tokens if token != "<end>"]
    assert "<start>" not in plain and "<pad>" not in plain
    assert translation.text == translator.target_tokenizer.detokenize(plain)


def test_order_is_kept_and_a_row_does_not_depend_on_its_batch(translator):
    together = translator.translate(SENTENCES)
    for sentence, found in zip(SENTENCES, together, strict=True):
        (alone,) = translator.translate([sentence])
        assert found.source == sentence
        assert (found.text, found.target_tokens) == (alone.text, alone.target_tokens)
        np.testing.assert_allclose(found.attention, alone.attention, atol=1e-5)
        np.testing.assert_allclose(found.score, alone.score, rtol=1e-4)
    small = translator.translate(SENTENCES, batch_size=2)
    assert [t.text for t in small] == [t.text for t in together]


def test_empty_lines_have_empty_translations_and_no_lines_have_none(translator):
    first, middle, last = translator.translate(["", "The school.", " \t\n"])
    assert (first.text, first.source_tokens, first.target_tokens, first.score) == ("", [], [], 0.0)
    assert first.attention.shape == (0, 0) and last.text == "" and last.source == " \t\n"
    assert middle.text == translator.translate(["The school."])[0].text
    assert translator.translate([]) == []


@pytest.mark.parametrize("sentence", ["😀🎉", "मी शाळेत जातो", "\x00\x07 school \x1b", "漢字", "<end>"])
def test_unknown_input_is_ordinary_input(translator, sentence):
    (translation,) = translator.translate([sentence])
    assert len(translation.source_tokens) == translation.attention.shape[1] > 0
    assert np.all(np.isfinite(translation.attention))


def test_a_very_long_sentence_is_translated_as_far_as_its_first_tokens(translator):
    (translation,) = translator.translate(["school " * 10_000])
    assert len(translation.source_tokens) == MAX_SOURCE_LENGTH
    assert len(translation.target_tokens) <= 2 * MAX_SOURCE_LENGTH + 10


@pytest.mark.parametrize("search", [{"beam_size": 2}, {"samples": 3}])
def test_a_model_whose_numbers_overflow_is_refused(search):
    tokenizer = WordTokenizer.learn(["a b"], 6)
    model = Seq2Seq(ModelConfig(6, 6, units=2, embedding_units=2))
    for weight in model.weights:
        weight.assign(np.full(weight.shape, 3e38))
    with pytest.raises(ValueError, match="'a b': no translation has a probability"):
        Translator(model, tokenizer, tokenizer).translate(["a b"], **search)


def test_a_tokeniser_that_does_not_fit_the_model_is_refused():
    three, six = (WordTokenizer.learn([text], 10) for text in ("a b c", "a b c d e f"))
    fitting, other = (Seq2Seq(ModelConfig(7, size, units=2, embedding_units=2)) for size in (7, 10))
    with pytest.raises(ValueError, match=r"^target_tokenizer: 10 tokens, but the model has 7, the target_vocabulary_"):
        Translator(fitting, three, six)
    with pytest.raises(ValueError, match=r"^source_tokenizer: 10 tokens, but the model has 7"):
        Translator(other, six, six)
    with pytest.raises(ValueError, match=r"^target_tokenizer: 7 tokens, but the model has 10"):
        Translator([fitting, other], three, three)


def test_one_string_instead_of_a_list_is_refused(translator):
    with pytest.raises(TypeError, match="expected a list of str"):
        translator.translate("The boy goes to school.")


def test_merging_sums_the_columns_and_averages_the_rows_of_a_words_pieces(translator):
    (pieces,) = translator.translate(["The boy goes to school."])
    (words,) = translator.translate(["The boy goes to school."], merge_subwords=True)
    assert words.source_tokens == ["the", "boy", "goes", "to", "school", "."]
    assert words.attention.shape == (len(words.target_tokens), 6)
    np.testing.assert_allclose(words.attention.sum(axis=1), 1.0, atol=1e-5)
    columns = translator.source_tokenizer.words(pieces.source_tokens)
    ends = pieces.target_tokens[-1] == "<end>"
    rows = translator.target_tokenizer.words(pieces.target_tokens[: len(pieces.target_tokens) - ends])
    for i, (_, row) in enumerate(rows):
        for j, (_, column) in enumerate(columns):
            expected = sum(pieces.attention[r, c] for r in row for c in column) / len(row)
            np.testing.assert_allclose(words.attention[i, j], expected, rtol=1e-4)
    assert (words.target_tokens[-1] == "<end>") == ends


@pytest.mark.parametrize("search", [{"beam_size": 100}, {"samples": 100}])
def test_a_beam_wider_than_all_sentences_holds_no_sentence_that_cannot_be_written(search):
    tokenizer = WordTokenizer.learn(["a b c"], 7)
    model = Seq2Seq(ModelConfig(len(tokenizer), len(tokenizer), units=8, embedding_units=8))
    bias = np.zeros(7)
    bias[UNKNOWN_ID] = -np.inf  # which could be written again and again
    model.decoder.output_bias.assign(bias)
    (found,) = Translator(model, tokenizer, tokenizer).n_best(["a b c"], no_repeat_ngrams=1, **search)
    sentences = {tuple(t.target_tokens) for t in found}
    # a, b and c in any order, as many of them as one likes, and the end
    every = {(*words, "<end>") for n in range(4) for words in itertools.permutations("abc", n)}
    assert sentences <= every and all(-1000 < t.score < 0 for t in found)
    if "beam_size" in search:
        assert len(found) == len(sentences) == len(every) == 16
        assert np.exp([t.score for t in found]).sum() < 1  # the rest is that of sentences with repetitions


@pytest.mark.parametrize("beam_size", [2, 5])
def test_every_hypothesis_of_a_beam_has_its_own_tokens_attention_and_score(translator, beam_size):
    best_ones = translator.translate(SENTENCES, beam_size=beam_size)
    for best, translations in zip(best_ones, translator.n_best(SENTENCES, beam_size=beam_size), strict=True):
        assert len(translations) == beam_size and translations[0].text == best.text
        assert len({tuple(t.target_tokens) for t in translations}) == beam_size
        for t in translations:
            assert t.attention.shape == (len(t.target_tokens), len(t.source_tokens))
            np.testing.assert_allclose(t.attention.sum(axis=1), 1.0, atol=1e-5)


def test_the_score_and_attention_of_a_hypothesis_are_those_of_writing_it(translator):
    source_ids = np.array([translator.source_tokenizer.encode("The boy goes to school.")])
    for found in translator.n_best(["The boy goes to school."], beam_size=4)[0]:
        ids = [translator.target_tokenizer.vocabulary.index(token) for token in found.target_tokens]
        logits, weights = translator.teacher_force(source_ids, np.array([[START_ID, *ids[:-1]]]))
        logits = np.array(logits[0])
        logits[:, [PAD_ID, START_ID]] = -np.inf  # never written
        log_probs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        np.testing.assert_allclose(sum(row[i] for row, i in zip(log_probs, ids, strict=True)), found.score, rtol=1e-4)
        np.testing.assert_allclose(weights[0], found.attention, atol=1e-5)


def test_a_beam_does_not_depend_on_its_batch(translator):
    for sentence, found in zip(SENTENCES, translator.n_best(SENTENCES, beam_size=3), strict=True):
        (alone,) = translator.n_best([sentence], beam_size=3)
        assert [t.text for t in found] == [t.text for t in alone]
        np.testing.assert_allclose([t.score for t in found], [t.score for t in alone], rtol=1e-4)


def test_sizes_below_one_are_refused(translator):
    with pytest.raises(ValueError, match="beam_size: expected from 1 to below 10,000, got 0"):
        translator.translate(["school"], beam_size=0)
    with pytest.raises(ValueError, match="batch_size: expected at least 1, got 0"):
        translator.translate(["school"], batch_size=0)


# --- search settings


def texts(found):
    return [[t.text for t in translations] for translations in found]


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ({"samples": -1}, "^samples: expected from 0 "),
        ({"samples": 2.5}, "^samples: expected a value of type int, got 2.5"),
        ({"samples": 2, "temperature": 0}, "^temperature: expected from 0.001 "),
        ({"samples": 2, "top_p": 1.5}, "^top_p: expected from 1e-09 to 1, got 1.5$"),
        ({"length_penalty": 10.0}, "^length_penalty: expected from 0 to below 10, got 10.0$"),
        ({"length_penalty": 0.5}, "^length_penalty: no effect unless beam_size is above 1, got beam_size 1$"),
        ({"samples": 2, "length_penalty": 0.5}, "^length_penalty: no effect unless beam_size is above 1"),
        ({"seed": 2}, "^seed: no effect unless samples is above 0, got samples 0$"),
        ({"beam_size": 2, "seed": 2}, "^seed: no effect unless samples is above 0"),
        (
            {"samples": 2, "beam_size": 3},
            "^samples: use either samples or beam_size above 1, got samples 2 and beam_size 3",
        ),
        ({"temperature": 0.5}, "^temperature: no effect unless samples is above 0"),
        ({"beam_size": 5, "top_k": 3}, "^top_k: no effect unless samples is above 0"),
        ({"minimum_bayes_risk": True}, "^minimum_bayes_risk: no effect unless beam_size or samples is above 1"),
        (
            {"samples": 1, "minimum_bayes_risk": True},
            "^minimum_bayes_risk: no effect unless beam_size or samples is above 1",
        ),
        ({"no_repeat_ngrams": -1}, "^no_repeat_ngrams: expected from 0 "),
    ],
)
def test_a_search_setting_that_is_wrong_or_of_no_use_is_named(translator, search, message):
    with pytest.raises(ValueError, match=message):
        translator.translate(["school"], **search)
    with pytest.raises(TypeError, match="beams"):
        translator.translate(["school"], beams=3)


def test_a_setting_of_no_use_is_not_refused_where_it_is_as_always(translator):
    usual = {"length_penalty": 1, "seed": 1, "top_p": 1}
    assert texts(translator.n_best(["school"], **usual)) == texts(translator.n_best(["school"]))


def test_a_sample_depends_on_its_sentence_and_the_seed_alone(translator):
    search = {"samples": 3, "temperature": 1.5, "top_p": 0.9}
    together = translator.n_best(SENTENCES, **search)
    assert all(len(found) == 3 for found in together)
    for batch_size in (1, 2):
        assert texts(translator.n_best(SENTENCES[::-1], batch_size, **search))[::-1] == texts(together)
    more = texts(translator.n_best(SENTENCES, **search | {"samples": 5}))
    assert all(set(few) <= set(many) for few, many in zip(texts(together), more, strict=True))
    assert texts(translator.n_best(SENTENCES, seed=2, **search)) != texts(together)


def test_samples_come_with_their_attention_and_score_the_best_first(translator):
    for found in translator.n_best(SENTENCES, samples=4):
        scores = [t.score for t in found]
        assert scores == sorted(scores, reverse=True)
        for t in found:
            assert t.attention.shape == (len(t.target_tokens), len(t.source_tokens))
            np.testing.assert_allclose(t.attention.sum(axis=1), 1.0, atol=1e-5)
            source_ids = np.array([translator.source_tokenizer.ids(t.source_tokens)])
            ids = [translator.target_tokenizer.vocabulary.index(token) for token in t.target_tokens]
            logits, _ = translator.teacher_force(source_ids, np.array([[START_ID, *ids[:-1]]]))
            logits = np.array(logits[0])
            logits[:, [PAD_ID, START_ID]] = -np.inf
            log_probs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
            expected = sum(row[i] for row, i in zip(log_probs, ids, strict=True))
            np.testing.assert_allclose(t.score, expected, rtol=1e-4)


def test_sampling_without_freedom_is_greedy_search(translator):
    greedy = texts(translator.n_best(SENTENCES))
    for search in ({"top_k": 1}, {"top_p": 1e-6}):
        assert texts(translator.n_best(SENTENCES, samples=1, **search)) == greedy


@pytest.mark.parametrize("search", [{}, {"beam_size": 3}, {"samples": 3}])
@pytest.mark.parametrize("n", [1, 2])
def test_no_tokens_are_repeated_where_that_is_forbidden(translator, n, search):
    def repeats(found):
        for t in (t for translations in found for t in translations):
            ngrams = list(zip(*(t.target_tokens[i:] for i in range(n)), strict=False))
            ngrams = [ngram for ngram in ngrams if "<unknown>" not in ngram]  # which may be any word
            yield len(ngrams) - len(set(ngrams))

    assert any(repeats(translator.n_best(SENTENCES, **search)))
    assert not any(repeats(translator.n_best(SENTENCES, no_repeat_ngrams=n, **search)))


@pytest.mark.parametrize("search", [{"beam_size": 4}, {"samples": 6}])
def test_least_risk_ranks_the_distinct_texts_of_a_search(translator, search):
    plain = translator.n_best(SENTENCES, **search)
    ranked = translator.n_best(SENTENCES, minimum_bayes_risk=True, **search)
    for before, after in zip(texts(plain), texts(ranked), strict=True):
        assert set(before) == set(after) and len(set(after)) == len(after)
    best = translator.translate(SENTENCES, minimum_bayes_risk=True, **search)
    assert [t.text for t in best] == [found[0].text for found in ranked]
    assert texts(plain) != texts(ranked)
    for t in best:
        assert t.attention.shape == (len(t.target_tokens), len(t.source_tokens))


def test_unknown_words_are_replaced_by_the_word_looked_at(translator):
    if translator.target_tokenizer.kind != "word":
        with pytest.raises(ValueError, match="replace_unknown: expected a word model, got a (sub|char)"):
            translator.translate(["school"], replace_unknown=True)
        return
    bias = translator.models[0].decoder.output_bias
    before = bias.numpy()
    bias.assign(before + 20.0 * np.eye(len(before))[UNKNOWN_ID])  # nothing but unknown words
    try:
        for search in ({}, {"beam_size": 2}, {"samples": 2}):
            (plain,) = translator.translate(["The boy goes to Pune."], **search)
            (found,) = translator.translate(["The boy goes to Pune."], replace_unknown=True, **search)
            (merged,) = translator.translate(["The boy goes to Pune."], 64, True, replace_unknown=True, **search)
            assert set(plain.target_tokens) == {"<unknown>"} and "<unknown>" in plain.text
            words = ["The", "boy", "goes", "to", "Pune", "."]
            assert found.target_tokens == [words[i] for i in plain.attention.argmax(axis=1)]
            assert found.text == translator.target_tokenizer.detokenize(found.target_tokens)
            assert (merged.text, merged.target_tokens) == (found.text, found.target_tokens)
            assert found.source_tokens == plain.source_tokens and found.score == plain.score
    finally:
        bias.assign(before)


# --- several models


def another_model(translator, **changes):
    config = dataclasses.replace(translator.models[0].config, **changes)
    model = Seq2Seq(config)
    for weight in model.weights:
        weight.assign(weight * 3.0)
    return model


@pytest.mark.parametrize("search", [{}, {"beam_size": 3}, {"samples": 3}])
def test_a_model_twice_translates_like_the_model(translator, search):
    (model,) = translator.models
    twice = Translator([model, model], translator.source_tokenizer, translator.target_tokenizer)
    for alone, both in zip(translator.n_best(SENTENCES, **search), twice.n_best(SENTENCES, **search), strict=True):
        assert [t.target_tokens for t in alone] == [t.target_tokens for t in both]
        for one, two in zip(alone, both, strict=True):
            np.testing.assert_allclose(one.score, two.score, rtol=1e-4)
            np.testing.assert_allclose(one.attention, two.attention, atol=1e-5)


def test_what_an_ensemble_writes_is_scored_as_it_scores_what_it_is_given(translator):
    models = [*translator.models, another_model(translator, units=8)]
    both = Translator(models, translator.source_tokenizer, translator.target_tokenizer)
    for search in ({}, {"beam_size": 3}):
        for found in both.translate(SENTENCES, **search):
            ids = [both.target_tokenizer.vocabulary.index(token) for token in found.target_tokens]
            source_ids = np.array([both.source_tokenizer.ids(found.source_tokens)])
            logits, weights = both.teacher_force(source_ids, np.array([[START_ID, *ids[:-1]]]))
            logits = np.array(logits[0])
            np.testing.assert_allclose(np.exp(logits).sum(axis=1), 1.0, rtol=1e-4)  # they are log-probabilities
            logits[:, [PAD_ID, START_ID]] = -np.inf
            log_probs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
            expected = sum(row[i] for row, i in zip(log_probs, ids, strict=True))
            np.testing.assert_allclose(found.score, expected, rtol=1e-4)
            np.testing.assert_allclose(found.attention, weights[0], atol=1e-5)
    alone = translator.translate(SENTENCES)
    assert [t.text for t in alone] != [t.text for t in both.translate(SENTENCES)]
    (attended,) = both.attend([(ENGLISH[0], MARATHI[0])], merge_subwords=True)
    assert attended.attention.shape == (4 + 1, 6)


def test_models_are_loaded_together_if_their_tokenisers_are_the_same(translator, tmp_path):
    tokenizers = translator.source_tokenizer, translator.target_tokenizer
    models = [*translator.models, another_model(translator, units=8)]
    for name, model in zip(("a", "b"), models, strict=True):
        save_bundle(tmp_path / name, model, *tokenizers)
    loaded = Translator.load(tmp_path / "a", tmp_path / "b")
    expected = Translator(models, *tokenizers).translate(SENTENCES)
    assert [t.text for t in loaded.translate(SENTENCES)] == [t.text for t in expected]

    other = type(tokenizers[1]).learn([*MARATHI, "ती घरी जाते."], 60)
    config = dataclasses.replace(models[0].config, target_vocabulary_size=len(other))
    save_bundle(tmp_path / "c", Seq2Seq(config), tokenizers[0], other)
    with pytest.raises(ValueError, match="a and .*c: an ensemble's target tokenisers must be the same"):
        Translator.load(tmp_path / "a", tmp_path / "c")


@pytest.mark.parametrize("pairs", [(ENGLISH[0], MARATHI[0]), [ENGLISH[0]]])
def test_attention_to_a_pair_that_stands_in_no_list_is_refused(translator, pairs):
    with pytest.raises(TypeError, match=r"write attend\(\[\(source, target\)\]\)"):
        translator.attend(pairs)


@pytest.mark.parametrize("pair", [("", MARATHI[0]), (ENGLISH[0], " \u200b")])
def test_attention_to_an_empty_side_is_refused(translator, pair):
    with pytest.raises(ValueError, match="pairs: expected words on both sides, got"):
        translator.attend([pair])
