import pytest

from tools.measure import processes


def test_results_have_the_order_of_the_jobs_whichever_ends_first():
    assert list(processes.one_per_core(lambda job: job * 2, range(20))) == list(range(0, 40, 2))


def test_a_command_returns_what_it_prints_and_one_that_fails_is_named(tmp_path):
    assert "usage: " in processes.call("--help")
    with pytest.raises(RuntimeError, match="failed: python -m nmt_attention evaluate --run"):
        processes.call("evaluate", "--run", tmp_path / "none")
