"""What a translator promises of every translation; `test_translate_searches.py` has the searches."""

import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.text import CharacterTokenizer, WordTokenizer
from nmt_attention.translate import MAX_SOURCE_LENGTH, Preprocessor, Translation, Translator, in_words
from nmt_attention.vocabulary import SPECIAL_TOKENS

PAIR = "The boy goes to school.", "मुलगा शाळेत जातो."


def test_a_translation_carries_its_tokens_and_its_text(any_translator):
    (found,) = any_translator.translate(["The boy goes to school."])
    assert found.source_tokens == any_translator.source_tokenizer.tokenize("The boy goes to school.")
    plain = [token for token in found.target_tokens if token != "<end>"]
    assert not {"<start>", "<pad>"} & set(plain)
    assert found.text == any_translator.target_tokenizer.detokenize(plain)


def test_empty_lines_have_empty_translations_and_no_lines_have_none(translator):
    first, middle, last = translator.translate(["", "The school.", " \t\n"])
    assert (first.text, first.source_tokens, first.target_tokens, first.score) == ("", [], [], 0.0)
    assert first.attention.shape == (0, 0) and last.text == "" and last.source == " \t\n"
    assert middle.text == translator.translate(["The school."])[0].text and translator.translate([]) == []


@pytest.mark.parametrize("sentence", ["😀🎉", "मी शाळेत जातो", "\x00\x07 school \x1b", "漢字", "<end>"])
def test_unknown_input_is_ordinary_input(any_translator, sentence):
    (translation,) = any_translator.translate([sentence])
    assert len(translation.source_tokens) == translation.attention.shape[1] > 0
    assert np.all(np.isfinite(translation.attention))


def test_of_a_very_long_sentence_the_first_tokens_are_translated(translator):
    (translation,) = translator.translate(["school " * 10_000])
    assert len(translation.source_tokens) == MAX_SOURCE_LENGTH
    assert len(translation.target_tokens) <= 2 * MAX_SOURCE_LENGTH + 10


def test_in_words_a_column_is_the_sum_and_a_row_the_mean_of_a_word_s_pieces():
    tokenizer = CharacterTokenizer(SPECIAL_TOKENS)
    attention = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.2], [0, 0, 0, 1]], np.float32)
    pieces = Translation("ab c", "xy", ["a", "b", "▁", "c"], ["x", "y", "<end>"], attention, -1.0)
    words = in_words(pieces, tokenizer, tokenizer)
    assert (words.source_tokens, words.target_tokens) == (
        ["ab", "c"],
        ["xy", "<end>"],
    )  # a space goes with what follows
    np.testing.assert_allclose(words.attention, [[(0.3 + 0.6) / 2, (0.7 + 0.4) / 2], [0, 1]], atol=1e-6)


def test_a_translator_merges_subwords_where_asked(any_translator):
    (words,) = any_translator.translate(["The boy goes to school."], merge_subwords=True)
    assert words.source_tokens == ["the", "boy", "goes", "to", "school", "."]
    np.testing.assert_allclose(words.attention.sum(axis=1), 1.0, atol=1e-5)
    assert words.attention.shape == (len(words.target_tokens), 6)


def test_attention_to_a_given_translation_is_that_of_writing_it(translator, score_of_writing):
    (found,) = translator.attend([PAIR])
    score, attention = score_of_writing(translator, found)
    assert found.text == PAIR[1] and found.target_tokens[-1] == "<end>"
    np.testing.assert_allclose(found.score, score, rtol=1e-4)
    np.testing.assert_allclose(found.attention, attention, atol=1e-6)
    (words,) = translator.attend([PAIR], merge_subwords=True)
    assert words.attention.shape == (4 + 1, 6)


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


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda t: t.translate("The boy."), TypeError, "expected a list of str"),
        (lambda t: t.translate(["a"], batch_size=0), ValueError, "batch_size: expected at least 1, got 0"),
        (lambda t: t.translate(["a"], beam_size=0), ValueError, "beam_size: expected from 1 to below 10,000, got 0"),
        (lambda t: t.translate(["a"], beams=3), TypeError, "beams"),
        (lambda t: t.attend(PAIR), TypeError, r"expected \(source, target\) pairs, got a str"),
        (lambda t: t.attend([PAIR[0]]), TypeError, r"expected \(source, target\) pairs, got a str"),
        (lambda t: t.attend([("", PAIR[1])]), ValueError, "pairs: expected words on both sides, got"),
        (lambda t: t.attend([(PAIR[0], " \u200b")]), ValueError, "pairs: expected words on both sides, got"),
    ],
)
def test_wrong_arguments_are_named(translator, call, error, message):
    with pytest.raises(error, match=message):
        call(translator)


def test_a_tokeniser_that_does_not_fit_the_model_is_refused():
    three, six = (WordTokenizer.learn([text], 10) for text in ("a b c", "a b c d e f"))
    model = Seq2Seq(ModelConfig(7, 7, units=2, embedding_units=2))
    for tokenizers, side in (((three, six), "target"), ((six, three), "source")):
        with pytest.raises(ValueError, match=rf"^{side}_tokenizer: 10 tokens, but the model has 7"):
            Translator(model, *tokenizers)
