"""What to do about a model that always says the same: four rungs, each of which rests on the one before it.

The first rung that breaks says where to look: in the model and its training, in what the decoder reads, in the search,
or in the data.
"""

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from ..batches import Batch
from ..search import greedy_search, step_of
from ..train import cross_entropy
from ..vocabulary import END_ID, PAD_ID, START_ID

Search = Callable[[Any, tf.Tensor, int], tf.Tensor]  # see `greedy`

MEANINGS = {
    "one batch": "Look at the model, the loss and the learning rate. If the loss stays near ln(rows) / (tokens of a "
    "row), the decoder does not know which sentence it should translate: follow the source through the code.",
    "teacher forcing": "Look at what the decoder reads. target_in must begin with START and be target_out one position "
    "later, END must be a target of each row, no position may see a later token, and the source must be needed.",
    "greedy search": "Look at the search. Compare it with teacher forcing, step by step: the first token (START), the "
    "state and the memory that a step gets and hands on, and the token at which it stops (END).",
    "data": "Look at the data. Read ten pairs aloud: are they translations? If not even seen pairs need their own "
    "sources, train for longer first.",
}


def overfit(model: keras.Model, batch: Batch, learning_rate: float = 5e-3, steps: int = 400) -> float:
    """Trains a model on a single batch, without dropout, until its loss is below 0.05 or the steps are done.

    Returns:
        The loss after that, in nats per target token.
    """
    model(batch.source_ids, batch.target_in)  # creates the weights
    optimizer, variables = keras.optimizers.Adam(learning_rate, global_clipnorm=1.0), model.trainable_variables
    optimizer.build(variables)
    zero = tf.UnconnectedGradients.ZERO  # of a weight that a bug leaves unused; it needs TensorFlow's variables

    @tf.function
    def step() -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = loss_per_token(model, batch)
        gradients = tape.gradient(loss, [variable.value for variable in variables], unconnected_gradients=zero)
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss

    for _ in range(steps):
        if step() < 0.05:
            break
    return float(loss_per_token(model, batch))


def is_shifted(batch: Batch) -> bool:
    """Returns whether `target_in` is START and then `target_out`, one position later, END in every row."""
    before, after = np.asarray(batch.target_in), np.asarray(batch.target_out)
    later = (before[:, 1:] == after[:, :-1]) | (after[:, 1:] == PAD_ID)  # what is read for padding does not count
    return bool((before[:, 0] == START_ID).all() and later.all() and (after == END_ID).any(axis=1).all())


def sees_future(model: keras.Model, batch: Batch) -> bool:
    """Returns whether another token at the last position, START, changes what is predicted before it."""
    other = tf.concat([batch.target_in[:, :-1], tf.fill([len(batch.target_in), 1], START_ID)], axis=1)
    one, two = (model(batch.source_ids, target_in)[0][:, :-1] for target_in in (batch.target_in, other))
    return not np.allclose(one, two, atol=1e-5)


def source_gain(model: keras.Model, batch: Batch) -> float:
    """Returns what a target token costs more, in nats, if each row gets the source of the row before it.

    The decoder is teacher-forced. Near 0, the model does not need the source.
    """
    others = batch._replace(source_ids=tf.roll(batch.source_ids, 1, axis=0))
    return float(loss_per_token(model, others) - loss_per_token(model, batch))


def greedy(model: Any, source_ids: tf.Tensor, limit: int) -> tf.Tensor:
    """Returns what greedy search writes with a `Seq2Seq`: ids `(B, T)`, T at most `limit`, padding after END."""
    state, memory = model.encode(source_ids)
    return greedy_search(step_of(model), state, tf.fill([len(source_ids)], limit), (memory,))[0]


def diagnose(
    model: keras.Model,
    make_model: Callable[[], keras.Model],
    batch: Batch,
    unseen: Batch,
    learning_rate: float = 5e-3,
    search: Search = greedy,
) -> str:
    """Climbs the ladder: prints each rung up to the first that breaks, and what that means.

    Args:
        model: the trained model that disappoints. As with `Seq2Seq`, `model(source_ids, target_in)` returns logits
            `(B, T, V)` and weights.
        make_model: returns a new, untrained model of its kind.
        batch: about 32 training pairs whose sources all differ.
        unseen: about as many pairs that are not in training.
        learning_rate: that of the training.
        search: maps (model, source_ids, maximum length) to the ids `(B, T)` that it writes, padding after END.

    Returns:
        The rung that breaks, a key of `MEANINGS`, or "" if all hold.
    """
    wrote = _rows(search(model, unseen.source_ids, unseen.target_out.shape[1]))
    print(f"The model writes {len(set(wrote))} different translations of {len(wrote)} sentences.")

    small = make_model()
    loss = overfit(small, batch, learning_rate)
    if not _holds("one batch", loss < 0.1, f"trained on one batch, its loss is {loss:.2f} (below 0.1)"):
        return "one batch"

    shifted, future, gain = is_shifted(batch), sees_future(small, batch), source_gain(small, batch)
    says = f"targets shifted: {shifted}, future seen: {future}, with other sources {gain:+.2f} nats (more than 1)"
    if not _holds("teacher forcing", shifted and not future and gain > 1, says):
        return "teacher forcing"

    wrote, wanted = _rows(search(small, batch.source_ids, batch.target_out.shape[1] + 1)), _rows(batch.target_out)
    right = float(np.mean([one == other for one, other in zip(wrote, wanted, strict=True)]))
    if not _holds("greedy search", right > 0.9, f"{right:.0%} of that batch written word for word (more than 90 %)"):
        return "greedy search"

    seen, gain = source_gain(model, batch), source_gain(model, unseen)
    says = (
        f"the trained model, with other sources: {gain:+.2f} nats on unseen pairs (more than 0.5), {seen:+.2f} on seen"
    )
    return "" if _holds("data", gain > 0.5, says) else "data"


def loss_per_token(model: Any, batch: Batch) -> tf.Tensor:
    """Returns the loss of a model that is given the batch's targets, in nats per target token."""
    nats, _, tokens = cross_entropy(model(batch.source_ids, batch.target_in)[0], batch.target_out)
    return nats / tokens


def _rows(ids: tf.Tensor) -> list[tuple[int, ...]]:
    return [tuple(row[row != PAD_ID].tolist()) for row in np.asarray(ids)]


def _holds(rung: str, holds: bool, says: str) -> bool:
    print(f"{'holds ' if holds else 'BREAKS'}  {rung}: {says}")
    if not holds:
        print(MEANINGS[rung])
    return holds
