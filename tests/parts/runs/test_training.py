"""What `train_model` promises its callers: mistakes show before the first step, and the best epoch is kept.

The model is a table, so that a training takes a moment.
"""

import functools
import itertools
import signal
from types import SimpleNamespace

import keras
import numpy as np
import pytest
import tensorflow as tf
from resumable import assert_same, train_for_three_epochs
from toys import Toy

from nmt_attention import ModelConfig, Seq2Seq, TrainConfig, make_dataset, make_optimizer
from nmt_attention.runs import training
from nmt_attention.runs.distribute import make_run_step, with_loss_scale
from nmt_attention.runs.machine import TrainingInterrupted
from nmt_attention.runs.run_files import read_history, write_history
from nmt_attention.runs.training import seed_dropout, train_model
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


# --- what is refused


@pytest.mark.parametrize("found", [{}, {"perplexity": 3.0, "bleu": 1.0}, {"loss": 1}])
def test_scores_that_cannot_choose_an_epoch_are_refused_before_the_first_step(tmp_path, found):
    asked = []
    with pytest.raises(ValueError, match="^dev_scores: expected numbers, the first of which rises"):
        fit(tmp_path, [found], batches=asked.append)
    assert not asked


@pytest.mark.parametrize(("steps", "found"), [(3, "2"), (1, "2 or more")])
def test_batches_are_counted(tmp_path, steps, found):
    with pytest.raises(ValueError, match=f"batches: epoch 1 has {found} batches, but steps_per_epoch is {steps}"):
        fit(tmp_path, accuracies(0), steps=steps)


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
    with pytest.raises(ValueError, match=r"history\.csv: not of a training, because there is no .*settings\.json; mov"):
        fit(tmp_path, [])
    assert path.read_text(encoding="utf-8") == "epoch,kings\n1,2\n" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("damaged", "text"),
    [("last/*.index", b""), ("last/*.data*", b""), ("settings.json", None), ("settings.json", b"[]")],
)
def test_a_damaged_checkpoint_or_its_settings_are_named(tmp_path, damaged, text):
    of_settings = r"settings\.json: missing or damaged; delete the run directory"
    said = of_settings if "json" in damaged else "last/ckpt-2: missing, damaged, or of another model or version"
    fit(tmp_path, accuracies(0, 1), epochs=1)
    (path,) = (tmp_path / "checkpoints").glob(damaged)
    path.unlink() if text is None else path.write_bytes(text or path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ValueError, match=said):
        fit(tmp_path, [], epochs=1)


def test_rows_that_are_missing_after_a_stop_are_named_before_the_first_step(tmp_path):
    with pytest.raises(StopIteration):
        fit(tmp_path, accuracies(0, 1, 2))
    path = tmp_path / "history.csv"
    rows = read_history(path)
    for kept in ([], rows[1:]):
        write_history(path, kept) if kept else path.unlink()
        with pytest.raises(ValueError, match=r"history\.csv: expected the rows of 2 epochs; put them back"):
            fit(tmp_path, [])
    write_history(path, rows)
    assert [row["epoch"] for row in fit(tmp_path, accuracies(0, 3))[0]] == [1, 2, 3]


# --- the best epoch

THIRD = 100 / 3  # no float32: rounded to one, it is smaller than itself


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        (accuracies(0, 1, THIRD, THIRD), 2),  # the earlier of two that are equal
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


def test_a_tie_is_one_after_a_resume_and_patience_counts_the_epochs_that_were_not_better(tmp_path):
    assert len(fit(tmp_path / "more", accuracies(0, 1, THIRD, THIRD, THIRD), patience=2, epochs=9)[0]) == 4
    with pytest.raises(StopIteration):
        fit(tmp_path, scores := accuracies(0, THIRD))
    _, tables, kept = fit(tmp_path, [*scores, *accuracies(THIRD)])
    np.testing.assert_array_equal(kept, tables[0])  # of epoch 1, scored again before the first step of the second


# --- steps


def test_two_trainings_with_the_same_seeds_in_one_script_are_the_same(tmp_path):
    losses = []
    for number, (first_weights, seed) in enumerate([(1, 1), (1, 1), (2, 1), (1, 2)]):
        keras.utils.set_random_seed(first_weights)
        model = Toy(initializer="glorot_uniform", dropout=0.5)
        history, *_ = fit(tmp_path / str(number), accuracies(0, 1), model, epochs=1, seed=seed)
        losses.append(history[0]["loss"])
    assert losses[0] == losses[1] and len(set(losses)) == 3


def test_dropout_draws_otherwise_in_every_layer_and_epoch():
    model, seen = Seq2Seq(ModelConfig(14, 14, units=8, embedding_units=8, dropout=0.5)), set()
    states = [v for v in model.non_trainable_variables if "seed_generator_state" in v.path]
    for epoch in (0, 1, 0):
        seed_dropout(model, 3, epoch)
        seen |= {tuple(np.asarray(state)) for state in states}
    assert len(states) >= 2 and len(seen) == 2 * len(states)


@pytest.mark.parametrize("bad", [(np.nan, 1.0, 1.0), (2.0, 1.0, np.inf)])
def test_a_loss_or_gradient_that_is_not_finite_is_named_and_the_last_checkpoint_stays(tmp_path, monkeypatch, bad):
    with monkeypatch.context() as patch:
        steps = iter([(1.0, 1.0, 1.0)] * 3 + [bad])
        patch.setattr(training, "make_run_step", lambda *_: lambda *batch: next(steps))
        with pytest.raises(FloatingPointError, match=r"epoch 2/3, step 2/2: the loss is (nan|2\.0), the norm"):
            fit(tmp_path, accuracies(0, 1))
    history, *_ = fit(tmp_path, accuracies(1, 1, 1))
    assert history[0]["loss"] == 1.0 and len(history) == 3


def test_progress_counts_all_steps_and_minutes_are_told_once_from_steps_after_ten(tmp_path, capsys, monkeypatch):
    now, ends = [0.0], itertools.accumulate([60.0] * 10 + [20.0] * 34)  # of steps, the first ten of which are slow
    monkeypatch.setattr(training, "time", SimpleNamespace(perf_counter=lambda: now[-1]))
    monkeypatch.setattr(training, "_SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr("nmt_attention.runs.machine._SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(training, "make_run_step", lambda *_: lambda _: now.append(next(ends)) or (2.0, 4.0, 1.0))
    batches = [(tf.zeros((4, 1)),)] * 22
    history, *_ = fit(tmp_path, accuracies(0, 1, 1), batches=lambda epoch: batches, steps=22, epochs=2)
    lines = [line.split("  ")[:2] for line in capsys.readouterr().err.splitlines() if "…" not in line]
    assert lines.pop(1) == ["about 8 minutes of training: 24 steps of 20 s; the scores of dev come on top"]
    steps = ", step 10/22", ", step 20/22", ", step 22/22", ""
    assert [line[0] for line in lines] == [f"epoch {epoch}/2{step}" for epoch in (1, 2) for step in steps]
    assert {line[1] for line in lines} == {"loss 0.500"} and history[0]["loss"] == 0.5


# --- float16


def step_of(model, **more):
    config = settings(**more)
    optimizer = with_loss_scale(make_optimizer(model, 1, config), model)
    return optimizer, make_run_step(model, optimizer, config)


def toy_in_float16():
    model = Toy()
    model.dtype_policy = keras.DTypePolicy("mixed_float16")
    return model


def test_in_float16_the_scaled_loss_falls_as_in_float32():
    losses, (batch, _) = [], two_batches(0)
    for dtype in ("float32", "mixed_float16"):
        keras.utils.set_random_seed(0)
        model = Seq2Seq(ModelConfig(14, 14, units=8, embedding_units=8, dropout=0.0), dtype)
        optimizer, step = step_of(model, epochs=20, learning_rate=0.01)
        losses.append([[float(nll / tokens), float(norm)] for nll, tokens, norm in (step(*batch) for _ in range(20))])
    assert isinstance(optimizer, keras.optimizers.LossScaleOptimizer)
    np.testing.assert_allclose(losses[0], losses[1], rtol=0.05)
    assert losses[1][-1][0] < 0.9 * losses[1][0][0]


def test_in_float16_a_step_too_large_is_skipped_and_the_scale_halved_but_not_without_end():
    model, (batch, _) = toy_in_float16(), two_batches(0)
    optimizer, step = step_of(model, epochs=10)
    for scale, norm in ((1e30, 0.0), (1.0, np.nan)):  # 0 for a skipped step, so that training goes on
        optimizer.dynamic_scale.assign(scale)
        table = np.full((8, 8), 0.0 if scale > 1 else np.nan)
        model.table.assign(table)
        _, _, found = step(*batch)
        np.testing.assert_array_equal(found, norm)
        assert float(optimizer.dynamic_scale) == np.float32(scale) / 2 and int(optimizer.iterations) == 0
        np.testing.assert_array_equal(model.table, table)


def test_in_float16_a_run_goes_on_with_the_scale_it_had(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(training, "with_loss_scale", lambda *given: made.append(with_loss_scale(*given)) or made[-1])

    def batches(epoch):
        made[-1].dynamic_scale.assign(512.0)
        return two_batches(epoch)

    for _ in range(2):  # the second time there is nothing left to train
        fit(tmp_path, accuracies(0, 1), toy_in_float16(), batches, epochs=1)
    assert [float(optimizer.dynamic_scale) for optimizer in made] == [512.0, 512.0]
    assert [int(optimizer.iterations) for optimizer in made] == [2, 2]


# --- asked to stop, or without room for a checkpoint, it goes on as if nothing had happened

toy = functools.partial(Toy, size=14, initializer="glorot_uniform", dropout=0.3)
run = functools.partial(train_for_three_epochs, toy)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    return run(tmp_path_factory.mktemp("unbroken"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_it_saves_the_begun_epoch_and_goes_on_in_it(tmp_path, unbroken, number):
    def ask(epoch, batch):
        if (epoch, batch) == (1, 12):
            signal.raise_signal(number)

    before = signal.signal(number, signal.default_int_handler)
    handler = signal.getsignal(number)
    with pytest.raises(TrainingInterrupted, match="stopped and saved at epoch 2/3, step 20/25") as stop:
        run(tmp_path, ask)
    assert stop.value.number == number and signal.signal(number, before) == handler
    seen = []
    assert_same(run(tmp_path, lambda epoch, batch: seen.append(epoch)), unbroken)
    assert set(seen) == {1, 2}


def test_asked_to_stop_in_the_last_steps_of_an_epoch_it_finishes_it(tmp_path, unbroken):
    with pytest.raises(TrainingInterrupted, match="stopped and saved after epoch 2/3"):
        run(tmp_path, lambda *place: place == (1, 24) and signal.raise_signal(signal.SIGINT))
    assert len(read_history(tmp_path / "history.csv")) == 2
    assert_same(run(tmp_path), unbroken)


def test_without_room_for_a_checkpoint_the_last_one_stays(tmp_path, unbroken):
    resource = pytest.importorskip("resource")  # Windows has none
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def no_more_room(epoch, batch):
        if (epoch, batch) == (1, 0):
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))

    try:
        with pytest.raises(OSError, match=r"checkpoints/last: .*checkpoint"):
            run(tmp_path, no_more_room)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert_same(run(tmp_path), unbroken)
