import math

import keras
import numpy as np
import pytest
import tensorflow as tf
from precision import HALF
from tiny import random

from nmt_attention import CharacterTokenizer, Memory, Seq2Seq, Translator, make_dataset, make_optimizer
from nmt_attention.config import ModelConfig, TrainConfig
from nmt_attention.decoding.ensemble import Ensemble
from nmt_attention.deploy.export import ExportedTranslator
from nmt_attention.runs.distribute import make_run_step
from nmt_attention.search import repeat_rows
from nmt_attention.variants.transformer import CausalAttention, sinusoids
from nmt_attention.vocabulary import START_ID, RaggedIds

H, N = 8, 2
SMALL = {"source_vocabulary_size": 20, "target_vocabulary_size": 18, "units": H, "embedding_units": H, "heads": N}
SMALL |= {"architecture": "transformer", "encoder_layers": 1, "decoder_layers": 2}


def model_of(dtype="float32", **changes):
    """A small model whose weights are far from their initial values, so that outputs differ clearly."""
    keras.utils.set_random_seed(0)
    model = Seq2Seq(ModelConfig(**{**SMALL, "dropout": 0.0, **changes}), dtype)
    rng = np.random.default_rng(0)
    for weight in model.trainable_weights:
        weight.assign(weight + 0.3 * rng.normal(size=weight.shape))
    return model


@pytest.fixture(scope="module")
def model():
    return model_of()


def ids(*rows):
    return keras.utils.pad_sequences(rows, padding="post", dtype="int32")


def by_hand(attention, queries, values, allowed):
    """softmax(Q Kᵀ / √d) V for one sentence, head by head; `(T, H)` and the heads' weights `(N, T, S)`."""
    kernels = [np.asarray(getattr(attention, f"{name}_layer").kernel) for name in ("query", "key", "value", "output")]
    q, k, v = queries @ kernels[0], values @ kernels[1], values @ kernels[2]
    heads, weights, width = [], [], H // N
    for columns in (slice(n * width, (n + 1) * width) for n in range(N)):
        powers = np.where(allowed, np.exp(q[:, columns] @ k[:, columns].T / math.sqrt(width)), 0.0)
        weights.append(powers / powers.sum(axis=1, keepdims=True))
        heads.append(weights[-1] @ v[:, columns])
    return np.concatenate(heads, axis=1) @ kernels[3], np.array(weights)


def normalized(values, layer):
    centred = values - values.mean(axis=1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + layer.epsilon)
    return scaled * np.asarray(layer.gamma) + np.asarray(layer.beta)


def fed_forward(values, layer):
    (w1, b1), (w2, b2) = (map(np.asarray, part.weights) for part in (layer.hidden_layer, layer.output_layer))
    return values + np.maximum(normalized(values, layer.norm) @ w1 + b1, 0.0) @ w2 + b2


def test_causal_attention_is_the_papers_equation_with_a_triangle_of_what_may_be_seen():
    attention, values = CausalAttention(H, N), random(1, 5, H)
    attention.build((1, 5, H), None)
    keys, everywhere = attention.project(values), tf.ones((1, 5), bool)
    expected, weights = by_hand(attention, values[0], values[0], np.tril(np.ones((5, 5), bool)))
    found, mean = attention(values, Memory((), keys, everywhere))
    np.testing.assert_allclose(found[0], expected, atol=1e-5)
    np.testing.assert_allclose(mean[0], weights.mean(axis=0), atol=1e-6)
    assert not np.triu(mean[0], 1).any()  # exactly 0
    last, _ = attention(values[:, 3:], Memory((), keys, everywhere))  # the last two queries alone
    np.testing.assert_allclose(last[0], expected[3:], atol=1e-5)


def test_an_encoder_layer_is_attention_and_a_network_each_added_to_its_input(model):
    layer, values, real = model.encoder.layers[0], random(1, 4, H), np.array([True, True, True, False])
    normal = normalized(values[0], layer.norm)
    seen, _ = by_hand(layer.self_attention, normal, normal, real)
    expected = fed_forward(values[0] + seen, layer.feed_forward)
    np.testing.assert_allclose(layer(values, real[np.newaxis])[0, :3], expected[:3], rtol=1e-4, atol=1e-4)


def test_a_decoder_layer_looks_back_then_at_the_source(model):
    layer, values, source = model.decoder.layers[0], random(1, 3, H), random(1, 4, H, seed=1)
    real, normal = np.array([True, True, False, False]), normalized(values[0], layer.self_norm)
    seen, _ = by_hand(layer.self_attention, normal, normal, np.tril(np.ones((3, 3), bool)))
    after = values[0] + seen
    context, weights = by_hand(layer.cross_attention, normalized(after, layer.cross_norm), source[0], real)
    memory = Memory(source, layer.cross_attention.project(source), real[np.newaxis])
    found, (keys, _), mean = layer(values, (tf.zeros((1, N, 0, H // N)),) * 2, memory)
    np.testing.assert_allclose(found[0], fed_forward(after + context, layer.feed_forward), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(mean[0], weights.mean(axis=0), atol=1e-5)
    assert keys.shape == (1, N, 3, H // N)


def test_positions_by_hand_make_another_order_another_sentence(model):
    p = np.array([[5.0], [6.0]])  # H = 4: speeds 1 and 10000^(-2/4) = 1/100
    expected = np.concatenate([np.sin(p), np.sin(p / 100), np.cos(p), np.cos(p / 100)], axis=1)
    np.testing.assert_allclose(sinusoids(5, 2, 4), expected, atol=1e-6)
    one, other = (model(ids(row), ids([1, 4]))[0] for row in ([4, 5, 6], [6, 5, 4]))
    assert not np.allclose(one, other, atol=1e-3)


def test_a_later_target_token_never_changes_an_earlier_output(model):
    source, target = ids([4, 5, 6], [7, 8]), np.random.default_rng(0).integers(4, 18, (2, 6))
    logits, weights = model(source, target)
    for t in (1, 4):
        changed = np.concatenate([target[:, :t], 21 - target[:, t:]], axis=1)
        other, other_weights = model(source, changed)
        np.testing.assert_allclose(other[:, :t], logits[:, :t], atol=1e-6)
        np.testing.assert_allclose(other_weights[:, :t], weights[:, :t], atol=1e-6)
        assert not np.allclose(other[:, t:], logits[:, t:], atol=1e-3)


def test_padding_and_batch_mates_change_nothing(model):
    target = ids([1, 4, 5, 6])
    logits, weights = model(ids([4, 5, 6]), target)
    batch = ids([9] * 9, [4, 5, 6]), np.concatenate([target[:, ::-1], target])
    padded, padded_weights = model(*batch)
    np.testing.assert_allclose(padded[1:], logits, atol=1e-5)
    np.testing.assert_allclose(padded_weights[1:, :, :3], weights, atol=1e-6)
    assert not np.any(padded_weights[1:, :, 3:])
    padded, _ = model(batch[0], np.pad(batch[1], ((0, 0), (0, 3))))
    np.testing.assert_allclose(padded[1:, :4], logits, atol=1e-5)


def test_what_is_on_padding_is_never_read(model):
    source, target, real = ids([4, 5, 6, 7, 8], [4, 5, 6]), ids([1, 4, 5, 6]), (slice(1, None), slice(3))
    mask, found = tf.constant(source != 0), []
    for left in (0.0, np.nan):
        inputs = tf.where(mask[..., tf.newaxis], random(2, 5, H), left)
        values = model.encoder.layers[0](inputs, mask)
        state, memory = model.decoder.initial_state(values), model.decoder.memory(values, mask, values)
        logits, _ = model.decoder(np.concatenate([target, target]), state, memory)
        found.append((values[real], logits))
    assert all(np.isfinite(tensor).all() for tensor in found[1])
    for zero, nan in zip(*found, strict=True):
        np.testing.assert_allclose(zero, nan, atol=1e-6)


def test_in_half_the_bits_the_step_gives_what_the_whole_sentence_gives():
    model = model_of(HALF)
    source, target = ids([4, 5, 6], [7]), np.random.default_rng(1).integers(4, 18, (2, 7))
    logits, weights = model(source, target)
    state, memory = model.encode(source)
    for t in range(7):
        features, state, step_weights = model.decoder.step(target[:, t], state, memory)
        np.testing.assert_allclose(model.logits(features), logits[:, t], atol=0.2)
        np.testing.assert_allclose(step_weights, weights[:, t], atol=0.2)
        assert {tensor.shape[2] for tensor in tf.nest.flatten(state)} == {t + 1}


def test_the_weights_are_those_of_the_layer_before_the_last(model):
    source, target = ids([4, 5, 6]), ids([1, 4, 5])
    _, weights = model(source, target)
    state, memory = model.encode(source)
    values, found = model.decoder.embedding(target), []
    for layer, before, keys in zip(model.decoder.layers, state, memory.keys, strict=True):
        values, _, looked = layer(values, before, memory._replace(keys=keys))
        found.append(np.asarray(looked))
    np.testing.assert_allclose(weights, found[0], atol=1e-6)
    assert not np.allclose(weights, found[1], atol=1e-2)


def test_hypotheses_of_a_sentence_share_its_memory(model):
    source, tokens = ids([4, 5, 6], [7]), ids([1, 4], [1, 5], [1, 6], [1, 7])  # two hypotheses of each
    logits, weights = model(np.repeat(source, 2, axis=0), tokens)
    state, memory = model.encode(source)
    state = repeat_rows(state, 2)
    for t in range(2):
        step_logits, state, step_weights = model.step(tokens[:, t], state, memory)
        np.testing.assert_allclose(step_logits, logits[:, t], atol=1e-4)
        np.testing.assert_allclose(step_weights, weights[:, t], atol=1e-5)


@pytest.fixture(scope="module")
def translator():
    tokenizers = [CharacterTokenizer.learn([text], 30) for text in ("abcdefghij", "कखगघचछजझ")]
    sizes = dict(zip(("source_vocabulary_size", "target_vocabulary_size"), map(len, tokenizers), strict=True))
    return Translator(model_of(**sizes, decoder_layers=1), *tokenizers)


def test_it_translates_in_a_graph_alone_and_together_with_a_recurrent_model(translator):
    exported = ExportedTranslator(translator.model, translator.source_tokenizer, translator.target_tokenizer)
    sentences = ["abc", "", "jihgfedcba"]
    found = exported(tf.constant(sentences))
    assert [text.decode() for text in found["text"].numpy()] == [t.text for t in translator.translate(sentences)]
    sizes = len(translator.source_tokenizer), len(translator.target_tokenizer)
    ensemble = Ensemble([translator.model, Seq2Seq(ModelConfig(*sizes, units=H, embedding_units=H))])
    state, memory = ensemble.encode(ids([4, 5]))
    for token in (START_ID, 4):
        logits, state, weights = ensemble.step(tf.constant([token]), state, memory)
    expected, expected_weights = ensemble(ids([4, 5]), ids([START_ID, 4]))
    np.testing.assert_allclose(logits, expected[:, 1], atol=1e-4)
    np.testing.assert_allclose(weights, expected_weights[:, 1], atol=1e-5)


def test_one_batch_and_where_to_look_can_be_memorised_and_gradients_reach_every_weight():
    keras.utils.set_random_seed(0)
    model = Seq2Seq(ModelConfig(**{**SMALL, "units": 32, "embedding_units": 32, "dropout": 0.0}))
    before = [np.asarray(weight) + 0 for weight in model.trainable_weights]
    config = TrainConfig(epochs=100, learning_rate=0.01, warmup_steps=10, label_smoothing=0.0, guidance=0.5)
    rng = np.random.default_rng(0)
    source, target = (RaggedIds.of(rng.integers(4, 18, (8, length)).tolist()) for length in (5, 6))
    (batch,) = make_dataset(source, target, 8)
    links = tf.one_hot(tf.tile([[0, 4, 1, 3, 2, 2, 0]], (8, 1)), 5)  # of the positions of each target token
    step = make_run_step(model, make_optimizer(model, 1, config), config)
    losses = [float(nll / tokens) for nll, tokens, _ in (step(*batch, links) for _ in range(config.epochs))]
    np.testing.assert_allclose(losses[0], np.log(18), atol=0.5)
    assert losses[-1] < 0.1 and step.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError):
        step(*batch)  # without links
    _, weights = model(batch.source_ids, batch.target_in)
    assert np.mean(np.sum(weights * links, axis=2)) > 0.95  # of one position or another, less on some machines
    for weight, old in zip(model.trainable_weights, before, strict=True):
        assert not np.array_equal(weight, old), weight.path
