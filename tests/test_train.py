import json
import signal
import subprocess
import sys
import time

import keras
import numpy as np
import pytest
import tensorflow as tf
from toys import Toy

from nmt_attention.batches import make_dataset
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs import training
from nmt_attention.runs.checkpoint import seed_dropout
from nmt_attention.runs.epoch import train_epoch
from nmt_attention.runs.history import Progress, read_history
from nmt_attention.runs.machine import resolve_precision
from nmt_attention.runs.run import _check_resumable, run_training
from nmt_attention.runs.settings import make_settings
from nmt_attention.runs.training import train
from nmt_attention.train import cross_entropy, make_optimizer, make_train_step, pad_to_eights, scheduled_sampling
from nmt_attention.vocabulary import RaggedIds


def test_loss_by_hand():
    # two real tokens with probability 1/2 and 1/4 of the right one, and one padding position
    logits = tf.math.log([[[0.25, 0.25, 0.5, 1e-9], [0.25, 0.5, 0.25, 1e-9], [0.9, 0.1, 1e-9, 1e-9]]])
    loss, nll, tokens = cross_entropy(logits, tf.constant([[2, 2, 0]]))
    np.testing.assert_allclose([loss, nll, tokens], [np.log(2) + np.log(4)] * 2 + [2], rtol=1e-6)


def test_smoothed_loss_is_the_cross_entropy_with_the_smoothed_target():
    logits = tf.constant(np.random.default_rng(0).normal(size=(2, 3, 5)), tf.float32)
    target = tf.constant([[3, 4, 0], [1, 0, 0]])
    smooth = 0.9 * tf.one_hot(target, 5) + 0.1 / 5
    expected = -tf.reduce_sum(smooth * tf.nn.log_softmax(logits), axis=2)
    loss, *_ = cross_entropy(logits, target, 0.1)
    np.testing.assert_allclose(loss, tf.reduce_sum(expected[target != 0]), rtol=1e-5)


def test_the_loss_takes_numpy_arrays_with_their_own_integers():
    logits, target = np.zeros((2, 3, 5), np.float32), np.array([[3, 4, 0], [1, 0, 0]])
    loss, nll, tokens = cross_entropy(logits, target)
    np.testing.assert_allclose([loss, nll, tokens], [3 * np.log(5), 3 * np.log(5), 3], rtol=1e-6)


def test_padding_has_no_share_in_loss_or_gradient():
    target = tf.constant([[3, 2, 0, 0]])
    for padding in (0.0, 1e4):
        logits = tf.Variable(np.concatenate([np.ones((1, 2, 5)), np.full((1, 2, 5), padding)], 1).astype(np.float32))
        with tf.GradientTape() as tape:
            loss, *_ = cross_entropy(logits, target, 0.1)
        assert not np.any(tape.gradient(loss, logits)[:, 2:])
        np.testing.assert_allclose(loss, 2 * np.log(5), rtol=1e-5)


def test_own_tokens_stand_where_the_model_would_have_written_them():
    # it would write 7 after START and 8 after 4, whatever comes later: the inputs 4 and 5 become 7 and 8
    logits = tf.one_hot([[7, 8, 9, 9]], 10)
    target_in = tf.constant([[1, 4, 5, 0]])
    np.testing.assert_array_equal(scheduled_sampling(target_in, logits, 1.0, [1, 1]), [[1, 7, 8, 0]])
    np.testing.assert_array_equal(scheduled_sampling(target_in, logits, 0.0, [1, 1]), target_in)


def test_the_share_of_own_tokens_is_the_one_asked_for_and_the_seed_says_which():
    logits, target_in = tf.one_hot(tf.fill((100, 100), 7), 10), tf.fill((100, 100), 4)
    first, again, other = (scheduled_sampling(target_in, logits, 0.3, [1, step]) for step in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert np.any(first != other)
    # of 9,900 tokens 2,970 with a standard deviation of 46
    assert abs(np.sum(first == 7) - 2970) < 230


def model_of(dtype="float32", use_cudnn="auto", **settings):
    keras.utils.set_random_seed(0)
    config = ModelConfig(**{"units": 8, "embedding_units": 8, "dropout": 0.0, **settings})
    return Seq2Seq(config, dtype, use_cudnn)


def test_the_step_is_traced_once_for_batches_of_any_shape():
    model = model_of(source_vocabulary_size=20, target_vocabulary_size=20)
    config = TrainConfig(batch_size=4)
    step = make_train_step(model, make_optimizer(model, 3, config), config, 3)
    for rows, length in ((4, 3), (2, 7), (1, 1)):
        step(*(tf.fill((rows, length), 5) for _ in range(3)))
    assert step.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("scheduled_sampling", [0.0, 0.3])
def test_one_batch_can_be_memorised(scheduled_sampling):
    model = model_of(source_vocabulary_size=30, target_vocabulary_size=30, units=32, embedding_units=32)
    config = TrainConfig(
        epochs=150, learning_rate=0.01, warmup_steps=0, label_smoothing=0.0, scheduled_sampling=scheduled_sampling
    )
    rng = np.random.default_rng(0)
    rows = RaggedIds.of(rng.integers(4, 30, (8, 5)).tolist())
    (batch,) = make_dataset(rows, RaggedIds.of(rng.integers(4, 30, (8, 6)).tolist()), 8)
    step = make_train_step(model, make_optimizer(model, 1, config), config, config.epochs)
    losses = [float(nll / tokens) for nll, tokens, _ in (step(*batch) for _ in range(150))]
    np.testing.assert_allclose(losses[0], np.log(30), atol=0.1)
    assert losses[-1] < 0.05


def reversal_data(number, seed):
    """Digit strings and their reversals, as ids from 4 on."""
    rng = np.random.default_rng(seed)
    rows = [rng.integers(4, 14, rng.integers(3, 9)).tolist() for _ in range(number)]
    return RaggedIds.of(rows), RaggedIds.of(row[::-1] for row in rows)


def test_attention_learns_to_reverse_and_looks_where_the_token_comes_from(tmp_path):
    model = model_of(source_vocabulary_size=14, target_vocabulary_size=14, units=48, embedding_units=24)
    source, target = reversal_data(4000, seed=1)
    (held_out,) = make_dataset(*reversal_data(300, seed=2), 300)

    def accuracy():
        logits, _ = model(held_out.source_ids, held_out.target_in)
        right = tf.argmax(logits, -1, tf.int32) == held_out.target_out
        return float(tf.reduce_mean(tf.cast(right[held_out.target_out != 0], tf.float32)))

    config = TrainConfig(epochs=6, batch_size=64, learning_rate=0.02, warmup_steps=20, label_smoothing=0.0)
    train(
        model,
        lambda epoch: make_dataset(source, target, 64, 1, epoch),
        63,
        lambda: {"bleu": accuracy()},
        config,
        tmp_path,
    )
    assert accuracy() > 0.98
    _, weights = model(held_out.source_ids, held_out.target_in)
    lengths, steps = np.sum(held_out.source_ids != 0, axis=1, keepdims=True), np.arange(weights.shape[1])
    from_anti_diagonal = np.abs(np.argmax(weights, axis=2) - (lengths - 1 - steps))
    # the vectors of neighbouring positions contain it too, so attention may look there as well; chance finds half
    assert np.mean(from_anti_diagonal[steps < lengths] <= 1) > 0.9


def test_a_loss_that_is_not_finite_stops_with_the_step_named_and_keeps_the_last_checkpoint(tmp_path):
    model = model_of(source_vocabulary_size=14, target_vocabulary_size=14)
    source, target = reversal_data(40, seed=1)

    def batches(epoch):
        for number, batch in enumerate(make_dataset(source, target, 10, 1, epoch)):
            if (epoch, number) == (1, 2):
                model.decoder.output_bias.assign(tf.fill([14], np.nan))
            yield batch

    config, epochs = TrainConfig(epochs=3, batch_size=10), []
    with pytest.raises(FloatingPointError, match="epoch 2/3, step 3/4: the loss is nan"):
        train(model, batches, 4, lambda: {"bleu": 1.0}, config, tmp_path)
    assert [row["epoch"] for row in read_history(tmp_path / "history.csv")] == [1]

    def good_batches(epoch):
        epochs.append(epoch)
        return make_dataset(source, target, 10, 1, epoch)

    history = train(model, good_batches, 4, lambda: {"bleu": 1.0}, config, tmp_path)
    assert epochs == [1, 2] and all(np.isfinite(row["loss"]) for row in history)
    assert all(np.all(np.isfinite(weight)) for weight in model.weights)


def test_a_gradient_that_is_not_finite_stops_with_the_first_such_step_named():
    source, target = reversal_data(40, seed=1)
    steps = iter([(1.0, 1.0, 1.0), (1.0, 1.0, np.inf), (1.0, 1.0, 1.0), (1.0, 1.0, np.inf)])
    with pytest.raises(FloatingPointError, match=r"step 2/4: the loss is 1\.0, the norm of its gradient inf"):
        train_epoch(lambda *_: next(steps), make_dataset(source, target, 10), Progress(1, 4, 0))


def test_progress_counts_all_steps_that_were_read(capsys, monkeypatch):
    progress = Progress(2, 12, 0)
    progress.interval = 0.0
    monkeypatch.setattr("nmt_attention.runs.machine._SECONDS_BETWEEN", 0.0)
    batches = [(tf.zeros(()),)] * 12
    assert train_epoch(lambda _: (2.0, 4.0, 1.0), batches, progress) == (12, 24.0, 48.0)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split("  ")[:2] for line in lines] == [
        ["epoch 1/2, step 10/12", "loss 0.500"],
        ["epoch 1/2, step 12/12", "loss 0.500"],
    ]
    assert (progress.steps, progress.tokens) == (12, 48)


def test_in_float16_the_scaled_loss_falls_as_in_float32():
    rng = np.random.default_rng(0)
    rows = RaggedIds.of(rng.integers(4, 30, (8, 5)).tolist())
    (batch,) = make_dataset(rows, rows, 8)
    config, losses = TrainConfig(epochs=20, learning_rate=0.01, warmup_steps=0), []
    for dtype in ("float32", "mixed_float16"):
        model = model_of(dtype, source_vocabulary_size=30, target_vocabulary_size=30)
        optimizer = make_optimizer(model, 1, config)
        step = make_train_step(model, optimizer, config, config.epochs)
        losses.append([[float(nll / tokens), float(norm)] for nll, tokens, norm in (step(*batch) for _ in range(20))])
    assert isinstance(optimizer, keras.optimizers.LossScaleOptimizer)
    np.testing.assert_allclose(losses[0], losses[1], rtol=0.05)
    assert losses[1][-1][0] < 0.9 * losses[1][0][0]


def test_in_float16_a_step_too_large_is_skipped_and_the_scale_halved_but_not_without_end():
    model = model_of("mixed_float16", source_vocabulary_size=30, target_vocabulary_size=30)
    config = TrainConfig()
    optimizer = make_optimizer(model, 10, config)
    step = make_train_step(model, optimizer, config, 10)
    before = [np.asarray(weight) for weight in model.weights]
    for scale, norm in ((1e30, 0.0), (1.0, np.nan)):  # 0 for a skipped step, so that training goes on
        optimizer.dynamic_scale.assign(scale)
        if scale == 1.0:
            model.decoder.output_bias.assign(tf.fill([30], np.nan))
        _, _, found = step(*(tf.fill((2, 3), 5) for _ in range(3)))
        np.testing.assert_array_equal(found, norm)
        assert float(optimizer.dynamic_scale) == np.float32(scale) / 2 and int(optimizer.iterations) == 0
        if scale > 1:
            for weight, value in zip(model.weights, before, strict=True):
                np.testing.assert_array_equal(weight, value)


def test_in_float16_a_run_goes_on_with_the_scale_it_had(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(training, "make_optimizer", lambda *a: made.append(make_optimizer(*a)) or made[-1])

    def batches(epoch):
        made[-1].dynamic_scale.assign(512.0)
        return make_dataset(*reversal_data(20, seed=1), 10, 1, epoch)

    for _ in range(2):  # the second time there is nothing left to train
        model = model_of("mixed_float16", source_vocabulary_size=14, target_vocabulary_size=14)
        train(model, batches, 2, lambda: {"bleu": 1.0}, TrainConfig(epochs=1, batch_size=10), tmp_path)
    assert [float(optimizer.dynamic_scale) for optimizer in made] == [512.0, 512.0]
    assert [int(optimizer.iterations) for optimizer in made] == [2, 2]


def test_widths_are_padded_to_multiples_of_eight():
    np.testing.assert_array_equal(pad_to_eights(tf.constant([[5, 6, 7]])), [[5, 6, 7, 0, 0, 0, 0, 0]])
    assert [pad_to_eights(tf.ones((2, width), tf.int32)).shape[1] for width in (1, 8, 9)] == [8, 8, 16]


@pytest.mark.parametrize("attention", ["bahdanau", pytest.param("none", marks=pytest.mark.marathon)])
def test_a_step_compiled_with_xla_leads_to_the_same_weights(attention):
    batch = [tf.random.stateless_uniform((3, width), [1, width], 4, 20, tf.int32) for width in (5, 7, 7)]
    weights = []
    for jit in (False, True):
        sizes = {"source_vocabulary_size": 20, "target_vocabulary_size": 20}
        lexical = attention != "none"
        model = model_of(attention=attention, lexical=lexical, **sizes, use_cudnn=not jit and "auto")
        config = TrainConfig(warmup_steps=0, jit=jit)
        step = make_train_step(model, make_optimizer(model, 3, config), config, 3)
        for _ in range(3):
            step(*batch)
        weights.append([np.asarray(weight) for weight in model.weights])
    for plain, compiled in zip(*weights, strict=True):
        np.testing.assert_allclose(plain, compiled, atol=1e-5)


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


def test_the_rate_rises_to_its_height_and_falls_to_a_fiftieth():
    model = model_of(source_vocabulary_size=14, target_vocabulary_size=14)
    config = TrainConfig(epochs=2, learning_rate=0.5, warmup_steps=10)
    rate = make_optimizer(model, 55, config)._learning_rate
    # 110 steps, 10 of them warm-up; halfway down the cosine the rate is the mean of 0.5 and 0.01
    np.testing.assert_allclose(
        [rate(0), rate(5), rate(10), rate(60), rate(110)], [0, 0.25, 0.5, 0.255, 0.01], rtol=1e-5
    )


def test_the_norm_is_of_the_summed_gradient_and_large_ones_are_clipped():
    class Toy(keras.Model):
        """Logits of the target are minus the source token's vector: the gradient can be worked out by hand."""

        def __init__(self):
            super().__init__()
            self.table = self.add_weight(shape=(6, 6), initializer="zeros", name="table")

        def features(self, source_ids, target_in, training=False):
            return tf.gather(self.table + 0.0, source_ids), None

        def logits(self, features):
            return features

    class Descent(keras.optimizers.SGD):
        pass

    model, config = Toy(), TrainConfig(label_smoothing=0.0, clip_norm=0.1)
    optimizer = Descent(1.0)
    optimizer.build(model.trainable_variables)
    step = make_train_step(model, optimizer, config, 1)
    _, _, norm = step(*(tf.constant([ids]) for ids in ([5, 5], [1, 1], [3, 3])))
    # both positions put (softmax - onehot) / 2 on row 5, together (1/6, 1/6, 1/6, -5/6, 1/6, 1/6)
    np.testing.assert_allclose(norm, np.sqrt(5 / 36 + 25 / 36), rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(model.table), 0.1, rtol=1e-5)


def test_dropout_draws_otherwise_in_every_layer_and_epoch():
    model = model_of(source_vocabulary_size=14, target_vocabulary_size=14, dropout=0.5)
    states = [v for v in model.non_trainable_variables if "seed_generator_state" in v.path]
    seen = set()
    for epoch in (0, 1, 0):
        seed_dropout(model, 3, epoch)
        seen |= {tuple(np.asarray(state)) for state in states}
    assert len(states) >= 2 and len(seen) == 2 * len(states)


@pytest.mark.parametrize("damage", ["index", "data", "missing"])
def test_a_damaged_checkpoint_is_an_error_that_names_it(tmp_path, damage):
    model = Toy(size=14)
    source, target = reversal_data(20, seed=1)
    arguments = lambda e: make_dataset(source, target, 10, 1, e), 2, lambda: {"bleu": 1.0}
    config = TrainConfig(epochs=1, batch_size=10)
    train(model, *arguments, config, tmp_path)
    (data,) = (tmp_path / "checkpoints/last").glob("*.data*")
    (index,) = (tmp_path / "checkpoints/last").glob("*.index")
    if damage == "missing":
        data.unlink()
    else:
        path = index if damage == "index" else data
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ValueError, match=r"checkpoints/last/ckpt-2: damaged, or of another model or version"):
        train(model, *arguments, config, tmp_path)


def test_training_stops_when_dev_gets_no_better_and_keeps_the_best_weights(tmp_path):
    model = Toy(size=14)
    source, target = reversal_data(40, seed=1)
    scores, seen = iter([0.0, 1.0, 3.0, 2.0, 2.5, 9.0]), []  # the first is of the model that knows nothing

    def dev_scores():
        seen.append(np.asarray(model.table))
        return {"bleu": next(scores)}

    history = train(
        model,
        lambda epoch: make_dataset(source, target, 10, 1, epoch),
        4,
        dev_scores,
        TrainConfig(epochs=9, batch_size=10, patience=2),
        tmp_path,
    )
    assert [row["dev_bleu"] for row in history] == [1.0, 3.0, 2.0, 2.5]
    np.testing.assert_array_equal(model.table, seen[2])


TRAINING = """
import os
import signal
import sys
from pathlib import Path

import tensorflow as tf

from nmt_attention.config import make_settings
from nmt_attention.corpus import Pair
from nmt_attention.runs.run import _check_resumable, run_training

directory, killed_before_last_checkpoint = sys.argv[1:]
if killed_before_last_checkpoint:
    save = tf.train.CheckpointManager.save

    def save_or_die(manager, number):
        if manager.directory.endswith("last") and manager.latest_checkpoint:  # the second time
            os.kill(os.getpid(), signal.SIGKILL)
        return save(manager, number)

    tf.train.CheckpointManager.save = save_or_die
words = "a b c d e f g h i j k l".split()
pairs = [
    Pair(f"{x} {y} {z} .", f"{z}{y} {x} ।") for x in words for y in words for z in words if x != y and y != z
] + [Pair(f"Tom {x} {y} .", f"{y} टॉमला {x} ।") for x in words for y in words]
overrides = {
    "epochs": 4, "units": 16, "embedding_units": 16, "vocabulary_size": 60, "sampling_alpha": 0.3, "plain_epochs": 1,
    "dropout": 0.2, "precision": "float32", "batch_size": 32, "scheduled_sampling": 0.3,
    "placeholders": 0.5, "concatenation": 0.3,
}
run_training(Path(directory), pairs, make_settings("quick", overrides))
"""


def start_training(directory, killed_before_last_checkpoint=""):
    return subprocess.Popen(
        [sys.executable, "-c", TRAINING, str(directory), killed_before_last_checkpoint],
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(condition, process, seconds=120.0):
    limit = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < limit, "the training did not get that far"
        time.sleep(0.01)


@pytest.mark.marathon
def test_a_run_killed_and_started_again_ends_with_the_weights_of_one_never_stopped(tmp_path):
    whole = start_training(tmp_path / "whole")
    between = start_training(tmp_path / "between", "yes")
    between.communicate()
    assert between.returncode == -signal.SIGKILL
    killed = start_training(tmp_path / "killed")
    wait_for(lambda: len(read_history(tmp_path / "killed/history.csv")) >= 2, killed)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert not (tmp_path / "killed/weights.npz").exists()
    names = ("whole", "killed", "between")
    for process in (whole, *(start_training(tmp_path / name) for name in names[1:])):
        _, errors = process.communicate()
        assert process.returncode == 0, errors

    histories = [read_history(tmp_path / name / "history.csv") for name in names]
    assert [[row["epoch"] for row in history] for history in histories] == [[1, 2, 3, 4]] * 3
    losses = [[row["loss"] for row in history] for history in histories]
    weights = [dict(np.load(tmp_path / name / "weights.npz")) for name in names]
    for resumed in (1, 2):
        assert losses[resumed] == losses[0] and weights[resumed].keys() == weights[0].keys()
        for name, values in weights[0].items():
            np.testing.assert_array_equal(weights[resumed][name], values)


def test_a_corpus_too_small_to_split_is_refused_before_anything_is_written(tmp_path):
    from nmt_attention.corpus import Pair

    with pytest.raises(ValueError, match="1 pairs are too few"):
        run_training(tmp_path / "run", [Pair("a", "b")], make_settings("quick", {}))
    assert not (tmp_path / "run").exists()


def test_tensorboard_gets_a_row_for_every_epoch(tmp_path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    model = Toy(size=14)
    source, target = reversal_data(20, seed=1)
    config = TrainConfig(epochs=2, batch_size=10)
    train(model, lambda e: make_dataset(source, target, 10, 1, e), 2, lambda: {"bleu": 1.0}, config, tmp_path, True)
    events = EventAccumulator(str(tmp_path / "logs"))
    events.Reload()
    steps = [event.step for event in events.Tensors("dev/bleu")]
    assert steps == [1, 2] and "loss" in events.Tags()["tensors"]


def test_a_run_from_before_a_setting_existed_is_the_run_with_its_default(tmp_path):
    settings = make_settings("quick", {})
    older = {name: value for name, value in settings.items() if name != "scheduled_sampling"}
    about = {"settings": older, "corpus_sha256": "abc", "precision": "float32"}
    (tmp_path / "run.json").write_text(json.dumps(about), encoding="utf-8")
    assert _check_resumable(tmp_path, {**about, "settings": settings})["precision"] == "float32"
    with pytest.raises(ValueError, match=r"scheduled_sampling is 0\.0, asked for 0\.5"):
        _check_resumable(tmp_path, {**about, "settings": {**settings, "scheduled_sampling": 0.5}})
