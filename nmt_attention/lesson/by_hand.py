"""What lessons 3b and 4 need: a matrix that learns to look; training on short pairs, a search, and others' weights."""

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
from .widgets.widget import softmax

NAME, IS, GOOD, CHILD, MALE = np.eye(5)  # a vector for each meaning, as in lesson 3, H = 5
BOY, BOY_AND_GIRL = "Rahul is a good boy", ("राहुल चांगला मुलगा आहे", "नेहा चांगली मुलगी आहे")
READS = {"राहुल": NAME + MALE, "नेहा": NAME - MALE, "आहे": IS, "चांगला": GOOD + MALE, "चांगली": GOOD - MALE}
READS |= {"मुलगा": CHILD + MALE, "मुलगी": CHILD - MALE}
Gradient = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def learn_to_look(
    score_gradient: Gradient, matrix_gradient: Gradient | None = None, child: float = 0.75
) -> tuple[np.ndarray, list[tuple[float, Translation]]]:
    """Trains an attention whose scores are h·W s, with NumPy alone: W starts with zeros and takes 100 steps.

    It writes lesson 3's sentences, of a good boy and a good girl. The loss is −ln p of the right word, in nats, summed
    over the eight words, and a step is 0.02 times its gradient.

    Args:
        score_gradient: a learner's: weights (S,), values (S, H) and g (H,) to the gradient by the scores (S,).
        matrix_gradient: a learner's: that gradient, values (S, H) and state (H,) to the gradient by W (H, H).
        child: how much of *child* is in the state that writes *good*.

    Returns:
        W (H, H), and for 0 to 100 steps the loss and the boy's sentence with its weights.
    """
    states = 4 * np.array([NAME, GOOD + child * CHILD, CHILD, IS])  # (T, H)
    words = []  # each a state (H,), what it looks at (S, H), and the right word
    for male, text in zip((MALE, -MALE), BOY_AND_GIRL, strict=True):
        values = np.array([NAME + male, IS, 0 * NAME, GOOD, CHILD + male])
        words += [(state, values, word) for state, word in zip(states, text.split(), strict=True)]
    output = 5 * np.array([*READS.values()])  # (V, H)
    W, history = np.zeros((5, 5)), []
    for _ in range(101):
        loss, gradient, rows = 0.0, np.zeros((5, 5)), np.zeros((0, 5))
        for s, h, word in words:
            weights = softmax(h @ W @ s)
            p = softmax(output @ (weights @ h))  # (V,)
            right = np.array([other == word for other in READS])
            by_scores = score_gradient(weights, h, (p - right) @ output)
            gradient += matrix_gradient(by_scores, h, s) if matrix_gradient else np.outer(by_scores @ h, s)
            loss, rows = loss - np.log(p @ right), np.vstack([rows, weights])
        columns, target = BOY.split(), BOY_AND_GIRL[0]
        history.append((loss, Translation(BOY, target, columns, target.split(), rows[:4], 0.0)))
        W = W - 0.02 * gradient
    return W, history


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
