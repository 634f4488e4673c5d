import math

import numpy as np
import pytest
from toys import Looking

from nmt_attention import DATA_DIRECTORY, Aligner, Pair
from nmt_attention.alignment.scores import (
    GoldAlignment,
    align_by_attention,
    align_by_statistics,
    attention_entropy,
    links_by_argmax,
    links_by_threshold,
    punctuation_weight,
    read_alignments,
    score_alignments,
)

PAIR = Pair("I saw the boy.", "मी मुलाला बघितलं.", "CC-BY 2.0 (France) Attribution: tatoeba.org #11 (a) & #22 (b)")


def test_scores_by_hand():
    # A = {0-0, 1-1, 2-1, 3-3}, S = {0-0, 1-2}, P = S + {2-1}:  |A∩S| = 1, |A∩P| = 2, |A| = 4, |S| = 2
    links = {(0, 0), (1, 1), (2, 1), (3, 3)}
    sure = frozenset({(0, 0), (1, 2)})
    scores = score_alignments([links], [GoldAlignment(PAIR, sure, sure | {(2, 1)})])
    assert scores == (1, pytest.approx(1 - (1 + 2) / (4 + 2)), 2 / 4, 1 / 2)
    one, three = frozenset({(0, 0)}), frozenset({(0, 0), (1, 1), (2, 2)})  # sums over all pairs, not means of pairs
    gold = [GoldAlignment(PAIR, one, one), GoldAlignment(PAIR, three, three)]
    assert score_alignments([{(0, 0)}, {(0, 1)}], gold) == (2, pytest.approx(1 - 2 / (2 + 4)), 1 / 2, 1 / 4)

    assert score_alignments([set(one), set(three)], gold) == (2, 0, 1, 1)
    assert score_alignments([set(), set()], gold).error_rate == 1
    assert score_alignments([set()], [GoldAlignment(PAIR, frozenset(), one)]) == (1, 0, 1, 1)
    with pytest.raises(ValueError, match="got 1 for 2"):
        score_alignments([set()], gold)


def test_links_are_read_off_a_heatmap_in_two_ways():
    attention = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6]])
    assert links_by_argmax(attention) == {(0, 0), (2, 1)}
    assert links_by_threshold(attention, 0.2) == {(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)}


def test_entropy_by_hand():
    assert attention_entropy([[0.25] * 4]) == pytest.approx(math.log(4))
    assert attention_entropy([[1.0, 0.0], [0.5, 0.5]]) == pytest.approx(math.log(2) / 2)


@pytest.fixture
def gold_file(tmp_path):
    def write(text):
        (tmp_path / "gold.tsv").write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path / "gold.tsv"

    return write


def test_ids_are_looked_up_and_those_the_corpus_lacks_are_reported(gold_file):
    path = gold_file("# a note\n11\t22\tS:0-0 P:2-1 S:3-1\n\n11\t23\tS:0-0\n")
    gold, missing = read_alignments(path, [PAIR, Pair("Go.", "जा.")])
    assert gold == [GoldAlignment(PAIR, frozenset({(0, 0), (3, 1)}), frozenset({(0, 0), (3, 1), (2, 1)}))]
    assert missing == [(11, 23)]


@pytest.mark.parametrize("first", ["", "\ufeff", "\ufeff# a note\n"])
def test_links_of_rows_with_sentences_are_sure_unless_marked(gold_file, first):
    (gold,), missing = read_alignments(gold_file(f"{first}Go home.\tघरी जा.\t0-1 1-0 P:1-1 2-2\r\n"), [])
    assert gold.sure == gold.possible - {(1, 1)} == {(0, 1), (1, 0), (2, 2)} and not missing
    assert gold.pair.source == "Go home."


def test_a_row_that_stands_there_again_counts_once_and_with_other_links_it_is_an_error(gold_file):
    gold, missing = read_alignments(gold_file("11\t22\tS:0-0\n11\t22\tS:0-0\n"), [PAIR])
    assert (len(gold), missing) == (1, [])
    with pytest.raises(ValueError, match="line 2: .*this pair has other links in a line before"):
        read_alignments(gold_file("11\t22\tS:0-0\n11\t22\tS:1-0\n"), [PAIR])


@pytest.mark.parametrize("columns", ["22", "22 S:0-0 x", "22 X:0-0", "22 S:0-9", "22 S:9-0", "x S:0-0"])
def test_a_bad_row_is_named_by_file_and_line(gold_file, columns):
    path = gold_file("11\t22\tS:0-0\n11\t{}\n".format(columns.replace(" ", "\t")))
    with pytest.raises(ValueError, match=r"gold\.tsv, line 2: not a gold alignment"):
        read_alignments(path, [PAIR])


def test_missing_empty_undecodable_and_endless_files_are_errors(gold_file, tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_alignments(tmp_path / "none.tsv", [])
    monkeypatch.setattr("nmt_attention.alignment.scores._MAX_BYTES", 100)
    whats = {b"# nothing\n": "holds no", b"\xff\n": "line 1", b"a b\tc\t0-0\n" * 11: "more than 100 bytes"}
    for text, what in whats.items():
        with pytest.raises(ValueError, match=rf"gold\.tsv.*{what}"):
            read_alignments(gold_file(text), [])


def test_the_gold_file_of_real_sentences_is_well_formed():
    gold, missing = read_alignments(DATA_DIRECTORY / "anki_alignments.tsv", [])
    assert gold == [] and len(missing) == len(set(missing)) == 282


GREETINGS = [("good day", "शुभ दिवस"), ("good night", "शुभ रात्री"), ("day", "दिवस"), ("night", "रात्री"), ("good", "शुभ")]


def test_statistics_align_words_with_a_heatmap_of_each_pair():
    aligner = Aligner(GREETINGS)
    for direction in ("both", "forward", "backward"):
        found = align_by_statistics(aligner, GREETINGS, direction)
        assert [alignment.links for alignment in found] == [{(0, 0), (1, 1)}] * 2 + [{(0, 0)}] * 3
        heatmap = found[0].heatmap
        assert (heatmap.source_tokens, heatmap.target_tokens) == (["good", "day"], ["शुभ", "दिवस"])
        assert heatmap.attention.shape == (2, 2) and heatmap.attention[0, 0] > 0.5 > heatmap.attention[0, 1]
    with pytest.raises(ValueError, match="direction: expected one of both, forward, backward, got 'sideways'"):
        align_by_statistics(aligner, GREETINGS, "sideways")


def test_attention_aligns_by_the_step_that_is_asked_for_and_may_fall_on_punctuation():
    pairs = [("a b c .", "x y z .")]
    translator = Looking(pairs, lambda t, n: min(t + 1, n - 1))  # the last two steps at the last token
    for shift, expected in ((0, {(1, 0), (2, 1), (3, 2), (3, 3)}), (-1, {(1, 0), (1, 1), (2, 2), (3, 3)})):
        ((heatmap, links),) = align_by_attention(translator, pairs, shift)
        assert links == expected and heatmap.target_tokens == ["x", "y", "z", "."]
    ((_, links),) = align_by_attention(translator, pairs, 2)
    assert links == {(3, t) for t in range(4)}  # beyond the last step is the last step
    ((heatmap, _),) = align_by_attention(translator, pairs)
    assert punctuation_weight([heatmap]) == pytest.approx(1 / 3)  # of x, y and z, only z looks at the full stop
    assert punctuation_weight([]) == 0
