"""What a translator promises of every translation, and of every search."""

from types import SimpleNamespace

import numpy as np
import pytest

from nmt_attention import CharacterTokenizer, ModelConfig, Seq2Seq, WordTokenizer
from nmt_attention.decoding.words import in_words
from nmt_attention.translate import MAX_SOURCE_LENGTH, Preprocessor, Translation, Translator
from nmt_attention.vocabulary import END_ID, SPECIAL_TOKENS

PAIR = "The boy goes to school.", "मुलगा शाळेत जातो."
SENTENCES = [
    *("The boy goes to school.", "The girl reads a book.", "Where is the school?", "the school"),
    "Is the boy reading the book the girl reads at school?",
]
BEAM, SAMPLES = {"beam_size": 3}, {"samples": 3, "temperature": 1.5, "top_p": 0.9}
SEARCHES = {}, BEAM, SAMPLES


def test_a_translation_carries_its_tokens_its_text_and_where_asked_its_words(any_translator):
    (found,) = any_translator.translate(["The boy goes to school."])
    assert found.source_tokens == any_translator.source_tokenizer.tokenize("The boy goes to school.")
    plain = [token for token in found.target_tokens if token != "<end>"]
    assert not {"<start>", "<pad>"} & set(plain)
    assert found.text == any_translator.target_tokenizer.detokenize(plain)
    (words,) = any_translator.translate(["The boy goes to school."], merge_subwords=True)
    assert words.source_tokens == ["the", "boy", "goes", "to", "school", "."]
    np.testing.assert_allclose(words.attention.sum(axis=1), 1.0, atol=1e-5)
    assert words.attention.shape == (len(words.target_tokens), 6)


def test_empty_lines_have_empty_translations_and_no_lines_have_none(translator):
    first, middle, last = translator.translate(["", "The school.", " \t\n"])
    assert (first.text, first.source_tokens, first.target_tokens, first.score) == ("", [], [], 0.0)
    assert first.attention.shape == (0, 0) and last.text == "" and last.source == " \t\n"
    assert middle.text == translator.translate(["The school."])[0].text and translator.translate([]) == []


def test_unknown_input_is_ordinary_input_and_of_very_long_input_the_first_tokens_are_translated(any_translator):
    odd = ["😀🎉", "मी शाळेत जातो", "\x00\x07 school \x1b", "漢字", "<end>", "school " * 10_000]
    for found in any_translator.translate(odd):
        assert len(found.source_tokens) == found.attention.shape[1] > 0
        assert np.all(np.isfinite(found.attention))
    assert len(found.source_tokens) == MAX_SOURCE_LENGTH and len(found.target_tokens) <= 2 * MAX_SOURCE_LENGTH + 10


def test_in_words_a_column_is_the_sum_and_a_row_the_mean_of_a_word_s_pieces():
    letters = CharacterTokenizer(SPECIAL_TOKENS)
    tokenizers = SimpleNamespace(source_tokenizer=letters, target_tokenizer=letters)
    attention = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.2], [0, 0, 0, 1]], np.float32)
    pieces = Translation("ab c", "xy", ["a", "b", "▁", "c"], ["x", "y", "<end>"], attention, -1.0)
    words = in_words(tokenizers, pieces._replace(probabilities=[0.9, 0.4, 1.0]))
    assert words.probabilities == pytest.approx([0.6, 1.0])  # the root of 0.9 · 0.4
    # a space goes with what follows
    assert (words.source_tokens, words.target_tokens) == (["ab", "c"], ["xy", "<end>"])
    np.testing.assert_allclose(words.attention, [[(0.3 + 0.6) / 2, (0.7 + 0.4) / 2], [0, 1]], atol=1e-6)
    both = pieces._replace(source_tokens=["a", "b."], target_tokens=["x"], attention=np.array([[0.4, 0.6]]))
    words = in_words(tokenizers, both)  # a piece of two words gives half of its weight to each
    assert words.source_tokens == ["ab", "."]
    np.testing.assert_allclose(words.attention, [[0.4 + 0.3, 0.3]], rtol=1e-6)


def test_attention_to_a_given_translation_is_that_of_writing_it(translator, score_of_writing):
    (found,) = translator.attend([PAIR])
    score, attention = score_of_writing(translator, found)
    assert found.text == PAIR[1] and found.target_tokens[-1] == "<end>"
    np.testing.assert_allclose(found.score, score, rtol=1e-4)
    np.testing.assert_allclose(found.attention, attention, atol=1e-6)
    (words,) = translator.attend([PAIR], merge_subwords=True)
    assert words.attention.shape == (4 + 1, 6)


def texts(found):
    return [[t.text for t in translations] for translations in found]


@pytest.mark.parametrize("search", SEARCHES)
def test_hypotheses_come_best_first_with_the_score_and_attention_of_writing_them(translator, score_of_writing, search):
    for found in translator.n_best(SENTENCES[:3], probabilities=True, **search):
        assert len(found) == (search.get("samples") or search.get("beam_size", 1))
        assert [t.score for t in found] == sorted((t.score for t in found), reverse=True)
        assert search != BEAM or len({tuple(t.target_tokens) for t in found}) == len(found)
        for t in found:
            np.testing.assert_allclose(np.log(t.probabilities).sum(), t.score, rtol=1e-4)
            np.testing.assert_allclose(np.log(t.probabilities).mean(), np.log(t.certainty), rtol=1e-4)
            score, attention = score_of_writing(translator, t)
            np.testing.assert_allclose(t.score, score, rtol=1e-4)
            np.testing.assert_allclose(t.attention, attention, atol=1e-5)
            np.testing.assert_allclose(t.attention.sum(axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_translation_depends_on_neither_order_nor_batch(translator, search):
    together = translator.n_best(SENTENCES, **search)
    assert texts(translator.n_best(SENTENCES[::-1], 2, **search))[::-1] == texts(together)
    assert [t.source for t in translator.translate(SENTENCES, **search)] == SENTENCES
    assert [t.text for t in translator.translate(SENTENCES, **search)] == [found[0].text for found in together]
    for found, sentence in zip(together[-2:], SENTENCES[-2:], strict=True):
        (alone,) = translator.n_best([sentence], **search)
        np.testing.assert_allclose([t.score for t in found], [t.score for t in alone], rtol=1e-4)


def test_a_text_that_a_beam_writes_with_other_tokens_too_is_one_hypothesis():
    tokenizer = CharacterTokenizer([*SPECIAL_TOKENS, "a", "b", "ab"])
    translator = Translator(Seq2Seq(ModelConfig(7, 7, units=2, embedding_units=2)), tokenizer, tokenizer)
    found = [t.text for t in translator.n_best(["ab"], beam_size=100)[0]]
    assert "ab" in found and len(set(found)) == len(found) < 100


def test_samples_are_drawn_by_the_seed_and_minimum_bayes_risk_ranks_the_distinct_texts_of_a_search(translator):
    three, other = (texts(translator.n_best(SENTENCES, **SAMPLES, seed=seed)) for seed in (1, 2))
    five = texts(translator.n_best(SENTENCES, **SAMPLES | {"samples": 5}))
    assert three != other and all(set(few) <= set(many) for few, many in zip(three, five, strict=True))
    for search in (BEAM, SAMPLES):
        plain, ranked = (texts(translator.n_best(SENTENCES, minimum_bayes_risk=r, **search)) for r in (False, True))
        assert plain != ranked
        for before, after in zip(plain, ranked, strict=True):
            assert set(before) == set(after) and len(set(after)) == len(after)


def test_what_cannot_be_written_is_no_hypothesis_and_numbers_that_overflow_are_refused():
    tokenizer, model = WordTokenizer.learn(["a b"], 6), Seq2Seq(ModelConfig(6, 6, units=2, embedding_units=2))
    translator = Translator(model, tokenizer, tokenizer)
    model.decoder.output_bias.assign(np.where(np.arange(6) == END_ID, 0.0, -np.inf))
    (found,) = translator.n_best(["a b"], beam_size=5)
    assert [t.target_tokens for t in found] == [["<end>"]]
    for weight in model.weights:
        weight.assign(np.full(weight.shape, 3e38))
    with pytest.raises(ValueError, match="'a b': no translation has a probability"):
        translator.translate(["a b"], beam_size=2)


class Shout(Preprocessor):
    """Shows the model every sentence in lower case, and its translation to the user with a mark."""

    def protect(self, sentences):
        return super().protect([sentence.lower() for sentence in sentences])

    def finish(self, prepared, hypotheses, search=None, config=None):
        return [[t._replace(text=t.text + "!") for t in of_text] for of_text in hypotheses]


def test_what_is_around_a_model_hides_before_it_and_reveals_after_it(translator):
    around = Translator(translator.model, translator.source_tokenizer, translator.target_tokenizer, Shout())
    (plain,), (found,) = translator.translate(["the school"]), around.translate(["THE school"])
    assert (found.source, found.text) == ("THE school", plain.text + "!")
