import pytest

from nmt_attention.runs.history import read_history, write_history

HISTORY = [{"epoch": 1, "loss": 3.125, "dev_bleu": 0.1 + 0.2}, {"epoch": 2, "loss": 1e-300, "dev_bleu": 12.0}]


def test_history_is_read_back_as_it_was_written(tmp_path):
    path = tmp_path / "history.csv"
    assert read_history(path) == []  # not written yet
    for history in (HISTORY, HISTORY[:1]):
        write_history(path, history)
        assert read_history(path) == history
    assert [type(value) for value in read_history(path)[0].values()] == [int, float, float]


@pytest.mark.parametrize("row", ["1", "1,2.0,3.0", "1,abc"], ids=["cut short", "too long", "not a number"])
def test_a_damaged_history_is_an_error_that_names_the_file(tmp_path, row):
    (tmp_path / "history.csv").write_text(f"epoch,loss\n{row}\n")
    with pytest.raises(ValueError, match="history.csv"):
        read_history(tmp_path / "history.csv")
