import numpy as np
from nmt_attention.subwords import replace_unknown

from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translation

SOURCE = WordTokenizer.learn(["went to , in"], 20, fold_case=True)
TARGET = WordTokenizer.learn(["गेला . मध्ये"], 20)


def make(source, target_tokens, attention):
    source_tokens = SOURCE.tokenize(source)
    attention = np.array(attention, np.float32)
    plain = target_tokens[:-1] if target_tokens[-1:] == ["<end>"] else target_tokens
    return Translation(source, TARGET.detokenize(plain), source_tokens, target_tokens, attention, -1.0)


def test_every_unknown_word_becomes_the_source_word_looked_at_most_as_it_was_spelled():
    found = replace_unknown(
        make(
            "McAdam went to  Pune’s.",
            ["<unknown>", "<unknown>", "गेला", ".", "<end>"],
            [[0.5, 0.2, 0.2, 0.1, 0], [0.1, 0.2, 0.2, 0.5, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1]],
        ),
        SOURCE,
        TARGET,
    )
    assert found.target_tokens == ["McAdam", "Pune's", "गेला", ".", "<end>"]
    assert found.text == "McAdam Pune's गेला."
    assert found.source_tokens == ["mcadam", "went", "to", "pune's", "."]


def test_a_translation_that_was_cut_has_its_last_word_replaced_too():
    found = replace_unknown(make("in Pune", ["<unknown>", "<unknown>"], [[0.6, 0.4], [0.4, 0.6]]), SOURCE, TARGET)
    assert (found.text, found.target_tokens) == ("in Pune", ["in", "Pune"])


def test_a_source_word_spelled_like_the_end_marker_is_copied_like_any_other():
    cut = replace_unknown(make("in <end>", ["गेला", "<unknown>"], [[1, 0], [0, 1]]), SOURCE, TARGET)
    assert (cut.text, cut.target_tokens) == ("गेला <end>", ["गेला", "<end>"])
    ended = replace_unknown(make("in <end>", ["<unknown>", "<end>"], [[0, 1], [0, 1]]), SOURCE, TARGET)
    assert (ended.text, ended.target_tokens) == ("<end>", ["<end>", "<end>"])


def test_a_copied_mark_is_spaced_like_a_mark():
    found = replace_unknown(make("Pune!", ["गेला", "<unknown>", "<end>"], [[1, 0], [0, 1], [1, 0]]), SOURCE, TARGET)
    assert found.text == "गेला!"


def test_without_unknown_words_nothing_changes():
    plain = make("went", ["गेला", "<end>"], [[1], [1]])
    assert replace_unknown(plain, SOURCE, TARGET) is plain
    empty = make("", [], np.zeros((0, 0)))
    assert replace_unknown(empty, SOURCE, TARGET) is empty
