"""Search over any step function: from a distribution over the next token to a whole sentence."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .fast import draw, top_k
from .vocabulary import END_ID, PAD_ID, START_ID, UNKNOWN_ID

Step = Callable[..., tuple[tf.Tensor, Any, tf.Tensor]]  # see `greedy_search`
Found = tuple[tf.Tensor, tf.Tensor, tf.Tensor]  # token ids, weights and log-probabilities


def greedy_search(step: Step, state: Any, max_lengths: tf.Tensor, memory: tuple[Any, ...] = ()) -> Found:
    """Takes the most probable token at every step, for all rows at once, until every row has ended.

    A row that has ended leaves the batch, so that the steps of the longest rows are small and fast. Runs inside a
    `tf.function` without leaving the graph. A row's result does not depend on the other rows.

    Args:
        step: function of (token_ids `(B,)` int32, state, *memory) that returns (log_probs `(B, V)` float32, the next
            state, weights `(B, S)`). Any model can be searched.
        state: the first state, a nested structure of tensors `(B, ...)`.
        max_lengths: `(B,)` int32. Maximum number of tokens in a row, the END token included.
        memory: what else the step needs and does not change, nested structures of tensors `(B, ...)`. A step must not
            know anything of a row from elsewhere, because B falls from step to step.

    Returns:
        token_ids: `(B, T)` int32. END where the row ended, `PAD_ID` after it.
        weights: `(B, T, S)` float32. Attention of every step; 0 after the row's end.
        log_prob: `(B,)` float32. Log-probability of the row's tokens in nats.
    """

    def choose(t: tf.Tensor, rows: tf.Tensor, log_probs: tf.Tensor) -> tf.Tensor:
        return tf.argmax(log_probs, axis=-1, output_type=tf.int32)

    return _decode(step, state, max_lengths, memory, choose)


def sample(
    step: Step,
    state: Any,
    max_lengths: tf.Tensor,
    draws: tf.Tensor,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    memory: tuple[Any, ...] = (),
) -> Found:
    """Draws every token at random with the probability that the model gives it, until every row has ended.

    The random numbers are given, one per step, so that a row's sample is a function of its own numbers: a draw u takes
    the token in whose interval u falls when the probabilities are laid end to end from 0 to 1.

    Args:
        step, state, max_lengths, memory: as in `greedy_search`.
        draws: `(B, T)` float32 in [0, 1), with T at least the largest of `max_lengths`.
        temperature: above 0. Log-probabilities are divided by it: below 1 favours probable tokens, near 0 is greedy
            search, above 1 favours rare tokens.
        top_k: draws only among the k most probable tokens; 0 is all. See `keep_top_k`.
        top_p: then only among the most probable tokens that together reach p; 1 is all. See `keep_top_p`.

    Returns:
        As `greedy_search`. The log-probability is the model's own, before temperature, `top_k` and `top_p`.
    """

    def choose(t: tf.Tensor, rows: tf.Tensor, log_probs: tf.Tensor) -> tf.Tensor:
        log_probs /= temperature
        if top_k:
            log_probs = keep_top_k(log_probs, top_k)
        if top_p < 1:
            log_probs = keep_top_p(log_probs, top_p)
        return draw(tf.nn.softmax(log_probs), tf.gather(draws[:, t], rows))

    return _decode(step, state, max_lengths, memory, choose)


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
    step: Step,
    state: Any,
    max_lengths: tf.Tensor,
    memory: tuple[Any, ...],
    choose: Callable[[tf.Tensor, tf.Tensor, tf.Tensor], tf.Tensor],
) -> Found:
    """Writes at each step t the tokens `choose(t, rows, log_probs)`, `(R,)` from `(R, V)`, of the R unended rows."""
    size = tf.shape(max_lengths)[0]

    def body(t: tf.Tensor, rows: tf.Tensor, token_ids: tf.Tensor, state: Any, memory: Any, *found: Any) -> Any:
        log_probs, state, weights = step(token_ids, state, *memory)
        chosen = choose(t, rows, log_probs)
        log_prob = tf.gather(log_probs, chosen, axis=1, batch_dims=1)
        new = rows + t * size, chosen, tf.cast(weights, tf.float32), log_prob
        arrays = [array.write(t, tensor) for array, tensor in zip(found, new, strict=True)]
        unended = (chosen != END_ID) & (t + 1 < tf.gather(max_lengths, rows))
        return t + 1, *_keep((rows, chosen, state, memory), tf.where(unended)[:, 0]), *arrays

    places, ids, log_prob = (_array_of_rows(dtype) for dtype in (tf.int32, tf.int32, tf.float32))
    found = [places, ids, _array_of_rows(tf.float32, None), log_prob]
    start = _keep((tf.range(size), tf.fill([size], START_ID), state, memory), tf.where(max_lengths > 0)[:, 0])
    steps, _, _, _, _, places, *found = tf.while_loop(_any_left, body, (0, *start, *found))
    ids, weights, log_prob = (_all_rows(array, places, steps, size) for array in found)
    return tf.transpose(ids), tf.transpose(weights, (1, 0, 2)), tf.reduce_sum(log_prob, axis=0)


def _any_left(t: tf.Tensor, rows: tf.Tensor, *_: Any) -> tf.Tensor:
    return tf.size(rows) > 0


def _keep(structure: Any, rows: tf.Tensor) -> Any:
    """Returns some rows of every tensor of a nested structure."""
    return tf.nest.map_structure(lambda tensor: tf.gather(tensor, rows), structure)


def _array_of_rows(dtype: tf.DType, *shape: int | None) -> tf.TensorArray:
    """Returns an array for what the unended rows write at each step: `(R, *shape)`."""
    return tf.TensorArray(dtype, 0, dynamic_size=True, infer_shape=False, element_shape=[None, *shape])


def _all_rows(array: tf.TensorArray, places: tf.TensorArray, steps: tf.Tensor, size: tf.Tensor) -> tf.Tensor:
    """Returns what was written, `(T, B, ...)`, from an array of it and one of its places, t · B + row; 0 elsewhere."""
    written = array.concat()
    shape = [tf.shape(written)[axis] for axis in range(1, len(written.shape))]
    all_rows = tf.scatter_nd(places.concat()[:, tf.newaxis], written, [steps * size, *shape])
    return tf.reshape(all_rows, [steps, size, *shape])


def max_target_length(num_source_tokens: int) -> int:
    """Returns the maximum number of tokens in a translation, END included; a model that writes more has gone wrong."""
    return 2 * num_source_tokens + 10


def length_penalty(lengths: tf.Tensor, alpha: float) -> tf.Tensor:
    """Returns ((5 + length) / 6) ** alpha, by which a hypothesis's log-probability is divided.

    A log-probability falls with every token, so undivided ones prefer short sentences; alpha 0 leaves them undivided.

    Source: Wu et al. 2016, arXiv:1609.08144, eq. 14.
    """
    return ((5.0 + tf.cast(lengths, tf.float32)) / 6.0) ** alpha


def beam_search(
    step: Step,
    state: Any,
    max_lengths: tf.Tensor,
    beam_size: int,
    alpha: float = 1.0,
    memory: tuple[Any, ...] = (),
) -> Found:
    """Keeps the `beam_size` best hypotheses of every row at every step, until all of them have ended.

    Hypotheses are ranked by log-probability / `length_penalty`, ended and unended ones together. Runs inside a
    `tf.function` without leaving the graph; each hypothesis carries its attention. With a beam of 1 it is greedy.

    Args:
        step: as in `greedy_search`, over B · K rows: the K hypotheses of a row follow one another.
        state: the first state, a nested structure of tensors `(B * K, ...)`; see `repeat_rows`.
        max_lengths: `(B,)` int32. Maximum number of tokens in a row, the END token included.
        beam_size: K.
        alpha: exponent of the length penalty.
        memory: as in `greedy_search`, tensors `(B, ...)`: one row for all K hypotheses.

    Returns:
        token_ids: `(B, K, T)` int32, the best hypothesis first; END where it ended, `PAD_ID` after it.
        weights: `(B, K, T, S)` float32. Attention of every step of each hypothesis; 0 after its end.
        log_prob: `(B, K)` float32. Log-probability of the hypothesis in nats, not divided.

    Source: Sutskever, Vinyals & Le 2014, arXiv:1409.3215, section 3.2.
    """
    size, place = tf.shape(max_lengths)[0], tf.range(beam_size)

    def body(t: tf.Tensor, rows: tf.Tensor, token_ids: tf.Tensor, state: Any, memory: Any, *found: Any) -> Any:
        alive, log_prob, lengths, all_log_prob, *arrays = found
        step_log_probs, state, weights = step(tf.reshape(token_ids, [-1]), state, *memory)
        # of each hypothesis no more than K continuations can be among the best K of the row
        most = min(beam_size, step_log_probs.shape[1])
        each, ids = (tf.reshape(x, [-1, beam_size, most]) for x in top_k(step_log_probs, most))
        # an ended hypothesis is continued by padding alone, which costs nothing
        padding = tf.one_hot(0, most, on_value=0.0, off_value=-float("inf"))
        totals = log_prob[..., tf.newaxis] + tf.where(alive[..., tf.newaxis], each, padding)  # (R, K, K)
        lengths += tf.cast(alive, tf.int32)
        ranks = totals / length_penalty(lengths[..., tf.newaxis], alpha)
        _, chosen = tf.math.top_k(tf.reshape(ranks, [-1, beam_size * most]), beam_size)  # (R, K)
        parents = chosen // most
        best, log_prob = (tf.gather(tf.reshape(x, [-1, beam_size * most]), chosen, batch_dims=1) for x in (ids, totals))
        weights = tf.reshape(tf.cast(weights, tf.float32), tf.concat([tf.shape(alive), [-1]], 0))
        lengths, was_alive, weights = (tf.gather(x, parents, batch_dims=1) for x in (lengths, alive, weights))
        best = tf.where(was_alive, best, PAD_ID)  # among impossible continuations it may get another
        weights = tf.where(was_alive[..., tf.newaxis], weights, 0.0)
        new = rows + t * size, best, parents - place, weights
        arrays = [array.write(t, tensor) for array, tensor in zip(arrays, new, strict=True)]
        all_log_prob = tf.tensor_scatter_nd_update(all_log_prob, rows[:, tf.newaxis], log_prob)
        alive = was_alive & (best != END_ID) & (t + 1 < tf.gather(max_lengths, rows)[:, tf.newaxis])
        unended = tf.cast(tf.where(tf.reduce_any(alive, axis=1))[:, 0], tf.int32)
        from_row = unended[:, tf.newaxis] * beam_size + tf.gather(parents, unended)
        rows, best, memory, alive, log_prob, lengths = _keep((rows, best, memory, alive, log_prob, lengths), unended)
        state = _keep(state, tf.reshape(from_row, [-1]))
        return t + 1, rows, best, state, memory, alive, log_prob, lengths, all_log_prob, *arrays

    # at first all hypotheses of a row are the same, so only one may be continued
    log_prob = tf.tile([[0.0] + [-float("inf")] * (beam_size - 1)], [size, 1])
    ids, unended = tf.fill([size, beam_size], START_ID), tf.cast(tf.where(max_lengths > 0)[:, 0], tf.int32)
    rows, ids, memory, first = _keep((tf.range(size), ids, memory, log_prob), unended)
    state = _keep(state, tf.reshape(unended[:, tf.newaxis] * beam_size + place, [-1]))
    alive = tf.ones_like(ids, tf.bool)
    start = (0, rows, ids, state, memory, alive, first, tf.zeros_like(ids), log_prob)
    ids, moves = (_array_of_rows(tf.int32, beam_size) for _ in range(2))
    arrays = [_array_of_rows(tf.int32), ids, moves, _array_of_rows(tf.float32, beam_size, None)]
    steps, *found = tf.while_loop(_any_left, body, (*start, *arrays))
    all_log_prob, places, *arrays = found[-5:]
    ids, moves, weights = (_all_rows(array, places, steps, size) for array in arrays)
    return *_follow_back(ids, moves + place, weights), all_log_prob


def _follow_back(ids: tf.Tensor, parents: tf.Tensor, weights: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Reads every hypothesis from its last token to its first; turns `(T, B, K)` arrays into `(B, K, T)` ones."""
    steps, rows, beam_size = (tf.shape(ids)[axis] for axis in range(3))
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

    def step_without(token_ids: tf.Tensor, state: Any, *memory: Any) -> tuple[tf.Tensor, Any, tf.Tensor]:
        state, written = state
        log_probs, state, weights = step(token_ids, state, *memory)
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
