import numpy as np

from nmt_attention.vocabulary import RaggedIds


def test_id_lists_of_different_lengths_stand_one_after_the_other_in_one_array():
    ids = RaggedIds.of([[5, 6], [], [7]])
    assert ids.values.tolist() == [5, 6, 7] and ids.splits.tolist() == [0, 2, 2, 3]
    assert len(ids) == 3 and ids.lengths.tolist() == [2, 0, 1]
    assert ids.values.dtype == np.int32


def test_rows_are_cut_to_a_length():
    cut = RaggedIds.of([[5, 6, 7], [], [8], [9, 4]]).truncate(2)
    assert cut.values.tolist() == [5, 6, 8, 9, 4] and cut.splits.tolist() == [0, 2, 2, 3, 5]
