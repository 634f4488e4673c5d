import keras
import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.text import PAD_ID, START_ID, CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.translate import MOST_SOURCE_TOKENS, Translator

ENGLISH = ["The boy goes to school.", "The girl reads a book.", "Where is the school?", "I read books."]
MARATHI = ["मुलगा शाळेत जातो.", "मुलगी पुस्तक वाचते.", "शाळा कुठे आहे?", "मी पुस्तकं वाचतो."]
SENTENCES = [*ENGLISH, "the school", "A girl.", "Is the boy reading the book the girl reads at school?"]


@pytest.fixture(scope="module", params=[SubwordTokenizer, WordTokenizer, CharacterTokenizer])
def translator(request):
    """Untrained, so that its distributions are nearly flat: the hardest case for anything that must not change."""
    keras.utils.set_random_seed(0)
    source = request.param.learn(ENGLISH, 60, fold_case=True)
    target = request.param.learn(MARATHI, 60)
    model = Seq2Seq(ModelConfig(len(source), len(target), units=16, embedding_units=16))
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
    assert len(translation.source_tokens) == MOST_SOURCE_TOKENS
    assert len(translation.target_tokens) <= 2 * MOST_SOURCE_TOKENS + 10


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
    with pytest.raises(ValueError, match="beam_size: expected at least 1, got 0"):
        translator.translate(["school"], beam_size=0)
    with pytest.raises(ValueError, match="batch_size: expected at least 1, got 0"):
        translator.translate(["school"], batch_size=0)
