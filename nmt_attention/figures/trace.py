"""What happens while a sentence is translated, recorded step by step for figures and lessons."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from ..attention import Attention, Memory
from ..decoder import BaseDecoder
from ..model import Seq2Seq
from ..preprocess.protect import make_never
from ..recurrent import top_state
from ..search import length_penalty, max_target_length, step_of
from ..text import Tokenizer
from ..vocabulary import END_ID, START_ID


class DecodingSteps(NamedTuple):
    """Everything that is computed for one translation: S source tokens, T steps, one target token per step.

    source_tokens, target_tokens: list of str, S and T of them; the last target token is `<end>` unless it was cut.
    values: `(S, H)`. The encoder's output for each source position.
    states: `(T + 1, H)`. The decoder's (top) state before the first step, then after every step.
    queries: `(T, H)`. The queries of attention: the state before the step, or after it in a Luong decoder.
    scores: `(T, S)`, before the softmax; with N heads `(N, T, S)`; None in plain seq2seq.
    weights: `(T, S)`. The scores' softmax, with several heads the mean of theirs; rows sum to 1.
    contexts: `(T, H)`. Mean of the values under the weights; with several heads the layer's output for all of them.
    bidirectional: bool. Whether the encoder read in both directions.
    plain: bool. Whether this is plain seq2seq, where every step is given the thought vector.
    """

    source_tokens: list[str]
    target_tokens: list[str]
    values: np.ndarray
    states: np.ndarray
    queries: np.ndarray
    scores: np.ndarray | None
    weights: np.ndarray
    contexts: np.ndarray
    bidirectional: bool
    plain: bool = False

    @property
    def head_weights(self) -> np.ndarray:
        """The weights of every head, `(N, T, S)`; `weights` is their mean. With one head the two are equal."""
        if self.scores is None or self.scores.ndim < 3:
            return np.asarray(self.weights)[np.newaxis]
        return tf.nn.softmax(self.scores).numpy()


def trace_steps(
    model: Seq2Seq,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    sentence: str,
    translation: str | None = None,
) -> DecodingSteps:
    """Translates a sentence greedily, one step at a time, and records everything.

    If a translation is given, each step reads its tokens instead of those that the model would write, as in training.

    The first three arguments are what `load_bundle` returns: `trace_steps(*load_bundle("runs/mine"), "Come in.")`.
    The model is recurrent. The `target_tokens` are those of the translation; by default the model writes its own.

    Returns:
        `DecodingSteps`, for `plot_unrolled` and `plot_heads`.

    Raises:
        ValueError: the sentence has no token, or the model is a transformer.
    """
    source_tokens = source_tokenizer.tokenize(sentence)
    if not source_tokens:
        raise ValueError(f"sentence: expected at least one token, got {sentence!r}")
    decoder = model.decoder
    if not isinstance(decoder, BaseDecoder):
        raise ValueError("model: expected a recurrent one, got a transformer, which has no state to trace")
    source_ids = np.array([source_tokenizer.ids(source_tokens)], np.int32)
    never = make_never(source_tokenizer, target_tokenizer)(source_ids)
    state, memory = model.encode(source_ids)
    step, states, weights, ids = step_of(model), [_top(state)], [], [START_ID]
    reference = [] if translation is None else [*target_tokenizer.encode(translation), END_ID]
    limit = len(reference) or max_target_length(len(source_tokens))
    with _recorded_queries(decoder.attention) as queries:
        while len(ids) <= limit and ids[-1] != END_ID:
            log_probs, state, step_weights = step(np.array(ids[-1:], np.int32), state, memory, never)
            ids.append(reference[len(ids) - 1] if reference else int(np.argmax(log_probs)))
            states.append(_top(state))
            weights.append(step_weights)
    asked = tf.concat(queries, axis=1)  # (1, T, H)
    contexts, _ = decoder.attention(asked, memory)
    scores = decoder.attention.score(asked, memory)
    return DecodingSteps(
        source_tokens,
        target_tokenizer.tokens(ids[1:]),
        np.array(memory.values[0]),
        np.concatenate(states),
        np.array(asked[0]),
        None if scores is None else np.array(scores[0]),
        np.concatenate(weights),
        np.array(contexts[0]),
        model.config.bidirectional,
        model.config.attention == "none",
    )


def _top(state: Any) -> tf.Tensor:
    """Returns the top layer's h of a decoder's state, which with input feeding is (the layers' states, a)."""
    return top_state(state if isinstance(state[-1], tuple) else state[0])


@contextlib.contextmanager
def _recorded_queries(attention: Attention) -> Iterator[list[tf.Tensor]]:
    """Gives a list of the queries `(B, T, H)` that the layer is asked with before the block ends."""
    queries: list[tf.Tensor] = []
    attend = attention.attend

    def recorded(asked: tf.Tensor, memory: Memory) -> tuple[tf.Tensor, tf.Tensor]:
        queries.append(asked)
        return attend(asked, memory)

    attention.attend = recorded  # type: ignore[assignment, method-assign]
    try:
        yield queries
    finally:
        del attention.attend  # the class's method is there again


class BeamNode(NamedTuple):
    """A token that a beam search considered as the continuation of a hypothesis.

    parent: int or None. Index in the list of the node that it follows; None for a first token.
    step: int from 0. Number of tokens before it.
    token: str.
    log_prob: float. Log-probability of the token after those before it, in nats.
    total: float. Log-probability of the hypothesis up to and including it: the sum along its path.
    kept: bool. Whether it was among the best and was kept as a hypothesis, open or ended.
    in_best: bool. Whether it is part of the hypothesis that won.
    """

    parent: int | None
    step: int
    token: str
    log_prob: float
    total: float
    kept: bool
    in_best: bool


def trace_beam(
    step: Callable[[np.ndarray, Any], tuple[Any, Any, Any]],
    state: Any,
    limit: int,
    beam_size: int,
    vocabulary: Sequence[str],
    alpha: float = 1.0,
) -> list[BeamNode]:
    """Runs a beam search for one sentence in plain Python, and records what it considered and discarded.

    `search.beam_search` does the same for many sentences inside a graph. Here every hypothesis is a row of its own.

    Args:
        step: function of (token_ids `(1,)` int32, state) to (log_probs `(1, V)`, the next state, weights), as in
            `greedy_search`; weights are not used.
        state: the first state, of one row; only passed on to `step`.
        limit: int. Maximum number of tokens of a hypothesis, the END token included.
        beam_size: int. K, hypotheses kept at every step.
        vocabulary: sequence of str, the token of each id.
        alpha: float. Exponent of the length penalty ((5 + length) / 6) ** alpha; see `length_penalty`.

    Returns:
        List of `BeamNode`, parents before children: of each hypothesis at each step its K best continuations.

    Raises:
        ValueError: `limit` or `beam_size` is below 1.
    """
    if min(limit, beam_size) < 1:
        raise ValueError(f"expected a limit and a beam_size of at least 1, got {limit} and {beam_size}")
    nodes: list[BeamNode] = []

    def rank(hypothesis: tuple[Any, ...]) -> float:
        node, _, _, length = hypothesis
        return nodes[node].total / float(length_penalty(length, alpha))

    # of each hypothesis its last node and token, its state and its length
    beam: list[tuple[Any, ...]] = [(None, START_ID, state, 0)]
    for t in range(limit):
        candidates = [hypothesis for hypothesis in beam if hypothesis[1] == END_ID]  # these compete as they are
        for parent, before, state, length in beam:
            if before == END_ID:
                continue
            log_probs, after, _ = step(np.array([before], np.int32), state)
            log_probs, total = np.asarray(log_probs)[0], 0.0 if parent is None else nodes[parent].total
            for token in np.argsort(-log_probs, kind="stable")[:beam_size]:
                log_prob = float(log_probs[token])
                candidates.append((len(nodes), token, after, length + 1))
                nodes.append(BeamNode(parent, t, vocabulary[token], log_prob, total + log_prob, False, False))
        beam = sorted(candidates, key=rank, reverse=True)[:beam_size]
        for node, *_ in beam:
            nodes[node] = nodes[node]._replace(kept=True)
    node = beam[0][0]
    while node is not None:
        nodes[node] = nodes[node]._replace(in_best=True)
        node = nodes[node].parent
    return nodes
