"""What a training does with numbers that are not finite, with float16, and with a checkpoint that is damaged."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from toys import Toy

from nmt_attention.batches import make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.corpus import Pair
from nmt_attention.model import Seq2Seq
from nmt_attention.runs import machine, training
from nmt_attention.runs.checkpoint import seed_dropout
from nmt_attention.runs.distribute import make_run_step, with_loss_scale
from nmt_attention.runs.epoch import fetch_results, train_epoch
from nmt_attention.runs.history import Progress, read_history
from nmt_attention.runs.machine import resolve_precision
from nmt_attention.runs.run import run_training
from nmt_attention.runs.settings import make_settings
from nmt_attention.runs.training import train_model
from nmt_attention.train import make_optimizer
from nmt_attention.vocabulary import RaggedIds


def model_of(dtype="float32", **settings):
    keras.utils.set_random_seed(0)
    return Seq2Seq(ModelConfig(14, 14, **{"units": 8, "embedding_units": 8, "dropout": 0.0, **settings}), dtype)


def batches_of(number, epoch=0):
    random = np.random.default_rng(1)
    ids = RaggedIds.of([random.integers(4, 14, random.integers(3, 9)).tolist() for _ in range(number)])
    return make_dataset(ids, ids, 10, 1, epoch)


def test_a_loss_that_is_not_finite_stops_with_the_step_named_and_keeps_the_last_checkpoint(tmp_path):
    model, config, epochs = Toy(size=14), TrainConfig(epochs=3, batch_size=10), []

    def bad_batches(epoch):
        for number, batch in enumerate(batches_of(40, epoch)):
            if (epoch, number) == (1, 2):
                model.table.assign(tf.fill([14, 14], np.nan))
            yield batch

    def good_batches(epoch):
        epochs.append(epoch)
        return batches_of(40, epoch)

    with pytest.raises(FloatingPointError, match="epoch 2/3, step 3/4: the loss is nan"):
        train_model(model, bad_batches, 4, lambda: {"bleu": 1.0}, config, tmp_path)
    assert [row["epoch"] for row in read_history(tmp_path / "history.csv")] == [1]
    history = train_model(model, good_batches, 4, lambda: {"bleu": 1.0}, config, tmp_path)
    assert epochs == [1, 2] and all(np.isfinite(row["loss"]) for row in history)
    assert np.all(np.isfinite(model.table))


def test_a_gradient_that_is_not_finite_stops_with_the_first_such_step_named():
    steps = iter([(1.0, 1.0, 1.0), (1.0, 1.0, np.inf), (1.0, 1.0, 1.0), (1.0, 1.0, np.inf)])
    with pytest.raises(FloatingPointError, match=r"step 2/4: the loss is 1\.0, the norm of its gradient inf"):
        train_epoch(lambda *_: next(steps), batches_of(40), Progress(1, 4, 0))


def test_progress_counts_all_steps_that_were_read(capsys, monkeypatch):
    progress = Progress(2, 12, 0)
    progress.interval = 0.0
    monkeypatch.setattr("nmt_attention.runs.machine._SECONDS_BETWEEN", 0.0)
    assert train_epoch(lambda _: (2.0, 4.0, 1.0), [(tf.zeros(()),)] * 12, progress) == (12, 24.0, 48.0)
    lines = [line.split("  ")[:2] for line in capsys.readouterr().err.splitlines()]
    assert lines == [["epoch 1/2, step 10/12", "loss 0.500"], ["epoch 1/2, step 12/12", "loss 0.500"]]
    assert (progress.steps, progress.tokens) == (12, 48)


def test_dropout_draws_otherwise_in_every_layer_and_epoch():
    model, seen = model_of(dropout=0.5), set()
    states = [v for v in model.non_trainable_variables if "seed_generator_state" in v.path]
    for epoch in (0, 1, 0):
        seed_dropout(model, 3, epoch)
        seen |= {tuple(np.asarray(state)) for state in states}
    assert len(states) >= 2 and len(seen) == 2 * len(states)


@pytest.mark.parametrize("damage", ["index", "data", "missing"])
def test_a_damaged_checkpoint_is_an_error_that_names_it(tmp_path, damage):
    model, config = Toy(size=14), TrainConfig(epochs=1, batch_size=10)
    arguments = lambda epoch: batches_of(20, epoch), 2, lambda: {"bleu": 1.0}, config, tmp_path
    train_model(model, *arguments)
    (path,) = (tmp_path / "checkpoints/last").glob("*.index" if damage == "index" else "*.data*")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    if damage == "missing":
        path.unlink()
    with pytest.raises(ValueError, match=r"checkpoints/last/ckpt-2: damaged, or of another model or version"):
        train_model(model, *arguments)


def test_a_corpus_too_small_to_split_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(ValueError, match="1 pairs are too few"):
        run_training(tmp_path / "run", [Pair("a", "b")], make_settings("quick", {}))
    assert not (tmp_path / "run").exists()


def step_in(dtype, config):
    model = model_of(dtype)
    optimizer = with_loss_scale(make_optimizer(model, 1, config), model)
    return model, optimizer, make_run_step(model, optimizer, config)


def test_in_float16_the_scaled_loss_falls_as_in_float32():
    config, losses = TrainConfig(epochs=20, learning_rate=0.01, warmup_steps=0), []
    (batch,) = batches_of(10)
    for dtype in ("float32", "mixed_float16"):
        _, optimizer, step = step_in(dtype, config)
        losses.append([[float(nll / tokens), float(norm)] for nll, tokens, norm in (step(*batch) for _ in range(20))])
    assert isinstance(optimizer, keras.optimizers.LossScaleOptimizer)
    np.testing.assert_allclose(losses[0], losses[1], rtol=0.05)
    assert losses[1][-1][0] < 0.9 * losses[1][0][0]


def test_in_float16_a_step_too_large_is_skipped_and_the_scale_halved_but_not_without_end():
    model, optimizer, step = step_in("mixed_float16", TrainConfig(epochs=10))
    before = [np.asarray(weight) for weight in model.weights]
    for scale, norm in ((1e30, 0.0), (1.0, np.nan)):  # 0 for a skipped step, so that training goes on
        optimizer.dynamic_scale.assign(scale)
        if scale == 1.0:
            model.decoder.output_bias.assign(tf.fill([14], np.nan))
        _, _, found = step(*(tf.fill((2, 3), 5) for _ in range(3)))
        np.testing.assert_array_equal(found, norm)
        assert float(optimizer.dynamic_scale) == np.float32(scale) / 2 and int(optimizer.iterations) == 0
        if scale > 1:
            for weight, value in zip(model.weights, before, strict=True):
                np.testing.assert_array_equal(weight, value)


def test_in_float16_a_run_goes_on_with_the_scale_it_had(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(training, "with_loss_scale", lambda *given: made.append(with_loss_scale(*given)) or made[-1])

    def batches(epoch):
        made[-1].dynamic_scale.assign(512.0)
        return batches_of(20, epoch)

    for _ in range(2):  # the second time there is nothing left to train
        config = TrainConfig(epochs=1, batch_size=10)
        train_model(model_of("mixed_float16"), batches, 2, lambda: {"bleu": 1.0}, config, tmp_path)
    assert [float(optimizer.dynamic_scale) for optimizer in made] == [512.0, 512.0]
    assert [int(optimizer.iterations) for optimizer in made] == [2, 2]


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [([(8, 0)], "mixed_bfloat16"), ([(9, 0), (7, 5)], "float32"), ([None], "float32")],
)
def test_auto_is_bfloat16_where_all_gpus_compute_in_it(monkeypatch, capabilities, expected):
    details = [{} if capability is None else {"compute_capability": capability} for capability in capabilities]
    monkeypatch.setattr(tf.config, "get_visible_devices", lambda kind: list(range(len(details))))
    monkeypatch.setattr(tf.config.experimental, "get_device_details", lambda gpu: details[gpu])
    assert resolve_precision("auto") == expected
    assert resolve_precision("mixed_float16") == "mixed_float16"


@pytest.mark.parametrize(
    ("limit", "expected"),
    [("", "mixed_bfloat16"), ("AVX512_CORE_BF16", "mixed_bfloat16"), ("avx2", "float32"), ("AVX512_CORE", "float32")],
)
def test_auto_obeys_the_limit_of_instructions(monkeypatch, limit, expected):
    monkeypatch.setattr(tf.config, "get_visible_devices", lambda kind: [])
    monkeypatch.setattr(machine, "_processor", lambda key: "avx2 avx512_bf16")
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", limit)
    assert resolve_precision("auto") == expected


def test_results_are_read_ten_steps_late_and_all_of_them():
    done = []

    def steps():
        for number in range(12):
            done.append(number)
            yield [tf.constant(number, tf.float32), 1.0]

    results = fetch_results(steps())
    assert next(results) == [[number, 1.0] for number in range(10)] and len(done) == 10
    assert list(results) == [[[10.0, 1.0], [11.0, 1.0]]]
