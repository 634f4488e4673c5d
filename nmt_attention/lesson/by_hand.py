"""What lesson 4's model needs: the weights of another that computes the same, training on short pairs, and a search."""

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..batches import Batch, make_dataset
from ..corpus import Pair
from ..text import WordTokenizer
from ..translate import Translation
from ..vocabulary import END_ID, START_ID
from .ladder import loss_per_token
from .runs import preset


def copy_weights(ours: Any, package: Any) -> None:
    """Gives lesson 4's model, or a part of it, the weights of the package's, so that both should compute the same.

    The package's cell multiplies token and context by two matrices and adds the results; the lesson's concatenates
    token and context, so the two matrices become one. The package reads its token vectors times 4, and the output
    layer uses the same vectors; the lesson has a table for each. A model that does as the package does gets them as
    they are.

    Args:
        ours: lesson 4's `Encoder`, `BahdanauAttention`, `Decoder` or `Seq2Seq`, which has been called once, so that its
            weights are there.
        package: the package's part with the same sizes: Bahdanau's decoder and attention, one layer of GRU.
    """
    if hasattr(ours, "encoder"):
        copy_weights(ours.encoder, package.encoder)
        copy_weights(ours.decoder, package.decoder)
        return
    weights = package.get_weights()
    if hasattr(ours, "embedding"):
        vectors = package.embedding.get_weights()[0]
        table = vectors * package.embedding.factor if type(ours.embedding) is keras.layers.Embedding else vectors
        weights[0] = table  # of an encoder
    if not hasattr(ours, "cell"):
        ours.set_weights(weights)
        return
    ours.embedding.set_weights([table])
    ours.attention.set_weights(package.attention.get_weights())
    ours.readout.set_weights(package.readout.get_weights())
    if hasattr(ours, "to_logits"):
        ours.to_logits.set_weights([vectors.T, package.output_bias])
    else:
        ours.output_bias.assign(package.output_bias)
    ours.bridge.set_weights(package.stack.bridges[0][0].get_weights())
    (token, token_bias), (context,) = package.token_layer.get_weights(), package.context_layer.get_weights()
    recurrent, recurrent_bias = package.stack.cells[0].recurrent.get_weights()
    ours.cell.set_weights([np.concatenate([token, context]), recurrent, np.stack([token_bias, recurrent_bias])])


def train_on_pairs(
    make_model: Callable[[int, int], Any], pairs: Sequence[Pair], watched: Pair
) -> tuple[Any, tuple[WordTokenizer, WordTokenizer], list[tuple[float, Translation]]]:
    """Trains a model on short pairs for twelve epochs (quick: four), with seed 1, and prints the loss of every fourth.

    Args:
        make_model: takes the sizes of both vocabularies and returns a model, which returns logits and weights.
        pairs: at least 64.
        watched: a pair whose heatmap is kept before training and after each epoch, its translation given.

    Returns:
        the model, the tokenizers of both languages, and for each heatmap the loss of its epoch and the heatmap.

    Raises:
        ValueError: a weight has no gradient; the message names it.
    """
    sides = [pair.source for pair in pairs], [pair.target for pair in pairs]
    source, target = (WordTokenizer.learn(texts, 1000, fold_case=texts is sides[0]) for texts in sides)
    (data,) = make_dataset(source.encode_all(sides[0]), target.encode_all(sides[1]), batch_size=len(pairs))
    keras.utils.set_random_seed(1)
    model = make_model(len(source), len(target))

    def gradients_of(*columns: tf.Tensor) -> tuple[tf.Tensor, Any]:
        with tf.GradientTape() as tape:
            loss = loss_per_token(model, Batch(*columns))
        return loss, tape.gradient(loss, model.trainable_variables)

    def look(loss: Any) -> tuple[float, Translation]:
        columns, rows = source.encode(watched.source), [*target.encode(watched.target), END_ID]
        weights = model(tf.constant([columns]), tf.constant([[START_ID, *rows[:-1]]]))[1][0].numpy()  # (T, S)
        tokens = source.tokens(columns), target.tokens(rows)
        return float(loss), Translation(watched.source, watched.target, *tokens, weights, 0.0)

    loss, gradients = gradients_of(*(column[:64] for column in data))  # the first call creates the weights
    missed = [w.path for w, gradient in zip(model.trainable_variables, gradients, strict=True) if gradient is None]
    if missed:
        raise ValueError(f"no gradient for {missed}: is there NumPy in a layer? Write the same with tf")
    optimizer, random = keras.optimizers.Adam(3e-3, global_clipnorm=1.0), np.random.default_rng(1)
    optimizer.build(model.trainable_variables)
    film = [look(loss)]

    @tf.function
    def train_step(*batch: tf.Tensor) -> tf.Tensor:
        loss, gradients = gradients_of(*batch)
        optimizer.apply(gradients, model.trainable_variables)
        return loss

    for epoch in range(1, 13 if preset() == "full" else 5):
        batches = random.permutation(len(pairs))[: len(pairs) // 64 * 64].reshape(-1, 64)
        loss = np.mean([train_step(*(tf.gather(column, rows) for column in data)) for rows in batches])
        film.append(look(loss))
        if epoch % 4 == 0:
            print(f"epoch {epoch:2}  loss {loss:.1f}")
    return model, (source, target), film


def write_greedily(model: Any, source_ids: Sequence[int], limit: int = 12) -> list[int]:
    """Returns the ids, END included, that lesson 4's model writes for a sentence's ids, by lesson 2's greedy search."""
    state, memory = model.encode(tf.constant([source_ids]))
    written = [START_ID]
    while written[-1] != END_ID and len(written) <= limit:
        logits, state, _ = model.decoder.step(tf.constant(written[-1:]), state, memory)  # (1, V), (1, H)
        written.append(int(tf.argmax(logits[0])))
    return written[1:]
