"""What lessons 3b and 4 need: a matrix that learns to look; lesson 4's training, search and control."""

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..analysis.significance import compare
from ..attention import Memory
from ..batches import Batch
from ..corpus import Pair
from ..disk.fetch import load_corpus
from ..text import WordTokenizer
from ..translate import Translation
from ..vocabulary import END_ID, START_ID, UNKNOWN_ID
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

    It writes lesson 3's two sentences. A step is 0.02 times the gradient of −ln p of the eight right words, in nats.

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

    The package's cell has a matrix for the token and one for the context, the lesson's one for both, side by side. The
    package's output layer uses its token vectors, which it reads times 4; the lesson has a table for each. A model that
    does as the package does gets them as they are.

    Args:
        ours: lesson 4's `Encoder`, `BahdanauAttention`, `Decoder` or `Seq2Seq`, which has been called once.
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


def short_pairs() -> tuple[list[Pair], list[Pair]]:
    """Returns phrasebook pairs of at most four frequent English words: to test, unseen on both sides, and to train."""
    short = [pair for pair in load_corpus("phrasebook") if len(pair.source.split()) <= 4]
    frequent = WordTokenizer.learn([pair.source for pair in short], 150, fold_case=True)
    known = [pair for pair in short if UNKNOWN_ID not in frequent.encode(pair.source)]
    others = [pair for i, pair in enumerate(known) if i % 5]
    written = {pair.target for pair in others}
    return [pair for pair in known[::5] if pair.target not in written], others


class OneVector(keras.layers.Layer):
    """What plain seq2seq has in place of lesson 4's attention: each step gets the thought vector as its context."""

    def memory(self, values: tf.Tensor, mask: tf.Tensor) -> Memory:
        """Returns the last state of each reader, of values (B, S, H) whose left-to-right half comes first."""
        half, last = values.shape[-1] // 2, tf.reduce_sum(tf.cast(mask, tf.int32), axis=1) - 1
        forward, backward = tf.gather(values[..., :half], last, batch_dims=1), values[:, 0, half:]
        return Memory(tf.concat([forward, backward], axis=-1), None, mask)

    def call(self, query: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor]:
        return memory.values, tf.zeros_like(memory.mask, tf.float32)  # it looks nowhere


def train_on_pairs(
    make_model: Callable[[int, int], Any], pairs: Sequence[Pair], watched: Pair, one_vector: bool = False
) -> tuple[Any, tuple[WordTokenizer, WordTokenizer], list[tuple[float, Translation]]]:
    """Trains a model in nine rounds of 60 batches (quick: three of 20) with seed 1, and prints the loss of every third.

    A batch has 64 texts, each of one short sentence, of two in a row or of three (quick: of one), equally often.

    Args:
        make_model: takes the sizes of both vocabularies and returns a model, which returns logits and weights.
        pairs: short ones, because texts are padded to the longest that could be.
        watched: a pair whose heatmap is kept before training and after each round, its translation given.
        one_vector: whether the model is made plain seq2seq first, with `OneVector` in place of its attention.

    Returns:
        the model, the tokenizers of both languages, and for each heatmap the loss of its round and the heatmap.

    Raises:
        ValueError: a weight has no gradient; the message names it.
    """
    sides = [pair.source for pair in pairs], [pair.target for pair in pairs]
    source, target = (WordTokenizer.learn(texts, 1000, fold_case=texts is sides[0]) for texts in sides)
    ids = [[tokenizer.encode(text) for text in texts] for tokenizer, texts in zip((source, target), sides, strict=True)]
    longest = [max(map(len, rows)) for rows in ids]
    random = np.random.default_rng(1)
    keras.utils.set_random_seed(1)
    model = make_model(len(source), len(target))
    if one_vector:
        model.decoder.attention = OneVector()

    def draw(n: int) -> Batch:
        chosen = random.integers(len(pairs), size=(64, n))
        read, written = ([[i for k in row for i in rows[k]] for row in chosen] for rows in ids)
        texts = read, [[START_ID, *row] for row in written], [[*row, END_ID] for row in written]
        widths = n * longest[0], n * longest[1] + 1, n * longest[1] + 1
        return Batch(*(keras.utils.pad_sequences(t, w, padding="post") for t, w in zip(texts, widths, strict=True)))

    def gradients_of(*columns: tf.Tensor) -> tuple[tf.Tensor, Any]:
        with tf.GradientTape() as tape:
            loss = loss_per_token(model, Batch(*columns))
        return loss, tape.gradient(loss, model.trainable_variables)

    def look(loss: Any) -> tuple[float, Translation]:
        columns, rows = source.encode(watched.source), [*target.encode(watched.target), END_ID]
        looked = model(tf.constant([columns]), tf.constant([[START_ID, *rows[:-1]]]))[1][0].numpy()  # (T, S)
        tokens = source.tokens(columns), target.tokens(rows)
        return float(loss), Translation(watched.source, watched.target, *tokens, looked, 0.0)

    loss, gradients = gradients_of(*draw(1))  # the first call creates the weights
    missed = [w.path for w, gradient in zip(model.trainable_variables, gradients, strict=True) if gradient is None]
    if missed and not one_vector:
        raise ValueError(f"no gradient for {missed}: is there NumPy in a layer? Write the same with tf")
    rounds, batches = (9, 60) if preset() == "full" else (3, 20)
    rate = keras.optimizers.schedules.CosineDecay(1e-2, rounds * batches)  # to 0: else the last steps decide the score
    optimizer = keras.optimizers.Adam(rate, global_clipnorm=1.0)
    optimizer.build(model.trainable_variables)
    film = [look(loss)]

    @tf.function
    def train_step(*batch: tf.Tensor) -> tf.Tensor:
        loss, gradients = gradients_of(*batch)
        used = [(g, w) for g, w in zip(gradients, model.trainable_variables, strict=True) if g is not None]
        optimizer.apply_gradients(used)  # one vector leaves the weights of the attention unused
        return loss

    for number in range(1, rounds + 1):
        lengths = random.permutation(20 * [1, 2, 3]) if preset() == "full" else 20 * [1]
        loss = np.mean([train_step(*map(tf.constant, draw(n))) for n in lengths])
        film.append(look(loss))
        if number % 3 == 0:
            print(f"{'one vector' if one_vector else 'attention'}, round {number}: loss {loss:.1f}")
    return model, (source, target), film


def write_greedily(model: Any, rows: Sequence[Sequence[int]], limit: int = 24) -> list[list[int]]:
    """Returns the ids, END included, that lesson 4's model writes for sentences' ids, by lesson 2's greedy search."""
    state, memory = model.encode(tf.constant(keras.utils.pad_sequences(rows, padding="post")))
    written = [tf.fill([len(rows)], START_ID)]
    for _ in range(limit):
        logits, state, _ = model.decoder.step(written[-1], state, memory)  # (B, V), (B, H)
        written.append(tf.argmax(logits, axis=-1, output_type=tf.int32))
    return [ids[: [*ids, END_ID].index(END_ID) + 1] for ids in np.stack(written[1:], axis=1).tolist()]


def compare_in_a_row(unseen: Sequence[Pair], tokenizers: Sequence[WordTokenizer], plain: Any, attentive: Any) -> None:
    """Prints two models' BLEU for one to three sentences in a row, and their difference with `compare`'s interval."""
    for n in (1, 2, 3):
        rows = [unseen[i : i + n] for i in range(0, len(unseen) - n + 1, n)]
        sources, references = ([" ".join(pair[side] for pair in row) for row in rows] for side in (0, 1))
        ids = [tokenizers[0].encode(source) for source in sources]
        found, other = ([tokenizers[1].decode(row) for row in write_greedily(m, ids)] for m in (attentive, plain))
        bleu, _ = compare(found, other, [[reference] for reference in references])
        change = f"{bleu.difference:+.1f} ({bleu.low:+.1f} to {bleu.high:+.1f})"
        print(f"{n} in a row, {len(rows)} texts: BLEU {bleu.second:4.1f} → {bleu.first:4.1f}   {change}")
