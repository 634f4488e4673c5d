"""Search over any step function: from a distribution over the next token to a whole sentence."""

import tensorflow as tf

from .text import END_ID, PAD_ID, START_ID


def greedy_search(step, state, limits):
    """Takes the most probable token at every step, for all rows at once, until every row has ended.

    Runs inside a `tf.function` without leaving the graph. What a row gets does not depend on the other rows.

    Args:
        step: function of (token_ids `(B,)` int32, state) that returns (log_probs `(B, V)` float32, the next state,
            weights `(B, S)`). Any model can be searched.
        state: the first state, a nested structure of tensors.
        limits: `(B,)` int32. Most tokens a row may have, the END token included.

    Returns:
        token_ids: `(B, T)` int32. END where the row ended, `PAD_ID` after it.
        weights: `(B, T, S)` float32. Attention of every step; 0 after the row's end.
        log_prob: `(B,)` float32. Log-probability of the row's tokens in nats.
    """
    rows = tf.shape(limits)[0]

    def keep_going(t, token_ids, state, alive, *_):
        return tf.reduce_any(alive)

    def body(t, token_ids, state, alive, log_prob, all_ids, all_weights):
        log_probs, state, weights = step(token_ids, state)
        best = tf.argmax(log_probs, axis=-1, output_type=tf.int32)
        log_prob += tf.where(alive, tf.gather(log_probs, best, axis=1, batch_dims=1), 0.0)
        best = tf.where(alive, best, PAD_ID)
        weights = tf.where(alive[:, tf.newaxis], tf.cast(weights, tf.float32), 0.0)
        alive &= (best != END_ID) & (t + 1 < limits)
        return t + 1, best, state, alive, log_prob, all_ids.write(t, best), all_weights.write(t, weights)

    arrays = [tf.TensorArray(dtype, 0, dynamic_size=True, clear_after_read=False) for dtype in (tf.int32, tf.float32)]
    start = (0, tf.fill([rows], START_ID), state, limits > 0, tf.zeros([rows]), *arrays)
    *_, log_prob, all_ids, all_weights = tf.while_loop(keep_going, body, start)
    return tf.transpose(all_ids.stack()), tf.transpose(all_weights.stack(), (1, 0, 2)), log_prob


def length_penalty(lengths, alpha):
    """Returns ((5 + length) / 6) ** alpha, by which a hypothesis's log-probability is divided.

    A log-probability falls with every token, so that bare sums prefer short sentences; alpha 0 leaves it at that.

    Source: Wu et al. 2016, arXiv:1609.08144, eq. 14.
    """
    return ((5.0 + tf.cast(lengths, tf.float32)) / 6.0) ** alpha


def beam_search(step, state, limits, beam_size, alpha=1.0):
    """Keeps the `beam_size` best hypotheses of every row at every step, until all of them have ended.

    Hypotheses are ranked by log-probability / `length_penalty`, ended and unended ones together. Runs inside a
    `tf.function` without leaving the graph; each hypothesis carries its attention. With a beam of 1 it is greedy.

    Args:
        step: as in `greedy_search`, over B · K rows: the K hypotheses of a row follow one another.
        state: the first state, a nested structure of tensors `(B * K, ...)`; see `repeat_rows`.
        limits: `(B,)` int32. Most tokens a row may have, the END token included.
        beam_size: int. K.
        alpha: float. Exponent of the length penalty.

    Returns:
        token_ids: `(B, K, T)` int32, the best hypothesis first; END where it ended, `PAD_ID` after it.
        weights: `(B, K, T, S)` float32. Attention of every step of each hypothesis; 0 after its end.
        log_prob: `(B, K)` float32. Log-probability of the hypothesis in nats, not divided.

    Source: Sutskever, Vinyals & Le 2014, arXiv:1409.3215, section 3.2.
    """
    rows = tf.shape(limits)[0]
    first_of_row = tf.range(rows)[:, tf.newaxis] * beam_size  # (B, 1)

    def rank(log_prob, lengths):
        return log_prob / length_penalty(lengths, alpha)

    def keep_going(t, token_ids, state, alive, *_):
        return tf.reduce_any(alive)

    def body(t, token_ids, state, alive, log_prob, lengths, all_ids, all_parents, all_weights):
        step_log_probs, state, weights = step(tf.reshape(token_ids, [-1]), state)
        vocabulary_size = tf.shape(step_log_probs)[1]
        step_log_probs = tf.reshape(step_log_probs, [rows, beam_size, vocabulary_size])
        # an ended hypothesis goes on in one way alone, with padding that costs nothing
        padding = tf.one_hot(PAD_ID, vocabulary_size, on_value=0.0, off_value=-float("inf"))
        totals = log_prob[..., tf.newaxis] + tf.where(alive[..., tf.newaxis], step_log_probs, padding)  # (B, K, V)
        lengths += tf.cast(alive, tf.int32)
        ranks = tf.reshape(rank(totals, lengths[..., tf.newaxis]), [rows, -1])
        _, chosen = tf.math.top_k(ranks, beam_size)  # (B, K)
        parents, best = chosen // vocabulary_size, chosen % vocabulary_size
        log_prob = tf.gather(tf.reshape(totals, [rows, -1]), chosen, batch_dims=1)
        lengths, was_alive = (tf.gather(tensor, parents, batch_dims=1) for tensor in (lengths, alive))
        from_row = tf.reshape(first_of_row + parents, [-1])
        state = tf.nest.map_structure(lambda tensor: tf.ensure_shape(tf.gather(tensor, from_row), tensor.shape), state)
        weights = tf.where(tf.reshape(was_alive, [-1, 1]), tf.gather(tf.cast(weights, tf.float32), from_row), 0.0)
        alive = was_alive & (best != END_ID) & (t + 1 < limits[:, tf.newaxis])
        arrays = all_ids.write(t, best), all_parents.write(t, parents), all_weights.write(t, weights)
        return t + 1, best, state, alive, log_prob, lengths, *arrays

    # at first all hypotheses of a row are the same: only one may have followers
    log_prob = tf.tile([[0.0] + [-float("inf")] * (beam_size - 1)], [rows, 1])
    arrays = [tf.TensorArray(dtype, 0, dynamic_size=True) for dtype in (tf.int32, tf.int32, tf.float32)]
    alive = tf.tile(limits[:, tf.newaxis] > 0, [1, beam_size])
    start = (0, tf.fill([rows, beam_size], START_ID), state, alive, log_prob, tf.zeros_like(alive, tf.int32), *arrays)
    steps, *_, log_prob, _, all_ids, all_parents, all_weights = tf.while_loop(keep_going, body, start)
    ids, weights = _follow_back(steps, all_ids.stack(), all_parents.stack(), all_weights.stack())
    return ids, weights, log_prob


def _follow_back(steps, ids, parents, weights):
    """Reads every hypothesis from its last token to its first, `(T, B, K)` arrays to `(B, K, T)` ones."""
    rows, beam_size = tf.shape(ids)[1], tf.shape(ids)[2]
    weights = tf.reshape(weights, [steps, rows, beam_size, -1])
    place = tf.tile(tf.range(beam_size)[tf.newaxis], [rows, 1])  # where each hypothesis stood at step t

    def body(t, place, all_ids, all_weights):
        all_ids = all_ids.write(t, tf.gather(ids[t], place, batch_dims=1))
        all_weights = all_weights.write(t, tf.gather(weights[t], place, batch_dims=1))
        return t - 1, tf.gather(parents[t], place, batch_dims=1), all_ids, all_weights

    arrays = [tf.TensorArray(tensor.dtype, steps) for tensor in (ids, weights)]
    *_, all_ids, all_weights = tf.while_loop(lambda t, *_: t >= 0, body, (steps - 1, place, *arrays))
    return tf.transpose(all_ids.stack(), (1, 2, 0)), tf.transpose(all_weights.stack(), (1, 2, 0, 3))


def repeat_rows(structure, times):
    """Returns every tensor of a nested structure with each row repeated: `(B, ...)` to `(B * times, ...)`."""
    return tf.nest.map_structure(lambda tensor: tf.repeat(tensor, times, axis=0), structure)
