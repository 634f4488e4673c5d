"""From four sentence pairs to a heatmap: the whole course in one test."""

import keras
import numpy as np

from nmt_attention import ModelConfig, Seq2Seq, TrainConfig, Translator, WordTokenizer, make_dataset, plot_attention
from nmt_attention.train import make_optimizer, make_train_step

PAIRS = [
    ("The boy reads a book.", "मुलगा पुस्तक वाचतो."),
    ("The girl reads a letter.", "मुलगी पत्र वाचते."),
    ("The boy goes home.", "मुलगा घरी जातो."),
    ("The girl goes to school.", "मुलगी शाळेत जाते."),
]


def test_a_model_learns_pairs_translates_them_and_shows_where_it_looked():
    sources, targets = zip(*PAIRS, strict=True)
    source_words, target_words = WordTokenizer.learn(sources, 50, fold_case=True), WordTokenizer.learn(targets, 50)

    keras.utils.set_random_seed(1)
    model = Seq2Seq(ModelConfig(len(source_words), len(target_words), units=32, embedding_units=32, dropout=0.0))
    config = TrainConfig(epochs=60, learning_rate=0.02, warmup_steps=0, label_smoothing=0.0)
    step = make_train_step(model, make_optimizer(model, 1, config), config)
    (batch,) = make_dataset(source_words.encode_all(sources), target_words.encode_all(targets), batch_size=4)
    losses = [float(nll / tokens) for nll, tokens, _ in (step(*batch) for _ in range(config.epochs))]
    assert losses[0] > 2 and losses[-1] < 0.1

    translator = Translator(model, source_words, target_words)
    translations = translator.translate(sources)
    assert [translation.text for translation in translations] == list(targets)

    found = translations[0]
    assert found.source_tokens == ["the", "boy", "reads", "a", "book", "."]
    assert found.target_tokens == ["मुलगा", "पुस्तक", "वाचतो", ".", "<end>"]
    assert found.attention.shape == (5, 6)
    np.testing.assert_allclose(found.attention.sum(axis=1), 1.0, atol=1e-5)

    (axes, *_) = plot_attention(found).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["The", "boy", "reads", "a", "book", "."]
    assert [label.get_text() for label in axes.get_yticklabels()] == found.target_tokens[:4]  # the words
