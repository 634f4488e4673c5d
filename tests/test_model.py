import builtins
import errno
import io
import re
import subprocess
import sys
import zipfile

import keras
import numpy as np
import pytest
import tensorflow as tf

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import load_bundle, quantize, save_bundle
from nmt_attention.text import WordTokenizer

SMALL = {"source_vocabulary_size": 9, "target_vocabulary_size": 7, "units": 8, "embedding_units": 6}
VARIANTS = [
    {},
    {"attention": "none"},
    {"cell": "lstm"},
    {"encoder_layers": 2},
    {"bidirectional": False},
    {"decoder": "luong", "attention": "general", "decoder_layers": 2},
    {"decoder": "luong-input-feeding", "cell": "lstm", "encoder_layers": 4, "decoder_layers": 4},
]


@pytest.fixture(params=VARIANTS, ids=str)
def model(request):
    keras.utils.set_random_seed(0)
    return Seq2Seq(ModelConfig(**SMALL, **request.param))


def ids(*rows):
    return keras.utils.pad_sequences(rows, padding="post", dtype="int32")


def test_shapes_and_initial_loss(model):
    logits, weights = model(ids([4, 5, 6], [7]), ids([1, 4], [1, 5]))
    assert logits.shape == (2, 2, 7) and logits.dtype == tf.float32 and weights.shape == (2, 2, 3)
    # before training every token is about as likely as any other: the loss is about ln V
    np.testing.assert_allclose(np.mean(tf.nn.log_softmax(logits)), -np.log(7), atol=0.1)


def test_extra_source_padding_changes_nothing(model):
    logits, weights = model(ids([4, 5, 6], [7, 8]), ids([1, 4], [1, 5]))
    padded, padded_weights = model(np.pad(ids([4, 5, 6], [7, 8]), ((0, 0), (0, 5))), ids([1, 4], [1, 5]))
    np.testing.assert_allclose(padded, logits, atol=1e-5)
    np.testing.assert_allclose(padded_weights[..., :3], weights, atol=1e-6)
    assert not np.any(padded_weights[..., 3:])


def test_some_positions_have_the_logits_that_they_have_among_all(model):
    batch, some = (ids([4, 5, 6], [7]), ids([1, 4], [1, 5])), np.array([[True, True], [False, True]])
    logits, weights = model(*batch)
    features, same_weights = model.features(*batch)
    np.testing.assert_allclose(model.logits(tf.boolean_mask(features, some)), logits[some], atol=1e-6)
    np.testing.assert_array_equal(same_weights, weights)


def test_in_half_precision_a_loop_computes_the_same_with_weights_cast_before_it():
    keras.utils.set_random_seed(0)
    model = Seq2Seq(ModelConfig(**SMALL, decoder_layers=2), "mixed_bfloat16")

    def gradients(source_ids, target_in):
        with tf.GradientTape() as tape:
            logits, _ = model(source_ids, target_in)
            loss = tf.reduce_sum(logits * tf.cos(tf.range(7.0)))
        return logits, [tf.convert_to_tensor(gradient) for gradient in tape.gradient(loss, model.trainable_variables)]

    batch = ids([4, 5, 6], [7]), ids([1, 4, 6, 5], [1, 5])
    traced = tf.function(gradients)
    (logits, found), (eager_logits, expected) = traced(*batch), gradients(*batch)  # the latter casts at every step
    np.testing.assert_allclose(logits, eager_logits, atol=2e-2)
    for one, other, weight in zip(found, expected, model.trainable_variables, strict=True):
        assert one.dtype == other.dtype == tf.float32
        np.testing.assert_allclose(one, other, atol=2e-2 * np.abs(other).max() + 1e-3, err_msg=weight.path)
    bodies = [
        graph
        for op in traced.get_concrete_function(*batch).graph.get_operations()
        if op.type in ("While", "StatelessWhile")
        for graph in [op.graph._get_function(op.get_attr("body").name).graph]
    ]
    assert len(bodies) >= 3
    casts = [op.name for body in bodies for op in body.get_operations() if op.type == "Cast"]
    assert len(casts) == 4, casts  # the softmax's, to float32 and back, and its gradient's


def tokenizers():
    return WordTokenizer.learn(["a b c d e"], 9, fold_case=True), WordTokenizer.learn(["क ख ग"], 7)


def test_an_8_bit_bundle_holds_each_number_to_a_254th_of_its_output_s_largest(model, tmp_path):
    words = WordTokenizer.learn(["a b c d e"], 9), WordTokenizer.learn(["x y z"], 7)
    for weight in model.weights:
        weight.assign(keras.random.normal(weight.shape, seed=1))
    save_bundle(tmp_path, model, *words, quantized=True)
    loaded = load_bundle(tmp_path)[0]
    for weight, found in zip(model.weights, loaded.weights, strict=True):
        weight, found, name = np.asarray(weight), np.asarray(found), weight.path
        if name.endswith("embeddings"):  # an output is a row
            step = np.abs(weight).max(axis=1, keepdims=True) / 127
        elif name.endswith("kernel"):
            step = np.abs(weight).max(axis=0, keepdims=True) / 127
        else:
            step = 0
        assert np.all(np.abs(found - weight) <= step / 2 + 1e-6)
    again = tmp_path / "again"
    save_bundle(again, loaded, *words, quantized=True)  # rounding what is rounded changes nothing
    for weight, found in zip(loaded.get_weights(), load_bundle(again)[0].get_weights(), strict=True):
        np.testing.assert_allclose(found, weight, rtol=1e-6)


def test_an_8_bit_bundle_is_deflated(tmp_path):
    for quantized, method in ((True, zipfile.ZIP_DEFLATED), (False, zipfile.ZIP_STORED)):
        save_bundle(tmp_path, Seq2Seq(ModelConfig(**SMALL)), *tokenizers(), quantized)
        with zipfile.ZipFile(tmp_path / "weights.npz") as archive:
            assert {member.compress_type for member in archive.infolist()} == {method}


def test_an_output_of_zeros_stays_zero_in_8_bits():
    numbers, scale = quantize("kernel", np.array([[0.0, 2.0], [0.0, -1.0]], np.float32))
    np.testing.assert_array_equal(numbers, [[0, 127], [0, -64]])
    np.testing.assert_allclose(numbers * scale, [[0, 2], [0, -128 / 127]], rtol=1e-6)


def test_saved_bundles_give_the_same_logits_in_a_new_process(tmp_path):
    expected = []
    for number, changes in enumerate(VARIANTS):
        keras.utils.set_random_seed(number)
        model = Seq2Seq(ModelConfig(**SMALL, **changes))
        save_bundle(tmp_path / str(number), model, *tokenizers())
        expected.append(np.asarray(model(ids([4, 5, 6]), ids([1, 4]))[0]))
    program = (
        "import sys, numpy as np; from nmt_attention.runs.bundle import load_bundle\n"
        "for run in sys.argv[1:]:\n"
        "    model, source, target = load_bundle(run)\n"
        "    np.save(f'{run}.npy', model(np.array([[4, 5, 6]]), np.array([[1, 4]]))[0])\n"
        "    print(source.vocabulary, target.vocabulary)"
    )
    runs = [str(tmp_path / str(number)) for number in range(len(VARIANTS))]
    done = subprocess.run([sys.executable, "-c", program, *runs], capture_output=True, text=True, check=True)
    for run, logits, changes in zip(runs, expected, VARIANTS, strict=True):
        np.testing.assert_array_equal(np.load(f"{run}.npy"), logits, err_msg=str(changes))
    source, target = tokenizers()
    assert done.stdout.splitlines() == [f"{source.vocabulary} {target.vocabulary}"] * len(VARIANTS)


def test_weight_names_do_not_depend_on_the_models_made_before():
    first, second = Seq2Seq(ModelConfig(**SMALL)), Seq2Seq(ModelConfig(**SMALL))
    assert [weight.path for weight in first.weights] == [weight.path for weight in second.weights]
    assert len({weight.path for weight in first.weights}) == len(first.weights)


def test_weights_of_another_shape_or_missing_or_pickled_are_refused_with_the_file_named(tmp_path):
    save_bundle(tmp_path, Seq2Seq(ModelConfig(**SMALL)), *tokenizers())
    weights = dict(np.load(tmp_path / "weights.npz"))
    name = next(iter(weights))
    for broken in (weights[name][:-1], weights[name].astype(object), weights[name].astype(np.int32)):
        np.savez(tmp_path / "weights.npz", **{**weights, name: broken})
        with pytest.raises(ValueError, match=r"weights\.npz: damaged or of another model"):
            load_bundle(tmp_path)
    del weights[name]
    np.savez(tmp_path / "weights.npz", **weights)
    with pytest.raises(ValueError, match=r"weights\.npz: damaged or of another model"):
        load_bundle(tmp_path)


def test_weights_that_may_not_be_read_are_not_called_damaged(tmp_path, monkeypatch):
    save_bundle(tmp_path, Seq2Seq(ModelConfig(**SMALL)), *tokenizers())
    path, opened = tmp_path / "weights.npz", open

    def refuse(file, *arguments, **options):
        if file in (path, str(path)):
            raise PermissionError(errno.EACCES, "Permission denied", str(file))
        return opened(file, *arguments, **options)

    for module in (builtins, io):  # both for root, whom no file's mode keeps out
        monkeypatch.setattr(module, "open", refuse)
    with pytest.raises(PermissionError, match=r"Permission denied: .*weights\.npz'$"):
        load_bundle(tmp_path)


def test_a_tokeniser_of_another_size_is_refused(tmp_path):
    save_bundle(tmp_path, Seq2Seq(ModelConfig(**SMALL)), *tokenizers())
    WordTokenizer.learn(["क"], 7).save(tmp_path / "target.json")
    with pytest.raises(ValueError, match=r"target\.json: 5 tokens, but config\.json says 7"):
        load_bundle(tmp_path)


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # Keras, with newer NumPys
def test_keras_saves_and_loads_the_model_in_its_own_file(tmp_path):
    config = ModelConfig(12, 13, "multi-head", "conditional", units=8, embedding_units=6, encoder_layers=2)
    model = Seq2Seq(config)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert loaded.config == config
    ids = np.array([[4, 5, 6, 0]], np.int32)
    for one, other in zip(model(ids, ids), loaded(ids, ids), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_summary_lists_every_weight_and_their_sum():
    model, lines = Seq2Seq(ModelConfig(12, 13, units=8, embedding_units=6)), []
    model.summary(print_fn=lines.append)
    counts = [int(line.split()[-1].replace(",", "")) for line in lines]
    assert len(lines) == len(model.trainable_weights) + 1 and lines[-1].startswith("total")
    assert sum(counts[:-1]) == counts[-1] == model.count_params()
    assert re.search(r"encoder/embedding/embeddings +12 × 6 +72$", lines[0])
