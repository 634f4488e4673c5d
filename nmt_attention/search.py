"""Search over any step function: from a distribution over the next token to a whole sentence."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .fast import top_k
from .vocabulary import END_ID, PAD_ID, START_ID

Step = Callable[..., tuple[tf.Tensor, Any, tf.Tensor]]  # see `greedy_search`

Decoded = tuple[tf.Tensor, tf.Tensor, tf.Tensor]  # token ids, weights and log-probabilities


def greedy_search(step: Step, state: Any, max_lengths: tf.Tensor, memory: tuple[Any, ...] = ()) -> Decoded:
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

    return decode(step, state, max_lengths, memory, choose)


def decode(
    step: Step,
    state: Any,
    max_lengths: tf.Tensor,
    memory: tuple[Any, ...],
    choose: Callable[[tf.Tensor, tf.Tensor, tf.Tensor], tf.Tensor],
) -> Decoded:
    """Writes a token at every step, chosen from its distribution by a function, until every row has ended.

    Args:
        step, state, max_lengths, memory: as in `greedy_search`.
        choose: function of the step t from 0, the numbers `(R,)` of the R rows that go on, and their log-probabilities
            `(R, V)`, to their token ids `(R,)`.

    Returns:
        As `greedy_search`.
    """
    size = tf.shape(max_lengths)[0]  # B

    def body(t: tf.Tensor, rows: tf.Tensor, token_ids: tf.Tensor, state: Any, memory: Any, *arrays: Any) -> Any:
        log_probs, state, weights = step(token_ids, state, *memory)  # (R, V), …, (R, S)
        token_ids = choose(t, rows, log_probs)  # (R,)
        log_prob = tf.gather(log_probs, token_ids, axis=1, batch_dims=1)  # (R,)
        written = rows + t * size, token_ids, tf.cast(weights, tf.float32), log_prob
        written_arrays = [array.write(t, tensor) for array, tensor in zip(arrays, written, strict=True)]
        goes_on = (token_ids != END_ID) & (t + 1 < tf.gather(max_lengths, rows))  # (R,)
        rows, token_ids, state, memory = _keep((rows, token_ids, state, memory), tf.where(goes_on)[:, 0])
        return t + 1, rows, token_ids, state, memory, *written_arrays

    rows, token_ids = tf.range(size), tf.fill([size], START_ID)
    start = _keep((rows, token_ids, state, memory), tf.where(max_lengths > 0)[:, 0])
    arrays = [
        _array_of_rows(tf.int32),  # places of the rows
        _array_of_rows(tf.int32),  # ids
        _array_of_rows(tf.float32, None),  # weights
        _array_of_rows(tf.float32),  # log-probabilities
    ]
    steps, _, _, _, _, places, *arrays = tf.while_loop(_any_left, body, (0, *start, *arrays))
    ids, weights, log_prob = (_all_rows(array, places, steps, size) for array in arrays)
    ids = tf.transpose(ids)  # (T, B) to (B, T)
    weights = tf.transpose(weights, (1, 0, 2))  # (T, B, S) to (B, T, S)
    return ids, weights, tf.reduce_sum(log_prob, axis=0)


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
    written = array.concat()  # (N, ...), of all steps together
    shape = tf.shape(written)[1:]
    places = places.concat()[:, tf.newaxis]  # (N, 1)
    all_rows = tf.scatter_nd(places, written, tf.concat([[steps * size], shape], 0))  # (T·B, ...)
    return tf.reshape(all_rows, tf.concat([[steps, size], shape], 0))  # (T, B, ...)


def max_target_length(num_source_tokens: int) -> int:
    """Returns the maximum number of tokens in a translation, END included; longer outputs indicate a broken model."""
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
) -> Decoded:
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
    size, place = tf.shape(max_lengths)[0], tf.range(beam_size)  # B, and the places 0 to K - 1 in a beam

    def body(t: tf.Tensor, rows: tf.Tensor, token_ids: tf.Tensor, state: Any, memory: Any, *loop: Any) -> Any:
        # R of the B rows go on; of the K hypotheses of each, some may have ended
        alive, log_prob, lengths, all_log_prob, *arrays = loop  # (R, K), (R, K), (R, K), (B, K)
        log_probs, state, weights = step(tf.reshape(token_ids, [-1]), state, *memory)  # (R·K, V), …, (R·K, S)

        # Each hypothesis is continued by its C best tokens. C = K is enough, because no more than K of them can be
        # among the best K of the row. (2 K are needed only where ended hypotheses leave the beam: here they stay.)
        width = min(beam_size, log_probs.shape[1])  # C
        scores, ids = top_k(log_probs, width)  # (R·K, C)
        scores = tf.reshape(scores, [-1, beam_size, width])  # (R, K, C)
        ids = tf.reshape(ids, [-1, beam_size * width])  # (R, K·C)
        # an ended hypothesis is continued by padding alone, which costs nothing
        padding = tf.one_hot(0, width, on_value=0.0, off_value=-float("inf"))  # (C,)
        totals = log_prob[..., tf.newaxis] + tf.where(alive[..., tf.newaxis], scores, padding)  # (R, K, C)
        lengths += tf.cast(alive, tf.int32)  # (R, K)
        ranks = totals / length_penalty(lengths[..., tf.newaxis], alpha)  # (R, K, C)

        # the best K of a row's K·C candidates, and the hypotheses that they continue
        _, best = tf.math.top_k(tf.reshape(ranks, [-1, beam_size * width]), beam_size)  # (R, K), each below K·C
        parents = best // width  # (R, K), each below K
        token_ids = tf.gather(ids, best, batch_dims=1)  # (R, K)
        log_prob = tf.gather(tf.reshape(totals, [-1, beam_size * width]), best, batch_dims=1)  # (R, K)
        lengths = tf.gather(lengths, parents, batch_dims=1)  # (R, K)
        was_alive = tf.gather(alive, parents, batch_dims=1)  # (R, K)
        token_ids = tf.where(was_alive, token_ids, PAD_ID)  # among impossible continuations it may get another
        weights = tf.cast(weights, tf.float32)  # (R·K, S)
        weights = tf.reshape(weights, tf.concat([tf.shape(alive), [-1]], 0))  # (R, K, S)
        weights = tf.gather(weights, parents, batch_dims=1)  # (R, K, S)
        weights = tf.where(was_alive[..., tf.newaxis], weights, 0.0)  # (R, K, S)

        # moves are written as 0 where a hypothesis keeps its place, which is also what rows that have left get
        written = rows + t * size, token_ids, parents - place, weights  # (R,), (R, K), (R, K), (R, K, S)
        arrays = [array.write(t, tensor) for array, tensor in zip(arrays, written, strict=True)]  # t + 1 tensors each
        all_log_prob = tf.tensor_scatter_nd_update(all_log_prob, rows[:, tf.newaxis], log_prob)  # (B, K)

        # rows of which no hypothesis is alive leave the batch
        shorter = t + 1 < tf.gather(max_lengths, rows)[:, tf.newaxis]  # (R, 1): than it may be
        alive = was_alive & (token_ids != END_ID) & shorter  # (R, K)
        unended = tf.cast(tf.where(tf.reduce_any(alive, axis=1))[:, 0], tf.int32)  # (R',)
        states = unended[:, tf.newaxis] * beam_size + tf.gather(parents, unended)  # (R', K), each below R·K
        state = _keep(state, tf.reshape(states, [-1]))  # (R'·K, …)
        rows, token_ids, memory = _keep((rows, token_ids, memory), unended)  # (R',), (R', K), (R', …)
        alive, log_prob, lengths = _keep((alive, log_prob, lengths), unended)  # (R', K) each
        return t + 1, rows, token_ids, state, memory, alive, log_prob, lengths, all_log_prob, *arrays

    # at first all hypotheses of a row are the same, so only one may be continued
    log_prob = tf.tile([[0.0] + [-float("inf")] * (beam_size - 1)], [size, 1])  # (B, K)
    token_ids = tf.fill([size, beam_size], START_ID)  # (B, K)
    unended = tf.cast(tf.where(max_lengths > 0)[:, 0], tf.int32)  # (R,)
    state = _keep(state, tf.reshape(unended[:, tf.newaxis] * beam_size + place, [-1]))  # (R·K, …)
    rows, token_ids, memory, first = _keep((tf.range(size), token_ids, memory, log_prob), unended)
    alive, lengths = tf.ones_like(token_ids, tf.bool), tf.zeros_like(token_ids)  # (R, K)
    arrays = [
        _array_of_rows(tf.int32),  # places of the rows
        _array_of_rows(tf.int32, beam_size),  # ids
        _array_of_rows(tf.int32, beam_size),  # moves
        _array_of_rows(tf.float32, beam_size, None),  # weights
    ]
    start = (0, rows, token_ids, state, memory, alive, first, lengths, log_prob, *arrays)
    steps, *loop = tf.while_loop(_any_left, body, start)
    all_log_prob, places, *arrays = loop[-5:]
    ids, moves, weights = (_all_rows(array, places, steps, size) for array in arrays)
    ids, weights = _follow_back(ids, moves + place, weights)  # (B, K, T), (B, K, T, S)
    return ids, weights, all_log_prob


def _follow_back(ids: tf.Tensor, parents: tf.Tensor, weights: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Reads every hypothesis from its last token to its first; turns `(T, B, K)` arrays into `(B, K, T)` ones."""
    steps, rows, beam_size = (tf.shape(ids)[axis] for axis in range(3))
    place = tf.tile(tf.range(beam_size)[tf.newaxis], [rows, 1])  # (B, K): where each hypothesis stood at step t

    def body(t: tf.Tensor, place: tf.Tensor, all_ids: Any, all_weights: Any) -> tuple[Any, ...]:
        all_ids = all_ids.write(t, tf.gather(ids[t], place, batch_dims=1))  # (B, K)
        all_weights = all_weights.write(t, tf.gather(weights[t], place, batch_dims=1))  # (B, K, S)
        place = tf.gather(parents[t], place, batch_dims=1)
        return t - 1, place, all_ids, all_weights

    start = steps - 1, place, tf.TensorArray(ids.dtype, steps), tf.TensorArray(weights.dtype, steps)
    *_, all_ids, all_weights = tf.while_loop(lambda t, *_: t >= 0, body, start)
    all_ids = tf.transpose(all_ids.stack(), (1, 2, 0))  # (T, B, K) to (B, K, T)
    all_weights = tf.transpose(all_weights.stack(), (1, 2, 0, 3))  # (T, B, K, S) to (B, K, T, S)
    return all_ids, all_weights


def repeat_rows(structure: Any, times: int) -> Any:
    """Returns every tensor of a nested structure with each row repeated: `(B, ...)` to `(B * times, ...)`."""
    return tf.nest.map_structure(lambda tensor: tf.repeat(tensor, times, axis=0), structure)


def step_of(model: Any) -> Step:
    """Returns the step of a model that has `Seq2Seq.step`: (token_ids, state, memory, never) to what a search needs.

    Without `never`, which `forbid` adds to the logits, every token may be written.
    """

    def step(token_ids: tf.Tensor, state: Any, memory: Any, never: Any = None) -> tuple[tf.Tensor, Any, tf.Tensor]:
        logits, state, weights = model.step(token_ids, state, memory)
        return tf.nn.log_softmax(logits if never is None else forbid(logits, never)), state, weights

    return step


def forbid(logits: tf.Tensor, never: tf.Tensor) -> tf.Tensor:
    """Adds to logits `(B * hypotheses, V)` what is -inf for tokens that may not be written and 0 for others, `(B, N)`.

    Tokens from N on may be written.
    """
    never = tf.repeat(never, tf.shape(logits)[0] // tf.shape(never)[0], axis=0)
    width = tf.shape(never)[1]
    return tf.concat([logits[:, :width] + never, logits[:, width:]], axis=1)
