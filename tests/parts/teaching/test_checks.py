"""The checks of exercises and assignment accept every right answer, however it is written, and refuse wrong ones."""

import functools
import re

import numpy as np
import pytest
import tensorflow as tf

import nmt_attention
from tools.teaching import autograde, course, hidden_checks

EXERCISES = {e.name: (path, e) for path in course.notebook_paths() for e in autograde.exercises(course.read(path))}
HOLES = [exercise for path, exercise in EXERCISES.values() if path == course.ASSIGNMENT]

# Each line: an exercise, and what is changed in its solution, which stays right.
RIGHT = r"""
pad: | int) → np.int32)
thought: | self.embedding → self.table | self.embedding → self.table | self.gru → self.reader | self.gru → self.reader
    | _units)\n → _units, mask_zero=True)\n | GRU(units) → Bidirectional(keras.layers.GRU(units // 2))
    | mask = source_ids != 0  # (B, S)\n → pass\n | , mask=mask →
thought: | GRU(units) → RNN(keras.layers.GRUCell(units, reset_after=False))
thought: | GRU(units) → GRU(units, use_bias=False)
thought: | GRU(units) → RNN([keras.layers.GRUCell(units), keras.layers.GRUCell(units)])
mask: | -1e9 → -np.inf
reader: | tf.reverse(backward, axis=[1]) → np.asarray(backward)[:, ::-1]
    | tf.concat([forward, backward], axis=-1) → np.concatenate([forward, backward], -1) | tf.concat( → np.concatenate(
additive: | tf.where(memory.mask, scores, -1e9) → np.where(memory.mask, scores, -np.inf)
    | tf.reduce_sum(weights[:, :, tf.newaxis] * memory.values, axis=1) → np.einsum("bs,bsh->bh", weights, memory.values)
model: | source_ids != 0 → tf.not_equal(source_ids, 0)
    | self.encoder(source_ids, mask) → self.encoder(source_ids, source_mask=mask)
second-loss: | float(-np.sum(links * np.log(weights + 1e-6))) → -(links * np.log(np.maximum(weights, 1e-6))).sum()
attend: | -1e9 → -np.inf
translate: | while last != 2 and len(written) < limit: → for _ in range(limit):
    | written.append(last) → written.append(last)\n        if last == 2:\n            break
source-padding: | np.allclose( → np.abs( | [0], model(wider → [0] - model(wider | [0], atol=1e-6) → [0]).max() < 1e-5
train-step: | tf.reduce_sum(nats * real) / tf.reduce_sum(real) → tf.reduce_mean(nats[target_out != PAD_ID])
greedy: | tf.where(ended, PAD_ID, tf.argmax(logits, axis=-1, output_type=tf.int32))
    → tf.constant(np.where(ended, PAD_ID, np.argmax(logits, axis=-1)), tf.int32)
split-heads: | x = tf.reshape( → return tf.stack(tf.split(x, heads, axis=-1), axis=1)\n    x = tf.reshape(
stack: | earlier if self.causal → earlier & real if self.causal
stack-step: | tf.reduce_sum(nats * real) / tf.reduce_sum(real) → tf.reduce_mean(nats[targets != 0])
"""

TENSORS = ["lstm", "five-steps", "looked-at", "scaled-general", "min-p", "second-loss", "causal-mask", "position"]
# By exercise, what makes of the solution's result another kind that is right, too.
CONVERTED = (
    dict.fromkeys(TENSORS, tf.convert_to_tensor)
    | dict.fromkeys(["backwards", "own-words"], np.asarray)
    | dict.fromkeys(["pad", "window", "counterexamples", "work", "score-gradient"], lambda x: np.asarray(x).tolist())
)

# Each line: an exercise, part of what its check says, and what is changed in the solution.
WRONG = r"""
clean: | .category(c).startswith("S") → .category(c) in ("Sm", "Sc", "So")
pad: the shape (2, 2) | (len(rows), max(map(len, rows))) → (3, 4)
pad: as wide as the longest | max(map(len, rows))) → 9)
pad: on the right | ids[i, : len(row)] → ids[i, -len(row) :]
pad: the caller's lists | for i → [row.extend([0] * (max(map(len, rows)) - len(row))) for row in rows]\n    for i
pad: True and False | ids != 0 → (ids != 0).astype(int)
pad: 3 is a real token | ids != 0 → ids > 3
pad: not 9.0 | int) → float)
backwards: | source_ids, axis=1 → tf.maximum(source_ids - 3, 0), axis=1
stack-step: real targets | targets != 0 → targets > 3
longest: | range(len(word), 1, -1) → range(1, len(word))
thought: padding | , mask=mask →
thought: another order | Embedding(vocabulary_size, embedding_units) → Embedding(vocabulary_size, units)
    | self.gru( → tf.reduce_sum(tf.cast(mask, tf.float32)[..., None] * | , mask=mask) → , axis=1)
thought: in this order | (vocabulary_size, embedding_units)\n → (embedding_units, vocabulary_size)\n
thought: no record for gradients | self.gru( → tf.constant(np.array(self.gru( | mask=mask) → mask=mask)))
thought: an unknown word | source_ids != 0 → source_ids > 3
thought: `units` numbers | GRU(units) → GRU(64)
thought: with a GRU | GRU(units) → LSTM(units)
thought: ends in | return self.gru( → return tf.nn.relu(self.gru( | mask=mask) → mask=mask))
thought: ends in | GRU(units) → GRU(units, return_sequences=True)
    | self.gru(self → keras.layers.GlobalAveragePooling1D()(self.gru(self | mask=mask) → mask=mask), mask=mask)
thought: ends in | self.gru(self → self.dense(self.gru(self | mask=mask) → mask=mask))
    | = keras.layers.GRU(units) → = keras.layers.GRU(units)\n        self.dense = keras.layers.Dense(units)
thought: ends in | self.gru(self → self.dense(keras.layers.GlobalAveragePooling1D()(self.gru(self
    | mask=mask) → mask=mask), mask=mask)) | GRU(units) → GRU(units, return_sequences=True)
    | \n\n    def call → \n        self.dense = keras.layers.Dense(units)\n\n    def call
writer: as it is | self.to_logits(states) → tf.nn.relu(self.to_logits(states))
translate: (1, 1), not (1,) | tf.constant([[last]]) → tf.constant([last])
writer: | initial_state=state)  # → initial_state=thought)  #
writer: | tf.concat([tokens, thoughts], axis=-1) → tokens
translate: | while last != 2 and → while | decode(written) → decode([i for i in written if i != 2])
translate: | logits, state = decoder → logits, _ = decoder
lstm: | c = sigmoid(f) * → return layer.cell(x, [h, c])[1]  # sigmoid(f) *
pack: alone give | digits @ 8 ** np.arange(6) → setattr(pack, "k", letters) or [1, 2] | np.concatenate( → pack.k  # (
pack: round | np.rint(numbers) → np.asarray(numbers)
five-steps: | [context, state] → [state, context]
five-steps: | def step(state, values): → def step(given, values):\n    state = states[1]
mask: | softmax(np.where(mask, scores, -1e9)) → softmax(scores) * mask / (softmax(scores) * mask).sum()
mask: far below | -1e9 → -1e4
mask: the caller's scores
    | return softmax(np.where(mask, scores, -1e9)) → scores[~mask] = -1e9\n    return softmax(scores)
score-gradient: the weight counts | weights * ((values → ((values
matrix-gradient: rows belong | np.outer(score_gradients @ values, state) → np.outer(state, score_gradients @ values)
hard-look: the third word | values[np.argmax(scores)] → values[1]
hard-look: now the third word | np.argmax(scores) → np.abs(scores).argmax()
neha: not strong enough | name - male → 0.9 * name - 0.01 * male
neha: says so itself | neha = name - male → neha = name
reader: | tf.reverse(backward, axis=[1]) → backward
additive: over the positions | softmax(scores, axis=-1) → softmax(scores, axis=0)
additive: not after it | scores, -1e9 → scores, scores | max(scores, axis=-1) → max(scores) * np.float32(memory.mask)
additive: padding gets no weight | -1e9 → 0.0
additive: not after it | tf.where(memory.mask, scores, -1e9) → scores
    | tf.nn.softmax(scores, axis=-1) → tf.exp(scores) * tf.cast(memory.mask, tf.float32)
    | context = → weights /= tf.reduce_sum(weights, axis=-1, keepdims=True)\n        context =
additive: mean of the values | * memory.values → * memory.keys
additive: values are the values | Memory(values, keys, mask) → Memory(keys, values, mask)
additive: compute them again | + memory.keys → + self.key_layer(memory.values)
step: | features = self → context, weights = self.attention(state, memory)\n        features = self
step: | state, _ = self.cell → after, _ = self.cell | return logits, state → return logits, after
model: | self.decoder.bridge(thought), memory → thought, memory
model: | source_ids != 0 → source_ids >= 0
model: only the id 0 is padding | source_ids != 0 → source_ids > 3
blind: package's | import Attention → import part_of | n(Attention) → n(part_of('attention', 'uniform'))
words: | / len(words) → / max(len(words), len(text.split()))
order: | start - 1]  # → text.find(" ")]  #
min-p: | >= share → > share
source-padding: | np.allclose( → np.array_equal( | , atol=1e-6 →
late-labels: | for token, weights in rows) → for token, weights in rows[:1])
position: unlike in the paper
    | np.concatenate([np.sin(angles), np.cos(angles)]) → np.stack([np.sin(angles), np.cos(angles)], 1).ravel()
decoder-layer: | norms[2] → norms[0]
decoder-layer: | look_back(norms[0](x)) → look_back(x)
decoder-layer: | look_back(norms[0](x)) → look_at(norms[0](x), source)
    | look_at(norms[1](x), source) → look_back(norms[1](x))
decoder-layer: | x = x + look_at → x = look_at
attend: for 16 divide by 4 | queries.shape[-1] ** 0.5 → 2.0
attend: for 16 divide by 4 | queries.shape[-1] ** 0.5 → tf.cast(tf.shape(keys)[-2], tf.float32)
attend: however far below | -1e9 → -30.0
split-heads: (3, 4, 4, 2) | tf.shape(x)[1], heads → 3, heads
stack: the weights of each block | looked.append(weights) → looked.append(x)
stack: the weights of each block | self.norm(x)), looked → self.norm(x)), [weights] * len(looked)
stack-step: in a short row
    | tf.reduce_sum(nats * real) / tf.reduce_sum(real)
    → tf.reduce_mean(tf.reduce_sum(nats * real, 1) / tf.reduce_sum(real, 1))
positions: without a value yet | tf.range(tf.cast(T, tf.float32)) → np.arange(T, dtype="float32")
positions: the speeds | -2 * tf.range(H // 2, dtype=tf.float32) → -2 * tf.constant([0, 1, 1.5])
block: both sums | self.add(x, found) → x + found
block: both sums | self.add(x, self.network(self.norms[1](x))) → x + self.network(self.norms[1](x))
block: both sums | self.add(x, found) → self.add(found, x)
stack: positions, once | self.embedding(ids) + → self.embedding(ids) * (1 + | units)  # → units))  #
stack: positions, once | block(x, → block(x + self.positions(T, self.units), | + self.positions(T, self.units)  # →  #
decoder-block: all three sums | self.add(x, self.network → (x + self.network
decoder-block: memory: as it is | self.norms[1](x), memory, → self.norms[1](x), self.norms[1](memory),
stack: look at itself, too | band_part(tf.ones((T, T)), -1, 0) > 0 → band_part(tf.ones((T, T)), 0, -1) < 1
stack: only the id 0 is padding | newaxis, :] != 0 → newaxis, :] > 3
stack: mask it | self.causal else real → self.causal else tf.ones_like(real)
softmax: mask before the softmax | scores = tf.where(mask, scores, -1e9) → pass
    | return powers → return tf.cast(mask, tf.float32) * powers
softmax: padding must get exactly 0 | tf.where(mask, scores, -1e9) → scores * tf.cast(mask, scores.dtype)
softmax: large scores | scores - tf.reduce_max(scores, axis=-1, keepdims=True) → scores
softmax: no record for gradients | tf.where( → np.where( | tf.exp( → np.exp(
encoder: in this order
    | TokenEmbedding(vocabulary_size, embedding_units) → TokenEmbedding(embedding_units, vocabulary_size)
encoder: padding changes the values | , mask=source_mask →
encoder: not c | forward_h, _, backward_h, _ = → _, forward_h, _, backward_h =
encoder: the thought vector | tf.concat([forward_h, backward_h], axis=-1) → values[:, -1]
attention: scores and mask | tf.tanh( → (
attention: scores and mask | masked_softmax(scores, memory.mask) → tf.nn.softmax(scores)
attention: the mean of the values | weights[:, :, tf.newaxis] * memory.values → memory.values / 4
attention: compute them again | + memory.keys → + self.key_layer(memory.values)
first-state: two layers | self.c_layer(thought) → self.h_layer(thought)
first-state: c: expected | c_layer = keras.layers.Dense(units, activation → c_layer = keras.layers.Dense(units, name
decoder-step: the query | self.attention(state[0], memory) → self.attention(state[1], memory)
decoder-step: E + H numbers | self.cell(tf.concat([tokens, context], axis=-1) → self.cell(tokens
decoder-step: the new h | context, weights = self → old, (context, weights) = state[0], self
    | [h, tokens, context] → [old, tokens, context]
decoder-step: state: the cell | h, state = self.cell → h, _ = self.cell
teacher-forcing: later steps | logits, state, weights = self.decoder → logits, _, weights = self.decoder
teacher-forcing: masked | source_ids != PAD_ID → source_ids >= PAD_ID
teacher-forcing: the first step | source_ids != PAD_ID → source_ids > 3
teacher-forcing: (B, T, V) | axis=1 → axis=0
train-step: mean over 5 real tokens | tf.reduce_sum(nats * real) / tf.reduce_sum(real) → tf.reduce_mean(nats)
train-step: mean over 5 real tokens | (target_out, logits) → (target_out, tf.nn.softmax(logits))
train-step: the loss before the step
    | return loss → again = model(source_ids, target_in)[0]\n    return loss
    | return loss → nats = tf.nn.sparse_softmax_cross_entropy_with_logits(target_out, again)\n    return loss
    | return loss → return tf.reduce_sum(nats * real) / tf.reduce_sum(real)
train-step: no weight has changed | optimizer.apply(gradients, model.trainable_variables) → pass
train-step: the gradient | tape.gradient(loss, → tape.gradient(nats,
greedy: only PAD | tf.where(ended, PAD_ID → tf.where(False, PAD_ID
greedy: int32 | output_type=tf.int32 → output_type=tf.int64
greedy: 12 steps | reduce_all → reduce_any
greedy: stop when | not tf.reduce_all(ended) → True
greedy: the last token | step(token_ids, state) → step(tf.fill([size], START_ID), state)
greedy: the state | logits, state, weights → logits, _, weights
coverage: 0.467 | exclusive=True → exclusive=False
coverage: its last token | real = tf.cast(real, again.dtype) → real = tf.ones_like(again)
coverage: by hand | return tf.reduce_sum(again * real) → return tf.reduce_mean(tf.reduce_sum(again * real, 1)
    | / tf.reduce_sum(real) → / tf.reduce_sum(real, 1))
coverage: no record for gradients | tf.cumsum(weights, → np.cumsum(weights, | exclusive=True) → ) - weights.numpy()
second-head: its own memory | self.second.memory → self.first.memory
second-head: by hand | (weights + other_weights) / 2 → weights
second-head: keeps one half | [context, other_context] → [other_context, context]
second-head: 2 H numbers | tf.concat([context, other_context], axis=-1) → context + other_context
names: not above 0.5 | <= 0.5 → < 0.5
names: the ending ला | + ending → + ""
names: written once | elif place != last: → else:
names: written twice | last = None → pass
names: nothing changes | source_words[place] not in spelled → False
    | spelled[source_words[place]] → spelled.get(source_words[place], "")
softmax: package's
    | def masked → def helper(scores, mask):\n    return nmt_attention.masked_softmax(scores, mask)\n\n\ndef masked
    | def helper → import nmt_attention\n\n\ndef helper | return powers → helper\n    return powers
"""


@functools.cache
def solved(path):
    """Returns what a notebook defines before each of its exercises, and with all of their solutions and checks."""
    notebook, names, before = course.read(path), {}, {}
    for cell in autograde.first_cells(notebook)[2:]:
        exec(cell.source, names)
    for exercise in autograde.exercises(notebook):
        before[exercise.name] = dict(names)
        for cell in (exercise.solution, *exercise.checks):
            exec(compile(cell.source, f"{path.name}: {exercise.name}", "exec"), names)
    return before, names


@pytest.fixture
def answer(monkeypatch):
    """Returns what the notebook of an exercise defines, with this answer to it, and its shown check."""
    monkeypatch.setattr(hidden_checks, "CASES", 2)  # all 20 of each exercise take several seconds
    monkeypatch.setattr(hidden_checks, "solution", lambda name: solved(EXERCISES[name][0])[1])

    def take(name, written, defined=None):
        path, exercise = EXERCISES[name]
        exec(written, names := dict(defined or solved(path)[1]))
        return names, "\n".join(cell.source for cell in exercise.checks)

    return take


def both_accept(name, names, shown):
    exec(shown, dict(names))
    return hidden_checks.difference(name, names) == ""


@pytest.mark.filterwarnings("ignore:`build")  # of a layer whose empty `call` leaves its parts without weights
@pytest.mark.parametrize("name", EXERCISES)
def test_a_solution_passes_both_checks_and_neither_the_start_of_learners_nor_an_empty_one_does(name, answer):
    path, exercise = EXERCISES[name]
    if name in hidden_checks.CHECKS:  # the shown one has passed in `solved`
        assert hidden_checks.difference(name, solved(path)[1]) == ""
        assert hidden_checks.difference(name, {}) == f"{hidden_checks.CHECKS[name].answer} is not defined"
    wrong = (AssertionError, NameError, TypeError, ValueError, AttributeError)
    for start, expected in ((course.START, NotImplementedError), (("pass",), wrong)):
        with pytest.raises(expected):
            names, shown = answer(name, course.without_solution(exercise.solution.source, start), solved(path)[0][name])
            exec(shown, names)


def rows(text):
    return text.strip().replace("\n    ", " ").splitlines()


def changed(line):
    """Returns the exercise that a line names, what its check says, and the solution with the line's changes."""
    (name, _, said), *changes = line.split(" | ")[0].partition(":"), *line.split(" | ")[1:]
    written = EXERCISES[name][1].solution.source
    for change in changes:
        old, new = (text.strip().replace("\\n", "\n") for text in change.split(" →"))
        assert old in written, old
        written = written.replace(old, new, 1)
    return name, said.strip(), written


@pytest.mark.parametrize(("name", "written"), [changed(line)[::2] for line in rows(RIGHT)])
def test_both_checks_accept_a_right_answer(name, written, answer):
    assert both_accept(name, *answer(name, written))


@pytest.mark.parametrize("name", CONVERTED)
def test_both_checks_accept_a_result_of_another_kind(name, answer):
    names, shown = answer(name, "")
    function = names[wanted := hidden_checks.CHECKS[name].answer]
    names[wanted] = lambda *given: tf.nest.map_structure(CONVERTED[name], function(*given))
    assert both_accept(name, names, shown)


def borrowing(part):
    """Returns a function that does what a learner's does, and reads one of the package's."""
    if isinstance(part, type):
        return nmt_attention.normalize
    return lambda *given, **more: (nmt_attention.normalize, part(*given, **more))[1]


OWN = {name: re.findall(r"borrowed\((\w+)", exercise.checks[0].source) for name, (_, exercise) in EXERCISES.items()}


@pytest.mark.parametrize("name", [name for name, answers in OWN.items() if answers])
def test_the_shown_check_tells_what_is_the_package_s_and_not_the_learner_s(name, answer):
    names, shown = answer(name, "")
    with pytest.raises(AssertionError, match="package's"):
        exec(shown, names | {part: borrowing(names[part]) for part in OWN[name]})


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of 0 / 0 in a wrong answer
@pytest.mark.filterwarnings("ignore:`build\\(\\)` was called on layer:UserWarning")  # of a layer that is never used
@pytest.mark.parametrize("line", rows(WRONG))
def test_both_checks_refuse_a_wrong_answer(line, answer, monkeypatch):
    name, said, written = changed(line)
    names, shown = answer(name, written)
    monkeypatch.setattr(hidden_checks, "CASES", 20)
    with pytest.raises((AssertionError, AttributeError)) as caught:
        exec(shown, dict(names))
    assert said in str(caught.value)
    found = hidden_checks.difference(name, names) if (hidden := hidden_checks.CHECKS.get(name)) else ""
    assert found.startswith(hidden.answer if hidden else "")
    assert not any(line.strip() in found for line in EXERCISES[name][1].solution.source.splitlines() if len(line) > 20)


def test_a_stack_s_block_and_its_looks_are_drawn_and_described_with_their_numbers():
    texts, names = nmt_attention.PhrasebookTexts(), solved(EXERCISES["stack"][0])[1]
    model = names["Transformer"](len(texts.tokenizer), units=8, heads=2, layers=2, causal=True)
    weights = model(tf.constant([ids := texts.begin("Where is my bag?")]))[1]
    said, looks = texts.plot_block(model, "Where is my bag?").get_label(), texts.plot_looks(model, "Where is my bag?")
    numbers = [*map(float, re.findall(r"-?\d+\.\d\d", said))]
    assert len(numbers) == 7 * 4 + 2 + 1 and numbers[28] == pytest.approx(np.max(weights[1][0, 0, -1]), abs=0.006)
    assert np.allclose(np.add(numbers[:4], numbers[8:12]), numbers[12:16], atol=0.02)  # x + look, as the figure shows
    drawn = [axes.images[0].get_array()[0, : len(ids)] for axes in looks.axes if axes.images]  # rows of =
    assert np.allclose(drawn, np.concatenate([one[0, :, -1] for one in weights]), atol=1e-5)


def test_the_assignment_s_holes_say_what_comes_in_and_goes_out_and_the_package_s_parts_are_not_at_hand():
    """Only checks import them, so that a learner writes a hole and does not look it up."""
    for number, hole in enumerate(HOLES, 1):
        assert hole.text.startswith(f"**A.{number} ") and "*In:*" in hole.text and "*Out:*" in hole.text
    assert len(HOLES) == 11 and {hole.name for hole in HOLES} <= hidden_checks.CHECKS.keys()
    code = [cell for cell in course.read(course.ASSIGNMENT).cells if cell.cell_type == "code"]
    for name in ("masked_softmax", "Encoder", "BahdanauAttention", "cross_entropy", "greedy_search"):
        assert course.is_check(next(cell for cell in code if re.search(rf"import .*\b{name}\b", cell.source)))
