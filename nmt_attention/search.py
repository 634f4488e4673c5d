"""Search over any step function: from a distribution over the next token to a whole sentence."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .fast import top_k
from .vocabulary import END_ID, PAD_ID, START_ID, UNKNOWN_ID

Step = Callable[[tf.Tensor, Any], tuple[tf.Tensor, Any, tf.Tensor]]  # see `greedy_search`
Found = tuple[tf.Tensor, tf.Tensor, tf.Tensor]  # token ids, weights and log-probabilities


def greedy_search(step: Step, state: Any, max_lengths: tf.Tensor) -> Found:
    """Takes the most probable token at every step, for all rows at once, until every row has ended.

    Runs inside a `tf.function` without leaving the graph. A row's result does not depend on the other rows.

    Args:
        step: function of (token_ids `(B,)` int32, state) that returns (log_probs `(B, V)` float32, the next state,
            weights `(B, S)`). Any model can be searched.
        state: the first state, a nested structure of tensors.
        max_lengths: `(B,)` int32. Maximum number of tokens in a row, the END token included.

    Returns:
        token_ids: `(B, T)` int32. END where the row ended, `PAD_ID` after it.
        weights: `(B, T, S)` float32. Attention of every step; 0 after the row's end.
        log_prob: `(B,)` float32. Log-probability of the row's tokens in nats.
    """
    return _decode(step, state, max_lengths, lambda t, log_probs: tf.argmax(log_probs, axis=-1, output_type=tf.int32))


def sample(
    step: Step,
    state: Any,
    max_lengths: tf.Tensor,
    draws: tf.Tensor,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
) -> Found:
    """Draws every token at random with the probability that the model gives it, until every row has ended.

    The random numbers are given, one per step, so that a row's sample is a function of its own numbers: a draw u takes
    the token in whose interval u falls when the probabilities are laid end to end from 0 to 1.

    Args:
        step, state, max_lengths: as in `greedy_search`.
        draws: `(B, T)` float32 in [0, 1), with T at least the largest of `max_lengths`.
        temperature: above 0. Log-probabilities are divided by it: below 1 favours probable tokens, near 0 is greedy
            search, above 1 favours rare tokens.
        top_k: draws only among the k most probable tokens; 0 is all. See `keep_top_k`.
        top_p: then only among the most probable tokens that together reach p; 1 is all. See `keep_top_p`.

    Returns:
        As `greedy_search`. The log-probability is the model's own, before temperature, `top_k` and `top_p`.
    """

    def choose(t: tf.Tensor, log_probs: tf.Tensor) -> tf.Tensor:
        log_probs /= temperature
        if top_k:
            log_probs = keep_top_k(log_probs, top_k)
        if top_p < 1:
            log_probs = keep_top_p(log_probs, top_p)
        probs = tf.nn.softmax(log_probs)
        ends = tf.where(probs > 0, tf.cumsum(probs, axis=-1), 0.0)  # where each token's interval ends
        falls = draws[:, t, tf.newaxis] * tf.reduce_max(ends, axis=-1, keepdims=True)  # the sum is not exactly 1
        return tf.argmax(tf.cast(ends > falls, tf.int32), axis=-1, output_type=tf.int32)  # the first that ends after

    return _decode(step, state, max_lengths, choose)


def keep_top_k(log_probs: tf.Tensor, k: int) -> tf.Tensor:
    """Returns log-probabilities `(B, V)` with all but each row's k highest at -inf; ties with the kth stay.

    Source: Fan, Lewis & Dauphin 2018, arXiv:1805.04833.
    """
    highest, _ = tf.math.top_k(log_probs, tf.minimum(k, tf.shape(log_probs)[1]))
    return tf.where(log_probs < highest[:, -1:], -float("inf"), log_probs)


def keep_top_p(log_probs: tf.Tensor, p: float) -> tf.Tensor:
    """Returns log-probabilities `(B, V)` with -inf outside the nucleus; ties with its last token stay.

    The nucleus is the smallest set of tokens whose probabilities sum to at least p: few if the model is certain, many
    if it is not.

    Source: Holtzman et al. 2020, arXiv:1904.09751.
    """
    ordered = tf.sort(log_probs, direction="DESCENDING")
    before = tf.cumsum(tf.nn.softmax(ordered), axis=-1, exclusive=True)  # the sum of all more probable tokens
    last = tf.reduce_min(tf.where(before < p, ordered, float("inf")), axis=-1, keepdims=True)
    return tf.where(log_probs < last, -float("inf"), log_probs)


def _decode(
    step: Step, state: Any, max_lengths: tf.Tensor, choose: Callable[[tf.Tensor, tf.Tensor], tf.Tensor]
) -> Found:
    """Writes at each step t the tokens `choose(t, log_probs)`, `(B,)` from `(B, V)`, until every row has ended."""
    rows = tf.shape(max_lengths)[0]

    def body(t: tf.Tensor, token_ids: tf.Tensor, state: Any, alive: tf.Tensor, *found: Any) -> tuple[Any, ...]:
        log_prob, all_ids, all_weights = found
        log_probs, state, weights = step(token_ids, state)
        chosen = choose(t, log_probs)
        log_prob += tf.where(alive, tf.gather(log_probs, chosen, axis=1, batch_dims=1), 0.0)
        chosen = tf.where(alive, chosen, PAD_ID)
        weights = tf.where(alive[:, tf.newaxis], tf.cast(weights, tf.float32), 0.0)
        alive &= (chosen != END_ID) & (t + 1 < max_lengths)
        return t + 1, chosen, state, alive, log_prob, all_ids.write(t, chosen), all_weights.write(t, weights)

    arrays = [tf.TensorArray(dtype, 0, dynamic_size=True, clear_after_read=False) for dtype in (tf.int32, tf.float32)]
    start = (0, tf.fill([rows], START_ID), state, max_lengths > 0, tf.zeros([rows]), *arrays)
    *_, log_prob, all_ids, all_weights = tf.while_loop(_any_alive, body, start)
    return tf.transpose(all_ids.stack()), tf.transpose(all_weights.stack(), (1, 0, 2)), log_prob


def _any_alive(t: tf.Tensor, token_ids: tf.Tensor, state: Any, alive: tf.Tensor, *_: Any) -> tf.Tensor:
    return tf.reduce_any(alive)


def max_target_length(num_source_tokens: int) -> int:
    """Returns the maximum number of tokens in a translation, END included; a model that writes more has gone wrong."""
    return 2 * num_source_tokens + 10


def length_penalty(lengths: tf.Tensor, alpha: float) -> tf.Tensor:
    """Returns ((5 + length) / 6) ** alpha, by which a hypothesis's log-probability is divided.

    A log-probability falls with every token, so undivided ones prefer short sentences; alpha 0 leaves them undivided.

    Source: Wu et al. 2016, arXiv:1609.08144, eq. 14.
    """
    return ((5.0 + tf.cast(lengths, tf.float32)) / 6.0) ** alpha


def beam_search(step: Step, state: Any, max_lengths: tf.Tensor, beam_size: int, alpha: float = 1.0) -> Found:
    """Keeps the `beam_size` best hypotheses of every row at every step, until all of them have ended.

    Hypotheses are ranked by log-probability / `length_penalty`, ended and unended ones together. Runs inside a
    `tf.function` without leaving the graph; each hypothesis carries its attention. With a beam of 1 it is greedy.

    Args:
        step: as in `greedy_search`, over B · K rows: the K hypotheses of a row follow one another.
        state: the first state, a nested structure of tensors `(B * K, ...)`; see `repeat_rows`.
        max_lengths: `(B,)` int32. Maximum number of tokens in a row, the END token included.
        beam_size: K.
        alpha: exponent of the length penalty.

    Returns:
        token_ids: `(B, K, T)` int32, the best hypothesis first; END where it ended, `PAD_ID` after it.
        weights: `(B, K, T, S)` float32. Attention of every step of each hypothesis; 0 after its end.
        log_prob: `(B, K)` float32. Log-probability of the hypothesis in nats, not divided.

    Source: Sutskever, Vinyals & Le 2014, arXiv:1409.3215, section 3.2.
    """
    rows = tf.shape(max_lengths)[0]
    first_of_row = tf.range(rows)[:, tf.newaxis] * beam_size  # (B, 1)

    def body(t: tf.Tensor, token_ids: tf.Tensor, state: Any, alive: tf.Tensor, *found: Any) -> tuple[Any, ...]:
        log_prob, lengths, all_ids, all_parents, all_weights = found
        step_log_probs, state, weights = step(tf.reshape(token_ids, [-1]), state)
        # of each hypothesis no more than K continuations can be among the best K of the row
        most = min(beam_size, step_log_probs.shape[1])
        each, ids = (tf.reshape(found, [rows, beam_size, most]) for found in top_k(step_log_probs, most))
        # an ended hypothesis is continued by padding alone, which costs nothing
        padding = tf.one_hot(0, most, on_value=0.0, off_value=-float("inf"))
        totals = log_prob[..., tf.newaxis] + tf.where(alive[..., tf.newaxis], each, padding)  # (B, K, K)
        lengths += tf.cast(alive, tf.int32)
        ranks = tf.reshape(totals / length_penalty(lengths[..., tf.newaxis], alpha), [rows, -1])
        _, chosen = tf.math.top_k(ranks, beam_size)  # (B, K)
        parents = chosen // most
        best, log_prob = (tf.gather(tf.reshape(x, [rows, -1]), chosen, batch_dims=1) for x in (ids, totals))
        lengths, was_alive = (tf.gather(tensor, parents, batch_dims=1) for tensor in (lengths, alive))
        best = tf.where(was_alive, best, PAD_ID)  # among impossible continuations it may get another
        from_row = tf.reshape(first_of_row + parents, [-1])
        state = tf.nest.map_structure(lambda tensor: tf.ensure_shape(tf.gather(tensor, from_row), tensor.shape), state)
        weights = tf.where(tf.reshape(was_alive, [-1, 1]), tf.gather(tf.cast(weights, tf.float32), from_row), 0.0)
        alive = was_alive & (best != END_ID) & (t + 1 < max_lengths[:, tf.newaxis])
        arrays = all_ids.write(t, best), all_parents.write(t, parents), all_weights.write(t, weights)
        return t + 1, best, state, alive, log_prob, lengths, *arrays

    # at first all hypotheses of a row are the same, so only one may be continued
    log_prob = tf.tile([[0.0] + [-float("inf")] * (beam_size - 1)], [rows, 1])
    arrays = [tf.TensorArray(dtype, 0, dynamic_size=True) for dtype in (tf.int32, tf.int32, tf.float32)]
    alive = tf.tile(max_lengths[:, tf.newaxis] > 0, [1, beam_size])
    start = (0, tf.fill([rows, beam_size], START_ID), state, alive, log_prob, tf.zeros_like(alive, tf.int32), *arrays)
    steps, *_, log_prob, _, all_ids, all_parents, all_weights = tf.while_loop(_any_alive, body, start)
    ids, weights = _follow_back(steps, all_ids.stack(), all_parents.stack(), all_weights.stack())
    return ids, weights, log_prob


def _follow_back(
    steps: tf.Tensor, ids: tf.Tensor, parents: tf.Tensor, weights: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor]:
    """Reads every hypothesis from its last token to its first; turns `(T, B, K)` arrays into `(B, K, T)` ones."""
    rows, beam_size = tf.shape(ids)[1], tf.shape(ids)[2]
    weights = tf.reshape(weights, [steps, rows, beam_size, -1])
    place = tf.tile(tf.range(beam_size)[tf.newaxis], [rows, 1])  # where each hypothesis stood at step t

    def body(t: tf.Tensor, place: tf.Tensor, all_ids: Any, all_weights: Any) -> tuple[Any, ...]:
        all_ids = all_ids.write(t, tf.gather(ids[t], place, batch_dims=1))
        all_weights = all_weights.write(t, tf.gather(weights[t], place, batch_dims=1))
        return t - 1, tf.gather(parents[t], place, batch_dims=1), all_ids, all_weights

    arrays = [tf.TensorArray(tensor.dtype, steps) for tensor in (ids, weights)]
    *_, all_ids, all_weights = tf.while_loop(lambda t, *_: t >= 0, body, (steps - 1, place, *arrays))
    return tf.transpose(all_ids.stack(), (1, 2, 0)), tf.transpose(all_weights.stack(), (1, 2, 0, 3))


def repeat_rows(structure: Any, times: int) -> Any:
    """Returns every tensor of a nested structure with each row repeated: `(B, ...)` to `(B * times, ...)`."""
    return tf.nest.map_structure(lambda tensor: tf.repeat(tensor, times, axis=0), structure)


def without_repeats(step: Step, state: Any, max_lengths: tf.Tensor, n: int) -> tuple[Step, Any]:
    """Keeps any search from writing the same n tokens in a row twice in one sentence.

    The tokens written so far become part of the state, so that they stay with their hypothesis when a beam moves it. A
    token that would complete an n-gram for the second time gets the log-probability -inf; the others keep the model's
    own. An n-gram with `<unknown>` in it may be written again, because two unknown words need not be the same word.

    Args:
        step, state: as in `greedy_search`, with one row per hypothesis.
        max_lengths: int32. As in the search; only the largest matters.
        n: at least 1.

    Returns:
        step, state: to be searched instead.

    Source: Paulus, Xiong & Socher 2018, arXiv:1705.04304, section 2.5.
    """
    rows = tf.shape(tf.nest.flatten(state)[0])[0]
    written = tf.fill([rows, tf.reduce_max(max_lengths) + n], PAD_ID)  # the latest token stands last

    def step_without(token_ids: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any, tf.Tensor]:
        state, written = state
        log_probs, state, weights = step(token_ids, state)
        written = tf.concat([written[:, 1:], token_ids[:, tf.newaxis]], axis=1)  # (B, W)
        windows = tf.shape(written)[1] - n + 1
        last = written[:, n - 1 :]  # (B, windows): the last token of every window of n tokens
        repeats = (last != PAD_ID) & (last != UNKNOWN_ID)
        for i in range(n - 1):  # do its other tokens equal those written last?
            token = written[:, windows + i, tf.newaxis]
            repeats &= (written[:, i : windows + i] == token) & (token != UNKNOWN_ID)
        places = tf.where(repeats)
        banned = tf.stack([places[:, 0], tf.cast(tf.gather_nd(last, places), tf.int64)], axis=1)
        never = tf.fill([tf.shape(banned)[0]], -float("inf"))
        return tf.tensor_scatter_nd_update(log_probs, banned, never), (state, written), weights

    return step_without, (state, written)
