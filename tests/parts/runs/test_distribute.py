"""Several devices: how they share a batch and what they must agree on. Whole trainings are in tests/slow."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.runs.distribute import (
    _read_tf_config,
    check_same,
    check_shared,
    deal_rows,
    gather,
    is_chief,
    make_strategy,
)


@pytest.mark.parametrize(
    ("replicas", "rows", "dealt"),
    [(1, 3, [[0, 1, 2]]), (2, 3, [[0, 2], [1]]), (2, 1, [[0], [None]])],  # None: a row's ids without its targets
)
def test_replicas_share_the_rows_of_a_batch(monkeypatch, replicas, rows, dealt):
    ids = tf.reshape(tf.range(1, 2 * rows + 1), (rows, 2))
    batch = [ids, ids + 10, ids + 20, tf.ones((rows, 2, 2))]
    for number, mine in enumerate(dealt):
        context = SimpleNamespace(replica_id_in_sync_group=number, num_replicas_in_sync=replicas)
        monkeypatch.setattr(tf.distribute, "get_replica_context", lambda context=context: context)
        for place, (own, whole) in enumerate(zip(deal_rows(*batch), batch, strict=True)):
            expected = [0 * whole[0] if i is None and place > 1 else whole[i or 0] for i in mine]
            np.testing.assert_array_equal(own, expected)


def test_a_single_process_is_the_chief():
    strategy = make_strategy("single")
    assert is_chief(strategy) and gather(strategy, 2.5) == [2.5]
    check_same(strategy, "text", "settings")


def test_workers_that_differ_or_share_no_directory_are_refused(tmp_path, monkeypatch):
    strategy = make_strategy("single")
    with pytest.raises(ValueError, match="run.json: expected every worker to see this file"):
        check_shared(strategy, tmp_path / "run.json", seconds=0)
    monkeypatch.setattr("nmt_attention.runs.distribute.gather", lambda strategy, number: [number, number + 1])
    with pytest.raises(ValueError, match="settings: expected the same on every worker"):
        check_same(strategy, "text", "settings")


WORKERS = {"worker": ["127.0.0.1:1", "127.0.0.1:2"]}


@pytest.mark.parametrize(
    "config",
    [
        None,
        {"cluster": WORKERS},
        {"cluster": WORKERS, "task": {"type": "worker", "index": 2}},
        {"cluster": WORKERS, "task": {"type": "worker", "index": -1}},
        {"cluster": WORKERS, "task": {"type": "chief", "index": 0}},
        {"cluster": WORKERS | {"ps": ["127.0.0.1:3"]}, "task": {"type": "ps", "index": 0}},
    ],
)
def test_a_missing_or_malformed_tf_config_is_named(monkeypatch, config):
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(ValueError, match=r"^TF_CONFIG: strategy multiworker expects something like .*, got "):
        make_strategy("multiworker")


def test_a_cluster_may_be_a_chief_alone():
    config = {"cluster": {"chief": ["127.0.0.1:1"]}, "task": {"type": "chief", "index": 0}}
    assert _read_tf_config(json.dumps(config)) == ("chief 0", ["127.0.0.1:1"])


def test_the_command_names_what_is_missing_before_anything_is_written(trained, tmp_path, monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    last = trained.train(tmp_path / "run", "--strategy", "multiworker").err.splitlines()[-1]
    assert last.startswith("nmt-attention: TF_CONFIG: strategy multiworker expects")
    assert not (tmp_path / "run").exists()
