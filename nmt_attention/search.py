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
