"""Tiny untrained models with their tokenisers, steps of a search by a table, and random numbers."""

import keras
import numpy as np
import tensorflow as tf

from nmt_attention import ModelConfig, Seq2Seq, WordTokenizer

ENGLISH = ["The boy goes to school.", "The girl reads a book.", "Where is the school?", "I read books."]
MARATHI = ["मुलगा शाळेत जातो.", "मुलगी पुस्तक वाचते.", "शाळा कुठे आहे?", "मी पुस्तकं वाचतो."]


def parts(kind=WordTokenizer, seed=0, units=16, **settings):
    """Returns a model and its tokenisers. Its distributions are nearly flat: the hardest case for equal answers."""
    keras.utils.set_random_seed(seed)
    source, target = kind.learn(ENGLISH, 60, fold_case=True), kind.learn(MARATHI, 60)
    model = Seq2Seq(ModelConfig(len(source), len(target), units=units, embedding_units=units, **settings))
    for weight in model.weights:
        weight.assign(weight * 3.0)
    return model, source, target


def table_step(table):
    """A step function that looks the next token's distribution up by the last token alone."""
    log_probs = np.full((6, 6), -np.inf, np.float32)
    for token, row in table.items():
        for following, probability in row.items():
            log_probs[token, following] = np.log(probability)

    def step(token_ids, state):
        weights = tf.one_hot(state % 3, 3)  # looks one position further at every step
        return tf.gather(tf.constant(log_probs), token_ids), state + 1, weights

    return step


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)
