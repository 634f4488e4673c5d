"""What `train` promises those who call it themselves: mistakes show before the first step, and the best epoch is kept.

The model is a table, so that a training takes a moment.
"""

import contextlib

import keras
import numpy as np
import pytest
from toys import Toy

from nmt_attention.batches import make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.runs.epoch import check_batches
from nmt_attention.runs.history import read_history, write_history
from nmt_attention.runs.training import train_model
from nmt_attention.vocabulary import RaggedIds

ROWS = RaggedIds.of([[4 + i % 3, 5] for i in range(8)])


def two_batches(epoch):
    return make_dataset(ROWS, ROWS, 4, 1, epoch)


def settings(**more):
    return TrainConfig(**{"epochs": 3, "batch_size": 4, "learning_rate": 0.1, "warmup_steps": 0} | more)


def fit(directory, scores, model=None, batches=two_batches, steps=2, **more):
    """Trains a toy that `scores` are given to, one dict after the other; the first is of the untrained model.

    Returns the history and the tables that were scored.
    """
    model, scores, tables = model or Toy(), iter(scores), []

    def dev_scores():
        tables.append(np.asarray(model.table))
        return next(scores)

    history = train_model(model, batches, steps, dev_scores, settings(**more), directory)
    return history, tables, np.asarray(model.table)


def accuracies(*values):
    return [{"accuracy": value} for value in values]


def test_two_trainings_with_the_same_seeds_in_one_script_are_the_same(tmp_path):
    losses = []
    for number, (first_weights, seed) in enumerate([(1, 1), (1, 1), (2, 1), (1, 2)]):
        keras.utils.set_random_seed(first_weights)
        model = Toy(initializer="glorot_uniform", dropout=0.5)
        history, *_ = fit(tmp_path / str(number), accuracies(0, 1), model, epochs=1, seed=seed)
        losses.append(history[0]["loss"])
    assert losses[0] == losses[1] and len(set(losses)) == 3


@pytest.mark.parametrize("found", [None, {}, 0.5, {"accuracy": "high"}, {"perplexity": 3.0, "bleu": 1.0}, {"loss": 1}])
def test_scores_that_cannot_choose_an_epoch_are_refused_before_the_first_step(tmp_path, found):
    asked = []
    with pytest.raises(ValueError, match="^dev_scores: expected a dict of numbers, the first of which rises"):
        fit(tmp_path, [found], batches=asked.append)
    assert not asked


def test_what_is_no_function_or_no_configuration_is_refused_by_name(tmp_path):
    with pytest.raises(TypeError, match="^dev_scores: expected a function, got NoneType"):
        train_model(Toy(), two_batches, 2, None, settings(), tmp_path)
    with pytest.raises(TypeError, match="^batches: expected a function, got _PrefetchDataset"):
        train_model(Toy(), two_batches(0), 2, dict, settings(), tmp_path)
    with pytest.raises(TypeError, match="^config: expected TrainConfig, got ModelConfig"):
        train_model(Toy(), two_batches, 2, dict, ModelConfig(), tmp_path)
    with pytest.raises(ValueError, match="^steps_per_epoch: expected at least 1, got 0"):
        train_model(Toy(), two_batches, 0, dict, settings(), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("steps", [1, 3])
def test_a_wrong_number_of_steps_is_refused_before_the_first_of_them(tmp_path, steps):
    model = Toy()
    with pytest.raises(ValueError, match=f"epoch 1 has 2 batches, but steps_per_epoch is {steps}"):
        fit(tmp_path, accuracies(0), model, steps=steps)
    assert not np.any(model.table)


@pytest.mark.parametrize(
    ("rows", "steps", "message"),
    [
        ([4, 4, 4], 3, None),
        ([4, 2, 4], 3, None),  # one batch may be smaller
        ([4, 4, 4], 4, "epoch 5 has 3 batches, but steps_per_epoch is 4"),
        ([4, 4, 4], 2, "epoch 5 has 3 or more batches, but steps_per_epoch is 2"),
        ([4, 5], 2, "expected 4 rows, the batch_size of config, got 5 in batch 2 of epoch 5"),
        ([2, 4, 2], 3, "expected 4 rows, the batch_size of config, got 2 in batch 3 of epoch 5"),
    ],
)
def test_batches_are_counted_and_measured_as_they_come(rows, steps, message):
    batches = ((np.zeros((number, 2)),) for number in rows)  # which does not know its length
    with pytest.raises(ValueError, match=message) if message else contextlib.nullcontext():
        assert len(list(check_batches(batches, steps, 4, epoch=4))) == steps


def test_another_training_in_the_same_directory_is_refused_and_named(tmp_path):
    history, _, kept = fit(tmp_path, accuracies(0, 1, 2, 3))
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for more, difference in (
        ({"learning_rate": 0.2}, r"learning_rate is 0\.1, asked for 0\.2"),
        ({"model": Toy(units=16)}, "units is 8, asked for 16"),
        ({"model": Toy(size=9)}, "parameters is 64, asked for 81"),
        ({"steps": 3}, "steps_per_epoch is 2, asked for 3"),
    ):
        with pytest.raises(ValueError, match=rf"holds another training \({difference}\); use another directory"):
            fit(tmp_path, [], **more)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files
    again, tables, weights = fit(tmp_path, [])
    assert again == history and not tables
    np.testing.assert_array_equal(weights, kept)


def test_a_history_that_no_training_wrote_is_not_overwritten(tmp_path):
    path = tmp_path / "history.csv"
    path.write_text("epoch,kings\n1,2\n", encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"history\.csv: not of a training, because there is no .*settings\.json; move"
    ):
        fit(tmp_path, [])
    assert path.read_text(encoding="utf-8") == "epoch,kings\n1,2\n" and list(tmp_path.iterdir()) == [path]


THIRD = 100 / 3  # no float32: rounded to one, it is smaller than itself


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        (accuracies(0, 1, THIRD, THIRD), 2),  # the earlier of two that are equal
        ([{"chrf": chrf, "bleu": 0.0} for chrf in (0, 1, 3, 2)], 2),  # the first score, though another stays
        ([{"chrf": 5.0, "perplexity": p} for p in (9, 3, 2, 2)], 2),  # at a tie the lower perplexity
        ([{"chrf": chrf, "perplexity": p} for chrf, p in ((0, 9), (1, 3), (1, 4), (2, 8))], 3),
        (accuracies(0, float("nan"), 0, 1), 3),
        ([{"chrf": 5.0, "perplexity": p} for p in (9, float("nan"), 3, 4)], 2),
    ],
)
def test_the_best_epoch_is_kept(tmp_path, scores, best):
    _, tables, kept = fit(tmp_path, scores)
    assert len({table.tobytes() for table in tables}) == 4
    np.testing.assert_array_equal(kept, tables[best])


def test_a_tie_is_one_after_a_resume_as_well(tmp_path):
    with pytest.raises(StopIteration):
        fit(tmp_path, scores := accuracies(0, THIRD))
    _, tables, kept = fit(tmp_path, [*scores, *accuracies(THIRD)])
    np.testing.assert_array_equal(kept, tables[0])  # of epoch 1, scored again before the first step of the second


def test_patience_counts_the_epochs_that_were_not_better(tmp_path, capsys):
    history, *_ = fit(tmp_path, accuracies(0, 1, THIRD, THIRD, THIRD), patience=2, epochs=9)
    assert len(history) == 4
    assert " was " not in capsys.readouterr().err  # the score moved


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (
            accuracies(0, 0, 0, 0),
            "dev_accuracy was 0 after each of 3 epochs; the weights kept are those of epoch 1, the",
        ),
        (
            [{"chrf": 2.5, "perplexity": p} for p in (9, 3, 2, 4)],
            "dev_chrf was 2.5 after each of 3 epochs; the weights kept are those of epoch 2, which has the",
        ),
    ],
)
def test_a_score_that_never_moved_is_told_once_at_the_end(tmp_path, capsys, scores, expected):
    fit(tmp_path, scores)
    assert capsys.readouterr().err.splitlines()[-1].startswith(expected)


@pytest.mark.parametrize(("kept", "missing"), [([], "1, 2"), ([2], "1")])
def test_rows_that_are_missing_from_the_history_are_named(tmp_path, kept, missing):
    with pytest.raises(StopIteration):
        fit(tmp_path, accuracies(0, 1, 2))
    path = tmp_path / "history.csv"
    rows = read_history(path)
    path.unlink()
    if kept:
        write_history(path, [row for row in rows if row["epoch"] in kept])
    with pytest.raises(ValueError, match=rf"history\.csv: the rows of 2 epochs are expected, those of {missing} are"):
        fit(tmp_path, [])
    write_history(path, rows)
    assert [row["epoch"] for row in fit(tmp_path, accuracies(0, 3))[0]] == [1, 2, 3]


def test_scores_of_other_names_than_the_history_has_are_refused_before_the_first_step(tmp_path):
    with pytest.raises(StopIteration):
        fit(tmp_path, accuracies(0, 1))
    with pytest.raises(ValueError, match=r"expected dev_accuracy, as in history\.csv, got dev_bleu"):
        fit(tmp_path, [{"bleu": 1.0}])
