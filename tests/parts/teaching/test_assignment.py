"""The assignment's holes, and shown and hidden checks that common wrong solutions do not pass."""

import functools
import re

import pytest

from tools.teaching import autograde, course, hidden_checks

NOTEBOOK = course.read(course.ASSIGNMENT)
CODE = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code"]
HOLES = {hole.name: hole for hole in autograde.exercises(NOTEBOOK)}

# Name of the hole, part of what the check says, and what is changed in the solution.
WRONG = [
    (
        "softmax",
        "mask before the softmax",
        {"scores = tf.where(mask, scores, -1e9)": "pass", "return powers": "return tf.cast(mask, tf.float32) * powers"},
    ),
    ("softmax", "padding must get exactly 0", {"tf.where(mask, scores, -1e9)": "scores * tf.cast(mask, scores.dtype)"}),
    ("softmax", "large scores", {" - tf.reduce_max(scores, axis=-1, keepdims=True)": ""}),
    ("softmax", "no record for gradients", {"tf.where(": "np.where(", "tf.exp(": "np.exp("}),
    (
        "encoder",
        "in this order",
        {"TokenEmbedding(vocabulary_size, embedding_units)": "TokenEmbedding(embedding_units, vocabulary_size)"},
    ),
    ("encoder", "padding changes the values", {", mask=source_mask": ""}),
    ("encoder", "not c", {"forward_h, _, backward_h, _ =": "_, forward_h, _, backward_h ="}),
    ("encoder", "the thought vector", {"tf.concat([forward_h, backward_h], axis=-1)": "values[:, -1]"}),
    ("attention", "scores and mask", {"masked_softmax(scores, memory.mask)": "tf.nn.softmax(scores)"}),
    ("attention", "scores and mask", {"tf.tanh(": "("}),
    ("attention", "the mean of the values", {"weights[:, :, tf.newaxis] * memory.values": "memory.values / 4"}),
    ("first-state", "two layers", {"self.c_layer(thought)": "self.h_layer(thought)"}),
    (
        "first-state",
        "c: expected",
        {"c_layer = keras.layers.Dense(units, activation": "c_layer = keras.layers.Dense(units, name"},
    ),
    ("first-state", "c: expected", {"self.c_layer(thought)": "0 * self.c_layer(thought)"}),
    ("decoder-step", "the query", {"self.attention(state[0], memory)": "self.attention(state[1], memory)"}),
    ("decoder-step", "E + H numbers", {"self.cell(tf.concat([tokens, context], axis=-1)": "self.cell(tokens"}),
    (
        "decoder-step",
        "the new h",
        {
            "context, weights = self": "old, (context, weights) = state[0], self",
            "[h, tokens, context]": "[old, tokens, context]",
        },
    ),
    ("decoder-step", "state: the cell", {"h, state = self.cell": "h, _ = self.cell"}),
    ("teacher-forcing", "later steps", {"logits, state, weights = self.decoder": "logits, _, weights = self.decoder"}),
    (
        "teacher-forcing",
        "later steps",
        {"target_in[:, t]": "tf.argmax(steps[-1][0], axis=-1) if steps else target_in[:, 0]"},
    ),
    ("teacher-forcing", "masked", {"source_ids != PAD_ID": "source_ids >= PAD_ID"}),
    ("teacher-forcing", "(B, T, V)", {"axis=1": "axis=0"}),
    (
        "train-step",
        "mean over 5 real tokens",
        {"tf.reduce_sum(nats * real) / tf.reduce_sum(real)": "tf.reduce_mean(nats)"},
    ),
    ("train-step", "mean over 5 real tokens", {"(target_out, logits)": "(target_out, tf.nn.softmax(logits))"}),
    (
        "train-step",
        "the loss before the step",
        {
            "return loss": "nats = tf.nn.sparse_softmax_cross_entropy_with_logits(target_out, "
            "model(source_ids, target_in)[0])\n    return tf.reduce_sum(nats * real) / tf.reduce_sum(real)"
        },
    ),
    ("train-step", "no weight has changed", {"optimizer.apply(gradients, model.trainable_variables)": "pass"}),
    ("train-step", "the gradient", {"tape.gradient(loss,": "tape.gradient(nats,"}),
    (
        "greedy",
        "only PAD",
        {"tf.where(ended, PAD_ID": "tf.where(False, PAD_ID"},
    ),
    ("greedy", "int32", {"output_type=tf.int32": "output_type=tf.int64"}),
    ("greedy", "12 steps", {"reduce_all": "reduce_any"}),
    ("greedy", "the last token", {"step(token_ids, state)": "step(tf.fill([size], START_ID), state)"}),
    ("greedy", "the state", {"logits, state, weights": "logits, _, weights"}),
]


@functools.cache
def solved():
    """Returns what the notebook defines before it trains, all holes solved."""
    names = {}
    for cell in [*autograde.first_cells(NOTEBOOK)[2:], *(hole.solution for hole in HOLES.values())]:
        exec(cell.source, names)
    return names


def test_each_hole_says_what_comes_in_and_goes_out_and_has_two_wrong_solutions():
    assert len(HOLES) == 8 and HOLES.keys() <= hidden_checks.CHECKS.keys()
    for number, (name, hole) in enumerate(HOLES.items(), 1):
        assert hole.text.startswith(f"**A.{number} ") and "*In:*" in hole.text and "*Out:*" in hole.text
        assert sum(wrong == name for wrong, _, _ in WRONG) >= 2


def test_the_package_s_own_parts_are_not_at_hand():
    """Only checks import them, so that a learner writes a hole and does not look it up."""
    for name in ("masked_softmax", "Encoder", "BahdanauAttention", "cross_entropy", "greedy_search"):
        first = next(cell for cell in CODE if re.search(rf"import .*\b{name}\b", cell.source))
        assert course.is_check(first)


@pytest.mark.parametrize("name", HOLES)
def test_a_right_solution_passes_the_hidden_check(name, monkeypatch):
    monkeypatch.setattr(hidden_checks, "CASES", 5)  # 20 of each take many seconds
    monkeypatch.setattr(hidden_checks, "solution", lambda name: solved())
    assert hidden_checks.difference(name, dict(solved())) == ""


@pytest.mark.filterwarnings("ignore:`build\\(\\)` was called on layer:UserWarning")  # of a layer that is never used
@pytest.mark.parametrize(("name", "said", "changes"), WRONG, ids=[f"{w[0]}-{i}" for i, w in enumerate(WRONG)])
def test_a_wrong_solution_passes_no_check(name, said, changes, monkeypatch):
    hole, source = HOLES[name], HOLES[name].solution.source
    for old, new in changes.items():
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    names = dict(solved())
    exec(source, names)
    (check,) = hole.checks
    with pytest.raises(AssertionError) as caught:
        exec(check.source, names)
    assert said in str(caught.value)
    monkeypatch.setattr(hidden_checks, "solution", lambda name: solved())
    found = hidden_checks.difference(name, names)
    assert found.startswith(hidden_checks.CHECKS[name].answer)
    assert not any(line.strip() in found for line in hole.solution.source.splitlines() if len(line) > 20)
